//! One round of iterative deepening on several threads.
//!
//! The tree is split at a depth into *subtrees*. They are searched in the order of their heuristic values, because
//! the goal is more often below a small one: in the last round, fewer nodes are searched before it (Bu and Korf
//! 2019). Threads take subtrees in that order. When one of them finds the goal, later subtrees are abandoned,
//! earlier ones are finished, and the goal of the earliest subtree counts. The solution and the node counts are
//! therefore those of a single thread, whatever the number of threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use npuzzle_core::Slide;
use npuzzle_core::search::{Budget, Cost, Limit, Stats, Watch};
use npuzzle_tables::parallel::{WorkerSender, run_workers};

use crate::engine::ida::bounded_dfs::{BoundedDfs, DfsEnd, DfsRun, NodeCounts, Split};
use crate::engine::ida::journal::{CompletedSubtree, Journal};

/// A round is split if the round before it expanded at least this many nodes: about a millisecond.
pub(crate) const MIN_SPLIT_ROUND: u64 = 1 << 16;

/// A round has more subtrees, and is worth distributing over machines, after a round of this many nodes.
pub(crate) const MIN_LONG_ROUND: u64 = 1 << 18;

/// The minimum number of subtrees, so that no thread waits long for the last one. Shorter rounds have fewer,
/// because starting a subtree takes time.
const MIN_SUBTREES: usize = 256;
const MIN_SUBTREES_IF_SHORT: usize = 64;

/// The maximum number of subtrees.
const MAX_SUBTREES: usize = 1 << 14;

/// Nodes of the previous round per subtree: about a second of work in the round that is split.
const NODES_PER_SUBTREE: u64 = 1 << 21;

/// The greatest depth at which a tree is split.
const MAX_DEPTH: usize = 32;

/// The result of searching a subtree, or of a whole round.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubtreeResult {
    /// The nodes searched.
    pub counts: NodeCounts,
    /// The slides from the start to the goal, if it was found.
    pub goal: Option<Vec<Slide>>,
    /// Whether the search was stopped early.
    pub is_partial: bool,
}

/// A split round whose subtrees can be searched anywhere.
#[doc(hidden)]
pub trait SplitRound: Sync {
    /// The bound of the round.
    fn bound(&self) -> Cost;

    /// The number of subtrees.
    fn n_subtrees(&self) -> usize;

    /// Records the split in the journal. Returns the subtrees that it has from an earlier run.
    fn completed(&self, journal: Option<&mut Journal>) -> Vec<CompletedSubtree>;

    /// Searches a subtree. The slides to a goal start at the root.
    ///
    /// # Panics
    /// If the index is out of range.
    fn search_subtree(&self, index: usize, watch: &mut dyn Watch) -> SubtreeResult;

    /// Adds up the subtrees that a single thread would have searched, given those that were searched.
    fn sum(&self, results: Vec<(usize, SubtreeResult)>) -> SubtreeResult;
}

/// Searches split rounds, for example on several machines.
#[doc(hidden)]
pub trait RoundSearcher {
    /// Searches all subtrees up to the first one with a goal, and returns [their sum](SplitRound::sum).
    /// `None` ends the search; the searcher knows why.
    fn search(
        &mut self,
        round: &dyn SplitRound,
        journal: Option<&mut Journal>,
        watch: &mut dyn Watch,
    ) -> Option<SubtreeResult>;
}

/// Splits a round, given the number of nodes that the round before it expanded. `None` if the goal is above
/// the subtrees.
pub(crate) fn split<E: BoundedDfs>(
    engine: &E,
    bound: Cost,
    last_round: u64,
) -> Option<Split<E::Node>> {
    let min = if last_round < MIN_LONG_ROUND { MIN_SUBTREES_IF_SHORT } else { MIN_SUBTREES };
    let n_wanted = ((last_round / NODES_PER_SUBTREE) as usize).clamp(min, MAX_SUBTREES);
    let mut split = engine.split_at(bound, 1)?;
    for depth in 2..=MAX_DEPTH {
        if split.subtrees.len() >= n_wanted {
            break;
        }
        split = engine.split_at(bound, depth)?;
    }
    split.subtrees.sort_by_key(|subtree| subtree.h);
    Some(split)
}

/// A split round to be searched on the threads of this machine.
pub(crate) struct SharedRound<'a, E: BoundedDfs> {
    pub(crate) engine: &'a E,
    pub(crate) bound: Cost,
    pub(crate) split: Split<E::Node>,
    pub(crate) n_threads: usize,
    /// The counters before the round, which the watch adds to.
    pub(crate) before: Stats,
}

impl<E: BoundedDfs> SharedRound<'_, E> {
    /// Searches all subtrees. Those that the journal lists as completed are not searched again. Returns the nodes
    /// of the round, and the slides from the root to the goal; `None` if there is none within the bound.
    pub(crate) fn search(
        &self,
        watch: &mut dyn Watch,
        mut journal: Option<&mut Journal>,
    ) -> (NodeCounts, Result<Option<Vec<Slide>>, Limit>) {
        let n_subtrees = self.split.subtrees.len();
        let mut is_done = vec![false; n_subtrees];
        let mut results = Vec::new();
        for CompletedSubtree { index, counts } in self.completed(journal.as_deref_mut()) {
            is_done[index] = true;
            results.push((index, SubtreeResult { counts, goal: None, is_partial: false }));
        }
        let progress = RoundProgress::default();
        let mut stopped = None;
        let work = |_: usize, sender: &dyn WorkerSender<(usize, SubtreeResult)>| {
            while let Some(index) = progress.take(&is_done) {
                let mut watch = SubtreeWatch { progress: &progress, sender, index, n_reported: 0 };
                let result = self.search_subtree(index, &mut watch);
                if result.goal.is_some() {
                    progress.first_goal.fetch_min(index, Ordering::Relaxed);
                }
                sender.send((index, result));
            }
        };
        run_workers(self.n_threads, work, |received| {
            if let Some((index, result)) = received {
                if let (Some(journal), None, false) =
                    (journal.as_deref_mut(), &result.goal, result.is_partial)
                {
                    journal.record_subtree(self.bound, index, result.counts);
                }
                results.push((index, result));
            }
            let expanded = self.before.expanded + progress.n_nodes.load(Ordering::Relaxed);
            if stopped.is_none()
                && let Some(limit) = watch.poll(&Stats { expanded, ..self.before }).break_value()
            {
                stopped = Some(limit);
                progress.stop.store(true, Ordering::Relaxed);
            }
        });
        let SubtreeResult { counts, goal, .. } = self.sum(results);
        let end = match goal {
            Some(goal) => Ok(Some(goal)),
            None => stopped.map_or(Ok(None), Err),
        };
        (counts, end)
    }
}

impl<E: BoundedDfs> SplitRound for SharedRound<'_, E> {
    fn bound(&self) -> Cost {
        self.bound
    }

    fn n_subtrees(&self) -> usize {
        self.split.subtrees.len()
    }

    fn completed(&self, journal: Option<&mut Journal>) -> Vec<CompletedSubtree> {
        let n_subtrees = self.n_subtrees();
        let Some(journal) = journal else { return Vec::new() };
        let tables = self.engine.tables_name();
        let mut completed =
            journal.record_split(self.bound, n_subtrees, self.split.checksum(), &tables);
        completed.retain(|subtree| subtree.index < n_subtrees);
        completed
    }

    fn search_subtree(&self, index: usize, watch: &mut dyn Watch) -> SubtreeResult {
        let subtree = &self.split.subtrees[index];
        let run = DfsRun::new(Budget::NONE, E::POLL_INTERVAL, watch);
        let (end, run) = self.engine.search_subtree(subtree, self.bound, run);
        let is_goal = matches!(end, ControlFlow::Break(DfsEnd::Goal));
        let whole = || subtree.path.iter().copied().chain(run.path.iter().rev().copied()).collect();
        SubtreeResult {
            counts: NodeCounts::from(&run.stats),
            goal: is_goal.then(whole),
            is_partial: matches!(end, ControlFlow::Break(DfsEnd::Stopped(_))),
        }
    }

    fn sum(&self, mut results: Vec<(usize, SubtreeResult)>) -> SubtreeResult {
        results.sort_by_key(|&(index, _)| index);
        let goal = results.iter().position(|(_, result)| result.goal.is_some());
        // After an interruption, subtrees before the goal may be unfinished. The goal is not known to be the
        // first one then, but it is as short as any, because the rounds before found none.
        let n_needed = goal.map_or(self.n_subtrees(), |at| at + 1);
        let is_complete = results.len() >= n_needed
            && (results.iter().take(n_needed).enumerate())
                .all(|(at, (index, result))| *index == at && !result.is_partial);
        let first = goal.filter(|_| is_complete);
        let mut counts = self.split.above;
        for (_, result) in results.iter().take(first.map_or(results.len(), |at| at + 1)) {
            counts += result.counts;
        }
        let goal = goal.and_then(|at| results.swap_remove(at).1.goal);
        SubtreeResult { counts, goal, is_partial: !is_complete }
    }
}

/// The state that the threads of a round share.
struct RoundProgress {
    next: AtomicUsize,
    /// The first subtree in which the goal was found.
    first_goal: AtomicUsize,
    stop: AtomicBool,
    n_nodes: AtomicU64,
}

impl Default for RoundProgress {
    fn default() -> RoundProgress {
        RoundProgress {
            next: AtomicUsize::new(0),
            first_goal: AtomicUsize::new(usize::MAX),
            stop: AtomicBool::new(false),
            n_nodes: AtomicU64::new(0),
        }
    }
}

impl RoundProgress {
    /// The next subtree that has to be searched.
    fn take(&self, is_done: &[bool]) -> Option<usize> {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            match is_done.get(index) {
                Some(true) => {}
                Some(false) if !self.is_abandoned(index) => return Some(index),
                _ => return None,
            }
        }
    }

    fn is_abandoned(&self, index: usize) -> bool {
        self.stop.load(Ordering::Relaxed) || index > self.first_goal.load(Ordering::Relaxed)
    }
}

/// Stops the search of a subtree that is abandoned.
struct SubtreeWatch<'a> {
    progress: &'a RoundProgress,
    sender: &'a dyn WorkerSender<(usize, SubtreeResult)>,
    index: usize,
    /// Nodes of this subtree that `progress` includes already.
    n_reported: u64,
}

impl Watch for SubtreeWatch<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.progress.n_nodes.fetch_add(stats.expanded - self.n_reported, Ordering::Relaxed);
        self.n_reported = stats.expanded;
        self.sender.tick();
        if self.progress.is_abandoned(self.index) {
            // The result is not needed, so nobody sees this limit.
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}
