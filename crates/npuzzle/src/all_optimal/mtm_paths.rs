//! Counts optimal solutions in the multi-tile metric, with the move generator of the MTM engine.

use std::ops::ControlFlow;
use std::sync::Arc;

use npuzzle_core::search::{Cost, Limit, Watch};
use npuzzle_tables::{Axis, MtmTable, MtmView, RunAutomaton};

use super::limits::ResourceMeter;
use super::memo_dfs::{GeneratedMove, MemoKey, MoveGenerator, memo_dfs};
use super::{CountRequest, PathCount};
use crate::engine::mtm::search::{COL, MtmChild, MtmContext, MtmNode, ROW, views};
use crate::tables::canonical::CanonicalForm;

/// Counts the solutions with the fewest runs. The tables must be for the canonical form of the goal.
pub(super) fn count_mtm_paths(
    request: &CountRequest<'_>,
    form: &CanonicalForm,
    tables: &[Arc<MtmTable>],
    watch: &mut dyn Watch,
) -> Result<PathCount, Limit> {
    let mut views = views(tables).into_iter();
    match [views.next(), views.next(), views.next(), views.next(), views.next()] {
        [Some(a), None, ..] => count_with([a], request, form, watch),
        [Some(a), Some(b), None, ..] => count_with([a, b], request, form, watch),
        [Some(a), Some(b), Some(c), None, _] => count_with([a, b, c], request, form, watch),
        [Some(a), Some(b), Some(c), Some(d), None] => {
            count_with([a, b, c, d], request, form, watch)
        }
        [Some(a), Some(b), Some(c), Some(d), Some(e)] => {
            count_with([a, b, c, d, e], request, form, watch)
        }
        [None, ..] => unreachable!("a count needs at least one table"),
    }
}

fn count_with<const V: usize>(
    views: [MtmView<'_>; V],
    request: &CountRequest<'_>,
    form: &CanonicalForm,
    watch: &mut dyn Watch,
) -> Result<PathCount, Limit> {
    let labels = form.labels(request.instance.start());
    // Pruning of duplicate paths is off, because duplicate paths are solutions, too.
    let automaton = RunAutomaton::free();
    let context = MtmContext::new(form, views, &automaton);
    // The first run may be along either axis.
    let roots = Axis::ALL.map(|axis| (axis, context.root(axis, &labels)));
    memo_dfs(&MtmMoves { context, form }, &roots, request, ResourceMeter::new(request, 0, watch))
}

/// The moves of the MTM engine, translated into slides on the original board.
struct MtmMoves<'a, const V: usize> {
    context: MtmContext<'a, V>,
    form: &'a CanonicalForm,
}

impl<const V: usize> MoveGenerator for MtmMoves<'_, V> {
    /// The axis of the next run, and the node.
    type Node = (Axis, MtmNode<V>);

    fn key(&self, (axis, node): &Self::Node) -> MemoKey {
        (node.state, *axis as u8)
    }

    fn each_move(
        &self,
        (axis, node): &Self::Node,
        left: Cost,
        mut visit: impl FnMut(GeneratedMove<Self::Node>),
    ) {
        let next_axis = axis.other();
        let visit = |child: MtmChild<V>, slide, n_slides| {
            let slide = self.form.slide(slide);
            match child {
                MtmChild::Goal => visit(GeneratedMove { slide, n_slides, to: None }),
                MtmChild::Open(node) => {
                    visit(GeneratedMove { slide, n_slides, to: Some((next_axis, node)) });
                }
                MtmChild::Pruned => {}
            }
            ControlFlow::<()>::Continue(())
        };
        // No board of this engine needs more than 255 runs.
        let left = u8::try_from(left).unwrap_or(u8::MAX);
        let _ = match axis {
            Axis::Row => self.context.each_child::<ROW, ()>(node, left, visit),
            Axis::Col => self.context.each_child::<COL, ()>(node, left, visit),
        };
    }
}
