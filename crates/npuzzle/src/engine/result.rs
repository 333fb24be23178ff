//! The result of an engine.

use npuzzle_core::search::{Cost, Limit, Outcome, SearchReport, Stats};
use npuzzle_core::{Instance, Metric, Slide};

use crate::engine::lower_bound::{length, lower_bound};
use crate::limits::Clock;

/// The result of an engine, before its solutions are replayed.
pub(crate) struct EngineResult {
    pub(crate) outcome: Outcome<Slide>,
    /// The best solution known when a limit was reached.
    pub(crate) best: Option<Vec<Slide>>,
    /// Whether a solution in `outcome` is proved shortest.
    pub(crate) is_shortest: bool,
    /// A lower bound that holds for every solution.
    pub(crate) lower_bound: Option<Cost>,
    /// The heuristic value of the start.
    pub(crate) h_start: Option<Cost>,
    pub(crate) stats: Stats,
    /// The names of the tables that the search ended with, and why these.
    pub(crate) tables: Vec<String>,
    pub(crate) tables_reason: Option<String>,
    /// Whether no beam reached the goal, so that large neighborhood search found the solution.
    pub(crate) has_failed_beam: bool,
}

impl EngineResult {
    /// The result for an unsolvable board, and a base for other results.
    pub(crate) fn unsolvable() -> EngineResult {
        EngineResult {
            outcome: Outcome::Unsolvable,
            best: None,
            is_shortest: false,
            lower_bound: None,
            h_start: None,
            stats: Stats::default(),
            tables: Vec::new(),
            tables_reason: None,
            has_failed_beam: false,
        }
    }

    /// The result of a limit that was reached before the search began.
    pub(crate) fn stopped(instance: &Instance, metric: Metric, limit: Limit) -> EngineResult {
        let bound = lower_bound(instance, metric);
        EngineResult {
            outcome: Outcome::Stopped { limit, frontier: bound },
            lower_bound: Some(bound),
            ..EngineResult::unsolvable()
        }
    }

    /// Turns the solution into the best one known when the search was interrupted.
    pub(crate) fn interrupt(&mut self) {
        let frontier = self.lower_bound.unwrap_or(0);
        let stopped = Outcome::Stopped { limit: Limit::Interrupted, frontier };
        if let Outcome::Solved(path) = std::mem::replace(&mut self.outcome, stopped) {
            self.best = Some(path);
        }
    }

    /// The result of iterative deepening with tables of `n_bytes` bytes. Records its last round.
    pub(crate) fn of_deepening(
        report: SearchReport<Slide>,
        metric: Metric,
        n_bytes: u64,
        clock: &mut Clock<'_>,
    ) -> EngineResult {
        let SearchReport { outcome, best, stats, .. } = report;
        let stats = Stats { peak_bytes: n_bytes, ..stats };
        let bound = match &outcome {
            Outcome::Solved(path) => length(path, metric),
            Outcome::Stopped { frontier, .. } => *frontier,
            Outcome::Unsolvable => 0,
        };
        // A search that ends at a bound has not begun the round with that bound.
        if !matches!(outcome, Outcome::Stopped { limit: Limit::Bound, .. }) {
            clock.close_round(bound, &stats);
        }
        EngineResult {
            outcome,
            best,
            stats,
            is_shortest: true,
            lower_bound: Some(bound),
            ..EngineResult::unsolvable()
        }
    }
}

/// Why an engine has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EngineError {
    /// A limit was reached before the search began, for example while tables were built.
    Limit(Limit),
    Internal(InternalError),
}

/// Why an engine cannot do what was planned: a bug of this library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InternalError(pub(crate) &'static str);

impl From<Limit> for EngineError {
    fn from(limit: Limit) -> EngineError {
        EngineError::Limit(limit)
    }
}

impl From<InternalError> for EngineError {
    fn from(error: InternalError) -> EngineError {
        EngineError::Internal(error)
    }
}
