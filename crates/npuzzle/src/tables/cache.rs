//! Tables that are kept from one board to the next, and from one run to the next.

mod merge;

use std::sync::Arc;
use std::time::Duration;

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_core::{Board, Cell, Dims, Metric};
use npuzzle_tables::{
    Abstraction, Damage, FullSpace, MtmTable, Partition, PdbSet, Store, StoreError, StoreWarning,
    TableName, TableSpec, n_cores,
};

use crate::engine::pdb::search::Resources;
use crate::options::{Algorithm, HeuristicChoice, Limits, Options};
use crate::plan::{Availability, Engine, Plan};
use crate::tables::additive_pdb::AdditivePdb;
use crate::tables::canonical::CanonicalForm;
use crate::tables::catalogue;
use crate::tables::full::FullTable;

/// The size of boards, where the blank belongs, and what is counted.
pub(crate) type Boards = (Dims, Cell, Metric);

/// Tables built for earlier boards, for those to come.
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
    /// How many states searches have generated where a full table would have answered.
    n_searched: Vec<(FullSpace, u64)>,
    small: Vec<Arc<PdbSet>>,
    large: Vec<Arc<PdbSet>>,
    runs: Vec<Arc<MtmTable>>,
    /// How long searches have been without large tables.
    spent: Vec<(Boards, Duration)>,
    store: Store,
    /// Stored tables that cannot be used, and why, until that is told.
    damaged: Vec<(TableName, Option<StoreError>)>,
    warnings: Vec<StoreWarning>,
}

impl Tables {
    /// How many are kept of either kind: enough for the goals people use, few enough for any batch.
    const MAX: usize = 16;

    /// How many large ones are kept.
    const MAX_LARGE: usize = 2;

    /// None yet, and none on disk.
    ///
    /// ```
    /// assert!(npuzzle::Tables::new().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new() -> Tables {
        Tables::default()
    }

    /// None yet; those of the [catalogue](crate::tables::catalogue) are looked for in a store, and kept
    /// there.
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

    /// What people should be told of the store: what was damaged, what could not be kept. Once each.
    pub fn take_warnings(&mut self) -> Vec<StoreWarning> {
        let unused = self.damaged.iter_mut().filter_map(|(_, error)| error.take());
        self.warnings.extend(unused.map(StoreWarning::Unused));
        std::mem::take(&mut self.warnings)
    }

    /// How many are kept now.
    pub fn len(&self) -> usize {
        self.full.len() + self.small.len() + self.large.len() + self.runs.len()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pattern databases of this goal that are part of the program or built on the spot; `None`
    /// if the board is too large.
    pub(crate) fn small(
        &mut self,
        goal: &Board,
        effort: Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<AdditivePdb>, Limit> {
        let Some(frame) = CanonicalForm::new(goal) else { return Ok(None) };
        if let Some(set) = of_frame(&self.small, &frame) {
            return Ok(Some(AdditivePdb::new(frame, set)));
        }
        let (dims, blank) = (frame.dims(), frame.blank());
        if !effort.has_memory(PdbSet::n_bytes_to_build(dims, blank)) {
            return Err(Limit::Memory);
        }
        let set = PdbSet::new_watched(dims, blank, effort.threads, watch)?.map(Arc::new);
        let Some(set) = set else { return Ok(None) };
        keep(&mut self.small, Tables::MAX, Arc::clone(&set));
        Ok(Some(AdditivePdb::new(frame, set)))
    }

    /// The large pattern databases of this goal; `None` if there are none for its size.
    pub(crate) fn large(&self, goal: &Board) -> Option<Large> {
        let frame = CanonicalForm::new(goal)?;
        let (partition, recipe) = catalogue::large(frame.dims(), frame.blank())?;
        let place = if of_frame(&self.large, &frame).is_some() {
            Place::Memory
        } else if self.is_stored(recipe.name()) {
            Place::Store
        } else {
            Place::Nowhere
        };
        Some(Large { partition, recipe, place })
    }

    /// Whether there are large tables of this goal in memory.
    pub(crate) fn has_large(&self, goal: &Board, metric: Metric) -> bool {
        let is_large =
            |table: &MtmTable| MtmTable::n_bytes(table.relabelling()) >= MtmTable::WORTH_KEEPING;
        match metric {
            Metric::Stm => CanonicalForm::new(goal)
                .is_some_and(|frame| of_frame(&self.large, &frame).is_some()),
            Metric::Mtm => self.runs.iter().any(|table| is_large(table)),
        }
    }

    /// Gets them from where they are said to be, or builds them if that is nowhere. `None` if what
    /// is stored cannot be used: then they are nowhere, which is another price, to be asked for
    /// again.
    pub(crate) fn get_large(
        &mut self,
        goal: &Board,
        large: &Large,
        effort: Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<AdditivePdb>, Limit> {
        let Some(frame) = CanonicalForm::new(goal) else { return Ok(None) };
        if !effort.has_memory(large.n_bytes_to_get()) {
            return Err(Limit::Memory);
        }
        let (recipe, store) = (&large.recipe, &self.store);
        let bytes = match large.place {
            Place::Memory => {
                return Ok(of_frame(&self.large, &frame).map(|set| AdditivePdb::new(frame, set)));
            }
            Place::Store => match recipe.load(store, watch) {
                Ok(Some(bytes)) => bytes,
                Ok(None) => return Ok(None),
                Err(StoreError::Stopped(limit)) => return Err(limit),
                Err(error) => {
                    self.damaged.push((recipe.name().clone(), Some(error)));
                    return Ok(None);
                }
            },
            Place::Nowhere => {
                let got = recipe.get(store, effort.threads, watch)?;
                self.damaged.retain(|(name, _)| name != recipe.name());
                self.warnings.extend(got.warnings);
                got.bytes
            }
        };
        let bytes = bytes.in_huge_pages();
        let Some(set) = large.partition.set(&bytes).map(Arc::new) else { return Ok(None) };
        keep(&mut self.large, Tables::MAX_LARGE, Arc::clone(&set));
        Ok(Some(AdditivePdb::new(frame, set)))
    }

    /// Gets them whatever time that takes; `None` if there are none for boards of this size.
    pub(crate) fn get_large_anyhow(
        &mut self,
        goal: &Board,
        effort: Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<AdditivePdb>, Limit> {
        // Where they are said to be, and nowhere if they are not there.
        for _ in 0..2 {
            let Some(large) = self.large(goal) else { return Ok(None) };
            if let Some(patterns) = self.get_large(goal, &large, effort, watch)? {
                return Ok(Some(patterns));
            }
        }
        Ok(None)
    }

    /// The best pattern databases of this goal that take no more than a fraction of a second; `None`
    /// if the board is too large.
    pub(crate) fn best_patterns(
        &mut self,
        goal: &Board,
        effort: Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<AdditivePdb>, Limit> {
        match self.large(goal) {
            Some(large) if large.is_in_memory() => self.get_large(goal, &large, effort, watch),
            _ => self.small(goal, effort, watch),
        }
    }

    /// The tables of straight runs of boards relabelled like this, built unless they are there. `None`
    /// if what is stored cannot be used: then they are nowhere, which is another price.
    pub(crate) fn runs(
        &mut self,
        relabellings: &[Abstraction],
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<Vec<Arc<MtmTable>>>, Limit> {
        // They are large: those of one goal are kept.
        self.runs.retain(|table| relabellings.contains(table.relabelling()));
        for relabelling in relabellings {
            if self.runs.iter().any(|table| table.relabelling() == relabelling) {
                continue;
            }
            let is_large = MtmTable::n_bytes(relabelling) >= MtmTable::WORTH_KEEPING;
            let table = match catalogue::run_table(relabelling).filter(|_| is_large) {
                Some(recipe) if self.is_stored(recipe.name()) => {
                    match recipe.load(&self.store, watch) {
                        Ok(bytes) => bytes.and_then(|bytes| {
                            let bytes = Arc::new(bytes.in_huge_pages());
                            MtmTable::from_bytes(relabelling.clone(), bytes)
                        }),
                        Err(StoreError::Stopped(limit)) => return Err(limit),
                        Err(error) => {
                            self.damaged.push((recipe.name().clone(), Some(error)));
                            return Ok(None);
                        }
                    }
                }
                Some(recipe) => {
                    let got = recipe.get(&self.store, n_threads, watch)?;
                    self.damaged.retain(|(name, _)| name != recipe.name());
                    self.warnings.extend(got.warnings);
                    let bytes = Arc::new(got.bytes.in_huge_pages());
                    MtmTable::from_bytes(relabelling.clone(), bytes)
                }
                None => None,
            };
            self.runs.push(Arc::new(match table {
                Some(table) => table,
                None => MtmTable::build(relabelling.clone(), n_threads, watch)?,
            }));
        }
        Ok(Some(self.runs.clone()))
    }

    /// Whether there is a file of this name that is not known to be damaged.
    fn is_stored(&self, name: &TableName) -> bool {
        !self.damaged.iter().any(|(damaged, _)| damaged == name)
            && self.store.path(name).is_some_and(|path| path.exists())
    }

    /// About how long it takes until all of these tables are there.
    pub(crate) fn runs_cost(&self, relabellings: &[Abstraction], n_threads: usize) -> Duration {
        let cost = |relabelling: &Abstraction| {
            let n_bytes = MtmTable::n_bytes(relabelling) as f64;
            let is_stored = || relabelling.name().is_some_and(|name| self.is_stored(&name));
            if self.runs.iter().any(|table| table.relabelling() == relabelling) {
                0.0
            } else if is_stored() {
                n_bytes / LOADED_PER_SECOND
            } else {
                n_bytes / RUNS_BUILT_PER_SECOND / speed_up(n_threads, n_cores())
            }
        };
        Duration::from_secs_f64(relabellings.iter().map(cost).sum())
    }

    /// Counts the time of a search without the best tables.
    pub(crate) fn spend(&mut self, boards: Boards, time: Duration) {
        match self.spent.iter_mut().find(|(known, _)| *known == boards) {
            Some((_, spent)) => *spent += time,
            None => keep(&mut self.spent, Tables::MAX, (boards, time)),
        }
    }

    /// Forgets that time, since better tables are going to be got.
    pub(crate) fn settle(&mut self, boards: Boards) {
        self.spent.retain(|(known, _)| *known != boards);
    }

    /// The time of all searches that went without them.
    pub(crate) fn spent(&self, boards: Boards) -> Duration {
        let known = self.spent.iter().find(|(known, _)| *known == boards);
        known.map_or(Duration::ZERO, |(_, spent)| *spent)
    }

    /// The table of this goal, built unless it is there; `None` if the board is too large.
    pub fn full(&mut self, goal: &Board, metric: Metric) -> Option<&FullTable> {
        let options = Options { limits: Limits::NONE, ..Options::default() };
        self.full_within(goal, metric, &options, &mut ()).ok()?
    }

    /// The table of this goal, built unless it is there or a limit is reached.
    pub(crate) fn full_within(
        &mut self,
        goal: &Board,
        metric: Metric,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Option<&FullTable>, Limit> {
        let known = self.full.iter().position(|t| t.goal() == goal && t.metric() == metric);
        if let Some(at) = known {
            return Ok(self.full.get(at));
        }
        let shared = self.full.iter().find_map(|table| table.for_goal(goal, metric));
        let table = match shared {
            Some(table) => table,
            None => {
                let most = options.limits.memory;
                let needed = FullTable::space(goal, metric).map_or(0, |s| s.build_bytes(1) as u64);
                while let (Some(most), Some(_)) = (most, self.full.first())
                    && self.full_bytes() + needed > most
                {
                    self.full.remove(0);
                }
                let most = most.map(|most| most.saturating_sub(self.full_bytes()));
                match self.make_full(goal, metric, options, most, watch)? {
                    Some(table) => table,
                    None => return Ok(None),
                }
            }
        };
        keep(&mut self.full, Tables::MAX, table);
        Ok(self.full.last())
    }

    /// The table of this goal, from the store if it is there, else built within so many bytes.
    fn make_full(
        &mut self,
        goal: &Board,
        metric: Metric,
        options: &Options,
        most: Option<u64>,
        watch: &mut dyn Watch,
    ) -> Result<Option<FullTable>, Limit> {
        let n_threads = || options.resources().threads;
        let stored = FullTable::space(goal, metric).and_then(|space| {
            let recipe = catalogue::full_table(space)?;
            Some((space, recipe))
        });
        let Some((space, recipe)) = stored else {
            return FullTable::build_with(goal, metric, n_threads, most, watch);
        };
        if let Some(table) = self.load_full(goal, space, &recipe, most, watch)? {
            return Ok(Some(table));
        }
        let n_threads = FullTable::threads_within(space, n_threads, most)?;
        let got = recipe.get(&self.store, n_threads, watch)?;
        self.damaged.retain(|(name, _)| name != recipe.name());
        self.warnings.extend(got.warnings);
        let table = npuzzle_tables::DistanceTable::from_bytes(space, Arc::new(got.bytes));
        Ok(table.and_then(|table| FullTable::from_table(goal, table)))
    }

    /// The table of a recipe, if it is stored and right and takes no more than so many bytes.
    fn load_full(
        &mut self,
        goal: &Board,
        space: FullSpace,
        recipe: &TableSpec,
        most: Option<u64>,
        watch: &mut dyn Watch,
    ) -> Result<Option<FullTable>, Limit> {
        let is_damaged = self.damaged.iter().any(|(name, _)| name == recipe.name());
        if is_damaged || most.is_some_and(|most| recipe.len() as u64 > most) {
            return Ok(None);
        }
        match recipe.load(&self.store, watch) {
            Ok(bytes) => Ok(bytes.and_then(|bytes| {
                let table = npuzzle_tables::DistanceTable::from_bytes(space, Arc::new(bytes))?;
                FullTable::from_table(goal, table)
            })),
            Err(StoreError::Stopped(limit)) => Err(limit),
            Err(error) => {
                self.damaged.push((recipe.name().clone(), Some(error)));
                Ok(None)
            }
        }
    }

    /// Forgets the table of this goal, which is not what it should be, and takes it out of the store;
    /// if that cannot be, nothing is stored any more.
    pub(crate) fn distrust_full(&mut self, goal: &Board, metric: Metric) {
        let Some(space) = FullTable::space(goal, metric) else { return };
        self.full.retain(|table| !table.serves(space));
        let Some(recipe) = catalogue::full_table(space) else { return };
        let Some(path) = self.store.path(recipe.name()) else { return };
        self.warnings
            .push(StoreWarning::Rebuilt(StoreError::Damaged { path, damage: Damage::Entries }));
        if self.store.remove(recipe.name()).is_err() {
            self.store = Store::none();
        }
    }

    /// Loads the table of this goal if it is stored, so that the plan can count on it.
    pub(crate) fn find_full(&mut self, goal: &Board, options: &Options, watch: &mut dyn Watch) {
        let asks = matches!(options.algorithm, Algorithm::Auto | Algorithm::Table);
        // An 8-puzzle is answered in the time that it takes to look for its frame.
        let is_kept = goal.dims().cells() == FullTable::MAX_CELLS;
        if !asks || !is_kept || options.heuristic != HeuristicChoice::Auto {
            return;
        }
        let space = FullTable::space(goal, options.metric);
        let Some(space) = space.filter(|space| !self.full.iter().any(|t| t.serves(*space))) else {
            return;
        };
        let Some(recipe) = catalogue::full_table(space) else { return };
        let most = options.limits.memory.map(|most| most.saturating_sub(self.full_bytes()));
        // Whoever ends this ends what comes next.
        if let Ok(Some(table)) = self.load_full(goal, space, &recipe, most, watch) {
            keep(&mut self.full, Tables::MAX, table);
        }
    }

    /// Bytes of the tables of all distances; those that goals share are counted for each.
    fn full_bytes(&self) -> u64 {
        self.full.iter().map(|table| table.bytes() as u64).sum()
    }

    /// What there is for boards with this goal.
    pub(crate) fn at_hand(&self, goal: &Board, metric: Metric) -> Availability {
        let Some(space) = FullTable::space(goal, metric) else { return Availability::default() };
        let n_searched = self.n_searched.iter().find(|(searched, _)| *searched == space);
        Availability {
            has_table: self.full.iter().any(|table| table.serves(space)),
            n_searched: n_searched.map_or(0, |(_, n)| *n),
        }
    }

    /// Counts a search that a table would have spared.
    pub(crate) fn count(&mut self, goal: &Board, plan: &Plan, stats: &Stats) {
        let (Engine::Ida(_) | Engine::Runs { .. }) = plan.engine else { return };
        let Some(space) = FullTable::space(goal, plan.metric) else { return };
        if let Some((_, n)) = self.n_searched.iter_mut().find(|(known, _)| *known == space) {
            *n += stats.generated;
        } else if self.n_searched.len() < Tables::MAX {
            self.n_searched.push((space, stats.generated));
        }
    }
}

/// The set for the boards of a frame.
fn of_frame(sets: &[Arc<PdbSet>], frame: &CanonicalForm) -> Option<Arc<PdbSet>> {
    let is_for = |set: &&Arc<PdbSet>| (set.dims(), set.blank()) == (frame.dims(), frame.blank());
    sets.iter().find(is_for).cloned()
}

/// Adds to a list that is not to grow beyond a length; what is oldest goes.
fn keep<T>(list: &mut Vec<T>, most: usize, item: T) {
    if list.len() == most {
        list.remove(0);
    }
    list.push(item);
}

/// The large tables of a goal, and how near they are.
#[derive(Clone, Debug)]
pub(crate) struct Large {
    partition: Partition,
    recipe: TableSpec,
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Memory,
    Store,
    Nowhere,
}

impl Large {
    /// Which boards they are for.
    pub(crate) fn boards(&self) -> Boards {
        (self.partition.dims(), self.partition.blank(), Metric::Stm)
    }

    pub(crate) fn name(&self) -> String {
        self.partition.name()
    }

    pub(crate) fn is_in_memory(&self) -> bool {
        self.place == Place::Memory
    }

    /// About how long it takes until they are there, if so many threads build.
    pub(crate) fn cost(&self, threads: usize) -> Duration {
        let seconds = match self.place {
            Place::Memory => 0.0,
            Place::Store => self.partition.n_bytes() as f64 / LOADED_PER_SECOND,
            Place::Nowhere => {
                let alone = self.partition.n_ranks() as f64 / BUILT_PER_SECOND;
                alone / speed_up(threads, n_cores())
            }
        };
        Duration::from_secs_f64(seconds)
    }

    /// Bytes that are held on the way, at most.
    pub(crate) fn n_bytes_to_get(&self) -> usize {
        match self.place {
            Place::Nowhere => self.partition.n_bytes_to_build(),
            Place::Memory | Place::Store => self.partition.n_bytes(),
        }
    }
}

/// How much faster so many threads build than one: more of them than there are cores gain nothing.
fn speed_up(n_threads: usize, n_cores: usize) -> f64 {
    n_threads.min(n_cores).max(1) as f64
}

/// Bytes of a stored table that are checked and copied in a second.
const LOADED_PER_SECOND: f64 = 2e9;

/// Bytes of a table of straight runs that a thread builds in a second.
const RUNS_BUILT_PER_SECOND: f64 = 22e6;

/// Placements that a thread builds in a second.
const BUILT_PER_SECOND: f64 = 14e6;

#[cfg(test)]
mod tests {
    use super::*;

    /// Who believes otherwise builds large tables for a board that is solved sooner without them.
    #[test]
    fn more_threads_than_cores_build_no_faster() {
        for (n_threads, n_cores, faster) in
            [(1, 2, 1.0), (2, 2, 2.0), (16, 2, 2.0), (3, 64, 3.0), (0, 4, 1.0)]
        {
            assert_eq!(speed_up(n_threads, n_cores), faster, "{n_threads} on {n_cores}");
        }
        let (tables, most) = (Tables::new(), n_cores());
        let goal: Board = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0".parse().unwrap();
        let large = tables.large(&goal).unwrap();
        assert_eq!(large.cost(100 * most), large.cost(most));
        let runs = Abstraction::suited(goal.dims(), Cell::new(15), 3).unwrap();
        assert_eq!(tables.runs_cost(&runs, 100 * most), tables.runs_cost(&runs, most));
    }
}
