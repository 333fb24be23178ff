//! A watch that stops iterative deepening once the lower bound suffices.

use std::ops::ControlFlow;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};

/// Stops a search when a round has proved that every solution has at least `bound` moves.
///
/// The search then reports [`Limit::Interrupted`] together with its lower bound. Without a bound,
/// all calls go to the inner watch.
pub(super) struct StopAtBound<'a> {
    bound: Option<Cost>,
    is_reached: bool,
    inner: &'a mut dyn Watch,
}

impl<'a> StopAtBound<'a> {
    pub(super) fn new(bound: Option<Cost>, inner: &'a mut dyn Watch) -> StopAtBound<'a> {
        StopAtBound { bound, is_reached: false, inner }
    }
}

impl Watch for StopAtBound<'_> {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        self.is_reached |= self.bound.is_some_and(|enough| bound + 1 >= enough);
        self.inner.round(bound, stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        if self.is_reached {
            return ControlFlow::Break(Limit::Interrupted);
        }
        self.inner.poll(stats)
    }

    fn better(&mut self, length: Cost, lower_bound: Cost) {
        self.inner.better(length, lower_bound);
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.inner.building(share)
    }
}
