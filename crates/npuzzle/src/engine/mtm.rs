//! Iterative deepening over straight runs with MTM tables, for boards of up to 16 cells.

pub(crate) mod search;

use std::sync::Arc;
use std::time::Duration;

use npuzzle_core::search::{Budget, Cost, Limit, Outcome, SearchReport, Watch};
use npuzzle_core::{Board, Instance, Metric, Slide};
use npuzzle_tables::{Abstraction, MtmTable, RunAutomaton};

use crate::engine::ida::iterate::{DeepeningState, Hooks};
use crate::engine::ida::table_escalation::{Escalated, TableTiers, TierCost, escalate};
use crate::engine::lower_bound::lower_bound;
use crate::engine::result::{EngineError, EngineResult, InternalError};
use crate::engine::solve_context::SolveContext;
use crate::limits::Resources;
use crate::options::{Options, TableSize};
use crate::tables::cache::{BoardKind, Tables};
use crate::tables::canonical::CanonicalForm;

use search::{engine, runs_at_least};

/// Tables with this many classes are built in a tenth of a second.
const MIN_CLASSES: usize = 3;

/// The most classes of [`TableSize::Small`].
const MAX_CLASSES_IF_SMALL: usize = 4;

/// Tables that cost no more than this are used immediately.
const NEGLIGIBLE: Duration = Duration::from_millis(40);

/// The most runs of a solution that is searched for without tables: up to 60,000 nodes in about a millisecond,
/// which is little compared with building tables.
const MAX_BLIND_RUNS: Cost = 9;

/// The longest wait for the tables that count all solutions.
const QUICK: Duration = Duration::from_secs(2);

/// The most classes of tiles whose tables can be built within `memory` bytes. `None` if no tables fit, or
/// the board is too large.
pub(crate) fn n_classes(goal: &Board, memory: Option<u64>) -> Option<usize> {
    let form = CanonicalForm::new(goal)?;
    (2..=Abstraction::MAX_CLASSES).rev().find(|&n_classes| {
        let complementary = Abstraction::complementary(form.dims(), form.blank(), n_classes);
        complementary.is_some_and(|tier| memory.is_none_or(|max| build_bytes(&tier) as u64 <= max))
    })
}

/// The most bytes held while tables are built one after the other.
fn build_bytes(abstractions: &[Abstraction]) -> usize {
    let n_bytes: usize = abstractions.iter().map(MtmTable::n_bytes).sum();
    let working = |abstraction| MtmTable::build_bytes(abstraction) - MtmTable::n_bytes(abstraction);
    n_bytes + abstractions.iter().map(working).max().unwrap_or(0)
}

/// The abstractions of a canonical form with few classes, then with more, up to `n_classes`.
fn tiers(form: &CanonicalForm, n_classes: usize) -> Vec<Vec<Abstraction>> {
    let complementary =
        |n_classes| Abstraction::complementary(form.dims(), form.blank(), n_classes);
    (n_classes.min(MIN_CLASSES)..=n_classes).filter_map(complementary).collect()
}

/// MTM tables for counting all solutions: the best ones in memory, or those that are built within a second
/// or two. `None` if the board is too large.
pub(crate) fn tables_within(
    goal: &Board,
    options: &Options,
    tables: &mut Tables,
    watch: &mut dyn Watch,
) -> Result<Option<Vec<Arc<MtmTable>>>, Limit> {
    let Some(form) = CanonicalForm::new(goal) else { return Ok(None) };
    let Some(n_classes) = n_classes(goal, options.limits.memory) else { return Ok(None) };
    let n_threads = options.resources().threads;
    let tiers = tiers(&form, n_classes);
    loop {
        let cost = |tier: &&Vec<Abstraction>| tables.mtm_cost(tier, n_threads);
        let in_memory = tiers.iter().rev().find(|tier| cost(tier) == Duration::ZERO);
        let quick = tiers.iter().rev().find(|tier| cost(tier) <= QUICK);
        let Some(tier) = in_memory.or(quick).or(tiers.first()) else { return Ok(None) };
        if let Some(tables) = tables.mtm_tables(tier, n_threads, watch)? {
            return Ok(Some(tables));
        }
    }
}

/// Solves an instance in the fewest runs, with few classes of tiles first and more when they pay.
pub(crate) fn solve(
    n_classes: usize,
    context: &mut SolveContext<'_, '_>,
) -> Result<EngineResult, EngineError> {
    let SolveContext { instance, options, .. } = *context;
    let resources = options.resources();
    const NO_TABLES: InternalError =
        InternalError("MTM tables were planned for a board that is too large");
    let form = CanonicalForm::new(instance.goal()).ok_or(NO_TABLES)?;
    let automaton = RunAutomaton::embedded().ok_or(NO_TABLES)?;
    let n_classes = match options.tables {
        TableSize::Small => n_classes.min(MAX_CLASSES_IF_SMALL),
        TableSize::Auto | TableSize::Large => n_classes,
    };
    let tiers = MtmTiers { instance, tiers: tiers(&form, n_classes), form, automaton };
    let state = match tiers.search_blindly(&resources, context) {
        Ok(report) => {
            return Ok(EngineResult {
                h_start: Some(lower_bound(instance, Metric::Mtm)),
                ..EngineResult::of_deepening(report, Metric::Mtm, 0, context.clock)
            });
        }
        Err(state) => state,
    };
    let first = |tables: &Tables| match options.tables {
        TableSize::Small | TableSize::Large => tiers.tiers.len() - 1,
        TableSize::Auto => {
            let is_cheap = |tier: &Vec<_>| tables.mtm_cost(tier, resources.threads) <= NEGLIGIBLE;
            tiers.tiers.iter().rposition(is_cheap).unwrap_or(0)
        }
    };
    let Escalated { report, tables: set, reason } =
        escalate(&tiers, first, state, &resources, None, context)?;
    let n_bytes = set.iter().map(|table| table.bytes().len() as u64).sum();
    let name = |table: &Arc<MtmTable>| Some(table.abstraction().name()?.to_string());
    Ok(EngineResult {
        h_start: Some(runs_at_least(instance.start(), &tiers.form, &set)),
        tables: set.iter().filter_map(name).collect(),
        tables_reason: Some(reason),
        ..EngineResult::of_deepening(report, Metric::Mtm, n_bytes, context.clock)
    })
}

/// MTM tables with more and more classes of tiles.
struct MtmTiers<'a> {
    instance: &'a Instance,
    tiers: Vec<Vec<Abstraction>>,
    form: CanonicalForm,
    automaton: RunAutomaton,
}

impl MtmTiers<'_> {
    /// Searches for a short solution without tables, if the options leave the choice open and there are no tables
    /// in memory. An error is the state to continue from.
    fn search_blindly(
        &self,
        resources: &Resources,
        SolveContext { instance, options, tables, clock, .. }: &mut SolveContext<'_, '_>,
    ) -> Result<SearchReport<Slide>, DeepeningState> {
        let has_tables = |tier: &Vec<_>| tables.mtm_cost(tier, resources.threads).is_zero();
        let lower_bound = lower_bound(instance, Metric::Mtm);
        if options.tables != TableSize::Auto
            || lower_bound > MAX_BLIND_RUNS
            || self.tiers.iter().any(has_tables)
        {
            return Err(DeepeningState::default());
        }
        let target = resources.budget.bound;
        let bound =
            Some(target.map_or(MAX_BLIND_RUNS + 1, |target| target.min(MAX_BLIND_RUNS + 1)));
        let resources = Resources { budget: Budget { bound, ..resources.budget }, ..*resources };
        let engine = engine(instance.start(), &self.form, &[], &self.automaton);
        let state = DeepeningState { bound: lower_bound, ..DeepeningState::default() };
        let report = engine.iterate(
            state,
            &resources,
            Hooks { watch: *clock, journal: None, upper_bound: None },
        )?;
        match report.outcome {
            Outcome::Stopped { limit: Limit::Bound, frontier }
                if target.is_none_or(|target| frontier < target) =>
            {
                let (stats, last_bound) = (report.stats, frontier.saturating_sub(1));
                Err(DeepeningState { bound: frontier, stats, last_round: 0, last_bound })
            }
            _ => Ok(self.form.report(report)),
        }
    }
}

impl TableTiers for MtmTiers<'_> {
    type Set = Vec<Arc<MtmTable>>;

    const ROUND_GROWTH: u32 = 3;

    fn board_kind(&self) -> Option<BoardKind> {
        BoardKind::new(self.instance.goal(), Metric::Mtm)
    }

    fn n_tiers(&self, _: &Tables) -> usize {
        self.tiers.len()
    }

    fn cost(&self, tier: usize, tables: &Tables, n_threads: usize) -> TierCost {
        let tier = &self.tiers[tier];
        TierCost { time: tables.mtm_cost(tier, n_threads), n_bytes: build_bytes(tier) }
    }

    fn get(
        &self,
        tier: usize,
        tables: &mut Tables,
        resources: &Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<Vec<Arc<MtmTable>>>, Limit> {
        tables.mtm_tables(&self.tiers[tier], resources.threads, watch)
    }

    fn search(
        &self,
        set: &Vec<Arc<MtmTable>>,
        state: DeepeningState,
        resources: &Resources,
        hooks: Hooks<'_>,
    ) -> Result<SearchReport<Slide>, DeepeningState> {
        let start = self.instance.start();
        let engine = engine(start, &self.form, set, &self.automaton);
        Ok(self.form.report(engine.iterate(state, resources, hooks)?))
    }
}
