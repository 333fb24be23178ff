//! Distributed build of large pattern databases.
//!
//! The tables of different patterns are independent, and a build in memory is many times faster than
//! an exchange of ranks (`docs/cluster.md` has the measurements). Therefore a work queue distributes
//! whole patterns. A process builds the table of its pattern with all its threads and stores it in a
//! folder that all processes share. An interrupted build leaves a checkpoint there, from which the
//! next process resumes. At the end process 0 concatenates the tables; the bytes equal those of a
//! build on one machine.

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
    partition: Partition,
    /// The table of all patterns.
    spec: TableSpec,
    /// The table of each pattern.
    part_specs: Vec<TableSpec>,
    /// The store of the tables of single patterns.
    store: Store,
    /// The number of threads of a process.
    threads: usize,
}

/// The result of a completed build. The result of a failed build is an error message, and that of a
/// stopped build is empty.
const BUILT: &[u8] = b"built";

impl PdbJob {
    /// The large pattern databases for a goal, with the work in progress in a folder; `None` if there
    /// are none for this goal.
    pub fn new(goal: &Board, folder: PathBuf, threads: usize) -> Option<PdbJob> {
        let (partition, spec) = npuzzle::tables::large_patterns(goal)?;
        let part_spec = |part: Partition| part.spec("one pattern of a larger table");
        let part_specs = partition.parts().into_iter().map(part_spec).collect::<Option<_>>()?;
        Some(PdbJob { partition, spec, part_specs, store: Store::at(folder), threads })
    }

    /// Returns the spec of the table of all patterns.
    pub fn table_spec(&self) -> &TableSpec {
        &self.spec
    }

    /// Returns a text that identifies the job, the same in all processes.
    pub fn about(&self) -> String {
        format!("patterns {}", self.partition.name())
    }

    /// Removes the tables of single patterns.
    pub fn remove(&self) {
        for part in &self.part_specs {
            // A file that cannot be removed does no harm.
            let _ = self.store.remove(part.name());
        }
        if let Some(folder) = self.store.folder() {
            let _ = std::fs::remove_dir(folder);
        }
    }

    /// Builds the table of a pattern unless the store contains it. Returns the result for process 0.
    fn build(&self, number: usize, watch: &mut dyn Watch) -> Vec<u8> {
        let Some(part) = self.part_specs.get(number) else { return Vec::new() };
        let Ok(loaded) = part.get(&self.store, self.threads, watch) else { return Vec::new() };
        let not_kept = loaded.warnings.iter().find(|it| matches!(it, StoreWarning::NotKept(_)));
        not_kept.map_or(BUILT.to_vec(), |warning| warning.to_string().into_bytes())
    }

    /// Concatenates the tables of all patterns.
    fn concatenate(&self, watch: &mut dyn Watch) -> Result<Vec<u8>, ClusterError> {
        let mut bytes = Vec::with_capacity(self.spec.len());
        for part in &self.part_specs {
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

/// Builds pattern databases together with the other processes. Only process 0 returns their bytes.
pub fn patterns(
    exchange: &mut Exchange,
    job: &PdbJob,
    watch: &mut dyn Watch,
) -> Result<Option<Vec<u8>>, ClusterError> {
    let prepared = job.store.prepare();
    let failed = |error| ClusterError::io("tables", io::Error::other(error));
    exchange.all_ok(prepared.map_err(failed))?;
    let items: Vec<u64> = (0..job.part_specs.len() as u64).collect();
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
    distribute(exchange, items, 1, &run_item, &mut on_result, &mut progress)?;
    let is_first = exchange.process() == 0;
    let tables = is_first.then(|| job.concatenate(watch)).transpose();
    exchange.all_ok(tables)
}
