//! A solution to return when a proof was requested and the time is too short for it.
//!
//! Where a proof is unlikely, the fallback is computed before the search. Small boards are usually proved
//! within milliseconds, so theirs is computed only after the search failed, in time that was reserved.

use std::time::Duration;

use npuzzle_core::search::Outcome;
use npuzzle_core::{Instance, Slide};

use crate::anytime::quick_solution;
use crate::engine::result::EngineResult;
use crate::limits::Clock;
use crate::options::Options;

/// The largest boards whose proof is likely to be quick.
const MAX_LIKELY_CELLS: usize = 16;

/// The time that is reserved for the fallback of a small board, if that is less than half of the limit.
const RESERVED: Duration = Duration::from_millis(350);

/// The largest boards whose fallback takes a fraction of a second. Larger ones may run out of time.
const QUICK_CELLS: usize = 50 * 50;

/// The fallback of one board.
pub(crate) struct Fallback<'a> {
    instance: &'a Instance,
    options: &'a Options,
    solution: Option<Vec<Slide>>,
}

impl<'a> Fallback<'a> {
    /// Computes the fallback, or reserves the time for it, if the options ask for a proof.
    pub(crate) fn prepare(
        instance: &'a Instance,
        options: &'a Options,
        clock: &mut Clock<'_>,
    ) -> Fallback<'a> {
        let mut fallback = Fallback { instance, options, solution: None };
        if let (true, Some(time)) = (fallback.is_wanted(), options.limits.time) {
            if instance.dims().cells() <= MAX_LIKELY_CELLS {
                clock.reserve(RESERVED.min(time / 2));
            } else {
                fallback.solution = fallback.compute(clock);
            }
        }
        fallback
    }

    /// Adds the fallback to a result without a solution.
    pub(crate) fn complete(self, result: EngineResult, clock: &mut Clock<'_>) -> EngineResult {
        clock.reserve(Duration::ZERO);
        let is_stopped = matches!(result.outcome, Outcome::Stopped { .. });
        if !is_stopped || result.best.is_some() || !self.is_wanted() {
            return result;
        }
        let best = match self.solution {
            Some(solution) => Some(solution),
            None => self.compute(clock),
        };
        EngineResult { best, ..result }
    }

    fn is_wanted(&self) -> bool {
        self.options.optimal || self.options.all.is_some()
    }

    /// A solution of any length. An interruption does not prevent it, because it takes a fraction of a second; on
    /// very large boards the time limit does.
    fn compute(&self, clock: &Clock<'_>) -> Option<Vec<Slide>> {
        let is_quick = self.instance.dims().cells() <= QUICK_CELLS;
        let time = clock.time_left().filter(|_| !is_quick);
        let mut no_watch = ();
        let mut clock = Clock::start(time, &mut no_watch);
        quick_solution(self.instance, self.options.metric, self.options.limits.time, &mut clock)
    }
}
