//! A board of up to 25 cells in 16 bytes: as [`Packed`](npuzzle_core::Packed), with five bits a cell.

use npuzzle_core::{Arrangement, Board, Cell, Dims, Tile};

/// A board of up to 25 cells; its size is known from the context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Wide(u128);

impl Wide {
    /// The most cells that fit.
    pub(super) const MAX_CELLS: usize = 25;
}

/// The lowest bit of every cell.
const ONES: u128 = {
    let mut ones = 0;
    let mut cell = 0;
    while cell < Wide::MAX_CELLS {
        ones |= 1 << (5 * cell);
        cell += 1;
    }
    ones
};

impl Arrangement for Wide {
    fn from_board(board: &Board) -> Option<Wide> {
        let tiles = board.tiles();
        let pack = |word, tile: &Tile| word << 5 | u128::from(tile.number());
        (tiles.len() <= Wide::MAX_CELLS).then(|| Wide(tiles.iter().rev().fold(0, pack)))
    }

    fn to_board(&self, dims: Dims) -> Board {
        let cells = (0..dims.cells() as u16).map(Cell::new);
        let tiles: Vec<u16> = cells.map(|cell| self.tile(cell).number()).collect();
        match Board::new(dims, &tiles) {
            Ok(board) => board,
            Err(_) => unreachable!("it was packed from a board of this size"),
        }
    }

    #[inline]
    fn blank(&self) -> Cell {
        // Borrows run only upward from a cell of zeros, so the lowest flag raised is a true one.
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
        size_of::<Wide>()
    }
}
