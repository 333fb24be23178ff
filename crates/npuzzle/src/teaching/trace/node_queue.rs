//! The queue of a search, with node numbers as its items.

use std::collections::VecDeque;

use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::Cost;

use super::{TieBreak, TraceAlgorithm};

/// A queue of node numbers with the order of the traced search. Only priority queues use keys.
#[derive(Clone, Debug)]
pub(super) enum NodeQueue {
    /// Breadth-first search: first in, first out.
    Queue(VecDeque<usize>),
    /// Depth-first search: last in, first out.
    Stack(Vec<usize>),
    // Priority queues.
    Fifo(FifoHeap<Cost, usize>),
    Lifo(BucketQueue<usize>),
    Heap(ArrayHeap<Cost, usize>),
}

impl NodeQueue {
    pub(super) fn new(algorithm: TraceAlgorithm, tie_break: TieBreak) -> NodeQueue {
        match (algorithm, tie_break) {
            (TraceAlgorithm::Bfs, _) => NodeQueue::Queue(VecDeque::new()),
            (TraceAlgorithm::Dfs, _) => NodeQueue::Stack(Vec::new()),
            (_, TieBreak::Fifo) => NodeQueue::Fifo(FifoHeap::new()),
            (_, TieBreak::Lifo) => NodeQueue::Lifo(BucketQueue::new()),
            (_, TieBreak::Heap) => NodeQueue::Heap(ArrayHeap::new()),
        }
    }

    pub(super) fn push(&mut self, key: Cost, node: usize) {
        match self {
            NodeQueue::Queue(queue) => queue.push_back(node),
            NodeQueue::Stack(stack) => stack.push(node),
            NodeQueue::Fifo(queue) => queue.push(key, node),
            NodeQueue::Lifo(queue) => queue.push(key, node),
            NodeQueue::Heap(queue) => queue.push(key, node),
        }
    }

    pub(super) fn pop(&mut self) -> Option<usize> {
        let popped = match self {
            NodeQueue::Queue(queue) => return queue.pop_front(),
            NodeQueue::Stack(stack) => return stack.pop(),
            NodeQueue::Fifo(queue) => queue.pop(),
            NodeQueue::Lifo(queue) => queue.pop(),
            NodeQueue::Heap(queue) => queue.pop(),
        };
        popped.map(|(_, node)| node)
    }

    pub(super) fn len(&self) -> usize {
        match self {
            NodeQueue::Queue(queue) => queue.len(),
            NodeQueue::Stack(stack) => stack.len(),
            NodeQueue::Fifo(queue) => queue.len(),
            NodeQueue::Lifo(queue) => queue.len(),
            NodeQueue::Heap(queue) => queue.len(),
        }
    }

    /// Returns the nodes in the order in which they would leave the queue; for a heap, in the order of
    /// its array.
    pub(super) fn nodes(&self) -> Vec<usize> {
        match self {
            NodeQueue::Queue(queue) => queue.iter().copied().collect(),
            NodeQueue::Stack(stack) => stack.iter().rev().copied().collect(),
            NodeQueue::Heap(queue) => queue.iter().map(|(_, &node)| node).collect(),
            NodeQueue::Fifo(_) | NodeQueue::Lifo(_) => {
                let mut queue = self.clone();
                std::iter::from_fn(|| queue.pop()).collect()
            }
        }
    }
}
