//! A course program as a student writes it, with one mistake that its first argument names.
//!
//! ```text
//! wrong_solver MISTAKE STYLE FILE
//! ```
//!
//! It has its own board, its own heap and its own reading and writing, so that what grades it shares
//! nothing with it. The styles are `princeton`, `auc` and `umbc`.

// Students do.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::rc::Rc;
use std::{env, fs, process};

type Tiles = Vec<usize>;

#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    None,
    BlankCounted,
    GoalOnInsertion,
    WrongAncestor,
    Greedy,
    OffByOne,
    WaysSwapped,
    WrongGoal,
    ConflictPairs,
    NoDetection,
    ClosedOnInsertion,
    /// Two steps too many on every board: none that is known.
    Detour,
}

fn mistake(name: &str) -> Mistake {
    match name {
        "none" => Mistake::None,
        "blank-counted" => Mistake::BlankCounted,
        "goal-on-insertion" => Mistake::GoalOnInsertion,
        "wrong-ancestor" => Mistake::WrongAncestor,
        "greedy" => Mistake::Greedy,
        "off-by-one" => Mistake::OffByOne,
        "ways-swapped" => Mistake::WaysSwapped,
        "wrong-goal" => Mistake::WrongGoal,
        "conflict-pairs" => Mistake::ConflictPairs,
        "no-detection" => Mistake::NoDetection,
        "closed-on-insertion" => Mistake::ClosedOnInsertion,
        "detour" => Mistake::Detour,
        _ => panic!("unknown mistake {name}"),
    }
}

/// A search node: a board and the way that led to it.
struct Node {
    tiles: Tiles,
    g: usize,
    h: usize,
    parent: Option<Rc<Node>>,
}

struct Puzzle {
    n: usize,
    start: Tiles,
    goal: Tiles,
    mistake: Mistake,
    counts_misplaced: bool,
}

impl Puzzle {
    fn heuristic(&self, tiles: &Tiles) -> usize {
        let n = self.n;
        let mut h = 0;
        for (cell, &tile) in tiles.iter().enumerate() {
            if tile == 0 && self.mistake != Mistake::BlankCounted {
                continue;
            }
            let home = self.goal.iter().position(|&t| t == tile).unwrap();
            if self.counts_misplaced {
                h += usize::from(cell != home);
            } else {
                h += (cell / n).abs_diff(home / n) + (cell % n).abs_diff(home % n);
            }
        }
        if self.mistake == Mistake::ConflictPairs {
            h += 2 * self.conflicts(tiles);
        }
        h
    }

    /// Every pair in conflict, which is too many.
    fn conflicts(&self, tiles: &Tiles) -> usize {
        let n = self.n;
        let home = |tile: usize| self.goal.iter().position(|&t| t == tile).unwrap();
        let mut count = 0;
        for line in 0..n {
            for i in 0..n {
                for j in i + 1..n {
                    let (a, b) = (tiles[line * n + i], tiles[line * n + j]);
                    if a != 0
                        && b != 0
                        && home(a) / n == line
                        && home(b) / n == line
                        && home(a) > home(b)
                    {
                        count += 1;
                    }
                    let (a, b) = (tiles[i * n + line], tiles[j * n + line]);
                    if a != 0
                        && b != 0
                        && home(a) % n == line
                        && home(b) % n == line
                        && home(a) > home(b)
                    {
                        count += 1;
                    }
                }
            }
        }
        count
    }

    fn neighbors(&self, tiles: &Tiles) -> Vec<Tiles> {
        let n = self.n;
        let blank = tiles.iter().position(|&t| t == 0).unwrap();
        let (row, col) = (blank / n, blank % n);
        let mut result = Vec::new();
        let mut swap = |other: usize| {
            let mut copy = tiles.clone();
            copy.swap(blank, other);
            result.push(copy);
        };
        if row > 0 {
            swap(blank - n);
        }
        if row + 1 < n {
            swap(blank + n);
        }
        if col > 0 {
            swap(blank - 1);
        }
        if col + 1 < n {
            swap(blank + 1);
        }
        result
    }

    fn key(&self, node: &Node) -> usize {
        if self.mistake == Mistake::Greedy { node.h } else { node.g + node.h }
    }

    /// A*, and the first five boards that left the queue, and how many were left in it.
    fn solve(&self) -> Option<(Rc<Node>, Vec<Rc<Node>>, usize)> {
        let mut queue = Heap { items: Vec::new() };
        let mut closed = HashSet::new();
        let mut removed = Vec::new();
        let start =
            Node { tiles: self.start.clone(), g: 0, h: self.heuristic(&self.start), parent: None };
        // A greedy search that refuses only the parent walks in circles.
        let keeps_closed = matches!(self.mistake, Mistake::Greedy | Mistake::ClosedOnInsertion);
        closed.insert(self.start.clone());
        queue.push(self.key(&start), Rc::new(start));
        while let Some(node) = queue.pop() {
            if removed.len() < 5 {
                removed.push(node.clone());
            }
            if self.mistake != Mistake::GoalOnInsertion && node.tiles == self.goal {
                return Some((node, removed, queue.items.len()));
            }
            for tiles in self.neighbors(&node.tiles) {
                let refused = match (self.mistake, &node.parent) {
                    (Mistake::WrongAncestor, _) => tiles == node.tiles,
                    (_, Some(parent)) => tiles == parent.tiles,
                    (_, None) => false,
                };
                if refused || keeps_closed && !closed.insert(tiles.clone()) {
                    continue;
                }
                let h = self.heuristic(&tiles);
                let child = Rc::new(Node { tiles, g: node.g + 1, h, parent: Some(node.clone()) });
                if self.mistake == Mistake::GoalOnInsertion && child.tiles == self.goal {
                    return Some((child, removed, queue.items.len()));
                }
                queue.push(self.key(&child), child);
            }
        }
        None
    }

    fn is_solvable(&self) -> bool {
        let n = self.n;
        let order: Vec<usize> = self
            .start
            .iter()
            .map(|tile| self.goal.iter().position(|t| t == tile).unwrap())
            .collect();
        let mut swaps = 0;
        for i in 0..order.len() {
            for j in i + 1..order.len() {
                swaps += usize::from(order[i] > order[j]);
            }
        }
        let blank = self.start.iter().position(|&t| t == 0).unwrap();
        let home = self.goal.iter().position(|&t| t == 0).unwrap();
        let steps = (blank / n).abs_diff(home / n) + (blank % n).abs_diff(home % n);
        swaps % 2 == steps % 2
    }
}

/// A binary heap of nodes by key.
struct Heap {
    items: Vec<(usize, Rc<Node>)>,
}

impl Heap {
    fn push(&mut self, key: usize, node: Rc<Node>) {
        self.items.push((key, node));
        let mut at = self.items.len() - 1;
        while at > 0 && self.items[at].0 < self.items[(at - 1) / 2].0 {
            self.items.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn pop(&mut self) -> Option<Rc<Node>> {
        if self.items.is_empty() {
            return None;
        }
        let (_, first) = self.items.swap_remove(0);
        let mut at = 0;
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let mut least = at;
            if left < self.items.len() && self.items[left].0 < self.items[least].0 {
                least = left;
            }
            if right < self.items.len() && self.items[right].0 < self.items[least].0 {
                least = right;
            }
            if least == at {
                return Some(first);
            }
            self.items.swap(at, least);
            at = least;
        }
    }
}

fn print_rows(n: usize, tiles: &Tiles) {
    for row in tiles.chunks(n) {
        let row: Vec<String> = row.iter().map(|tile| format!("{tile:2}")).collect();
        println!("{}", row.join(" "));
    }
}

fn print_state(n: usize, node: &Node) {
    print_rows(n, &node.tiles);
    println!("Cost =  {}\ng =  {}\nh =  {}\n", node.g + node.h, node.g, node.h);
}

/// The way a tile went from one board to the next.
fn way(n: usize, before: &Tiles, after: &Tiles, mistake: Mistake) -> (usize, &'static str) {
    let to = before.iter().position(|&t| t == 0).unwrap();
    let from = after.iter().position(|&t| t == 0).unwrap();
    let (from, to) = if mistake == Mistake::WaysSwapped { (to, from) } else { (from, to) };
    let tile = before[to].max(after[to]);
    let name = match to as i64 - from as i64 {
        1 => "Right",
        -1 => "Left",
        d if d == n as i64 => "Down",
        _ => "Up",
    };
    (tile, name)
}

fn main() {
    let args: Vec<String> = env::args().collect();
    let [_, name, style, file] = &args[..] else {
        eprintln!("usage: wrong_solver MISTAKE STYLE FILE");
        process::exit(2);
    };
    let mistake = mistake(name);
    let text = fs::read_to_string(file).unwrap();
    let mut numbers: Vec<usize> =
        text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let n = if style == "umbc" { 3 } else { numbers.remove(0) };
    let mut goal: Tiles =
        if style == "umbc" { numbers.split_off(n * n) } else { (1..n * n).chain([0]).collect() };
    if mistake == Mistake::WrongGoal {
        goal = (0..n * n).collect();
    }
    let counts_misplaced = style == "umbc";
    let puzzle = Puzzle { n, start: numbers, goal, mistake, counts_misplaced };
    if mistake != Mistake::NoDetection && !puzzle.is_solvable() {
        println!("No solution possible");
        return;
    }
    let Some((end, removed, n_open)) = puzzle.solve() else {
        println!("No solution possible");
        return;
    };
    let mut path = vec![end.clone()];
    while let Some(parent) = path[path.len() - 1].parent.clone() {
        path.push(parent);
    }
    path.reverse();
    let mut moves = end.g;
    if mistake == Mistake::OffByOne {
        moves += 1;
    }
    if style == "umbc" {
        println!("Initial state");
        print_state(n, &path[0]);
        println!("Goal state reached:");
        print_state(n, &end);
        println!("Solution cost is: {moves}");
        println!("Size of the openQ at end of search process: {n_open}");
        for node in removed {
            println!("State");
            print_state(n, &node);
        }
        return;
    }
    if style == "princeton" {
        println!(
            "Minimum number of moves = {}",
            if mistake == Mistake::Detour { moves + 2 } else { moves }
        );
    }
    if mistake == Mistake::Detour {
        let there = puzzle.neighbors(&path[0].tiles).remove(0);
        for tiles in [&path[0].tiles, &there] {
            println!("{n}");
            print_rows(n, tiles);
        }
    }
    for (level, node) in path.iter().enumerate() {
        if style == "auc" && level > 0 {
            let (tile, way) = way(n, &path[level - 1].tiles, &node.tiles, mistake);
            let g = if mistake == Mistake::OffByOne { node.g + 1 } else { node.g };
            println!("// Level {level}: {tile} {way}   g = {g} h = {} c = {}", node.h, g + node.h);
        }
        println!("{n}");
        print_rows(n, &node.tiles);
    }
}
