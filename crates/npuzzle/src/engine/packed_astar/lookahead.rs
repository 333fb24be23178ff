//! Computes expansions ahead of time, so that the lines of the closed list are in the cache when they are
//! needed.
//!
//! The open list is a stack for each `f`, so the order of the next expansions is nearly known: the search
//! goes down from child to child with the same `f`, then back to the nodes below. It changes only if a node
//! turns out to be a duplicate. The look-ahead follows this order some expansions ahead, assuming that
//! there are no duplicates, and prefetches the line of every child. When the search takes a node out of
//! the open list, its expansion is usually there; expansions in front of it belong to duplicates and
//! are dropped. If it is missing, the look-ahead starts again from this node.
//!
//! A wrong prediction costs time and nothing else: an expansion depends only on its node.

use npuzzle_core::Sliding;
use npuzzle_core::search::{Cost, Heuristic};

use super::closed::ClosedList;
use super::expansion::{Expander, Expansion};
use super::node::PackedNode;
use super::open::OpenList;
use super::slid_board::SlidBoard;

/// Expansions that are computed ahead; a power of two.
const N_AHEAD: usize = 4;
/// Nodes in the predicted part of the open list; a power of two.
const N_PREDICTED: usize = 32;

/// Expansions of the nodes that are expected to leave the open list next.
pub(super) struct Lookahead<M> {
    /// A ring buffer.
    expansions: [Expansion<M>; N_AHEAD],
    first: usize,
    n_expansions: usize,
    /// The `f` of all nodes here.
    f: Cost,
    /// What the open list contains above its lowest `n_below` nodes of this `f` after all expansions: a
    /// stack that forgets its lowest node when it is full.
    predicted: [(PackedNode, M); N_PREDICTED],
    /// The index of the next node, modulo the size.
    top: usize,
    n_predicted: usize,
    n_below: usize,
}

impl<M: Copy> Lookahead<M> {
    /// A look-ahead that predicts nothing; the expansion is a placeholder.
    pub(super) fn new(empty: Expansion<M>, memo: M) -> Self {
        Lookahead {
            expansions: [empty; N_AHEAD],
            first: 0,
            n_expansions: 0,
            f: 0,
            predicted: [(empty.node, memo); N_PREDICTED],
            top: 0,
            n_predicted: 0,
            n_below: 0,
        }
    }

    /// Forgets all expansions, because their homes in the closed list are no longer valid.
    pub(super) fn clear(&mut self) {
        self.n_expansions = 0;
    }

    /// Returns the expansion of a node that has just left the open list, and looks further ahead.
    #[inline(always)]
    pub(super) fn expansion<H>(
        &mut self,
        f: Cost,
        node: PackedNode,
        memo: Option<M>,
        expander: &Expander<'_, H>,
        open: &OpenList<H>,
        closed: &ClosedList,
    ) -> &Expansion<M>
    where
        H: Heuristic<Sliding<SlidBoard>, Memo = M>,
    {
        if f != self.f {
            self.f = f;
            self.n_expansions = 0;
        }
        while self.n_expansions > 0 && self.expansions[self.first].node != node {
            self.drop_first();
        }
        if self.n_expansions == 0 {
            // The only prediction is this node.
            self.predicted[0] = (node, memo.unwrap_or_else(|| expander.eval(node)));
            self.top = 1;
            self.n_predicted = 1;
            self.n_below = open.len_of(f);
        }
        while self.n_expansions < N_AHEAD
            && let Some((node, memo)) = self.predict(expander, open)
        {
            self.add(node, memo, expander, closed);
        }
        let expected = self.first;
        self.drop_first();
        &self.expansions[expected]
    }

    #[inline]
    fn drop_first(&mut self) {
        self.first = (self.first + 1) % N_AHEAD;
        self.n_expansions -= 1;
    }

    /// Removes the node that is expected to be expanded after the others.
    #[inline]
    fn predict<H>(
        &mut self,
        expander: &Expander<'_, H>,
        open: &OpenList<H>,
    ) -> Option<(PackedNode, M)>
    where
        H: Heuristic<Sliding<SlidBoard>, Memo = M>,
    {
        if self.n_predicted > 0 {
            self.n_predicted -= 1;
            self.top = self.top.wrapping_sub(1);
            return Some(self.predicted[self.top % N_PREDICTED]);
        }
        let n_below = self.n_below.checked_sub(1)?;
        let (node, memo) = open.get(self.f, n_below)?;
        self.n_below = n_below;
        Some((node, memo.unwrap_or_else(|| expander.eval(node))))
    }

    /// Computes an expansion and prefetches what it needs.
    #[inline(always)]
    fn add<H>(&mut self, node: PackedNode, memo: M, expander: &Expander<'_, H>, closed: &ClosedList)
    where
        H: Heuristic<Sliding<SlidBoard>, Memo = M>,
    {
        let expansion = &mut self.expansions[(self.first + self.n_expansions) % N_AHEAD];
        self.n_expansions += 1;
        let (f, mut top) = (self.f, self.top);
        let locate = |node| closed.locate(node);
        expander.expand(node, f, memo, expansion, locate, |child| {
            // Written without a branch: whether it counts is decided by the increment.
            self.predicted[top % N_PREDICTED] = (child.node, child.memo);
            top = top.wrapping_add(usize::from(child.f == f));
        });
        let n_new = top.wrapping_sub(self.top);
        self.n_predicted = (self.n_predicted + n_new).min(N_PREDICTED);
        self.top = top;
    }
}
