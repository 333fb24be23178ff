//! A census on disk, on the threads of one machine.
//!
//! The boards of a level are sorted ranks in files, one file for each *shard*, a part of all ranks. A
//! level is searched in two steps, and each shard is a job:
//!
//! ```text
//!     expand   level-7-a.ranks ──► neighbors, sorted in runs a→a, a→b, …
//!              level-7-b.ranks ──► neighbors, sorted in runs b→a, b→b, …
//!     merge    runs a→a, b→a without the boards of earlier levels ──► level-8-a.ranks
//!              runs a→b, b→b without the boards of earlier levels ──► level-8-b.ranks
//! ```
//!
//! This is breadth-first search with sorting-based delayed duplicate detection (Munagala and Ranade
//! 1999; Korf 2004).
//! [`shards`](super::shards) explains which earlier levels are needed. The memory holds the buffers that
//! become runs, and one block of each open file.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::search::{Cost, Limit, Stats, Watch};

use crate::full::Ranks;
use crate::parallel::{StopFlag, for_each_job};

use super::error::CensusError;
use super::external_sort::{ManyRuns, Merger, Runs, Sorter, fan_in, merger_bytes};
use super::folder::CensusFolder;
use super::rank_file::{RankReader, RankWriter};
use super::shards::{Shards, known_levels, write_level};

/// An estimate of the program's memory in bytes, without the buffers.
const BASE_BYTES: u64 = 16 << 20;
/// The minimum size of all sort buffers in bytes.
const MIN_BUFFERS: u64 = 4 << 20;
/// The number of boards between two polls.
const BOARDS_PER_POLL: u64 = 1 << 12;

/// The maximum number of shards on one machine.
pub const MAX_SHARDS: usize = 16;

/// A census on disk.
pub struct DiskCensus<'a> {
    ranks: &'a Ranks,
    shards: Shards,
    folder: &'a mut CensusFolder,
    n_threads: usize,
    /// The maximum number of ranks in a buffer.
    n_buffered: usize,
}

impl<'a> DiskCensus<'a> {
    /// A census of these boards in a folder that has all shards, with at most `memory` bytes of memory.
    pub fn new(
        ranks: &'a Ranks,
        folder: &'a mut CensusFolder,
        n_threads: usize,
        memory: u64,
    ) -> Result<DiskCensus<'a>, CensusError> {
        let n_shards = folder.n_shards();
        // No version of the program writes more shards, which would need too many files. The checksum may
        // match nevertheless.
        if n_shards > MAX_SHARDS {
            return Err(CensusError::damaged(folder.path()));
        }
        // The folder belongs to one of several machines.
        if folder.shards() != (0..n_shards) {
            return Err(CensusError::NoCensus { path: folder.path().to_owned() });
        }
        let n_buffers = (n_shards * n_shards) as u64;
        let n_threads = n_threads.min(n_shards);
        let n_buffered = (buffer_bytes(n_threads, memory, 0)? / n_buffers / 8) as usize;
        let shards = Shards::new(n_shards, ranks);
        Ok(DiskCensus { ranks, shards, folder, n_threads, n_buffered })
    }

    /// Continues the census, up to a depth if one is given.
    pub fn run(
        &mut self,
        max_depth: Option<usize>,
        watch: &mut dyn Watch,
    ) -> Result<(), CensusError> {
        if self.folder.n_levels() == 0 {
            let counts = write_first_level(self.ranks, &self.shards, self.folder)?;
            self.folder.add_level(counts)?;
        }
        while !self.folder.is_done() && max_depth.is_none_or(|max| self.folder.n_levels() <= max) {
            let counts = self.next_level(watch)?;
            if counts.iter().all(|&count| count == 0) {
                self.folder.finish()?;
                break;
            }
            let depth = self.folder.n_levels();
            self.folder.add_level(counts)?;
            watch.round(depth as Cost, &self.stats());
        }
        Ok(())
    }

    /// The number of expanded boards: all but those of the last level.
    fn stats(&self) -> Stats {
        let counts = self.folder.counts();
        Stats { expanded: counts.iter().rev().skip(1).sum(), ..Stats::default() }
    }

    /// Writes the next level. Returns the number of its boards in each shard.
    fn next_level(&mut self, watch: &mut dyn Watch) -> Result<Vec<u64>, CensusError> {
        let n_expanded = AtomicU64::new(0);
        let before = self.stats().expanded;
        let mut poll = || {
            let expanded = before + n_expanded.load(Ordering::Relaxed);
            watch.poll(&Stats { expanded, ..Stats::default() })
        };
        let n_shards = self.shards.len();
        let rows =
            self.each_shard(&mut poll, |shard, stop| self.expand(shard, &n_expanded, stop))?;
        // From rows by source shard to columns by target shard.
        let mut columns: Vec<Vec<Runs>> = (0..n_shards).map(|_| Vec::new()).collect();
        for row in rows {
            columns.iter_mut().zip(row).for_each(|(column, runs)| column.push(runs));
        }
        let columns: Vec<Mutex<Vec<Runs>>> = columns.into_iter().map(Mutex::new).collect();
        let depth = self.folder.n_levels();
        self.each_shard(&mut poll, |shard, stop| {
            let runs = &mut *columns[shard].lock().unwrap_or_else(PoisonError::into_inner);
            let known = known_levels(depth, self.ranks.metric());
            let known = known.map(|depth| self.folder.level_file(depth, shard)).collect();
            let stem = self.folder.run_stem(n_shards, shard);
            let target = self.folder.level_file(depth, shard);
            let runs = std::mem::take(runs);
            let runs = ManyRuns { runs, fan_in: fan_in(self.n_threads), stem };
            write_level(runs, known, target, &mut || proceed(stop))
        })
    }

    /// Sorts the neighbors of the boards of a shard's last level, by target shard.
    fn expand(
        &self,
        shard: usize,
        n_expanded: &AtomicU64,
        stop: &StopFlag<'_>,
    ) -> Result<Vec<Runs>, CensusError> {
        let depth = self.folder.n_levels() - 1;
        let path = self.folder.level_file(depth, shard);
        let mut level = RankReader::open(&path)?;
        let sorter = |to| Sorter::new(self.n_buffered, self.folder.run_stem(shard, to));
        let mut sorters: Vec<Sorter> = (0..self.shards.len()).map(sorter).collect();
        let mut neighbors = self.ranks.neighbors();
        let mut failed = Ok(());
        let mut n_unreported = 0;
        while let Some(rank) = level.next()? {
            if !self.shards.contains(shard, rank) {
                return Err(CensusError::damaged(&path));
            }
            neighbors.each(rank, |rank| {
                if let Err(error) = sorters[self.shards.of(rank)].push(rank) {
                    failed = Err(error);
                }
            });
            n_unreported += 1;
            if n_unreported == BOARDS_PER_POLL {
                n_expanded.fetch_add(n_unreported, Ordering::Relaxed);
                n_unreported = 0;
                proceed(stop)?;
            }
            if failed.is_err() {
                break;
            }
        }
        n_expanded.fetch_add(n_unreported, Ordering::Relaxed);
        failed.map(|()| sorters.into_iter().map(Sorter::finish).collect())
    }

    /// Runs `work` for each shard, on several threads. Returns the results in order, or an error.
    fn each_shard<T: Send>(
        &self,
        poll: &mut dyn FnMut() -> ControlFlow<Limit>,
        work: impl Fn(usize, &StopFlag<'_>) -> Result<T, CensusError> + Sync,
    ) -> Result<Vec<T>, CensusError> {
        let n_shards = self.shards.len();
        let mut results: Vec<Option<Result<T, CensusError>>> =
            (0..n_shards).map(|_| None).collect();
        let has_failed = AtomicBool::new(false);
        let jobs = results.iter_mut().enumerate();
        for_each_job(self.n_threads, jobs, poll, |(shard, result), stop| {
            if !has_failed.load(Ordering::Relaxed) {
                let done = work(shard, stop);
                has_failed.fetch_or(done.is_err(), Ordering::Relaxed);
                *result = Some(done);
            }
        })
        .map_err(CensusError::Stopped)?;
        results.into_iter().flatten().collect()
    }
}

/// An error if the flag is set. The caller of the threads replaces it by the limit.
fn proceed(stop: &StopFlag<'_>) -> Result<(), CensusError> {
    if stop.is_set() { Err(CensusError::Stopped(Limit::Interrupted)) } else { Ok(()) }
}

/// The part of the memory for sort buffers, in bytes, in a process with `n_mergers` concurrent merges
/// and `connections` bytes for its connections to other processes.
pub(crate) fn buffer_bytes(
    n_mergers: usize,
    memory: u64,
    connections: u64,
) -> Result<u64, CensusError> {
    let others = BASE_BYTES + merger_bytes(n_mergers) + connections;
    let left = memory.saturating_sub(others);
    if left < MIN_BUFFERS {
        return Err(CensusError::Memory { min_bytes: others + MIN_BUFFERS });
    }
    Ok(left)
}

/// Writes the first level, which is only the goal. Returns the number of its boards in each shard of the
/// folder.
pub(crate) fn write_first_level(
    ranks: &Ranks,
    shards: &Shards,
    folder: &CensusFolder,
) -> Result<Vec<u64>, CensusError> {
    let write = |shard| {
        let mut writer = RankWriter::create(folder.level_file(0, shard))?;
        if shards.of(ranks.goal()) == shard {
            writer.push(ranks.goal())?;
        }
        writer.finish(true)
    };
    folder.shards().map(write).collect()
}

/// The ranks of the first `n` boards of the last level of a folder.
pub fn first_of_last_level(folder: &CensusFolder, n: usize) -> Result<Vec<u64>, CensusError> {
    let Some(depth) = folder.n_levels().checked_sub(1) else { return Ok(vec![]) };
    let files = folder.shards().map(|shard| folder.level_file(depth, shard)).collect();
    let mut level = Merger::of_files(files)?;
    let mut found = Vec::new();
    while found.len() < n
        && let Some(rank) = level.next()?
    {
        found.push(rank);
    }
    Ok(found)
}
