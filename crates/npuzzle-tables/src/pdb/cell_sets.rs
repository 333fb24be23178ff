//! A placement of the pattern's tiles as a set of cells and a permutation.
//!
//! ```text
//!     .  c  .          set of cells      {1, 3, 5}     numbered C(1,1) + C(3,2) + C(5,3)
//!     a  .  b          reading order     c a b
//! ```
//!
//! The builder uses this form because a slide along a row leaves the permutation unchanged, and because
//! the regions of the blank depend only on the set.
//!
//! Sets are numbered by the combinatorial number system: the number of a set is the sum of C(cell, i)
//! over its cells, where the lowest cell has i = 1. Permutations are numbered like placements on a board
//! that consists only of the cells of the set, as in [`Pattern::rank`].

use crate::bits::ones;
use crate::pdb::pattern::Pattern;

/// The number of low cells of a board: the number of a set is the sum of a term for these cells and a term
/// for the others.
const LOW_CELLS: usize = 12;
const N_LOW: usize = 1 << LOW_CELLS;
const N_HIGH: usize = 1 << (Pattern::MAX_CELLS - LOW_CELLS);

/// The numbering of cell sets and permutations.
#[derive(Clone, Debug)]
pub(crate) struct CellSets {
    n_tiles: usize,
    n_perms: usize,
    /// All sets, as bits of a word, in the order of their numbers.
    pub(crate) sets: Vec<u32>,
    /// The terms of the number of a set, by the bits of the low and of the high cells.
    low: Box<[u32; N_LOW]>,
    high: Box<[u32; N_HIGH]>,
}

impl CellSets {
    pub(crate) fn new(n_cells: usize, n_tiles: usize) -> CellSets {
        let choose = binomials();
        let (mut low, mut high) = (Box::new([0u32; N_LOW]), Box::new([0; N_HIGH]));
        for cells in 1..N_LOW {
            let (highest, n_cells) = (cells.ilog2() as usize, cells.count_ones() as usize);
            let known = low[cells ^ 1 << highest];
            low[cells] = known + choose[highest].get(n_cells).copied().unwrap_or(0);
        }
        for (cells, high) in (0..1u32 << n_cells.saturating_sub(LOW_CELLS)).zip(high.iter_mut()) {
            let n_below = n_tiles.saturating_sub(cells.count_ones() as usize);
            let cells = ones(cells).map(|cell| LOW_CELLS + cell);
            // Sets with another number of cells are never looked up.
            *high = cells.zip(n_below + 1..).filter_map(|(cell, i)| choose[cell].get(i)).sum();
        }
        let n_perms = (1..=n_tiles).product();
        CellSets { n_tiles, n_perms, sets: all_sets(n_cells, n_tiles).collect(), low, high }
    }

    /// The number of tiles.
    pub(crate) fn n_tiles(&self) -> usize {
        self.n_tiles
    }

    /// The number of cell sets.
    pub(crate) fn n_sets(&self) -> usize {
        self.sets.len()
    }

    /// The number of permutations of the tiles.
    pub(crate) fn n_perms(&self) -> usize {
        self.n_perms
    }

    /// The number of a set.
    ///
    /// The cells of a set below a high cell are all of its low cells and some of its high ones. Their number
    /// is known from the high cells only, because all sets have equally many cells.
    #[inline]
    pub(crate) fn set_number(&self, set: u32) -> usize {
        let (low, high) = (set as usize % N_LOW, (set >> LOW_CELLS) as usize % N_HIGH);
        (self.low[low] + self.high[high]) as usize
    }

    /// The number of the permutation of tiles that are on these cells, or at any other positions in the
    /// same order.
    pub(crate) fn perm_number(&self, positions: &[u8]) -> usize {
        let mut number = 0;
        for (tile, position) in positions.iter().enumerate() {
            let digit = positions[tile + 1..].iter().filter(|&other| other < position).count();
            number = number * (self.n_tiles - tile) + digit;
        }
        number
    }

    /// The positions of the tiles in reading order: the inverse of
    /// [`perm_number`](CellSets::perm_number).
    fn positions(&self, perm: usize) -> [u8; Pattern::MAX_TILES] {
        let mut positions = [0; Pattern::MAX_TILES];
        let (mut rest, mut n_each) = (perm, self.n_perms);
        let mut free = (1u32 << self.n_tiles) - 1;
        for (tile, position) in positions.iter_mut().enumerate().take(self.n_tiles) {
            n_each /= self.n_tiles - tile;
            let nth = ones(free).nth(rest / n_each).unwrap_or(0);
            (*position, free, rest) = (nth as u8, free & !(1 << nth), rest % n_each);
        }
        positions
    }

    /// The tiles of a permutation in reading order, as indices into the pattern.
    pub(crate) fn tiles(&self, perm: usize) -> Vec<u8> {
        let mut tiles = vec![0; self.n_tiles];
        for (tile, &position) in self.positions(perm)[..self.n_tiles].iter().enumerate() {
            tiles[usize::from(position)] = tile as u8;
        }
        tiles
    }

    /// For each permutation, the number of the permutation after the tile at one position has moved to
    /// another, and those between have closed up.
    pub(crate) fn perm_moves(&self, from: usize, to: usize) -> Vec<u16> {
        let (low, high) = (from.min(to) as u8, from.max(to) as u8);
        let moved = |perm| {
            let mut positions = self.positions(perm);
            for position in &mut positions[..self.n_tiles] {
                *position = match *position {
                    at if usize::from(at) == from => to as u8,
                    at if !(low..=high).contains(&at) => at,
                    at if from < to => at - 1,
                    at => at + 1,
                };
            }
            self.perm_number(&positions[..self.n_tiles]) as u16
        };
        (0..self.n_perms).map(moved).collect()
    }
}

/// All sets of `n_tiles` cells: the words with that number of bits in increasing order, which is the
/// order of the numbering.
pub(crate) fn all_sets(n_cells: usize, n_tiles: usize) -> impl Iterator<Item = u32> {
    let first = (1u64 << n_tiles) - 1;
    let next = |&set: &u64| {
        // The top bit of the lowest run of ones moves up by one, the others move to the bottom.
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        (set != 0).then(|| carried | (set ^ carried) >> (2 + lowest.trailing_zeros()))
    };
    let words = std::iter::successors(Some(first), next);
    words.take_while(move |&set| set < 1 << n_cells).map(|set| set as u32)
}

/// The binomial coefficients C(cell, i), by cell and by i.
fn binomials() -> [[u32; Pattern::MAX_TILES + 1]; Pattern::MAX_CELLS] {
    let mut choose = [[0; Pattern::MAX_TILES + 1]; Pattern::MAX_CELLS];
    for cell in 0..Pattern::MAX_CELLS {
        choose[cell][0] = 1;
        for i in 1..=Pattern::MAX_TILES.min(cell) {
            choose[cell][i] = choose[cell - 1][i - 1] + choose[cell - 1][i];
        }
    }
    choose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_sets_and_perms_are_dense_and_invertible() {
        for (n_cells, n_tiles) in [(4, 0), (4, 3), (6, 2), (9, 5), (16, 4), (25, 3), (9, 8)] {
            let cell_sets = CellSets::new(n_cells, n_tiles);
            for (number, &set) in cell_sets.sets.iter().enumerate() {
                assert_eq!(cell_sets.set_number(set), number);
                assert_eq!(set.count_ones() as usize, n_tiles);
            }
            for perm in 0..cell_sets.n_perms {
                let tiles = cell_sets.tiles(perm);
                let position = |tile: usize| tiles.iter().position(|&t| usize::from(t) == tile);
                let positions: Vec<u8> = (0..n_tiles).map(|t| position(t).unwrap() as u8).collect();
                assert_eq!(cell_sets.perm_number(&positions), perm);
            }
            for (from, to) in (0..n_tiles).flat_map(|from| (0..n_tiles).map(move |to| (from, to))) {
                for (perm, &moved) in cell_sets.perm_moves(from, to).iter().enumerate() {
                    let mut tiles = cell_sets.tiles(perm);
                    let tile = tiles.remove(from);
                    tiles.insert(to, tile);
                    assert_eq!(cell_sets.tiles(moved.into()), tiles, "{from} to {to}");
                }
            }
        }
        assert_eq!(CellSets::new(16, 8).sets.len(), 12_870);
        assert_eq!(CellSets::new(25, 6).sets.len(), 177_100);
    }
}
