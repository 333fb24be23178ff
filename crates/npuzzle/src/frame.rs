//! A board as the tables see it: flipped so that the blank belongs near the top left, and labelled.

use npuzzle_core::{Board, Cell, Dims, Slide};

/// How a goal is flipped and its tiles labelled.
///
/// A tile's label is the cell where it belongs, after flipping; so all goals with the blank in a
/// corner look like one, and share their tables.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    dims: Dims,
    flips_rows: bool,
    flips_cols: bool,
    /// By tile.
    labels: Vec<u8>,
}

impl Frame {
    /// The frame of a goal; `None` if its cells are too many for labels of a byte.
    pub(crate) fn new(goal: &Board) -> Option<Frame> {
        let dims = goal.dims();
        if dims.cells() > 256 {
            return None;
        }
        let blank = goal.blank();
        let mut frame = Frame {
            dims,
            flips_rows: 2 * dims.row(blank) >= dims.rows(),
            flips_cols: 2 * dims.col(blank) >= dims.cols(),
            labels: Vec::new(),
        };
        let label = |&cell: &Cell| frame.cell(cell).index() as u8;
        frame.labels = goal.cells_by_tile().iter().map(label).collect();
        Some(frame)
    }

    pub(crate) fn dims(&self) -> Dims {
        self.dims
    }

    /// Where the blank belongs.
    pub(crate) fn blank(&self) -> Cell {
        Cell::new(u16::from(self.labels[0]))
    }

    /// Where a cell of the board is in the frame, and the other way round.
    fn cell(&self, cell: Cell) -> Cell {
        let flip = |at: usize, n: usize, flips: bool| if flips { n - 1 - at } else { at };
        let row = flip(self.dims.row(cell), self.dims.rows(), self.flips_rows);
        let col = flip(self.dims.col(cell), self.dims.cols(), self.flips_cols);
        self.dims.cell(row, col)
    }

    /// The labels of a board, by cells of the frame.
    pub(crate) fn labels(&self, board: &Board) -> Vec<u8> {
        let cells = (0..self.dims.cells() as u16).map(Cell::new);
        cells.map(|cell| self.labels[board.tile(self.cell(cell)).index()]).collect()
    }

    /// What a slide in the frame is on the board, and the other way round.
    pub(crate) fn slide(&self, slide: Slide) -> Slide {
        let flips = if slide.is_vertical() { self.flips_rows } else { self.flips_cols };
        if flips { slide.opposite() } else { slide }
    }
}
