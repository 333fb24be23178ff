//! A rectangle of cells, and the part of a puzzle inside it.
//!
//! Two algorithms cut a rectangle out of a large board and solve it separately: the constructive
//! solver its last block, the window improvement the area that the blank visits.

use npuzzle_core::{Board, Cell, Dims, Goal, Instance};

/// A rectangle of cells. `bottom` and `right` are exclusive, as in ranges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rect {
    pub(crate) top: usize,
    pub(crate) bottom: usize,
    pub(crate) left: usize,
    pub(crate) right: usize,
}

impl Rect {
    /// All cells of a board.
    pub(crate) fn whole(dims: Dims) -> Rect {
        Rect { top: 0, bottom: dims.rows(), left: 0, right: dims.cols() }
    }

    /// The cells at most `margin` rows and columns away from a cell.
    pub(crate) fn around(cell: Cell, margin: usize, dims: Dims) -> Rect {
        let (row, col) = (dims.row(cell), dims.col(cell));
        Rect {
            top: row.saturating_sub(margin),
            bottom: (row + margin + 1).min(dims.rows()),
            left: col.saturating_sub(margin),
            right: (col + margin + 1).min(dims.cols()),
        }
    }

    /// The smallest rectangle that contains both.
    pub(crate) fn union(self, other: Rect) -> Rect {
        Rect {
            top: self.top.min(other.top),
            bottom: self.bottom.max(other.bottom),
            left: self.left.min(other.left),
            right: self.right.max(other.right),
        }
    }

    pub(crate) fn n_rows(self) -> usize {
        self.bottom - self.top
    }

    pub(crate) fn n_cols(self) -> usize {
        self.right - self.left
    }

    pub(crate) fn n_cells(self) -> usize {
        self.n_rows() * self.n_cols()
    }

    /// The size as a puzzle; `None` if the rectangle has a single row or column.
    pub(crate) fn dims(self) -> Option<Dims> {
        Dims::new(self.n_rows(), self.n_cols()).ok()
    }

    /// The cells row by row, numbered as on a board with `board_cols` columns.
    pub(crate) fn cells(self, board_cols: usize) -> impl Iterator<Item = usize> + use<> {
        (self.top..self.bottom)
            .flat_map(move |row| (self.left..self.right).map(move |col| row * board_cols + col))
    }

    /// The part of a puzzle inside the rectangle, as a puzzle with tiles renumbered from 1.
    ///
    /// `start` and `goal` return the label in a cell of the whole board of size `dims`; the blank has
    /// the label `blank`. Returns `None` if the rectangle is too thin for a puzzle, does not contain
    /// the blank, or contains different tiles in start and goal.
    pub(crate) fn sub_puzzle(
        self,
        dims: Dims,
        blank: usize,
        start: impl Fn(usize) -> usize,
        goal: impl Fn(usize) -> usize,
    ) -> Option<Instance> {
        let cells: Vec<usize> = self.cells(dims.cols()).collect();
        let mut numbers = vec![0; dims.cells()];
        let tiles = cells.iter().map(|&cell| start(cell)).filter(|&label| label != blank);
        tiles.zip(1..).for_each(|(label, number)| numbers[label] = number);
        // A tile that is missing from the start keeps the number 0, so the goal is not a valid board.
        let part = |label: &dyn Fn(usize) -> usize| {
            let tiles: Vec<u16> = cells.iter().map(|&cell| numbers[label(cell)]).collect();
            Board::new(self.dims()?, &tiles).ok()
        };
        Instance::new(part(&start)?, &Goal::Board(part(&goal)?)).ok()
    }
}
