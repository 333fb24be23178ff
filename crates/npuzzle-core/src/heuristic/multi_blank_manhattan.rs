//! Manhattan distance of boards with several blanks.

use crate::problem::multi_blank::{MultiBlankBoard, MultiBlankSliding};
use crate::problem::sliding::MovedTile;
use crate::puzzle::board::Tile;
use crate::puzzle::dims::{Cell, Dims};
use crate::search::{Cost, Heuristic};

/// The sum of the distances, along rows and columns, of all tiles to their goal cells. Blanks are not
/// counted.
///
/// ```
/// use npuzzle_core::heuristic::MultiBlankManhattan;
/// use npuzzle_core::{Dims, MultiBlankBoard, search::Heuristic};
/// let dims = Dims::new(3, 3)?;
/// let board = MultiBlankBoard::new(dims, &[2, 5, 1, 4, 3, 6, 7, 0, 0])?;
/// let h = MultiBlankManhattan::new(&MultiBlankBoard::solved(dims, 7));
/// assert_eq!(h.value(&h.eval(&board)), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MultiBlankManhattan {
    dims: Dims,
    /// The goal cells, by tile; index 0 has no meaning.
    goals: Vec<Cell>,
}

impl MultiBlankManhattan {
    /// The heuristic for this goal.
    pub fn new(goal: &MultiBlankBoard) -> MultiBlankManhattan {
        MultiBlankManhattan { dims: goal.dims(), goals: goal.cells_by_tile() }
    }

    fn distance(&self, cell: Cell, tile: Tile) -> Cost {
        self.dims.distance(cell, self.goals[tile.index()]) as Cost
    }
}

impl Heuristic<MultiBlankSliding> for MultiBlankManhattan {
    type Memo = Cost;

    fn eval(&self, state: &MultiBlankBoard) -> Cost {
        let tiles = self.dims.all_cells().zip(state.tiles()).filter(|(_, tile)| !tile.is_blank());
        tiles.map(|(cell, &tile)| self.distance(cell, tile)).sum()
    }

    fn step(&self, &before: &Cost, _: &MultiBlankBoard, moved: MovedTile) -> Cost {
        before + self.distance(moved.to, moved.tile) - self.distance(moved.from, moved.tile)
    }

    fn value(&self, &memo: &Cost) -> Cost {
        memo
    }
}
