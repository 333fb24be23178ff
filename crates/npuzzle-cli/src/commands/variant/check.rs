//! `npuzzle check --course` with a variant of the puzzle.

use npuzzle::{Limit, Limits, Metric};
use npuzzle_courses::{VariantCheck, VariantCourse};
use serde_json::json;

use super::failure;
use crate::args::CheckArgs;
use crate::commands::check::read_solution;
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::Output;
use crate::io::signals;
use crate::report::json_line;
use crate::report::progress::SearchProgress;

pub(crate) fn run(args: &CheckArgs, course: &VariantCourse) -> Result<Exit, Failure> {
    if args.metric.metric != Metric::Stm {
        let name = course.name;
        return Err(Failure::usage(format!("{name} has its own costs: --metric has no meaning")));
    }
    let puzzle = Input::from_arg(&args.puzzle)?;
    let solution = read_solution(&args.solution, "<solution>")?;
    let limits = Limits { time: args.time.time, ..course.limits };
    let mut progress = SearchProgress::new(signals::cancel()?, args.verdict.quiet, 1);
    let checked = (course.check)(&puzzle.text, &solution.text, limits, &mut progress);
    drop(progress);
    let sources = vec![("puzzle", puzzle.source), ("solution", solution.source)];
    let checked = checked.map_err(|error| failure(error, &sources))?;
    if !args.verdict.quiet {
        let text = match args.verdict.json {
            true => json_line(&record(course, &checked))?,
            false => checked.verdict() + "\n",
        };
        Output::open(None)?.write(text.as_bytes())?;
    }
    Ok(match checked.stopped {
        _ if checked.error.is_some() => Exit::No,
        Some(Limit::Interrupted) => Exit::Interrupted,
        _ if args.any_length || checked.is_optimal() => Exit::Yes,
        Some(_) => Exit::Limit,
        None => Exit::No,
    })
}

/// The object that `--json` prints; its names are stable.
fn record(course: &VariantCourse, checked: &VariantCheck) -> serde_json::Value {
    json!({
        "schema": 1,
        "course": course.name,
        "valid": checked.error.is_none(),
        "error": checked.error,
        "moves": checked.moves,
        "cost": checked.moves.map(|_| checked.cost),
        "optimum": checked.optimum,
        "optimal": checked.is_optimal(),
    })
}
