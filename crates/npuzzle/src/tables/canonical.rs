//! A board as the tables see it: flipped so that the blank belongs near the top left, and labelled.

use npuzzle_core::search::{Outcome, SearchReport};
use npuzzle_core::{Arrangement, Board, Cell, Dims, Slide};

/// How a goal is flipped and its tiles labelled.
///
/// A tile's label is the cell where it belongs, after flipping; so all goals with the blank in a
/// corner look like one, and share their tables.
#[derive(Clone, Debug)]
pub(crate) struct CanonicalForm {
    /// Of the frame: those of the board, or the transposed ones.
    dims: Dims,
    flips_rows: bool,
    flips_cols: bool,
    /// Whether rows become columns, after flipping.
    transposes: bool,
    /// The cell of the board, by cell of the frame.
    cells: Vec<Cell>,
    /// By tile.
    labels: Vec<u8>,
}

impl CanonicalForm {
    /// The frame of a goal, with no more columns than rows, and on a square the blank no lower than
    /// right, so that a board and its transpose look the same; `None` if its cells are too many for
    /// labels of a byte.
    pub(crate) fn new(goal: &Board) -> Option<CanonicalForm> {
        let dims = goal.dims();
        if dims.cells() > 256 {
            return None;
        }
        let flip = |at: usize, n: usize, flips: bool| if flips { n - 1 - at } else { at };
        let (row, col) = (dims.row(goal.blank()), dims.col(goal.blank()));
        let flips_rows = 2 * row >= dims.rows();
        let flips_cols = 2 * col >= dims.cols();
        let flipped =
            |row, col| (flip(row, dims.rows(), flips_rows), flip(col, dims.cols(), flips_cols));
        let (blank_row, blank_col) = flipped(row, col);
        let transposes = dims.cols() > dims.rows() || dims.is_square() && blank_row > blank_col;
        let of_frame = if transposes { Dims::new(dims.cols(), dims.rows()).ok()? } else { dims };
        let on_board = |cell: u16| {
            let (row, col) = (of_frame.row(Cell::new(cell)), of_frame.col(Cell::new(cell)));
            let (row, col) = if transposes { flipped(col, row) } else { flipped(row, col) };
            dims.cell(row, col)
        };
        let cells: Vec<Cell> = (0..dims.cells() as u16).map(on_board).collect();
        let mut labels = vec![0; dims.cells()];
        for (label, &cell) in cells.iter().enumerate() {
            labels[goal.tile(cell).index()] = label as u8;
        }
        Some(CanonicalForm { dims: of_frame, flips_rows, flips_cols, transposes, cells, labels })
    }

    pub(crate) fn dims(&self) -> Dims {
        self.dims
    }

    /// Where the blank belongs.
    pub(crate) fn blank(&self) -> Cell {
        Cell::new(u16::from(self.labels[0]))
    }

    /// The cell of the board that a cell of the frame is.
    pub(crate) fn cell(&self, of_frame: usize) -> Cell {
        self.cells[of_frame]
    }

    /// The label of a tile.
    pub(crate) fn label_of_tile(&self, tile: usize) -> u8 {
        self.labels[tile]
    }

    /// The labels of a board, by cells of the frame.
    pub(crate) fn labels(&self, board: &Board) -> Vec<u8> {
        let mut labels = vec![0; self.cells.len()];
        self.label(board, &mut labels);
        labels
    }

    /// The board with these labels by cells of the frame: the inverse of [`labels`](CanonicalForm::labels).
    pub(crate) fn board(&self, labels: &[u8]) -> Option<Board> {
        let mut tiles = vec![0; self.cells.len()];
        for (label, cell) in labels.iter().zip(&self.cells) {
            tiles[cell.index()] = self.labels.iter().position(|l| l == label)? as u16;
        }
        let dims = if self.transposes {
            Dims::new(self.dims.cols(), self.dims.rows()).ok()?
        } else {
            self.dims
        };
        Board::new(dims, &tiles).ok()
    }

    /// Writes the labels of a board, by cells of the frame.
    #[inline]
    pub(crate) fn label(&self, board: &Board, labels: &mut [u8]) {
        let tiles = board.tiles();
        for (label, &cell) in labels.iter_mut().zip(&self.cells) {
            *label = self.labels[tiles[cell.index()].index()];
        }
    }

    /// [`label`](CanonicalForm::label) for any arrangement.
    #[inline]
    pub(crate) fn label_of(&self, state: &impl Arrangement, labels: &mut [u8]) {
        for (label, &cell) in labels.iter_mut().zip(&self.cells) {
            *label = self.labels[state.tile(cell).index()];
        }
    }

    /// What a slide in the frame is on the board; without transposing, also the other way round.
    pub(crate) fn slide(&self, slide: Slide) -> Slide {
        let slide = match slide {
            _ if !self.transposes => slide,
            Slide::Up => Slide::Left,
            Slide::Down => Slide::Right,
            Slide::Left => Slide::Up,
            Slide::Right => Slide::Down,
        };
        let flips = if slide.is_vertical() { self.flips_rows } else { self.flips_cols };
        if flips { slide.opposite() } else { slide }
    }

    /// Translates the slides of a path from the canonical form to the board.
    pub(crate) fn slides(&self, path: Vec<Slide>) -> Vec<Slide> {
        path.into_iter().map(|slide| self.slide(slide)).collect()
    }

    /// Translates the solution of a report from the canonical form to the board.
    pub(crate) fn report(&self, report: SearchReport<Slide>) -> SearchReport<Slide> {
        let outcome = match report.outcome {
            Outcome::Solved(path) => Outcome::Solved(self.slides(path)),
            other => other,
        };
        SearchReport::new(outcome, report.stats)
    }
}
