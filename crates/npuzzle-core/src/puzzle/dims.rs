//! The size of a board and its cells.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::names::shorten;
use crate::puzzle::slide::Slide;

/// A cell of a board, numbered row by row from the top left: `row * cols + col`.
///
/// The type keeps a cell apart from the [`Tile`](crate::Tile) in it.
///
/// ```
/// use npuzzle_core::{Cell, Dims};
/// let dims: Dims = "3x4".parse()?;
/// assert_eq!(dims.cell(1, 2), Cell::new(6));
/// # Ok::<(), npuzzle_core::DimsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u16);

impl Cell {
    /// The cell with this index.
    ///
    /// ```
    /// assert_eq!(npuzzle_core::Cell::new(5).index(), 5);
    /// ```
    #[inline]
    pub const fn new(index: u16) -> Cell {
        Cell(index)
    }

    /// The index of the cell.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The size of a board: rows and columns, each from 2 to 127.
///
/// ```
/// use npuzzle_core::Dims;
/// let dims: Dims = "3x4".parse()?;
/// assert_eq!((dims.rows(), dims.cols(), dims.cells()), (3, 4, 12));
/// assert!(Dims::new(1, 4).is_err());
/// # Ok::<(), npuzzle_core::DimsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dims {
    rows: u8,
    cols: u8,
}

impl Dims {
    /// The minimum number of rows or columns.
    pub const MIN: usize = 2;
    /// The maximum number of rows or columns.
    pub const MAX: usize = 127;

    /// Creates a size; fails unless both numbers are from [`MIN`](Dims::MIN) to [`MAX`](Dims::MAX).
    pub fn new(rows: usize, cols: usize) -> Result<Dims, DimsError> {
        let legal = Dims::MIN..=Dims::MAX;
        if legal.contains(&rows) && legal.contains(&cols) {
            // Both fit in a byte, since MAX does.
            Ok(Dims { rows: rows as u8, cols: cols as u8 })
        } else {
            Err(DimsError { found: format!("{rows}x{cols}") })
        }
    }

    /// Returns the size of the square board with `n_cells` cells; `None` if there is none.
    ///
    /// ```
    /// use npuzzle_core::Dims;
    /// assert_eq!(Dims::square_of(16), Dims::new(4, 4).ok());
    /// assert_eq!(Dims::square_of(12), None);
    /// ```
    pub fn square_of(n_cells: usize) -> Option<Dims> {
        let side = n_cells.isqrt();
        if side * side == n_cells { Dims::new(side, side).ok() } else { None }
    }

    /// Number of rows.
    #[inline]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// Number of columns.
    #[inline]
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// Number of cells. All tile numbers are smaller.
    #[inline]
    pub const fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// All cells, in the order of their numbers.
    ///
    /// ```
    /// use npuzzle_core::{Cell, Dims};
    /// assert!(Dims::new(2, 2)?.all_cells().eq([0, 1, 2, 3].map(Cell::new)));
    /// # Ok::<(), npuzzle_core::DimsError>(())
    /// ```
    pub fn all_cells(self) -> impl ExactSizeIterator<Item = Cell> + Clone {
        (0..self.cells() as u16).map(Cell)
    }

    /// Whether the board has as many rows as columns.
    pub const fn is_square(self) -> bool {
        self.rows == self.cols
    }

    /// The row of a cell.
    #[inline]
    pub const fn row(self, cell: Cell) -> usize {
        // Searches divide often, and a 16-bit division is several times cheaper than a 64-bit one.
        (cell.0 / self.cols as u16) as usize
    }

    /// The column of a cell.
    #[inline]
    pub const fn col(self, cell: Cell) -> usize {
        (cell.0 % self.cols as u16) as usize
    }

    /// The cell at a row and a column, both counted from 0.
    #[inline]
    pub const fn cell(self, row: usize, col: usize) -> Cell {
        debug_assert!(row < self.rows() && col < self.cols());
        Cell((row * self.cols() + col) as u16)
    }

    /// The Manhattan distance between two cells.
    pub const fn distance(self, a: Cell, b: Cell) -> usize {
        self.row(a).abs_diff(self.row(b)) + self.col(a).abs_diff(self.col(b))
    }

    /// Returns the cell of the tile that moves in this slide when the blank is at `blank`: the cell
    /// below it for [`Slide::Up`], and so on. `None` at the border.
    #[inline]
    pub fn source(self, blank: Cell, slide: Slide) -> Option<Cell> {
        let (row, col) = (self.row(blank), self.col(blank));
        let legal = match slide {
            Slide::Up => row + 1 < self.rows(),
            Slide::Down => row > 0,
            Slide::Left => col + 1 < self.cols(),
            Slide::Right => col > 0,
        };
        legal.then(|| self.source_unchecked(blank, slide))
    }

    /// Like [`source`](Dims::source), for a slide that is known to be legal.
    #[inline]
    pub fn source_unchecked(self, blank: Cell, slide: Slide) -> Cell {
        // Computed without branches, because the processor cannot predict the slides of a search. Down and
        // Right, with odd numbers, take the tile before the blank: they negate the step.
        let step = if slide.is_vertical() { u16::from(self.cols) } else { 1 };
        let negate = 0u16.wrapping_sub(slide as u16 & 1);
        Cell(blank.0.wrapping_add((step ^ negate).wrapping_sub(negate)))
    }
}

/// Writes rows and columns, as in `3x4`.
impl fmt::Display for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl fmt::Debug for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dims({self})")
    }
}

/// Reads `3x4` (rows x columns) or `4` (a square).
impl FromStr for Dims {
    type Err = DimsError;

    fn from_str(text: &str) -> Result<Dims, DimsError> {
        let bad = || DimsError { found: shorten(text) };
        let (rows, cols) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
        let number = |part: &str| {
            // `parse` would also accept a sign.
            let digits = part.trim().trim_start_matches(|c: char| c.is_ascii_digit()).is_empty();
            part.trim().parse::<usize>().ok().filter(|_| digits).ok_or_else(bad)
        };
        Dims::new(number(rows)?, number(cols)?).map_err(|_| bad())
    }
}

/// The error for a size that is not of the form `3x4`, or whose rows or columns are out of range.
///
/// ```
/// let error = "1x128".parse::<npuzzle_core::Dims>().unwrap_err();
/// assert!(error.to_string().ends_with("rows and columns must be from 2 to 127"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DimsError {
    found: String,
}

impl fmt::Display for DimsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (min, max) = (Dims::MIN, Dims::MAX);
        let found = self.found.escape_debug();
        write!(f, "{found} is not a board size: rows and columns must be from {min} to {max}")
    }
}

impl Error for DimsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dims_error_quotes_a_shortened_text() {
        let error = |text: &str| text.parse::<Dims>().unwrap_err().to_string();
        let rest = "is not a board size: rows and columns must be from 2 to 127";
        assert_eq!(error("3x"), format!("3x {rest}"));
        assert_eq!(error("\u{5}\n"), format!("\\u{{5}}\\n {rest}"));
        assert_eq!(error(&"9".repeat(5000)), format!("{}… {rest}", "9".repeat(20)));
    }
}
