//! Sorting more ranks than fit in memory: sorted runs, and their merger.
//!
//! Ranks are gathered in a buffer. When it is full, it is sorted and becomes a *run*, a file; what
//! is in the buffer at the end is the last run and stays where it is. Runs are read side by side and
//! the smallest rank of all comes first, so the merger has all ranks in order, each once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs;
use std::path::PathBuf;

use npuzzle_core::search::Limit;

use super::error::CensusError;
use super::rank_file::{HELD, RankReader, RankWriter};

/// So many runs are read side by side at most, whatever the memory.
const MAX_FAN_IN: usize = 64;
/// All mergers that are at work at the same time have so many files open at most: some systems allow
/// 256.
const MAX_FILES: usize = 208;
/// Files beside the runs: the levels that they are compared with, and what is written.
const OTHERS: usize = 3;

/// How many ranks go by between two looks at whether to go on.
pub(crate) const INTERVAL: u64 = 1 << 16;

/// How many runs each of so many mergers at the same time may read side by side.
pub(crate) fn fan_in(n_mergers: usize) -> usize {
    (MAX_FILES / n_mergers.max(1)).saturating_sub(OTHERS).clamp(2, MAX_FAN_IN)
}

/// Bytes that so many mergers, with those they are compared with and what they write, may hold.
pub(crate) fn merger_bytes(n_mergers: usize) -> u64 {
    (n_mergers * (fan_in(n_mergers) + OTHERS) * HELD) as u64
}

/// Gathers ranks in sorted runs.
pub(crate) struct Sorter {
    buffer: Vec<u64>,
    n_most: usize,
    /// Where runs go, without the number and the ending.
    stem: PathBuf,
    files: Vec<PathBuf>,
}

impl Sorter {
    /// Holds so many ranks at most in memory, and puts runs beside this path.
    pub(crate) fn new(n_most: usize, stem: PathBuf) -> Sorter {
        Sorter { buffer: Vec::new(), n_most: n_most.max(1), stem, files: Vec::new() }
    }

    #[inline]
    pub(crate) fn push(&mut self, rank: u64) -> Result<(), CensusError> {
        if self.buffer.len() == self.buffer.capacity() {
            self.make_room()?;
        }
        self.buffer.push(rank);
        Ok(())
    }

    /// Lets the buffer grow by half, never beyond what it may hold; otherwise empties it.
    #[cold]
    fn make_room(&mut self) -> Result<(), CensusError> {
        const LEAST: usize = 1 << 12;
        let len = self.buffer.len();
        let more = (len / 2).max(LEAST).min(self.n_most.saturating_sub(len));
        // What the system does not give is done without.
        if more > 0 && self.buffer.try_reserve_exact(more).is_ok() {
            return Ok(());
        }
        self.spill()?;
        self.buffer.try_reserve_exact(1).map_err(|_| CensusError::Stopped(Limit::Memory))
    }

    fn sort(&mut self) {
        self.buffer.sort_unstable();
        self.buffer.dedup();
    }

    fn spill(&mut self) -> Result<(), CensusError> {
        self.sort();
        let path = numbered(&self.stem, self.files.len());
        let mut writer = RankWriter::create(path.clone())?;
        self.buffer.iter().try_for_each(|&rank| writer.push(rank))?;
        writer.finish(false)?;
        self.files.push(path);
        self.buffer.clear();
        Ok(())
    }

    /// All runs, the last of them in memory.
    pub(crate) fn finish(mut self) -> Runs {
        self.sort();
        Runs { files: self.files, last: self.buffer }
    }
}

fn numbered(stem: &std::path::Path, number: usize) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(format!("-{number}.ranks"));
    name.into()
}

/// Sorted ranks, in files and in memory.
pub(crate) struct Runs {
    files: Vec<PathBuf>,
    last: Vec<u64>,
}

/// All ranks of some runs, from small to large, each once.
pub(crate) struct Merger {
    sources: Vec<Source>,
    /// The next rank of each source that has one.
    next: BinaryHeap<Reverse<(u64, usize)>>,
    files: Vec<PathBuf>,
}

enum Source {
    File(RankReader),
    Memory(std::vec::IntoIter<u64>),
}

impl Source {
    #[inline]
    fn next(&mut self) -> Result<Option<u64>, CensusError> {
        match self {
            Source::File(reader) => reader.next(),
            Source::Memory(ranks) => Ok(ranks.next()),
        }
    }
}

/// Runs that are to be merged.
pub(crate) struct ManyRuns {
    /// They may come from several sorters.
    pub(crate) runs: Vec<Runs>,
    /// So many are read side by side at most.
    pub(crate) fan_in: usize,
    /// If they are more, some of them are merged in files beside this path, first.
    pub(crate) stem: PathBuf,
}

impl ManyRuns {
    /// All ranks of all runs.
    pub(crate) fn merged(
        self,
        go_on: &mut dyn FnMut() -> Result<(), CensusError>,
    ) -> Result<Merger, CensusError> {
        let mut files = Vec::new();
        let mut in_memory = Vec::new();
        for run in self.runs {
            files.extend(run.files);
            in_memory.push(run.last);
        }
        let mut n_merged = 0;
        while files.len() > self.fan_in {
            let rest = files.split_off(self.fan_in);
            let path = numbered(&self.stem, n_merged);
            n_merged += 1;
            let mut merger = Merger::of(files, vec![])?;
            let mut writer = RankWriter::create(path.clone())?;
            let mut n_read = 0;
            while let Some(rank) = merger.next()? {
                n_read += 1;
                if n_read % INTERVAL == 0 {
                    go_on()?;
                }
                writer.push(rank)?;
            }
            writer.finish(false)?;
            merger.remove_files();
            files = rest;
            files.push(path);
        }
        Merger::of(files, in_memory)
    }
}

impl Merger {
    fn of(files: Vec<PathBuf>, in_memory: Vec<Vec<u64>>) -> Result<Merger, CensusError> {
        let mut sources = Vec::new();
        for path in &files {
            sources.push(Source::File(RankReader::open(path)?));
        }
        sources.extend(in_memory.into_iter().map(|ranks| Source::Memory(ranks.into_iter())));
        let mut next = BinaryHeap::new();
        for (at, source) in sources.iter_mut().enumerate() {
            next.extend(source.next()?.map(|rank| Reverse((rank, at))));
        }
        Ok(Merger { sources, next, files })
    }

    /// The files of a level, or of several.
    pub(crate) fn of_files(files: Vec<PathBuf>) -> Result<Merger, CensusError> {
        Merger::of(files, vec![])
    }

    /// The next rank, unless there was none left.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<u64>, CensusError> {
        let mut found = None;
        while let Some(mut top) = self.next.peek_mut() {
            let Reverse((rank, at)) = *top;
            if *found.get_or_insert(rank) != rank {
                break;
            }
            match self.sources[at].next()? {
                Some(after) => *top = Reverse((after, at)),
                None => drop(PeekMut::pop(top)),
            }
        }
        Ok(found)
    }

    /// Removes the runs; they have been read.
    pub(crate) fn remove_files(self) {
        drop(self.sources);
        for path in self.files {
            // One that stays is removed with the others when the census goes on or ends.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_testkit::random::Random;
    use std::collections::BTreeSet;

    #[test]
    fn all_ranks_come_in_order_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut random = Random::new(7);
        // More runs than are read side by side, several, and none.
        for (n_ranks, n_most) in [(1000, 5), (1000, 100), (50, 1000), (0, 1)] {
            let ranks: Vec<u64> = (0..n_ranks).map(|_| random.below(700) as u64).collect();
            let mut sorters =
                [0, 1].map(|n| Sorter::new(n_most, folder.path().join(n.to_string())));
            for (at, &rank) in ranks.iter().enumerate() {
                sorters[at % 2].push(rank).unwrap();
            }
            let runs = sorters.into_iter().map(Sorter::finish).collect();
            let many = ManyRuns { runs, fan_in: 7, stem: folder.path().join("merged") };
            let mut merger = many.merged(&mut || Ok(())).unwrap();
            let mut found = Vec::new();
            while let Some(rank) = merger.next().unwrap() {
                found.push(rank);
            }
            let expect: BTreeSet<u64> = ranks.into_iter().collect();
            assert_eq!(found, Vec::from_iter(expect));
            merger.remove_files();
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn mergers_at_the_same_time_have_few_files_open() {
        for n_mergers in 1..=crate::census::disk::MAX_SHARDS {
            let fan_in = fan_in(n_mergers);
            assert!(fan_in >= 8 && n_mergers * (fan_in + OTHERS) <= MAX_FILES, "{n_mergers}");
        }
    }

    #[test]
    fn a_merger_of_very_many_runs_can_be_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(1 << 14, folder.path().join("run"));
        (0..6 << 14).for_each(|rank| sorter.push(rank).unwrap());
        let runs = vec![sorter.finish()];
        let many = ManyRuns { runs, fan_in: 4, stem: folder.path().join("merged") };
        let stopped = many.merged(&mut || Err(CensusError::Stopped(Limit::Interrupted)));
        assert!(matches!(stopped, Err(CensusError::Stopped(_))));
    }
}
