//! A board: an arrangement of tiles on a rectangle.

use std::error::Error;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::slide::{Slide, Slides};

/// The number on a tile; 0 is the blank.
///
/// ```
/// use npuzzle_core::Tile;
/// assert_eq!((Tile::new(15).number(), Tile::BLANK.is_blank()), (15, true));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Tile(u16);

impl Hash for Tile {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u16(self.0);
    }

    /// Hashes 16 tiles at a time. Searches hash whole boards, and every call to the hasher depends on
    /// the one before it.
    fn hash_slice<H: Hasher>(tiles: &[Tile], hasher: &mut H) {
        /// Odd numbers with irregular bits.
        const FACTORS: [u64; 4] = [
            0x9e37_79b9_7f4a_7c15,
            0xc2b2_ae3d_27d4_eb4f,
            0x1656_67b1_9e37_79f9,
            0x27d4_eb2f_1656_67c5,
        ];
        let packed =
            |four: &[Tile; 4]| four.iter().fold(0, |word, tile| word << 16 | u64::from(tile.0));
        let (blocks, rest) = tiles.as_chunks::<16>();
        for block in blocks {
            let fours = block.as_chunks::<4>().0.iter().zip(FACTORS);
            let mixed = fours.map(|(four, factor)| u64::wrapping_mul(packed(four), factor));
            hasher.write_u64(mixed.fold(0, |all, one| all ^ one));
        }
        let (fours, rest) = rest.as_chunks::<4>();
        fours.iter().for_each(|four| hasher.write_u64(packed(four)));
        rest.iter().for_each(|tile| tile.hash(hasher));
    }
}

impl Tile {
    /// The blank.
    pub const BLANK: Tile = Tile(0);

    /// The tile with this number.
    #[inline]
    pub const fn new(number: u16) -> Tile {
        Tile(number)
    }

    /// The number on the tile.
    #[inline]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The number, for use as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether this is the blank.
    #[inline]
    pub const fn is_blank(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// An arrangement of the tiles `0..rows*cols` on a rectangle; 0 is the blank.
///
/// ```text
///     8 1 3       tiles, row by row: 8 1 3 4 0 2 7 6 5
///     4 . 2       blank: cell 4
///     7 6 5       slash form: 8 1 3/4 0 2/7 6 5
/// ```
///
/// Invariant: `tiles` is a permutation of `0..cells` and `tiles[blank]` is the blank.
///
/// `FromStr` reads any format of [`format`](crate::format). [`Display`](fmt::Display) writes the
/// format `dim`, which includes the size, so that reading it back gives the same board:
///
/// ```
/// use npuzzle_core::Board;
/// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
/// assert_eq!((board.hamming(), board.manhattan()), (5, 10));
/// assert_eq!(board.to_string(), "3\n 8  1  3 \n 4  0  2 \n 7  6  5 \n");
/// assert_eq!(board.to_string().parse::<Board>()?, board);
/// assert_eq!(board.slash().to_string(), "8 1 3/4 0 2/7 6 5");
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    dims: Dims,
    blank: Cell,
    tiles: Box<[Tile]>,
}

impl Board {
    /// Creates a board from its tiles, row by row.
    ///
    /// ```
    /// use npuzzle_core::{Board, BoardError, Dims};
    /// let dims = Dims::new(2, 3)?;
    /// assert!(Board::new(dims, &[1, 2, 3, 4, 5, 0]).is_ok());
    /// let twice = Board::new(dims, &[1, 2, 3, 4, 1, 0]).unwrap_err();
    /// assert_eq!(twice, BoardError::Duplicate { tile: 1, first: 0, second: 4 });
    /// # Ok::<(), npuzzle_core::DimsError>(())
    /// ```
    pub fn new(dims: Dims, tiles: &[u16]) -> Result<Board, BoardError> {
        if tiles.len() != dims.cells() {
            return Err(BoardError::WrongCount { expected: dims.cells(), found: tiles.len() });
        }
        let mut seen_at = vec![None; dims.cells()];
        for (cell, &tile) in tiles.iter().enumerate() {
            let Some(seen) = seen_at.get_mut(usize::from(tile)) else {
                return Err(BoardError::OutOfRange { tile, cell, max: dims.cells() - 1 });
            };
            if let Some(first) = *seen {
                return Err(BoardError::Duplicate { tile, first, second: cell });
            }
            *seen = Some(cell);
        }
        // No tile is out of range or repeated, so every tile is present, including the blank.
        let blank = Cell::new(seen_at[0].unwrap_or_default() as u16);
        Ok(Board { dims, blank, tiles: tiles.iter().copied().map(Tile).collect() })
    }

    /// Creates a board from its rows.
    ///
    /// ```
    /// use npuzzle_core::Board;
    /// let board = Board::from_rows(&[[1, 2, 3], [4, 5, 0]])?;
    /// assert_eq!(board.dims().to_string(), "2x3");
    /// # Ok::<(), npuzzle_core::BoardError>(())
    /// ```
    pub fn from_rows<R: AsRef<[u16]>>(rows: &[R]) -> Result<Board, BoardError> {
        let cols = rows.first().map_or(0, |row| row.as_ref().len());
        if let Some(row) = rows.iter().position(|row| row.as_ref().len() != cols) {
            let found = rows[row].as_ref().len();
            return Err(BoardError::Ragged { row, expected: cols, found });
        }
        let dims = Dims::new(rows.len(), cols)
            .map_err(|_| BoardError::BadSize { rows: rows.len(), cols })?;
        let tiles: Vec<u16> = rows.iter().flat_map(|row| row.as_ref()).copied().collect();
        Board::new(dims, &tiles)
    }

    /// Creates a board of tiles that are known to be a permutation with the blank at `blank`.
    pub(crate) fn new_unchecked(dims: Dims, blank: Cell, tiles: Box<[Tile]>) -> Board {
        debug_assert!(tiles[blank.index()].is_blank() && tiles.len() == dims.cells());
        Board { dims, blank, tiles }
    }

    /// The size of the board.
    #[inline]
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// Number of rows: the `n` of an `n`-by-`n` board.
    pub fn dimension(&self) -> usize {
        self.dims.rows()
    }

    /// The tiles, row by row.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// The rows from the top.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Tile]> {
        self.tiles.chunks_exact(self.dims.cols())
    }

    /// The tile at a cell.
    #[inline]
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles[cell.index()]
    }

    /// The cell of the blank.
    #[inline]
    pub fn blank(&self) -> Cell {
        self.blank
    }

    /// Returns the cell of every tile, indexed by tile: the inverse of [`tiles`](Board::tiles).
    pub fn cells_by_tile(&self) -> Vec<Cell> {
        let mut cells = vec![Cell::new(0); self.tiles.len()];
        for (cell, tile) in self.tiles.iter().enumerate() {
            cells[tile.index()] = Cell::new(cell as u16);
        }
        cells
    }

    /// Returns the legal slides, in the order of [`Slide::COURSE_ORDER`].
    pub fn slides(&self) -> Slides {
        legal_slides(self.dims, self.blank, Slide::COURSE_ORDER)
    }

    /// Makes a slide. Returns `false` and leaves the board unchanged if the slide is not legal.
    ///
    /// ```
    /// use npuzzle_core::{Board, Slide};
    /// let mut board: Board = "1 2 3/4 5 6/7 0 8".parse()?;
    /// assert!(!board.slide(Slide::Up));
    /// assert!(board.slide(Slide::Left) && board.is_goal());
    /// # Ok::<(), npuzzle_core::FormatError>(())
    /// ```
    pub fn slide(&mut self, slide: Slide) -> bool {
        let Some(from) = self.dims.source(self.blank, slide) else { return false };
        self.move_tile(from);
        true
    }

    /// Moves the tile at `from`, which must be next to the blank, to the cell of the blank.
    #[inline]
    pub(crate) fn move_tile(&mut self, from: Cell) {
        self.tiles.swap(from.index(), self.blank.index());
        self.blank = from;
    }

    /// Returns the boards one slide away, in the order of [`slides`](Board::slides).
    pub fn neighbors(&self) -> impl Iterator<Item = Board> + '_ {
        self.slides().map(|slide| {
            let mut next = self.clone();
            next.slide(slide);
            next
        })
    }

    /// Returns the board with its first two tiles exchanged. Exactly one of a board and its twin can
    /// reach a given goal.
    pub fn twin(&self) -> Board {
        let mut twin = self.clone();
        let mut tiles = (0..twin.tiles.len()).filter(|&cell| cell != self.blank.index());
        if let (Some(a), Some(b)) = (tiles.next(), tiles.next()) {
            twin.tiles.swap(a, b);
        }
        twin
    }

    /// Number of misplaced tiles for the goal `1 2 … 0`; the blank is not counted.
    pub fn hamming(&self) -> usize {
        let goal = |cell: usize| Tile((cell + 1) as u16);
        let tiles = self.tiles.iter().enumerate();
        tiles.filter(|&(cell, &tile)| !tile.is_blank() && tile != goal(cell)).count()
    }

    /// Sum of the Manhattan distances of all tiles to their cells in the goal `1 2 … 0`; the blank is
    /// not counted.
    pub fn manhattan(&self) -> usize {
        let goal = |tile: &Tile| Cell::new(tile.number() - 1);
        let tiles = self.tiles.iter().enumerate().filter(|(_, tile)| !tile.is_blank());
        tiles.map(|(cell, tile)| self.dims.distance(Cell::new(cell as u16), goal(tile))).sum()
    }

    /// Whether this is the goal `1 2 … 0`.
    pub fn is_goal(&self) -> bool {
        self.hamming() == 0
    }

    /// Returns a value that displays the board on one line: `8 1 3/4 0 2/7 6 5`.
    pub fn slash(&self) -> impl fmt::Display + '_ {
        Slash(self)
    }
}

/// Returns the legal slides with the blank at `blank`, in the given order.
pub(crate) fn legal_slides(dims: Dims, blank: Cell, order: [Slide; 4]) -> Slides {
    let legal = order
        .iter()
        .enumerate()
        .fold(0, |mask, (i, &slide)| mask | u8::from(dims.source(blank, slide).is_some()) << i);
    Slides::new(order, legal)
}

/// Writes the format `dim`: the dimension (`rows cols` unless square), then the rows, with every tile
/// right-aligned to two columns and followed by a space.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims = self.dims;
        if dims.is_square() {
            writeln!(f, "{}", dims.rows())?;
        } else {
            writeln!(f, "{} {}", dims.rows(), dims.cols())?;
        }
        for row in self.rows() {
            for tile in row {
                write!(f, "{tile:2} ")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.slash())
    }
}

struct Slash<'a>(&'a Board);

impl fmt::Display for Slash<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (r, row) in self.0.rows().enumerate() {
            for (c, tile) in row.iter().enumerate() {
                let before = match (r, c) {
                    (0, 0) => "",
                    (_, 0) => "/",
                    _ => " ",
                };
                write!(f, "{before}{tile}")?;
            }
        }
        Ok(())
    }
}

/// The reason why some numbers are not a board. Cells are counted from 0, row by row.
///
/// ```
/// use npuzzle_core::{Board, BoardError, Dims};
/// let twice = Board::new(Dims::new(2, 2)?, &[1, 2, 2, 0]);
/// assert_eq!(twice, Err(BoardError::Duplicate { tile: 2, first: 1, second: 2 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BoardError {
    /// Rows or columns outside 2 to 127.
    BadSize {
        /// Rows found.
        rows: usize,
        /// Columns found.
        cols: usize,
    },
    /// The number of tiles differs from the number of cells.
    WrongCount {
        /// Number of cells.
        expected: usize,
        /// Number of tiles.
        found: usize,
    },
    /// A row is longer or shorter than the first.
    Ragged {
        /// The row, counted from 0.
        row: usize,
        /// Tiles in the first row.
        expected: usize,
        /// Tiles in this row.
        found: usize,
    },
    /// A number is too large for a tile of this board.
    OutOfRange {
        /// The number.
        tile: u16,
        /// Its cell.
        cell: usize,
        /// The largest number allowed.
        max: usize,
    },
    /// A tile appears twice.
    Duplicate {
        /// The number.
        tile: u16,
        /// The first cell with this tile.
        first: usize,
        /// The second cell with this tile.
        second: usize,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BoardError::BadSize { rows, cols } => {
                let (min, max) = (Dims::MIN, Dims::MAX);
                write!(
                    f,
                    "a board cannot be {rows}x{cols}: rows and columns must be from {min} to {max}"
                )
            }
            BoardError::WrongCount { expected, found } => {
                write!(f, "found {found} tiles, but the board has {expected} cells")
            }
            BoardError::Ragged { row, expected, found } => {
                write!(f, "row {} has {found} tiles, but the first row has {expected}", row + 1)
            }
            BoardError::OutOfRange { tile, cell, max } => {
                write!(f, "tile {tile} at cell {cell} is out of range: tiles are 0 to {max}")
            }
            BoardError::Duplicate { tile, first, second } => {
                write!(f, "tile {tile} appears twice, at cells {first} and {second}")
            }
        }
    }
}

impl Error for BoardError {}
