//! A trace as text.

use std::io::{self, Write};

use npuzzle::Moves;
use npuzzle::teaching::{NodeOutcome, ReplayState, Trace, TraceNode, TraceStep, Tracer};

use crate::io::units::counted;

/// Writes a trace, with at most `max_queued` nodes of each queue.
pub(super) fn write(
    out: &mut dyn Write,
    tracer: &Tracer,
    trace: &Trace,
    max_queued: usize,
) -> io::Result<()> {
    writeln!(out, "{}", super::title(tracer, trace))?;
    for state in trace.replay() {
        write_step(out, trace, &state, max_queued)?;
    }
    writeln!(out, "\n{}", super::ending(trace))?;
    if let Some(path) = trace.solution() {
        let slides = path.iter().filter_map(|&node| trace.nodes[node].slide);
        let moves = Moves::from(slides.collect::<Vec<_>>());
        writeln!(out, "tile slides: {moves}")?;
    }
    let stats = &trace.stats;
    if trace.steps.is_empty() {
        return Ok(());
    }
    if !trace.rounds.is_empty() {
        let (expanded, generated) = (stats.expanded, stats.generated);
        let rounds = counted(trace.rounds.len() as u64, "round");
        return writeln!(out, "{expanded} expanded, {generated} generated, {rounds}");
    }
    writeln!(
        out,
        "{} expanded, {} generated, {} enqueued, {} dequeued, {}, {} at most in the queue",
        stats.expanded,
        stats.generated,
        stats.enqueued,
        stats.dequeued,
        counted(stats.duplicates, "duplicate"),
        stats.max_open
    )
}

fn write_step(
    out: &mut dyn Write,
    trace: &Trace,
    state: &ReplayState<'_>,
    max_queued: usize,
) -> io::Result<()> {
    let ReplayState { number, step, before, after, .. } = state;
    let round = state.round.and_then(|round| Some((round, trace.rounds.get(round - 1)?)));
    if let Some((n, round)) = round.filter(|(_, round)| round.first_step == *number) {
        writeln!(out, "\nround {n}: bound {}", round.bound)?;
    }
    let action = match step.outcome {
        NodeOutcome::Expanded => "expand",
        NodeOutcome::Duplicate => "drop",
        NodeOutcome::Goal => "goal",
        NodeOutcome::Pruned => "cut",
    };
    let letter = move_letter(&trace.nodes[step.popped]);
    if round.is_some() {
        return writeln!(out, "step {number}: {action} {letter}{}", node_text(trace, step.popped));
    }
    writeln!(out, "\nstep {number}: {action} {}", node_text(trace, step.popped))?;
    write_queue(out, trace, "before", before, max_queued)?;
    if step.outcome == NodeOutcome::Duplicate {
        writeln!(out, "  the state was expanded before")?;
    }
    if step.outcome == NodeOutcome::Pruned {
        writeln!(out, "  the node is at the depth limit")?;
    }
    for &child in &step.pushed {
        let letter = move_letter(&trace.nodes[child]);
        writeln!(out, "  push   {letter}{}", node_text(trace, child))?;
    }
    for &child in &step.refused {
        let letter = move_letter(&trace.nodes[child]);
        writeln!(out, "  refuse {letter}{}", node_text(trace, child))?;
    }
    if let Some(child) = step.goal {
        let letter = move_letter(&trace.nodes[child]);
        writeln!(out, "  goal   {letter}{}", node_text(trace, child))?;
    }
    if let Some(parent) = step.back {
        let letter = undo_letter(trace, step);
        writeln!(out, "  refuse {letter}#{parent}, the parent")?;
    }
    write_queue(out, trace, "after ", after, max_queued)
}

/// The letter of the move that generated a node, with a space; empty for a root.
fn move_letter(node: &TraceNode) -> String {
    node.slide.map_or(String::new(), |slide| format!("{} ", slide.letter()))
}

/// The letter of the move back to the parent, with a space.
fn undo_letter(trace: &Trace, step: &TraceStep) -> String {
    let slide = trace.nodes[step.popped].slide;
    slide.map_or(String::new(), |slide| format!("{} ", slide.opposite().letter()))
}

fn node_text(trace: &Trace, node: usize) -> String {
    let TraceNode { board, g, h, f, .. } = &trace.nodes[node];
    format!("#{node} [{}] g={g} h={h} f={f}", board.slash())
}

fn write_queue(
    out: &mut dyn Write,
    trace: &Trace,
    when: &str,
    nodes: &[usize],
    max_queued: usize,
) -> io::Result<()> {
    let first = nodes.iter().take(max_queued);
    let shown: Vec<String> =
        first.map(|&node| format!("#{node} f={}", trace.nodes[node].f)).collect();
    let n_more = nodes.len().saturating_sub(max_queued);
    let more = if n_more > 0 { format!(", and {n_more} more") } else { String::new() };
    writeln!(out, "  queue {when} ({}): {}{more}", nodes.len(), shown.join(", "))
}
