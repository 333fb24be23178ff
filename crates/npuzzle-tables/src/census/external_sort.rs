//! External merge sort: sorts more ranks than fit in memory, and removes duplicates.
//!
//! Ranks are collected in a buffer. A full buffer is sorted and written to a file, a *run*. The ranks in
//! the buffer at the end are the last run, which stays in memory. All runs are merged with a heap of
//! their next ranks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs;
use std::path::PathBuf;

use npuzzle_core::search::Limit;

use super::error::CensusError;
use super::rank_file::{BUFFER_BYTES, RankReader, RankWriter};

/// The maximum number of runs in a merge, whatever the memory.
const MAX_FAN_IN: usize = 64;
/// The maximum number of open files of all concurrent merges. Some systems allow 256.
const MAX_FILES: usize = 208;
/// The number of other files of a merge: the levels that it is compared with, and the output.
const OTHER_FILES: usize = 3;

/// The number of ranks between two polls.
pub(crate) const RANKS_PER_POLL: u64 = 1 << 16;

/// The maximum number of runs in each of `n_mergers` concurrent merges.
pub(crate) fn fan_in(n_mergers: usize) -> usize {
    (MAX_FILES / n_mergers.max(1)).saturating_sub(OTHER_FILES).clamp(2, MAX_FAN_IN)
}

/// The memory in bytes of `n_mergers` concurrent merges, with their other files.
pub(crate) fn merger_bytes(n_mergers: usize) -> u64 {
    (n_mergers * (fan_in(n_mergers) + OTHER_FILES) * BUFFER_BYTES) as u64
}

/// Collects ranks in sorted runs.
pub(crate) struct Sorter {
    buffer: Vec<u64>,
    /// The maximum number of ranks in the buffer.
    max_buffered: usize,
    /// The path of the runs, without number and extension.
    stem: PathBuf,
    files: Vec<PathBuf>,
}

impl Sorter {
    /// A sorter with at most `max_buffered` ranks in memory. The paths of the runs begin with `stem`.
    pub(crate) fn new(max_buffered: usize, stem: PathBuf) -> Sorter {
        let max_buffered = max_buffered.max(1);
        Sorter { buffer: Vec::new(), max_buffered, stem, files: Vec::new() }
    }

    #[inline]
    pub(crate) fn push(&mut self, rank: u64) -> Result<(), CensusError> {
        if self.buffer.len() == self.buffer.capacity() {
            self.make_room()?;
        }
        self.buffer.push(rank);
        Ok(())
    }

    /// Lets the buffer grow by half, up to its maximum. Otherwise writes it to a run.
    #[cold]
    fn make_room(&mut self) -> Result<(), CensusError> {
        const MIN_GROWTH: usize = 1 << 12;
        let len = self.buffer.len();
        let more = (len / 2).max(MIN_GROWTH).min(self.max_buffered.saturating_sub(len));
        // If the system refuses the memory, the buffer stays small.
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

    /// Returns all runs. The last one is in memory.
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

/// The sorted runs of a sorter, in files and in memory.
pub(crate) struct Runs {
    files: Vec<PathBuf>,
    last: Vec<u64>,
}

/// Merges runs: returns their ranks in increasing order, without duplicates.
pub(crate) struct Merger {
    sources: Vec<RunReader>,
    /// The next rank of each source that has one.
    next: BinaryHeap<Reverse<(u64, usize)>>,
    files: Vec<PathBuf>,
}

enum RunReader {
    File(RankReader),
    Memory(std::vec::IntoIter<u64>),
}

impl RunReader {
    #[inline]
    fn next(&mut self) -> Result<Option<u64>, CensusError> {
        match self {
            RunReader::File(reader) => reader.next(),
            RunReader::Memory(ranks) => Ok(ranks.next()),
        }
    }
}

/// The input of a merge.
pub(crate) struct ManyRuns {
    /// The runs of one or more sorters.
    pub(crate) runs: Vec<Runs>,
    /// The maximum number of files to merge at once.
    pub(crate) fan_in: usize,
    /// The beginning of the paths of intermediate files, which are needed for more runs than that.
    pub(crate) stem: PathBuf,
}

impl ManyRuns {
    /// Starts the merge.
    pub(crate) fn merged(
        self,
        poll: &mut dyn FnMut() -> Result<(), CensusError>,
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
            let mut merger = Merger::new(files, vec![])?;
            let mut writer = RankWriter::create(path.clone())?;
            let mut n_read = 0;
            while let Some(rank) = merger.next()? {
                n_read += 1;
                if n_read % RANKS_PER_POLL == 0 {
                    poll()?;
                }
                writer.push(rank)?;
            }
            writer.finish(false)?;
            merger.remove_files();
            files = rest;
            files.push(path);
        }
        Merger::new(files, in_memory)
    }
}

impl Merger {
    fn new(files: Vec<PathBuf>, in_memory: Vec<Vec<u64>>) -> Result<Merger, CensusError> {
        let mut sources = Vec::new();
        for path in &files {
            sources.push(RunReader::File(RankReader::open(path)?));
        }
        sources.extend(in_memory.into_iter().map(|ranks| RunReader::Memory(ranks.into_iter())));
        let mut next = BinaryHeap::new();
        for (at, source) in sources.iter_mut().enumerate() {
            next.extend(source.next()?.map(|rank| Reverse((rank, at))));
        }
        Ok(Merger { sources, next, files })
    }

    /// Merges the files of one or more levels.
    pub(crate) fn of_files(files: Vec<PathBuf>) -> Result<Merger, CensusError> {
        Merger::new(files, vec![])
    }

    /// The next rank, or `None` at the end.
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

    /// Removes the files of the runs.
    pub(crate) fn remove_files(self) {
        drop(self.sources);
        for path in self.files {
            // A file that cannot be removed now is removed when the census continues or ends.
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
    fn merge_returns_all_ranks_in_order_without_duplicates() {
        let folder = tempfile::tempdir().unwrap();
        let mut random = Random::new(7);
        // More runs than the fan-in, several runs, and none.
        for (n_ranks, max_buffered) in [(1000, 5), (1000, 100), (50, 1000), (0, 1)] {
            let ranks: Vec<u64> = (0..n_ranks).map(|_| random.below(700) as u64).collect();
            let mut sorters =
                [0, 1].map(|n| Sorter::new(max_buffered, folder.path().join(n.to_string())));
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
            let expected: BTreeSet<u64> = ranks.into_iter().collect();
            assert_eq!(found, Vec::from_iter(expected));
            merger.remove_files();
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn concurrent_merges_have_few_open_files() {
        for n_mergers in 1..=crate::census::disk::MAX_SHARDS {
            let fan_in = fan_in(n_mergers);
            assert!(fan_in >= 8 && n_mergers * (fan_in + OTHER_FILES) <= MAX_FILES, "{n_mergers}");
        }
    }

    #[test]
    fn merge_of_many_runs_can_be_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(1 << 14, folder.path().join("run"));
        (0..6 << 14).for_each(|rank| sorter.push(rank).unwrap());
        let runs = vec![sorter.finish()];
        let many = ManyRuns { runs, fan_in: 4, stem: folder.path().join("merged") };
        let stopped = many.merged(&mut || Err(CensusError::Stopped(Limit::Interrupted)));
        assert!(matches!(stopped, Err(CensusError::Stopped(_))));
    }
}
