//! Depth-first search over straight runs: the fewest runs in the multi-tile metric.
//!
//! A move is a straight run of slides. Two consecutive runs along one line are a single run, so runs along
//! rows and columns alternate, and a node of 4×4 has about three children. The departures from a plain
//! search:
//!
//! 1. *No path is searched twice.* A [`RunAutomaton`] prunes every sequence of runs that ends where an
//!    earlier one does.
//! 2. *An [`MtmTable`] knows the axis of the next run*, and counts accordingly. It is looked up for
//!    the board and, where the goal permits, for the transposed board; the larger value counts.
//! 3. *Ranks are incremental*, from entry to entry of the tables.
//! 4. *Values are incremental*, so that the tables hold only their remainders modulo 3.
//! 5. *The goal is tested only where all tables say that it is one run away.*
//! 6. *The entries of all children are prefetched before the first one is used*, because the tables are too
//!    large for the caches.
//! 7. *A board that is its own transposition is searched from one of its two roots.*
//! 8. *Long rounds are split over threads*, with the same result
//!    ([`subtree_split`](crate::engine::ida::subtree_split)).

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::sync::Arc;

use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Cell, Slide};
use npuzzle_tables::{Axis, MtmTable, MtmView, RunAutomaton};

use crate::engine::ida::bounded_dfs::{BoundedDfs, DfsEnd, DfsRun, NodeCounts, Split, Subtree};
use crate::engine::ida::iterate::IdaEngine;
use crate::tables::canonical::CanonicalForm;

/// The engine for a board and tables, of which there are up to five views: a table has a second
/// view if its mirror image serves the goal as well. Its slides are those of the canonical form.
///
/// Without tables it is a blind search, which finds solutions of a few runs in less time than the smallest tables
/// are built.
pub(crate) fn engine<'a>(
    start: &Board,
    form: &CanonicalForm,
    tables: &'a [Arc<MtmTable>],
    automaton: &'a RunAutomaton,
) -> Box<dyn IdaEngine + 'a> {
    let name = |table: &Arc<MtmTable>| Some(table.abstraction().name()?.to_string());
    let names: Vec<String> = tables.iter().filter_map(name).collect();
    let task = MtmTask { labels: form.labels(start), form, automaton, tables: names.join(" ") };
    let mut views = views(tables).into_iter();
    match [views.next(), views.next(), views.next(), views.next(), views.next()] {
        [None, ..] => with_views(task, []),
        [Some(a), None, ..] => with_views(task, [a]),
        [Some(a), Some(b), None, ..] => with_views(task, [a, b]),
        [Some(a), Some(b), Some(c), None, _] => with_views(task, [a, b, c]),
        [Some(a), Some(b), Some(c), Some(d), None] => with_views(task, [a, b, c, d]),
        [Some(a), Some(b), Some(c), Some(d), Some(e)] => with_views(task, [a, b, c, d, e]),
    }
}

/// Everything about a search except the views of its tables.
struct MtmTask<'a, 'b> {
    form: &'b CanonicalForm,
    automaton: &'a RunAutomaton,
    labels: Vec<u8>,
    /// The names of the tables.
    tables: String,
}

fn with_views<'a, const V: usize>(
    task: MtmTask<'a, '_>,
    views: [MtmView<'a>; V],
) -> Box<dyn IdaEngine + 'a> {
    let context = MtmContext::new(task.form, views, task.automaton);
    let roots = Axis::ALL.map(|axis| context.root(axis, &task.labels));
    let is_mirrored = task.form.is_mirrored() && task.form.transposed(&task.labels) == task.labels;
    Box::new(MtmEngine { context, roots, is_mirrored, tables: task.tables })
}

/// The tables, and their mirror images where these have other values.
pub(crate) fn views(tables: &[Arc<MtmTable>]) -> Vec<MtmView<'_>> {
    let straight = tables.iter().map(|table| MtmView::new(table));
    let has_mirror = |table: &&Arc<MtmTable>| !table.abstraction().is_self_transposed();
    let mirrors = tables.iter().filter(has_mirror).filter_map(|table| MtmView::transposed(table));
    straight.chain(mirrors).collect()
}

/// The lower bound of the tables on the number of runs.
pub(crate) fn runs_at_least(start: &Board, form: &CanonicalForm, tables: &[Arc<MtmTable>]) -> Cost {
    let labels = form.labels(start);
    if (0..).zip(&labels).all(|(cell, &label)| cell == label) {
        return 0;
    }
    let views = views(tables);
    let values = Axis::ALL
        .map(|axis| views.iter().map(|view| view.runs(axis, &labels)).max().flatten().unwrap_or(0));
    values[0].min(values[1])
}

/// The longest line of a board of 16 cells.
const MAX_LINE: usize = 8;

/// Constant data of a search: the board and the views through which it is looked up.
pub(crate) struct MtmContext<'a, const V: usize> {
    pub(crate) views: [MtmView<'a>; V],
    pub(crate) automaton: &'a RunAutomaton,
    /// The difference between the cells of neighbours, by axis.
    pub(crate) step: [usize; 2],
    /// The position of a cell in its line, and the number of cells after it, by axis and cell.
    pub(crate) at: [[u8; 16]; 2],
    pub(crate) after: [[u8; 16]; 2],
    /// The label of the blank: its goal cell.
    pub(crate) blank_label: u64,
    pub(crate) goal: u64,
}

/// A node of the search tree. The axis of the next run is known from the context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MtmNode<const V: usize> {
    pub(crate) state: u64,
    pub(crate) blank: usize,
    /// The order of the tiles, ranked by each view.
    pub(crate) orders: [u64; V],
    /// The lower bound of each view on the number of runs.
    pub(crate) values: [u8; V],
    /// The state of the automaton that prunes duplicate paths.
    pub(crate) automaton: u16,
}

/// The child after a run.
pub(crate) enum MtmChild<const V: usize> {
    Goal,
    Open(MtmNode<V>),
    /// More runs from the goal than the bound allows.
    Pruned,
}

impl<'a, const V: usize> MtmContext<'a, V> {
    pub(crate) fn new(
        form: &CanonicalForm,
        views: [MtmView<'a>; V],
        automaton: &'a RunAutomaton,
    ) -> MtmContext<'a, V> {
        let dims = form.dims();
        let (rows, cols) = (dims.rows(), dims.cols());
        let mut grid = MtmContext {
            views,
            automaton,
            step: [1, cols],
            at: [[0; 16]; 2],
            after: [[0; 16]; 2],
            blank_label: form.blank().index() as u64,
            goal: pack((0..dims.cells() as u8).rev()),
        };
        for cell in 0..dims.cells() {
            let (row, col) = (dims.row(Cell::new(cell as u16)), dims.col(Cell::new(cell as u16)));
            for (axis, at, n) in [(ROW, col, cols), (COL, row, rows)] {
                grid.at[axis][cell] = at as u8;
                grid.after[axis][cell] = (n - 1 - at) as u8;
            }
        }
        grid
    }

    /// The node of a board whose next run is along an axis, from scratch.
    pub(crate) fn root(&self, axis: Axis, labels: &[u8]) -> MtmNode<V> {
        let blank = labels.iter().position(|&label| u64::from(label) == self.blank_label);
        // Only solvable boards are searched.
        let value = |v: usize| self.views[v].runs(axis, labels).unwrap_or(0) as u8;
        MtmNode {
            state: pack(labels.iter().rev().copied()),
            blank: blank.unwrap_or(0),
            orders: std::array::from_fn(|v| self.views[v].order(axis, labels)),
            values: std::array::from_fn(value),
            automaton: RunAutomaton::start(axis),
        }
    }

    /// Calls `visit` with every child of a node and the run that leads to it. At most `left` runs may
    /// follow the node.
    #[inline(always)]
    pub(crate) fn each_child<const AXIS: usize, E>(
        &self,
        node: &MtmNode<V>,
        left: u8,
        mut visit: impl FnMut(MtmChild<V>, Slide, usize) -> ControlFlow<E>,
    ) -> ControlFlow<E> {
        let (axis, other) = (Axis::ALL[AXIS], Axis::ALL[1 - AXIS]);
        let (slides, step) = (SLIDES[AXIS], self.step[AXIS]);
        let may_end = node.values.iter().all(|&value| value == 1);
        // The change of each value, by the remainder that is looked up.
        let changes: [&[u8; 4]; V] =
            std::array::from_fn(|v| &CHANGES[usize::from(node.values[v] % 3)]);
        // The entries of all children are prefetched before the first one is used.
        let (mut orders, mut indices) = ([[0; V]; MAX_LINE], [[0; V]; MAX_LINE]);
        if left > 1 {
            let n_before = usize::from(self.at[AXIS][node.blank & 15]);
            let n_places = n_before + 1 + usize::from(self.after[AXIS][node.blank & 15]);
            let first_cell = node.blank - n_before * step;
            for at in (0..n_places).filter(|&at| at != n_before) {
                let cell = first_cell + at * step;
                let at = at % MAX_LINE;
                for v in 0..V {
                    orders[at][v] = self.views[v].switch_axis(node.orders[v], axis, cell);
                    indices[at][v] = self.views[v].index_and_prefetch(other, at, orders[at][v]);
                }
            }
        }
        for is_forward in [true, false] {
            let n = if is_forward { self.after[AXIS] } else { self.at[AXIS] }[node.blank & 15];
            let slide = slides[usize::from(is_forward)];
            let mut child = *node;
            for n_slides in 1..=usize::from(n) {
                let to = child.blank;
                let from = if is_forward { to + step } else { to - step };
                let difference = (child.state >> (4 * from) & 0xf) ^ self.blank_label;
                child.state ^= difference << (4 * from) | difference << (4 * to);
                child.blank = from;
                let state = self.automaton.next(node.automaton, axis, is_forward, n_slides);
                let Some(state) = state else { continue };
                child.automaton = state;
                if may_end && child.state == self.goal {
                    return visit(MtmChild::Goal, slide, n_slides);
                }
                let at = usize::from(self.at[AXIS][from & 15]) % MAX_LINE;
                child.orders = orders[at];
                let is_open = left > 1
                    && (0..V).all(|v| {
                        let remainder = self.views[v].residue(indices[at][v]);
                        // Wraps around only if the bytes are not a table.
                        let more = changes[v][usize::from(remainder)].wrapping_sub(1);
                        child.values[v] = node.values[v].wrapping_add(more);
                        child.values[v] < left
                    });
                visit(
                    if is_open { MtmChild::Open(child) } else { MtmChild::Pruned },
                    slide,
                    n_slides,
                )?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The direction of the tiles when the blank moves backward and forward, by axis.
pub(crate) const SLIDES: [[Slide; 2]; 2] = [[Slide::Right, Slide::Left], [Slide::Down, Slide::Up]];

/// One more than the change of a value, by its remainders before and after.
pub(crate) const CHANGES: [[u8; 4]; 3] = [[1, 2, 0, 0], [0, 1, 2, 0], [2, 0, 1, 0]];

pub(crate) const ROW: usize = Axis::Row as usize;
pub(crate) const COL: usize = Axis::Col as usize;

pub(crate) fn pack(labels: impl Iterator<Item = u8>) -> u64 {
    labels.fold(0, |state, label| state << 4 | u64::from(label))
}

/// The engine for one board.
struct MtmEngine<'a, const V: usize> {
    context: MtmContext<'a, V>,
    /// One root for each axis of the first run.
    roots: [MtmNode<V>; 2],
    /// Whether the board is its own transposition. Then so are its solutions: those whose first run goes along a
    /// column are the transpositions of the others, and need no search.
    is_mirrored: bool,
    tables: String,
}

impl<const V: usize> MtmEngine<'_, V> {
    /// The roots whose values are within a bound.
    fn open_roots(&self, bound: u8) -> impl Iterator<Item = MtmTop<V>> {
        let n_roots = if self.is_mirrored { 1 } else { 2 };
        let roots = Axis::ALL.into_iter().zip(self.roots).take(n_roots);
        let is_open = move |root: &MtmNode<V>| root.values.iter().all(|&value| value <= bound);
        roots.filter(move |(_, root)| is_open(root)).map(move |(axis, node)| (axis, node, bound))
    }
}

/// The axis of the next run, a node, and the number of runs that may follow.
type MtmTop<const V: usize> = (Axis, MtmNode<V>, u8);

impl<const V: usize> BoundedDfs for MtmEngine<'_, V> {
    type Node = MtmTop<V>;

    const BOUND_STEP: Cost = 1;

    const POLL_INTERVAL: u32 = 1 << 13;

    fn is_solved(&self) -> bool {
        self.roots[0].state == self.context.goal
    }

    fn first_bound(&self) -> Cost {
        let values = self.roots.map(|root| root.values.iter().copied().max().unwrap_or(1));
        values[0].min(values[1]).into()
    }

    fn tables_name(&self) -> String {
        self.tables.clone()
    }

    fn search<'r>(&self, bound: Cost, run: DfsRun<'r>) -> (ControlFlow<DfsEnd>, DfsRun<'r>) {
        let mut dfs = MtmDfs { context: &self.context, run };
        (self.open_roots(bound as u8).try_for_each(|root| dfs.below_top(&root)), dfs.run)
    }

    fn search_subtree<'r>(
        &self,
        subtree: &Subtree<MtmTop<V>>,
        _: Cost,
        run: DfsRun<'r>,
    ) -> (ControlFlow<DfsEnd>, DfsRun<'r>) {
        let mut dfs = MtmDfs { context: &self.context, run };
        (dfs.below_top(&subtree.node), dfs.run)
    }

    fn split_at(&self, bound: Cost, depth: usize) -> Option<Split<MtmTop<V>>> {
        let mut split = Split { subtrees: Vec::new(), above: NodeCounts::default() };
        for root in self.open_roots(bound as u8) {
            self.context.split_below(&root, depth, &mut Vec::new(), &mut split)?;
        }
        Some(split)
    }
}

/// A depth-first search in progress.
struct MtmDfs<'a, 'b, const V: usize> {
    context: &'a MtmContext<'a, V>,
    run: DfsRun<'b>,
}

impl<const V: usize> MtmDfs<'_, '_, V> {
    fn below_top(&mut self, (axis, node, left): &MtmTop<V>) -> ControlFlow<DfsEnd> {
        match axis {
            Axis::Row => self.below::<ROW>(node, *left),
            Axis::Col => self.below::<COL>(node, *left),
        }
    }

    /// Searches below a node for a goal at most `left` runs away.
    fn below<const AXIS: usize>(&mut self, node: &MtmNode<V>, left: u8) -> ControlFlow<DfsEnd> {
        self.run.expand()?;
        let context = self.context;
        context.each_child::<AXIS, DfsEnd>(node, left, |child, slide, n_slides| {
            self.run.stats.generated += 1;
            let end = match child {
                MtmChild::Pruned => return ControlFlow::Continue(()),
                MtmChild::Goal => ControlFlow::Break(DfsEnd::Goal),
                MtmChild::Open(child) if AXIS == ROW => self.below::<COL>(&child, left - 1),
                MtmChild::Open(child) => self.below::<ROW>(&child, left - 1),
            };
            if let ControlFlow::Break(DfsEnd::Goal) = end {
                self.run.path.extend(std::iter::repeat_n(slide, n_slides));
            }
            end
        })
    }
}

impl<const V: usize> MtmContext<'_, V> {
    fn split_below(
        &self,
        top: &MtmTop<V>,
        depth: usize,
        path: &mut Vec<Slide>,
        split: &mut Split<MtmTop<V>>,
    ) -> Option<()> {
        match top.0 {
            Axis::Row => self.split_along::<ROW>(top, depth, path, split),
            Axis::Col => self.split_along::<COL>(top, depth, path, split),
        }
    }

    fn split_along<const AXIS: usize>(
        &self,
        (_, node, left): &MtmTop<V>,
        depth: usize,
        path: &mut Vec<Slide>,
        split: &mut Split<MtmTop<V>>,
    ) -> Option<()> {
        split.above.expanded += 1;
        let end = self.each_child::<AXIS, ()>(node, *left, |child, slide, n_slides| {
            split.above.generated += 1;
            let node = match child {
                MtmChild::Pruned => return ControlFlow::Continue(()),
                MtmChild::Goal => return ControlFlow::Break(()),
                MtmChild::Open(node) => node,
            };
            let top = (Axis::ALL[1 - AXIS], node, left - 1);
            let n_before = path.len();
            path.extend(std::iter::repeat_n(slide, n_slides));
            let is_split = if depth == 1 {
                let h = top.1.values.iter().map(|&value| i32::from(value)).sum();
                split.subtrees.push(Subtree { node: top, path: path.clone(), h });
                Some(())
            } else {
                self.split_below(&top, depth - 1, path, split)
            };
            path.truncate(n_before);
            match is_split {
                Some(()) => ControlFlow::Continue(()),
                None => ControlFlow::Break(()),
            }
        });
        end.is_continue().then_some(())
    }
}
