//! A node of a search over boards of up to 16 cells, in 8 bytes.
//!
//! ```text
//!     bits   63..60  59..56  …  7..4     3..0
//!            cell 14 cell 13 …  cell 0   the slide that led here: 0 to 3, or 4 for the start
//! ```
//!
//! The tile in cell 15 is missing: it is the one that no other cell has. The exclusive or of all tiles
//! is the same for every board of a size, which gives the missing tile without a search. On smaller
//! boards cell 15 does not exist, and the same computation gives 0.

use std::hash::{BuildHasher, BuildHasherDefault};

use npuzzle_core::{Packed, Slide, WordHasher};

const SLIDE_BITS: u32 = 4;
const SLIDE_MASK: u64 = (1 << SLIDE_BITS) - 1;
/// The code of a node without a slide: the start.
const NO_SLIDE: u64 = 4;

/// A board and the slide that led to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PackedNode(u64);

impl PackedNode {
    /// Number of values of [`slide_code`](PackedNode::slide_code).
    pub(super) const N_SLIDE_CODES: usize = 5;

    #[inline]
    pub(super) fn new(board: Packed, slide: Option<Slide>) -> PackedNode {
        let code = slide.map_or(NO_SLIDE, |slide| slide as u64);
        PackedNode(board.bits() << SLIDE_BITS | code)
    }

    /// The board; `all_tiles` is the exclusive or of the numbers of all tiles.
    #[inline]
    pub(super) fn board(self, all_tiles: u64) -> Packed {
        let cells = self.0 >> SLIDE_BITS;
        let mut tiles = cells ^ cells >> 32;
        tiles ^= tiles >> 16;
        tiles ^= tiles >> 8;
        tiles ^= tiles >> 4;
        let missing = (tiles ^ all_tiles) & 0xf;
        Packed::from_bits(cells | missing << 60)
    }

    /// The slide that led here; `None` for the start.
    pub(super) fn slide(self) -> Option<Slide> {
        Slide::ALL.get(self.slide_code()).copied()
    }

    /// The index of the slide in [`Slide::ALL`]; 4 for the start.
    #[inline]
    pub(super) fn slide_code(self) -> usize {
        (self.0 & SLIDE_MASK) as usize
    }

    #[inline]
    pub(super) fn is_same_board(self, other: PackedNode) -> bool {
        (self.0 ^ other.0) <= SLIDE_MASK
    }

    /// The number of the shard that owns the board. It depends on bits of the hash that neither the line
    /// nor the tag in a closed list depends on.
    #[inline]
    pub(super) fn owner(self, n_shards: usize) -> usize {
        ((self.hash() >> 10 & 0xffff) as usize * n_shards) >> 16
    }

    /// A hash of the board.
    #[inline]
    pub(super) fn hash(self) -> u64 {
        BuildHasherDefault::<WordHasher>::new().hash_one(self.0 & !SLIDE_MASK)
    }
}

#[cfg(test)]
mod tests {
    use npuzzle_testkit::dims;
    use npuzzle_testkit::random::Random;

    use super::*;

    #[test]
    fn packed_node_keeps_board_and_slide_on_all_sizes() {
        let mut random = Random::new(1);
        for dims in ["2x2", "3x3", "2x7", "5x3", "4x4", "2x8"].map(dims) {
            let all_tiles = (0..dims.cells() as u64).fold(0, |all, tile| all ^ tile);
            for _ in 0..20 {
                let board = Packed::new(&random.board(dims)).unwrap();
                let start = PackedNode::new(board, None);
                for slide in Slide::ALL.map(Some).into_iter().chain([None]) {
                    let node = PackedNode::new(board, slide);
                    assert_eq!((node.board(all_tiles), node.slide()), (board, slide));
                    assert!(node.is_same_board(start) && node.hash() == start.hash());
                }
            }
        }
    }
}
