//! Which range of ranks is whose, and a level of one range from the ranks that were found for it.
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

use super::error::CensusError;
use super::rank_file::RankWriter;
use super::runs::{Merger, Runs};

/// Ranks dealt out in ranges of about the same size, one for each shard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shards {
    n_shards: usize,
    n_ranks: u64,
    /// Shards for each rank, times 2^64.
    share: u64,
}

impl Shards {
    /// So many ranges of all ranks below a number.
    pub fn new(n_shards: usize, n_ranks: u64) -> Shards {
        let share = ((n_shards as u128) << 64) / u128::from(n_ranks.max(1));
        Shards { n_shards, n_ranks, share: u64::try_from(share).unwrap_or(u64::MAX) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.n_shards
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.n_shards == 0
    }

    /// Whose a rank is. Larger ranks are of the same shard or of one after it.
    #[inline]
    pub fn of(&self, rank: u64) -> usize {
        ((u128::from(rank) * u128::from(self.share)) >> 64) as usize
    }

    /// The first rank of a shard, or of one after it.
    pub fn start(&self, shard: usize) -> u64 {
        let (mut low, mut high) = (0, self.n_ranks);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.of(middle) < shard {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
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
    runs: Vec<Runs>,
    run_stem: PathBuf,
    before: Vec<PathBuf>,
    target: PathBuf,
    mut go_on: impl FnMut() -> Result<(), CensusError>,
) -> Result<u64, CensusError> {
    /// How many ranks go by between two looks at whether to go on.
    const INTERVAL: u64 = 1 << 16;
    let mut found = Merger::new(runs, &run_stem)?;
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

    #[test]
    fn shards_are_ranges_that_leave_no_rank_out() {
        for (n_shards, n_ranks) in [(1, 12), (2, 12), (5, 12), (12, 12), (17, 12), (3, 181_440)] {
            let shards = Shards::new(n_shards, n_ranks);
            let of: Vec<usize> = (0..n_ranks).map(|rank| shards.of(rank)).collect();
            assert!(of.is_sorted() && of.iter().all(|&shard| shard < n_shards));
            for shard in 0..n_shards {
                let start = of.iter().position(|&s| s >= shard).unwrap_or(of.len());
                assert_eq!(shards.start(shard), start as u64);
                let n_here = of.iter().filter(|&&s| s == shard).count() as u64;
                assert!(n_here.abs_diff(n_ranks / n_shards as u64) <= 2);
            }
        }
        let shards = Shards::new(1000, 10_461_394_944_000);
        assert_eq!((shards.of(0), shards.of(10_461_394_943_999)), (0, 999));
    }
}
