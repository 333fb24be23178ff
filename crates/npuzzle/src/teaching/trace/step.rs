//! The nodes and steps of a trace.

use npuzzle_core::search::{Cost, Limit};
use npuzzle_core::{Board, Slide};

/// A node of the search tree.
///
/// ```
/// use npuzzle::teaching::{TraceAlgorithm, Tracer};
/// use npuzzle::Tables;
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(TraceAlgorithm::Astar).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let child = &trace.nodes[1];
/// assert_eq!((child.parent, child.g), (Some(0), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TraceNode {
    /// The state.
    pub board: Board,
    /// The slide from the parent; `None` for the start.
    pub slide: Option<Slide>,
    /// The number of the parent; `None` for the start.
    pub parent: Option<usize>,
    /// The number of moves from the start.
    pub g: Cost,
    /// The estimate of the heuristic.
    pub h: Cost,
    /// The key in the queue.
    pub f: Cost,
    /// The step, from 1, at which the node was expanded or recognized as the goal, if it was.
    pub expanded: Option<usize>,
    /// Whether the node was refused because its state had been expanded before.
    pub is_refused: bool,
}

/// A step: a node leaves the queue or stack, or iterative deepening visits a node.
///
/// ```
/// use npuzzle::teaching::{TraceAlgorithm, Tracer};
/// use npuzzle::Tables;
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(TraceAlgorithm::Astar).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let step = &trace.steps[0];
/// assert_eq!((step.popped, step.pushed.as_slice()), (0, [1, 2, 3].as_slice()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TraceStep {
    /// The number of the node that leaves the queue.
    pub popped: usize,
    /// What happens to the node.
    pub outcome: NodeOutcome,
    /// The children that enter the queue, in order.
    pub pushed: Vec<usize>,
    /// The children that are refused, except the step back to the parent.
    pub refused: Vec<usize>,
    /// The parent, if the step back to it was skipped without generating a node.
    pub back: Option<usize>,
    /// The child that is the goal, if the goal test is at generation and found it. It does not enter
    /// the queue.
    pub goal: Option<usize>,
}

/// What happens to a node that leaves the queue.
///
/// ```
/// use npuzzle::teaching::{NodeOutcome, TraceAlgorithm, Tracer};
/// use npuzzle::Tables;
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(TraceAlgorithm::Astar).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// assert!(trace.steps.iter().map(|step| step.outcome).eq([NodeOutcome::Expanded, NodeOutcome::Goal]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeOutcome {
    /// Its children are generated.
    Expanded,
    /// It is dropped because its state has been expanded before.
    Duplicate,
    /// It is the goal.
    Goal,
    /// It is pruned because its `f` exceeds the bound of the round, or it is not expanded because it
    /// is at the depth limit.
    Pruned,
}

/// How a trace ended.
///
/// ```
/// use npuzzle::teaching::{TraceAlgorithm, TraceEnd, Tracer};
/// use npuzzle::Tables;
/// let puzzle = "8 6 7/2 5 4/3 0 1".parse()?;
/// let tracer = Tracer { max_steps: 3, ..Tracer::new(TraceAlgorithm::Astar) };
/// assert_eq!(tracer.trace(&puzzle, &mut Tables::new(), &mut ())?.end, TraceEnd::StepLimit);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceEnd {
    /// The goal left the queue, or was generated if that is the goal test.
    Goal,
    /// All nodes up to the depth limit were searched. None of them is the goal.
    Exhausted,
    /// The goal cannot be reached from the start, so no search was started.
    Unsolvable,
    /// The trace has its maximum number of steps. The search was not finished.
    StepLimit,
    /// A limit or the watch stopped the trace.
    Stopped(Limit),
}
