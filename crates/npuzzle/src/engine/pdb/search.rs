//! Depth-first search with the pattern databases of one partition.
//!
//! One node is changed by every slide and restored when the recursion returns. The recursion passes the *slack*
//! of each view: `(bound − g − h) / 2`. A slide that lowers the cost of its pattern keeps the slack, and a slide
//! that raises it reduces the slack by one. A node whose slack is negative in one view is pruned.

use std::ops::ControlFlow;

use npuzzle_core::Slide;
use npuzzle_tables::{SlotLookup, prefetch_value};

use crate::engine::ida::bounded_dfs::{DfsEnd, DfsRun};

use super::context::Context;
use super::node::{
    DOWN, EntryIndex, LEFT, MAX_CELLS, MAX_PATTERNS, PatternState, PdbNode, RIGHT, TRANSPOSED, UP,
    offset,
};

/// Wider boards have the deep automaton, which is larger than the second-level cache.
const MAX_COLS_OF_SMALL_AUTOMATON: usize = 4;

/// A depth-first search with one partition, in progress. Each slide is compiled separately, so nothing tests its
/// direction at run time.
pub(super) struct Dfs<'a, 'r, L, const COLS: usize, const MIRROR: bool> {
    pub(super) context: &'a Context<'a, L>,
    /// The node that is searched. The recursion passes on its blank, its automaton and its heuristic values; here
    /// they are those of the top of the tree. The label of the blank's cell is not kept either.
    pub(super) node: PdbNode,
    pub(super) run: DfsRun<'r>,
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
    pub(super) fn search(&mut self, left: i32) -> ControlFlow<DfsEnd> {
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

    /// Prefetches the entries of a child and its row of the automaton, if its slide is allowed.
    #[inline(always)]
    fn prefetch<const S: usize>(&self, frame: Frame) -> [EntryIndex; 2] {
        if frame.allowed >> S & 1 == 0 {
            return Default::default();
        }
        let ([view, mirror_view], context) = (&self.node.views, self.context);
        let board = context.entry_index::<COLS>(view, S, frame.blank[0]);
        context.prefetch(board);
        if COLS > MAX_COLS_OF_SMALL_AUTOMATON {
            prefetch_value(context.automaton.row(frame.next[S]));
        }
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
