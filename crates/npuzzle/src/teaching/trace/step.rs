//! What a trace is made of.

use npuzzle_core::search::{Cost, Limit};
use npuzzle_core::{Board, Slide};

/// A node of the search tree.
///
/// ```
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(Algorithm::Astar).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let child = &trace.nodes[1];
/// assert_eq!((child.parent, child.g), (Some(0), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TraceNode {
    /// The state.
    pub board: Board,
    /// The slide that led to it; none to the start.
    pub slide: Option<Slide>,
    /// The number of the node that it was made from.
    pub parent: Option<usize>,
    /// Moves from the start.
    pub g: Cost,
    /// The estimate.
    pub h: Cost,
    /// The key.
    pub f: Cost,
    /// The step, from 1, at which it was expanded, or the goal found; if it was.
    pub expanded: Option<usize>,
    /// Whether it was refused, because its state had been expanded.
    pub is_refused: bool,
}

/// A step: one node leaves the queue, or iterative deepening comes to it.
///
/// ```
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(Algorithm::Astar).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let step = &trace.steps[0];
/// assert_eq!((step.popped, step.pushed.as_slice()), (0, [1, 2, 3].as_slice()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TraceStep {
    /// The node that leaves.
    pub popped: usize,
    /// What becomes of it.
    pub fate: NodeOutcome,
    /// Its children that enter the queue, in order.
    pub pushed: Vec<usize>,
    /// Its children that are refused, but for the one below.
    pub refused: Vec<usize>,
    /// The node it was made from, if the step back there is refused before a child is made.
    pub back: Option<usize>,
}

/// What becomes of a node that leaves the queue.
///
/// ```
/// use npuzzle::teaching::{NodeOutcome, Tracer};
/// use npuzzle::{Algorithm, Tables};
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(Algorithm::Astar).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// assert!(trace.steps.iter().map(|step| step.fate).eq([NodeOutcome::Expanded, NodeOutcome::Goal]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeOutcome {
    /// Its children are made.
    Expanded,
    /// Its state has been expanded before.
    Duplicate,
    /// It is the goal.
    Goal,
    /// Its `f` is beyond the bound of the round.
    Cut,
}

/// How a trace ended.
///
/// ```
/// use npuzzle::teaching::{TraceEnd, Tracer};
/// use npuzzle::{Algorithm, Tables};
/// let puzzle = "8 6 7/2 5 4/3 0 1".parse()?;
/// let tracer = Tracer { max_steps: 3, ..Tracer::new(Algorithm::Astar) };
/// assert_eq!(tracer.trace(&puzzle, &mut Tables::new(), &mut ())?.ending, TraceEnd::Cut);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceEnd {
    /// The goal left the queue.
    Goal,
    /// The queue is empty: there is no solution.
    Exhausted,
    /// The search goes on, the trace does not.
    Cut,
    /// Somebody stopped it.
    Stopped(Limit),
}
