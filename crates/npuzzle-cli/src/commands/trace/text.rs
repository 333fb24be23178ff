//! A trace for people.

use std::fmt::Write as _;

use npuzzle::Moves;
use npuzzle::teaching::{NodeOutcome, ReplayState, Trace, TraceNode, TraceStep, Tracer};

use super::sink::Sink;
use crate::exit::Failure;

/// Nodes of a queue are shown up to this number.
pub(super) fn write(
    sink: &mut Sink,
    tracer: &Tracer,
    trace: &Trace,
    most: usize,
) -> Result<(), Failure> {
    let mut text = format!("{}\n", super::title(tracer, trace));
    for played in trace.replay() {
        step(&mut text, trace, &played, most);
        sink.put(&text)?;
        text.clear();
    }
    // Writing to a string does not fail, here and below.
    let _ = writeln!(text, "\n{}", super::ending(trace));
    if let Some(path) = trace.solution() {
        let slides = path.iter().filter_map(|&node| trace.nodes[node].slide);
        let moves = Moves::from(slides.collect::<Vec<_>>());
        let _ = writeln!(text, "tile slides: {moves}");
    }
    let stats = &trace.stats;
    if !trace.rounds.is_empty() {
        let (expanded, generated) = (stats.expanded, stats.generated);
        let n_rounds = trace.rounds.len();
        let _ = writeln!(text, "{expanded} expanded, {generated} generated, {n_rounds} rounds");
        return sink.put(&text);
    }
    let _ = writeln!(
        text,
        "{} expanded, {} generated, {} enqueued, {} dequeued, {} duplicates, {} at most in the queue",
        stats.expanded,
        stats.generated,
        stats.enqueued,
        stats.dequeued,
        stats.duplicates,
        stats.max_open
    );
    sink.put(&text)
}

fn step(text: &mut String, trace: &Trace, played: &ReplayState<'_>, most: usize) {
    let ReplayState { number, step, before, after, .. } = played;
    let round = played.round.and_then(|round| Some((round, trace.rounds.get(round - 1)?)));
    if let Some((n, round)) = round.filter(|(_, round)| round.first_step == *number) {
        let _ = writeln!(text, "\nround {n}: bound {}", round.bound);
    }
    let does = match step.outcome {
        NodeOutcome::Expanded => "expand",
        NodeOutcome::Duplicate => "drop",
        NodeOutcome::Goal => "goal",
        NodeOutcome::Pruned => "cut",
    };
    let way = way_to(&trace.nodes[step.popped]);
    if round.is_some() {
        let _ = writeln!(text, "step {number}: {does} {way}{}", shown(trace, step.popped));
        return;
    }
    let _ = writeln!(text, "\nstep {number}: {does} {}", shown(trace, step.popped));
    queue(text, trace, "before", before, most);
    if step.outcome == NodeOutcome::Duplicate {
        let _ = writeln!(text, "  its state has been expanded before");
    }
    for &child in &step.pushed {
        let _ = writeln!(text, "  push   {}{}", way_to(&trace.nodes[child]), shown(trace, child));
    }
    for &child in &step.refused {
        let _ = writeln!(text, "  refuse {}{}", way_to(&trace.nodes[child]), shown(trace, child));
    }
    if let Some(back) = step.back {
        let _ =
            writeln!(text, "  refuse {}#{back} again, where it came from", way_back(trace, step));
    }
    queue(text, trace, "after ", after, most);
}

fn way_to(node: &TraceNode) -> String {
    node.slide.map_or(String::new(), |slide| format!("{} ", slide.letter()))
}

/// The slide that leads back to where a node came from.
fn way_back(trace: &Trace, step: &TraceStep) -> String {
    let slide = trace.nodes[step.popped].slide;
    slide.map_or(String::new(), |slide| format!("{} ", slide.opposite().letter()))
}

fn shown(trace: &Trace, node: usize) -> String {
    let TraceNode { board, g, h, f, .. } = &trace.nodes[node];
    format!("#{node} [{}] g={g} h={h} f={f}", board.slash())
}

fn queue(text: &mut String, trace: &Trace, when: &str, nodes: &[usize], most: usize) {
    let some = nodes.iter().take(most);
    let shown: Vec<String> =
        some.map(|&node| format!("#{node} f={}", trace.nodes[node].f)).collect();
    let n_more = nodes.len().saturating_sub(most);
    let more = if n_more > 0 { format!(", and {n_more} more") } else { String::new() };
    let _ = writeln!(text, "  queue {when} ({}): {}{more}", nodes.len(), shown.join(", "));
}
