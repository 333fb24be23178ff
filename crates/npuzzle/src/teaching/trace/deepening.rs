//! Records the steps of iterative deepening: a plain version of
//! [`idastar`](npuzzle_core::search::idastar) that stores every node. A test compares their counts.
//! Iterative-deepening depth-first search is the same search with `f = g`, so its bounds are the depths
//! 0, 1, 2 and so on.
//!
//! A step is a visit of the depth-first search to a node. The node is expanded, is pruned because its
//! `f` exceeds the bound, or is the goal. Every round has its own node for the start, so that each
//! round is a separate tree.

use npuzzle_core::search::{Cost, Heuristic, Problem, Watch};
use npuzzle_core::{Board, Slide, Sliding};

use super::step::{NodeOutcome, TraceEnd, TraceNode, TraceStep};
use super::{Trace, TraceAlgorithm, Tracer};

/// A round of iterative deepening.
///
/// ```
/// use npuzzle::teaching::{TraceAlgorithm, Tracer};
/// use npuzzle::Tables;
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(TraceAlgorithm::Ida).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let round = trace.rounds[0];
/// assert_eq!((round.bound, round.first_step, round.next), (1, 1, None)); // the goal was found
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TraceRound {
    /// The largest `f` that is not pruned.
    pub bound: Cost,
    /// The number of the first step of the round, from 1.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub first_step: usize,
    /// The number of states expanded in this round.
    pub expanded: u64,
    /// The number of states generated in this round.
    pub generated: u64,
    /// The smallest pruned `f`, which is the next bound; `None` unless the round was completed without
    /// reaching the goal.
    pub next: Option<Cost>,
}

/// Traces iterative deepening. `trace` is empty.
pub(super) fn trace<H: Heuristic<Sliding<Board>>>(
    tracer: &Tracer,
    problem: &Sliding<Board>,
    heuristic: &H,
    trace: Trace,
    watch: &mut dyn Watch,
) -> Trace {
    let mut deepening = Deepening { problem, heuristic, tracer, trace, path: Vec::new(), watch };
    let end = deepening.run();
    Trace { end, ..deepening.trace }
}

/// The state of the search.
struct Deepening<'a, H: Heuristic<Sliding<Board>>> {
    problem: &'a Sliding<Board>,
    heuristic: &'a H,
    tracer: &'a Tracer,
    trace: Trace,
    /// The nodes from the start to the one whose children are being visited.
    path: Vec<PathNode<H::Memo>>,
    watch: &'a mut dyn Watch,
}

/// A node on the current path.
struct PathNode<M> {
    node: usize,
    memo: M,
    /// The slides not yet tried, the next one last.
    pending: Vec<Slide>,
}

impl<H: Heuristic<Sliding<Board>>> Deepening<'_, H> {
    fn run(&mut self) -> TraceEnd {
        let start = self.problem.start();
        let mut bound = self.key(0, self.heuristic.value(&self.heuristic.eval(&start)));
        loop {
            match self.round(&start, bound) {
                Err(end) => return end,
                Ok(Some(next)) if self.tracer.depth_limit.is_none_or(|limit| next <= limit) => {
                    self.watch.round(bound, &self.trace.stats);
                    bound = next;
                }
                Ok(_) => return TraceEnd::Exhausted,
            }
        }
    }

    /// Returns `f`, which is compared with the bound.
    fn key(&self, g: Cost, h: Cost) -> Cost {
        if self.tracer.algorithm == TraceAlgorithm::Iddfs { g } else { g.saturating_add(h) }
    }

    /// Runs a depth-first search. Returns the smallest pruned `f`, or the end of the trace.
    fn round(&mut self, start: &Board, bound: Cost) -> Result<Option<Cost>, TraceEnd> {
        let first_step = self.trace.steps.len() + 1;
        let round = TraceRound { bound, first_step, expanded: 0, generated: 0, next: None };
        self.trace.rounds.push(round);
        self.visit(start.clone(), None, self.heuristic.eval(start), bound)?;
        let mut next: Option<Cost> = None;
        while let Some(parent) = self.path.last_mut() {
            let Some(slide) = parent.pending.pop() else {
                self.path.pop();
                continue;
            };
            let mut board = self.trace.nodes[parent.node].board.clone();
            self.problem.apply(&mut board, slide);
            let memo = self.heuristic.step(&parent.memo, &board, slide);
            let f = self.visit(board, Some(slide), memo, bound)?;
            if f > bound {
                next = Some(next.map_or(f, |next| next.min(f)));
            }
        }
        if let Some(round) = self.trace.rounds.last_mut() {
            round.next = next;
        }
        Ok(next)
    }

    /// Visits a node, which is one step. Returns its `f`, or the end of the trace.
    fn visit(
        &mut self,
        board: Board,
        slide: Option<Slide>,
        memo: H::Memo,
        bound: Cost,
    ) -> Result<Cost, TraceEnd> {
        if let Some(end) = self.tracer.limit_reached(&self.trace, &self.trace.stats, self.watch) {
            return Err(end);
        }
        let (g, h) = (self.path.len() as Cost, self.heuristic.value(&memo));
        let f = self.key(g, h);
        let outcome = if f > bound {
            NodeOutcome::Pruned
        } else if self.problem.is_goal(&board) {
            NodeOutcome::Goal
        } else {
            NodeOutcome::Expanded
        };
        self.count(slide.is_some(), outcome);
        let node = self.trace.nodes.len();
        let back = slide.map(|slide| self.problem.inverse(slide));
        let children = self.problem.actions(&board).filter(|&slide| Some(slide) != back);
        let mut pending: Vec<Slide> = children.collect();
        pending.reverse();
        self.record(board, slide, [g, h, f], outcome);
        match outcome {
            NodeOutcome::Goal => return Err(TraceEnd::Goal),
            NodeOutcome::Expanded => self.path.push(PathNode { node, memo, pending }),
            NodeOutcome::Duplicate | NodeOutcome::Pruned => {}
        }
        Ok(f)
    }

    fn count(&mut self, is_generated: bool, outcome: NodeOutcome) {
        let is_expanded = outcome == NodeOutcome::Expanded;
        let (expanded, generated) = (u64::from(is_expanded), u64::from(is_generated));
        self.trace.stats.expanded += expanded;
        self.trace.stats.generated += generated;
        if let Some(round) = self.trace.rounds.last_mut() {
            round.expanded += expanded;
            round.generated += generated;
        }
    }

    fn record(
        &mut self,
        board: Board,
        slide: Option<Slide>,
        [g, h, f]: [Cost; 3],
        outcome: NodeOutcome,
    ) {
        let (popped, step) = (self.trace.nodes.len(), self.trace.steps.len() + 1);
        let parent = self.path.last().map(|parent| parent.node);
        let expanded = (outcome != NodeOutcome::Pruned).then_some(step);
        let is_refused = false;
        self.trace.nodes.push(TraceNode { board, slide, parent, g, h, f, expanded, is_refused });
        let (pushed, refused) = (Vec::new(), Vec::new());
        self.trace.steps.push(TraceStep {
            popped,
            outcome,
            pushed,
            refused,
            back: None,
            goal: None,
        });
    }
}
