//! Number of misplaced tiles, also called Hamming distance.

use crate::problem::sliding::{Arrangement, MovedTile, Sliding};
use crate::puzzle::board::Board;
use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::slide::Slide;
use crate::search::{Cost, Heuristic};

/// The number of tiles that are not on their goal cells. Counting the blank would overestimate, because
/// one slide can bring both a tile and the blank to their goal cells.
///
/// ```
/// use npuzzle_core::heuristic::Misplaced;
/// use npuzzle_core::{Board, Instance, Sliding, search::Heuristic};
/// let puzzle: Instance = "8 1 3/4 0 2/7 6 5".parse()?;
/// let h = Misplaced::new(puzzle.goal());
/// let memo = Heuristic::<Sliding<Board>>::eval(&h, puzzle.start());
/// assert_eq!(Heuristic::<Sliding<Board>>::value(&h, &memo), 5);
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Misplaced {
    dims: Dims,
    /// The goal cells by tile.
    goal_cells: Vec<Cell>,
}

impl Misplaced {
    /// The heuristic for this goal.
    pub fn new(goal: &Board) -> Misplaced {
        Misplaced { dims: goal.dims(), goal_cells: goal.cells_by_tile() }
    }
}

impl<A: Arrangement> Heuristic<Sliding<A>> for Misplaced {
    type Memo = Cost;

    const EVALUATES_FAST: bool = true;

    fn eval(&self, state: &A) -> Cost {
        let cells = (0..self.goal_cells.len() as u16).map(Cell::new);
        let misplaced = cells.filter(|&cell| {
            let tile = state.tile(cell);
            !tile.is_blank() && self.goal_cells[tile.index()] != cell
        });
        misplaced.count() as Cost
    }

    #[inline]
    fn step(&self, &before: &Cost, after: &A, slide: Slide) -> Cost {
        let MovedTile { tile, from, to } = after.moved_tile(self.dims, slide);
        let goal = self.goal_cells[tile.index()];
        before + Cost::from(from == goal) - Cost::from(to == goal)
    }

    #[inline]
    fn value(&self, &memo: &Cost) -> Cost {
        memo
    }
}
