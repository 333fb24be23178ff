//! Iterative deepening over straight runs: shortest in the multi-tile metric, for boards of up to 16
//! cells.
//!
//! A move is a straight run of slides. Two runs along the same line in a row are one, so runs along
//! rows and columns take turns, and every node has about three children on 4×4. What makes it fast:
//!
//! 1. *No path is walked twice.* A [`RunAutomaton`] forbids every sequence of runs that ends where an
//!    earlier one does.
//! 2. *A [`MtmTable`] knows which kind of run is next* and counts accordingly. It is looked up for
//!    the board and, where the goal permits, for the transposed board; the larger value counts.
//! 3. *Orders are carried along*, from entry to entry of the tables.
//! 4. *Values are carried along*, so that the table need not hold more than their remainders.
//! 5. *The goal is looked for only where the table says that it is one run away.*
//! 6. *The entries of all children are fetched before the first is needed*, since the tables are too
//!    large for the caches.
//! 7. *Long rounds are searched by several threads*, with the same result ([`Cut`]).

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use npuzzle_core::search::{Budget, Cost, Limit, Outcome, SearchReport, Stats, Watch};
use npuzzle_core::{Board, Cell, Slide};
use npuzzle_tables::{Axis, MtmTable, MtmView, RunAutomaton};

use crate::engine::ida::subtree_split::{Counts, Cut, Means, SLICES_PER_THREAD, Searched, Slice};
use crate::engine::pdb::search::{Resources, SearchState};
use crate::tables::canonical::CanonicalForm;

pub(crate) use crate::engine::mtm::count_paths::count_run_paths;

/// A solution with as few straight runs as possible; the tables, four at most that are seen through
/// no mirror and two that are, must be for the frame of the goal. Goes on from where a search stands;
/// an error is where it stands after a round of more than its patience.
pub(crate) fn mtm_ida(
    start: &Board,
    frame: &CanonicalForm,
    tables: &[Arc<MtmTable>],
    automaton: &RunAutomaton,
    effort: Resources,
    standing: SearchState,
    watch: &mut dyn Watch,
) -> Result<SearchReport<Slide>, SearchState> {
    let labels = frame.labels(start);
    let task = Task { frame, automaton, labels: &labels, effort, standing };
    let mut views = views(tables).into_iter();
    let report = match [views.next(), views.next(), views.next(), views.next()] {
        [Some(a), None, _, _] => run([a], &task, watch),
        [Some(a), Some(b), None, _] => run([a, b], &task, watch),
        [Some(a), Some(b), Some(c), None] => run([a, b, c], &task, watch),
        [Some(a), Some(b), Some(c), Some(d)] => run([a, b, c, d], &task, watch),
        [None, ..] => unreachable!("there is a table to search with"),
    }?;
    let outcome = match report.outcome {
        Outcome::Solved(path) => {
            Outcome::Solved(path.into_iter().map(|slide| frame.slide(slide)).collect())
        }
        other => other,
    };
    Ok(SearchReport::new(outcome, report.stats))
}

/// What is to be searched, and with how much.
pub(crate) struct Task<'a> {
    pub(crate) frame: &'a CanonicalForm,
    pub(crate) automaton: &'a RunAutomaton,
    pub(crate) labels: &'a [u8],
    pub(crate) effort: Resources,
    pub(crate) standing: SearchState,
}

/// The tables, straight and through a mirror.
pub(crate) fn views(tables: &[Arc<MtmTable>]) -> Vec<MtmView<'_>> {
    let straight = tables.iter().map(|table| MtmView::straight(table));
    let mirrors = tables.iter().filter_map(|table| MtmView::mirror(table));
    straight.chain(mirrors).collect()
}

/// How many runs a board needs at least, according to the tables.
pub(crate) fn runs_at_least(
    start: &Board,
    frame: &CanonicalForm,
    tables: &[Arc<MtmTable>],
) -> Cost {
    let labels = frame.labels(start);
    if (0..).zip(&labels).all(|(cell, &label)| cell == label) {
        return 0;
    }
    let views = views(tables);
    let values = Axis::ALL
        .map(|axis| views.iter().map(|view| view.runs(axis, &labels)).max().flatten().unwrap_or(0));
    values[0].min(values[1])
}

/// A round is worth several threads if the round before it has expanded so many nodes: some
/// milliseconds.
pub(crate) const LONG_ROUND: u64 = 1 << 17;

/// How many nodes go by between two looks at the watch.
pub(crate) const POLL_INTERVAL: u32 = 1 << 13;

/// The longest line of a board of 16 cells.
pub(crate) const MAX_LINE: usize = 8;

/// Deeper than this no tree is cut.
pub(crate) const MAX_CUT: usize = 16;

/// The board and the views through which it is looked up.
pub(crate) struct Context<'a, const V: usize> {
    pub(crate) views: [MtmView<'a>; V],
    pub(crate) automaton: &'a RunAutomaton,
    /// How far apart neighbours along an axis are.
    pub(crate) step: [usize; 2],
    /// The blank's place in its line, and how many places are after it, by axis and cell.
    pub(crate) at: [[u8; 16]; 2],
    pub(crate) after: [[u8; 16]; 2],
    /// The label of the blank.
    pub(crate) home: u64,
    pub(crate) goal: u64,
}

/// A board on the way. Which kind of run is next, is known from the context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node<const V: usize> {
    pub(crate) state: u64,
    pub(crate) blank: usize,
    /// The orders that each view looks up.
    pub(crate) orders: [u64; V],
    /// How many runs are needed at least, according to each view.
    pub(crate) values: [u8; V],
    /// Where the automaton is.
    pub(crate) walked: u16,
}

/// What a run leads to.
pub(crate) enum Child<const V: usize> {
    Goal,
    Near(Node<V>),
    /// Too far from the goal.
    Far,
}

impl<'a, const V: usize> Context<'a, V> {
    pub(crate) fn new(
        frame: &CanonicalForm,
        views: [MtmView<'a>; V],
        automaton: &'a RunAutomaton,
    ) -> Context<'a, V> {
        let dims = frame.dims();
        let (rows, cols) = (dims.rows(), dims.cols());
        let mut grid = Context {
            views,
            automaton,
            step: [1, cols],
            at: [[0; 16]; 2],
            after: [[0; 16]; 2],
            home: frame.blank().index() as u64,
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

    /// The start, with what is next along an axis.
    pub(crate) fn root(&self, axis: Axis, labels: &[u8]) -> Node<V> {
        let blank = labels.iter().position(|&label| u64::from(label) == self.home);
        // Only boards that can be solved are searched.
        let value = |v: usize| self.views[v].runs(axis, labels).unwrap_or(0) as u8;
        Node {
            state: pack(labels.iter().rev().copied()),
            blank: blank.unwrap_or(0),
            orders: std::array::from_fn(|v| self.views[v].order(axis, labels)),
            values: std::array::from_fn(value),
            walked: RunAutomaton::start(axis),
        }
    }

    /// Calls `visit` with every child of a node, `left` runs being allowed from the node on, and
    /// the run that leads to it.
    #[inline(always)]
    pub(crate) fn each_child<const AXIS: usize, E>(
        &self,
        node: &Node<V>,
        left: u8,
        mut visit: impl FnMut(Child<V>, Slide, usize) -> ControlFlow<E>,
    ) -> ControlFlow<E> {
        let (axis, other) = (Axis::ALL[AXIS], Axis::ALL[1 - AXIS]);
        let (slides, step) = (SLIDES[AXIS], self.step[AXIS]);
        let line = usize::from(self.at[1 - AXIS][node.blank & 15]);
        // What the values will be, by what is looked up.
        let changes: [&[u8; 4]; V] =
            std::array::from_fn(|v| &CHANGES[usize::from(node.values[v] % 3)]);
        // The entries of all children are fetched before the first is needed.
        let (mut orders, mut ranks) = ([[0; V]; MAX_LINE], [[0; V]; MAX_LINE]);
        if left > 1 {
            let n_before = self.at[AXIS][node.blank & 15];
            let n_places = n_before + 1 + self.after[AXIS][node.blank & 15];
            for at in (0..n_places).filter(|&at| at != n_before) {
                let at = usize::from(at) % MAX_LINE;
                for v in 0..V {
                    orders[at][v] = self.views[v].turned(node.orders[v], axis, line, at);
                    ranks[at][v] = self.views[v].fetch(other, at, orders[at][v]);
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
                let difference = (child.state >> (4 * from) & 0xf) ^ self.home;
                child.state ^= difference << (4 * from) | difference << (4 * to);
                child.blank = from;
                let walked = self.automaton.next(node.walked, axis, is_forward, n_slides);
                let Some(walked) = walked else { continue };
                child.walked = walked;
                if node.values[0] == 1 && child.state == self.goal {
                    return visit(Child::Goal, slide, n_slides);
                }
                let at = usize::from(self.at[AXIS][from & 15]) % MAX_LINE;
                child.orders = orders[at];
                let is_near = left > 1
                    && (0..V).all(|v| {
                        let remainder = self.views[v].look(other, at, ranks[at][v]);
                        // Wraps around only where bytes are no table.
                        let more = changes[v][usize::from(remainder)].wrapping_sub(1);
                        child.values[v] = node.values[v].wrapping_add(more);
                        child.values[v] < left
                    });
                visit(if is_near { Child::Near(child) } else { Child::Far }, slide, n_slides)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Which way tiles slide when the blank goes backward and forward along an axis.
pub(crate) const SLIDES: [[Slide; 2]; 2] = [[Slide::Right, Slide::Left], [Slide::Down, Slide::Up]];

/// One more than the change of a value, by its remainder before and after.
pub(crate) const CHANGES: [[u8; 4]; 3] = [[1, 2, 0, 0], [0, 1, 2, 0], [2, 0, 1, 0]];

pub(crate) const ROW: usize = Axis::Row as usize;
pub(crate) const COL: usize = Axis::Col as usize;

pub(crate) fn pack(labels: impl Iterator<Item = u8>) -> u64 {
    labels.fold(0, |state, label| state << 4 | u64::from(label))
}

pub(crate) enum End {
    Goal,
    Stopped(Limit),
}

/// A search under way.
pub(crate) struct Search<'a, const V: usize> {
    pub(crate) grid: &'a Context<'a, V>,
    pub(crate) budget: Budget,
    pub(crate) watch: &'a mut dyn Watch,
    /// Nodes until the next look at the watch.
    pub(crate) poll_countdown: u32,
    /// The slides of the solution, last first.
    pub(crate) path: Vec<Slide>,
    pub(crate) stats: Stats,
}

pub(crate) fn run<const V: usize>(
    views: [MtmView<'_>; V],
    task: &Task<'_>,
    watch: &mut dyn Watch,
) -> Result<SearchReport<Slide>, SearchState> {
    let Task { frame, automaton, labels, effort, standing } = *task;
    let grid = Context::new(frame, views, automaton);
    let roots = Axis::ALL.map(|axis| grid.root(axis, labels));
    let mut search = Search::new(&grid, effort.budget, watch);
    search.stats = standing.stats;
    if roots[0].state == grid.goal {
        return Ok(SearchReport::new(Outcome::Solved(Vec::new()), search.stats));
    }
    let values = [0, 1].map(|axis| roots[axis].values.iter().copied().max().unwrap_or(0));
    let mut last_round = standing.last_round;
    let mut bound = values[0].min(values[1]).max(standing.bound as u8);
    let outcome = loop {
        let (before, started) = (search.stats.expanded, Instant::now());
        let is_parallel =
            effort.threads > 1 && last_round >= LONG_ROUND && effort.budget.nodes.is_none();
        let end = if is_parallel {
            search.round_in_parallel(&roots, bound, effort.threads)
        } else {
            search.round(&roots, bound)
        };
        last_round = search.stats.expanded - before;
        match end {
            ControlFlow::Break(End::Goal) => {
                search.path.reverse();
                break Outcome::Solved(search.path);
            }
            ControlFlow::Break(End::Stopped(limit)) => {
                break Outcome::Stopped { limit, frontier: bound.into() };
            }
            ControlFlow::Continue(()) => {
                search.watch.round(bound.into(), &search.stats);
                bound += 1;
            }
        }
        if effort.patience.is_some_and(|patience| started.elapsed() > patience) {
            return Err(SearchState { bound: bound.into(), stats: search.stats, last_round });
        }
    };
    Ok(SearchReport::new(outcome, search.stats))
}

impl<'a, const V: usize> Search<'a, V> {
    pub(crate) fn new(grid: &'a Context<'a, V>, budget: Budget, watch: &'a mut dyn Watch) -> Self {
        Search { grid, budget, watch, poll_countdown: 1, path: Vec::new(), stats: Stats::default() }
    }

    /// Searches for a solution of at most `bound` runs.
    pub(crate) fn round(&mut self, roots: &[Node<V>; 2], bound: u8) -> ControlFlow<End> {
        let is_near = |root: &Node<V>| root.values.iter().all(|&value| value <= bound);
        if is_near(&roots[ROW]) {
            self.dfs::<ROW>(&roots[ROW], bound)?;
        }
        if is_near(&roots[COL]) {
            self.dfs::<COL>(&roots[COL], bound)?;
        }
        ControlFlow::Continue(())
    }

    /// Searches below a node for a goal at most `left` runs away.
    pub(crate) fn dfs<const AXIS: usize>(&mut self, node: &Node<V>, left: u8) -> ControlFlow<End> {
        self.poll_countdown -= 1;
        if self.poll_countdown == 0 {
            self.poll()?;
        }
        self.stats.expanded += 1;
        let grid = self.grid;
        grid.each_child::<AXIS, End>(node, left, |child, slide, n_slides| {
            self.stats.generated += 1;
            let end = match child {
                Child::Far => return ControlFlow::Continue(()),
                Child::Goal => ControlFlow::Break(End::Goal),
                Child::Near(child) if AXIS == ROW => self.dfs::<COL>(&child, left - 1),
                Child::Near(child) => self.dfs::<ROW>(&child, left - 1),
            };
            if let ControlFlow::Break(End::Goal) = end {
                self.path.extend(std::iter::repeat_n(slide, n_slides));
            }
            end
        })
    }

    /// Looks at the watch and the budget.
    #[cold]
    pub(crate) fn poll(&mut self) -> ControlFlow<End> {
        self.watch.poll(&self.stats).map_break(End::Stopped)?;
        let left = self.budget.nodes.map(|most| most.saturating_sub(self.stats.expanded));
        if left == Some(0) {
            return ControlFlow::Break(End::Stopped(Limit::Nodes));
        }
        // This node ran on what was left before; the one after the last allowed comes here again.
        self.poll_countdown =
            left.map_or(POLL_INTERVAL, |left| left.min(POLL_INTERVAL.into()) as u32);
        ControlFlow::Continue(())
    }

    /// Does what [`round`](Search::round) does.
    pub(crate) fn round_in_parallel(
        &mut self,
        roots: &[Node<V>; 2],
        bound: u8,
        n_threads: usize,
    ) -> ControlFlow<End> {
        let Some(cut) = self.grid.cut(roots, bound, SLICES_PER_THREAD * n_threads) else {
            return self.round(roots, bound);
        };
        let grid = self.grid;
        let means = Means {
            n_threads,
            before: self.stats,
            watch: self.watch,
            done: Vec::new(),
            tell: &mut |_, _| {},
        };
        let round = cut.search(means, |slice, watch| {
            let (axis, node, left) = &slice.node;
            let mut search = Search::new(grid, Budget::NONE, watch);
            let end = match axis {
                Axis::Row => search.dfs::<ROW>(node, *left),
                Axis::Col => search.dfs::<COL>(node, *left),
            };
            search.path.reverse();
            Searched {
                counts: Counts::from(&search.stats),
                is_partial: matches!(end, ControlFlow::Break(End::Stopped(_))),
                goal: matches!(end, ControlFlow::Break(End::Goal)).then_some(search.path),
            }
        });
        self.stats.expanded += round.counts.expanded;
        self.stats.generated += round.counts.generated;
        match round.end {
            Ok(path) => {
                self.path = path.into_iter().rev().collect();
                ControlFlow::Break(End::Goal)
            }
            Err(Some(limit)) => ControlFlow::Break(End::Stopped(limit)),
            Err(None) => ControlFlow::Continue(()),
        }
    }
}

/// A node with what is next and how many runs are allowed.
pub(crate) type Top<const V: usize> = (Axis, Node<V>, u8);

impl<const V: usize> Context<'_, V> {
    /// The tree below the roots in slices, at least so many if it has them. `None` if the goal is
    /// not below them but among what is above.
    pub(crate) fn cut(
        &self,
        roots: &[Node<V>; 2],
        bound: u8,
        n_wanted: usize,
    ) -> Option<Cut<Top<V>>> {
        let near = Axis::ALL
            .into_iter()
            .zip(roots)
            .filter(|(_, root)| root.values.iter().all(|&value| value <= bound));
        let near: Vec<Top<V>> = near.map(|(axis, root)| (axis, *root, bound)).collect();
        for depth in 1..=MAX_CUT {
            let mut cut = Cut { slices: Vec::new(), above: Counts::default() };
            for top in &near {
                match top.0 {
                    Axis::Row => self.cut_below::<ROW>(top, depth, &mut Vec::new(), &mut cut)?,
                    Axis::Col => self.cut_below::<COL>(top, depth, &mut Vec::new(), &mut cut)?,
                }
            }
            if cut.slices.len() >= n_wanted || depth == MAX_CUT {
                return Some(cut);
            }
        }
        None
    }

    pub(crate) fn cut_below<const AXIS: usize>(
        &self,
        (_, node, left): &Top<V>,
        depth: usize,
        path: &mut Vec<Slide>,
        cut: &mut Cut<Top<V>>,
    ) -> Option<()> {
        cut.above.expanded += 1;
        let end = self.each_child::<AXIS, ()>(node, *left, |child, slide, n_slides| {
            cut.above.generated += 1;
            let node = match child {
                Child::Far => return ControlFlow::Continue(()),
                Child::Goal => return ControlFlow::Break(()),
                Child::Near(node) => node,
            };
            let top = (Axis::ALL[1 - AXIS], node, left - 1);
            let before = path.len();
            path.extend(std::iter::repeat_n(slide, n_slides));
            let cut_off = if depth == 1 {
                cut.slices.push(Slice { node: top, path: path.clone(), above: cut.above });
                Some(())
            } else if AXIS == ROW {
                self.cut_below::<COL>(&top, depth - 1, path, cut)
            } else {
                self.cut_below::<ROW>(&top, depth - 1, path, cut)
            };
            path.truncate(before);
            if cut_off.is_none() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        end.is_continue().then_some(())
    }
}
