//! Courses on variants of the puzzle: their programs, and what other commands do with `--course`.

pub(super) mod check;
pub(super) mod generate;
mod time;
pub(super) mod trace;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use npuzzle::Limits;
use npuzzle_courses::{
    ArgumentKind, Arguments, VariantCourse, VariantEnding, VariantError, VariantRun,
};

use crate::args::VariantCommand;
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::Output;
use crate::io::signals;
use crate::messages;
use crate::report::limit_message;
use crate::report::progress::SearchProgress;

/// Several times the size of the largest board.
const MAX_BYTES: u64 = 1 << 20;

/// Runs the program of a course, and writes its trace if the arguments ask for it.
pub(super) fn run(command: &VariantCommand) -> Result<Exit, Failure> {
    let VariantCommand { course, .. } = command;
    let Given { mut arguments, sources } = read_arguments(command)?;
    let mut progress = SearchProgress::new(signals::cancel()?, false, 1);
    let run = loop {
        match (course.run)(&arguments, course.limits, &mut progress) {
            Err(VariantError::Ask { argument, prompt }) => {
                let value = progress.suspend(|| ask(argument, prompt))?;
                arguments.set(argument, value);
            }
            result => break result.map_err(|error| failure(error, &sources))?,
        }
    };
    Output::open(None)?.write(run.answer.as_bytes())?;
    if run.wants_trace && !matches!(run.ending, VariantEnding::Stopped(_)) {
        let name = PathBuf::from(format!("trace-{}.txt", time::now()));
        write_trace(course, &arguments, &sources, Some(&name), &mut progress)?;
        progress.suspend(|| messages::note(format!("trace: {}", name.display())));
    }
    drop(progress);
    Ok(ending(&run, course.name, &course.limits))
}

/// The arguments of a program, and where the texts of its files come from.
struct Given {
    arguments: Arguments,
    sources: Sources,
}

/// The sources of texts, by the names of the arguments.
type Sources = Vec<(&'static str, String)>;

/// Reads the files. One that cannot be read counts as bad input, as in the assignments.
fn read_arguments(command: &VariantCommand) -> Result<Given, Failure> {
    let mut given = Given { arguments: Arguments::default(), sources: Vec::new() };
    for (argument, value) in &command.values {
        let input = match argument.kind {
            ArgumentKind::File => Some(Input::from_file(Path::new(value), MAX_BYTES)),
            ArgumentKind::Board => Some(Input::from_arg(value)),
            _ => None,
        };
        let text = match input {
            None => value.clone(),
            Some(input) => {
                let input = input.map_err(|failure| failure.with_exit(Exit::Usage))?;
                given.sources.push((argument.name, input.source));
                input.text
            }
        };
        given.arguments.set(argument.name, text);
        let is_positional =
            !matches!(argument.kind, ArgumentKind::Choice(_) | ArgumentKind::Number);
        given.arguments.command_line.extend(is_positional.then(|| value.clone()));
    }
    Ok(given)
}

/// Asks for an argument on standard error, so that standard output remains the answer.
fn ask(argument: &str, prompt: &str) -> Result<String, Failure> {
    // A standard error that is closed is ignored.
    let _ = write!(io::stderr(), "{prompt}");
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line);
    read.map_err(|error| Failure::io("<stdin>", &error))?;
    match line.trim() {
        "" => Err(Failure::usage(format!("no {argument} given: use --{argument}"))),
        value => Ok(value.to_owned()),
    }
}

/// Writes the trace of a program to a file, completely or not at all, or to standard output.
fn write_trace(
    course: &VariantCourse,
    arguments: &Arguments,
    sources: &Sources,
    file: Option<&Path>,
    progress: &mut SearchProgress,
) -> Result<(), Failure> {
    let mut output = Output::open(file)?;
    let mut result = Ok(());
    output.write_with(&mut |out| {
        match (course.trace)(arguments, course.limits, progress, out) {
            Err(VariantError::Io(error)) => return Err(error),
            other => result = other,
        }
        Ok(())
    })?;
    result.map_err(|error| failure(error, sources))?;
    output.finish()
}

/// The exit code; an ending without a solution is reported on standard error.
fn ending(run: &VariantRun, course: &str, limits: &Limits) -> Exit {
    match run.ending {
        VariantEnding::Solved => Exit::Yes,
        VariantEnding::Unsolvable => {
            messages::error(format!("{course}: no solution"));
            Exit::No
        }
        VariantEnding::Stopped(limit) => {
            let reason = limit_message(limit, limits, &run.stats);
            messages::error(format!("{course}: gave up: {reason}"));
            limit.into()
        }
    }
}

fn failure(error: VariantError, sources: &Sources) -> Failure {
    let source = |argument: &str| {
        let named = sources.iter().find(|(name, _)| *name == argument);
        named.map_or(argument.to_owned(), |(_, source)| source.clone())
    };
    match error {
        VariantError::Read { argument, error } => Failure::usage(error.render(&source(argument))),
        VariantError::Input { argument, message } => {
            Failure::usage(format!("{}: {message}", source(argument)))
        }
        VariantError::NoPuzzle(_) => Failure::usage(error).with_exit(Exit::No),
        VariantError::Limit(limit) => Failure::usage(error).with_exit(limit.into()),
        VariantError::Io(error) => Failure::io("trace", &error),
        VariantError::Usage(_) | VariantError::Ask { .. } => Failure::usage(error),
    }
}
