//! What a count has spent, against its limits.

use std::ops::ControlFlow;

use npuzzle_core::search::{Budget, Limit, Stats, Watch};

/// What a count has spent, on top of the search before it.
pub(crate) struct Meter<'a> {
    stats: Stats,
    budget: Budget,
    watch: &'a mut dyn Watch,
    /// Bytes held now.
    bytes: u64,
    /// States until the next look at the watch.
    poll_countdown: u32,
}

/// How many states go by between two looks at the watch: those of the largest boards take a tenth of a
/// second, where hundreds of runs lead on from each; the look costs little against as many small ones.
const POLL_INTERVAL: u32 = 1 << 5;

impl<'a> Meter<'a> {
    pub(super) fn new(stats: Stats, budget: Budget, watch: &'a mut dyn Watch) -> Meter<'a> {
        Meter { stats, budget, watch, bytes: 0, poll_countdown: 1 }
    }

    /// A state is going to be expanded.
    #[inline]
    pub(super) fn expand(&mut self) -> Result<(), Limit> {
        if self.budget.nodes.is_some_and(|most| self.stats.expanded >= most) {
            return Err(Limit::Nodes);
        }
        self.stats.expanded += 1;
        self.tick()
    }

    /// Something is going to be done that takes about as long as to expand a state.
    #[inline]
    pub(super) fn tick(&mut self) -> Result<(), Limit> {
        self.poll_countdown -= 1;
        if self.poll_countdown > 0 { Ok(()) } else { self.look() }
    }

    /// Looks at the watch.
    #[cold]
    pub(super) fn look(&mut self) -> Result<(), Limit> {
        self.poll_countdown = POLL_INTERVAL;
        match self.watch.poll(&self.stats) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(limit) => Err(limit),
        }
    }

    /// So many bytes more are going to be held.
    pub(super) fn hold(&mut self, n_bytes: usize) -> Result<(), Limit> {
        self.bytes += n_bytes as u64;
        if self.budget.bytes.is_some_and(|most| self.bytes > most) {
            return Err(Limit::Memory);
        }
        Ok(())
    }

    /// So many bytes are no longer held.
    pub(super) fn release(&mut self, n_bytes: usize) {
        self.bytes = self.bytes.saturating_sub(n_bytes as u64);
    }
}
