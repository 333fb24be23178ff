//! Searches in the multi-tile metric, from plan to what was found.

use std::sync::Arc;

use npuzzle_core::heuristic::{LinearConflict, Max, PerRun};
use npuzzle_core::search::{Budget, Cost, Limit, Outcome, Watch, bidirectional};
use npuzzle_core::{Arrangement, Board, Instance, Packed, Runs};
use npuzzle_tables::{Relabelling, RunTable};

use crate::any::Any;
use crate::frame::Frame;
use crate::options::{Estimate, HeuristicChoice, Options};
use crate::pattern_ida::Effort;
use crate::patterns::Patterns;
use crate::plan::{Engine, Plan};
use crate::run_ida::{run_ida, runs_at_least};
use crate::solve::{Found, estimate, found, search_with};
use crate::tables::Tables;
use crate::watch::Clock;

/// The most classes of tiles whose tables can be built within this many bytes; `None` if the board
/// is too large.
pub(crate) fn n_classes(goal: &Board, memory: Option<u64>) -> Option<usize> {
    let frame = Frame::new(goal)?;
    // Two classes fit everywhere.
    (2..=Relabelling::MAX_CLASSES).rev().find(|&n_classes| {
        let suited = Relabelling::suited(frame.dims(), frame.blank(), n_classes);
        suited.is_some_and(|suited| {
            n_classes == 2 || memory.is_none_or(|most| build_bytes(&suited) as u64 <= most)
        })
    })
}

/// The most bytes that are held while tables are built one after the other.
fn build_bytes(relabellings: &[Relabelling]) -> usize {
    let n_bytes: usize = relabellings.iter().map(RunTable::n_bytes).sum();
    let working = |relabelling| RunTable::build_bytes(relabelling) - RunTable::n_bytes(relabelling);
    n_bytes + relabellings.iter().map(working).max().unwrap_or(0)
}

/// The best tables of straight runs that can be had within the limits; `None` if the board is too
/// large.
pub(crate) fn tables_within(
    goal: &Board,
    options: &Options,
    tables: &mut Tables,
    watch: &mut dyn Watch,
) -> Result<Option<Vec<Arc<RunTable>>>, Limit> {
    let suited = n_classes(goal, options.limits.memory).and_then(|n_classes| {
        let frame = Frame::new(goal)?;
        Relabelling::suited(frame.dims(), frame.blank(), n_classes)
    });
    let Some(relabellings) = suited else { return Ok(None) };
    tables.runs(&relabellings, options.effort().threads, watch).map(Some)
}

pub(crate) fn run(
    instance: &Instance,
    plan: &Plan,
    options: &Options,
    tables: &mut Tables,
    clock: &mut Clock<'_>,
) -> Found {
    if let Engine::Runs { n_classes } = plan.engine {
        return search_tables(instance, n_classes, options.effort(), tables, clock);
    }
    let heuristic = plan.engine.heuristic().unwrap_or_default();
    let patterns = if heuristic.names(Estimate::Pattern) {
        tables.small(instance.goal(), options.effort(), clock)
    } else {
        Ok(None)
    };
    let patterns = match &patterns {
        Ok(patterns) => patterns.as_ref(),
        Err(limit) => return without_tables(instance, *limit),
    };
    let budget = options.limits.budget();
    match Runs::<Packed>::new(instance) {
        Some(problem) => search(instance, &problem, plan, patterns, budget, clock),
        None => match Runs::<Board>::new(instance) {
            Some(problem) => search(instance, &problem, plan, patterns, budget, clock),
            None => unreachable!("a board is an arrangement of itself"),
        },
    }
}

/// Iterative deepening with tables of straight runs.
fn search_tables(
    instance: &Instance,
    n_classes: usize,
    effort: Effort,
    tables: &mut Tables,
    clock: &mut Clock<'_>,
) -> Found {
    let Some(frame) = Frame::new(instance.goal()) else {
        unreachable!("the plan asks for tables of straight runs only where there are some")
    };
    let Some(relabellings) = Relabelling::suited(frame.dims(), frame.blank(), n_classes) else {
        unreachable!("the plan asks for tables of straight runs only where there are some")
    };
    let tables = match tables.runs(&relabellings, effort.threads, clock) {
        Ok(tables) => tables,
        Err(limit) => return without_tables(instance, limit),
    };
    let mut report = run_ida(instance.start(), &frame, &tables, effort, clock);
    report.stats.peak_bytes = tables.iter().map(|table| table.bytes().len() as u64).sum();
    let h_start = runs_at_least(instance.start(), &frame, &tables);
    let bound = match &report.outcome {
        Outcome::Stopped { frontier, .. } => *frontier,
        Outcome::Solved(path) => path.chunk_by(|a, b| a == b).count() as Cost,
        Outcome::Unsolvable => 0,
    };
    clock.close_round(bound, &report.stats);
    let names = relabellings.iter().filter_map(|one| Some(one.name()?.to_string()));
    Found {
        is_shortest: true,
        lower_bound: Some(bound),
        h_start: Some(h_start),
        outcome: report.outcome,
        best: report.best,
        stats: report.stats,
        tables: names.collect(),
    }
}

/// Any other search, with the counterpart of a heuristic of single slides.
fn search<A: Arrangement>(
    instance: &Instance,
    problem: &Runs<A>,
    plan: &Plan,
    patterns: Option<&Patterns>,
    budget: Budget,
    clock: &mut Clock<'_>,
) -> Found {
    let (goal, dims) = (instance.goal(), instance.dims());
    let any = |estimate| Any::new(estimate, goal, patterns);
    let heuristic = plan.engine.heuristic().unwrap_or_default();
    let mut found = match heuristic {
        _ if matches!(plan.engine, Engine::Bidirectional(_)) => {
            let to = |end| PerRun::new(dims, named(heuristic, end));
            let (to_goal, to_start) = (to(goal), to(instance.start()));
            let report = bidirectional(problem, &to_goal, &to_start, budget, clock);
            found(problem, &to_goal, plan, report, clock)
        }
        HeuristicChoice::Max(a, b) => {
            let max = PerRun::new(dims, Max(any(a), any(b)));
            search_with(problem, &max, plan, budget, clock)
        }
        HeuristicChoice::One(one) => {
            search_with(problem, &PerRun::new(dims, any(one)), plan, budget, clock)
        }
        HeuristicChoice::Auto => {
            let linear_conflict = PerRun::new(dims, any(Estimate::LinearConflict));
            search_with(problem, &linear_conflict, plan, budget, clock)
        }
    };
    // Whatever guided the search, this holds.
    let strongest = estimate(problem, &PerRun::new(dims, LinearConflict::new(goal)));
    found.lower_bound = found.lower_bound.max(Some(strongest));
    found
}

/// The heuristic of single slides to either end of a search.
fn named(heuristic: HeuristicChoice, end: &Board) -> Max<Any, Any> {
    let (a, b) = match heuristic {
        HeuristicChoice::Max(a, b) => (a, b),
        HeuristicChoice::One(one) => (one, Estimate::Zero),
        HeuristicChoice::Auto => (Estimate::LinearConflict, Estimate::Zero),
    };
    Max(Any::new(a, end, None), Any::new(b, end, None))
}

/// A limit was reached before there were tables to search with.
fn without_tables(instance: &Instance, limit: Limit) -> Found {
    let h = PerRun::new(instance.dims(), LinearConflict::new(instance.goal()));
    Found {
        outcome: Outcome::Stopped { limit, frontier: 0 },
        lower_bound: Runs::<Packed>::new(instance).map(|problem| estimate(&problem, &h)),
        ..Found::unsolvable()
    }
}
