//! One round of iterative deepening on several threads.
//!
//! The tree is cut at a depth into *slices*, in the order in which one thread would come to them.
//! Threads take slices in that order. When one finds the goal, slices after it are given up, slices
//! before it are finished, and the first of all goals counts. So the solution, and the number of
//! nodes up to it, are those of a single thread, however many there are.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use npuzzle_core::Slide;
use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_tables::{WorkerSender, run_workers};

use crate::engine::ida::journal::checksum;

/// Slices for each thread, so that none waits long for the last one.
pub(crate) const SLICES_PER_THREAD: usize = 64;

/// The top of a tree that one thread searches.
pub(crate) struct Slice<N> {
    pub(crate) node: N,
    /// The slides from the root.
    pub(crate) path: Vec<Slide>,
    /// What was counted above the slices up to this one.
    pub(crate) above: Counts,
}

/// Nodes counted.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Counts {
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
}

impl From<&Stats> for Counts {
    fn from(stats: &Stats) -> Counts {
        Counts { expanded: stats.expanded, generated: stats.generated }
    }
}

/// A tree cut into slices, and what was counted above them all.
pub(crate) struct Cut<N> {
    pub(crate) slices: Vec<Slice<N>>,
    pub(crate) above: Counts,
}

/// What became of a slice.
pub(crate) struct Searched {
    pub(crate) counts: Counts,
    /// The slides from its top to the goal.
    pub(crate) goal: Option<Vec<Slide>>,
    /// Whether the watch ended it.
    pub(crate) is_partial: bool,
}

impl Searched {
    /// Known to hold no goal.
    pub(crate) fn in_vain(counts: Counts) -> Searched {
        Searched { counts, goal: None, is_partial: false }
    }
}

/// What became of a round.
pub(crate) struct Round {
    pub(crate) counts: Counts,
    /// The slides from the root to the goal, if it was found; otherwise why the round was ended, if
    /// it was.
    pub(crate) end: Result<Vec<Slide>, Option<Limit>>,
}

/// With what a round is searched.
pub(crate) struct Means<'a> {
    pub(crate) n_threads: usize,
    /// What was counted before the round, for the watch.
    pub(crate) before: Stats,
    pub(crate) watch: &'a mut dyn Watch,
    /// Slices that an earlier run has searched in vain.
    pub(crate) done: Vec<(usize, Counts)>,
    /// Is told of every other one that is searched in vain.
    pub(crate) tell: &'a mut dyn FnMut(usize, Counts),
}

impl<N> Cut<N> {
    /// A sum over the paths to the slices, which tells this cut from others of as many.
    pub(crate) fn shape(&self) -> u32 {
        let path = |slice: &Slice<N>| -> Vec<u8> {
            let slides = slice.path.iter().map(|&slide| slide as u8);
            slides.chain([Slide::ALL.len() as u8]).collect()
        };
        checksum(&self.slices.iter().flat_map(path).collect::<Vec<u8>>())
    }
}

impl<N: Sync> Cut<N> {
    /// Searches the slices, each with a watch that tells when it is given up.
    pub(crate) fn search(
        &self,
        means: Means<'_>,
        search: impl Fn(&Slice<N>, &mut dyn Watch) -> Searched + Sync,
    ) -> Round {
        let Means { n_threads, before, watch, done, tell } = means;
        let mut is_done = vec![false; self.slices.len()];
        done.iter().for_each(|&(index, _)| is_done[index] = true);
        let mut searched: Vec<(usize, Searched)> =
            done.into_iter().map(|(index, counts)| (index, Searched::in_vain(counts))).collect();
        let shared = Shared::default();
        let mut stopped = None;
        let work = |_: usize, post: &dyn WorkerSender<(usize, Searched)>| {
            while let Some(index) = shared.take(&is_done) {
                let mut worker = Worker { shared: &shared, post, index, n_told: 0 };
                let slice = search(&self.slices[index], &mut worker);
                if slice.goal.is_some() {
                    shared.first_goal.fetch_min(index, Ordering::Relaxed);
                }
                post.send((index, slice));
            }
        };
        run_workers(n_threads, work, |sent| {
            if let Some((index, slice)) = sent {
                if slice.goal.is_none() && !slice.is_partial {
                    tell(index, slice.counts);
                }
                searched.push((index, slice));
            }
            let n_nodes = shared.n_nodes.load(Ordering::Relaxed);
            let stats = Stats { expanded: before.expanded + n_nodes, ..before };
            if stopped.is_none()
                && let Some(limit) = watch.poll(&stats).break_value()
            {
                stopped = Some(limit);
                shared.stop.store(true, Ordering::Relaxed);
            }
        });
        self.round(searched, stopped)
    }

    /// Adds up what counts.
    fn round(&self, mut searched: Vec<(usize, Searched)>, stopped: Option<Limit>) -> Round {
        searched.sort_by_key(|&(index, _)| index);
        let goal = searched.iter().position(|(_, slice)| slice.goal.is_some());
        // After an interruption, slices before the goal may be unfinished: it is not known to be the
        // first of all then, but it is as short as any, the rounds before having been in vain.
        let is_first = |&at: &usize| {
            searched[at].0 == at && searched[..at].iter().all(|(_, slice)| !slice.is_partial)
        };
        let first = goal.filter(is_first);
        let mut counts = first.map_or(self.above, |at| self.slices[at].above);
        for (_, slice) in searched.iter().take(first.map_or(searched.len(), |at| at + 1)) {
            counts.expanded += slice.counts.expanded;
            counts.generated += slice.counts.generated;
        }
        let end = match goal {
            Some(at) => {
                let (index, slice) = searched.swap_remove(at);
                let below = slice.goal.unwrap_or_default();
                Ok(self.slices[index].path.iter().copied().chain(below).collect())
            }
            None => Err(stopped),
        };
        Round { counts, end }
    }
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
    post: &'a dyn WorkerSender<(usize, Searched)>,
    index: usize,
    /// Nodes of this slice that the others know of.
    n_told: u64,
}

impl Watch for Worker<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.shared.n_nodes.fetch_add(stats.expanded - self.n_told, Ordering::Relaxed);
        self.n_told = stats.expanded;
        self.post.look_up();
        if self.shared.is_given_up(self.index) {
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}
