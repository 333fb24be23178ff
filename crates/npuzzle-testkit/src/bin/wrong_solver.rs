//! A course program as a student might write it, with the mistake that its first argument names.
//!
//! ```text
//! wrong_solver MISTAKE STYLE FILE
//! ```
//!
//! It has its own board, heap, reader and writer, so that it shares no code with the grader. The styles
//! are `princeton`, `auc` and `umbc`.

#![allow(clippy::unwrap_used, reason = "students unwrap")]

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
    DirectionsSwapped,
    WrongGoal,
    ConflictPairs,
    NoDetection,
    ClosedOnInsertion,
    /// Two moves too many on every board, which is not a known mistake.
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
        "ways-swapped" => Mistake::DirectionsSwapped,
        "wrong-goal" => Mistake::WrongGoal,
        "conflict-pairs" => Mistake::ConflictPairs,
        "no-detection" => Mistake::NoDetection,
        "closed-on-insertion" => Mistake::ClosedOnInsertion,
        "detour" => Mistake::Detour,
        _ => panic!("unknown mistake {name}"),
    }
}

/// A search node: a board and the path to it.
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
            let goal_cell = self.goal_cell(tile);
            if self.counts_misplaced {
                h += usize::from(cell != goal_cell);
            } else {
                h += (cell / n).abs_diff(goal_cell / n) + (cell % n).abs_diff(goal_cell % n);
            }
        }
        if self.mistake == Mistake::ConflictPairs {
            h += 2 * self.conflicts(tiles);
        }
        h
    }

    fn goal_cell(&self, tile: usize) -> usize {
        self.goal.iter().position(|&t| t == tile).unwrap()
    }

    /// The number of pairs in conflict, which overestimates.
    fn conflicts(&self, tiles: &Tiles) -> usize {
        let n = self.n;
        let mut count = 0;
        for line in 0..n {
            for i in 0..n {
                for j in i + 1..n {
                    let in_row = |cell: usize| cell / n == line;
                    let in_col = |cell: usize| cell % n == line;
                    let (a, b) = (tiles[line * n + i], tiles[line * n + j]);
                    count += usize::from(self.is_conflict(a, b, in_row));
                    let (a, b) = (tiles[i * n + line], tiles[j * n + line]);
                    count += usize::from(self.is_conflict(a, b, in_col));
                }
            }
        }
        count
    }

    /// Whether two tiles of a line, `a` before `b`, have goal cells in that line in reverse order.
    fn is_conflict(&self, a: usize, b: usize, in_line: impl Fn(usize) -> bool) -> bool {
        let (goal_a, goal_b) = (self.goal_cell(a), self.goal_cell(b));
        a != 0 && b != 0 && in_line(goal_a) && in_line(goal_b) && goal_a > goal_b
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

    /// Runs A*. Returns the goal node, the first five nodes removed from the queue, and its final size.
    fn solve(&self) -> Option<(Rc<Node>, Vec<Rc<Node>>, usize)> {
        let mut queue = Heap { items: Vec::new() };
        let mut closed = HashSet::new();
        let mut removed = Vec::new();
        let start =
            Node { tiles: self.start.clone(), g: 0, h: self.heuristic(&self.start), parent: None };
        // A greedy search without a closed list runs in circles.
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
                let discarded = match (self.mistake, &node.parent) {
                    (Mistake::WrongAncestor, _) => tiles == node.tiles,
                    (_, Some(parent)) => tiles == parent.tiles,
                    (_, None) => false,
                };
                if discarded || keeps_closed && !closed.insert(tiles.clone()) {
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
        let order: Vec<usize> = self.start.iter().map(|&tile| self.goal_cell(tile)).collect();
        let mut swaps = 0;
        for i in 0..order.len() {
            for j in i + 1..order.len() {
                swaps += usize::from(order[i] > order[j]);
            }
        }
        let blank = self.start.iter().position(|&t| t == 0).unwrap();
        let goal_cell = self.goal_cell(0);
        let distance = (blank / n).abs_diff(goal_cell / n) + (blank % n).abs_diff(goal_cell % n);
        swaps % 2 == distance % 2
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
            let mut smallest = at;
            if left < self.items.len() && self.items[left].0 < self.items[smallest].0 {
                smallest = left;
            }
            if right < self.items.len() && self.items[right].0 < self.items[smallest].0 {
                smallest = right;
            }
            if smallest == at {
                return Some(first);
            }
            self.items.swap(at, smallest);
            at = smallest;
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

/// The tile that moved from one board to the next, and its direction.
fn moved_tile(n: usize, before: &Tiles, after: &Tiles, mistake: Mistake) -> (usize, &'static str) {
    let to = before.iter().position(|&t| t == 0).unwrap();
    let from = after.iter().position(|&t| t == 0).unwrap();
    let (from, to) = if mistake == Mistake::DirectionsSwapped { (to, from) } else { (from, to) };
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
    let puzzle = read(mistake(name), style, &fs::read_to_string(file).unwrap());
    let is_searched = puzzle.mistake == Mistake::NoDetection || puzzle.is_solvable();
    let Some((end, removed, n_open)) = is_searched.then(|| puzzle.solve()).flatten() else {
        println!("No solution possible");
        return;
    };
    let mut path = vec![end];
    while let Some(parent) = path[path.len() - 1].parent.clone() {
        path.push(parent);
    }
    path.reverse();
    if style == "umbc" {
        print_summary(&puzzle, &path, &removed, n_open);
    } else {
        print_path(&puzzle, style, &path);
    }
}

fn read(mistake: Mistake, style: &str, text: &str) -> Puzzle {
    let mut numbers: Vec<usize> =
        text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let is_umbc = style == "umbc";
    let n = if is_umbc { 3 } else { numbers.remove(0) };
    let mut goal: Tiles =
        if is_umbc { numbers.split_off(n * n) } else { (1..n * n).chain([0]).collect() };
    if mistake == Mistake::WrongGoal {
        goal = (0..n * n).collect();
    }
    Puzzle { n, start: numbers, goal, mistake, counts_misplaced: is_umbc }
}

/// The number of moves that the program claims.
fn claimed_moves(puzzle: &Puzzle, path: &[Rc<Node>]) -> usize {
    let moves = path.len() - 1;
    match puzzle.mistake {
        Mistake::OffByOne => moves + 1,
        Mistake::Detour => moves + 2,
        _ => moves,
    }
}

fn print_summary(puzzle: &Puzzle, path: &[Rc<Node>], removed: &[Rc<Node>], n_open: usize) {
    let n = puzzle.n;
    println!("Initial state");
    print_state(n, &path[0]);
    println!("Goal state reached:");
    print_state(n, &path[path.len() - 1]);
    println!("Solution cost is: {}", claimed_moves(puzzle, path));
    println!("Size of the openQ at end of search process: {n_open}");
    for node in removed {
        println!("State");
        print_state(n, node);
    }
}

fn print_path(puzzle: &Puzzle, style: &str, path: &[Rc<Node>]) {
    let (n, mistake) = (puzzle.n, puzzle.mistake);
    if style == "princeton" {
        println!("Minimum number of moves = {}", claimed_moves(puzzle, path));
    }
    if mistake == Mistake::Detour {
        let neighbor = puzzle.neighbors(&path[0].tiles).remove(0);
        for tiles in [&path[0].tiles, &neighbor] {
            println!("{n}");
            print_rows(n, tiles);
        }
    }
    for (level, node) in path.iter().enumerate() {
        if style == "auc" && level > 0 {
            let (tile, direction) = moved_tile(n, &path[level - 1].tiles, &node.tiles, mistake);
            let g = if mistake == Mistake::OffByOne { node.g + 1 } else { node.g };
            let (h, c) = (node.h, g + node.h);
            println!("// Level {level}: {tile} {direction}   g = {g} h = {h} c = {c}");
        }
        println!("{n}");
        print_rows(n, &node.tiles);
    }
}
