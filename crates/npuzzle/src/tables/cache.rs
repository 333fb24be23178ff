//! The tables of earlier boards, kept for later ones, in memory and on disk.

mod full;
mod merge;
mod mtm;
mod stored;

use std::sync::Arc;
use std::time::Duration;

use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Board, Cell, Dims, Metric};
use npuzzle_tables::{
    FullSpace, MtmTable, Partition, PdbKind, PdbSet, Store, StoreError, StoreWarning, TableBytes,
    TableName, TableSpec, ZeroAwareSet,
};

use crate::limits::Resources;
use crate::tables::additive_pdb::AdditivePdb;
use crate::tables::canonical::CanonicalForm;
use crate::tables::full::FullTable;
use crate::tables::zero_aware::ZeroAwareTables;

pub use full::Availability;
pub(crate) use stored::{StoredPdb, largest_tier};

/// The boards that share search tables: their size, the goal cell of the blank in the canonical form, and
/// the metric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoardKind {
    pub(crate) dims: Dims,
    pub(crate) blank: Cell,
    pub(crate) metric: Metric,
}

impl BoardKind {
    /// The kind of the boards with a goal. `None` if the goal has no canonical form.
    pub(crate) fn new(goal: &Board, metric: Metric) -> Option<BoardKind> {
        let form = CanonicalForm::new(goal)?;
        Some(BoardKind { dims: form.dims(), blank: form.blank(), metric })
    }
}

/// Tables that were built or loaded for earlier boards, and the store that holds more.
///
/// ```
/// use npuzzle::{Options, Tables};
/// let mut tables = Tables::new();
/// let five_rows = "1 2/3 4/5 6/7 8/0 9".parse()?;
/// Options::default().solve_with(&five_rows, &mut tables, &mut ())?;
/// assert!(!tables.is_empty()); // for the next board of this size
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tables {
    full: Vec<FullTable>,
    /// States that searches generated for boards that a full table would have answered.
    n_searched: Vec<(FullSpace, u64)>,
    small: Vec<Arc<PdbSet>>,
    small_zero_aware: Vec<Arc<ZeroAwareSet>>,
    /// The sets of a tier, for each kind of boards.
    stored: Vec<Vec<Arc<ZeroAwareSet>>>,
    /// The MTM tables of one goal.
    mtm: Vec<Arc<MtmTable>>,
    /// The time of searches that could have used better tables.
    time_without_best: Vec<(BoardKind, Duration)>,
    store: Store,
    /// Stored tables that cannot be used. The reason is taken by the warning that reports it.
    damaged: Vec<(TableName, Option<StoreError>)>,
    warnings: Vec<StoreWarning>,
}

impl Tables {
    /// The maximum number of tables of each kind: enough for the usual goals, and few enough for any batch.
    const MAX: usize = 16;

    /// The maximum number of tiers of pattern databases that are stored on disk. A goal has one, the largest so far.
    const MAX_STORED: usize = 2;

    /// An empty cache without a store.
    ///
    /// ```
    /// assert!(npuzzle::Tables::new().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new() -> Tables {
        Tables::default()
    }

    /// An empty cache that loads the tables of the [catalogue](crate::tables::catalogue()) from a store, and
    /// saves them there.
    ///
    /// ```
    /// use npuzzle::tables::Store;
    /// use npuzzle::{Options, Tables};
    /// let mut tables = Tables::with_store(Store::none()); // or Store::default_folder()
    /// Options::default().solve_with(&"8 1 3/4 0 2/7 6 5".parse()?, &mut tables, &mut ())?;
    /// for warning in tables.take_warnings() {
    ///     eprintln!("{warning}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_store(store: Store) -> Tables {
        Tables { store, ..Tables::default() }
    }

    /// Returns the warnings of the store since the last call: damaged files, and tables that could not be
    /// saved.
    pub fn take_warnings(&mut self) -> Vec<StoreWarning> {
        let unused = self.damaged.iter_mut().filter_map(|(_, error)| error.take());
        self.warnings.extend(unused.map(StoreWarning::Unused));
        std::mem::take(&mut self.warnings)
    }

    /// The number of tables in memory.
    pub fn len(&self) -> usize {
        self.full.len()
            + self.small.len()
            + self.small_zero_aware.len()
            + self.stored.iter().map(Vec::len).sum::<usize>()
            + self.mtm.len()
    }

    /// Whether no table is in memory.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The small pattern databases of a goal, which are embedded or built in a fraction of a second. `None`
    /// if the board is too large.
    pub(crate) fn small_pdb(
        &mut self,
        goal: &Board,
        resources: &Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<AdditivePdb>, Limit> {
        let Some(form) = CanonicalForm::new(goal) else { return Ok(None) };
        if let Some(set) = set_for(&self.small, PdbSet::partition, &form) {
            return Ok(Some(AdditivePdb::new(form, set)));
        }
        let (dims, blank) = (form.dims(), form.blank());
        if !resources.has_memory(Partition::small_build_bytes(dims, blank, PdbKind::Excess)) {
            return Err(Limit::Memory);
        }
        let set = PdbSet::new_watched(dims, blank, resources.threads, watch)?.map(Arc::new);
        let Some(set) = set else { return Ok(None) };
        push_bounded(&mut self.small, Tables::MAX, Arc::clone(&set));
        Ok(Some(AdditivePdb::new(form, set)))
    }

    /// The small zero-aware pattern databases of a goal, which are embedded or built in a fraction of a second.
    /// `None` if the board is too large.
    pub(crate) fn small_zero_aware(
        &mut self,
        goal: &Board,
        resources: &Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<ZeroAwareTables>, Limit> {
        let Some(form) = CanonicalForm::new(goal) else { return Ok(None) };
        if let Some(set) = set_for(&self.small_zero_aware, ZeroAwareSet::partition, &form) {
            return Ok(Some(ZeroAwareTables::new(form, vec![set])));
        }
        let (dims, blank) = (form.dims(), form.blank());
        if !resources.has_memory(Partition::small_build_bytes(dims, blank, PdbKind::ZeroAware)) {
            return Err(Limit::Memory);
        }
        let set = ZeroAwareSet::new_watched(dims, blank, resources.threads, watch)?.map(Arc::new);
        let Some(set) = set else { return Ok(None) };
        push_bounded(&mut self.small_zero_aware, Tables::MAX, Arc::clone(&set));
        Ok(Some(ZeroAwareTables::new(form, vec![set])))
    }

    /// Whether medium or large tables of a goal are in memory.
    pub(crate) fn has_large(&self, goal: &Board, metric: Metric) -> bool {
        match metric {
            Metric::Stm => self.stored_pdbs(goal).iter().any(StoredPdb::is_in_memory),
            Metric::Mtm => self.mtm.iter().any(|table| is_large(table.abstraction())),
        }
    }

    /// Adds the time of a search that did not use the best tables.
    pub(crate) fn add_time_without_best(&mut self, kind: BoardKind, time: Duration) {
        match self.time_without_best.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, sum)) => *sum += time,
            None => push_bounded(&mut self.time_without_best, Tables::MAX, (kind, time)),
        }
    }

    /// The time of all searches that did not use the best tables.
    pub(crate) fn time_without_best(&self, kind: BoardKind) -> Duration {
        let known = self.time_without_best.iter().find(|(known, _)| *known == kind);
        known.map_or(Duration::ZERO, |(_, sum)| *sum)
    }

    /// Whether a table has a file that is not known to be damaged.
    fn is_stored(&self, name: &TableName) -> bool {
        !self.is_damaged(name) && self.store.path(name).is_some_and(|path| path.exists())
    }

    fn is_damaged(&self, name: &TableName) -> bool {
        self.damaged.iter().any(|(damaged, _)| damaged == name)
    }

    /// Loads a table from the store. `None` if the file is missing, or damaged: then a warning says so.
    fn load(
        &mut self,
        spec: &TableSpec,
        watch: &mut dyn Watch,
    ) -> Result<Option<TableBytes>, Limit> {
        match spec.load(&self.store, watch) {
            Ok(bytes) => Ok(bytes),
            Err(StoreError::Stopped(limit)) => Err(limit),
            Err(error) => {
                self.damaged.push((spec.name().clone(), Some(error)));
                Ok(None)
            }
        }
    }

    /// Loads a table from the store, or builds it and saves it there.
    fn load_or_build(
        &mut self,
        spec: &TableSpec,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<TableBytes, Limit> {
        let loaded = spec.get(&self.store, n_threads, watch)?;
        self.damaged.retain(|(name, _)| name != spec.name());
        self.warnings.extend(loaded.warnings);
        Ok(loaded.bytes)
    }
}

/// Whether an MTM table is large enough to be stored.
fn is_large(abstraction: &npuzzle_tables::Abstraction) -> bool {
    MtmTable::n_bytes(abstraction) >= MtmTable::MIN_STORED_BYTES
}

/// The set for the boards of a canonical form.
fn set_for<S>(
    sets: &[Arc<S>],
    partition: fn(&S) -> &Partition,
    form: &CanonicalForm,
) -> Option<Arc<S>> {
    let board_kind = |set: &Arc<S>| (partition(set).dims(), partition(set).blank());
    sets.iter().find(|set| board_kind(set) == (form.dims(), form.blank())).cloned()
}

/// Appends to a list of at most `max_len` entries, and drops the oldest one if it is full.
fn push_bounded<T>(list: &mut Vec<T>, max_len: usize, item: T) {
    if list.len() == max_len {
        list.remove(0);
    }
    list.push(item);
}

/// The speed-up of a build with threads. More threads than cores gain nothing.
fn speed_up(n_threads: usize, n_cores: usize) -> f64 {
    n_threads.min(n_cores).max(1) as f64
}

/// Bytes of a stored table that are verified and copied per second.
const LOADED_PER_SECOND: f64 = 2e9;

#[cfg(test)]
mod tests {
    use npuzzle_tables::Abstraction;
    use npuzzle_tables::parallel::n_cores;

    use super::*;

    /// Otherwise large tables would be built for boards that are solved faster without them.
    #[test]
    fn build_cost_does_not_fall_beyond_the_number_of_cores() {
        for (n_threads, n_cores, faster) in
            [(1, 2, 1.0), (2, 2, 2.0), (16, 2, 2.0), (3, 64, 3.0), (0, 4, 1.0)]
        {
            assert_eq!(speed_up(n_threads, n_cores), faster, "{n_threads} on {n_cores}");
        }
        let (tables, most) = (Tables::new(), n_cores());
        let goal: Board = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0".parse().unwrap();
        let large = tables.stored_pdbs(&goal).pop().unwrap();
        assert_eq!(large.cost(100 * most), large.cost(most));
        let mtm = Abstraction::complementary(goal.dims(), Cell::new(15), 3).unwrap();
        assert_eq!(tables.mtm_cost(&mtm, 100 * most), tables.mtm_cost(&mtm, most));
    }
}
