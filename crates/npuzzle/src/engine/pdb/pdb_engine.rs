//! The engine for one board: what the driver of iterative deepening needs.

use std::ops::ControlFlow;

use npuzzle_core::Slide;
use npuzzle_core::search::Cost;
use npuzzle_tables::SlotLookup;

use crate::engine::ida::bounded_dfs::{BoundedDfs, DfsEnd, DfsRun, NodeCounts, Split, Subtree};

use super::context::Context;
use super::expand::{children, is_goal, max_h};
use super::node::PdbNode;
use super::upper_dfs::UpperDfs;

/// The engine for one board and the tables of one partition or several, compiled for a number of columns, and for
/// boards whose transpose has the same goal or another one.
pub(crate) struct PdbEngine<'a, L, const COLS: usize, const MIRROR: bool> {
    /// One for each partition; at least one.
    contexts: Vec<Context<'a, L>>,
    /// The name of all partitions together.
    name: String,
    root: Vec<PdbNode>,
}

impl<'a, L: SlotLookup, const COLS: usize, const MIRROR: bool> PdbEngine<'a, L, COLS, MIRROR> {
    /// The engine for the board with these labels, given by cell.
    pub(crate) fn new(contexts: Vec<Context<'a, L>>, name: String, labels: &[u8]) -> Self {
        let root = contexts.iter().map(|context| context.root(labels)).collect();
        PdbEngine { contexts, name, root }
    }

    #[cfg(test)]
    pub(super) fn root(&self) -> &[PdbNode] {
        &self.root
    }
}

impl<L: SlotLookup, const COLS: usize, const MIRROR: bool> BoundedDfs
    for PdbEngine<'_, L, COLS, MIRROR>
{
    /// The same node in each partition.
    type Node = Vec<PdbNode>;

    const BOUND_STEP: Cost = 2;

    const POLL_INTERVAL: u32 = 1 << 14;

    fn is_solved(&self) -> bool {
        is_goal(&self.root)
    }

    fn first_bound(&self) -> Cost {
        max_h(&self.root) as Cost
    }

    fn tables_name(&self) -> String {
        self.name.clone()
    }

    fn search<'r>(&self, bound: Cost, run: DfsRun<'r>) -> (ControlFlow<DfsEnd>, DfsRun<'r>) {
        UpperDfs::<L, COLS, MIRROR>::search(&self.contexts, &self.root, bound as i32, run)
    }

    fn search_subtree<'r>(
        &self,
        subtree: &Subtree<Vec<PdbNode>>,
        bound: Cost,
        run: DfsRun<'r>,
    ) -> (ControlFlow<DfsEnd>, DfsRun<'r>) {
        let left = bound as i32 - subtree.path.len() as i32;
        UpperDfs::<L, COLS, MIRROR>::search(&self.contexts, &subtree.node, left, run)
    }

    fn split_at(&self, bound: Cost, depth: usize) -> Option<Split<Vec<PdbNode>>> {
        let mut split = Split { subtrees: Vec::new(), above: NodeCounts::default() };
        self.split_below(&self.root, bound as i32, depth, &mut Vec::new(), &mut split)?;
        Some(split)
    }
}

impl<L: SlotLookup, const COLS: usize, const MIRROR: bool> PdbEngine<'_, L, COLS, MIRROR> {
    fn split_below(
        &self,
        node: &[PdbNode],
        left: i32,
        depth: usize,
        path: &mut Vec<Slide>,
        split: &mut Split<Vec<PdbNode>>,
    ) -> Option<()> {
        split.above.expanded += 1;
        for (slide, child) in children::<L, COLS, MIRROR>(&self.contexts, node) {
            split.above.generated += 1;
            if max_h(&child) > left - 1 {
                continue;
            }
            if is_goal(&child) {
                return None;
            }
            path.push(slide);
            if depth == 1 {
                let h = child.iter().map(|child| child.h[0] + child.h[1]).sum();
                split.subtrees.push(Subtree { node: child, path: path.clone(), h });
            } else {
                self.split_below(&child, left - 1, depth - 1, path, split)?;
            }
            path.pop();
        }
        Some(())
    }
}
