//! The cells of a board as the bits of a word.

use npuzzle_core::{Cell, Dims, Slide};

/// The neighbours of cells, one by one and as sets. A board of up to 32 cells.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// The cells beside each cell.
    pub(crate) neighbors: Vec<Vec<u8>>,
    cols: u32,
    all: u32,
    not_first_col: u32,
    not_last_col: u32,
}

impl Grid {
    pub(crate) fn new(dims: Dims) -> Grid {
        let cells = || (0..dims.cells() as u16).map(Cell::new);
        let set = |cells: &mut dyn Iterator<Item = Cell>| {
            cells.fold(0, |set: u32, cell| set | 1 << cell.index())
        };
        let beside = |cell| {
            let source = |slide| dims.source(cell, slide).map(|cell| cell.index() as u8);
            Slide::ALL.into_iter().filter_map(source).collect()
        };
        Grid {
            neighbors: cells().map(beside).collect(),
            cols: dims.cols() as u32,
            all: set(&mut cells()),
            not_first_col: set(&mut cells().filter(|&cell| dims.col(cell) > 0)),
            not_last_col: set(&mut cells().filter(|&cell| dims.col(cell) + 1 < dims.cols())),
        }
    }

    /// All cells of `free` that can be reached from `from` within it.
    pub(crate) fn fill(&self, from: u32, free: u32) -> u32 {
        let free = free & self.all;
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

    /// The connected parts of the cells that are not taken, in the order of their lowest cells.
    pub(crate) fn regions(&self, taken: u32) -> impl Iterator<Item = u32> {
        let mut free = self.all & !taken;
        std::iter::from_fn(move || {
            let lowest = free & free.wrapping_neg();
            let region = self.fill(lowest, free);
            free &= !region;
            (region != 0).then_some(region)
        })
    }
}

/// The cells of a set, lowest first.
pub(crate) fn cells(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (cell < 32).then_some(cell)
    })
}
