//! A solution to have when the time is over and nothing is proved: found shortly before that, while the
//! search waits, so that the limit is that of both.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Instance, Metric, Slide};

use crate::anytime::soon;

/// How long it may take to find it, whatever the machine is busy with.
const LEAD: Duration = Duration::from_millis(350);

/// The solution, and when to begin to look for it.
pub(crate) struct Spare<'a> {
    instance: &'a Instance,
    metric: Metric,
    time: Option<Duration>,
    begin: Option<Instant>,
    found: Cell<Option<Vec<Slide>>>,
}

impl<'a> Spare<'a> {
    /// For a search that begins now, and has so much time.
    pub(crate) fn new(instance: &'a Instance, metric: Metric, time: Option<Duration>) -> Spare<'a> {
        let wait = time.map(|time| time - LEAD.min(time / 2));
        let begin = wait.and_then(|wait| Instant::now().checked_add(wait));
        Spare { instance, metric, time, begin, found: Cell::default() }
    }

    /// The one that was found, or is now.
    pub(crate) fn get(&self) -> Option<Vec<Slide>> {
        self.found.take().or_else(|| soon(self.instance, self.metric, self.time))
    }

    /// A watch that looks for it in time.
    pub(crate) fn watch(&'a self, inner: &'a mut dyn Watch) -> Spared<'a> {
        Spared { spare: self, begin: self.begin, inner }
    }
}

/// Looks for a solution in time.
pub(crate) struct Spared<'a> {
    spare: &'a Spare<'a>,
    /// Until it has begun.
    begin: Option<Instant>,
    inner: &'a mut dyn Watch,
}

impl Spared<'_> {
    fn look(&mut self) {
        if self.begin.take_if(|begin| Instant::now() >= *begin).is_some() {
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
