//! Full tables: the distances of all boards of a small space.

use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Board, Metric};
use npuzzle_tables::{
    Damage, DistanceTable, FullSpace, Store, StoreError, StoreWarning, TableSpec,
};

use super::{Tables, push_bounded};
use crate::options::{Algorithm, HeuristicChoice, Limits, Options};
use crate::tables::catalogue;
use crate::tables::full::FullTable;

/// The full tables that a cache has for a goal, as input of the plan.
///
/// ```
/// use npuzzle::search::{Availability, plan_with};
/// use npuzzle::{Algorithm, Options};
/// let puzzle = "1 2 3 4/5 6 7 8/9 0 10 11".parse()?;
/// let algorithm = |known| plan_with(&puzzle, &Options::default(), known).map(|plan| plan.algorithm);
/// assert_eq!(algorithm(Availability::default()), Ok(Algorithm::Ida));
/// assert_eq!(algorithm(Availability { has_table: true, ..Availability::default() }), Ok(Algorithm::Table));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Availability {
    /// Whether a full table is in memory, in the requested metric.
    pub has_table: bool,
    /// States that searches generated for boards that a full table would have answered.
    pub n_searched: u64,
}

impl Tables {
    /// The full table of a goal, built if necessary. `None` if the board is too large.
    pub fn full(&mut self, goal: &Board, metric: Metric) -> Option<&FullTable> {
        let options = Options { limits: Limits::NONE, ..Options::default() };
        self.full_within(goal, metric, &options, &mut ()).ok()?
    }

    /// The full table of a goal, built if necessary and within the limits.
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
            Some(table) => Some(table),
            None => {
                let max_bytes = self.make_room(goal, metric, options.limits.memory);
                self.load_or_build_full(goal, metric, options, max_bytes, watch)?
            }
        };
        let Some(table) = table else { return Ok(None) };
        push_bounded(&mut self.full, Tables::MAX, table);
        Ok(self.full.last())
    }

    /// Drops full tables until a new one fits into the memory limit, and returns the bytes left for it.
    fn make_room(&mut self, goal: &Board, metric: Metric, memory: Option<u64>) -> Option<u64> {
        let needed = FullTable::space(goal, metric).map_or(0, |s| s.build_bytes(1) as u64);
        let memory = memory?;
        while !self.full.is_empty() && self.full_bytes() + needed > memory {
            self.full.remove(0);
        }
        Some(memory.saturating_sub(self.full_bytes()))
    }

    fn load_or_build_full(
        &mut self,
        goal: &Board,
        metric: Metric,
        options: &Options,
        max_bytes: Option<u64>,
        watch: &mut dyn Watch,
    ) -> Result<Option<FullTable>, Limit> {
        let n_threads = || options.resources().threads;
        let stored = FullTable::space(goal, metric)
            .and_then(|space| Some((space, catalogue::full_table(space)?)));
        let Some((space, spec)) = stored else {
            return FullTable::build_with(goal, metric, n_threads, max_bytes, watch);
        };
        if let Some(table) = self.load_full(goal, space, &spec, max_bytes, watch)? {
            return Ok(Some(table));
        }
        let n_threads = FullTable::threads_within(space, n_threads, max_bytes)?;
        let bytes = self.load_or_build(&spec, n_threads, watch)?;
        let table = DistanceTable::from_bytes(space, bytes);
        Ok(table.and_then(|table| FullTable::from_table(goal, table)))
    }

    /// Loads a full table from the store. `None` if the file is missing, damaged or larger than `max_bytes`.
    fn load_full(
        &mut self,
        goal: &Board,
        space: FullSpace,
        spec: &TableSpec,
        max_bytes: Option<u64>,
        watch: &mut dyn Watch,
    ) -> Result<Option<FullTable>, Limit> {
        if self.is_damaged(spec.name()) || max_bytes.is_some_and(|max| spec.len() as u64 > max) {
            return Ok(None);
        }
        let Some(bytes) = self.load(spec, watch)? else { return Ok(None) };
        let table = DistanceTable::from_bytes(space, bytes);
        Ok(table.and_then(|table| FullTable::from_table(goal, table)))
    }

    /// Drops the full table of a goal, whose entries are wrong, and removes its file; if the file cannot be
    /// removed, the store is no longer used.
    pub(crate) fn discard_full(&mut self, goal: &Board, metric: Metric) {
        let Some(space) = FullTable::space(goal, metric) else { return };
        self.full.retain(|table| !table.serves(space));
        let Some(spec) = catalogue::full_table(space) else { return };
        let Some(path) = self.store.path(spec.name()) else { return };
        self.warnings
            .push(StoreWarning::Rebuilt(StoreError::Damaged { path, damage: Damage::Entries }));
        if self.store.remove(spec.name()).is_err() {
            self.store = Store::none();
        }
    }

    /// Loads the full table of a goal if it is stored, so that the plan can use it.
    pub(crate) fn preload_full(&mut self, goal: &Board, options: &Options, watch: &mut dyn Watch) {
        let may_use = matches!(options.algorithm, Algorithm::Auto | Algorithm::Table)
            && options.heuristic == HeuristicChoice::Auto;
        // Only the largest full tables are stored. An 8-puzzle is answered faster than its form is computed.
        if !may_use || goal.dims().cells() != FullTable::MAX_CELLS {
            return;
        }
        let space = FullTable::space(goal, options.metric);
        let Some(space) = space.filter(|space| !self.full.iter().any(|t| t.serves(*space))) else {
            return;
        };
        let Some(spec) = catalogue::full_table(space) else { return };
        let max_bytes = options.limits.memory.map(|max| max.saturating_sub(self.full_bytes()));
        // A limit that stops this stops the search as well.
        if let Ok(Some(table)) = self.load_full(goal, space, &spec, max_bytes, watch) {
            push_bounded(&mut self.full, Tables::MAX, table);
        }
    }

    /// Bytes of the full tables. Tables that goals share are counted for each goal.
    fn full_bytes(&self) -> u64 {
        self.full.iter().map(|table| table.bytes() as u64).sum()
    }

    /// The full tables that the cache has for a goal.
    pub(crate) fn availability(&self, goal: &Board, metric: Metric) -> Availability {
        let Some(space) = FullTable::space(goal, metric) else { return Availability::default() };
        let n_searched = self.n_searched.iter().find(|(searched, _)| *searched == space);
        Availability {
            has_table: self.full.iter().any(|table| table.serves(space)),
            n_searched: n_searched.map_or(0, |(_, n)| *n),
        }
    }

    /// Counts the states that a search generated, if a full table would have answered its board.
    pub(crate) fn count_search(&mut self, goal: &Board, metric: Metric, n_generated: u64) {
        let Some(space) = FullTable::space(goal, metric) else { return };
        if let Some((_, n)) = self.n_searched.iter_mut().find(|(known, _)| *known == space) {
            *n += n_generated;
        } else if self.n_searched.len() < Tables::MAX {
            self.n_searched.push((space, n_generated));
        }
    }
}
