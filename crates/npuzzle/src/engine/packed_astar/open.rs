//! The open list: 8 bytes for a node, and its memo if that takes long to compute.

use npuzzle_core::Sliding;
use npuzzle_core::queue::{BucketQueue, MinQueue};
use npuzzle_core::search::{Cost, Heuristic};

use super::node::PackedNode;
use super::slid_board::SlidBoard;

/// The generated nodes, in the order of the bucket queue.
pub(super) struct OpenList<H: Heuristic<Sliding<SlidBoard>>> {
    nodes: BucketQueue<PackedNode>,
    /// The memos in the same order; empty if they are evaluated fast.
    memos: BucketQueue<H::Memo>,
}

impl<H> OpenList<H>
where
    H: Heuristic<Sliding<SlidBoard>, Memo: Copy>,
{
    pub(super) fn new() -> Self {
        OpenList { nodes: BucketQueue::new(), memos: BucketQueue::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, f: Cost, node: PackedNode, memo: H::Memo) {
        self.nodes.push(f, node);
        if !H::EVALUATES_FAST {
            self.memos.push(f, memo);
        }
    }

    /// Removes the node that entered last among those with the smallest `f`.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<(Cost, PackedNode, Option<H::Memo>)> {
        let (f, node) = self.nodes.pop()?;
        let memo = if H::EVALUATES_FAST { None } else { self.memos.pop() };
        Some((f, node, memo.map(|(_, memo)| memo)))
    }

    /// Returns the node of this `f` above `n_below` others, and its memo if memos are stored.
    #[inline]
    pub(super) fn get(&self, f: Cost, n_below: usize) -> Option<(PackedNode, Option<H::Memo>)> {
        let memo = if H::EVALUATES_FAST { None } else { self.memos.get(f, n_below) };
        Some((*self.nodes.get(f, n_below)?, memo.copied()))
    }

    /// The smallest `f`.
    #[inline]
    pub(super) fn min_key(&mut self) -> Option<Cost> {
        self.nodes.min_key()
    }

    /// Number of nodes.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Number of nodes of this `f`.
    #[inline]
    pub(super) fn len_of(&self, f: Cost) -> usize {
        self.nodes.len_of(f)
    }

    /// Bytes in use.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.memos.bytes()
    }
}
