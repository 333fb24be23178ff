//! Boards at each distance, over several processes.
//!
//! Every process has a shard, ranges of ranks. Level by level it reads its boards, sends their
//! neighbours to whom they belong, and when all have come merges what it got into its next level
//! ([`ShardCensus`]). Then all tell each other how many they have found; nobody goes on before all
//! have their level on disk. So processes that end at any moment are at most one level apart, and
//! whoever is ahead goes back to the last level that all have. Nothing is written before they have
//! agreed on that.

use std::ops::Range;
use std::path::{Path, PathBuf};

use npuzzle::search::Cost;
use npuzzle::tables::{CensusError, CensusFolder};
use npuzzle::teaching::{Census, CensusResult};
use npuzzle::{Limit, Stats, Watch};
use npuzzle_tables::ShardCensus;

use crate::error::ClusterError;
use crate::exchange::{Mesh, Traffic};

/// What all processes have been told about a census.
#[derive(Clone, Debug)]
pub struct CensusJob {
    /// What is counted.
    pub taker: Census,
    /// The folder for what has been done; every process has a folder of its own in it.
    pub folder: PathBuf,
    /// Bytes of memory for a process.
    pub memory: u64,
    /// Whether all levels are kept.
    pub keeps_all: bool,
}

/// A batch of ranks.
const RANKS: u8 = 1;

/// Boards that are gone through between two times, so that nobody is flooded.
const CHUNK: usize = 1 << 16;

impl CensusJob {
    /// What is done, in words that are the same for all processes.
    pub fn about(&self) -> String {
        format!("{} {:?}", self.kept(), self.taker.depth)
    }

    /// What the folders are for, in a line: one is not taken for the other, nor for that of a
    /// census on one machine.
    fn kept(&self) -> String {
        let job = if self.keeps_all { "tables" } else { "census" };
        format!("cluster {job} {}", self.taker.about())
    }

    /// The folder of a process.
    fn folder_of(&self, process: usize) -> PathBuf {
        self.folder.join(format!("process-{process}"))
    }
}

/// Counts with the other processes; every one gets the counts of all. The shard is there to be
/// looked at.
pub(crate) fn count(
    mesh: &mut Mesh,
    counting: &CensusJob,
    watch: &mut dyn Watch,
) -> Result<(Vec<u64>, bool, ShardCensus), ClusterError> {
    let opened = open(mesh, counting);
    let folder = mesh.all_have(opened)?;
    let (n_levels, mut is_done) = agree(mesh, folder.as_ref())?;
    let begun = begin(mesh, counting, folder, (!is_done).then_some(n_levels));
    let mut shard = mesh.all_have(begun)?;
    let mut counts = sum(mesh.share_numbers(&shard.folder().counts())?);
    while !is_done && counting.taker.depth.is_none_or(|most| counts.len() <= most) {
        expand(mesh, &mut shard, &counts, watch)?;
        let n_here = looking(mesh, |look| shard.write_level(look))?;
        let n_new = sum(mesh.share_numbers(&[n_here])?).first().copied().unwrap_or_default();
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

/// Does something that looks up from time to time.
pub(crate) fn looking<T>(
    mesh: &Mesh,
    work: impl FnOnce(&mut dyn FnMut() -> Result<(), CensusError>) -> Result<T, CensusError>,
) -> Result<T, ClusterError> {
    let mut why = Ok(());
    let done = work(&mut || {
        why = mesh.look();
        why.as_ref().map(|_| ()).map_err(|_| CensusError::Stopped(Limit::Interrupted))
    });
    why?;
    Ok(done?)
}

/// The folder that this process has left, if it has.
fn open(mesh: &Mesh, counting: &CensusJob) -> Result<Option<CensusFolder>, ClusterError> {
    let (process, about) = (mesh.process(), counting.kept());
    let (path, n_processes) = (counting.folder_of(process), mesh.n_processes());
    let folder = match CensusFolder::open(&path) {
        Err(CensusError::NotOne { .. }) => return Ok(None),
        opened => opened?,
    };
    if folder.about() != about {
        let found = folder.about().to_owned();
        return Err(ClusterError::OtherWork { path, found, wanted: about });
    }
    if (folder.shards(), folder.n_shards()) != (process..process + 1, n_processes) {
        let of = |shards: Range<usize>, n| format!("process {} of {n}", shards.start);
        let found = of(folder.shards(), folder.n_shards());
        let wanted = of(process..process + 1, n_processes);
        return Err(ClusterError::OtherWork { path, found, wanted });
    }
    Ok(Some(folder))
}

/// How many levels all processes have; whether all is done.
fn agree(mesh: &mut Mesh, folder: Option<&CensusFolder>) -> Result<(usize, bool), ClusterError> {
    let n_levels = folder.map_or(0, CensusFolder::n_levels) as u64;
    let is_done = folder.is_some_and(CensusFolder::is_done);
    let all = mesh.share_numbers(&[n_levels, u64::from(is_done)])?;
    let levels = || all.iter().filter_map(|numbers| numbers.first().copied()).zip(0..);
    let (Some((least, behind)), Some((most, ahead))) = (levels().min(), levels().max()) else {
        return Ok((0, false));
    };
    let is_done = least == most && all.iter().all(|numbers| numbers.get(1) == Some(&1));
    // More is no accident of a run: a folder is gone, or somebody else's.
    let is_close = most - least <= 1;
    let agreed = is_close.then_some((least as usize, is_done));
    mesh.all_have(agreed.ok_or(ClusterError::Apart { behind, least, ahead, most }))
}

/// Goes back to so many levels, if that is said, in a new folder if there is none.
fn begin(
    mesh: &Mesh,
    counting: &CensusJob,
    folder: Option<CensusFolder>,
    n_levels: Option<usize>,
) -> Result<ShardCensus, ClusterError> {
    let (process, n_processes) = (mesh.process(), mesh.n_processes());
    let mut folder = match folder {
        Some(folder) => folder,
        None => {
            let (path, about) = (counting.folder_of(process), counting.kept());
            let created = CensusFolder::create(&path, &about, process..process + 1, n_processes);
            created.map_err(|error| match error {
                // Something else has the name of a census.
                CensusError::There { path } => ClusterError::Foreign { path },
                other => other.into(),
            })?
        }
    };
    if counting.keeps_all {
        folder.keep_all();
    }
    if let Some(n_levels) = n_levels {
        folder.go_back_to(n_levels)?;
    }
    Ok(ShardCensus::new(counting.taker.ranks().clone(), folder, counting.memory)?)
}

/// Adds up by place.
fn sum(all: Vec<Vec<u64>>) -> Vec<u64> {
    let len = all.iter().map(Vec::len).max().unwrap_or(0);
    (0..len).map(|at| all.iter().filter_map(|numbers| numbers.get(at)).sum()).collect()
}

/// Sends the neighbours of all boards of a level to where they belong, and gets those that belong
/// here.
fn expand(
    mesh: &mut Mesh,
    shard: &mut ShardCensus,
    counts: &[u64],
    watch: &mut dyn Watch,
) -> Result<(), ClusterError> {
    let n_before: u64 = counts.iter().rev().skip(1).sum();
    let n_processes = mesh.n_processes() as u64;
    let mut n_here = 0;
    loop {
        let has_more = shard.expand(CHUNK, &mut |to, batch| mesh.send(to, RANKS, batch))?;
        n_here += CHUNK as u64;
        if !has_more {
            break;
        }
        // As if all were equally far.
        let expanded = n_before + (n_here * n_processes).min(counts.last().copied().unwrap_or(0));
        if let Some(limit) = watch.poll(&Stats { expanded, ..Stats::default() }).break_value() {
            return Err(ClusterError::Stopped(limit));
        }
        mesh.next_time(&mut |mesh| receive(mesh, shard))?;
    }
    mesh.end_round(&mut |mesh| receive(mesh, shard))
}

fn receive(mesh: &mut Mesh, shard: &mut ShardCensus) -> Result<(), ClusterError> {
    while let Some((process, batch)) = mesh.take(RANKS) {
        if !shard.receive(&batch)? {
            return Err(ClusterError::Garbled { process });
        }
    }
    Ok(())
}

/// Counts boards with the other processes; the answer is the same for all.
pub fn census(
    mesh: &mut Mesh,
    counting: &CensusJob,
    watch: &mut dyn Watch,
) -> Result<(CensusResult, Traffic), ClusterError> {
    let (counts, is_whole, shard) = count(mesh, counting, watch)?;
    let mut antipodes = Vec::new();
    if is_whole {
        let n_most = counting.taker.antipodes;
        let first = shard.first_of_last_level(n_most)?;
        let mut ranks = mesh.share_numbers(&first)?.concat();
        // As one process would list them.
        ranks.sort_unstable();
        ranks.truncate(n_most);
        antipodes = ranks.into_iter().filter_map(|rank| counting.taker.board(rank)).collect();
    }
    Ok((CensusResult { counts, is_complete: is_whole, antipodes, stopped: None }, mesh.traffic()))
}

impl CensusJob {
    /// Removes what a process has left, when nobody needs it any more.
    pub fn remove(&self, process: usize) {
        if let Ok(folder) = CensusFolder::open(&self.folder_of(process)) {
            folder.remove();
        }
        remove_if_empty(&self.folder);
    }
}

/// Removes a folder in which nothing is left.
pub(crate) fn remove_if_empty(path: &Path) {
    let _ = std::fs::remove_dir(path);
}
