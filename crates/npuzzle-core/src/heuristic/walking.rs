//! Walking distance (Takahashi 2001).
//!
//! Keep only the row and the goal row of every tile. In this abstraction a vertical slide moves any
//! tile from the row above or below into the row of the blank, and a horizontal slide changes
//! nothing. The minimum number of such moves to the goal is a lower bound on the vertical slides of a
//! solution, because a real slide can only move the tile next to the blank. Columns bound the
//! horizontal slides in the same way. No slide is both vertical and horizontal, so the two add up.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::chained_hash::WordHasher;
use crate::problem::sliding::{Arrangement, Sliding};
use crate::puzzle::board::Board;
use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::slide::Slide;
use crate::search::{Cost, Heuristic, Limit, Stats, Watch};

/// The minimum number of slides that bring all tiles to their goal rows, plus the minimum for their
/// goal columns, if tiles with the same goal row or column are interchangeable.
///
/// Consistent, and never less than Manhattan distance. The values are looked up in tables, which are
/// built for the goal: for the 15-puzzle they have 24,964 states and take milliseconds to build.
///
/// ```
/// use npuzzle_core::heuristic::WalkingDistance;
/// use npuzzle_core::search::Heuristic;
/// use npuzzle_core::{Board, Sliding};
/// type Tiles = Sliding<Board>;
/// let (board, goal): (Board, Board) = ("2 1 3/4 5 6/7 8 0".parse()?, "1 2 3/4 5 6/7 8 0".parse()?);
/// let h = WalkingDistance::new(&goal).expect("nine cells fit");
/// assert_eq!(Heuristic::<Tiles>::value(&h, &Heuristic::<Tiles>::eval(&h, &board)), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    dims: Dims,
    /// The goal cells by tile.
    goal_cells: Vec<Cell>,
    vertical: Arc<WalkTable>,
    /// The same table as `vertical` if rows and columns have the same goal.
    horizontal: Arc<WalkTable>,
}

impl WalkingDistance {
    /// Builds the heuristic for this goal; `None` if the board is [too large](WalkingDistance::fits).
    pub fn new(goal: &Board) -> Option<WalkingDistance> {
        WalkingDistance::build(goal, &mut ()).ok().flatten()
    }

    /// Like [`new`](WalkingDistance::new), with a watch that can stop the build.
    pub fn build(goal: &Board, watch: &mut dyn Watch) -> Result<Option<WalkingDistance>, Limit> {
        let (dims, blank) = (goal.dims(), goal.blank());
        if !WalkingDistance::fits(dims) {
            return Ok(None);
        }
        let vertical = Arc::new(WalkTable::new(dims.rows(), dims.cols(), dims.row(blank), watch)?);
        let horizontal = if dims.is_square() && dims.row(blank) == dims.col(blank) {
            Arc::clone(&vertical)
        } else {
            Arc::new(WalkTable::new(dims.cols(), dims.rows(), dims.col(blank), watch)?)
        };
        let goal_cells = goal.cells_by_tile();
        Ok(Some(WalkingDistance { dims, goal_cells, vertical, horizontal }))
    }

    /// Whether boards of this size are supported: up to 4x4, 3x5, 5x3, 2x6 and 6x2.
    ///
    /// The largest of their tables has 367,560 states. The table for 4x5 would have 5,977,015 states,
    /// and that for 5x5 65,650,495.
    pub const fn fits(dims: Dims) -> bool {
        dims.rows() + dims.cols() <= 8
    }

    /// Approximate number of bytes that the tables of a supported size take while they are built; 0 if
    /// they take less than 4 MB.
    pub const fn bytes(dims: Dims) -> u64 {
        if dims.rows() + dims.cols() < 8 || dims.is_square() { 0 } else { 48 << 20 }
    }

    /// The number of states of the tables for rows and for columns.
    pub fn n_states(&self) -> (usize, usize) {
        (self.vertical.distances.len(), self.horizontal.distances.len())
    }

    /// Counts the tiles by row and goal row, and by column and goal column.
    fn counts(&self, state: &impl Arrangement) -> (Counts, Counts) {
        let (mut by_row, mut by_col) = (0, 0);
        for cell in (0..self.goal_cells.len() as u16).map(Cell::new) {
            let tile = state.tile(cell);
            if !tile.is_blank() {
                let goal = self.goal_cells[tile.index()];
                by_row += one(self.dims.row(cell), self.dims.row(goal));
                by_col += one(self.dims.col(cell), self.dims.col(goal));
            }
        }
        (by_row, by_col)
    }
}

/// The number of tiles in every line by goal line, packed into one word. The blank is in the line with
/// one tile less than the others.
type Counts = u128;

/// One tile in `line` whose goal line is `goal`. Three bits per number are enough for 6 lines of up to
/// 6 tiles each.
const fn one(line: usize, goal: usize) -> Counts {
    1 << (3 * (6 * line + goal))
}

/// Whether `line` has a tile whose goal line is `goal`.
const fn has(counts: Counts, line: usize, goal: usize) -> bool {
    counts & (7 * one(line, goal)) != 0
}

/// The distances to the goal of all counts of tiles in parallel lines, rows or columns. States are
/// numbered in the order of a breadth-first search from the goal, which is state 0.
#[derive(Debug)]
struct WalkTable {
    n_lines: usize,
    states: HashMap<Counts, u32, BuildHasherDefault<WordHasher>>,
    /// By state.
    distances: Vec<u8>,
    /// The state after a move, by state, [`Direction`] and goal line of the tile that moves; 0 if there
    /// is no such tile.
    next: Vec<u32>,
}

/// The direction in which a tile moves into the line of the blank.
#[derive(Clone, Copy)]
enum Direction {
    /// From the line after it: up or left.
    Backward,
    /// From the line before it: down or right.
    Forward,
}

impl WalkTable {
    /// Builds the table for a goal with the blank in line `blank`.
    fn new(
        n_lines: usize,
        n_cells: usize,
        blank: usize,
        watch: &mut dyn Watch,
    ) -> Result<WalkTable, Limit> {
        /// States between two polls: about a millisecond.
        const POLL_INTERVAL: usize = 1 << 11;
        let full: Counts = (0..n_lines).map(|line| n_cells as Counts * one(line, line)).sum();
        let goal = full - one(blank, blank);
        let mut states = HashMap::from_iter([(goal, 0)]);
        // The states found, with the lines of their blanks. Those from `state` on are not expanded yet.
        let (mut found, mut state) = (vec![(goal, blank)], 0);
        let (mut distances, mut next) = (vec![0], Vec::new());
        while let Some(&(counts, blank)) = found.get(state) {
            if state % POLL_INTERVAL == 0
                && let ControlFlow::Break(limit) = watch.poll(&Stats::default())
            {
                return Err(limit);
            }
            for direction in [Direction::Backward, Direction::Forward] {
                let from = match direction {
                    Direction::Backward => Some(blank + 1).filter(|&line| line < n_lines),
                    Direction::Forward => blank.checked_sub(1),
                };
                for goal in 0..n_lines {
                    let from = from.filter(|&from| has(counts, from, goal));
                    next.push(from.map_or(0, |from| {
                        let after = counts - one(from, goal) + one(blank, goal);
                        *states.entry(after).or_insert_with(|| {
                            found.push((after, from));
                            distances.push(distances[state] + 1);
                            found.len() as u32 - 1
                        })
                    }));
                }
            }
            state += 1;
        }
        Ok(WalkTable { n_lines, states, distances, next })
    }

    #[inline]
    fn next(&self, state: u32, direction: Direction, goal: usize) -> u32 {
        self.next[(2 * state as usize + direction as usize) * self.n_lines + goal]
    }

    #[inline]
    fn distance(&self, state: u32) -> Cost {
        self.distances[state as usize].into()
    }
}

/// The memo of [`WalkingDistance`]: the states of the two tables.
///
/// ```
/// use npuzzle_core::heuristic::WalkingDistance;
/// use npuzzle_core::search::Heuristic;
/// use npuzzle_core::{Board, Slide, Sliding};
/// type Tiles = Sliding<Board>;
/// let h = WalkingDistance::new(&"1 2 3/4 5 6/7 8 0".parse()?).expect("nine cells fit");
/// let mut board: Board = "2 1 3/4 0 6/7 5 8".parse()?;
/// let before = Heuristic::<Tiles>::eval(&h, &board);
/// board.slide(Slide::Up);
/// let after = Heuristic::<Tiles>::step(&h, &before, &board, Slide::Up);
/// assert_eq!(after, Heuristic::<Tiles>::eval(&h, &board));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WalkingDistanceMemo {
    vertical: u32,
    horizontal: u32,
}

impl<A: Arrangement> Heuristic<Sliding<A>> for WalkingDistance {
    type Memo = WalkingDistanceMemo;

    /// The tables contain every arrangement, including unsolvable ones: exchanging two tiles with the
    /// same goal line makes an unsolvable arrangement solvable and does not change the counts.
    fn eval(&self, state: &A) -> WalkingDistanceMemo {
        let (by_row, by_col) = self.counts(state);
        WalkingDistanceMemo {
            vertical: self.vertical.states[&by_row],
            horizontal: self.horizontal.states[&by_col],
        }
    }

    #[inline]
    fn step(&self, before: &WalkingDistanceMemo, after: &A, slide: Slide) -> WalkingDistanceMemo {
        let goal = self.goal_cells[after.moved_tile(self.dims, slide).tile.index()];
        let direction = match slide {
            Slide::Up | Slide::Left => Direction::Backward,
            Slide::Down | Slide::Right => Direction::Forward,
        };
        let mut memo = *before;
        if slide.is_vertical() {
            memo.vertical = self.vertical.next(before.vertical, direction, self.dims.row(goal));
        } else {
            memo.horizontal =
                self.horizontal.next(before.horizontal, direction, self.dims.col(goal));
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &WalkingDistanceMemo) -> Cost {
        self.vertical.distance(memo.vertical) + self.horizontal.distance(memo.horizontal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watch_stops_the_build_of_the_tables() {
        struct TimeUp;
        impl Watch for TimeUp {
            fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
                ControlFlow::Break(Limit::Time)
            }
        }
        let goal: Board = "1 2 3 4 5 6/7 8 9 10 11 0".parse().unwrap();
        let stopped = WalkingDistance::build(&goal, &mut TimeUp);
        assert_eq!(stopped.map(|_| ()), Err(Limit::Time));
        let built = WalkingDistance::build(&goal, &mut ()).unwrap().unwrap();
        assert_eq!(built.n_states(), WalkingDistance::new(&goal).unwrap().n_states());
    }
}
