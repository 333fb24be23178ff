//! `npuzzle trace`: a search step by step, and logs of other searches against it.

mod diff;
mod dot;
mod lines;
mod sink;
mod svg;
mod text;

use npuzzle::format;
use npuzzle::teaching::{Trace, TraceEnd, TraceError, Tracer};
use npuzzle::{Goal, Instance, Limit, Tables};

use crate::args::{TraceArgs, TraceForm, TraceSearch, TraceVerb};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};
use crate::report::progress::Progress;

use sink::Sink;

pub(crate) fn run(args: &TraceArgs) -> Result<Exit, Failure> {
    match (&args.verb, &args.puzzle) {
        (Some(TraceVerb::Diff(args)), _) => diff::run(args),
        (None, Some(puzzle)) => show(args, puzzle),
        (None, None) => Err(Failure::usage("no puzzle")),
    }
}

fn show(args: &TraceArgs, puzzle: &str) -> Result<Exit, Failure> {
    let instance = read_puzzle(puzzle, &args.search)?;
    let mut tracer = Tracer { max_steps: args.steps, ..tracer(&args.search) };
    if let Some(tie_break) = args.tie_break {
        tracer.tie_break = tie_break;
    }
    let cancel = crate::io::signals::cancel()?;
    output::keep_inputs([puzzle], &[&args.out])?;
    let output = Output::open(args.out.as_deref())?;
    let mut progress = Progress::new(cancel.clone(), false, 1);
    let trace = tracer.trace(&instance, &mut Tables::new(), &mut progress).map_err(failure)?;
    drop(progress);
    let mut sink = Sink::new(output, cancel);
    match args.output() {
        TraceForm::Text => text::write(&mut sink, &tracer, &trace, args.queue),
        TraceForm::Json => lines::write(&mut sink, &tracer, &trace),
        TraceForm::Dot => dot::write(&mut sink, &trace),
        TraceForm::Svg => svg::write(&mut sink, &tracer, &trace),
    }?;
    sink.finish()?;
    Ok(match trace.end {
        TraceEnd::Stopped(Limit::Interrupted) => Exit::Interrupted,
        TraceEnd::Stopped(_) => Exit::Limit,
        TraceEnd::Goal | TraceEnd::Exhausted | TraceEnd::StepLimit => Exit::Yes,
    })
}

fn read_puzzle(arg: &str, search: &TraceSearch) -> Result<Instance, Failure> {
    let input = Input::from_arg(arg)?;
    let entry = format::read_one(&input.text, search.format)
        .map_err(|error| Failure::usage(error.render(&input.source)))?;
    let goal = search.goal.clone().or(entry.goal.map(Goal::Board)).unwrap_or_default();
    Instance::new(entry.board, &goal).map_err(Failure::usage)
}

fn tracer(search: &TraceSearch) -> Tracer {
    let mut tracer = Tracer::new(search.algorithm);
    if let Some(duplicates) = search.duplicates {
        tracer.duplicates = duplicates.into();
    }
    Tracer { weight: search.weight, heuristic: search.heuristic, ..tracer }
}

fn failure(error: TraceError) -> Failure {
    let exit = match error {
        TraceError::Limit(Limit::Interrupted) => Exit::Interrupted,
        TraceError::Limit(_) => Exit::Limit,
        _ => Exit::Usage,
    };
    Failure::usage(error).with_exit(exit)
}

/// The search in words.
fn title(tracer: &Tracer, trace: &Trace) -> String {
    let duplicates = match tracer.duplicates {
        npuzzle::search::Duplicates::Closed => "closed list",
        npuzzle::search::Duplicates::Parent => "parents refused",
        npuzzle::search::Duplicates::None => "duplicates allowed",
    };
    let (algorithm, heuristic) = (tracer.algorithm, tracer.heuristic);
    if !trace.rounds.is_empty() {
        return format!("{algorithm}, h = {heuristic}, {duplicates}");
    }
    format!("{algorithm}, h = {heuristic}, ties {}, {duplicates}", trace.tie_break)
}

/// The end in words.
fn ending(trace: &Trace) -> String {
    let n = trace.steps.len();
    match (trace.end, trace.solution()) {
        (TraceEnd::Goal, Some(path)) => {
            format!("the goal after {} moves, at step {n}", path.len() - 1)
        }
        (TraceEnd::Exhausted, _) => format!("the queue is empty after {n} steps: no solution"),
        (TraceEnd::Stopped(limit), _) => format!("stopped after {n} steps: {limit}"),
        _ if !trace.instance.is_solvable() => {
            format!("cut off after {n} steps; {}", trace.instance.solvability())
        }
        _ => format!("cut off after {n} steps; --steps shows more"),
    }
}
