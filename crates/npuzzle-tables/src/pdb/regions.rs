//! The regions of the blank: connected sets of free cells. Sets of cells are the bits of a word.

use npuzzle_core::{Cell, Dims, Slide};

/// The adjacency of the cells of a board of up to 32 cells.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// The neighbors of each cell.
    pub(crate) neighbors: Vec<Vec<u8>>,
    cols: u32,
    all: u32,
    not_first_col: u32,
    not_last_col: u32,
}

impl Grid {
    pub(crate) fn new(dims: Dims) -> Grid {
        let set = |cells: &mut dyn Iterator<Item = Cell>| {
            cells.fold(0, |set: u32, cell| set | 1 << cell.index())
        };
        let neighbors = |cell| {
            let source = |slide| dims.source(cell, slide).map(|cell| cell.index() as u8);
            Slide::ALL.into_iter().filter_map(source).collect()
        };
        Grid {
            neighbors: dims.all_cells().map(neighbors).collect(),
            cols: dims.cols() as u32,
            all: set(&mut dims.all_cells()),
            not_first_col: set(&mut dims.all_cells().filter(|&cell| dims.col(cell) > 0)),
            not_last_col: set(&mut dims
                .all_cells()
                .filter(|&cell| dims.col(cell) + 1 < dims.cols())),
        }
    }

    pub(crate) fn cols(&self) -> usize {
        self.cols as usize
    }

    pub(crate) fn are_adjacent(&self, a: usize, b: usize) -> bool {
        self.neighbors[a].iter().any(|&cell| usize::from(cell) == b)
    }

    /// The regions of the cells that are not taken, in the order of their lowest cells.
    pub(crate) fn regions(&self, taken: u32) -> impl Iterator<Item = u32> {
        let mut free = self.all & !taken;
        std::iter::from_fn(move || {
            let lowest = free & free.wrapping_neg();
            let region = self.fill(lowest, free);
            free &= !region;
            (region != 0).then_some(region)
        })
    }

    /// Flood fill: all cells of `free` that are connected with `from`.
    pub(crate) fn fill(&self, from: u32, free: u32) -> u32 {
        let mut region = from & free;
        loop {
            let grown = region
                | region << self.cols
                | region >> self.cols
                | (region & self.not_last_col) << 1
                | (region & self.not_first_col) >> 1;
            let grown = grown & free;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }
}
