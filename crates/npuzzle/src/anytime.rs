//! Good solutions of boards that are too large for shortest ones: the best there is when time is up.
//!
//! First come [beams](crate::anytime::beam), or [passes](crate::anytime::large_neighborhood) over boards that are too large for
//! them, then windows of what they found are [solved anew](crate::anytime::window_improve). Of boards that have
//! pattern databases a proof is tried in the time that is left: iterative deepening either raises the
//! lower bound, or shows that nothing is shorter, or finds what is.

pub(crate) mod beam;
pub(crate) mod constructive;
pub(crate) mod fallback;
pub(crate) mod large_neighborhood;
pub(crate) mod window_improve;
pub(crate) mod working_board;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use npuzzle_core::search::{Cost, Limit, Outcome, Stats, Watch};
use npuzzle_core::{Instance, Metric, Slide};
use npuzzle_tables::PdbSet;

use self::beam::{Beamed, Once, beam};
use self::large_neighborhood::Plain;
use crate::anytime::constructive::{Ways, construct};
use crate::anytime::window_improve::improve_windows;
use crate::engine::ida::table_escalation::{Escalated, escalate};
use crate::engine::lower_bound::Measure;
use crate::limits::Clock;
use crate::options::Options;
use crate::plan::{Engine, Plan};
use crate::solver::EngineResult;
use crate::tables::cache::Tables;

/// The share of the time that beams get if there can be a proof after them.
const BEFORE_PROOF: f64 = 0.6;

/// The share of the time after which ways are short that are helpful before.
const HELPFUL: f64 = 0.6;

/// The best solution until the time of the effort is over.
pub(crate) fn anytime(
    instance: &Instance,
    plan: &Plan,
    options: &Options,
    tables: &mut Tables,
    clock: &mut Clock<'_>,
) -> EngineResult {
    let time = options.effort.unwrap_or_default().time(clock.time_left());
    let measure = Measure::new(instance, plan.metric);
    let mut found = EngineResult {
        lower_bound: Some(measure.least),
        h_start: Some(measure.least),
        outcome: Outcome::Stopped { limit: Limit::Time, frontier: measure.least },
        ..EngineResult::unsolvable()
    };
    let plain = match initial_solution(instance, plan, time, clock) {
        Ok(plain) => plain,
        Err(limit) => {
            found.outcome = Outcome::Stopped { limit, frontier: measure.least };
            return found;
        }
    };
    let time = time.map(|time| time.saturating_sub(plain.time));
    let mut clock = Clock::start(time, clock);
    measure.tell(measure.length(&plain.path), &mut clock);
    let can_prove = plan.engine == Engine::Beam
        && plan.metric == Metric::Stm
        && instance.dims().cells() <= PdbSet::MAX_CELLS;
    let searched = {
        let share = if can_prove { BEFORE_PROOF } else { 1.0 };
        let mut clock = Clock::start(clock.time_left().map(|left| left.mul_f64(share)), &mut clock);
        search(instance, plan, plain, measure, options, &mut found.stats, &mut clock)
    };
    match searched {
        Ok(path) => {
            let is_open = !measure.is_least(&path);
            found.outcome = Outcome::Solved(path);
            if can_prove && is_open {
                prove(instance, options, tables, &mut found, &mut clock);
            }
        }
        Err((limit, plain)) => {
            found.outcome = Outcome::Stopped { limit, frontier: measure.least };
            found.best = Some(plain);
        }
    }
    if clock.poll(&found.stats) == ControlFlow::Break(Limit::Interrupted) {
        give_up(&mut found, measure.least);
    }
    found
}

/// What was found before somebody asked to stop is the best that is known, and no more.
fn give_up(found: &mut EngineResult, least: Cost) {
    let frontier = found.lower_bound.unwrap_or(least);
    let stopped = Outcome::Stopped { limit: Limit::Interrupted, frontier };
    if let Outcome::Solved(path) = std::mem::replace(&mut found.outcome, stopped) {
        found.best = Some(path);
    }
}

/// A solution within a third of a second, line by line or by a narrow beam; the less time there is, the
/// narrower, or none. Nothing if the watch ends it before there is any.
pub(crate) fn quick_solution(
    instance: &Instance,
    metric: Metric,
    time: Option<Duration>,
    watch: &mut dyn Watch,
) -> Option<Vec<Slide>> {
    /// Boards that the beam may look at if it has the time, and its greatest width.
    const MOST_NODES: f64 = 100_000.0;
    const WIDEST: usize = 200;
    let is_large = instance.dims().cells() > beam::MAX_CELLS;
    let ways = if is_large { Ways::Short } else { Ways::Helpful(None) };
    let plain = construct(instance, ways, watch).ok()?;
    let share = time.map_or(1.0, |time| time.as_secs_f64().min(1.0));
    let n_nodes = (MOST_NODES * share) as usize;
    let width = (n_nodes / plain.len().max(1)).min(WIDEST);
    if is_large || width < beam::NARROWEST {
        return Some(plain);
    }
    let once = Once { width, longest: plain.len(), n_threads: 1, max_expanded: None, metric };
    let beamed = beam::once(instance, once, &mut Stats::default(), watch);
    let measure = Measure::new(instance, metric);
    beamed.into_iter().chain([plain]).min_by_key(|path| measure.length(path))
}

/// A solution line by line, whatever the effort. Boards that beams are for are solved by short ways in
/// no time, whatever time there is; of others it is the first answer, so ways are helpful.
fn initial_solution(
    instance: &Instance,
    plan: &Plan,
    time: Option<Duration>,
    clock: &mut Clock<'_>,
) -> Result<Plain, Limit> {
    let begun = Instant::now();
    let is_helpful = plan.engine != Engine::Beam;
    let path = if is_helpful {
        let until = time.and_then(|time| begun.checked_add(time.mul_f64(HELPFUL)));
        construct(instance, Ways::Helpful(until), clock)?
    } else {
        construct(instance, Ways::Short, &mut ())?
    };
    Ok(Plain { path, is_helpful, time: begun.elapsed() })
}

/// A short solution; or what ended the search before there was one, and the plain one.
fn search(
    instance: &Instance,
    plan: &Plan,
    plain: Plain,
    measure: Measure,
    options: &Options,
    stats: &mut Stats,
    clock: &mut Clock<'_>,
) -> Result<Vec<Slide>, (Limit, Vec<Slide>)> {
    if measure.is_least(&plain.path) {
        return Ok(plain.path);
    }
    if plan.engine == Engine::Beam {
        let Beamed { path, limit, stats: counted } = beam(instance, measure, options, clock);
        *stats = counted;
        if let Some(path) = path {
            return Ok(improve_windows(instance, path, measure, options, stats, clock).0);
        }
        match limit {
            Some(limit @ (Limit::Interrupted | Limit::Nodes)) => {
                return Err((limit, plain.path));
            }
            Some(Limit::Time | Limit::Memory) | None => {}
        }
    }
    // Where beams fail, this does not.
    let means = large_neighborhood::Means {
        measure,
        threads: options.resources().threads,
        time: clock.time_left(),
        nodes: options.limits.nodes,
        bytes: options.limits.memory,
    };
    let path = large_neighborhood::large_neighborhood(instance, plain, means, stats, clock);
    Ok(improve_windows(instance, path, measure, options, stats, clock).0)
}

/// Goes on until the solution is proved shortest, a shorter one is found, or time is up.
fn prove(
    instance: &Instance,
    options: &Options,
    tables: &mut Tables,
    found: &mut EngineResult,
    clock: &mut Clock<'_>,
) {
    let Outcome::Solved(path) = &found.outcome else { return };
    let length = path.len() as Cost;
    let time = clock.time_left();
    let mut resources = options.resources();
    let nodes = &mut resources.budget.nodes;
    *nodes = nodes.map(|most| most.saturating_sub(found.stats.expanded));
    let mut ceiling = StopAtBound { length, is_reached: false, inner: clock };
    let deepened = {
        let mut clock = Clock::start(time, &mut ceiling);
        escalate(instance, options, resources, tables, None, &mut clock)
    };
    let is_reached = ceiling.is_reached;
    let Ok(Some(Escalated { report, patterns, reason })) = deepened else { return };
    found.stats.expanded += report.stats.expanded;
    found.stats.generated += report.stats.generated;
    found.tables = vec![patterns.set().partition().name()];
    found.tables_reason = Some(reason);
    let least = match report.outcome {
        Outcome::Solved(shortest) => {
            let length = shortest.len() as Cost;
            clock.better(length, length);
            found.outcome = Outcome::Solved(shortest);
            length
        }
        Outcome::Stopped { .. } if is_reached => length,
        Outcome::Stopped { frontier, .. } => frontier,
        Outcome::Unsolvable => 0,
    };
    found.lower_bound = found.lower_bound.max(Some(least));
}

/// Ends a search when its rounds have shown that nothing is shorter than what is known.
struct StopAtBound<'a, 'b> {
    length: Cost,
    is_reached: bool,
    inner: &'a mut Clock<'b>,
}

impl StopAtBound<'_, '_> {
    fn break_if_reached(&self) -> ControlFlow<Limit> {
        if self.is_reached { ControlFlow::Break(Limit::Nodes) } else { ControlFlow::Continue(()) }
    }
}

impl Watch for StopAtBound<'_, '_> {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        // Lengths differ by even numbers.
        self.is_reached |= bound + 2 >= self.length;
        self.inner.round(bound, stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.break_if_reached()?;
        self.inner.poll(stats)
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.break_if_reached()?;
        self.inner.building(share)
    }
}
