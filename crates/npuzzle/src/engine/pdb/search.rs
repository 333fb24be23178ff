//! Depth-first search with pattern databases.

use std::ops::ControlFlow;

use npuzzle_core::Slide;
use npuzzle_core::search::Cost;
use npuzzle_tables::{PdbSet, SlideAutomaton};

use crate::engine::ida::bounded_dfs::{BoundedDfs, DfsEnd, DfsRun, NodeCounts, Split, Subtree};

use super::config::Config;
use super::context::Context;
use super::expand::{ChildStatus, DOWN, LEFT, PdbNode, RIGHT, UP};

/// The engine for one board and one set of tables.
pub(crate) struct PdbEngine<'a, L: Config> {
    pub(crate) context: Context<'a, L>,
    root: PdbNode<L::Board>,
}

impl<'a, L: Config> PdbEngine<'a, L> {
    /// The engine for the board with these labels, given by cell.
    pub(crate) fn new(set: &'a PdbSet, automaton: &'a SlideAutomaton, labels: &[u8]) -> Self {
        let context = Context::new(set, automaton);
        let root = context.root(labels);
        PdbEngine { context, root }
    }
}

impl<L: Config> BoundedDfs for PdbEngine<'_, L> {
    type Node = PdbNode<L::Board>;

    const BOUND_STEP: Cost = 2;

    const POLL_INTERVAL: u32 = 1 << 14;

    fn is_solved(&self) -> bool {
        self.root.manhattan == 0
    }

    fn first_bound(&self) -> Cost {
        self.root.h() as Cost
    }

    fn tables_name(&self) -> String {
        self.context.lookup.set().partition().name()
    }

    fn search<'r>(&self, bound: Cost, run: DfsRun<'r>) -> (ControlFlow<DfsEnd>, DfsRun<'r>) {
        let mut dfs = Dfs { context: &self.context, run };
        (dfs.below(&self.root, bound as i32), dfs.run)
    }

    fn search_subtree<'r>(
        &self,
        subtree: &Subtree<PdbNode<L::Board>>,
        bound: Cost,
        run: DfsRun<'r>,
    ) -> (ControlFlow<DfsEnd>, DfsRun<'r>) {
        let left = bound as i32 - subtree.path.len() as i32;
        let mut dfs = Dfs { context: &self.context, run };
        (dfs.below(&subtree.node, left), dfs.run)
    }

    fn split_at(&self, bound: Cost, depth: usize) -> Option<Split<PdbNode<L::Board>>> {
        let mut split = Split { subtrees: Vec::new(), above: NodeCounts::default() };
        self.split_below(&self.root, bound as i32, depth, &mut Vec::new(), &mut split)?;
        Some(split)
    }
}

impl<L: Config> PdbEngine<'_, L> {
    fn split_below(
        &self,
        node: &PdbNode<L::Board>,
        left: i32,
        depth: usize,
        path: &mut Vec<Slide>,
        split: &mut Split<PdbNode<L::Board>>,
    ) -> Option<()> {
        split.above.expanded += 1;
        let next = self.context.automaton.row(node.automaton);
        for slide in Slide::ALL {
            if !self.context.is_slide_allowed(node, next, slide) {
                continue;
            }
            split.above.generated += 1;
            let child = self.context.child_after(slide, node, next[slide as usize], left - 1);
            let Some(child) = child else { continue };
            if child.manhattan == 0 {
                return None;
            }
            path.push(slide);
            if depth == 1 {
                let (path, above) = (path.clone(), split.above);
                split.subtrees.push(Subtree { node: child, path, above });
            } else {
                self.split_below(&child, left - 1, depth - 1, path, split)?;
            }
            path.pop();
        }
        Some(())
    }
}

/// A depth-first search in progress. Each slide is compiled separately, so nothing tests its direction at
/// run time.
struct Dfs<'a, 'b, L: Config> {
    context: &'a Context<'a, L>,
    run: DfsRun<'b>,
}

impl<L: Config> Dfs<'_, '_, L> {
    /// Searches below a node for a goal at most `left` moves away.
    fn below(&mut self, node: &PdbNode<L::Board>, left: i32) -> ControlFlow<DfsEnd> {
        self.run.expand()?;
        let next = self.context.automaton.row(node.automaton);
        let left = left - 1;
        if !L::PREFETCH {
            self.slide::<UP>(node, next, left)?;
            self.slide::<DOWN>(node, next, left)?;
            self.slide::<LEFT>(node, next, left)?;
            return self.slide::<RIGHT>(node, next, left);
        }
        let children = [
            self.context.prefetch_child::<UP>(node, next, left),
            self.context.prefetch_child::<DOWN>(node, next, left),
            self.context.prefetch_child::<LEFT>(node, next, left),
            self.context.prefetch_child::<RIGHT>(node, next, left),
        ];
        self.prefetched::<UP>(node, next, left, &children[UP])?;
        self.prefetched::<DOWN>(node, next, left, &children[DOWN])?;
        self.prefetched::<LEFT>(node, next, left, &children[LEFT])?;
        self.prefetched::<RIGHT>(node, next, left, &children[RIGHT])
    }

    /// Searches below a child whose table entries were prefetched.
    #[inline(always)]
    fn prefetched<const S: usize>(
        &mut self,
        node: &PdbNode<L::Board>,
        next: &[u16; 4],
        left: i32,
        status: &ChildStatus,
    ) -> ControlFlow<DfsEnd> {
        let child = match *status {
            ChildStatus::Illegal => return ControlFlow::Continue(()),
            ChildStatus::Pruned => None,
            ChildStatus::Pending(tile_move, index) => {
                self.context.child_at(node, next[S], left, tile_move, index)
            }
        };
        self.run.stats.generated += 1;
        match child {
            Some(child) => self.enter::<S>(&child, left),
            None => ControlFlow::Continue(()),
        }
    }

    /// Searches below the child after a slide, if the slide is allowed and the child within `left` moves of
    /// the goal.
    #[inline(always)]
    fn slide<const S: usize>(
        &mut self,
        node: &PdbNode<L::Board>,
        next: &[u16; 4],
        left: i32,
    ) -> ControlFlow<DfsEnd> {
        if !self.context.is_allowed::<S>(node, next) {
            return ControlFlow::Continue(());
        }
        self.run.stats.generated += 1;
        match self.context.child::<S>(node, next[S], left) {
            Some(child) => self.enter::<S>(&child, left),
            None => ControlFlow::Continue(()),
        }
    }

    /// Searches below a child, unless it is the goal. The path is recorded while the recursion
    /// returns from the goal.
    #[inline(always)]
    fn enter<const S: usize>(
        &mut self,
        child: &PdbNode<L::Board>,
        left: i32,
    ) -> ControlFlow<DfsEnd> {
        if child.manhattan > 0 {
            match self.below(child, left) {
                ControlFlow::Break(DfsEnd::Goal) => {}
                other => return other,
            }
        }
        self.run.path.push(Slide::ALL[S]);
        ControlFlow::Break(DfsEnd::Goal)
    }
}
