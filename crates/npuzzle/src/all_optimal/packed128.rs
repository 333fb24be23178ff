//! A board of up to 25 cells in 16 bytes: like [`Packed`](npuzzle_core::Packed), but with five bits per
//! cell instead of four.

use npuzzle_core::{Arrangement, Board, Cell, Dims, Tile};

/// A board of up to 25 cells. Its size is not stored; the caller knows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Packed128(u128);

impl Packed128 {
    /// The maximum number of cells.
    pub(super) const MAX_CELLS: usize = 25;
}

/// The lowest bit of every cell.
const ONES: u128 = {
    let mut ones = 0;
    let mut cell = 0;
    while cell < Packed128::MAX_CELLS {
        ones |= 1 << (5 * cell);
        cell += 1;
    }
    ones
};

impl Arrangement for Packed128 {
    fn from_board(board: &Board) -> Option<Packed128> {
        let tiles = board.tiles();
        let pack = |word, tile: &Tile| word << 5 | u128::from(tile.number());
        (tiles.len() <= Packed128::MAX_CELLS).then(|| Packed128(tiles.iter().rev().fold(0, pack)))
    }

    fn to_board(&self, dims: Dims) -> Board {
        let cells = dims.all_cells();
        let tiles: Vec<u16> = cells.map(|cell| self.tile(cell).number()).collect();
        match Board::new(dims, &tiles) {
            Ok(board) => board,
            Err(_) => unreachable!("the word was packed from a board of this size"),
        }
    }

    #[inline]
    fn blank(&self) -> Cell {
        // The bit trick that finds a zero byte, with 5-bit cells. The subtraction borrows only from cells
        // above a zero cell, so the lowest flag is always correct.
        let zeros = self.0.wrapping_sub(ONES) & !self.0 & (ONES << 4);
        Cell::new((zeros.trailing_zeros() / 5) as u16)
    }

    #[inline]
    fn tile(&self, cell: Cell) -> Tile {
        Tile::new((self.0 >> (5 * cell.index()) & 0x1f) as u16)
    }

    #[inline]
    fn move_tile(&mut self, from: Cell) {
        let tile = self.0 >> (5 * from.index()) & 0x1f;
        self.0 ^= tile << (5 * from.index()) | tile << (5 * self.blank().index());
    }

    fn bytes(_: Dims) -> usize {
        size_of::<Packed128>()
    }
}
