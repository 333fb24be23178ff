//! The queue of a search, with node numbers as its items.

use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::Cost;

use super::TieBreak;

/// A queue of node numbers that breaks ties as the traced search does.
#[derive(Clone, Debug)]
pub(super) enum NodeQueue {
    Fifo(FifoHeap<Cost, usize>),
    Lifo(BucketQueue<usize>),
    Heap(ArrayHeap<Cost, usize>),
}

impl NodeQueue {
    pub(super) fn new(tie_break: TieBreak) -> NodeQueue {
        match tie_break {
            TieBreak::Fifo => NodeQueue::Fifo(FifoHeap::new()),
            TieBreak::Lifo => NodeQueue::Lifo(BucketQueue::new()),
            TieBreak::Heap => NodeQueue::Heap(ArrayHeap::new()),
        }
    }

    pub(super) fn push(&mut self, key: Cost, node: usize) {
        match self {
            NodeQueue::Fifo(queue) => queue.push(key, node),
            NodeQueue::Lifo(queue) => queue.push(key, node),
            NodeQueue::Heap(queue) => queue.push(key, node),
        }
    }

    pub(super) fn pop(&mut self) -> Option<usize> {
        let popped = match self {
            NodeQueue::Fifo(queue) => queue.pop(),
            NodeQueue::Lifo(queue) => queue.pop(),
            NodeQueue::Heap(queue) => queue.pop(),
        };
        popped.map(|(_, node)| node)
    }

    /// Returns the nodes in the order in which they would leave the queue; for a heap, in the order of
    /// its array.
    pub(super) fn nodes(&self) -> Vec<usize> {
        match self {
            NodeQueue::Heap(queue) => queue.iter().map(|(_, &node)| node).collect(),
            NodeQueue::Fifo(_) | NodeQueue::Lifo(_) => {
                let mut queue = self.clone();
                std::iter::from_fn(|| queue.pop()).collect()
            }
        }
    }
}
