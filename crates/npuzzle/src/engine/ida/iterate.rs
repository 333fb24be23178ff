//! The driver of iterative deepening: rounds with larger and larger bounds.

use npuzzle_tables::clock::Instant;
use std::ops::ControlFlow;

use npuzzle_core::Slide;
use npuzzle_core::search::{Cost, Limit, Outcome, SearchReport, Stats, Watch};

use crate::engine::ida::bounded_dfs::{BoundedDfs, DfsEnd, DfsRun, NodeCounts, Split};
use crate::engine::ida::journal::{CompletedRound, Journal};
use crate::engine::ida::subtree_split::{
    MIN_LONG_ROUND, MIN_SPLIT_ROUND, RoundSearcher, SharedRound, split,
};
use crate::engine::upper_bound::UpperBound;
use crate::limits::Resources;

/// The progress of a search: the rounds below `bound` are complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct DeepeningState {
    /// The bound of the next round, and thus a lower bound.
    pub(crate) bound: Cost,
    pub(crate) stats: Stats,
    /// Nodes expanded in the last round.
    pub(crate) last_round: u64,
    /// The bound of the last round.
    pub(crate) last_bound: Cost,
}

impl DeepeningState {
    /// The state after the rounds of a journal.
    pub(crate) fn after(rounds: &[CompletedRound]) -> DeepeningState {
        let mut state = DeepeningState::default();
        for round in rounds {
            // The engine rounds it up to its next bound.
            state.bound = round.bound + 1;
            state.stats.expanded += round.counts.expanded;
            state.stats.generated += round.counts.generated;
            state.last_round = round.counts.expanded;
            state.last_bound = round.bound;
        }
        state
    }
}

/// Callbacks of a search.
pub(crate) struct Hooks<'a> {
    pub(crate) watch: &'a mut dyn Watch,
    /// Records completed rounds and subtrees, and new upper bounds.
    pub(crate) journal: Option<&'a mut Journal>,
    pub(crate) upper_bound: Option<&'a mut dyn UpperBound>,
}

impl Hooks<'_> {
    /// The length of the best known solution before the next round. The journal records the result of a
    /// beam search.
    fn upper_bound_before(&mut self, state: &DeepeningState) -> Option<Cost> {
        let upper_bound = self.upper_bound.as_mut()?;
        let length = upper_bound.before_round(state.bound, state.last_round, self.watch);
        if let Some(journal) = &mut self.journal {
            journal.record_known(upper_bound.known());
        }
        length
    }
}

/// Why a round has no result.
enum Unfinished {
    Stopped(Limit),
    /// The searcher did not search it.
    Declined,
}

impl From<Limit> for Unfinished {
    fn from(limit: Limit) -> Unfinished {
        Unfinished::Stopped(limit)
    }
}

/// One round.
struct RoundSearch<'a, E> {
    engine: &'a E,
    bound: Cost,
    resources: &'a Resources,
    last_round: u64,
}

impl<E: BoundedDfs> RoundSearch<'_, E> {
    /// Searches the round on one thread or several, or elsewhere, and adds to the counters. Returns the path of a
    /// goal; `None` if there is none within the bound.
    fn search(
        &self,
        stats: &mut Stats,
        hooks: &mut Hooks<'_>,
        searcher: Option<&mut dyn RoundSearcher>,
    ) -> Result<Option<Vec<Slide>>, Unfinished> {
        let searcher = searcher.filter(|_| self.last_round >= MIN_LONG_ROUND);
        match self.split() {
            Some(split) => self.search_split(split, stats, hooks, searcher),
            None => Ok(self.search_whole(stats, hooks.watch)?),
        }
    }

    /// The subtrees, if the round is worth splitting. A node limit is kept exactly if it is not split.
    fn split(&self) -> Option<Split<E::Node>> {
        if self.last_round < MIN_SPLIT_ROUND || self.resources.budget.nodes.is_some() {
            return None;
        }
        split(self.engine, self.bound, self.last_round)
    }

    fn search_whole(
        &self,
        stats: &mut Stats,
        watch: &mut dyn Watch,
    ) -> Result<Option<Vec<Slide>>, Limit> {
        let mut run = DfsRun::new(self.resources.budget, E::POLL_INTERVAL, watch);
        run.stats = *stats;
        let (end, run) = self.engine.search(self.bound, run);
        *stats = run.stats;
        match end {
            ControlFlow::Break(DfsEnd::Goal) => Ok(Some(run.path.into_iter().rev().collect())),
            ControlFlow::Break(DfsEnd::Stopped(limit)) => Err(limit),
            ControlFlow::Continue(()) => Ok(None),
        }
    }

    fn search_split(
        &self,
        split: Split<E::Node>,
        stats: &mut Stats,
        hooks: &mut Hooks<'_>,
        searcher: Option<&mut dyn RoundSearcher>,
    ) -> Result<Option<Vec<Slide>>, Unfinished> {
        let (engine, bound, n_threads) = (self.engine, self.bound, self.resources.threads);
        let round = SharedRound { engine, bound, split, n_threads, before: *stats };
        let journal = hooks.journal.as_deref_mut();
        let (counts, end) = match searcher {
            Some(searcher) => {
                let sum = searcher.search(&round, journal, hooks.watch);
                let sum = sum.ok_or(Unfinished::Declined)?;
                (sum.counts, Ok(sum.goal))
            }
            None => round.search(hooks.watch, journal),
        };
        stats.expanded += counts.expanded;
        stats.generated += counts.generated;
        Ok(end?)
    }
}

/// [`BoundedDfs`] without its types, for callers that choose an engine at run time.
pub(crate) trait IdaEngine: Sync {
    /// [`BoundedDfs::first_bound`].
    fn first_bound(&self) -> Cost;

    /// Searches until the goal is found or a limit is reached, starting at `state`. An error is the state
    /// after a round that took longer than `resources.max_round_time`: the caller may continue with other tables.
    fn iterate(
        &self,
        state: DeepeningState,
        resources: &Resources,
        hooks: Hooks<'_>,
    ) -> Result<SearchReport<Slide>, DeepeningState> {
        self.iterate_with(state, resources, hooks, None)
    }

    /// Searches in the same way, but has the rounds that are worth distributing searched by `searcher`. An
    /// error may also be the state before a round that the searcher declined.
    fn iterate_with(
        &self,
        state: DeepeningState,
        resources: &Resources,
        hooks: Hooks<'_>,
        searcher: Option<&mut dyn RoundSearcher>,
    ) -> Result<SearchReport<Slide>, DeepeningState>;
}

impl<E: BoundedDfs> IdaEngine for E {
    fn first_bound(&self) -> Cost {
        BoundedDfs::first_bound(self)
    }

    fn iterate_with(
        &self,
        mut state: DeepeningState,
        resources: &Resources,
        mut hooks: Hooks<'_>,
        mut searcher: Option<&mut dyn RoundSearcher>,
    ) -> Result<SearchReport<Slide>, DeepeningState> {
        if self.is_solved() {
            return Ok(SearchReport::new(Outcome::Solved(Vec::new()), state.stats));
        }
        let first = BoundedDfs::first_bound(self);
        state.bound = first + state.bound.saturating_sub(first).next_multiple_of(E::BOUND_STEP);
        loop {
            let stopped = |limit| Outcome::Stopped { limit, frontier: state.bound };
            let target = [hooks.upper_bound_before(&state), resources.budget.bound]
                .into_iter()
                .flatten()
                .min();
            if target.is_some_and(|target| state.bound >= target) {
                return Ok(SearchReport::new(stopped(Limit::Bound), state.stats));
            }
            let (before, started) = (NodeCounts::from(&state.stats), Instant::now());
            let DeepeningState { bound, last_round, mut stats, .. } = state;
            let round = RoundSearch { engine: self, bound, resources, last_round };
            let searcher =
                searcher.as_mut().map(|searcher| &mut **searcher as &mut dyn RoundSearcher);
            match round.search(&mut stats, &mut hooks, searcher) {
                Ok(Some(path)) => return Ok(SearchReport::new(Outcome::Solved(path), stats)),
                Err(Unfinished::Stopped(limit)) => {
                    return Ok(SearchReport::new(stopped(limit), stats));
                }
                Err(Unfinished::Declined) => return Err(state),
                Ok(None) => {}
            }
            let counts = NodeCounts {
                expanded: stats.expanded - before.expanded,
                generated: stats.generated - before.generated,
            };
            if let Some(journal) = &mut hooks.journal {
                journal.record_round(bound, counts);
            }
            hooks.watch.round(bound, &stats);
            state = DeepeningState {
                bound: bound + E::BOUND_STEP,
                stats,
                last_round: counts.expanded,
                last_bound: bound,
            };
            if resources.max_round_time.is_some_and(|max_time| started.elapsed() > max_time) {
                return Err(state);
            }
        }
    }
}
