//! A plain IDA* with Manhattan distance, as a textbook has it (Korf 1985). Its speed is a unit for the time of other
//! searches that does not depend on the machine.

use std::time::{Duration, Instant};

use npuzzle::Goal;
use npuzzle_testkit::data::Known;

use crate::solving::instance;

/// The width of the board.
const COLS: usize = 4;
const CELLS: usize = COLS * COLS;

/// Measures the time of generating this many nodes of 15-puzzles, one board after the other.
pub(crate) fn time_of(n_nodes: u64, boards: &[Known]) -> Duration {
    let start = Instant::now();
    let mut n_generated = 0;
    for known in boards.iter().cycle() {
        let mut search = PlainIda::new(known, n_nodes - n_generated);
        search.run();
        n_generated += search.n_generated;
        if n_generated >= n_nodes {
            break;
        }
    }
    start.elapsed()
}

struct PlainIda {
    /// The goal cell of the tile on each cell.
    tiles: [usize; CELLS],
    blank: usize,
    n_generated: u64,
    max_generated: u64,
}

impl PlainIda {
    fn new(known: &Known, max_generated: u64) -> PlainIda {
        let instance = instance(known, &Goal::First);
        // With the blank first in the goal, a tile belongs on the cell of its number.
        let tiles = instance.start().tiles().iter();
        let tiles: Vec<usize> = tiles.map(|tile| usize::from(tile.number())).collect();
        let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
        let tiles = tiles.try_into().expect("a 15-puzzle");
        PlainIda { tiles, blank, n_generated: 0, max_generated }
    }

    fn run(&mut self) {
        let occupied = (0..CELLS).filter(|&cell| self.tiles[cell] != 0);
        let h: i32 = occupied.map(|cell| distance(cell, self.tiles[cell])).sum();
        let mut bound = h;
        // The blank cannot return to a cell outside the board.
        while !self.is_solved_within(bound, h, CELLS) {
            bound += 2;
        }
    }

    /// Whether the goal is at most `left` moves away, or the nodes are used up. `before` is the cell of the blank
    /// before the last move.
    fn is_solved_within(&mut self, left: i32, h: i32, before: usize) -> bool {
        if h == 0 {
            return true;
        }
        let blank = self.blank;
        let (row, col) = (blank / COLS, blank % COLS);
        let neighbors = [
            (row > 0).then(|| blank - COLS),
            (col > 0).then(|| blank - 1),
            (col + 1 < COLS).then(|| blank + 1),
            (row + 1 < COLS).then(|| blank + COLS),
        ];
        for from in neighbors.into_iter().flatten().filter(|&from| from != before) {
            self.n_generated += 1;
            if self.n_generated >= self.max_generated {
                return true;
            }
            let tile = self.tiles[from];
            let h = h + distance(blank, tile) - distance(from, tile);
            if h < left {
                (self.tiles[blank], self.blank) = (tile, from);
                if self.is_solved_within(left - 1, h, blank) {
                    return true;
                }
                (self.tiles[from], self.blank) = (tile, blank);
            }
        }
        false
    }
}

fn distance(a: usize, b: usize) -> i32 {
    ((a / COLS).abs_diff(b / COLS) + (a % COLS).abs_diff(b % COLS)) as i32
}
