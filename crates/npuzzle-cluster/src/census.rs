//! A distributed census: the number of boards at each distance.
//!
//! Every process owns a shard, which consists of ranges of ranks. For each level it reads its boards,
//! sends their neighbors to the processes that own them, and merges the received ranks into its next
//! level ([`ShardCensus`]). Then the processes exchange their counts. No process continues before all
//! have written their level to disk. If the processes end at any moment, they are therefore at most
//! one level apart. A resumed run drops the last level of the processes that are ahead; it writes
//! nothing before the processes have agreed on the number of levels.

use std::ops::Range;
use std::path::{Path, PathBuf};

use npuzzle::search::Cost;
use npuzzle::tables::{CensusError, CensusFolder};
use npuzzle::teaching::{Census, CensusResult};
use npuzzle::{Limit, Stats, Watch};
use npuzzle_tables::ShardCensus;

use crate::error::ClusterError;
use crate::exchange::{Exchange, Traffic};

/// A census; the same in all processes, except for the folder and the memory.
#[derive(Clone, Debug)]
pub struct CensusJob {
    /// The census.
    pub census: Census,
    /// The folder for completed work. Every process has a folder of its own in it.
    pub folder: PathBuf,
    /// The memory limit of a process in bytes.
    pub memory: u64,
    /// Whether all levels are kept on disk.
    pub keeps_all: bool,
}

/// Message kind: a batch of ranks.
const RANKS: u8 = 1;

/// The number of boards that are expanded between two timestamps, which bounds the messages in
/// flight.
const BOARDS_PER_TIMESTAMP: usize = 1 << 16;

impl CensusJob {
    /// Returns a text that identifies the job, the same in all processes.
    pub fn about(&self) -> String {
        format!("{} {:?}", self.folder_contents(), self.census.depth)
    }

    /// The line in the folders that identifies their contents. It differs from that of a census on
    /// one machine.
    fn folder_contents(&self) -> String {
        let job = if self.keeps_all { "tables" } else { "census" };
        format!("cluster {job} {}", self.census.about())
    }

    /// The folder of a process.
    fn folder_of(&self, process: usize) -> PathBuf {
        self.folder.join(format!("process-{process}"))
    }
}

/// Counts together with the other processes. Returns the counts of all processes, whether the census
/// is complete, and the shard of this process.
pub(crate) fn count(
    exchange: &mut Exchange,
    job: &CensusJob,
    watch: &mut dyn Watch,
) -> Result<(Vec<u64>, bool, ShardCensus), ClusterError> {
    let opened = open(exchange, job);
    let folder = exchange.all_ok(opened)?;
    let (n_levels, mut is_done) = agree(exchange, folder.as_ref())?;
    let begun = begin(exchange, job, folder, (!is_done).then_some(n_levels));
    let mut shard = exchange.all_ok(begun)?;
    let mut counts = sum(exchange.all_gather_numbers(&shard.folder().counts())?);
    while !is_done && job.census.depth.is_none_or(|max_depth| counts.len() <= max_depth) {
        expand(exchange, &mut shard, &counts, watch)?;
        let n_here = with_checks(exchange, |check| shard.write_level(check))?;
        let n_new = sum(exchange.all_gather_numbers(&[n_here])?);
        let n_new = n_new.first().copied().unwrap_or_default();
        if n_new == 0 {
            shard.finish()?;
            is_done = true;
        } else {
            shard.add_level(n_here)?;
            let expanded = counts.iter().sum();
            watch.round(counts.len() as Cost, &Stats { expanded, ..Stats::default() });
            counts.push(n_new);
        }
    }
    Ok((counts, is_done, shard))
}

/// Runs a closure that checks regularly whether the run was cancelled or a process was lost.
pub(crate) fn with_checks<T>(
    exchange: &Exchange,
    work: impl FnOnce(&mut dyn FnMut() -> Result<(), CensusError>) -> Result<T, CensusError>,
) -> Result<T, ClusterError> {
    let mut checked = Ok(());
    let result = work(&mut || {
        checked = exchange.check();
        checked.as_ref().map(|_| ()).map_err(|_| CensusError::Stopped(Limit::Interrupted))
    });
    checked?;
    Ok(result?)
}

/// Opens the folder that an earlier run of this process left; `None` if there is none.
fn open(exchange: &Exchange, job: &CensusJob) -> Result<Option<CensusFolder>, ClusterError> {
    let (process, expected) = (exchange.process(), job.folder_contents());
    let (path, n_processes) = (job.folder_of(process), exchange.n_processes());
    let folder = match CensusFolder::open(&path) {
        Err(CensusError::NoCensus { .. }) => return Ok(None),
        opened => opened?,
    };
    if folder.about() != expected {
        let found = folder.about().to_owned();
        return Err(ClusterError::OtherContents { path, found, expected });
    }
    if (folder.shards(), folder.n_shards()) != (process..process + 1, n_processes) {
        let owner = |shards: Range<usize>, n| format!("process {} of {n}", shards.start);
        let found = owner(folder.shards(), folder.n_shards());
        let expected = owner(process..process + 1, n_processes);
        return Err(ClusterError::OtherContents { path, found, expected });
    }
    Ok(Some(folder))
}

/// Agrees with the other processes on the number of levels that all have, and on whether the census
/// is complete.
fn agree(
    exchange: &mut Exchange,
    folder: Option<&CensusFolder>,
) -> Result<(usize, bool), ClusterError> {
    let n_levels = folder.map_or(0, CensusFolder::n_levels) as u64;
    let is_done = folder.is_some_and(CensusFolder::is_done);
    let all = exchange.all_gather_numbers(&[n_levels, u64::from(is_done)])?;
    let levels = || all.iter().filter_map(|numbers| numbers.first().copied()).zip(0..);
    let (Some((min_levels, behind)), Some((max_levels, ahead))) = (levels().min(), levels().max())
    else {
        return Ok((0, false));
    };
    let is_done = min_levels == max_levels && all.iter().all(|numbers| numbers.get(1) == Some(&1));
    // A larger difference cannot result from a crash: a folder was removed or replaced.
    let is_close = max_levels - min_levels <= 1;
    let agreed = is_close.then_some((min_levels as usize, is_done));
    let mismatch = ClusterError::LevelMismatch { behind, min_levels, ahead, max_levels };
    exchange.all_ok(agreed.ok_or(mismatch))
}

/// Begins or resumes the shard of this process. Creates a folder if there is none, and drops the
/// levels after the first `n_levels`, if given.
fn begin(
    exchange: &Exchange,
    job: &CensusJob,
    folder: Option<CensusFolder>,
    n_levels: Option<usize>,
) -> Result<ShardCensus, ClusterError> {
    let (process, n_processes) = (exchange.process(), exchange.n_processes());
    let mut folder = match folder {
        Some(folder) => folder,
        None => {
            let (path, about) = (job.folder_of(process), job.folder_contents());
            let created = CensusFolder::create(&path, &about, process..process + 1, n_processes);
            created.map_err(|error| match error {
                // The path exists but is not a census folder.
                CensusError::AlreadyExists { path } => ClusterError::Damaged { path },
                other => other.into(),
            })?
        }
    };
    if job.keeps_all {
        folder.keep_all_levels();
    }
    if let Some(n_levels) = n_levels {
        folder.truncate_levels(n_levels)?;
    }
    Ok(ShardCensus::new(job.census.ranks().clone(), folder, job.memory)?)
}

/// The element-wise sum of the lists.
fn sum(all: Vec<Vec<u64>>) -> Vec<u64> {
    let len = all.iter().map(Vec::len).max().unwrap_or(0);
    (0..len).map(|at| all.iter().filter_map(|numbers| numbers.get(at)).sum()).collect()
}

/// Sends the neighbors of all boards of the last level to the processes that own them, and receives
/// those that this process owns.
fn expand(
    exchange: &mut Exchange,
    shard: &mut ShardCensus,
    counts: &[u64],
    watch: &mut dyn Watch,
) -> Result<(), ClusterError> {
    let n_before: u64 = counts.iter().rev().skip(1).sum();
    let n_processes = exchange.n_processes() as u64;
    let mut n_here = 0;
    loop {
        let has_more =
            shard.expand(BOARDS_PER_TIMESTAMP, &mut |to, batch| exchange.send(to, RANKS, batch))?;
        n_here += BOARDS_PER_TIMESTAMP as u64;
        if !has_more {
            break;
        }
        // An estimate, as if all processes were equally fast.
        let expanded = n_before + (n_here * n_processes).min(counts.last().copied().unwrap_or(0));
        if let Some(limit) = watch.poll(&Stats { expanded, ..Stats::default() }).break_value() {
            return Err(ClusterError::Stopped(limit));
        }
        exchange.advance(&mut |exchange| receive(exchange, shard))?;
    }
    exchange.end_phase(&mut |exchange| receive(exchange, shard))
}

fn receive(exchange: &mut Exchange, shard: &mut ShardCensus) -> Result<(), ClusterError> {
    while let Some((process, batch)) = exchange.take(RANKS) {
        if !shard.receive(&batch)? {
            return Err(ClusterError::Protocol { process });
        }
    }
    Ok(())
}

/// Counts boards together with the other processes. Every process returns the same result.
pub fn census(
    exchange: &mut Exchange,
    job: &CensusJob,
    watch: &mut dyn Watch,
) -> Result<(CensusResult, Traffic), ClusterError> {
    let (counts, is_complete, shard) = count(exchange, job, watch)?;
    let mut antipodes = Vec::new();
    if is_complete {
        let max_antipodes = job.census.antipodes;
        let first = shard.first_of_last_level(max_antipodes)?;
        let mut ranks = exchange.all_gather_numbers(&first)?.concat();
        // The same order as on one machine.
        ranks.sort_unstable();
        ranks.truncate(max_antipodes);
        antipodes = ranks.into_iter().filter_map(|rank| job.census.board(rank)).collect();
    }
    Ok((CensusResult { counts, is_complete, antipodes, stopped: None }, exchange.traffic()))
}

impl CensusJob {
    /// Removes the folder of a process.
    pub fn remove(&self, process: usize) {
        if let Ok(folder) = CensusFolder::open(&self.folder_of(process)) {
            folder.remove();
        }
        remove_if_empty(&self.folder);
    }
}

/// Removes a folder if it is empty.
pub(crate) fn remove_if_empty(path: &Path) {
    let _ = std::fs::remove_dir(path);
}
