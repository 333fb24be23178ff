//! A census in files: level by level, each sorted, on the threads of one machine.
//!
//! The boards of a level are sorted ranks in files, one for each *shard*, a range of all ranks. A
//! thread reads a shard and gathers the neighbours of its boards in sorted runs, one row of runs for
//! each shard they belong to. Then, shard by shard, the runs are merged, and what is not among the
//! levels before is the next level ([`shard`](super::shard) has the proof). What is held in memory
//! are the buffers that become runs, and a block of every file that is read.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::search::{Cost, Limit, Stats, Watch};

use crate::full::Ranks;
use crate::parallel::{StopFlag, for_each_job};

use super::error::CensusError;
use super::external_sort::{ManyRuns, Merger, Runs, Sorter, fan_in, merger_bytes};
use super::folder::CensusFolder;
use super::rank_file::{RankReader, RankWriter};
use super::shard::{Shards, known_levels, write_level};

/// Bytes of the program, by and large, before it has read a rank.
const BASE_BYTES: u64 = 16 << 20;
/// Buffers have no less than so many bytes together.
const LEAST_BUFFERS: u64 = 4 << 20;
/// How many boards go by between two looks at whether to go on.
const INTERVAL: u64 = 1 << 12;

/// So many shards at most are for the threads of one machine.
pub const MAX_SHARDS: usize = 16;

/// A census in the files of a folder.
pub struct DiskCensus<'a> {
    ranks: &'a Ranks,
    shards: Shards,
    folder: &'a mut CensusFolder,
    n_threads: usize,
    /// The most ranks of a buffer.
    n_buffered: usize,
}

impl<'a> DiskCensus<'a> {
    /// A census of these boards in a folder that has all shards, within so many bytes of memory.
    pub fn new(
        ranks: &'a Ranks,
        folder: &'a mut CensusFolder,
        n_threads: usize,
        memory: u64,
    ) -> Result<DiskCensus<'a>, CensusError> {
        let n_shards = folder.n_shards();
        // Whatever the checksum says, no machine has written more: they would be files without end.
        if n_shards > MAX_SHARDS {
            return Err(CensusError::damaged(folder.path()));
        }
        // A part of what several machines count.
        if folder.shards() != (0..n_shards) {
            return Err(CensusError::NotOne { path: folder.path().to_owned() });
        }
        let n_buffers = (n_shards * n_shards) as u64;
        let n_threads = n_threads.min(n_shards);
        let n_buffered = (buffer_bytes(n_threads, memory)? / n_buffers / 8) as usize;
        let shards = Shards::new(n_shards, ranks);
        Ok(DiskCensus { ranks, shards, folder, n_threads, n_buffered })
    }

    /// Counts on from where the folder stands, up to a depth if one is given.
    pub fn run(&mut self, most: Option<usize>, watch: &mut dyn Watch) -> Result<(), CensusError> {
        if self.folder.n_levels() == 0 {
            let counts = write_first_level(self.ranks, &self.shards, self.folder)?;
            self.folder.add_level(counts)?;
        }
        while !self.folder.is_done() && most.is_none_or(|most| self.folder.n_levels() <= most) {
            let counts = self.next_level(watch)?;
            if counts.iter().all(|&count| count == 0) {
                self.folder.finish()?;
                break;
            }
            let depth = self.folder.n_levels();
            self.folder.add_level(counts)?;
            watch.round(depth as Cost, &self.stats(0));
        }
        Ok(())
    }

    /// How many boards are known, or expanded beyond the last level but one.
    fn stats(&self, n_more: u64) -> Stats {
        let counts = self.folder.counts();
        let n_known: u64 = counts.iter().rev().skip(1).sum();
        Stats { expanded: n_known + n_more, ..Stats::default() }
    }

    fn next_level(&mut self, watch: &mut dyn Watch) -> Result<Vec<u64>, CensusError> {
        let n_expanded = AtomicU64::new(0);
        let before = self.stats(0).expanded;
        let mut ask = || {
            let expanded = before + n_expanded.load(Ordering::Relaxed);
            watch.poll(&Stats { expanded, ..Stats::default() })
        };
        let n_shards = self.shards.len();
        let rows =
            self.each_shard(&mut ask, |shard, stop| self.expand(shard, &n_expanded, stop))?;
        // From rows by where they come from to columns by where they belong.
        let mut columns: Vec<Vec<Runs>> = (0..n_shards).map(|_| Vec::new()).collect();
        for row in rows {
            columns.iter_mut().zip(row).for_each(|(column, runs)| column.push(runs));
        }
        let columns: Vec<Mutex<Vec<Runs>>> = columns.into_iter().map(Mutex::new).collect();
        let depth = self.folder.n_levels();
        self.each_shard(&mut ask, |shard, stop| {
            let runs = &mut *columns[shard].lock().unwrap_or_else(PoisonError::into_inner);
            let known = known_levels(depth, self.ranks.metric());
            let known = known.map(|depth| self.folder.level_file(depth, shard)).collect();
            let stem = self.folder.run_stem(n_shards, shard);
            let target = self.folder.level_file(depth, shard);
            let runs = std::mem::take(runs);
            let runs = ManyRuns { runs, fan_in: fan_in(self.n_threads), stem };
            write_level(runs, known, target, &mut || go_on(stop))
        })
    }

    /// The neighbours of the boards of a shard's last level, by the shards they belong to.
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
        let mut neighbours = self.ranks.neighbours();
        let mut failed = Ok(());
        let mut n_told = 0;
        while let Some(rank) = level.next()? {
            // Of another census, though whole.
            if rank >= self.ranks.len() || self.shards.of(rank) != shard {
                return Err(CensusError::damaged(&path));
            }
            neighbours.each(rank, |rank| {
                if let Err(error) = sorters[self.shards.of(rank)].push(rank) {
                    failed = Err(error);
                }
            });
            n_told += 1;
            if n_told == INTERVAL {
                n_expanded.fetch_add(n_told, Ordering::Relaxed);
                n_told = 0;
                go_on(stop)?;
            }
            if failed.is_err() {
                break;
            }
        }
        n_expanded.fetch_add(n_told, Ordering::Relaxed);
        failed.map(|()| sorters.into_iter().map(Sorter::finish).collect())
    }

    /// Does something for every shard, on several threads, and gives the results in order.
    fn each_shard<T: Send>(
        &self,
        ask: &mut dyn FnMut() -> ControlFlow<Limit>,
        work: impl Fn(usize, &StopFlag<'_>) -> Result<T, CensusError> + Sync,
    ) -> Result<Vec<T>, CensusError> {
        let n_shards = self.shards.len();
        let results: Mutex<Vec<Option<T>>> = Mutex::new((0..n_shards).map(|_| None).collect());
        let failed: Mutex<Option<CensusError>> = Mutex::new(None);
        let lock_failed = || failed.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = for_each_job(self.n_threads, 0..n_shards, ask, |shard, stop| {
            if lock_failed().is_some() {
                return;
            }
            match work(shard, stop) {
                Ok(result) => {
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    results[shard] = Some(result);
                }
                Err(error) => {
                    lock_failed().get_or_insert(error);
                }
            }
        });
        ended.map_err(CensusError::Stopped)?;
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(results.into_iter().flatten().collect())
    }
}

/// An error if somebody wants to stop; what the watch says is told by who has asked it.
fn go_on(stop: &StopFlag<'_>) -> Result<(), CensusError> {
    if stop.is_set() { Err(CensusError::Stopped(Limit::Interrupted)) } else { Ok(()) }
}

/// Bytes for buffers out of all that a process which merges on so many threads may use.
pub(crate) fn buffer_bytes(n_mergers: usize, memory: u64) -> Result<u64, CensusError> {
    let others = BASE_BYTES + merger_bytes(n_mergers);
    let left = memory.saturating_sub(others);
    if left < LEAST_BUFFERS {
        return Err(CensusError::Memory { least: others + LEAST_BUFFERS });
    }
    Ok(left)
}

/// Writes the level of the goal alone: how many boards each shard of the folder has.
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

/// The first boards of the last level of the shards of a folder, by rank.
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
