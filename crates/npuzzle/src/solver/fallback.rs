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
use crate::plan::MAX_PROVED_CELLS;

/// The time that is reserved for the fallback of a small board, if that is less than an eighth of the limit.
/// The fallback takes about a twentieth of limits below a second, and 50 ms of longer ones.
const RESERVED: Duration = Duration::from_millis(150);

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
        if let (true, Some(time)) = (options.wants_proof(), options.limits.time) {
            if instance.dims().cells() <= MAX_PROVED_CELLS {
                clock.reserve(RESERVED.min(time / 8));
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
        if !is_stopped || result.best.is_some() || !self.options.wants_proof() {
            return result;
        }
        let best = match self.solution {
            Some(solution) => Some(solution),
            None => self.compute(clock),
        };
        EngineResult { best, ..result }
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

#[cfg(test)]
mod tests {
    use npuzzle_core::search::Limit;
    use npuzzle_core::{Goal, Metric, Random};

    use super::*;
    use crate::options::Limits;

    fn instance(size: &str) -> Instance {
        let goal = Goal::Last.board(size.parse().unwrap()).unwrap();
        Random::new(3).instance(&goal, true)
    }

    /// A stopped search with a fallback; also whether the fallback was computed before the search.
    fn stopped(instance: &Instance, optimal: bool, time: Option<Duration>) -> (bool, bool) {
        let limits = Limits { time, ..Limits::NONE };
        let options = Options { optimal, limits, ..Options::default() };
        let mut no_watch = ();
        let mut clock = Clock::start(time, &mut no_watch);
        let fallback = Fallback::prepare(instance, &options, &mut clock);
        let is_early = fallback.solution.is_some();
        let result = EngineResult::stopped(instance, Metric::Stm, Limit::Time);
        (is_early, fallback.complete(result, &mut clock).best.is_some())
    }

    #[test]
    fn large_board_has_its_fallback_before_the_search() {
        let minute = Some(Duration::from_secs(60));
        assert_eq!(stopped(&instance("5x5"), true, minute), (true, true));
        assert_eq!(stopped(&instance("4x4"), true, minute), (false, true));
        assert_eq!(stopped(&instance("5x5"), true, None), (false, true));
    }

    #[test]
    fn fallback_is_computed_only_for_a_proof() {
        let minute = Some(Duration::from_secs(60));
        for size in ["3x3", "5x5"] {
            assert_eq!(stopped(&instance(size), false, minute), (false, false), "{size}");
        }
    }

    #[test]
    fn small_board_reserves_time_for_its_fallback() {
        let (instance, time) = (instance("4x4"), Duration::from_secs(60));
        let limits = Limits { time: Some(time), ..Limits::NONE };
        let options = Options { optimal: true, limits, ..Options::default() };
        let mut no_watch = ();
        let mut clock = Clock::start(Some(time), &mut no_watch);
        let fallback = Fallback::prepare(&instance, &options, &mut clock);
        assert!(clock.time_left() <= Some(time - RESERVED));
        let unsolvable = fallback.complete(EngineResult::unsolvable(), &mut clock);
        assert!(unsolvable.best.is_none() && clock.time_left() > Some(time - RESERVED));
    }

    #[test]
    fn very_large_board_without_time_has_no_fallback() {
        let instance = instance("60x60");
        assert_eq!(stopped(&instance, true, Some(Duration::ZERO)), (false, false));
        assert_eq!(stopped(&instance, true, Some(Duration::from_secs(3600))), (true, true));
    }
}
