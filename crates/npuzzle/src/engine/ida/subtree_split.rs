//! One round of iterative deepening on several threads.
//!
//! The tree is split at a depth into *subtrees*, in the order in which one thread would search them.
//! Threads take subtrees in that order. When one of them finds the goal, later subtrees are abandoned,
//! earlier ones are finished, and the goal of the earliest subtree counts. The solution and the
//! node counts are therefore those of a single thread, whatever the number of threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use npuzzle_core::Slide;
use npuzzle_core::search::{Budget, Cost, Limit, Stats, Watch};
use npuzzle_tables::parallel::{WorkerSender, run_workers};

use crate::engine::ida::bounded_dfs::{BoundedDfs, DfsEnd, DfsRun, NodeCounts, Split, Subtree};
use crate::engine::ida::journal::{CompletedSubtree, Journal};

/// A round is split if the round before it expanded at least this many nodes: some milliseconds.
pub(crate) const MIN_SHARED_ROUND: u64 = 1 << 16;

/// A round is worth a journal entry, or distribution over machines, after a round of this many nodes.
pub(crate) const MIN_LONG_ROUND: u64 = 1 << 18;

/// The fewest subtrees, so that no thread waits long for the last one. Shorter rounds have fewer,
/// because starting a subtree takes time.
const MIN_SUBTREES: usize = 256;
const MIN_SUBTREES_IF_SHORT: usize = 64;

/// The most subtrees.
const MAX_SUBTREES: usize = 1 << 14;

/// Nodes of the previous round per subtree: about a second of work in the round that is split.
const NODES_PER_SUBTREE: u64 = 1 << 21;

/// The greatest depth at which a tree is split.
const MAX_DEPTH: usize = 32;

/// The result of searching a subtree, or a whole tree on one thread.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubtreeResult {
    /// The nodes searched.
    pub counts: NodeCounts,
    /// The slides to the goal, if it was found: from the top of the subtree or, where subtrees are distributed,
    /// from the start.
    pub goal: Option<Vec<Slide>>,
    /// Whether the watch stopped the search.
    pub is_partial: bool,
}

impl SubtreeResult {
    fn new(end: ControlFlow<DfsEnd>, run: DfsRun<'_>) -> SubtreeResult {
        let is_goal = matches!(end, ControlFlow::Break(DfsEnd::Goal));
        SubtreeResult {
            counts: NodeCounts::from(&run.stats),
            goal: is_goal.then(|| run.path.into_iter().rev().collect()),
            is_partial: matches!(end, ControlFlow::Break(DfsEnd::Stopped(_))),
        }
    }
}

/// Searches the whole tree on this thread.
pub(crate) fn search_tree<E: BoundedDfs>(
    engine: &E,
    bound: Cost,
    watch: &mut dyn Watch,
) -> SubtreeResult {
    let run = DfsRun::new(Budget::NONE, E::POLL_INTERVAL, watch);
    let (end, run) = engine.search(bound, run);
    SubtreeResult::new(end, run)
}

/// Searches one subtree on this thread.
pub(crate) fn search_subtree<E: BoundedDfs>(
    engine: &E,
    subtree: &Subtree<E::Node>,
    bound: Cost,
    watch: &mut dyn Watch,
) -> SubtreeResult {
    let run = DfsRun::new(Budget::NONE, E::POLL_INTERVAL, watch);
    let (end, run) = engine.search_subtree(subtree, bound, run);
    SubtreeResult::new(end, run)
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
    for depth in 1..MAX_DEPTH {
        let split = engine.split_at(bound, depth)?;
        if split.subtrees.len() >= n_wanted {
            return Some(split);
        }
    }
    engine.split_at(bound, MAX_DEPTH)
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
        let progress = Progress::default();
        let mut stopped = None;
        let work = |_: usize, sender: &dyn WorkerSender<(usize, SubtreeResult)>| {
            while let Some(index) = progress.take(&is_done) {
                let mut watch = SubtreeWatch { progress: &progress, sender, index, n_reported: 0 };
                let subtree = &self.split.subtrees[index];
                let result = search_subtree(self.engine, subtree, self.bound, &mut watch);
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
        self.sum(results, stopped)
    }

    /// The subtrees of this split that the journal has from an earlier run.
    fn completed(&self, journal: Option<&mut Journal>) -> Vec<CompletedSubtree> {
        let n_subtrees = self.split.subtrees.len();
        let Some(journal) = journal else { return Vec::new() };
        let tables = self.engine.tables_name();
        let mut completed =
            journal.record_split(self.bound, n_subtrees, self.split.checksum(), &tables);
        completed.retain(|subtree| subtree.index < n_subtrees);
        completed
    }

    /// Adds up the subtrees that a single thread would have searched.
    fn sum(
        &self,
        mut results: Vec<(usize, SubtreeResult)>,
        stopped: Option<Limit>,
    ) -> (NodeCounts, Result<Option<Vec<Slide>>, Limit>) {
        results.sort_by_key(|&(index, _)| index);
        let goal = results.iter().position(|(_, result)| result.goal.is_some());
        // After an interruption, subtrees before the goal may be unfinished. The goal is not known to be the
        // first one then, but it is as short as any, because the rounds before found none.
        let is_first = |&at: &usize| {
            results[at].0 == at && results[..at].iter().all(|(_, result)| !result.is_partial)
        };
        let first = goal.filter(is_first);
        let mut counts = self.split.above(first);
        for (_, result) in results.iter().take(first.map_or(results.len(), |at| at + 1)) {
            counts += result.counts;
        }
        let end = match goal {
            Some(at) => {
                let (index, result) = results.swap_remove(at);
                let below = result.goal.unwrap_or_default();
                Ok(Some(self.split.subtrees[index].path.iter().copied().chain(below).collect()))
            }
            None => stopped.map_or(Ok(None), Err),
        };
        (counts, end)
    }
}

/// The state that the threads of a round share.
struct Progress {
    next: AtomicUsize,
    /// The first subtree in which the goal was found.
    first_goal: AtomicUsize,
    stop: AtomicBool,
    n_nodes: AtomicU64,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress {
            next: AtomicUsize::new(0),
            first_goal: AtomicUsize::new(usize::MAX),
            stop: AtomicBool::new(false),
            n_nodes: AtomicU64::new(0),
        }
    }
}

impl Progress {
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
    progress: &'a Progress,
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
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}
