//! A solution to have when the time is over and nothing is proved: found shortly before that, while the
//! search waits, so that the limit is that of both.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Instance, Metric, Slide};

use crate::anytime::quick_solution;
use crate::limits::Clock;

/// How long it is thought to take at most.
const LEAD: Duration = Duration::from_millis(350);

/// Boards of so many cells have one in no time. For larger ones the proof gets what is left, and
/// where even that is too little there is none.
const QUICK_CELLS: usize = 50 * 50;

/// What it may take on a slow machine, if there is time.
const LONG_LEAD: Duration = Duration::from_secs(2);

/// The solution, and when to begin to look for it.
pub(crate) struct Fallback<'a> {
    instance: &'a Instance,
    metric: Metric,
    time: Option<Duration>,
    /// When the time is over.
    over: Option<Instant>,
    /// Until it is looked for, or not wanted any more.
    begin: Cell<Option<Instant>>,
    found: Cell<Option<Vec<Slide>>>,
}

impl<'a> Fallback<'a> {
    /// For a search that begins now, and has so much time.
    pub(crate) fn new(
        instance: &'a Instance,
        metric: Metric,
        time: Option<Duration>,
    ) -> Fallback<'a> {
        let now = Instant::now();
        let lead = |time: Duration| match is_quick(instance) {
            true => LEAD.min(time / 2),
            false => (time / 2).clamp(LEAD, LONG_LEAD),
        };
        let begin = time.and_then(|time| now.checked_add(time.saturating_sub(lead(time))));
        let over = time.and_then(|time| now.checked_add(time));
        Fallback { instance, metric, time, over, begin: Cell::new(begin), found: Cell::default() }
    }

    /// Nobody looks for it any more.
    pub(crate) fn disarm(&self) {
        self.begin.set(None);
    }

    /// The one that was found, or is now, if that is in time.
    pub(crate) fn get(&self) -> Option<Vec<Slide>> {
        let quick_solution = || {
            let end = self.over.filter(|_| !is_quick(self.instance));
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            quick_solution(self.instance, self.metric, self.time, &mut Clock::start(left, &mut ()))
        };
        self.found.take().or_else(quick_solution)
    }

    /// A watch that looks for it in time.
    pub(crate) fn watch(&'a self, inner: &'a mut dyn Watch) -> FallbackWatch<'a> {
        FallbackWatch { spare: self, inner }
    }
}

/// Looks for a solution in time.
pub(crate) struct FallbackWatch<'a> {
    spare: &'a Fallback<'a>,
    inner: &'a mut dyn Watch,
}

impl FallbackWatch<'_> {
    /// The time may be over after it, which who has just looked at the clock does not know.
    fn look(&mut self) -> ControlFlow<Limit> {
        let is_past = |moment: Instant| Instant::now() >= moment;
        if self.spare.begin.get().is_some_and(is_past) {
            self.spare.disarm();
            self.spare.found.set(self.spare.get());
            if self.spare.over.is_some_and(is_past) {
                return ControlFlow::Break(Limit::Time);
            }
        }
        ControlFlow::Continue(())
    }
}

fn is_quick(instance: &Instance) -> bool {
    instance.dims().cells() <= QUICK_CELLS
}

impl Watch for FallbackWatch<'_> {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        self.inner.round(bound, stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.look()?;
        self.inner.poll(stats)
    }

    fn better(&mut self, length: Cost, lower_bound: Cost) {
        self.inner.better(length, lower_bound);
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.look()?;
        self.inner.building(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::{Goal, Random};
    use std::ops::ControlFlow::{Break, Continue};

    #[test]
    fn a_solution_is_found_once_and_in_time() {
        let instance: Instance = "1 2 3/4 5 6/0 7 8".parse().unwrap();
        let is_found = |spare: &Fallback<'_>| {
            let found = spare.found.take();
            spare.found.set(found.clone());
            found.is_some()
        };
        let ask = |spare: &Fallback<'_>| spare.watch(&mut ()).poll(&Stats::default());
        let hour = Some(Duration::from_secs(3600));
        for (time, in_time) in [(None, false), (hour, false), (Some(Duration::ZERO), true)] {
            let spare = Fallback::new(&instance, Metric::Stm, time);
            let go_on = if in_time { Break(Limit::Time) } else { Continue(()) };
            assert_eq!((ask(&spare), is_found(&spare)), (go_on, in_time));
            assert_eq!(spare.get().map(|slides| slides.len()), Some(2));
            // It is gone, and nobody looks for another one.
            assert!(ask(&spare).is_continue() && !is_found(&spare));
        }
        let spare = Fallback::new(&instance, Metric::Stm, Some(Duration::ZERO));
        spare.disarm();
        assert!(ask(&spare).is_continue() && !is_found(&spare));
    }

    #[test]
    fn of_large_boards_there_is_none_where_the_time_is_too_short_for_it() {
        let dims = "60x60".parse().unwrap();
        let goal = Goal::Last.board(dims).unwrap();
        let instance = Random::new(3).instance(&goal, true);
        let solved = |time| Fallback::new(&instance, Metric::Stm, time).get().is_some();
        for time in [None, Some(Duration::MAX), Some(Duration::from_secs(3600))] {
            assert!(solved(time), "{time:?}");
        }
        assert!(!solved(Some(Duration::ZERO)));
    }
}
