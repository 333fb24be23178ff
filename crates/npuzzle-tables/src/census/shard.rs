//! Which ranges of ranks are whose, and a level of one range from the ranks that were found for it.
//!
//! **Which earlier levels matter.** Moves can be taken back by a move, in either metric: a slide by
//! a slide, a run of `k` tiles by a run of `k` tiles. So if `v` is a neighbour of `u`, then `d(v) ≤
//! d(u) + 1` and `d(u) ≤ d(v) + 1`: the neighbours of boards at distance `d` are at distances `d − 1`,
//! `d` or `d + 1`, and those at `d + 1` are what is left when the two last levels are taken away. No
//! older level can come up again. In the single-tile metric a slide changes the parity of the
//! blank's cell and so that of the distance: none is at distance `d`, and the level before the last
//! alone is enough.

use std::ops::Range;
use std::path::PathBuf;

use npuzzle_core::Metric;

use crate::full::Ranks;

use super::error::CensusError;
use super::external_sort::{INTERVAL, ManyRuns, Merger};
use super::rank_file::RankWriter;

/// Ranks dealt out to shards: by range of the order of the tiles, the same for every cell of the
/// blank.
///
/// All orders that begin with the same few tiles are a *block*, and blocks go to the shards in turn.
/// The slide of a tile to the side leaves the order as it is, and one up or down changes its beginning
/// only in the first rows and columns; so most neighbours of a board are of its own shard. Levels of
/// one parity have the blank on cells of one colour: with ranges of whole ranks, half of many shards
/// would have nothing to do. Blocks that are close to each other are of different shards, since the
/// boards near the goal have beginnings that are alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shards {
    n_shards: usize,
    /// Ranks of a block.
    block: u64,
    /// Blocks of one cell of the blank.
    n_blocks: u64,
    /// To divide by the length of a block: times this, then by two to the power of that.
    inverse: u64,
    shift: u32,
    /// The shard of every block.
    owner: Vec<u16>,
}

/// Blocks for every shard, at least: the shares of two shards differ by one block.
const BLOCKS_EACH: u64 = 16;

impl Shards {
    /// The most shards.
    pub const MAX: usize = 1 << 12;

    /// So many shards of these ranks.
    pub fn new(n_shards: usize, ranks: &Ranks) -> Shards {
        let n_cells = ranks.dims().cells() as u64;
        let (n_ranks, n_orders) = (ranks.len(), ranks.len() / n_cells);
        let n_shards = n_shards.clamp(1, Shards::MAX);
        let n_wanted = BLOCKS_EACH * n_shards as u64;
        let (mut n_blocks, mut n_tiles) = (1, n_cells - 1);
        // The last two tiles of an order follow from the others.
        while n_blocks < n_wanted && n_tiles > 2 {
            n_blocks *= n_tiles;
            n_tiles -= 1;
        }
        let block = n_orders / n_blocks;
        // Exact for all ranks, since the inverse is too large by less than one part in n_ranks.
        let shift = (u128::from(n_ranks) * u128::from(block)).ilog2() + 1;
        let inverse = (1u128 << shift).div_ceil(u128::from(block)) as u64;
        let turn = (0..n_shards as u16).cycle().take(n_blocks as usize);
        let owner = std::iter::repeat_n(turn, n_cells as usize).flatten().collect();
        Shards { n_shards, block, n_blocks, inverse, shift, owner }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.n_shards
    }

    /// Never: there is one at least.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Which block a rank is of.
    #[inline]
    fn block_of(&self, rank: u64) -> usize {
        ((u128::from(rank) * u128::from(self.inverse)) >> self.shift) as usize
    }

    /// Whose a rank is.
    #[inline]
    pub fn of(&self, rank: u64) -> usize {
        usize::from(self.owner[self.block_of(rank)])
    }

    /// The ranges of ranks of a shard, from small to large.
    pub fn ranges(&self, shard: usize) -> impl Iterator<Item = Range<u64>> {
        let blocks =
            (0u64..).zip(&self.owner).filter(move |(_, owner)| usize::from(**owner) == shard);
        blocks.map(|(at, _)| at * self.block..(at + 1) * self.block)
    }

    /// Which of the ranges of its shard a rank is in.
    pub(crate) fn range_of(&self, rank: u64) -> usize {
        let (block, n_shards) = (self.block_of(rank) as u64, self.n_shards as u64);
        let (cell, turn) = (block / self.n_blocks, block % self.n_blocks);
        let n_each = (self.n_blocks - turn % n_shards).div_ceil(n_shards);
        (cell * n_each + turn / n_shards) as usize
    }
}

/// The levels that a new one is compared with.
pub(crate) fn known_levels(depth: usize, metric: Metric) -> Range<usize> {
    match metric {
        Metric::Stm => depth.saturating_sub(2)..depth - 1,
        Metric::Mtm => depth.saturating_sub(2)..depth,
    }
}

/// Writes the next level of a shard: what is in the runs and not in the levels before; how many there
/// are.
pub(crate) fn write_level(
    runs: ManyRuns,
    before: Vec<PathBuf>,
    target: PathBuf,
    go_on: &mut dyn FnMut() -> Result<(), CensusError>,
) -> Result<u64, CensusError> {
    let mut found = runs.merged(go_on)?;
    let mut known = Merger::of_files(before)?;
    let mut next_known = known.next()?;
    let mut writer = RankWriter::create(target)?;
    let mut n_read = 0;
    while let Some(rank) = found.next()? {
        n_read += 1;
        if n_read % INTERVAL == 0 {
            go_on()?;
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
    fn shards_are_ranges_that_leave_no_rank_out() {
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
                let most = shards.block * dims(size).cells() as u64;
                assert!(n_here.abs_diff(share) <= most, "{size} {n_shards}: {n_here}");
            }
            assert!(of.iter().all(Option::is_some));
        }
    }

    /// The first and the last rank of every block of some shards.
    #[test]
    fn blocks_of_15_puzzles_are_exact_and_of_the_same_shard_wherever_the_blank_is() {
        for n_shards in [1, 2, 16, 128, 1000] {
            let ranks = Ranks::new(dims("4x4"), Cell::new(0), Metric::Stm).unwrap();
            let shards = Shards::new(n_shards, &ranks);
            let n_orders = ranks.len() / 16;
            for shard in [0, n_shards / 2, n_shards - 1] {
                for range in shards.ranges(shard) {
                    for rank in [range.start, range.end - 1] {
                        assert_eq!(shards.of(rank), shard);
                        assert_eq!(shards.of((rank + n_orders) % ranks.len()), shard);
                    }
                }
            }
        }
    }
}
