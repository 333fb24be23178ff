//! A board that knows the tile that was moved last.

use npuzzle_core::{Arrangement, Board, Cell, Dims, MovedTile, Packed, Slide, Tile};

/// A packed board after a slide. A search knows which tile it has moved, so heuristics need not look for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SlidBoard {
    board: Packed,
    moved: MovedTile,
}

impl SlidBoard {
    #[inline]
    pub(super) fn new(board: Packed, moved: MovedTile) -> SlidBoard {
        SlidBoard { board, moved }
    }

    /// A board that no slide led to.
    #[inline]
    pub(super) fn without_slide(board: Packed) -> SlidBoard {
        let blank = board.blank();
        SlidBoard { board, moved: MovedTile { tile: Tile::BLANK, from: blank, to: blank } }
    }

    #[inline]
    pub(super) fn board(&self) -> Packed {
        self.board
    }
}

impl Arrangement for SlidBoard {
    fn from_board(board: &Board) -> Option<SlidBoard> {
        Packed::new(board).map(SlidBoard::without_slide)
    }

    fn to_board(&self, dims: Dims) -> Board {
        self.board.to_board(dims)
    }

    #[inline]
    fn blank(&self) -> Cell {
        self.moved.from
    }

    #[inline]
    fn tile(&self, cell: Cell) -> Tile {
        self.board.tile(cell)
    }

    #[inline]
    fn nibbles(&self) -> Option<u64> {
        Some(self.board.bits())
    }

    #[inline]
    fn moved_tile(&self, _: Dims, _: Slide) -> MovedTile {
        self.moved
    }

    fn move_tile(&mut self, from: Cell) {
        let to = self.blank();
        self.moved = MovedTile { tile: self.board.tile(from), from, to };
        self.board.move_tile(from, to);
    }

    fn bytes(_: Dims) -> usize {
        size_of::<SlidBoard>()
    }
}
