//! Large pattern databases, which are stored or take minutes to build.

use std::sync::Arc;
use std::time::Duration;

use npuzzle_core::Board;
use npuzzle_core::search::{Limit, Watch};
use npuzzle_tables::parallel::n_cores;
use npuzzle_tables::{Partition, TableSpec, ZeroAwareSet};

use super::{LOADED_PER_SECOND, Tables, push_bounded, set_for, speed_up};
use crate::limits::Resources;
use crate::tables::canonical::CanonicalForm;
use crate::tables::catalogue;
use crate::tables::zero_aware::ZeroAwareTables;

/// Placements that one thread builds per second.
const BUILT_PER_SECOND: f64 = 45e6;

/// The large pattern databases of a goal, and where they are.
#[derive(Clone, Debug)]
pub(crate) struct LargePdb {
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

impl LargePdb {
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
    /// The large pattern databases of a goal. `None` if boards of its size have none.
    pub(crate) fn large_pdb(&self, goal: &Board) -> Option<LargePdb> {
        let form = CanonicalForm::new(goal)?;
        let (partition, spec) = catalogue::large(form.dims(), form.blank())?;
        let location = if set_for(&self.large, ZeroAwareSet::partition, &form).is_some() {
            Location::Memory
        } else if self.is_stored(spec.name()) {
            Location::Store
        } else {
            Location::Nowhere
        };
        Some(LargePdb { partition, spec, location })
    }

    /// Gets them from their location, or builds them. `None` if a stored file cannot be used: the
    /// tables must then be built, and the cost changes, so the caller decides again.
    pub(crate) fn get_large_pdb(
        &mut self,
        goal: &Board,
        large: &LargePdb,
        resources: &Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<ZeroAwareTables>, Limit> {
        let Some(form) = CanonicalForm::new(goal) else { return Ok(None) };
        if !resources.has_memory(large.n_bytes_to_get()) {
            return Err(Limit::Memory);
        }
        let bytes = match large.location {
            Location::Memory => {
                let set = set_for(&self.large, ZeroAwareSet::partition, &form);
                return Ok(set.map(|set| ZeroAwareTables::new(form, set)));
            }
            Location::Store => match self.load(&large.spec, watch)? {
                Some(bytes) => bytes,
                None => return Ok(None),
            },
            Location::Nowhere => self.load_or_build(&large.spec, resources.threads, watch)?,
        };
        let bytes = bytes.in_huge_pages();
        let Some(set) = ZeroAwareSet::from_bytes(&large.partition, &bytes).map(Arc::new) else {
            return Ok(None);
        };
        push_bounded(&mut self.large, Tables::MAX_LARGE, Arc::clone(&set));
        Ok(Some(ZeroAwareTables::new(form, set)))
    }

    /// Gets them whatever the cost. `None` if boards of this size have none.
    pub(crate) fn get_large_pdb_at_any_cost(
        &mut self,
        goal: &Board,
        resources: &Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<ZeroAwareTables>, Limit> {
        // The second attempt builds what a damaged file should have held.
        for _ in 0..2 {
            let Some(large) = self.large_pdb(goal) else { return Ok(None) };
            if let Some(pdb) = self.get_large_pdb(goal, &large, resources, watch)? {
                return Ok(Some(pdb));
            }
        }
        Ok(None)
    }
}
