//! The mutable board that the constructive solver and the large-neighborhood passes work on.
//!
//! A tile is named by its goal cell, its *label*. Every goal then reads `0 1 2 …`: a tile is placed
//! when its label equals its cell, and the blank has a label like any tile. Cells are numbered row by
//! row from 0.
//!
//! The board records the slides made on it. A slide that reverts the one before it removes both from
//! the record, so the recorded path never contains an immediate reversal.

use npuzzle_core::{Dims, Instance, Slide, Tile};

use crate::anytime::rect::Rect;

/// A board with constant-time lookup in both directions, and the slides made on it so far.
///
/// Invariant: `labels` and `cells` are inverse permutations, and `labels[blank] == blank_goal`.
#[derive(Clone, Debug)]
pub(crate) struct WorkingBoard {
    dims: Dims,
    rows: usize,
    cols: usize,
    /// Row and column by cell. Indexed by label, it holds the goal position of a tile.
    positions: Vec<[u8; 2]>,
    /// The label in each cell.
    labels: Vec<u16>,
    /// The cell of each label.
    cells: Vec<u16>,
    blank: usize,
    /// The goal cell of the blank, which is its label.
    blank_goal: usize,
    path: Vec<Slide>,
}

impl WorkingBoard {
    /// The start of an instance, with an empty path.
    pub(crate) fn new(instance: &Instance) -> WorkingBoard {
        let goal_cells = instance.goal().cells_by_tile();
        let label = |tile: &Tile| goal_cells[tile.index()].index() as u16;
        let labels: Vec<u16> = instance.start().tiles().iter().map(label).collect();
        let mut cells = vec![0; labels.len()];
        for (cell, &label) in labels.iter().enumerate() {
            cells[usize::from(label)] = cell as u16;
        }
        let (rows, cols) = (instance.dims().rows(), instance.dims().cols());
        WorkingBoard {
            dims: instance.dims(),
            rows,
            cols,
            // Boards have at most 127 rows and columns.
            positions: (0..rows * cols)
                .map(|cell| [(cell / cols) as u8, (cell % cols) as u8])
                .collect(),
            labels,
            cells,
            blank: instance.start().blank().index(),
            blank_goal: instance.goal().blank().index(),
            path: Vec::new(),
        }
    }

    pub(crate) fn dims(&self) -> Dims {
        self.dims
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn cols(&self) -> usize {
        self.cols
    }

    pub(crate) fn n_cells(&self) -> usize {
        self.labels.len()
    }

    /// The label of the tile or the blank in a cell.
    #[inline]
    pub(crate) fn label(&self, cell: usize) -> usize {
        usize::from(self.labels[cell])
    }

    /// The cell of a label.
    #[inline]
    pub(crate) fn cell(&self, label: usize) -> usize {
        usize::from(self.cells[label])
    }

    /// The cell of the blank.
    #[inline]
    pub(crate) fn blank(&self) -> usize {
        self.blank
    }

    /// The goal cell of the blank.
    pub(crate) fn blank_goal(&self) -> usize {
        self.blank_goal
    }

    /// The slides made since [`WorkingBoard::new`], without immediate reversals.
    pub(crate) fn into_path(self) -> Vec<Slide> {
        self.path
    }

    /// The part of the puzzle inside a rectangle, as a puzzle of its own ([`Rect::sub_puzzle`]).
    pub(crate) fn sub_puzzle(&self, rect: Rect) -> Option<Instance> {
        rect.sub_puzzle(self.dims, self.blank_goal, |cell| self.label(cell), |cell| cell)
    }

    #[inline]
    pub(crate) fn row(&self, cell: usize) -> usize {
        usize::from(self.positions[cell][0])
    }

    #[inline]
    pub(crate) fn col(&self, cell: usize) -> usize {
        usize::from(self.positions[cell][1])
    }

    /// Row and column of each cell, in cell order.
    pub(crate) fn positions(&self) -> &[[u8; 2]] {
        &self.positions
    }

    /// The Manhattan distance between two cells.
    #[inline]
    pub(crate) fn distance(&self, a: usize, b: usize) -> usize {
        self.row(a).abs_diff(self.row(b)) + self.col(a).abs_diff(self.col(b))
    }

    /// The neighbors of a cell, each with the slide that moves the blank from the cell to it.
    #[inline]
    pub(crate) fn neighbors(&self, cell: usize) -> impl Iterator<Item = (usize, Slide)> + use<> {
        let (row, col, cols) = (self.row(cell), self.col(cell), self.cols);
        let neighbors = [
            (row + 1 < self.rows, cell + cols, Slide::Up),
            (row > 0, cell.wrapping_sub(cols), Slide::Down),
            (col + 1 < cols, cell + 1, Slide::Left),
            (col > 0, cell.wrapping_sub(1), Slide::Right),
        ];
        neighbors.into_iter().filter(|(exists, ..)| *exists).map(|(_, cell, slide)| (cell, slide))
    }

    /// Calls `visit` with the neighbors of a cell, in the order of [`WorkingBoard::neighbors`]. Hot
    /// loops use it because it needs no iterator state.
    #[inline(always)]
    pub(crate) fn for_each_neighbor(&self, cell: usize, mut visit: impl FnMut(usize)) {
        let (row, col) = (self.row(cell), self.col(cell));
        if row + 1 < self.rows {
            visit(cell + self.cols);
        }
        if row > 0 {
            visit(cell - self.cols);
        }
        if col + 1 < self.cols {
            visit(cell + 1);
        }
        if col > 0 {
            visit(cell - 1);
        }
    }

    /// Moves the blank to the neighbor `to` by `slide`, which must be legal.
    #[inline]
    pub(crate) fn slide(&mut self, to: usize, slide: Slide) {
        self.slide_unrecorded(to);
        if self.path.last() == Some(&slide.opposite()) {
            self.path.pop();
        } else {
            self.path.push(slide);
        }
    }

    /// Moves the blank to a cell; `false` if the cell is not a neighbor of the blank.
    pub(crate) fn step_to(&mut self, to: usize) -> bool {
        let step = self.neighbors(self.blank).find(|(cell, _)| *cell == to);
        step.map(|(cell, slide)| self.slide(cell, slide)).is_some()
    }

    /// Makes slides in order. Each must be legal when it is made.
    pub(crate) fn apply(&mut self, slides: impl IntoIterator<Item = Slide>) {
        for slide in slides {
            self.slide(self.blank_after(slide), slide);
        }
    }

    /// The cell of the blank after a slide, which must be legal.
    #[inline]
    pub(crate) fn blank_after(&self, slide: Slide) -> usize {
        match slide {
            Slide::Up => self.blank + self.cols,
            Slide::Down => self.blank - self.cols,
            Slide::Left => self.blank + 1,
            Slide::Right => self.blank - 1,
        }
    }

    /// Moves the blank to the neighbor `to` without recording the slide.
    #[inline]
    pub(crate) fn slide_unrecorded(&mut self, to: usize) {
        let label = self.labels[to];
        self.labels[self.blank] = label;
        self.cells[usize::from(label)] = self.blank as u16;
        self.labels[to] = self.blank_goal as u16;
        self.cells[self.blank_goal] = to as u16;
        self.blank = to;
    }
}
