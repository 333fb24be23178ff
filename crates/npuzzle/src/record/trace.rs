//! The records of `npuzzle trace --json`: one per line, or all in one object.

use npuzzle_core::search::{DuplicateCheck, Duplicates};
use serde::Serialize;

use super::SCHEMA;
use crate::teaching::trace::{
    NodeOutcome, ReplayState, Trace, TraceEnd, TraceNode, TraceRound, Tracer,
};

/// The puzzle and the settings of a trace.
///
/// ```
/// use npuzzle::record::TraceSearchRecord;
/// use npuzzle::teaching::{TraceAlgorithm, Tracer};
/// use npuzzle::Tables;
/// let (tracer, puzzle) = (Tracer::new(TraceAlgorithm::Astar), "1 2 3/4 5 0/7 8 6".parse()?);
/// let trace = tracer.trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let record = TraceSearchRecord::new(&tracer, &trace);
/// assert_eq!((record.algorithm.as_str(), record.duplicates), ("astar", "closed"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct TraceSearchRecord {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The board in slash form.
    pub start: String,
    /// The goal in slash form.
    pub goal: String,
    /// The name of the algorithm.
    pub algorithm: String,
    /// The name of the heuristic.
    pub heuristic: String,
    /// Which of two nodes with the same key leaves the queue first: `fifo`, `lifo` or `heap`.
    pub tie_break: String,
    /// How duplicate states are handled: `closed`, `parent` or `none`.
    pub duplicates: &'static str,
    /// When the goal is recognized: at the `generation` or the `expansion` of a node.
    pub goal_test: &'static str,
    /// The depth limit; `None` without one.
    pub depth_limit: Option<u32>,
}

/// A step. Nodes are written in full, or as numbers that refer to a list of nodes.
///
/// ```
/// use npuzzle::record::{NodeRecord, TraceStepRecord};
/// use npuzzle::teaching::{TraceAlgorithm, Tracer};
/// use npuzzle::Tables;
/// let (tracer, puzzle) = (Tracer::new(TraceAlgorithm::Astar), "1 2 3/4 5 0/7 8 6".parse()?);
/// let trace = tracer.trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let state = trace.replay().next().expect("the trace has steps");
/// let record = TraceStepRecord::new(&trace, &state, |node| NodeRecord::new(&trace, node));
/// assert_eq!((record.fate, record.pushed.len()), ("expanded", 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct TraceStepRecord<N> {
    /// The number of the step, from 1.
    pub step: usize,
    /// The round, from 1. Present only for iterative deepening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<usize>,
    /// The bound of the round. Present only for iterative deepening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<u32>,
    /// What happens to the node: `expanded`, `duplicate`, `goal` or `cut`.
    pub fate: &'static str,
    /// The node that leaves the queue.
    pub node: N,
    /// The queue before the step, as node numbers.
    pub before: Vec<usize>,
    /// The children that enter the queue.
    pub pushed: Vec<N>,
    /// The children that are refused.
    pub refused: Vec<N>,
    /// The number of the parent, if the step back to it was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back: Option<usize>,
    /// The child that is the goal. Present only if the goal test is at generation and found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<N>,
    /// The queue after the step, as node numbers.
    pub after: Vec<usize>,
}

/// A node of the search tree.
///
/// ```
/// use npuzzle::record::NodeRecord;
/// use npuzzle::teaching::{TraceAlgorithm, Tracer};
/// use npuzzle::Tables;
/// let (tracer, puzzle) = (Tracer::new(TraceAlgorithm::Astar), "1 2 3/4 5 0/7 8 6".parse()?);
/// let trace = tracer.trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let start = NodeRecord::new(&trace, 0);
/// assert_eq!((start.board.as_str(), start.f), ("1 2 3/4 5 0/7 8 6", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct NodeRecord {
    /// The number of the node.
    pub node: usize,
    /// The number of the parent.
    pub parent: Option<usize>,
    /// The direction in which the tile slid from the parent.
    pub slide: Option<char>,
    /// The state in slash form.
    pub board: String,
    /// The number of moves from the start.
    pub g: u32,
    /// The heuristic's estimate.
    pub h: u32,
    /// The key in the queue.
    pub f: u32,
}

/// The end of a trace, with its counts.
///
/// ```
/// use npuzzle::record::TraceEndRecord;
/// use npuzzle::teaching::{TraceAlgorithm, Tracer};
/// use npuzzle::Tables;
/// let (tracer, puzzle) = (Tracer::new(TraceAlgorithm::Astar), "1 2 3/4 5 0/7 8 6".parse()?);
/// let trace = tracer.trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let record = TraceEndRecord::new(&trace);
/// assert_eq!((record.ending.as_str(), record.expanded), ("goal", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct TraceEndRecord {
    /// `goal`, `exhausted`, `unsolvable`, `cut`, or the limit.
    pub ending: String,
    /// The numbers of the nodes from the start to the goal, if it was found.
    pub solution: Option<Vec<usize>>,
    /// The number of states expanded.
    pub expanded: u64,
    /// The number of states generated.
    pub generated: u64,
    /// The number of states that entered the queue.
    pub enqueued: u64,
    /// The number of states that left the queue.
    pub dequeued: u64,
    /// The number of states dropped because they had been expanded before.
    pub duplicates: u64,
    /// The maximum size of the queue.
    pub max_open: u64,
    /// The rounds. Present only for iterative deepening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Vec<TraceRound>>,
}

/// A complete trace as one object.
///
/// ```
/// use npuzzle::record::TraceRecord;
/// use npuzzle::teaching::{TraceAlgorithm, Tracer};
/// use npuzzle::Tables;
/// let (tracer, puzzle) = (Tracer::new(TraceAlgorithm::Astar), "1 2 3/4 5 0/7 8 6".parse()?);
/// let trace = tracer.trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let record = TraceRecord::new(&tracer, &trace);
/// assert_eq!((record.nodes.len(), record.steps.len()), (4, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct TraceRecord {
    /// The puzzle and the settings, as fields of this object.
    #[serde(flatten)]
    pub search: TraceSearchRecord,
    /// All nodes; the index is the number.
    pub nodes: Vec<NodeRecord>,
    /// The steps, which refer to nodes by number.
    pub steps: Vec<TraceStepRecord<usize>>,
    /// The end of the trace, with its counts.
    pub end: TraceEndRecord,
}

impl TraceRecord {
    /// Returns the record of a trace. `tracer` must have created it.
    pub fn new(tracer: &Tracer, trace: &Trace) -> TraceRecord {
        let node = |number| NodeRecord::new(trace, number);
        TraceRecord {
            search: TraceSearchRecord::new(tracer, trace),
            nodes: (0..trace.nodes.len()).map(node).collect(),
            steps: trace.replay().map(|state| TraceStepRecord::new(trace, &state, |n| n)).collect(),
            end: TraceEndRecord::new(trace),
        }
    }
}

impl TraceSearchRecord {
    /// Returns the record of a trace. `tracer` must have created it.
    pub fn new(tracer: &Tracer, trace: &Trace) -> TraceSearchRecord {
        TraceSearchRecord {
            schema: SCHEMA,
            start: trace.instance.start().slash().to_string(),
            goal: trace.instance.goal().slash().to_string(),
            algorithm: tracer.algorithm.to_string(),
            heuristic: tracer.heuristic.to_string(),
            tie_break: trace.tie_break.to_string(),
            duplicates: match tracer.duplicates {
                Duplicates::Closed if tracer.check == DuplicateCheck::Open => "open",
                Duplicates::Closed => "closed",
                Duplicates::Parent => "parent",
                Duplicates::None => "none",
            },
            goal_test: tracer.goal_test.name(),
            depth_limit: tracer.depth_limit,
        }
    }
}

impl<N> TraceStepRecord<N> {
    /// Returns the record of a step. `node` converts the number of a node.
    pub fn new(
        trace: &Trace,
        state: &ReplayState<'_>,
        node: impl Fn(usize) -> N,
    ) -> TraceStepRecord<N> {
        let nodes = |numbers: &[usize]| numbers.iter().map(|&number| node(number)).collect();
        TraceStepRecord {
            step: state.number,
            round: state.round,
            bound: state.round.and_then(|round| Some(trace.rounds.get(round - 1)?.bound)),
            fate: match state.step.outcome {
                NodeOutcome::Expanded => "expanded",
                NodeOutcome::Duplicate => "duplicate",
                NodeOutcome::Goal => "goal",
                NodeOutcome::Pruned => "cut",
            },
            node: node(state.step.popped),
            before: state.before.clone(),
            pushed: nodes(&state.step.pushed),
            refused: nodes(&state.step.refused),
            back: state.step.back,
            goal: state.step.goal.map(&node),
            after: state.after.clone(),
        }
    }
}

impl NodeRecord {
    /// Returns the record of the node with this number.
    ///
    /// # Panics
    ///
    /// The trace has no such node.
    pub fn new(trace: &Trace, number: usize) -> NodeRecord {
        let TraceNode { board, slide, parent, g, h, f, .. } = &trace.nodes[number];
        NodeRecord {
            node: number,
            parent: *parent,
            slide: slide.map(|slide| slide.letter()),
            board: board.slash().to_string(),
            g: *g,
            h: *h,
            f: *f,
        }
    }
}

impl TraceEndRecord {
    /// Returns the record of the end of a trace.
    pub fn new(trace: &Trace) -> TraceEndRecord {
        let stats = &trace.stats;
        TraceEndRecord {
            ending: match trace.end {
                TraceEnd::Goal => "goal".to_owned(),
                TraceEnd::Exhausted => "exhausted".to_owned(),
                TraceEnd::Unsolvable => "unsolvable".to_owned(),
                TraceEnd::StepLimit => "cut".to_owned(),
                TraceEnd::Stopped(limit) => limit.to_string(),
            },
            solution: trace.solution(),
            expanded: stats.expanded,
            generated: stats.generated,
            enqueued: stats.enqueued,
            dequeued: stats.dequeued,
            duplicates: stats.duplicates,
            max_open: stats.max_open,
            rounds: (!trace.rounds.is_empty()).then(|| trace.rounds.clone()),
        }
    }
}
