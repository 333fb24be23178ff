//! Walking distance.
//!
//! Forget which tile is which, and remember of each only its row and the row it belongs in. A
//! vertical slide then takes a tile, of whatever home, from the row above or below into the row of
//! the blank; a horizontal slide changes nothing. The fewest such moves to the goal are at most the
//! vertical slides of any solution, since a real slide must also find its tile beside the blank.
//! Columns are treated alike. No slide is both vertical and horizontal, so the two add up.
//!
//! Found by Ken'ichiro Takahashi.

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

/// The fewest slides by which all tiles come to their rows, and to their columns, if tiles of the
/// same home are as good as one another.
///
/// Consistent, and never less than Manhattan distance. Looked up in tables of all such walks,
/// which are built for the goal: 24,964 states for the 15-puzzle, in milliseconds.
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
    /// By tile.
    goal_cells: Vec<Cell>,
    vertical: Arc<Walks>,
    /// The same as `vertical` where rows and columns have the same goal.
    horizontal: Arc<Walks>,
}

impl WalkingDistance {
    /// For this goal; `None` if the board does not [fit](WalkingDistance::fits).
    pub fn new(goal: &Board) -> Option<WalkingDistance> {
        WalkingDistance::build(goal, &mut ()).ok().flatten()
    }

    /// The same; the largest tables take a while, so that a watch may end it.
    pub fn build(goal: &Board, watch: &mut dyn Watch) -> Result<Option<WalkingDistance>, Limit> {
        let (dims, blank) = (goal.dims(), goal.blank());
        if !WalkingDistance::fits(dims) {
            return Ok(None);
        }
        let vertical = Arc::new(Walks::new(dims.rows(), dims.cols(), dims.row(blank), watch)?);
        let horizontal = if dims.is_square() && dims.row(blank) == dims.col(blank) {
            Arc::clone(&vertical)
        } else {
            Arc::new(Walks::new(dims.cols(), dims.rows(), dims.col(blank), watch)?)
        };
        let goal_cells = goal.cells_by_tile();
        Ok(Some(WalkingDistance { dims, goal_cells, vertical, horizontal }))
    }

    /// Whether there are tables for boards of this size: up to 4x4, 3x5 and 2x6, either way round.
    ///
    /// The largest of these have 367,560 states; the next, of 4x5, would have 5,977,015, and those
    /// of 5x5 65,650,495.
    pub const fn fits(dims: Dims) -> bool {
        dims.rows() + dims.cols() <= 8
    }

    /// About how many bytes the tables take while they are built, for boards that they fit; less than
    /// four million are not counted.
    pub const fn bytes(dims: Dims) -> u64 {
        if dims.rows() + dims.cols() < 8 || dims.is_square() { 0 } else { 48 << 20 }
    }

    /// How many states the tables for rows and for columns have.
    pub fn n_states(&self) -> (usize, usize) {
        (self.vertical.distances.len(), self.horizontal.distances.len())
    }

    /// The counts of tiles by row and home row, and by column and home column.
    fn counts(&self, state: &impl Arrangement) -> (Counts, Counts) {
        let (mut by_row, mut by_col) = (0, 0);
        for cell in (0..self.goal_cells.len() as u16).map(Cell::new) {
            let tile = state.tile(cell);
            if !tile.is_blank() {
                let home = self.goal_cells[tile.index()];
                by_row += one(self.dims.row(cell), self.dims.row(home));
                by_col += one(self.dims.col(cell), self.dims.col(home));
            }
        }
        (by_row, by_col)
    }
}

/// How many tiles lie in each line by the line they belong in, all in one word. The blank is in the
/// line that is a tile short.
type Counts = u128;

/// One tile in `line` that belongs in `home`. With 3 bits for a number there is room for 6 lines of
/// up to 6 tiles each.
const fn one(line: usize, home: usize) -> Counts {
    1 << (3 * (6 * line + home))
}

/// Whether there is a tile in `line` that belongs in `home`.
const fn has(counts: Counts, line: usize, home: usize) -> bool {
    counts & (7 * one(line, home)) != 0
}

/// All walks over parallel lines, rows or columns, to the goal. States are numbered as a
/// breadth-first search from the goal, which is state 0, meets them.
#[derive(Debug)]
struct Walks {
    n_lines: usize,
    states: HashMap<Counts, u32, BuildHasherDefault<WordHasher>>,
    /// By state.
    distances: Vec<u8>,
    /// The state after a move, by state, [`Way`] and home of the tile that moves; 0 where there is no
    /// such tile.
    next: Vec<u32>,
}

/// Which way a tile goes into the line of the blank.
#[derive(Clone, Copy)]
enum Way {
    /// From the line after it: up or left.
    Back,
    /// From the line before it: down or right.
    Forth,
}

impl Walks {
    /// For a goal with the blank in this line.
    fn new(
        n_lines: usize,
        n_cells: usize,
        blank: usize,
        watch: &mut dyn Watch,
    ) -> Result<Walks, Limit> {
        /// States between two polls: about a millisecond.
        const LOOK: usize = 1 << 11;
        let full: Counts = (0..n_lines).map(|line| n_cells as Counts * one(line, line)).sum();
        let goal = full - one(blank, blank);
        let mut states = HashMap::from_iter([(goal, 0)]);
        // The states met, with the lines of their blanks; those from `state` on wait for their turn.
        let (mut met, mut state) = (vec![(goal, blank)], 0);
        let (mut distances, mut next) = (vec![0], Vec::new());
        while let Some(&(counts, blank)) = met.get(state) {
            if state % LOOK == 0
                && let ControlFlow::Break(limit) = watch.poll(&Stats::default())
            {
                return Err(limit);
            }
            for way in [Way::Back, Way::Forth] {
                let from = match way {
                    Way::Back => Some(blank + 1).filter(|&line| line < n_lines),
                    Way::Forth => blank.checked_sub(1),
                };
                for home in 0..n_lines {
                    let from = from.filter(|&from| has(counts, from, home));
                    next.push(from.map_or(0, |from| {
                        let after = counts - one(from, home) + one(blank, home);
                        *states.entry(after).or_insert_with(|| {
                            met.push((after, from));
                            distances.push(distances[state] + 1);
                            met.len() as u32 - 1
                        })
                    }));
                }
            }
            state += 1;
        }
        Ok(Walks { n_lines, states, distances, next })
    }

    #[inline]
    fn next(&self, state: u32, way: Way, home: usize) -> u32 {
        self.next[(2 * state as usize + way as usize) * self.n_lines + home]
    }

    #[inline]
    fn distance(&self, state: u32) -> Cost {
        self.distances[state as usize].into()
    }
}

/// What a path carries for [`WalkingDistance`].
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

    /// Every arrangement is in the tables, those without a solution too: two tiles of the same home
    /// exchanged make one of the other kind with the same counts.
    fn eval(&self, state: &A) -> WalkingDistanceMemo {
        let (by_row, by_col) = self.counts(state);
        WalkingDistanceMemo {
            vertical: self.vertical.states[&by_row],
            horizontal: self.horizontal.states[&by_col],
        }
    }

    #[inline]
    fn step(&self, before: &WalkingDistanceMemo, after: &A, slide: Slide) -> WalkingDistanceMemo {
        let to = self.dims.source_unchecked(after.blank(), slide.opposite());
        let home = self.goal_cells[after.tile(to).index()];
        let way = match slide {
            Slide::Up | Slide::Left => Way::Back,
            Slide::Down | Slide::Right => Way::Forth,
        };
        let mut memo = *before;
        if slide.is_vertical() {
            memo.vertical = self.vertical.next(before.vertical, way, self.dims.row(home));
        } else {
            memo.horizontal = self.horizontal.next(before.horizontal, way, self.dims.col(home));
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
    fn tables_are_built_whole_or_not_at_all() {
        struct Impatient;
        impl Watch for Impatient {
            fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
                ControlFlow::Break(Limit::Time)
            }
        }
        let goal: Board = "1 2 3 4 5 6/7 8 9 10 11 0".parse().unwrap();
        let stopped = WalkingDistance::build(&goal, &mut Impatient);
        assert_eq!(stopped.map(|_| ()), Err(Limit::Time));
        let built = WalkingDistance::build(&goal, &mut ()).unwrap().unwrap();
        assert_eq!(built.n_states(), WalkingDistance::new(&goal).unwrap().n_states());
    }
}
