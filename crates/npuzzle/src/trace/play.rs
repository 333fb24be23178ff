//! A trace gone through step by step, with what is remembered before and after each.

use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::Cost;

use super::{Fate, TieBreak, Trace, TraceStep};

/// A trace that is gone through, step by step.
pub struct Playback<'a> {
    trace: &'a Trace,
    queue: Mirror,
    next: usize,
}

impl<'a> Playback<'a> {
    pub(super) fn new(trace: &'a Trace) -> Playback<'a> {
        let mut queue = Mirror::new(trace.tie_break);
        if let Some(start) = trace.nodes.first() {
            queue.push(start.f, 0);
        }
        Playback { trace, queue, next: 0 }
    }

    /// The nodes from the start to this one.
    fn path_to(&self, node: Option<usize>) -> Vec<usize> {
        let parent = |&node: &usize| self.trace.nodes[node].parent;
        let mut path: Vec<usize> = std::iter::successors(node, parent).collect();
        path.reverse();
        path
    }
}

/// A step with the queue before and after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played<'a> {
    /// The number of the step, from 1.
    pub number: usize,
    /// The step.
    pub step: &'a TraceStep,
    /// The round of iterative deepening, from 1; none of searches with a queue.
    pub round: Option<usize>,
    /// The nodes that wait, in the order in which they would leave if none came; those of a heap as
    /// they lie in its array. Of iterative deepening, the path from the start to the parent.
    pub before: Vec<usize>,
    /// The same after the step; a node that is expanded is on the path.
    pub after: Vec<usize>,
}

impl<'a> Iterator for Playback<'a> {
    type Item = Played<'a>;

    fn next(&mut self) -> Option<Played<'a>> {
        let step = self.trace.steps.get(self.next)?;
        self.next += 1;
        let rounds = &self.trace.rounds;
        if !rounds.is_empty() {
            let round = rounds.partition_point(|round| round.first_step <= self.next);
            let before = self.path_to(self.trace.nodes[step.popped].parent);
            let end =
                if step.fate == Fate::Cut { before.last().copied() } else { Some(step.popped) };
            let after = self.path_to(end);
            return Some(Played { number: self.next, step, round: Some(round), before, after });
        }
        let before = self.queue.waiting();
        self.queue.pop();
        for &node in &step.pushed {
            self.queue.push(self.trace.nodes[node].f, node);
        }
        let after = self.queue.waiting();
        Some(Played { number: self.next, step, round: None, before, after })
    }
}

/// The queue of a search once more, with numbers of nodes in it.
#[derive(Clone, Debug)]
pub(super) enum Mirror {
    /// By key and order of coming.
    Fifo(FifoHeap<Cost, usize>),
    Lifo(BucketQueue<usize>),
    Heap(ArrayHeap<Cost, usize>),
}

impl Mirror {
    pub(super) fn new(tie_break: TieBreak) -> Mirror {
        match tie_break {
            TieBreak::Fifo => Mirror::Fifo(FifoHeap::new()),
            TieBreak::Lifo => Mirror::Lifo(BucketQueue::new()),
            TieBreak::Heap => Mirror::Heap(ArrayHeap::new()),
        }
    }

    pub(super) fn push(&mut self, key: Cost, node: usize) {
        match self {
            Mirror::Fifo(queue) => queue.push(key, node),
            Mirror::Lifo(queue) => queue.push(key, node),
            Mirror::Heap(queue) => queue.push(key, node),
        }
    }

    pub(super) fn pop(&mut self) -> Option<usize> {
        let popped = match self {
            Mirror::Fifo(queue) => queue.pop(),
            Mirror::Lifo(queue) => queue.pop(),
            Mirror::Heap(queue) => queue.pop(),
        };
        popped.map(|(_, node)| node)
    }

    fn waiting(&self) -> Vec<usize> {
        match self {
            Mirror::Heap(queue) => queue.iter().map(|(_, &node)| node).collect(),
            Mirror::Fifo(_) | Mirror::Lifo(_) => {
                let mut queue = self.clone();
                std::iter::from_fn(|| queue.pop()).collect()
            }
        }
    }
}
