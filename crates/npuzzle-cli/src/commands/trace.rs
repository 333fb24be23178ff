//! `npuzzle trace`: shows a search step by step, and compares logs of other searches with it.

mod diff;
mod dot;
mod json;
mod svg;
mod text;

use npuzzle::search::{DuplicateCheck, Duplicates};
use npuzzle::teaching::{GoalTest, Trace, TraceAlgorithm, TraceEnd, TraceError, Tracer};
use npuzzle::{Instance, Tables};

use crate::args::{TraceArgs, TraceCommand, TraceFormat, TraceSearchArgs};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};
use crate::io::signals;
use crate::io::units::counted;
use crate::report::limit_reached;
use crate::report::progress::SearchProgress;

pub(crate) fn run(args: &TraceArgs) -> Result<Exit, Failure> {
    match (&args.command, &args.puzzle) {
        (Some(TraceCommand::Diff(args)), _) => diff::run(args),
        (None, Some(puzzle)) => show(args, puzzle),
        (None, None) => Err(Failure::usage("a board is required")),
    }
}

fn show(args: &TraceArgs, puzzle: &str) -> Result<Exit, Failure> {
    if let Some(course) = &args.course {
        return super::variant::trace::run(args, puzzle, course);
    }
    let instance = read_puzzle(puzzle, &args.search)?;
    let mut tracer = Tracer { max_steps: args.steps, ..tracer(&args.search) };
    if let Some(tie_break) = args.tie_break {
        tracer.tie_break = tie_break;
    }
    if let Some(goal_test) = args.goal_test {
        tracer.goal_test = goal_test;
    }
    tracer.depth_limit = args.depth_limit.or(tracer.depth_limit);
    let cancel = signals::cancel()?;
    output::check_inputs([puzzle], &[&args.out.out])?;
    let mut output = Output::open(args.out.path())?;
    let mut progress = SearchProgress::new(cancel.clone(), false, 1);
    let trace = tracer.trace(&instance, &mut Tables::new(), &mut progress).map_err(failure)?;
    drop(progress);
    output.write_until_cancelled(&cancel, &mut |out| match args.format() {
        TraceFormat::Text => text::write(out, &tracer, &trace, args.queue),
        TraceFormat::Json => json::write(out, &tracer, &trace),
        TraceFormat::Dot => dot::write(out, &trace),
        TraceFormat::Svg => svg::write(out, &tracer, &trace),
    })?;
    output.finish()?;
    Ok(match trace.end {
        TraceEnd::Stopped(limit) => limit.into(),
        TraceEnd::Goal | TraceEnd::Exhausted | TraceEnd::Unsolvable | TraceEnd::StepLimit => {
            Exit::Yes
        }
    })
}

fn read_puzzle(arg: &str, search: &TraceSearchArgs) -> Result<Instance, Failure> {
    let entry = Input::from_arg(arg)?.one_board(search.board.format)?;
    Instance::new(entry.board, &search.board.goal_or(entry.goal)).map_err(Failure::usage)
}

fn tracer(search: &TraceSearchArgs) -> Tracer {
    let mut tracer = Tracer::new(search.algorithm);
    if let Some(duplicates) = search.duplicates {
        tracer.duplicates = duplicates.into();
        tracer.check = duplicates.into();
    }
    let order = search.order.unwrap_or_default();
    Tracer { weight: search.weight.weight, heuristic: search.heuristic, order, ..tracer }
}

fn failure(error: TraceError) -> Failure {
    let exit = match error {
        TraceError::Limit(limit) => limit.into(),
        _ => Exit::Usage,
    };
    Failure::usage(error).with_exit(exit)
}

/// A description of the search.
fn title(tracer: &Tracer, trace: &Trace) -> String {
    let duplicates = match tracer.duplicates {
        Duplicates::Closed if tracer.check == DuplicateCheck::Open => "no state queued twice",
        Duplicates::Closed => "closed list",
        Duplicates::Parent => "parents refused",
        Duplicates::None => "duplicates allowed",
    };
    let mut parts = vec![tracer.algorithm.to_string()];
    if tracer.algorithm.uses_heuristic() {
        parts.push(format!("h = {}", tracer.heuristic));
    }
    match tracer.algorithm {
        TraceAlgorithm::Bfs => parts.push("queue".to_owned()),
        TraceAlgorithm::Dfs => parts.push("stack".to_owned()),
        TraceAlgorithm::Iddfs | TraceAlgorithm::Ida => {}
        _ => parts.push(format!("ties {}", trace.tie_break)),
    }
    parts.push(duplicates.to_owned());
    if let Some(limit) = tracer.depth_limit {
        parts.push(format!("depth limit {limit}"));
    }
    if tracer.goal_test == GoalTest::Generation {
        parts.push("goal test at generation".to_owned());
    }
    parts.join(", ")
}

/// A description of the end.
fn ending(trace: &Trace) -> String {
    let n = trace.steps.len();
    let steps = counted(n as u64, "step");
    match (trace.end, trace.solution()) {
        (TraceEnd::Goal, Some(path)) => {
            let moves = counted(path.len() as u64 - 1, "move");
            format!("the goal after {moves}, at step {n}")
        }
        (TraceEnd::Exhausted, _) => format!("no solution within the depth limit, after {steps}"),
        (TraceEnd::Unsolvable, _) => trace.instance.solvability().to_string(),
        (TraceEnd::Stopped(limit), _) => format!("{} after {steps}", limit_reached(limit)),
        _ => format!("cut off after {steps}; --steps shows more"),
    }
}
