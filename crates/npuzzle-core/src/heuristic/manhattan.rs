//! Manhattan distance.

use crate::board::{Board, Tile};
use crate::dims::{Cell, Dims};
use crate::search::{Cost, Heuristic};
use crate::slide::Slide;
use crate::sliding::{Arrangement, Sliding};

/// The sum over the tiles of their distances along rows and columns to their places. The blank
/// does not count: every slide moves one tile, and one tile only, by one step.
#[derive(Clone, Debug)]
pub struct Manhattan {
    dims: Dims,
    /// Row and column of every tile's place, by tile.
    goals: Vec<(u8, u8)>,
}

impl Manhattan {
    /// For this goal.
    pub fn new(goal: &Board) -> Manhattan {
        let dims = goal.dims();
        // Both are below 127.
        let place = |cell: Cell| (dims.row(cell) as u8, dims.col(cell) as u8);
        Manhattan { dims, goals: goal.cells_by_tile().into_iter().map(place).collect() }
    }

    #[inline]
    pub(crate) fn dims(&self) -> Dims {
        self.dims
    }

    #[inline]
    pub(crate) fn goal_row(&self, tile: Tile) -> usize {
        usize::from(self.goals[tile.index()].0)
    }

    #[inline]
    pub(crate) fn goal_col(&self, tile: Tile) -> usize {
        usize::from(self.goals[tile.index()].1)
    }

    /// Whether a slide brings the tile nearer to its place; otherwise it takes it farther away.
    #[inline]
    fn is_nearer(&self, tile: Tile, from: Cell, slide: Slide) -> bool {
        match slide {
            Slide::Up => self.goal_row(tile) < self.dims.row(from),
            Slide::Down => self.goal_row(tile) > self.dims.row(from),
            Slide::Left => self.goal_col(tile) < self.dims.col(from),
            Slide::Right => self.goal_col(tile) > self.dims.col(from),
        }
    }
}

impl<A: Arrangement> Heuristic<Sliding<A>> for Manhattan {
    type Memo = Cost;

    fn eval(&self, state: &A) -> Cost {
        let cells = (0..self.goals.len() as u16).map(Cell::new);
        let distances = cells.filter(|&cell| !state.tile(cell).is_blank()).map(|cell| {
            let tile = state.tile(cell);
            let rows = self.goal_row(tile).abs_diff(self.dims.row(cell));
            let cols = self.goal_col(tile).abs_diff(self.dims.col(cell));
            (rows + cols) as Cost
        });
        distances.sum()
    }

    #[inline]
    fn step(&self, &before: &Cost, after: &A, slide: Slide) -> Cost {
        let from = after.blank();
        let to = self.dims.source_unchecked(from, slide.opposite());
        if self.is_nearer(after.tile(to), from, slide) { before - 1 } else { before + 1 }
    }

    #[inline]
    fn value(&self, &memo: &Cost) -> Cost {
        memo
    }
}
