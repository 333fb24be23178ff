//! The upper part of the tree, where all partitions are followed.
//!
//! Partitions are good on different boards. Following all of them takes several times as long for each node as following
//! one, and almost all nodes are near the leaves. But the slack tells how far away the leaves are: the nodes with a slack
//! of at least two were expanded two rounds earlier, too, and are about one in fifty. There, all partitions are followed.
//! Below, only the one with the least slack is: it prunes the most.
//!
//! With four partitions, complete rounds of the ten random 24-puzzles that the partitions were chosen for have 2.5 times
//! fewer nodes than with one, and those of twelve others 1.9 times fewer. `docs/algorithms/ida-star.md` has the figures.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use npuzzle_tables::SlotLookup;

use crate::engine::ida::bounded_dfs::{DfsEnd, DfsRun};

use super::context::Context;
use super::expand::{children, is_goal, max_h};
use super::node::PdbNode;
use super::search::Dfs;

/// The least slack of the nodes at which all partitions are followed. With 1, a tenth of the nodes is expanded in this
/// way: there are 17 % fewer nodes, but they take 1.5 times as long.
const MIN_SLACK: i32 = 2;

/// A depth-first search of the upper part of the tree, in progress.
pub(super) struct UpperDfs<'a, 'r, L, const COLS: usize, const MIRROR: bool> {
    /// One for each partition.
    contexts: &'a [Context<'a, L>],
    /// The search below the upper part. It has the counters of both.
    lower: Dfs<'a, 'r, L, COLS, MIRROR>,
}

impl<'a, 'r, L: SlotLookup, const COLS: usize, const MIRROR: bool>
    UpperDfs<'a, 'r, L, COLS, MIRROR>
{
    /// Searches for a goal at most `left` moves away from a node, which is given in each partition.
    pub(super) fn search(
        contexts: &'a [Context<'a, L>],
        node: &[PdbNode],
        left: i32,
        run: DfsRun<'r>,
    ) -> (ControlFlow<DfsEnd>, DfsRun<'r>) {
        let lower = Dfs { context: &contexts[0], node: node[0], run };
        let mut dfs: UpperDfs<'a, 'r, L, COLS, MIRROR> = UpperDfs { contexts, lower };
        (dfs.below(node, left), dfs.lower.run)
    }

    fn below(&mut self, node: &[PdbNode], left: i32) -> ControlFlow<DfsEnd> {
        if node.len() == 1 || left - max_h(node) < 2 * MIN_SLACK {
            return self.search_lower(node, left);
        }
        self.lower.run.expand()?;
        for (slide, child) in children::<L, COLS, MIRROR>(self.contexts, node) {
            self.lower.run.stats.generated += 1;
            // The slack falls by one at most, so no child is pruned.
            if !is_goal(&child) {
                match self.below(&child, left - 1) {
                    ControlFlow::Continue(()) => continue,
                    ControlFlow::Break(DfsEnd::Goal) => {}
                    stopped => return stopped,
                }
            }
            self.lower.run.path.push(slide);
            return ControlFlow::Break(DfsEnd::Goal);
        }
        ControlFlow::Continue(())
    }

    /// Searches below a node with the partition that has the largest values there.
    fn search_lower(&mut self, node: &[PdbNode], left: i32) -> ControlFlow<DfsEnd> {
        // The first partition wins a tie.
        let values = |node: &PdbNode| Reverse((node.max_h(), node.h[0] + node.h[1]));
        let nodes = self.contexts.iter().zip(node);
        if let Some((context, node)) = nodes.min_by_key(|(_, node)| values(node)) {
            (self.lower.context, self.lower.node) = (context, *node);
        }
        self.lower.search(left)
    }
}
