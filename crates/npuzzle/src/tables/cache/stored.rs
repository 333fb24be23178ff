//! Pattern databases that are stored, because they take seconds to build.

use std::sync::Arc;
use std::time::Duration;

use npuzzle_core::Board;
use npuzzle_core::search::{Limit, Watch};
use npuzzle_tables::parallel::n_cores;
use npuzzle_tables::{Partition, TableSpec, ZeroAwareSet};

use super::{LOADED_PER_SECOND, Tables, push_bounded, speed_up};
use crate::limits::Resources;
use crate::tables::canonical::CanonicalForm;
use crate::tables::catalogue;
use crate::tables::zero_aware::ZeroAwareTables;

/// Placements that one thread builds per second.
const BUILT_PER_SECOND: f64 = 45e6;

/// The pattern databases of one size for a goal, and where they are.
#[derive(Clone, Debug)]
pub(crate) struct StoredPdb {
    partition: Partition,
    spec: TableSpec,
    location: Location,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Location {
    Memory,
    Store,
    /// They must be built.
    Nowhere,
}

impl StoredPdb {
    pub(crate) fn name(&self) -> String {
        self.partition.name()
    }

    pub(crate) fn is_in_memory(&self) -> bool {
        self.location == Location::Memory
    }

    /// The estimated time to load or build them.
    pub(crate) fn cost(&self, n_threads: usize) -> Duration {
        let seconds = match self.location {
            Location::Memory => 0.0,
            Location::Store => self.partition.n_bytes() as f64 / LOADED_PER_SECOND,
            Location::Nowhere => {
                let one_thread = self.partition.n_ranks() as f64 / BUILT_PER_SECOND;
                one_thread / speed_up(n_threads, n_cores())
            }
        };
        Duration::from_secs_f64(seconds)
    }

    /// The maximum memory in bytes while they are loaded or built.
    pub(crate) fn n_bytes_to_get(&self) -> usize {
        match self.location {
            Location::Nowhere => self.partition.build_bytes(),
            Location::Memory | Location::Store => self.partition.n_bytes(),
        }
    }
}

impl Tables {
    /// The stored pattern databases of a goal, from the smallest to the largest. Empty if boards of its size have
    /// none.
    pub(crate) fn stored_pdbs(&self, goal: &Board) -> Vec<StoredPdb> {
        let Some(form) = CanonicalForm::new(goal) else { return Vec::new() };
        let located = |(partition, spec): (Partition, TableSpec)| {
            let location = if self.stored_set(&partition).is_some() {
                Location::Memory
            } else if self.is_stored(spec.name()) {
                Location::Store
            } else {
                Location::Nowhere
            };
            StoredPdb { partition, spec, location }
        };
        let pdbs = catalogue::stored_pdbs(form.dims(), form.blank());
        pdbs.into_iter().map(located).collect()
    }

    /// The tables of a partition that are in memory.
    fn stored_set(&self, partition: &Partition) -> Option<&Arc<ZeroAwareSet>> {
        self.stored.iter().find(|set| set.partition() == partition)
    }

    /// Gets them from their location, or builds them. `None` if a stored file cannot be used: the
    /// tables must then be built, and the cost changes, so the caller decides again.
    pub(crate) fn get_stored_pdb(
        &mut self,
        goal: &Board,
        pdb: &StoredPdb,
        resources: &Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<ZeroAwareTables>, Limit> {
        let Some(form) = CanonicalForm::new(goal) else { return Ok(None) };
        if !resources.has_memory(pdb.n_bytes_to_get()) {
            return Err(Limit::Memory);
        }
        let bytes = match pdb.location {
            Location::Memory => {
                let set = self.stored_set(&pdb.partition).cloned();
                return Ok(set.map(|set| ZeroAwareTables::new(form, set)));
            }
            Location::Store => match self.load(&pdb.spec, watch)? {
                Some(bytes) => bytes,
                None => return Ok(None),
            },
            Location::Nowhere => self.load_or_build(&pdb.spec, resources.threads, watch)?,
        };
        let bytes = bytes.in_huge_pages();
        let Some(set) = ZeroAwareSet::from_bytes(&pdb.partition, &bytes).map(Arc::new) else {
            return Ok(None);
        };
        // Smaller tables of the same boards are not needed any more.
        self.stored.retain(|other| !other.partition().is_for_same_boards(&pdb.partition));
        push_bounded(&mut self.stored, Tables::MAX_STORED, Arc::clone(&set));
        Ok(Some(ZeroAwareTables::new(form, set)))
    }

    /// Gets the largest ones whatever the cost. `None` if boards of this size have none.
    pub(crate) fn get_large_pdb_at_any_cost(
        &mut self,
        goal: &Board,
        resources: &Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<ZeroAwareTables>, Limit> {
        // The second attempt builds what a damaged file should have held.
        for _ in 0..2 {
            let Some(large) = self.stored_pdbs(goal).pop() else { return Ok(None) };
            if let Some(pdb) = self.get_stored_pdb(goal, &large, resources, watch)? {
                return Ok(Some(pdb));
            }
        }
        Ok(None)
    }
}
