//! A search step by step, as `npuzzle trace --json` has it, line by line or in one object.

use npuzzle_core::search::Duplicates;
use serde::Serialize;

use super::SCHEMA;
use crate::teaching::trace::{
    NodeOutcome, ReplayState, Trace, TraceEnd, TraceNode, TraceRound, Tracer,
};

/// What is searched and how.
///
/// ```
/// use npuzzle::record::TraceSearchRecord;
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let (tracer, puzzle) = (Tracer::new(Algorithm::Astar), "1 2 3/4 5 0/7 8 6".parse()?);
/// let trace = tracer.trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let record = TraceSearchRecord::new(&tracer, &trace);
/// assert_eq!((record.algorithm.as_str(), record.duplicates), ("astar", "closed"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct TraceSearchRecord {
    /// The number of this set of names.
    pub schema: u32,
    /// The board in slash form.
    pub start: String,
    /// The goal in slash form.
    pub goal: String,
    /// The algorithm's name.
    pub algorithm: String,
    /// The heuristic's name.
    pub heuristic: String,
    /// Which of equals leaves first: `fifo`, `lifo` or `heap`.
    pub tie_break: String,
    /// What is done about states that are met again: `closed`, `parent` or `none`.
    pub duplicates: &'static str,
}

/// A step. Nodes are told in full, or by their numbers beside a list of all of them.
///
/// ```
/// use npuzzle::record::{NodeRecord, TraceStepRecord};
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let (tracer, puzzle) = (Tracer::new(Algorithm::Astar), "1 2 3/4 5 0/7 8 6".parse()?);
/// let trace = tracer.trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let played = trace.play().next().expect("there are steps");
/// let record = TraceStepRecord::new(&trace, &played, |node| NodeRecord::new(&trace, node));
/// assert_eq!((record.fate, record.pushed.len()), ("expanded", 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct TraceStepRecord<N> {
    /// The number of the step, from 1.
    pub step: usize,
    /// The round, from 1: of iterative deepening alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<usize>,
    /// Its bound: of iterative deepening alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<u32>,
    /// What becomes of the node: `expanded`, `duplicate`, `goal` or `cut`.
    pub fate: &'static str,
    /// The node that leaves the queue.
    pub node: N,
    /// The queue before, as numbers of nodes.
    pub before: Vec<usize>,
    /// The children that enter it.
    pub pushed: Vec<N>,
    /// Those that are refused.
    pub refused: Vec<N>,
    /// The number of the node it came from, if the step back is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back: Option<usize>,
    /// The queue after, as numbers of nodes.
    pub after: Vec<usize>,
}

/// A node of the search tree.
///
/// ```
/// use npuzzle::record::NodeRecord;
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let (tracer, puzzle) = (Tracer::new(Algorithm::Astar), "1 2 3/4 5 0/7 8 6".parse()?);
/// let trace = tracer.trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let start = NodeRecord::new(&trace, 0);
/// assert_eq!((start.board.as_str(), start.f), ("1 2 3/4 5 0/7 8 6", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct NodeRecord {
    /// Its number.
    pub node: usize,
    /// The number of the node it was made from.
    pub parent: Option<usize>,
    /// The way the tile slid.
    pub slide: Option<char>,
    /// The state in slash form.
    pub board: String,
    /// Moves from the start.
    pub g: u32,
    /// The estimate.
    pub h: u32,
    /// The key.
    pub f: u32,
}

/// How it ended.
///
/// ```
/// use npuzzle::record::TraceEndRecord;
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let (tracer, puzzle) = (Tracer::new(Algorithm::Astar), "1 2 3/4 5 0/7 8 6".parse()?);
/// let trace = tracer.trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let record = TraceEndRecord::new(&trace);
/// assert_eq!((record.ending.as_str(), record.expanded), ("goal", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct TraceEndRecord {
    /// `goal`, `exhausted`, `cut`, or the limit.
    pub ending: String,
    /// The numbers of the nodes from the start to the goal, if it was found.
    pub solution: Option<Vec<usize>>,
    /// States expanded.
    pub expanded: u64,
    /// States generated.
    pub generated: u64,
    /// States that entered the queue.
    pub enqueued: u64,
    /// States that left it.
    pub dequeued: u64,
    /// States thrown away because they had been expanded before.
    pub duplicates: u64,
    /// The largest size of the queue.
    pub max_open: u64,
    /// The rounds: of iterative deepening alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Vec<TraceRoundRecord>>,
}

/// A round of iterative deepening.
///
/// ```
/// use npuzzle::record::TraceEndRecord;
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let (tracer, puzzle) = (Tracer::new(Algorithm::Ida), "1 2 3/4 5 0/7 8 6".parse()?);
/// let trace = tracer.trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let rounds = TraceEndRecord::new(&trace).rounds.unwrap_or_default();
/// assert_eq!((rounds.len(), rounds[0].bound), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TraceRoundRecord {
    /// The largest `f` that was looked at.
    pub bound: u32,
    /// States expanded in this round.
    pub expanded: u64,
    /// States generated in this round.
    pub generated: u64,
    /// The smallest `f` beyond the bound, if the round has ended without the goal.
    pub next: Option<u32>,
}

/// All of it, with the nodes in a list of their own.
///
/// ```
/// use npuzzle::record::TraceRecord;
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let (tracer, puzzle) = (Tracer::new(Algorithm::Astar), "1 2 3/4 5 0/7 8 6".parse()?);
/// let trace = tracer.trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let record = TraceRecord::new(&tracer, &trace);
/// assert_eq!((record.nodes.len(), record.steps.len()), (4, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct TraceRecord {
    /// What was searched and how; its fields stand beside the others.
    #[serde(flatten)]
    pub search: TraceSearchRecord,
    /// All nodes, by number.
    pub nodes: Vec<NodeRecord>,
    /// The steps, which name nodes by number.
    pub steps: Vec<TraceStepRecord<usize>>,
    /// How it ended.
    pub end: TraceEndRecord,
}

impl TraceRecord {
    /// Of a trace.
    pub fn new(tracer: &Tracer, trace: &Trace) -> TraceRecord {
        let node = |number| NodeRecord::new(trace, number);
        TraceRecord {
            search: TraceSearchRecord::new(tracer, trace),
            nodes: (0..trace.nodes.len()).map(node).collect(),
            steps: trace.play().map(|played| TraceStepRecord::new(trace, &played, |n| n)).collect(),
            end: TraceEndRecord::new(trace),
        }
    }
}

impl TraceSearchRecord {
    /// Of a trace.
    pub fn new(tracer: &Tracer, trace: &Trace) -> TraceSearchRecord {
        TraceSearchRecord {
            schema: SCHEMA,
            start: trace.instance.start().slash().to_string(),
            goal: trace.instance.goal().slash().to_string(),
            algorithm: tracer.algorithm.to_string(),
            heuristic: tracer.heuristic.to_string(),
            tie_break: trace.tie_break.to_string(),
            duplicates: match tracer.duplicates {
                Duplicates::Closed => "closed",
                Duplicates::Parent => "parent",
                Duplicates::None => "none",
            },
        }
    }
}

impl<N> TraceStepRecord<N> {
    /// Of a step; `node` says how nodes are told.
    pub fn new(
        trace: &Trace,
        played: &ReplayState<'_>,
        node: impl Fn(usize) -> N,
    ) -> TraceStepRecord<N> {
        let nodes = |numbers: &[usize]| numbers.iter().map(|&number| node(number)).collect();
        TraceStepRecord {
            step: played.number,
            round: played.round,
            bound: played.round.and_then(|round| Some(trace.rounds.get(round - 1)?.bound)),
            fate: match played.step.fate {
                NodeOutcome::Expanded => "expanded",
                NodeOutcome::Duplicate => "duplicate",
                NodeOutcome::Goal => "goal",
                NodeOutcome::Cut => "cut",
            },
            node: node(played.step.popped),
            before: played.before.clone(),
            pushed: nodes(&played.step.pushed),
            refused: nodes(&played.step.refused),
            back: played.step.back,
            after: played.after.clone(),
        }
    }
}

impl NodeRecord {
    /// Of the node with this number.
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
    /// Of a trace.
    pub fn new(trace: &Trace) -> TraceEndRecord {
        let stats = &trace.stats;
        TraceEndRecord {
            ending: match trace.ending {
                TraceEnd::Goal => "goal".to_owned(),
                TraceEnd::Exhausted => "exhausted".to_owned(),
                TraceEnd::Cut => "cut".to_owned(),
                TraceEnd::Stopped(limit) => limit.to_string(),
            },
            solution: trace.solution(),
            expanded: stats.expanded,
            generated: stats.generated,
            enqueued: stats.enqueued,
            dequeued: stats.dequeued,
            duplicates: stats.duplicates,
            max_open: stats.max_open,
            rounds: (!trace.rounds.is_empty()).then(|| trace.rounds.iter().map(round).collect()),
        }
    }
}

fn round(round: &TraceRound) -> TraceRoundRecord {
    let TraceRound { bound, expanded, generated, next, .. } = *round;
    TraceRoundRecord { bound, expanded, generated, next }
}
