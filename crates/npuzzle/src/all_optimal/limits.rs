//! The resources that a count has used, checked against its limits.

use std::ops::ControlFlow;

use npuzzle_core::search::{Budget, Limit, Stats, Watch};

use super::CountRequest;

/// The resources used by a count, in addition to those of the search before it.
pub(crate) struct ResourceMeter<'a> {
    stats: Stats,
    budget: Budget,
    watch: &'a mut dyn Watch,
    /// Bytes in use.
    bytes: u64,
    /// States until the next poll of the watch.
    poll_countdown: u32,
}

/// The number of states between two polls. On the largest boards a state has hundreds of runs, so this
/// many take a tenth of a second; on small boards a poll costs little compared with them.
const POLL_INTERVAL: u32 = 1 << 5;

impl<'a> ResourceMeter<'a> {
    /// A meter for a count whose lower bound has tables of this size.
    pub(super) fn new(
        request: &CountRequest<'_>,
        n_table_bytes: usize,
        watch: &'a mut dyn Watch,
    ) -> ResourceMeter<'a> {
        let (stats, budget) = (request.stats, request.options.budget());
        ResourceMeter { stats, budget, watch, bytes: n_table_bytes as u64, poll_countdown: 1 }
    }

    /// The memory limit.
    pub(super) fn max_bytes(&self) -> Option<u64> {
        self.budget.bytes
    }

    /// Counts a state that is about to be expanded.
    #[inline]
    pub(super) fn expand(&mut self) -> Result<(), Limit> {
        if self.budget.nodes.is_some_and(|max_nodes| self.stats.expanded >= max_nodes) {
            return Err(Limit::Nodes);
        }
        self.stats.expanded += 1;
        self.tick()
    }

    /// Counts work that takes about as long as expanding a state.
    #[inline]
    pub(super) fn tick(&mut self) -> Result<(), Limit> {
        self.poll_countdown -= 1;
        if self.poll_countdown > 0 { Ok(()) } else { self.poll() }
    }

    /// Polls the watch.
    #[cold]
    pub(super) fn poll(&mut self) -> Result<(), Limit> {
        self.poll_countdown = POLL_INTERVAL;
        match self.watch.poll(&self.stats) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(limit) => Err(limit),
        }
    }

    /// Counts memory that is about to be allocated.
    pub(super) fn allocate(&mut self, n_bytes: usize) -> Result<(), Limit> {
        self.bytes += n_bytes as u64;
        if self.budget.bytes.is_some_and(|max_bytes| self.bytes > max_bytes) {
            return Err(Limit::Memory);
        }
        Ok(())
    }

    /// Counts memory that has been freed.
    pub(super) fn free(&mut self, n_bytes: usize) {
        self.bytes = self.bytes.saturating_sub(n_bytes as u64);
    }
}
