//! One round of iterative deepening on several threads.
//!
//! The tree is cut at a depth into *slices*, in the order in which one thread would come to them.
//! Threads take slices in that order. When one finds the goal, slices after it are given up, slices
//! before it are finished, and the first of all goals counts. So the solution, and the number of
//! nodes up to it, are those of a single thread, however many there are.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use npuzzle_core::Slide;
use npuzzle_core::search::{Budget, Cost, Limit, Stats, Watch};

use crate::journal::Done;

use super::cells::Cells;
use super::{End, Node, Search};

/// Slices at least, so that no thread waits long for the last one.
const MIN_SLICES: usize = 256;

/// And at most.
const MAX_SLICES: usize = 1 << 14;

/// States in a slice, by and large, of the round before: a second or so of the round to be cut.
const SLICE: u64 = 1 << 21;

/// Deeper than this no tree is cut.
const MAX_DEPTH: usize = 32;

/// How often the watch is looked at.
const TICK: Duration = Duration::from_millis(10);

/// The top of a tree that one thread searches.
struct Slice<B> {
    node: Node<B>,
    /// From the root.
    path: Vec<Slide>,
    /// What was counted above the slices up to this one.
    above: Counts,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    expanded: u64,
    generated: u64,
}

/// What became of a slice.
struct Searched {
    index: usize,
    stats: Stats,
    /// The slides from its top to the goal, last first.
    goal: Option<Vec<Slide>>,
    /// Whether it was given up.
    is_partial: bool,
}

impl Searched {
    /// Whether it is known to hold no goal.
    fn is_empty(&self) -> bool {
        self.goal.is_none() && !self.is_partial
    }
}

impl From<Done> for Searched {
    fn from(done: Done) -> Searched {
        let Done { at, expanded, generated } = done;
        let stats = Stats { expanded, generated, ..Stats::default() };
        Searched { index: at, stats, goal: None, is_partial: false }
    }
}

impl<
    B: Cells,
    const N: usize,
    const C: usize,
    const BITS: usize,
    const MIRROR: bool,
    const FAR: bool,
> Search<'_, B, N, C, BITS, MIRROR, FAR>
{
    /// A round that does what [`dive`](Search::dive) does from the root, after one of so many nodes.
    ///
    /// Slices that the journal has from an earlier run are not searched again.
    pub(super) fn dive_in_parallel(
        &mut self,
        root: &Node<B>,
        bound: i32,
        n_threads: usize,
        last_round: u64,
    ) -> ControlFlow<End> {
        let n_wanted = ((last_round / SLICE) as usize).clamp(MIN_SLICES, MAX_SLICES);
        let Some((slices, above)) = self.cut(root, bound, n_wanted) else {
            return self.dive(root, bound);
        };
        let mut searched: Vec<Searched> = Vec::new();
        let mut is_done = vec![false; slices.len()];
        if let Some(journal) = &mut self.journal {
            let tables = self.set.partition().name();
            for done in journal.cut(bound as Cost, slices.len(), &tables) {
                if let Some(is_done) = is_done.get_mut(done.at) {
                    *is_done = true;
                    searched.push(Searched::from(done));
                }
            }
        }
        let shared = Shared::default();
        let (sender, receiver) = mpsc::channel();
        let (set, automaton, watch) = (self.set, self.automaton, &mut *self.watch);
        let before = self.stats;
        let mut stopped = None;
        let journal = &mut self.journal;
        std::thread::scope(|scope| {
            for _ in 0..n_threads {
                let (sender, shared, slices) = (sender.clone(), &shared, &slices);
                let is_done = &is_done;
                scope.spawn(move || {
                    while let Some(index) = shared.take(is_done) {
                        let Slice { node, path, .. } = &slices[index];
                        let mut worker = Worker { shared, index, n_told: 0 };
                        let mut search: Search<'_, B, N, C, BITS, MIRROR, FAR> =
                            Search::new(set, automaton, Budget::NONE, &mut worker);
                        let end = search.dive(node, bound - path.len() as i32);
                        let is_partial = matches!(end, ControlFlow::Break(End::Stopped(_)));
                        let is_goal = matches!(end, ControlFlow::Break(End::Goal));
                        let (stats, goal) = (search.stats, is_goal.then_some(search.path));
                        if is_goal {
                            shared.first_goal.fetch_min(index, Ordering::Relaxed);
                        }
                        // The receiver outlives the threads.
                        let _ = sender.send(Searched { index, stats, goal, is_partial });
                    }
                });
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok(slice) => {
                        if let (Some(journal), true) = (&mut *journal, slice.is_empty()) {
                            journal.slice(bound as Cost, slice.index, &slice.stats);
                        }
                        searched.push(slice);
                    }
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                }
                let n_nodes = shared.n_nodes.load(Ordering::Relaxed);
                let stats = Stats { expanded: before.expanded + n_nodes, ..before };
                if stopped.is_none()
                    && let Some(limit) = watch.poll(&stats).break_value()
                {
                    stopped = Some(limit);
                    shared.stop.store(true, Ordering::Relaxed);
                }
            }
        });
        self.finish(&slices, above, searched, stopped)
    }

    /// Adds up what counts.
    fn finish(
        &mut self,
        slices: &[Slice<B>],
        above: Counts,
        mut searched: Vec<Searched>,
        stopped: Option<Limit>,
    ) -> ControlFlow<End> {
        searched.sort_by_key(|slice| slice.index);
        let first = searched.iter().position(|slice| slice.goal.is_some());
        // After an interruption, slices before the goal may be unfinished: then it may not be the
        // first of all.
        let first = first.filter(|&at| {
            searched[at].index == at && searched[..at].iter().all(|slice| !slice.is_partial)
        });
        let above = first.map_or(above, |at| slices[searched[at].index].above);
        self.stats.expanded += above.expanded;
        self.stats.generated += above.generated;
        for slice in searched.iter().take(first.map_or(searched.len(), |at| at + 1)) {
            self.stats.expanded += slice.stats.expanded;
            self.stats.generated += slice.stats.generated;
        }
        match (first, stopped) {
            (Some(at), _) => {
                let Searched { index, goal, .. } = searched.swap_remove(at);
                self.path = goal.unwrap_or_default();
                self.path.extend(slices[index].path.iter().rev());
                ControlFlow::Break(End::Goal)
            }
            (None, Some(limit)) => ControlFlow::Break(End::Stopped(limit)),
            (None, None) => ControlFlow::Continue(()),
        }
    }

    /// The slices, at least so many if the tree has them, and all that was counted above them.
    /// `None` if the goal is not below them but among what is above.
    fn cut(&self, root: &Node<B>, bound: i32, n_wanted: usize) -> Option<(Vec<Slice<B>>, Counts)> {
        for depth in 1..=MAX_DEPTH {
            let mut cut = Cut { slices: Vec::new(), path: Vec::new(), above: Counts::default() };
            self.cut_below(root, bound, depth, &mut cut)?;
            if cut.slices.len() >= n_wanted || depth == MAX_DEPTH {
                return Some((cut.slices, cut.above));
            }
        }
        None
    }

    fn cut_below(&self, node: &Node<B>, left: i32, depth: usize, cut: &mut Cut<B>) -> Option<()> {
        cut.above.expanded += 1;
        let next = self.automaton.row(node.automaton);
        for slide in Slide::ALL {
            if !self.is_open(node, next, slide) {
                continue;
            }
            cut.above.generated += 1;
            let Some(child) = self.child_after(slide, node, next[slide as usize], left - 1) else {
                continue;
            };
            if child.manhattan == 0 {
                return None;
            }
            cut.path.push(slide);
            if depth == 1 {
                let (path, above) = (cut.path.clone(), cut.above);
                cut.slices.push(Slice { node: child, path, above });
            } else {
                self.cut_below(&child, left - 1, depth - 1, cut)?;
            }
            cut.path.pop();
        }
        Some(())
    }
}

/// A tree being cut.
struct Cut<B> {
    slices: Vec<Slice<B>>,
    path: Vec<Slide>,
    above: Counts,
}

/// What threads know of each other.
struct Shared {
    next: AtomicUsize,
    /// The first slice in which the goal was found.
    first_goal: AtomicUsize,
    stop: AtomicBool,
    n_nodes: AtomicU64,
}

impl Default for Shared {
    fn default() -> Shared {
        Shared {
            next: AtomicUsize::new(0),
            first_goal: AtomicUsize::new(usize::MAX),
            stop: AtomicBool::new(false),
            n_nodes: AtomicU64::new(0),
        }
    }
}

impl Shared {
    /// The next slice that is worth searching.
    fn take(&self, is_done: &[bool]) -> Option<usize> {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            match is_done.get(index) {
                Some(true) => {}
                Some(false) if !self.is_given_up(index) => return Some(index),
                _ => return None,
            }
        }
    }

    fn is_given_up(&self, index: usize) -> bool {
        self.stop.load(Ordering::Relaxed) || index > self.first_goal.load(Ordering::Relaxed)
    }
}

/// Tells a thread when its slice is given up.
struct Worker<'a> {
    shared: &'a Shared,
    index: usize,
    /// Nodes of this slice that the others know of.
    n_told: u64,
}

impl Watch for Worker<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.shared.n_nodes.fetch_add(stats.expanded - self.n_told, Ordering::Relaxed);
        self.n_told = stats.expanded;
        if self.shared.is_given_up(self.index) {
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}
