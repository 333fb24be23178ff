//! `npuzzle check`: is this a solution, is it shortest, where are moves lost.

use std::path::Path;

use npuzzle::format::{self, Entry, Format, FormatError};
use npuzzle::record::CheckRecord;
use npuzzle::teaching::{
    CheckError, CheckResult, Sense, SolutionError, SolutionForm, SolutionQuality,
    first_unknown_token,
};
use npuzzle::{Goal, Instance, Limit, Limits, Options, Tables};
use npuzzle_courses::{OutputSpec, SolutionSpec};

use crate::args::CheckArgs;
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::moves_input::Written;
use crate::io::output::Output;
use crate::report::progress::Progress;

/// A solution.
const MAX_SOLUTION: u64 = 64 << 20;

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let puzzle = read_puzzle(args)?;
    let mut solution = read_solution(&args.solution)?;
    if let Some(text) = told_by_us(&solution.text) {
        solution.text = text;
    }
    let options = Options {
        metric: args.metric,
        limits: Limits { time: args.time.at(), ..Limits::default() },
        ..Options::default()
    };
    let mut progress = Progress::new(crate::io::signals::cancel()?, args.quiet, 1);
    let mut tables = Tables::with_store(args.cache.store());
    let checked = options.check(&puzzle, &solution.text, &mut tables, &mut progress);
    let is_cancelled = progress.is_cancelled();
    drop(progress);
    let checked = checked.map_err(|error| match error {
        CheckError::Unreadable => unreadable(&solution, &error),
        _ => Failure::usage(error),
    })?;
    let exit = verdict(args, &checked, is_cancelled);
    if !args.quiet {
        let text = match args.json {
            true => json(args, &puzzle, &checked)?,
            false => words(args, &puzzle, &checked),
        };
        Output::open(None)?.write(text.as_bytes())?;
    }
    Ok(exit)
}

fn read_puzzle(args: &CheckArgs) -> Result<Instance, Failure> {
    let input = Input::from_arg(&args.puzzle)?;
    if let Some(course) = &args.course {
        let place = |error| Failure::usage(format!("{}: {error}", input.source));
        return (course.read)(&input.text).map_err(place);
    }
    let entry = one_or_pair(&input.text, args.format)
        .map_err(|error| Failure::usage(error.render(&input.source)))?;
    let goal = args.goal.clone().or(entry.goal.map(Goal::Board)).unwrap_or_default();
    Instance::new(entry.board, &goal).map_err(Failure::usage)
}

/// A board; or two of the same size, a start and a goal.
fn one_or_pair(text: &str, format: Option<Format>) -> Result<Entry, FormatError> {
    let one = format::read_one(text, format);
    if one.is_ok() || format.is_some() {
        return one;
    }
    let entries: Result<Vec<Entry>, _> = format::read(text, None).into_iter().collect();
    let mut entries = entries.unwrap_or_default();
    let is_pair = matches!(&entries[..], [start, goal]
        if start.board.dims() == goal.board.dims() && start.goal.is_none() && goal.goal.is_none());
    match entries.pop().filter(|_| is_pair).zip(entries.pop()) {
        Some((goal, start)) => Ok(Entry { goal: Some(goal.board), ..start }),
        None => one,
    }
}

/// The solution in an answer of `npuzzle solve --json`.
fn told_by_us(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with('{'))?;
    let record: serde_json::Value = serde_json::from_str(line).ok()?;
    match (record["solution"].as_str(), record["status"].as_str()) {
        (Some(solution), _) => Some(solution.to_owned()),
        (None, Some("unsolvable")) => Some("unsolvable".to_owned()),
        _ => None,
    }
}

/// What cannot be read, with the first word of it that is no move.
fn unreadable(solution: &Input, error: &CheckError) -> Failure {
    let message = error.to_string();
    let Input { source, text } = solution;
    match first_unknown_token(text) {
        Some(place) if !text.trim_start().starts_with('{') => {
            Written { source: source.clone(), text: text.clone() }.mistake(place, message)
        }
        _ => Failure::usage(format!("{source}: {message}")),
    }
}

/// Whether moves that are none are meant as the name of a file, which is not there.
fn looks_like_path(arg: &str) -> bool {
    let has_letter = arg.contains(|c: char| c.is_ascii_alphabetic());
    let is_word = !arg.contains(char::is_whitespace);
    is_word && has_letter && arg.contains(['/', '\\', '.']) && first_unknown_token(arg).is_some()
}

/// A file that is there, standard input, or the moves themselves.
pub(super) fn read_solution(arg: &str) -> Result<Input, Failure> {
    if arg == "-" || Path::new(arg).exists() {
        return Input::from_arg(arg);
    }
    if looks_like_path(arg) {
        return Input::from_file(Path::new(arg), MAX_SOLUTION);
    }
    Ok(Input { source: "<solution>".to_owned(), text: arg.to_owned() })
}

fn verdict(args: &CheckArgs, checked: &CheckResult, is_cancelled: bool) -> Exit {
    match (checked.is_valid(), checked.is_shortest()) {
        (false, _) => Exit::No,
        (true, _) if is_cancelled => Exit::Interrupted,
        // A number can be looked up, but does not show that somebody has a solution.
        (true, _) if checked.form == SolutionForm::MoveCount && !takes_numbers(args) => Exit::No,
        (true, _) if takes_any_length(args) || checked.form == SolutionForm::NoSolution => {
            Exit::Yes
        }
        (true, Some(true)) => Exit::Yes,
        (true, Some(false)) => Exit::No,
        (true, None) => Exit::Limit,
    }
}

/// Whether the course asks for no more than the number of moves.
fn takes_numbers(args: &CheckArgs) -> bool {
    args.course.is_some_and(|course| course.grading.shows == OutputSpec::FirstStates)
}

fn takes_any_length(args: &CheckArgs) -> bool {
    args.any_length || args.course.is_some_and(|course| course.grading.asks == SolutionSpec::Valid)
}

/// How it was read, if there is a choice.
fn reading(form: SolutionForm) -> &'static str {
    match form {
        SolutionForm::Boards => "boards",
        SolutionForm::Letters(Sense::Tile) => "letters that name the ways of the tiles",
        SolutionForm::Letters(Sense::Blank) => "letters that name the ways of the blank",
        SolutionForm::Numbers => "numbers of tiles",
        SolutionForm::MoveCount => "a number of moves, without the moves",
        SolutionForm::NoSolution => "the words that there is no solution",
    }
}

fn words(args: &CheckArgs, puzzle: &Instance, checked: &CheckResult) -> String {
    let read = format!("read as {}\n", reading(checked.form));
    let length = format!("{} STM / {} MTM", checked.moves.stm(), checked.moves.mtm());
    let verdict = match (&checked.error, &checked.quality) {
        (
            Some(
                fault @ (SolutionError::ClaimsUnsolvable
                | SolutionError::Unsolvable
                | SolutionError::WrongStart { .. }),
            ),
            _,
        ) => {
            format!("wrong: {fault}\n")
        }
        (Some(fault @ SolutionError::WrongMoveCount { .. }), _) => format!("wrong: {fault}\n"),
        (Some(fault), _) => format!("not valid: {fault}\n"),
        (None, _) if checked.form == SolutionForm::NoSolution => {
            "right: there is none\n".to_owned()
        }
        (None, None) => format!("valid: {length}\n"),
        (None, Some(quality)) if checked.form == SolutionForm::MoveCount => {
            let hint = if takes_numbers(args) { "" } else { "no moves to check: --course umbc?\n" };
            format!("claimed: {} moves{}\n{hint}", quality.length, against_optimum(quality))
        }
        (None, Some(_)) if args.any_length => format!("valid: {length}\n"),
        (None, Some(quality)) => {
            format!("valid: {length}{}\n{}", against_optimum(quality), losses(quality))
        }
    };
    verdict + &other_goal(puzzle, checked) + &read
}

/// The name of the goal that the moves reach, if it is another one.
fn other_goal(puzzle: &Instance, checked: &CheckResult) -> String {
    let end = checked.moves.replay(puzzle.start()).ok();
    let named = [("last", Goal::Last), ("first", Goal::First), ("snail", Goal::Snail)];
    let reached = named.iter().find(|(_, goal)| {
        let board = goal.board(puzzle.dims());
        board.is_some() && board == end && board.as_ref() != Some(puzzle.goal())
    });
    match reached {
        Some((name, _)) if !checked.moves.is_empty() && checked.error.is_some() => {
            format!("it ends at the goal `{name}`: --goal {name}?\n")
        }
        _ => String::new(),
    }
}

fn against_optimum(quality: &SolutionQuality) -> String {
    let SolutionQuality { length, lower_bound, upper_bound, .. } = *quality;
    let lost = length.saturating_sub(upper_bound);
    match quality.stopped {
        _ if length <= lower_bound => ", shortest".to_owned(),
        _ if lower_bound == upper_bound => {
            format!(", {lost} more than the shortest, which has {upper_bound}")
        }
        Some(Limit::Interrupted) => format!(", at least {lower_bound} needed; interrupted"),
        _ if lost > 0 => format!(
            ", {lost} more than a known solution of {upper_bound}; at least {lower_bound} needed"
        ),
        _ => format!(", perhaps shortest: at least {lower_bound} needed"),
    }
}

fn losses(quality: &SolutionQuality) -> String {
    let Some(first) = quality.losses.first() else { return String::new() };
    let steps: Vec<String> = quality.losses.iter().map(|loss| loss.step.to_string()).collect();
    let moves = if steps.len() == 1 { "move" } else { "moves" };
    format!("optimal up to move {}; lost at {moves} {}\n", first.step - 1, steps.join(", "))
}

fn json(args: &CheckArgs, puzzle: &Instance, checked: &CheckResult) -> Result<String, Failure> {
    let record = CheckRecord::new(puzzle, args.metric, checked);
    let line = serde_json::to_string(&record).map_err(|error| Failure::io("json", &error))?;
    Ok(line + "\n")
}
