//! Depth-first search with pattern databases.
//!
//! One node is changed by every slide and restored when the recursion returns. The recursion passes the *slack*
//! of each view: `(bound − g − h) / 2`. A slide that lowers the cost of its pattern keeps the slack, and a slide
//! that raises it reduces the slack by one. A node whose slack is negative in one view is pruned.

use std::ops::ControlFlow;

use npuzzle_core::Slide;
use npuzzle_core::search::Cost;
use npuzzle_tables::SlotLookup;

use crate::engine::ida::bounded_dfs::{BoundedDfs, DfsEnd, DfsRun, NodeCounts, Split, Subtree};

use super::context::Context;
use super::node::{
    DOWN, EntryIndex, LEFT, MAX_CELLS, MAX_PATTERNS, PatternState, PdbNode, RIGHT, TRANSPOSED, UP,
    offset,
};

/// The engine for one board and one set of tables, compiled for a number of columns, and for boards whose
/// transpose has the same goal or another one.
pub(crate) struct PdbEngine<'a, L, const COLS: usize, const MIRROR: bool> {
    context: Context<'a, L>,
    root: PdbNode,
}

impl<'a, L: SlotLookup, const COLS: usize, const MIRROR: bool> PdbEngine<'a, L, COLS, MIRROR> {
    /// The engine for the board with these labels, given by cell.
    pub(crate) fn new(context: Context<'a, L>, labels: &[u8]) -> Self {
        let root = context.root(labels);
        PdbEngine { context, root }
    }

    #[cfg(test)]
    pub(super) fn root(&self) -> &PdbNode {
        &self.root
    }

    fn dfs<'b, 'r>(&'b self, node: &PdbNode, run: DfsRun<'r>) -> Dfs<'b, 'r, L, COLS, MIRROR> {
        Dfs { context: &self.context, node: *node, run }
    }
}

impl<L: SlotLookup, const COLS: usize, const MIRROR: bool> BoundedDfs
    for PdbEngine<'_, L, COLS, MIRROR>
{
    type Node = PdbNode;

    const BOUND_STEP: Cost = 2;

    const POLL_INTERVAL: u32 = 1 << 14;

    fn is_solved(&self) -> bool {
        self.root.h[0] == 0
    }

    fn first_bound(&self) -> Cost {
        self.root.max_h() as Cost
    }

    fn tables_name(&self) -> String {
        self.context.tables_name()
    }

    fn search<'r>(&self, bound: Cost, run: DfsRun<'r>) -> (ControlFlow<DfsEnd>, DfsRun<'r>) {
        let mut dfs = self.dfs(&self.root, run);
        (dfs.search(bound as i32), dfs.run)
    }

    fn search_subtree<'r>(
        &self,
        subtree: &Subtree<PdbNode>,
        bound: Cost,
        run: DfsRun<'r>,
    ) -> (ControlFlow<DfsEnd>, DfsRun<'r>) {
        let mut dfs = self.dfs(&subtree.node, run);
        (dfs.search(bound as i32 - subtree.path.len() as i32), dfs.run)
    }

    fn split_at(&self, bound: Cost, depth: usize) -> Option<Split<PdbNode>> {
        let mut split = Split { subtrees: Vec::new(), above: NodeCounts::default() };
        self.split_below(&self.root, bound as i32, depth, &mut Vec::new(), &mut split)?;
        Some(split)
    }
}

impl<L: SlotLookup, const COLS: usize, const MIRROR: bool> PdbEngine<'_, L, COLS, MIRROR> {
    fn split_below(
        &self,
        node: &PdbNode,
        left: i32,
        depth: usize,
        path: &mut Vec<Slide>,
        split: &mut Split<PdbNode>,
    ) -> Option<()> {
        split.above.expanded += 1;
        let row = self.context.automaton.row(node.automaton);
        let allowed = row.allowed & self.context.legal[node.views[0].blank];
        for slide in Slide::ALL.into_iter().filter(|&slide| allowed >> slide as u8 & 1 == 1) {
            split.above.generated += 1;
            let automaton = row.next[slide as usize];
            let child = PdbNode { automaton, ..self.child(node, slide) };
            if child.max_h() > left - 1 {
                continue;
            }
            if child.h[0] == 0 {
                return None;
            }
            path.push(slide);
            if depth == 1 {
                let h = child.h[0] + child.h[1];
                split.subtrees.push(Subtree { node: child, path: path.clone(), h });
            } else {
                self.split_below(&child, left - 1, depth - 1, path, split)?;
            }
            path.pop();
        }
        Some(())
    }

    /// The node after a legal slide.
    pub(super) fn child(&self, node: &PdbNode, slide: Slide) -> PdbNode {
        let mut child = *node;
        let slides = [slide as usize, TRANSPOSED[slide as usize]];
        for ((view, slide), h) in child.views.iter_mut().zip(slides).zip(&mut child.h) {
            let index = self.context.entry_index::<COLS>(view, slide, view.blank);
            let rise = self.context.rise(index);
            let offset = offset::<COLS>(slide);
            let blank_label = view.labels.near(view.blank, 0);
            view.patterns[index.pattern()] = index.state_after(rise);
            view.labels.copy_from(view.blank, offset);
            view.blank = view.blank.wrapping_add_signed(offset);
            view.labels.set(view.blank, blank_label);
            *h += 2 * rise as i32 - 1;
            if !MIRROR {
                break;
            }
        }
        if !MIRROR {
            (child.views[1], child.h[1]) = (child.views[0], child.h[0]);
        }
        child
    }
}

/// A depth-first search in progress. Each slide is compiled separately, so nothing tests its direction at
/// run time.
struct Dfs<'a, 'r, L, const COLS: usize, const MIRROR: bool> {
    context: &'a Context<'a, L>,
    /// The node that is searched. The recursion passes on its blank, its automaton and its heuristic values; here
    /// they are those of the top of the tree. The label of the blank's cell is not kept either.
    node: PdbNode,
    run: DfsRun<'r>,
}

/// The arguments that the children of a node share.
#[derive(Clone, Copy)]
struct Frame {
    /// The cell of the blank in each view.
    blank: [usize; 2],
    /// The moves that are left to a child.
    left: i32,
    /// Half of `left` minus the heuristic value, of each view.
    slack: [i32; 2],
    /// Bit `slide` is set if the slide is legal and no duplicate path.
    allowed: u8,
    /// The states of the automaton after the slides.
    next: [u16; 4],
}

impl<L: SlotLookup, const COLS: usize, const MIRROR: bool> Dfs<'_, '_, L, COLS, MIRROR> {
    /// Searches for a goal at most `left` moves away.
    fn search(&mut self, left: i32) -> ControlFlow<DfsEnd> {
        let PdbNode { views, automaton, h } = self.node;
        let slack = h.map(|h| (left - h) / 2);
        self.below(views[0].blank, views[1].blank, automaton, left, slack)
    }

    /// Scalar parameters are passed in registers.
    fn below(
        &mut self,
        blank: usize,
        mirror_blank: usize,
        automaton: u16,
        left: i32,
        slack: [i32; 2],
    ) -> ControlFlow<DfsEnd> {
        self.run.expand()?;
        let row = self.context.automaton.row(automaton);
        let frame = Frame {
            blank: [blank, mirror_blank],
            left: left - 1,
            slack,
            allowed: row.allowed & self.context.legal[blank % MAX_CELLS],
            next: row.next,
        };
        // Prefetch all entries before the first is needed. The tables are larger than the caches.
        let children = [
            self.prefetch::<UP>(frame),
            self.prefetch::<DOWN>(frame),
            self.prefetch::<LEFT>(frame),
            self.prefetch::<RIGHT>(frame),
        ];
        self.enter::<UP>(frame, children[UP])?;
        self.enter::<DOWN>(frame, children[DOWN])?;
        self.enter::<LEFT>(frame, children[LEFT])?;
        self.enter::<RIGHT>(frame, children[RIGHT])
    }

    /// Prefetches the entries of a child, if its slide is allowed.
    #[inline(always)]
    fn prefetch<const S: usize>(&self, frame: Frame) -> [EntryIndex; 2] {
        if frame.allowed >> S & 1 == 0 {
            return Default::default();
        }
        let ([view, mirror_view], context) = (&self.node.views, self.context);
        let board = context.entry_index::<COLS>(view, S, frame.blank[0]);
        context.prefetch(board);
        let mut mirror = EntryIndex::default();
        if MIRROR {
            mirror = context.entry_index::<COLS>(mirror_view, TRANSPOSED[S], frame.blank[1]);
            context.prefetch(mirror);
        }
        [board, mirror]
    }

    /// Searches below a child, if its slide is allowed and it is within the bound. The path is recorded while the
    /// recursion returns from the goal.
    #[inline(always)]
    fn enter<const S: usize>(
        &mut self,
        frame: Frame,
        [board, mirror]: [EntryIndex; 2],
    ) -> ControlFlow<DfsEnd> {
        let Frame { blank, left, mut slack, allowed, next } = frame;
        if allowed >> S & 1 == 0 {
            return ControlFlow::Continue(());
        }
        self.run.stats.generated += 1;
        let rise = self.context.rise(board);
        slack[0] -= rise as i32;
        let mut mirror_rise = 0;
        if MIRROR {
            mirror_rise = self.context.rise(mirror);
            slack[1] -= mirror_rise as i32;
        }
        // One test for both views: two would be mispredicted more often than one look-up is saved.
        if slack[0] | slack[1] < 0 {
            return ControlFlow::Continue(());
        }
        // The heuristic is zero at the goal only.
        if left != 2 * slack[0] {
            let offsets = [offset::<COLS>(S), offset::<COLS>(TRANSPOSED[S])];
            let from = [
                blank[0].wrapping_add_signed(offsets[0]),
                blank[1].wrapping_add_signed(offsets[1]),
            ];
            let old =
                self.move_tile(0, blank[0], offsets[0], board.pattern(), board.state_after(rise));
            let mut old_mirror = old;
            if MIRROR {
                let (pattern, state) = (mirror.pattern(), mirror.state_after(mirror_rise));
                old_mirror = self.move_tile(1, blank[1], offsets[1], pattern, state);
            }
            match self.below(from[0], from[1], next[S], left, slack) {
                ControlFlow::Continue(()) => {
                    self.move_tile(0, from[0], -offsets[0], board.pattern(), old);
                    if MIRROR {
                        let pattern = mirror.pattern();
                        self.move_tile(1, from[1], -offsets[1], pattern, old_mirror);
                    }
                    return ControlFlow::Continue(());
                }
                ControlFlow::Break(DfsEnd::Goal) => {}
                stopped => return stopped,
            }
        }
        self.run.path.push(Slide::ALL[S]);
        ControlFlow::Break(DfsEnd::Goal)
    }

    /// Moves the tile at some distance to a cell and changes the state of its pattern. Returns the state before.
    #[inline(always)]
    fn move_tile(
        &mut self,
        view: usize,
        to: usize,
        offset: isize,
        pattern: usize,
        state: PatternState,
    ) -> PatternState {
        let view = &mut self.node.views[view];
        view.labels.copy_from(to, offset);
        std::mem::replace(&mut view.patterns[pattern % MAX_PATTERNS], state)
    }
}
