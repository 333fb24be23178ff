//! Good solutions of boards that are too large for a proof: the best one that the time allows.
//!
//! First come [beam searches](beam) with growing widths or, on larger boards,
//! a [constructive] solution, followed by shorter ones of a [large neighborhood search](large_neighborhood).
//! Then [windows](window_improve) of the best solution are solved again. If the plan has a proof, the solver runs it in the
//! remaining time: iterative deepening raises the lower bound, proves the solution shortest, or finds a
//! shorter one.

pub(crate) mod beam;
pub(crate) mod constructive;
pub(crate) mod large_neighborhood;
pub(crate) mod rect;
pub(crate) mod window_improve;
pub(crate) mod working_board;

use npuzzle_tables::clock::Instant;
use std::ops::ControlFlow;
use std::time::Duration;

use npuzzle_core::search::{Limit, Outcome, Stats, Watch};
use npuzzle_core::{Instance, Metric, Slide};

use crate::engine::lower_bound::Objective;
use crate::engine::result::EngineResult;
use crate::engine::solve_context::SolveContext;
use crate::limits::Clock;
use crate::options::Options;

use beam::{BeamResult, SingleBeam, anytime_beam, single_beam};
use constructive::{Routing, construct};
use large_neighborhood::{InitialSolution, NeighborhoodConfig, large_neighborhood};
use window_improve::improve_windows;

/// The share of the time that the beam search gets if a proof follows.
const BEFORE_PROOF: f64 = 0.6;

/// The share of the time in which the constructive solver looks ahead.
const LOOKAHEAD: f64 = 0.6;

/// How the first solution is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnytimeEngine {
    /// Beam search. It leaves time for a proof if one follows.
    Beam {
        proof: bool,
    },
    Constructive,
}

/// Searches for the best solution until the time of the effort is used up.
pub(crate) fn solve(engine: AnytimeEngine, context: &mut SolveContext<'_, '_>) -> EngineResult {
    let SolveContext { instance, options, .. } = *context;
    let clock = &mut *context.clock;
    let time = options.effort.unwrap_or_default().time(clock.time_left());
    let objective = Objective::new(instance, options.metric);
    let stopped = |limit| Outcome::Stopped { limit, frontier: objective.lower_bound };
    let mut result = EngineResult {
        lower_bound: Some(objective.lower_bound),
        h_start: Some(objective.lower_bound),
        outcome: stopped(Limit::Time),
        ..EngineResult::unsolvable()
    };
    let initial = match initial_solution(instance, engine, time, clock) {
        Ok(initial) => initial,
        Err(limit) => return EngineResult { outcome: stopped(limit), ..result },
    };
    let time = time.map(|time| time.saturating_sub(initial.time));
    let mut clock = Clock::start(time, clock);
    objective.report(objective.length(&initial.path), &mut clock);
    let searched = {
        let has_proof = engine == AnytimeEngine::Beam { proof: true };
        let share = if has_proof { BEFORE_PROOF } else { 1.0 };
        let mut clock = Clock::start(clock.time_left().map(|left| left.mul_f64(share)), &mut clock);
        search(instance, engine, initial, objective, options, &mut result, &mut clock)
    };
    match searched {
        Ok(path) => result.outcome = Outcome::Solved(path),
        Err((limit, initial)) => {
            result.outcome = stopped(limit);
            result.best = Some(initial);
        }
    }
    if clock.poll(&result.stats) == ControlFlow::Break(Limit::Interrupted) {
        result.interrupt();
    }
    result
}

/// A solution within a third of a second: constructive, or by a narrow beam. The less time there is, the
/// narrower the beam. `None` if the watch stops it first.
pub(crate) fn quick_solution(
    instance: &Instance,
    metric: Metric,
    time: Option<Duration>,
    watch: &mut dyn Watch,
) -> Option<Vec<Slide>> {
    /// The maximum number of nodes of the beam if it has a second, and its maximum width.
    const MAX_NODES: f64 = 100_000.0;
    const MAX_WIDTH: usize = 200;
    let is_large = instance.dims().cells() > beam::MAX_CELLS;
    let routing = if is_large { Routing::Shortest } else { Routing::Lookahead(None) };
    let initial = construct(instance, routing, watch).ok()?;
    let share = time.map_or(1.0, |time| time.as_secs_f64().min(1.0));
    let n_nodes = (MAX_NODES * share) as usize;
    let width = (n_nodes / initial.len().max(1)).min(MAX_WIDTH);
    if is_large || width < beam::MIN_WIDTH {
        return Some(initial);
    }
    let slide_limit = initial.len();
    let config = SingleBeam { width, slide_limit, n_threads: 1, max_expanded: None, metric };
    let beamed = single_beam(instance, config, &mut Stats::default(), watch);
    let objective = Objective::new(instance, metric);
    beamed.into_iter().chain([initial]).min_by_key(|path| objective.length(path))
}

/// The constructive solution. Before a beam search it is only a fallback, computed in milliseconds;
/// otherwise it is the first answer, and lookahead pays off.
fn initial_solution(
    instance: &Instance,
    engine: AnytimeEngine,
    time: Option<Duration>,
    clock: &mut Clock<'_>,
) -> Result<InitialSolution, Limit> {
    let started = Instant::now();
    let has_lookahead = engine == AnytimeEngine::Constructive;
    let path = if has_lookahead {
        let until = time.and_then(|time| started.checked_add(time.mul_f64(LOOKAHEAD)));
        match construct(instance, Routing::Lookahead(until), clock) {
            // Without lookahead, a board of this size takes milliseconds.
            Err(Limit::Time) if instance.dims().cells() <= beam::MAX_CELLS => {
                construct(instance, Routing::Shortest, &mut ())?
            }
            path => path?,
        }
    } else {
        construct(instance, Routing::Shortest, &mut ())?
    };
    Ok(InitialSolution { path, has_lookahead, time: started.elapsed() })
}

/// A short solution; or the limit that stopped the search before there was one, and the initial solution.
fn search(
    instance: &Instance,
    engine: AnytimeEngine,
    initial: InitialSolution,
    objective: Objective,
    options: &Options,
    result: &mut EngineResult,
    clock: &mut Clock<'_>,
) -> Result<Vec<Slide>, (Limit, Vec<Slide>)> {
    if objective.is_optimal(&initial.path) {
        return Ok(initial.path);
    }
    let stats = &mut result.stats;
    if matches!(engine, AnytimeEngine::Beam { .. }) {
        let BeamResult { path, limit, stats: counted } =
            anytime_beam(instance, objective, options, clock);
        *stats = counted;
        if let Some(path) = path {
            return Ok(improve_windows(instance, path, objective, options, stats, clock).0);
        }
        if let Some(limit @ (Limit::Interrupted | Limit::Nodes)) = limit {
            return Err((limit, initial.path));
        }
        result.has_failed_beam = true;
    }
    // A large neighborhood search succeeds where beams fail.
    let config = NeighborhoodConfig {
        objective,
        threads: options.resources().threads,
        time: clock.time_left(),
        nodes: options.limits.nodes,
        bytes: options.limits.memory,
    };
    let path = large_neighborhood(instance, initial, config, stats, clock);
    Ok(improve_windows(instance, path, objective, options, stats, clock).0)
}
