//! Pattern databases that are stored, because they take seconds to build.

use std::sync::Arc;
use std::time::Duration;

use npuzzle_core::Board;
use npuzzle_core::search::{Limit, Watch};
use npuzzle_tables::parallel::n_cores;
use npuzzle_tables::{Partition, TableBytes, TableSpec, ZeroAwareSet};

use super::{LOADED_PER_SECOND, Tables, push_bounded, speed_up};
use crate::limits::Resources;
use crate::tables::canonical::CanonicalForm;
use crate::tables::catalogue;
use crate::tables::zero_aware::{ZeroAwareTables, joined_name};

/// Placements that one thread builds per second.
const BUILT_PER_SECOND: f64 = 45e6;

/// The pattern databases of one tier for a goal.
#[derive(Clone, Debug)]
pub(crate) struct StoredPdb {
    partitions: Vec<LocatedPartition>,
}

/// The pattern databases of one partition, and where they are.
#[derive(Clone, Debug)]
struct LocatedPartition {
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
    /// The name of all partitions together, as in [`ZeroAwareTables::name`].
    pub(crate) fn name(&self) -> String {
        joined_name(self.partitions.iter().map(|one| &one.partition))
    }

    pub(crate) fn is_in_memory(&self) -> bool {
        self.partitions.iter().all(|one| one.location == Location::Memory)
    }

    /// The estimated time to load or build them.
    pub(crate) fn cost(&self, n_threads: usize) -> Duration {
        self.partitions.iter().map(|one| one.cost(n_threads)).sum()
    }

    /// The maximum memory in bytes while they are loaded or built. Partitions are built one after the other.
    pub(crate) fn n_bytes_to_get(&self) -> usize {
        let n_bytes = self.partitions.iter().map(|one| one.partition.n_bytes()).sum::<usize>();
        let extra = self.partitions.iter().map(LocatedPartition::n_extra_bytes);
        n_bytes + extra.max().unwrap_or(0)
    }
}

impl LocatedPartition {
    fn cost(&self, n_threads: usize) -> Duration {
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

    /// The set of these bytes. It shares the numbering of slots with the first set of its tier.
    fn set(
        &self,
        bytes: TableBytes,
        first: Option<&Arc<ZeroAwareSet>>,
    ) -> Option<Arc<ZeroAwareSet>> {
        let bytes = bytes.in_huge_pages();
        let set = match first {
            Some(first) => first.from_bytes_sharing_slots(&self.partition, &bytes),
            None => ZeroAwareSet::from_bytes(&self.partition, &bytes),
        };
        set.map(Arc::new)
    }

    /// The memory in bytes that is needed only while they are built.
    fn n_extra_bytes(&self) -> usize {
        match self.location {
            Location::Nowhere => self.partition.build_bytes() - self.partition.n_bytes(),
            Location::Memory | Location::Store => 0,
        }
    }
}

impl Tables {
    /// The tiers of stored pattern databases of a goal, from the smallest to the largest. Empty if boards of its size
    /// have none.
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
            LocatedPartition { partition, spec, location }
        };
        let tiers = catalogue::pdb_tiers(form.dims(), form.blank()).into_iter();
        tiers
            .map(|tier| StoredPdb { partitions: tier.into_iter().map(located).collect() })
            .collect()
    }

    /// The tables of a partition that are in memory.
    fn stored_set(&self, partition: &Partition) -> Option<&Arc<ZeroAwareSet>> {
        self.stored.iter().flatten().find(|set| set.partition() == partition)
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
        // All files are read before the first table is built, so that nothing is built if one of them is damaged.
        let mut loaded = Vec::new();
        for one in &pdb.partitions {
            loaded.push(match one.location {
                Location::Store => self.load(&one.spec, watch)?,
                Location::Memory | Location::Nowhere => None,
            });
        }
        let is_damaged = |(one, bytes): (&LocatedPartition, &Option<TableBytes>)| {
            one.location == Location::Store && bytes.is_none()
        };
        if pdb.partitions.iter().zip(&loaded).any(is_damaged) {
            return Ok(None);
        }
        let mut sets: Vec<Arc<ZeroAwareSet>> = Vec::new();
        for (one, bytes) in pdb.partitions.iter().zip(loaded) {
            let set = match (one.location, bytes) {
                (Location::Memory, _) => self.stored_set(&one.partition).cloned(),
                (_, Some(bytes)) => one.set(bytes, sets.first()),
                (_, None) => {
                    let bytes = self.load_or_build(&one.spec, resources.threads, watch)?;
                    one.set(bytes, sets.first())
                }
            };
            let Some(set) = set else { return Ok(None) };
            sets.push(set);
        }
        self.keep_tier(sets.clone());
        Ok(Some(ZeroAwareTables::new(form, sets)))
    }

    /// Keeps a tier in memory, unless the same boards have a larger one. A smaller one is dropped.
    pub(super) fn keep_tier(&mut self, sets: Vec<Arc<ZeroAwareSet>>) {
        let n_bytes = |tier: &[Arc<ZeroAwareSet>]| -> usize {
            tier.iter().map(|set| set.partition().n_bytes()).sum()
        };
        let is_for_same_boards = |tier: &Vec<Arc<ZeroAwareSet>>| {
            let first = tier.first().zip(sets.first());
            first.is_some_and(|(a, b)| a.partition().is_for_same_boards(b.partition()))
        };
        match self.stored.iter_mut().find(|tier| is_for_same_boards(tier)) {
            Some(tier) if n_bytes(tier) < n_bytes(&sets) => *tier = sets,
            Some(_) => {}
            None => push_bounded(&mut self.stored, Tables::MAX_STORED, sets),
        }
    }

    /// Gets the largest ones that memory is sufficient for, whatever the cost. `None` if boards of this size have none.
    pub(crate) fn get_large_pdb_at_any_cost(
        &mut self,
        goal: &Board,
        resources: &Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<ZeroAwareTables>, Limit> {
        // The second attempt builds what a damaged file should have held.
        for _ in 0..2 {
            let pdbs = self.stored_pdbs(goal);
            let Some(large) = largest_tier(&pdbs, resources).map(|at| &pdbs[at]) else {
                return Ok(None);
            };
            if let Some(pdb) = self.get_stored_pdb(goal, large, resources, watch)? {
                return Ok(Some(pdb));
            }
        }
        Ok(None)
    }
}

/// The largest tier that memory is sufficient for. If there is none, the smallest one: to get it fails with the limit.
pub(crate) fn largest_tier(pdbs: &[StoredPdb], resources: &Resources) -> Option<usize> {
    let fits = |pdb: &StoredPdb| resources.has_memory(pdb.n_bytes_to_get());
    pdbs.iter().rposition(fits).or((!pdbs.is_empty()).then_some(0))
}
