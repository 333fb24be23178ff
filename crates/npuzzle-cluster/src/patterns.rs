//! Distributed build of large pattern databases.
//!
//! The tables of different patterns are independent, and a build in memory is many times faster than
//! an exchange of ranks (`docs/cluster.md` has the measurements). Therefore a work queue distributes
//! whole patterns. A process builds the table of its pattern with all its threads and stores it in a
//! folder that all processes share. An interrupted build leaves a checkpoint there, from which the
//! next process resumes. At the end process 0 concatenates the tables of each partition; the bytes equal
//! those of a build on one machine.

use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use npuzzle::tables::{Store, StoreError, StoreWarning, TableSpec};
use npuzzle::{Board, Limit, Watch};
use npuzzle_tables::Partition;

use crate::error::ClusterError;
use crate::exchange::Exchange;
use crate::work_queue::{ItemProgress, distribute};

/// A build of large pattern databases; the same in all processes, except for the folder and the
/// threads.
#[derive(Clone, Debug)]
pub struct PdbJob {
    /// One table for each partition.
    tables: Vec<PdbTable>,
    /// The tables of the patterns, each once: partitions may share patterns.
    patterns: Vec<TableSpec>,
    /// The store of the tables of single patterns.
    store: Store,
    /// The number of threads of a process.
    threads: usize,
}

/// The table of one partition.
#[derive(Clone, Debug)]
pub struct PdbTable {
    /// The table of all patterns.
    spec: TableSpec,
    /// The table of each pattern.
    parts: Vec<TableSpec>,
}

impl PdbTable {
    fn new((partition, spec): (Partition, TableSpec)) -> Option<PdbTable> {
        let part_spec = |part: Partition| part.spec("one pattern of a larger table");
        let parts = partition.parts().into_iter().map(part_spec).collect::<Option<_>>()?;
        Some(PdbTable { spec, parts })
    }

    /// Returns the spec of the table of all patterns.
    pub fn spec(&self) -> &TableSpec {
        &self.spec
    }
}

/// The result of a completed build. The result of a failed build is an error message, and that of a
/// stopped build is empty.
const BUILT: &[u8] = b"built";

impl PdbJob {
    /// The large pattern databases for a goal, with the work in progress in a folder; `None` if there
    /// are none for this goal.
    pub fn new(goal: &Board, folder: PathBuf, threads: usize) -> Option<PdbJob> {
        let large = npuzzle::tables::large_patterns(goal).into_iter();
        let tables: Vec<PdbTable> = large.map(PdbTable::new).collect::<Option<_>>()?;
        let mut patterns: Vec<TableSpec> = Vec::new();
        for part in tables.iter().flat_map(|table| &table.parts) {
            if patterns.iter().all(|known| known.name() != part.name()) {
                patterns.push(part.clone());
            }
        }
        let job = PdbJob { tables, patterns, store: Store::at(folder), threads };
        (!job.tables.is_empty()).then_some(job)
    }

    /// Returns the tables.
    pub fn tables(&self) -> &[PdbTable] {
        &self.tables
    }

    /// Returns a text that identifies the job, the same in all processes.
    pub fn about(&self) -> String {
        let names: Vec<&str> = self.tables.iter().map(|table| table.spec.name().as_str()).collect();
        format!("patterns {}", names.join(" "))
    }

    /// Removes the tables of single patterns.
    pub fn remove(&self) {
        for pattern in &self.patterns {
            // A file that cannot be removed does no harm.
            let _ = self.store.remove(pattern.name());
        }
        if let Some(folder) = self.store.folder() {
            let _ = std::fs::remove_dir(folder);
        }
    }

    /// Builds the table of a pattern unless the store contains it. Returns the result for process 0.
    fn build(&self, number: usize, watch: &mut dyn Watch) -> Vec<u8> {
        let Some(pattern) = self.patterns.get(number) else { return Vec::new() };
        let Ok(loaded) = pattern.get(&self.store, self.threads, watch) else { return Vec::new() };
        let not_kept = loaded.warnings.iter().find(|it| matches!(it, StoreWarning::NotKept(_)));
        not_kept.map_or(BUILT.to_vec(), |warning| warning.to_string().into_bytes())
    }

    /// Concatenates the tables of the patterns of a table, after [`patterns`] has built them.
    pub fn concatenate(
        &self,
        table: &PdbTable,
        watch: &mut dyn Watch,
    ) -> Result<Vec<u8>, ClusterError> {
        let mut bytes = Vec::with_capacity(table.spec.len());
        for part in &table.parts {
            match part.load(&self.store, watch) {
                Ok(Some(table)) => bytes.extend_from_slice(&table),
                Ok(None) => {
                    let path = self.store.path(part.name()).unwrap_or_default();
                    return Err(ClusterError::Impossible(format!(
                        "{}: built by another process, but missing; all processes must share the \
                         folder",
                        path.display()
                    )));
                }
                Err(StoreError::Stopped(limit)) => return Err(ClusterError::Stopped(limit)),
                Err(error) => return Err(ClusterError::io("tables", io::Error::other(error))),
            }
        }
        Ok(bytes)
    }
}

/// Builds the tables of all patterns together with the other processes.
pub fn patterns(
    exchange: &mut Exchange,
    job: &PdbJob,
    watch: &mut dyn Watch,
) -> Result<(), ClusterError> {
    let prepared = job.store.prepare();
    let failed = |error| ClusterError::io("tables", io::Error::other(error));
    exchange.all_ok(prepared.map_err(failed))?;
    let items: Vec<u64> = (0..job.patterns.len() as u64).collect();
    let n_done = Cell::new(0);
    let mut progress = ItemProgress { watch, n_done: &n_done, n_all: items.len() };
    let run_item = |number: u64, watch: &mut dyn Watch| job.build(number as usize, watch);
    let mut on_result = |_, result: Vec<u8>| match result.as_slice() {
        BUILT => {
            n_done.set(n_done.get() + 1);
            Ok(ControlFlow::Continue(()))
        }
        [] => Err(ClusterError::Stopped(Limit::Interrupted)),
        message => {
            let message = String::from_utf8_lossy(message);
            Err(ClusterError::io("tables", io::Error::other(message)))
        }
    };
    distribute(exchange, items, 1, &run_item, &mut on_result, &mut progress)
}

#[cfg(test)]
mod tests {
    use npuzzle::Goal;

    use super::*;

    #[test]
    fn partitions_share_patterns() {
        let n_tables = |size: &str, goal: Goal| {
            let goal = goal.board(size.parse().unwrap()).unwrap();
            let job = PdbJob::new(&goal, PathBuf::from("work"), 1);
            job.map(|job| (job.tables.len(), job.patterns.len()))
        };
        assert_eq!(n_tables("5x5", Goal::First), Some((4, 13)));
        assert_eq!(n_tables("4x4", Goal::First), Some((1, 2)));
        assert_eq!(n_tables("6x6", Goal::First), None);
    }
}
