//! Expansion of a node in all partitions, for the upper part of the tree and for its split.

use npuzzle_core::Slide;
use npuzzle_tables::SlotLookup;

use super::context::Context;
use super::node::{PdbNode, TRANSPOSED, offset};

/// Whether a node, given in each partition, is the goal. The heuristic is zero there only.
pub(super) fn is_goal(node: &[PdbNode]) -> bool {
    node.iter().any(|node| node.h[0] == 0)
}

/// The heuristic value of a node, given in each partition.
pub(super) fn max_h(node: &[PdbNode]) -> i32 {
    node.iter().map(PdbNode::max_h).max().unwrap_or(0)
}

/// The children of a node that are no duplicates, in each partition.
pub(super) fn children<L: SlotLookup, const COLS: usize, const MIRROR: bool>(
    contexts: &[Context<'_, L>],
    node: &[PdbNode],
) -> impl Iterator<Item = (Slide, Vec<PdbNode>)> {
    let (context, first) = (&contexts[0], &node[0]);
    let row = context.automaton.row(first.automaton);
    let allowed = row.allowed & context.legal[first.views[0].blank];
    let is_allowed = move |slide: &Slide| allowed >> *slide as u8 & 1 == 1;
    let slides = Slide::ALL.into_iter().filter(is_allowed);
    // Prefetch all entries before the first is needed.
    for slide in slides.clone() {
        for (context, node) in contexts.iter().zip(node) {
            let slides = [slide as usize, TRANSPOSED[slide as usize]];
            let n_views = if MIRROR { 2 } else { 1 };
            for (view, slide) in node.views.iter().zip(slides).take(n_views) {
                context.prefetch(context.entry_index::<COLS>(view, slide, view.blank));
            }
        }
    }
    slides.map(move |slide| {
        let automaton = row.next[slide as usize];
        let after = |(context, node)| PdbNode {
            automaton,
            ..child::<L, COLS, MIRROR>(context, node, slide)
        };
        (slide, contexts.iter().zip(node).map(after).collect())
    })
}

/// The node after a legal slide, in one partition. The state of the automaton is not changed.
pub(super) fn child<L: SlotLookup, const COLS: usize, const MIRROR: bool>(
    context: &Context<'_, L>,
    node: &PdbNode,
    slide: Slide,
) -> PdbNode {
    let mut child = *node;
    let slides = [slide as usize, TRANSPOSED[slide as usize]];
    for ((view, slide), h) in child.views.iter_mut().zip(slides).zip(&mut child.h) {
        let index = context.entry_index::<COLS>(view, slide, view.blank);
        let rise = context.rise(index);
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
