//! The open list: 8 bytes for a node, and its memo if that takes long to compute.

use npuzzle_core::Packed;
use npuzzle_core::Sliding;
use npuzzle_core::queue::{BucketQueue, MinQueue};
use npuzzle_core::search::{Cost, Heuristic};

use super::node::PackedNode;

/// The generated nodes, in the order of the bucket queue.
pub(super) struct OpenList<M> {
    nodes: BucketQueue<PackedNode>,
    /// The memos in the same order, if they are stored.
    memos: Option<BucketQueue<M>>,
}

impl<M: Copy> OpenList<M> {
    pub(super) fn new<H: Heuristic<Sliding<Packed>, Memo = M>>() -> Self {
        let memos = (!H::EVALUATES_FAST).then(BucketQueue::new);
        OpenList { nodes: BucketQueue::new(), memos }
    }

    #[inline]
    pub(super) fn push(&mut self, f: Cost, node: PackedNode, memo: M) {
        self.nodes.push(f, node);
        if let Some(memos) = &mut self.memos {
            memos.push(f, memo);
        }
    }

    /// Removes the node that entered last among those with the smallest `f`.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(Cost, PackedNode, Option<M>)> {
        let (f, node) = self.nodes.pop()?;
        let memo = self.memos.as_mut().and_then(BucketQueue::pop);
        Some((f, node, memo.map(|(_, memo)| memo)))
    }

    /// Returns the node of this `f` above `n_below` others, and its memo if memos are stored.
    #[inline]
    pub(super) fn get(&self, f: Cost, n_below: usize) -> Option<(PackedNode, Option<M>)> {
        let memos = self.memos.as_ref();
        let memo = memos.and_then(|memos| memos.get(f, n_below).copied());
        Some((*self.nodes.get(f, n_below)?, memo))
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
        self.nodes.bytes() + self.memos.as_ref().map_or(0, MinQueue::bytes)
    }
}
