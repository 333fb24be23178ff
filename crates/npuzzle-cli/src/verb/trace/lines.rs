//! A trace for programs: a line for the search, one for each step, one for the end. Names are stable.

use npuzzle::search::Duplicates;
use npuzzle::{Fate, Trace, TraceEnd, TraceNode, Tracer};
use serde::Serialize;

use crate::exit::Failure;

#[derive(Serialize)]
struct Search {
    schema: u32,
    start: String,
    goal: String,
    algorithm: String,
    heuristic: String,
    tie_break: String,
    duplicates: &'static str,
}

#[derive(Serialize)]
struct Step {
    step: usize,
    fate: &'static str,
    node: Node,
    /// Numbers of nodes.
    before: Vec<usize>,
    pushed: Vec<Node>,
    refused: Vec<Node>,
    after: Vec<usize>,
}

#[derive(Serialize)]
struct Node {
    node: usize,
    parent: Option<usize>,
    /// The way the tile slides.
    slide: Option<char>,
    board: String,
    g: u32,
    h: u32,
    f: u32,
}

#[derive(Serialize)]
struct End {
    ending: String,
    /// Numbers of nodes.
    solution: Option<Vec<usize>>,
    expanded: u64,
    generated: u64,
    enqueued: u64,
    dequeued: u64,
    duplicates: u64,
    max_open: u64,
}

pub(super) fn write(tracer: &Tracer, trace: &Trace) -> Result<String, Failure> {
    let node = |&number: &usize| {
        let TraceNode { board, slide, parent, g, h, f, .. } = &trace.nodes[number];
        Node {
            node: number,
            parent: *parent,
            slide: slide.map(|slide| slide.letter()),
            board: board.slash().to_string(),
            g: *g,
            h: *h,
            f: *f,
        }
    };
    let mut text = line(&Search {
        schema: 1,
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
    })?;
    for played in trace.play() {
        text += &line(&Step {
            step: played.number,
            fate: match played.step.fate {
                Fate::Expanded => "expanded",
                Fate::Duplicate => "duplicate",
                Fate::Goal => "goal",
            },
            node: node(&played.step.popped),
            before: played.before,
            pushed: played.step.pushed.iter().map(node).collect(),
            refused: played.step.refused.iter().map(node).collect(),
            after: played.after,
        })?;
    }
    let stats = &trace.stats;
    text += &line(&End {
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
    })?;
    Ok(text)
}

fn line(record: &impl Serialize) -> Result<String, Failure> {
    let line = serde_json::to_string(record).map_err(|error| Failure::io("json", &error))?;
    Ok(line + "\n")
}
