//! The division of the ranks into shards, and the next level of one shard.
//!
//! **Duplicate detection.** The inverse of a move is a move, in either metric: that of a slide is a slide,
//! and that of a run of `k` tiles is a run of `k` tiles. So if `v` is a neighbor of `u`, then
//! `d(v) ≤ d(u) + 1` and `d(u) ≤ d(v) + 1`. The neighbors of boards at distance `d` are at distances `d − 1`,
//! `d` or `d + 1`. To find those at `d + 1`, the last two levels are removed; no older level is needed. In the
//! single-tile metric a slide changes the parity of the blank's cell, and with it the parity of the distance.
//! So no neighbor is at distance `d`, and it suffices to remove the level before the last.

use std::ops::Range;
use std::path::PathBuf;

use npuzzle_core::Metric;

use crate::full::Ranks;

use super::error::CensusError;
use super::external_sort::{ManyRuns, Merger, RANKS_PER_POLL};
use super::rank_file::RankWriter;

/// The division of the ranks into shards, by the permutation of the tiles, for each cell of the blank
/// in the same way.
///
/// A *block* is the set of all permutations that begin with the same few tiles. Blocks are assigned to
/// the shards in turn.
///
/// - A slide along a row does not change the permutation, and a slide along a column changes its first
///   tiles only in the first rows. So most neighbors of a board are in its own shard.
/// - In a level of the single-tile metric, the blank is on cells of one color. If shards were ranges of
///   ranks, half of them would often be empty.
/// - Boards near the goal begin with similar tiles. Adjacent blocks are in different shards, so these
///   boards are spread over all shards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shards {
    n_shards: usize,
    /// The number of ranks in a block.
    block: u64,
    /// The number of blocks for each cell of the blank.
    n_blocks: u64,
    /// Division by `block` is multiplication by `inverse` and a right shift by `shift`.
    inverse: u64,
    shift: u32,
    /// The shard of every block.
    owner: Vec<u16>,
}

/// The minimum number of blocks per shard. The sizes of two shards differ by one block.
const BLOCKS_EACH: u64 = 16;

impl Shards {
    /// The maximum number of shards.
    pub const MAX: usize = 1 << 12;

    /// Divides ranks into `n_shards` shards.
    pub fn new(n_shards: usize, ranks: &Ranks) -> Shards {
        let n_cells = ranks.dims().cells() as u64;
        let (n_ranks, n_perms) = (ranks.len(), ranks.len() / n_cells);
        let n_shards = n_shards.clamp(1, Shards::MAX);
        let n_wanted = BLOCKS_EACH * n_shards as u64;
        let (mut n_blocks, mut n_tiles) = (1, n_cells - 1);
        // The last two tiles of a permutation follow from the others.
        while n_blocks < n_wanted && n_tiles > 2 {
            n_blocks *= n_tiles;
            n_tiles -= 1;
        }
        let block = n_perms / n_blocks;
        // Exact for all ranks, since the inverse is too large by less than one part in n_ranks.
        let shift = (u128::from(n_ranks) * u128::from(block)).ilog2() + 1;
        let inverse = (1u128 << shift).div_ceil(u128::from(block)) as u64;
        let turn = (0..n_shards as u16).cycle().take(n_blocks as usize);
        let owner = std::iter::repeat_n(turn, n_cells as usize).flatten().collect();
        Shards { n_shards, block, n_blocks, inverse, shift, owner }
    }

    /// The number of shards.
    pub fn len(&self) -> usize {
        self.n_shards
    }

    /// Always `false`: there is at least one shard.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The block of a rank.
    #[inline]
    fn block_of(&self, rank: u64) -> usize {
        ((u128::from(rank) * u128::from(self.inverse)) >> self.shift) as usize
    }

    /// The shard of a rank.
    #[inline]
    pub fn of(&self, rank: u64) -> usize {
        usize::from(self.owner[self.block_of(rank)])
    }

    /// Whether a number is a rank of a shard. A number may come from an intact file of another census.
    #[inline]
    pub(crate) fn contains(&self, shard: usize, rank: u64) -> bool {
        rank < self.block * self.owner.len() as u64 && self.of(rank) == shard
    }

    /// The ranges of ranks of a shard, in increasing order.
    pub fn ranges(&self, shard: usize) -> impl Iterator<Item = Range<u64>> {
        let blocks =
            (0u64..).zip(&self.owner).filter(move |(_, owner)| usize::from(**owner) == shard);
        blocks.map(|(at, _)| at * self.block..(at + 1) * self.block)
    }

    /// The number of the range that contains a rank, among the ranges of its shard.
    pub(crate) fn range_of(&self, rank: u64) -> usize {
        let (block, n_shards) = (self.block_of(rank) as u64, self.n_shards as u64);
        let (cell, turn) = (block / self.n_blocks, block % self.n_blocks);
        let n_each = (self.n_blocks - turn % n_shards).div_ceil(n_shards);
        (cell * n_each + turn / n_shards) as usize
    }
}

/// The levels whose boards are removed from the neighbors of the last level.
pub(crate) fn known_levels(depth: usize, metric: Metric) -> Range<usize> {
    match metric {
        Metric::Stm => depth.saturating_sub(2)..depth - 1,
        Metric::Mtm => depth.saturating_sub(2)..depth,
    }
}

/// Writes the next level of a shard: the ranks that are in the runs and not in the levels before.
/// Returns their number.
pub(crate) fn write_level(
    runs: ManyRuns,
    before: Vec<PathBuf>,
    target: PathBuf,
    poll: &mut dyn FnMut() -> Result<(), CensusError>,
) -> Result<u64, CensusError> {
    let mut found = runs.merged(poll)?;
    let mut known = Merger::of_files(before)?;
    let mut next_known = known.next()?;
    let mut writer = RankWriter::create(target)?;
    let mut n_read = 0;
    while let Some(rank) = found.next()? {
        n_read += 1;
        if n_read % RANKS_PER_POLL == 0 {
            poll()?;
        }
        while let Some(known_rank) = next_known
            && known_rank < rank
        {
            next_known = known.next()?;
        }
        if next_known != Some(rank) {
            writer.push(rank)?;
        }
    }
    let n_new = writer.finish(true)?;
    found.remove_files();
    Ok(n_new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::Cell;
    use npuzzle_testkit::dims;

    #[test]
    fn shards_cover_every_rank_once() {
        for (size, n_shards) in
            [("2x2", 1), ("2x2", 5), ("3x2", 2), ("4x2", 3), ("3x3", 2), ("3x3", 40)]
        {
            let ranks = Ranks::new(dims(size), Cell::new(0), Metric::Stm).unwrap();
            let shards = Shards::new(n_shards, &ranks);
            let mut of = vec![None; ranks.len() as usize];
            for shard in 0..n_shards {
                let mut n_here = 0;
                for (at, range) in shards.ranges(shard).enumerate() {
                    n_here += range.end - range.start;
                    for rank in range {
                        assert_eq!(of[rank as usize].replace(shard), None);
                        assert_eq!((shards.of(rank), shards.range_of(rank)), (shard, at));
                    }
                }
                let share = ranks.len() / n_shards as u64;
                let max = shards.block * dims(size).cells() as u64;
                assert!(n_here.abs_diff(share) <= max, "{size} {n_shards}: {n_here}");
            }
            assert!(of.iter().all(Option::is_some));
        }
    }

    /// Checks the first and the last rank of every block of some shards.
    #[test]
    fn blocks_of_4x4_have_one_shard_for_all_cells_of_the_blank() {
        for n_shards in [1, 2, 16, 128, 1000] {
            let ranks = Ranks::new(dims("4x4"), Cell::new(0), Metric::Stm).unwrap();
            let shards = Shards::new(n_shards, &ranks);
            let n_perms = ranks.len() / 16;
            for shard in [0, n_shards / 2, n_shards - 1] {
                for range in shards.ranges(shard) {
                    for rank in [range.start, range.end - 1] {
                        assert_eq!(shards.of(rank), shard);
                        assert_eq!(shards.of((rank + n_perms) % ranks.len()), shard);
                    }
                }
            }
        }
    }
}
