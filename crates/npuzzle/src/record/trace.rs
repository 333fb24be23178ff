//! A search step by step, as `npuzzle trace --json` has it, line by line or in one object.

use npuzzle_core::search::Duplicates;
use serde::Serialize;

use super::SCHEMA;
use crate::trace::{Fate, Played, Trace, TraceEnd, TraceNode, TraceRound, Tracer};

/// What is searched and how.
#[derive(Serialize, Clone, Debug)]
#[allow(missing_docs)]
pub struct TraceSearchRecord {
    pub schema: u32,
    pub start: String,
    pub goal: String,
    pub algorithm: String,
    pub heuristic: String,
    pub tie_break: String,
    pub duplicates: &'static str,
}

/// A step. Nodes are told in full, or by their numbers beside a list of all of them.
#[derive(Serialize, Clone, Debug)]
#[allow(missing_docs)]
pub struct TraceStepRecord<N> {
    pub step: usize,
    /// These two are there of iterative deepening alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<u32>,
    pub fate: &'static str,
    pub node: N,
    /// Numbers of nodes.
    pub before: Vec<usize>,
    pub pushed: Vec<N>,
    pub refused: Vec<N>,
    /// The number of the node it came from, if the step back is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back: Option<usize>,
    pub after: Vec<usize>,
}

/// A node of the search tree.
#[derive(Serialize, Clone, Debug)]
#[allow(missing_docs)]
pub struct NodeRecord {
    pub node: usize,
    pub parent: Option<usize>,
    /// The way the tile slides.
    pub slide: Option<char>,
    pub board: String,
    pub g: u32,
    pub h: u32,
    pub f: u32,
}

/// How it ended.
#[derive(Serialize, Clone, Debug)]
#[allow(missing_docs)]
pub struct TraceEndRecord {
    pub ending: String,
    /// Numbers of nodes.
    pub solution: Option<Vec<usize>>,
    pub expanded: u64,
    pub generated: u64,
    pub enqueued: u64,
    pub dequeued: u64,
    pub duplicates: u64,
    pub max_open: u64,
    /// There of iterative deepening alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Vec<TraceRoundRecord>>,
}

/// A round of iterative deepening.
#[derive(Serialize, Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct TraceRoundRecord {
    pub bound: u32,
    pub expanded: u64,
    pub generated: u64,
    pub next: Option<u32>,
}

/// All of it, with the nodes in a list of their own.
#[derive(Serialize, Clone, Debug)]
#[allow(missing_docs)]
pub struct TraceRecord {
    #[serde(flatten)]
    pub search: TraceSearchRecord,
    pub nodes: Vec<NodeRecord>,
    pub steps: Vec<TraceStepRecord<usize>>,
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
        played: &Played<'_>,
        node: impl Fn(usize) -> N,
    ) -> TraceStepRecord<N> {
        let nodes = |numbers: &[usize]| numbers.iter().map(|&number| node(number)).collect();
        TraceStepRecord {
            step: played.number,
            round: played.round,
            bound: played.round.and_then(|round| Some(trace.rounds.get(round - 1)?.bound)),
            fate: match played.step.fate {
                Fate::Expanded => "expanded",
                Fate::Duplicate => "duplicate",
                Fate::Goal => "goal",
                Fate::Cut => "cut",
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
