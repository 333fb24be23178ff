//! Replays a trace step by step and reconstructs the queue.

use super::Trace;
use super::node_queue::NodeQueue;
use super::step::{NodeOutcome, TraceStep};

/// A position in a trace: the number of steps replayed, and the queue after them.
///
/// ```
/// use npuzzle::teaching::{TraceAlgorithm, Tracer};
/// use npuzzle::Tables;
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(TraceAlgorithm::Astar).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let mut replayer = trace.replayer();
/// while let Some(state) = replayer.step(&trace) {
///     println!("{}: {:?}", state.number, state.after);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replayer {
    queue: NodeQueue,
    /// The number of steps replayed.
    n_done: usize,
}

/// A step with the queue before and after it.
///
/// ```
/// use npuzzle::teaching::{TraceAlgorithm, Tracer};
/// use npuzzle::Tables;
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(TraceAlgorithm::Astar).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let state = trace.replay().next().expect("the trace has steps");
/// assert_eq!((state.number, state.before.as_slice(), state.after.len()), (1, [0].as_slice(), 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReplayState<'a> {
    /// The number of the step, from 1.
    pub number: usize,
    /// The step.
    pub step: &'a TraceStep,
    /// The round of iterative deepening, from 1; `None` for searches with a queue.
    pub round: Option<usize>,
    /// The nodes in the queue before the step, in the order in which they would leave; for a heap, in
    /// the order of its array. For iterative deepening, the path from the start to the parent.
    pub before: Vec<usize>,
    /// The nodes in the queue after the step. For iterative deepening, the path includes a node that
    /// was expanded.
    pub after: Vec<usize>,
}

impl Replayer {
    pub(super) fn new(trace: &Trace) -> Replayer {
        let mut queue = NodeQueue::new(trace.algorithm, trace.tie_break);
        if let Some(start) = trace.nodes.first() {
            queue.push(start.f, 0);
        }
        Replayer { queue, n_done: 0 }
    }

    /// Replays the next step, or returns `None` at the end. `trace` must be the trace that created
    /// this replayer.
    pub fn step<'a>(&mut self, trace: &'a Trace) -> Option<ReplayState<'a>> {
        let step = trace.steps.get(self.n_done)?;
        self.n_done += 1;
        if trace.rounds.is_empty() {
            Some(self.queue_step(trace, step))
        } else {
            Some(self.deepening_step(trace, step))
        }
    }

    fn queue_step<'a>(&mut self, trace: &Trace, step: &'a TraceStep) -> ReplayState<'a> {
        let before = self.queue.nodes();
        self.queue.pop();
        for &node in &step.pushed {
            self.queue.push(trace.nodes[node].f, node);
        }
        let after = self.queue.nodes();
        ReplayState { number: self.n_done, step, round: None, before, after }
    }

    fn deepening_step<'a>(&self, trace: &Trace, step: &'a TraceStep) -> ReplayState<'a> {
        let round = trace.rounds.partition_point(|round| round.first_step <= self.n_done);
        let parent = trace.nodes[step.popped].parent;
        let is_pruned = step.outcome == NodeOutcome::Pruned;
        let before = trace.path_to(parent);
        let after = trace.path_to(if is_pruned { parent } else { Some(step.popped) });
        ReplayState { number: self.n_done, step, round: Some(round), before, after }
    }
}
