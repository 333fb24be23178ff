//! A board of up to 16 cells in one 64-bit word.
//!
//! ```text
//!     cell     15  …   2   1   0
//!     bits  63..60 … 11..8 7..4 3..0      each nibble holds a tile, the blank is the nibble 0
//! ```
//!
//! The blank is the lowest nibble that is zero: the unused nibbles of a smaller board are also zero,
//! but above it. [`Board`] is the simple representation, and a property test compares the two.

use crate::puzzle::board::{Board, Tile};
use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::slide::Slide;

/// A board of up to 16 cells in 8 bytes. The size is not stored.
///
/// ```
/// use npuzzle_core::{Board, Packed};
/// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
/// let packed = Packed::new(&board).expect("nine cells fit");
/// assert_eq!((size_of_val(&packed), packed.to_board(board.dims())), (8, board));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Packed(u64);

impl Packed {
    /// The maximum number of cells.
    pub const MAX_CELLS: usize = 16;

    /// Packs a board; `None` if it has more than 16 cells.
    ///
    /// ```
    /// use npuzzle_core::{Board, Packed};
    /// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
    /// let packed = Packed::new(&board).unwrap();
    /// assert_eq!(packed.to_board(board.dims()), board);
    /// # Ok::<(), npuzzle_core::FormatError>(())
    /// ```
    pub fn new(board: &Board) -> Option<Packed> {
        let tiles = board.tiles();
        let pack = |word, tile: &Tile| word << 4 | u64::from(tile.number());
        (tiles.len() <= Packed::MAX_CELLS).then(|| Packed(tiles.iter().rev().fold(0, pack)))
    }

    /// Unpacks the board; `dims` must be the size of the packed board.
    pub fn to_board(self, dims: Dims) -> Board {
        let tiles = (0..dims.cells()).map(|cell| self.tile(Cell::new(cell as u16))).collect();
        Board::new_unchecked(dims, self.blank(), tiles)
    }

    /// Creates a board from its nibbles, with cell 0 in the lowest. They must form a board: each tile
    /// once, and zeros above.
    #[inline]
    pub const fn from_bits(bits: u64) -> Packed {
        Packed(bits)
    }

    /// The nibbles, with cell 0 in the lowest.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The cell of the blank.
    #[inline]
    pub const fn blank(self) -> Cell {
        // Borrows propagate only upwards from a zero nibble, so the lowest flag is always correct.
        const ONES: u64 = 0x1111_1111_1111_1111;
        let zero_nibbles = self.0.wrapping_sub(ONES) & !self.0 & (ONES << 3);
        Cell::new((zero_nibbles.trailing_zeros() / 4) as u16)
    }

    /// The tile at a cell.
    #[inline]
    pub const fn tile(self, cell: Cell) -> Tile {
        Tile::new((self.0 >> (4 * cell.index()) & 0xf) as u16)
    }

    /// Makes a slide on a board of this size. Returns `false` and leaves the board unchanged if the
    /// slide is not legal.
    #[inline]
    pub fn slide(&mut self, dims: Dims, slide: Slide) -> bool {
        let blank = self.blank();
        let Some(from) = dims.source(blank, slide) else { return false };
        self.move_tile(from, blank);
        true
    }

    /// Moves the tile at `from` to `to`, where the blank must be.
    #[inline]
    pub fn move_tile(&mut self, from: Cell, to: Cell) {
        let tile = self.0 >> (4 * from.index()) & 0xf;
        self.0 ^= tile << (4 * from.index()) | tile << (4 * to.index());
    }
}
