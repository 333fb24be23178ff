//! A solution to have when the time is over and nothing is proved: found shortly before that, while the
//! search waits, so that the limit is that of both.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Instance, Metric, Slide};

use crate::anytime::soon;

/// How long it is thought to take at most.
const LEAD: Duration = Duration::from_millis(350);

/// The solution, and when to begin to look for it.
pub(crate) struct Spare<'a> {
    instance: &'a Instance,
    metric: Metric,
    time: Option<Duration>,
    /// Until it is looked for, or not wanted any more.
    begin: Cell<Option<Instant>>,
    found: Cell<Option<Vec<Slide>>>,
}

impl<'a> Spare<'a> {
    /// For a search that begins now, and has so much time.
    pub(crate) fn new(instance: &'a Instance, metric: Metric, time: Option<Duration>) -> Spare<'a> {
        let wait = time.map(|time| time - LEAD.min(time / 2));
        let begin = wait.and_then(|wait| Instant::now().checked_add(wait));
        Spare { instance, metric, time, begin: Cell::new(begin), found: Cell::default() }
    }

    /// Nobody looks for it any more.
    pub(crate) fn disarm(&self) {
        self.begin.set(None);
    }

    /// The one that was found, or is now.
    pub(crate) fn get(&self) -> Option<Vec<Slide>> {
        self.found.take().or_else(|| soon(self.instance, self.metric, self.time))
    }

    /// A watch that looks for it in time.
    pub(crate) fn watch(&'a self, inner: &'a mut dyn Watch) -> Spared<'a> {
        Spared { spare: self, inner }
    }
}

/// Looks for a solution in time.
pub(crate) struct Spared<'a> {
    spare: &'a Spare<'a>,
    inner: &'a mut dyn Watch,
}

impl Spared<'_> {
    fn look(&mut self) {
        if self.spare.begin.get().is_some_and(|begin| Instant::now() >= begin) {
            self.spare.disarm();
            self.spare.found.set(self.spare.get());
        }
    }
}

impl Watch for Spared<'_> {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        self.inner.round(bound, stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.look();
        self.inner.poll(stats)
    }

    fn better(&mut self, length: Cost, lower_bound: Cost) {
        self.inner.better(length, lower_bound);
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.look();
        self.inner.building(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_is_found_once_and_in_time() {
        let instance: Instance = "1 2 3/4 5 6/0 7 8".parse().unwrap();
        let is_found = |spare: &Spare<'_>| {
            let found = spare.found.take();
            spare.found.set(found.clone());
            found.is_some()
        };
        let ask = |spare: &Spare<'_>| spare.watch(&mut ()).poll(&Stats::default());
        let hour = Some(Duration::from_secs(3600));
        for (time, in_time) in [(None, false), (hour, false), (Some(Duration::ZERO), true)] {
            let spare = Spare::new(&instance, Metric::Stm, time);
            assert_eq!((ask(&spare), is_found(&spare)), (ControlFlow::Continue(()), in_time));
            assert_eq!(spare.get().map(|slides| slides.len()), Some(2));
            // It is gone, and nobody looks for another one.
            assert!(ask(&spare).is_continue() && !is_found(&spare));
        }
        let spare = Spare::new(&instance, Metric::Stm, Some(Duration::ZERO));
        spare.disarm();
        assert!(ask(&spare).is_continue() && !is_found(&spare));
    }
}
