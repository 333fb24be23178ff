//! `npuzzle trace --course`: the trace of a course's own program.

use npuzzle::teaching::TraceAlgorithm;
use npuzzle_courses::{Arguments, VariantCourse};

use super::{failure, write_trace};
use crate::args::TraceArgs;
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::signals;
use crate::report::progress::SearchProgress;

pub(crate) fn run(args: &TraceArgs, puzzle: &str, course: &VariantCourse) -> Result<Exit, Failure> {
    let input = Input::from_arg(puzzle)?;
    let sources = vec![("puzzle", input.source.clone()), ("board", input.source)];
    let cases = (course.read_cases)(&input.text).map_err(|error| failure(error, &sources))?;
    let [case] = &cases[..] else {
        return Err(Failure::usage(format!("expected one board, found {}", cases.len())));
    };
    let mut arguments = Arguments::solving(course, case);
    if let Some(method) = method(args.search.algorithm) {
        if !course.arguments.iter().any(|argument| argument.name == "method") {
            let name = course.name;
            return Err(Failure::usage(format!("{name} has no other algorithm than astar")));
        }
        arguments.set("method", method);
    }
    arguments.command_line = vec![puzzle.to_owned()];
    let mut progress = SearchProgress::new(signals::cancel()?, false, 1);
    write_trace(course, &arguments, &sources, args.out.path(), &mut progress)?;
    Ok(Exit::Yes)
}

/// The name of an algorithm in courses with several methods; `None` for A\*, which all have.
fn method(algorithm: TraceAlgorithm) -> Option<String> {
    Some(match algorithm {
        TraceAlgorithm::Astar => return None,
        TraceAlgorithm::Uniform => "ucs".to_owned(),
        TraceAlgorithm::Iddfs => "ids".to_owned(),
        other => other.to_string(),
    })
}
