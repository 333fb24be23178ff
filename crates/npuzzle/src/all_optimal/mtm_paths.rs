//! All solutions with as few straight runs as possible.

use std::ops::ControlFlow;
use std::sync::Arc;

use npuzzle_core::Board;
use npuzzle_core::search::{Cost, Limit};
use npuzzle_tables::{Axis, MtmTable, MtmView, RunAutomaton};

use crate::all_optimal::{Counted, Key, Step, Task, Walk, deep};
use crate::engine::mtm::search::{COL, Child, Context, MtmNode, ROW, views};
use crate::tables::canonical::CanonicalForm;

/// Counts the solutions of the fewest runs; the tables must be for the frame of the goal.
pub(crate) fn count_run_paths(
    start: &Board,
    frame: &CanonicalForm,
    tables: &[Arc<MtmTable>],
    task: Task<'_>,
) -> Result<Counted, Limit> {
    let labels = frame.labels(start);
    let mut views = views(tables).into_iter();
    match [views.next(), views.next(), views.next(), views.next()] {
        [Some(a), None, _, _] => ways(frame, [a], &labels, task),
        [Some(a), Some(b), None, _] => ways(frame, [a, b], &labels, task),
        [Some(a), Some(b), Some(c), None] => ways(frame, [a, b, c], &labels, task),
        [Some(a), Some(b), Some(c), Some(d)] => ways(frame, [a, b, c, d], &labels, task),
        [None, ..] => unreachable!("there is a table to count with"),
    }
}

fn ways<const V: usize>(
    frame: &CanonicalForm,
    views: [MtmView<'_>; V],
    labels: &[u8],
    task: Task<'_>,
) -> Result<Counted, Limit> {
    // Duplicate paths are solutions too.
    let automaton = RunAutomaton::free();
    let grid = Context::new(frame, views, &automaton);
    // The first run goes along either axis.
    let roots = Axis::ALL.map(|axis| (axis, grid.root(axis, labels)));
    deep(&Ways { grid, frame }, &roots, task)
}

/// The steps of the search, as slides on the board.
struct Ways<'a, const V: usize> {
    grid: Context<'a, V>,
    frame: &'a CanonicalForm,
}

impl<const V: usize> Walk for Ways<'_, V> {
    /// Which kind of run is next, and where.
    type Node = (Axis, MtmNode<V>);

    fn key(&self, (axis, node): &Self::Node) -> Key {
        (node.state, *axis as u8)
    }

    fn each_step(
        &self,
        (axis, node): &Self::Node,
        left: Cost,
        mut visit: impl FnMut(Step<Self::Node>),
    ) {
        let next = axis.other();
        let visit = |child: Child<V>, slide, n_slides| {
            let slide = self.frame.slide(slide);
            match child {
                Child::Goal => visit(Step { slide, n_slides, to: None }),
                Child::Open(node) => visit(Step { slide, n_slides, to: Some((next, node)) }),
                Child::Pruned => {}
            }
            ControlFlow::<()>::Continue(())
        };
        // No board needs more runs than fit.
        let left = u8::try_from(left).unwrap_or(u8::MAX);
        let _ = match axis {
            Axis::Row => self.grid.each_child::<ROW, ()>(node, left, visit),
            Axis::Col => self.grid.each_child::<COL, ()>(node, left, visit),
        };
    }
}
