//! Large pattern databases, over several processes.
//!
//! The tables of different patterns have nothing to do with each other, and one is built in memory
//! many times faster than by ranks that are exchanged (`docs/cluster.md` has the figures). So patterns
//! are dealt out, each to one process, which builds its table with all its threads and keeps it in a
//! folder that all processes share. What a process has not finished is there as a draft, from which
//! whoever gets the pattern next goes on. In the end the first process puts the tables together: the
//! bytes are those of a build in one piece.

use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use npuzzle::tables::{Store, StoreError, StoreWarning, TableSpec};
use npuzzle::{Board, Limit, Watch};
use npuzzle_tables::Partition;

use crate::error::ClusterError;
use crate::exchange::Mesh;
use crate::work_queue::{Share, deal};

/// What all processes have been told about pattern databases.
#[derive(Clone, Debug)]
pub struct PdbJob {
    partition: Partition,
    recipe: TableSpec,
    parts: Vec<TableSpec>,
    /// Where tables of single patterns are kept, in the end by none.
    store: Store,
    /// Threads of a process.
    threads: usize,
}

/// What a process answers if it has built a table; otherwise it says what is wrong, or nothing if it
/// was stopped.
const BUILT: &[u8] = b"built";

impl PdbJob {
    /// The large tables for a goal, with what is under way in a folder; `None` if there are none.
    pub fn new(goal: &Board, folder: PathBuf, threads: usize) -> Option<PdbJob> {
        let (partition, recipe) = npuzzle::tables::large_patterns(goal)?;
        let part = |part: Partition| part.spec("one pattern of a larger table");
        let parts = partition.parts().into_iter().map(part).collect::<Option<_>>()?;
        Some(PdbJob { partition, recipe, parts, store: Store::at(folder), threads })
    }

    /// How the tables are kept together in a store.
    pub fn recipe(&self) -> &TableSpec {
        &self.recipe
    }

    /// What is done, in words that are the same for all processes.
    pub fn about(&self) -> String {
        format!("patterns {}", self.partition.name())
    }

    /// Removes the tables of single patterns, when nobody needs them any more.
    pub fn remove(&self) {
        for part in &self.parts {
            // What stays is in nobody's way.
            let _ = self.store.remove(part.name());
        }
        if let Some(folder) = self.store.folder() {
            let _ = std::fs::remove_dir(folder);
        }
    }

    /// Builds the table of a pattern, unless it is there.
    fn build(&self, number: usize, watch: &mut dyn Watch) -> Vec<u8> {
        let Some(part) = self.parts.get(number) else { return Vec::new() };
        let Ok(got) = part.get(&self.store, self.threads, watch) else { return Vec::new() };
        let not_kept = got.warnings.iter().find(|it| matches!(it, StoreWarning::NotKept(_)));
        not_kept.map_or(BUILT.to_vec(), |warning| warning.to_string().into_bytes())
    }

    /// All tables, one after the other.
    fn put_together(&self, watch: &mut dyn Watch) -> Result<Vec<u8>, ClusterError> {
        let mut bytes = Vec::with_capacity(self.recipe.len());
        for part in &self.parts {
            match part.load(&self.store, watch) {
                Ok(Some(table)) => bytes.extend_from_slice(&table),
                Ok(None) => {
                    let path = self.store.path(part.name()).unwrap_or_default();
                    return Err(ClusterError::Impossible(format!(
                        "{}: built by another process, and not there: the folder has to be on a \
                         disk that all processes share",
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

/// Builds pattern databases with the other processes; the first one gets their bytes.
pub fn patterns(
    mesh: &mut Mesh,
    job: &PdbJob,
    watch: &mut dyn Watch,
) -> Result<Option<Vec<u8>>, ClusterError> {
    let prepared = job.store.prepare();
    let failed = |error| ClusterError::io("tables", io::Error::other(error));
    mesh.all_have(prepared.map_err(failed))?;
    let items: Vec<u64> = (0..job.parts.len() as u64).collect();
    let n_done = Cell::new(0);
    let mut share = Share { watch, n_done: &n_done, n_all: items.len() };
    let work = |number: u64, watch: &mut dyn Watch| job.build(number as usize, watch);
    let mut hear = |_, answer: Vec<u8>| match answer.as_slice() {
        BUILT => {
            n_done.set(n_done.get() + 1);
            Ok(ControlFlow::Continue(()))
        }
        [] => Err(ClusterError::Stopped(Limit::Interrupted)),
        why => Err(ClusterError::io("tables", io::Error::other(String::from_utf8_lossy(why)))),
    };
    deal(mesh, items, 1, &work, &mut hear, &mut share)?;
    let is_first = mesh.process() == 0;
    let together = is_first.then(|| job.put_together(watch)).transpose();
    mesh.all_have(together)
}
