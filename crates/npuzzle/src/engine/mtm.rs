//! Searches in the multi-tile metric, from plan to what was found.

pub(crate) mod count_paths;
pub(crate) mod search;

use std::sync::Arc;
use std::time::Duration;

use npuzzle_core::heuristic::{Max, PerRun};
use npuzzle_core::search::{Budget, Cost, Limit, Outcome, SearchReport, Watch, bidirectional};
use npuzzle_core::{Arrangement, Board, Instance, Metric, Packed, Runs, Slide};
use npuzzle_tables::{Abstraction, MtmTable, RunAutomaton};

use crate::engine::dyn_heuristic::DynHeuristic;
use crate::engine::ida::table_escalation::grown;
use crate::engine::lower_bound::least;
use crate::engine::mtm::search::{mtm_ida, runs_at_least};
use crate::engine::pdb::search::{Resources, SearchState};
use crate::limits::Clock;
use crate::options::{HeuristicChoice, HeuristicKind, Options, TableSize};
use crate::plan::{Engine, Plan};
use crate::solver::{EngineResult, found, search_with};
use crate::tables::additive_pdb::AdditivePdb;
use crate::tables::cache::Tables;
use crate::tables::canonical::CanonicalForm;

/// The most classes of tiles whose tables can be built within this many bytes; `None` if there are
/// none, or the board is too large.
pub(crate) fn n_classes(goal: &Board, memory: Option<u64>) -> Option<usize> {
    let frame = CanonicalForm::new(goal)?;
    (2..=Abstraction::MAX_CLASSES).rev().find(|&n_classes| {
        let suited = Abstraction::suited(frame.dims(), frame.blank(), n_classes);
        suited.is_some_and(|suited| memory.is_none_or(|most| build_bytes(&suited) as u64 <= most))
    })
}

/// The most bytes that are held while tables are built one after the other.
fn build_bytes(relabellings: &[Abstraction]) -> usize {
    let n_bytes: usize = relabellings.iter().map(MtmTable::n_bytes).sum();
    let working = |relabelling| MtmTable::build_bytes(relabelling) - MtmTable::n_bytes(relabelling);
    n_bytes + relabellings.iter().map(working).max().unwrap_or(0)
}

/// Tables of straight runs to count with: those that the search has left, or such as are built within
/// a second or two. `None` if the board is too large.
pub(crate) fn tables_within(
    goal: &Board,
    options: &Options,
    tables: &mut Tables,
    watch: &mut dyn Watch,
) -> Result<Option<Vec<Arc<MtmTable>>>, Limit> {
    let Some(frame) = CanonicalForm::new(goal) else { return Ok(None) };
    let Some(n_classes) = n_classes(goal, options.limits.memory) else { return Ok(None) };
    let n_threads = options.resources().threads;
    let tiers = tiers(&frame, n_classes);
    loop {
        let cost = |tier: &&Vec<Abstraction>| tables.runs_cost(tier, n_threads);
        let at_hand = tiers.iter().rev().find(|tier| cost(tier) == Duration::ZERO);
        let quick = tiers.iter().rev().find(|tier| cost(tier) <= QUICK);
        let Some(tier) = at_hand.or(quick).or(tiers.first()) else { return Ok(None) };
        if let Some(runs) = tables.runs(tier, n_threads, watch)? {
            return Ok(Some(runs));
        }
    }
}

/// What an answer may wait for if it waits for nothing else.
const QUICK: Duration = Duration::from_secs(2);

/// The relabellings of a frame with few classes, then with more, up to so many.
fn tiers(frame: &CanonicalForm, n_classes: usize) -> Vec<Vec<Abstraction>> {
    let suited = |n_classes| Abstraction::suited(frame.dims(), frame.blank(), n_classes);
    (n_classes.min(FEW_CLASSES)..=n_classes).filter_map(suited).collect()
}

/// Tables with so many classes are built in a tenth of a second.
const FEW_CLASSES: usize = 3;

/// `--tables small` takes so many, and no more.
const MANY_CLASSES: usize = 4;

pub(crate) fn run(
    instance: &Instance,
    plan: &Plan,
    options: &Options,
    tables: &mut Tables,
    clock: &mut Clock<'_>,
) -> EngineResult {
    if let Engine::Runs { n_classes } = plan.engine {
        return search_tables(instance, n_classes, options, tables, clock);
    }
    let heuristic = plan.engine.heuristic().unwrap_or_default();
    let patterns = if heuristic.names(HeuristicKind::Pattern) {
        tables.small(instance.goal(), options.resources(), clock)
    } else {
        Ok(None)
    };
    let patterns = match &patterns {
        Ok(patterns) => patterns.as_ref(),
        Err(limit) => return EngineResult::without_tables(instance, Metric::Mtm, *limit),
    };
    let budget = plan.budget(instance.dims(), &options.limits);
    let searched = match Runs::<Packed>::new(instance) {
        Some(problem) => search(instance, &problem, plan, patterns, budget, clock),
        None => match Runs::<Board>::new(instance) {
            Some(problem) => search(instance, &problem, plan, patterns, budget, clock),
            None => unreachable!("a board is an arrangement of itself"),
        },
    };
    searched.unwrap_or_else(|limit| EngineResult::without_tables(instance, Metric::Mtm, limit))
}

/// Iterative deepening with tables of straight runs: with few classes first, with more when they pay.
fn search_tables(
    instance: &Instance,
    n_classes: usize,
    options: &Options,
    tables: &mut Tables,
    clock: &mut Clock<'_>,
) -> EngineResult {
    let (Some(frame), Some(automaton)) =
        (CanonicalForm::new(instance.goal()), RunAutomaton::embedded())
    else {
        unreachable!("the plan asks for tables of straight runs only where there are some")
    };
    let n_classes = match options.tables {
        TableSize::Small => n_classes.min(MANY_CLASSES),
        TableSize::Auto | TableSize::Large => n_classes,
    };
    let tiers = tiers(&frame, n_classes);
    let n_threads = options.resources().threads;
    let first = |tables: &Tables| match options.tables {
        TableSize::Small | TableSize::Large => tiers.len() - 1,
        // The best that are as good as there.
        TableSize::Auto => {
            let is_there = |tier: &Vec<_>| tables.runs_cost(tier, n_threads) <= AS_GOOD_AS_THERE;
            tiers.iter().rposition(is_there).unwrap_or(0)
        }
    };
    let mut deepening = Deepening {
        instance,
        frame: &frame,
        automaton: &automaton,
        options,
        standing: SearchState::default(),
        reason: None,
    };
    let mut at = first(tables);
    loop {
        let (tier, better) = (&tiers[at], tiers.get(at + 1));
        let runs = match tables.runs(tier, n_threads, clock) {
            Ok(Some(runs)) => runs,
            // What was stored is damaged: whether they are worth building is another question.
            Ok(None) => {
                at = first(tables);
                continue;
            }
            Err(limit) if deepening.standing.bound == 0 => {
                return EngineResult::without_tables(instance, Metric::Mtm, limit);
            }
            Err(limit) => return deepening.stopped(limit, clock),
        };
        if let Some(report) = deepening.with(&runs, better.map(Vec::as_slice), tables, clock) {
            let names = tier.iter().filter_map(|one| Some(one.name()?.to_string())).collect();
            let h_start = runs_at_least(instance.start(), &frame, &runs);
            let tables_reason = deepening.reason.take();
            let found = deepening.found(report, clock);
            return EngineResult { h_start: Some(h_start), tables: names, tables_reason, ..found };
        }
        at += 1;
    }
}

/// Tables that cost no more are taken without asking.
const AS_GOOD_AS_THERE: Duration = Duration::from_millis(40);

/// How much longer a round takes than the one before it, by and large.
const GROWTH: u32 = 3;

/// A search that goes on with better and better tables.
struct Deepening<'a> {
    instance: &'a Instance,
    frame: &'a CanonicalForm,
    automaton: &'a RunAutomaton,
    options: &'a Options,
    standing: SearchState,
    /// Why it has better tables than those it began with, if it has.
    reason: Option<String>,
}

impl Deepening<'_> {
    /// Searches with tables until it is done, or better ones pay.
    fn with(
        &mut self,
        runs: &[Arc<MtmTable>],
        better: Option<&[Abstraction]>,
        tables: &mut Tables,
        clock: &mut Clock<'_>,
    ) -> Option<SearchReport<Slide>> {
        let key = (self.frame.dims(), self.frame.blank(), Metric::Mtm);
        let n_threads = self.options.resources().threads;
        loop {
            let started = clock.elapsed();
            let patience = better.and_then(|better| {
                let cost = tables.runs_cost(better, n_threads);
                let has_time = clock.time_left().is_none_or(|left| 2 * cost <= left);
                has_time.then(|| cost.saturating_sub(tables.spent(key)) / GROWTH)
            });
            let effort = Resources { patience, ..self.options.resources() };
            let start = self.instance.start();
            let (frame, automaton) = (self.frame, self.automaton);
            let ended = mtm_ida(start, frame, runs, automaton, effort, self.standing, clock);
            if better.is_some() {
                tables.spend(key, clock.elapsed() - started);
            }
            match ended {
                Ok(mut report) => {
                    let n_bytes: u64 = runs.iter().map(|table| table.bytes().len() as u64).sum();
                    report.stats.peak_bytes = n_bytes;
                    return Some(report);
                }
                Err(standing) => self.standing = standing,
            }
            // The round may have taken the time that better tables would cost.
            let cost = better.map_or(Duration::MAX, |better| tables.runs_cost(better, n_threads));
            if clock.time_left().is_none_or(|left| cost.saturating_mul(2) <= left) {
                tables.settle(key);
                self.reason = Some(grown(self.standing.bound - 1, clock.elapsed() - started, cost));
                return None;
            }
        }
    }

    /// What has been proved stays when a limit is reached before there are better tables.
    fn stopped(&self, limit: Limit, clock: &mut Clock<'_>) -> EngineResult {
        let outcome = Outcome::Stopped { limit, frontier: self.standing.bound };
        self.found(SearchReport::new(outcome, self.standing.stats), clock)
    }

    fn found(&self, report: SearchReport<Slide>, clock: &mut Clock<'_>) -> EngineResult {
        let bound = match &report.outcome {
            Outcome::Stopped { frontier, .. } => *frontier,
            Outcome::Solved(path) => path.chunk_by(|a, b| a == b).count() as Cost,
            Outcome::Unsolvable => 0,
        };
        clock.close_round(bound, &report.stats);
        EngineResult {
            is_shortest: true,
            lower_bound: Some(bound),
            outcome: report.outcome,
            best: report.best,
            stats: report.stats,
            ..EngineResult::unsolvable()
        }
    }
}

/// Any other search, with the counterpart of a heuristic of single slides.
fn search<A: Arrangement>(
    instance: &Instance,
    problem: &Runs<A>,
    plan: &Plan,
    patterns: Option<&AdditivePdb>,
    budget: Budget,
    clock: &mut Clock<'_>,
) -> Result<EngineResult, Limit> {
    let (goal, dims) = (instance.goal(), instance.dims());
    let heuristic = plan.engine.heuristic().unwrap_or_default();
    let mut any = |estimate| DynHeuristic::new(estimate, goal, patterns, clock);
    let mut found = match heuristic {
        _ if matches!(plan.engine, Engine::Bidirectional(_)) => {
            let to_goal = PerRun::new(dims, named(heuristic, goal, clock)?);
            let to_start = PerRun::new(dims, named(heuristic, instance.start(), clock)?);
            let report = bidirectional(problem, &to_goal, &to_start, budget, clock);
            found(problem, &to_goal, plan, report, clock)
        }
        HeuristicChoice::Max(a, b) => {
            let max = PerRun::new(dims, Max(any(a)?, any(b)?));
            search_with(problem, &max, plan, budget, clock)
        }
        HeuristicChoice::One(one) => {
            let one = PerRun::new(dims, any(one)?);
            search_with(problem, &one, plan, budget, clock)
        }
        HeuristicChoice::Auto => {
            let linear_conflict = PerRun::new(dims, any(HeuristicKind::LinearConflict)?);
            search_with(problem, &linear_conflict, plan, budget, clock)
        }
    };
    // Whatever guided the search, this holds.
    found.lower_bound = found.lower_bound.max(Some(least(instance, Metric::Mtm)));
    Ok(found)
}

/// The heuristic of single slides to either end of a search.
fn named(
    heuristic: HeuristicChoice,
    end: &Board,
    watch: &mut dyn Watch,
) -> Result<Max<DynHeuristic, DynHeuristic>, Limit> {
    let (a, b) = match heuristic {
        HeuristicChoice::Max(a, b) => (a, b),
        HeuristicChoice::One(one) => (one, HeuristicKind::Zero),
        HeuristicChoice::Auto => (HeuristicKind::LinearConflict, HeuristicKind::Zero),
    };
    Ok(Max(DynHeuristic::new(a, end, None, watch)?, DynHeuristic::new(b, end, None, watch)?))
}
