//! The canonical form of a goal: the symmetry and relabeling that map it to shared tables.

use npuzzle_core::search::{Outcome, SearchReport};
use npuzzle_core::{Arrangement, Board, Cell, Dims, Slide};

/// The reflection or transposition that moves the blank's goal cell near the top left, and the labels of the
/// tiles.
///
/// The label of a tile is its goal cell after the transformation. All goals with the blank in a corner have
/// the same canonical form, and share their tables.
#[derive(Clone, Debug)]
pub(crate) struct CanonicalForm {
    /// The size after the transformation.
    dims: Dims,
    flips_rows: bool,
    flips_cols: bool,
    /// Whether rows become columns, after the reflections.
    transposes: bool,
    /// The cell of the board, by cell of the form.
    cells: Vec<Cell>,
    /// The label, by tile.
    labels: Vec<u8>,
}

impl CanonicalForm {
    /// The canonical form of a goal. It has no more columns than rows; on a square the blank's row is no greater
    /// than its column, so that a board and its transpose have the same form. `None` if a label does not
    /// fit into a byte.
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
        let in_form = if transposes { Dims::new(dims.cols(), dims.rows()).ok()? } else { dims };
        let on_board = |cell: u16| {
            let (row, col) = (in_form.row(Cell::new(cell)), in_form.col(Cell::new(cell)));
            let (row, col) = if transposes { flipped(col, row) } else { flipped(row, col) };
            dims.cell(row, col)
        };
        let cells: Vec<Cell> = (0..dims.cells() as u16).map(on_board).collect();
        let mut labels = vec![0; dims.cells()];
        for (label, &cell) in cells.iter().enumerate() {
            labels[goal.tile(cell).index()] = label as u8;
        }
        Some(CanonicalForm { dims: in_form, flips_rows, flips_cols, transposes, cells, labels })
    }

    pub(crate) fn dims(&self) -> Dims {
        self.dims
    }

    /// The goal cell of the blank.
    pub(crate) fn blank(&self) -> Cell {
        Cell::new(u16::from(self.labels[0]))
    }

    /// The labels of the transposed board, which are transposed themselves. The board is a square.
    pub(crate) fn transposed(&self, labels: &[u8]) -> Vec<u8> {
        let dims = self.dims();
        let transpose = |cell: Cell| dims.cell(dims.col(cell), dims.row(cell));
        let label = |cell: Cell| {
            let label = labels[transpose(cell).index()];
            transpose(Cell::new(label.into())).index() as u8
        };
        dims.all_cells().map(label).collect()
    }

    /// Whether the transposed board has the same goal.
    pub(crate) fn is_mirrored(&self) -> bool {
        let (dims, blank) = (self.dims(), self.blank());
        dims.is_square() && dims.row(blank) == dims.col(blank)
    }

    /// The cell of the board at a cell of the form.
    pub(crate) fn cell(&self, in_form: usize) -> Cell {
        self.cells[in_form]
    }

    /// The label of a tile.
    pub(crate) fn label_of_tile(&self, tile: usize) -> u8 {
        self.labels[tile]
    }

    /// The labels of a board, by cell of the form.
    pub(crate) fn labels(&self, board: &Board) -> Vec<u8> {
        let mut labels = vec![0; self.cells.len()];
        self.label(board, &mut labels);
        labels
    }

    /// The board with these labels, by cell of the form: the inverse of [`labels`](CanonicalForm::labels).
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

    /// Writes the labels of a board, by cell of the form.
    #[inline]
    pub(crate) fn label(&self, state: &impl Arrangement, labels: &mut [u8]) {
        for (label, &cell) in labels.iter_mut().zip(&self.cells) {
            *label = self.labels[state.tile(cell).index()];
        }
    }

    /// The slide on the board for a slide in the form. Without a transposition the map is its own inverse.
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
