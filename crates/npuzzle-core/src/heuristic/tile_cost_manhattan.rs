//! Manhattan distance, weighted by the costs of the tiles.

use crate::problem::sliding::{Arrangement, MovedTile, SlideCost, Sliding, TileCosts};
use crate::puzzle::board::{Board, Tile};
use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::slide::Slide;
use crate::search::{Cost, Heuristic};

/// The sum, over all tiles, of the cost of a tile times its distance along rows and columns to its goal
/// cell. It is consistent, because every slide moves one tile by one cell and costs what that tile costs.
///
/// ```
/// use npuzzle_core::heuristic::TileCostManhattan;
/// use npuzzle_core::search::Heuristic;
/// use npuzzle_core::{Board, Instance, Sliding, TileCosts};
/// let puzzle: Instance = "2 3 6/1 0 7/4 8 5".parse()?;
/// let h = TileCostManhattan::new(puzzle.goal(), TileCosts::by_number(puzzle.dims()));
/// let memo = Heuristic::<Sliding<Board, TileCosts>>::eval(&h, puzzle.start());
/// assert_eq!(Heuristic::<Sliding<Board, TileCosts>>::value(&h, &memo), 47);
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TileCostManhattan {
    dims: Dims,
    /// The goal cells, by tile.
    goals: Vec<Cell>,
    costs: TileCosts,
}

impl TileCostManhattan {
    /// The heuristic for this goal, with costs for boards of its size.
    pub fn new(goal: &Board, costs: TileCosts) -> TileCostManhattan {
        TileCostManhattan { dims: goal.dims(), goals: goal.cells_by_tile(), costs }
    }

    /// The cost of moving a tile from a cell to its goal cell if no other tile is in the way; 0 for the
    /// blank.
    fn cost(&self, cell: Cell, tile: Tile) -> Cost {
        self.dims.distance(cell, self.goals[tile.index()]) as Cost * self.costs.of(tile)
    }
}

impl<A: Arrangement> Heuristic<Sliding<A, TileCosts>> for TileCostManhattan {
    type Memo = Cost;

    fn eval(&self, state: &A) -> Cost {
        self.dims.all_cells().map(|cell| self.cost(cell, state.tile(cell))).sum()
    }

    #[inline]
    fn step(&self, &before: &Cost, after: &A, slide: Slide) -> Cost {
        let MovedTile { tile, from, to } = after.moved_tile(self.dims, slide);
        before + self.cost(to, tile) - self.cost(from, tile)
    }

    #[inline]
    fn value(&self, &memo: &Cost) -> Cost {
        memo
    }
}
