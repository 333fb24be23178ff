//! Iterative deepening step by step: a plain twin of [`idastar`](npuzzle_core::search::idastar) that
//! keeps every state it comes to. A test compares their counts.
//!
//! A step is a state that the depth-first search comes to: it is expanded, cut off because its `f` is
//! beyond the bound, or the goal. Every round begins with a node of its own for the start, so that
//! each is a tree by itself.

use npuzzle_core::search::{Cost, Duplicates, Heuristic, Limit, Problem, Stats, Watch};
use npuzzle_core::{Board, Instance, Slide, Sliding};

use super::{NodeOutcome, TieBreak, Trace, TraceEnd, TraceError, TraceNode, TraceStep, Tracer};
use crate::plan::PlanError;
use crate::tables::cache::Tables;

/// A round of iterative deepening.
///
/// ```
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(Algorithm::Ida).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let round = trace.rounds[0];
/// assert_eq!((round.bound, round.first_step, round.next), (1, 1, None)); // the goal was found
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TraceRound {
    /// The largest `f` that is looked at.
    pub bound: Cost,
    /// The number of its first step, from 1.
    pub first_step: usize,
    /// States expanded in this round.
    pub expanded: u64,
    /// States generated in this round.
    pub generated: u64,
    /// The smallest `f` beyond the bound; known when the round has ended without the goal.
    pub next: Option<Cost>,
}

impl Tracer {
    /// Runs iterative deepening and writes down its steps.
    pub(super) fn trace_deepening(
        &self,
        instance: &Instance,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Trace, TraceError> {
        if self.weight.is_some() {
            return Err(TraceError::Plan(PlanError::Weight(self.algorithm)));
        }
        if (self.tie_break, self.duplicates) != (TieBreak::Lifo, Duplicates::Parent) {
            return Err(TraceError::NotDeepening);
        }
        let heuristic = self.heuristic_for(instance, tables, watch)?;
        let Some(problem) = Sliding::<Board>::new(instance) else {
            unreachable!("a board is an arrangement of itself")
        };
        let mut deepening = Deepening {
            problem: &problem,
            heuristic: &heuristic,
            max_steps: self.max_steps,
            max_bytes: self.max_bytes,
            trace: Trace::empty(instance.clone(), self.tie_break),
            path: Vec::new(),
            watch,
        };
        let ending = deepening.run();
        Ok(Trace { ending, ..deepening.trace })
    }
}

/// A search under way.
struct Deepening<'a, H: Heuristic<Sliding<Board>>> {
    problem: &'a Sliding<Board>,
    heuristic: &'a H,
    max_steps: usize,
    max_bytes: u64,
    trace: Trace,
    /// From the start to the state whose children are being looked at.
    path: Vec<Level<H::Memo>>,
    watch: &'a mut dyn Watch,
}

/// A state on the path.
struct Level<M> {
    node: usize,
    memo: M,
    /// Still to be tried, the next one last.
    pending: Vec<Slide>,
}

impl<H: Heuristic<Sliding<Board>>> Deepening<'_, H> {
    fn run(&mut self) -> TraceEnd {
        let start = self.problem.start();
        let mut bound = self.heuristic.value(&self.heuristic.eval(&start));
        loop {
            match self.round(&start, bound) {
                Err(ending) => return ending,
                Ok(None) => return TraceEnd::Exhausted,
                Ok(Some(next)) => {
                    self.watch.round(bound, &self.trace.stats);
                    bound = next;
                }
            }
        }
    }

    /// One depth-first search; the smallest `f` beyond the bound, or how the trace ends.
    fn round(&mut self, start: &Board, bound: Cost) -> Result<Option<Cost>, TraceEnd> {
        let first_step = self.trace.steps.len() + 1;
        let round = TraceRound { bound, first_step, expanded: 0, generated: 0, next: None };
        self.trace.rounds.push(round);
        self.come_to(start.clone(), None, self.heuristic.eval(start), bound)?;
        let mut next: Option<Cost> = None;
        while let Some(level) = self.path.last_mut() {
            let Some(slide) = level.pending.pop() else {
                self.path.pop();
                continue;
            };
            let mut board = self.trace.nodes[level.node].board.clone();
            self.problem.apply(&mut board, slide);
            let memo = self.heuristic.step(&level.memo, &board, slide);
            let f = self.come_to(board, Some(slide), memo, bound)?;
            if f > bound {
                next = Some(next.map_or(f, |next| next.min(f)));
            }
        }
        if let Some(round) = self.trace.rounds.last_mut() {
            round.next = next;
        }
        Ok(next)
    }

    /// A step; the state's `f`.
    fn come_to(
        &mut self,
        board: Board,
        slide: Option<Slide>,
        memo: H::Memo,
        bound: Cost,
    ) -> Result<Cost, TraceEnd> {
        if self.trace.steps.len() == self.max_steps {
            return Err(TraceEnd::Cut);
        }
        if self.trace.bytes() > self.max_bytes {
            return Err(TraceEnd::Stopped(Limit::Memory));
        }
        if let Some(limit) = self.watch.poll(&self.trace.stats).break_value() {
            return Err(TraceEnd::Stopped(limit));
        }
        let (g, h) = (self.path.len() as Cost, self.heuristic.value(&memo));
        let f = g.saturating_add(h);
        let fate = if f > bound {
            NodeOutcome::Cut
        } else if self.problem.is_goal(&board) {
            NodeOutcome::Goal
        } else {
            NodeOutcome::Expanded
        };
        self.count(slide.is_some(), fate);
        let node = self.trace.nodes.len();
        if fate == NodeOutcome::Expanded {
            let back = slide.map(|slide| self.problem.inverse(slide));
            let slides = self.problem.actions(&board).filter(|&slide| Some(slide) != back);
            let mut pending: Vec<Slide> = slides.collect();
            pending.reverse();
            self.write(node, board, slide, [g, h, f], fate);
            self.path.push(Level { node, memo, pending });
        } else {
            self.write(node, board, slide, [g, h, f], fate);
        }
        if fate == NodeOutcome::Goal { Err(TraceEnd::Goal) } else { Ok(f) }
    }

    fn count(&mut self, is_generated: bool, fate: NodeOutcome) {
        let (expanded, generated) =
            (u64::from(fate == NodeOutcome::Expanded), u64::from(is_generated));
        let Stats { expanded: all_expanded, generated: all_generated, .. } = &mut self.trace.stats;
        *all_expanded += expanded;
        *all_generated += generated;
        if let Some(round) = self.trace.rounds.last_mut() {
            round.expanded += expanded;
            round.generated += generated;
        }
    }

    fn write(
        &mut self,
        number: usize,
        board: Board,
        slide: Option<Slide>,
        [g, h, f]: [Cost; 3],
        fate: NodeOutcome,
    ) {
        let step = self.trace.steps.len() + 1;
        let parent = self.path.last().map(|level| level.node);
        let expanded = (fate != NodeOutcome::Cut).then_some(step);
        let is_refused = false;
        self.trace.nodes.push(TraceNode { board, slide, parent, g, h, f, expanded, is_refused });
        let (pushed, refused) = (Vec::new(), Vec::new());
        self.trace.steps.push(TraceStep { popped: number, fate, pushed, refused, back: None });
    }
}
