//! `npuzzle course`: the course programs with their own arguments, wording and limits.

use std::io::{self, IsTerminal};
use std::path::Path;

use npuzzle::{Dims, Limits, Random};
use npuzzle_courses::{self as courses, Course, CourseRun, Ending, RunError};

use crate::args::{AnyCourseCommand, CourseArgs, CourseCommand, CourseInput};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};
use crate::io::signals;
use crate::io::units::counted;
use crate::messages;
use crate::report::limit_message;
use crate::report::progress::SearchProgress;

/// Several times the size of the largest board.
const MAX_BYTES: u64 = 1 << 20;

pub(crate) fn run(args: &CourseArgs) -> Result<Exit, Failure> {
    match &args.course {
        Some(AnyCourseCommand::Standard(command)) => run_course(command),
        Some(AnyCourseCommand::Variant(command)) => super::variant::run(command),
        None => list(),
    }
}

fn list() -> Result<Exit, Failure> {
    let mut output = Output::open(None)?;
    let standard = courses::ALL.iter().map(|course| (course.name, course.about));
    let variants = courses::VARIANTS.iter().map(|course| (course.name, course.about));
    for (name, about) in standard.chain(variants) {
        output.write(format!("{name:10} {about}\n").as_bytes())?;
    }
    Ok(Exit::Yes)
}

/// Reads the board, runs the search, writes the answer, and returns the exit code.
fn run_course(command: &CourseCommand) -> Result<Exit, Failure> {
    let CourseCommand { course, input, output } = command;
    let output = output.as_deref();
    keep_input(input, output)?;
    let input = read(input)?;
    let (answer, run) = solve(course, &input)?;
    match (output, course.command_line.pause) {
        (None, Some(prompt)) if io::stdin().is_terminal() => write_with_pauses(&answer, prompt)?,
        (None, _) => Output::open(None)?.write(&answer)?,
        (Some(file), _) if matches!(run.ending, Ending::Solved(_)) => {
            output::write_file(file, &answer)?
        }
        (Some(_), _) => {}
    }
    let exit = report_ending(&run, &course.limits, &input.source);
    if let Some(remark) = (course.remark)(&run) {
        messages::note(remark);
    }
    Ok(exit)
}

/// Writes the answer and waits for Return at every prompt. The line break that the user types ends the
/// line of the prompt.
fn write_with_pauses(answer: &[u8], prompt: &str) -> Result<(), Failure> {
    let answer = String::from_utf8_lossy(answer);
    signals::exit_on_next()?;
    let mut output = Output::open(None)?;
    let stop = format!("{prompt}\n");
    for part in answer.split_inclusive(stop.as_str()) {
        let Some(shown) = part.strip_suffix('\n').filter(|_| part.ends_with(&stop)) else {
            output.write(part.as_bytes())?;
            continue;
        };
        output.write(shown.as_bytes())?;
        io::stdin()
            .read_line(&mut String::new())
            .map_err(|error| Failure::io("<stdin>", &error))?;
    }
    Ok(())
}

/// Fails if the answer would replace the input file.
fn keep_input(input: &CourseInput, output: Option<&Path>) -> Result<(), Failure> {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let input = match input {
        CourseInput::File(file) => Some(file.as_path()),
        CourseInput::Text(text) => Some(Path::new(text)),
        CourseInput::Random { .. } | CourseInput::Scrambled { .. } => None,
    };
    match (input, output) {
        (Some(input), Some(output)) if real(input).is_some() && real(input) == real(output) => {
            Err(Failure::usage(format!("{}: this is the input", output.display())))
        }
        _ => Ok(()),
    }
}

/// Reads the input file, or makes a random board. A file that cannot be read counts as bad input, as in
/// the assignments.
fn read(input: &CourseInput) -> Result<Input, Failure> {
    match *input {
        CourseInput::File(ref file) => {
            Input::from_file(file, MAX_BYTES).map_err(|failure| failure.with_exit(Exit::Usage))
        }
        CourseInput::Text(ref text) => {
            let file = Path::new(text);
            if file.exists() {
                return Input::from_file(file, MAX_BYTES)
                    .map_err(|failure| failure.with_exit(Exit::Usage));
            }
            Ok(Input { source: "<board>".to_owned(), text: text.clone() })
        }
        CourseInput::Scrambled { make, n_moves, seed } => {
            let seed = seed.unwrap_or_else(super::new_seed);
            let source = format!("{}, seed {seed}", counted(n_moves.into(), "random move"));
            messages::note(&source);
            Ok(Input { source, text: make(n_moves, &mut Random::new(seed)) })
        }
        CourseInput::Random { make, side, seed, solvable } => {
            let dims = Dims::new(side.into(), side.into()).map_err(Failure::usage)?;
            let seed = seed.unwrap_or_else(super::new_seed);
            let source = format!("random {dims}, seed {seed}");
            messages::note(&source);
            Ok(Input { source, text: make(dims, solvable, &mut Random::new(seed)) })
        }
    }
}

/// Runs the course program; returns its answer and the result of the search.
fn solve(course: &Course, input: &Input) -> Result<(Vec<u8>, CourseRun), Failure> {
    let mut progress = SearchProgress::new(signals::cancel()?, false, 1);
    let result = courses::run(course, &input.text, &mut progress);
    drop(progress);
    let mut answer = Vec::new();
    let in_memory = |error: io::Error| Failure::io("answer", &error);
    match result {
        Ok(run) => {
            (course.write)(&run, &mut answer).map_err(in_memory)?;
            Ok((answer, run))
        }
        Err(RunError::Read(error)) => {
            (course.reject)(&input.text, &mut answer).map_err(in_memory)?;
            Output::open(None)?.write(&answer)?;
            Err(Failure::usage(error.render(&input.source)))
        }
        Err(RunError::Solve(error)) => Err(Failure::usage(error)),
    }
}

/// Returns the exit code, and reports on stderr why there is no solution.
fn report_ending(run: &CourseRun, limits: &Limits, source: &str) -> Exit {
    match run.ending {
        Ending::Solved(_) => Exit::Yes,
        Ending::Unsolvable => {
            messages::error(format!("{source}: {}", run.instance.solvability()));
            Exit::No
        }
        Ending::Stopped(limit, bound) => {
            let reason = limit_message(limit, limits, &run.stats);
            let bound = bound.map_or(String::new(), |n| {
                format!("; at least {} needed", counted(u64::from(n), "move"))
            });
            messages::error(format!("{source}: gave up: {reason}{bound}"));
            limit.into()
        }
    }
}
