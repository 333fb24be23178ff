//! `npuzzle check`: whether a solution is valid and shortest, and which moves are wasted.

use std::path::Path;

use npuzzle::format::{self, Entry, Format, FormatError};
use npuzzle::record::CheckRecord;
use npuzzle::teaching::{
    CheckError, CheckResult, Sense, SolutionForm, SolutionQuality, first_unknown_token,
};
use npuzzle::{Goal, Instance, Limit, Limits, Moves, Options, Tables};
use npuzzle_courses::{Course, OutputSpec, SolutionSpec};

use crate::args::{CheckArgs, CourseChoice};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::Output;
use crate::io::signals;
use crate::io::units::counted;
use crate::report::json_line;
use crate::report::progress::SearchProgress;

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let puzzle = read_puzzle(args)?;
    let mut solution = read_solution(&args.solution, "<solution>")?;
    if let Some(text) = solution_of_record(&solution.text) {
        solution.text = text;
    }
    if let Some(course) = course(args) {
        solution.text = (course.grading.solution_part)(&solution.text).to_owned();
    }
    let options = Options {
        metric: args.metric.metric,
        limits: Limits { time: args.time.time, ..Limits::default() },
        ..Options::default()
    };
    let mut progress = SearchProgress::new(signals::cancel()?, args.verdict.quiet, 1);
    let mut tables = Tables::with_store(args.cache.store());
    let checked = options.check(&puzzle, &solution.text, &mut tables, &mut progress);
    let is_cancelled = progress.is_cancelled();
    drop(progress);
    let checked = checked.map_err(|error| match error {
        CheckError::Unreadable => unreadable(&solution, &error),
        _ => Failure::usage(error),
    })?;
    let exit = verdict(args, &checked, is_cancelled);
    if !args.verdict.quiet {
        let text = match args.verdict.json {
            true => json_line(&CheckRecord::new(&puzzle, options.metric, &checked))?,
            false => text(args, &puzzle, &checked),
        };
        Output::open(None)?.write(text.as_bytes())?;
    }
    Ok(exit)
}

/// The course, unless it is on a variant of the puzzle.
fn course(args: &CheckArgs) -> Option<&Course> {
    args.course.as_ref().and_then(CourseChoice::standard)
}

fn read_puzzle(args: &CheckArgs) -> Result<Instance, Failure> {
    let input = Input::from_arg(&args.puzzle)?;
    if let Some(course) = course(args) {
        let invalid = |error| Failure::usage(format!("{}: {error}", input.source));
        return (course.read)(&input.text).map_err(invalid);
    }
    let entry = read_one_or_pair(&input.text, args.board.format)
        .map_err(|error| Failure::usage(error.render(&input.source)))?;
    Instance::new(entry.board, &args.board.goal_or(entry.goal)).map_err(Failure::usage)
}

/// Reads one board, or two boards of the same size: start and goal.
fn read_one_or_pair(text: &str, format: Option<Format>) -> Result<Entry, FormatError> {
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

/// The solution in a record of `npuzzle solve --json`.
fn solution_of_record(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with('{'))?;
    let record: serde_json::Value = serde_json::from_str(line).ok()?;
    match (record["solution"].as_str(), record["status"].as_str()) {
        (Some(solution), _) => Some(solution.to_owned()),
        (None, Some("unsolvable")) => Some("unsolvable".to_owned()),
        _ => None,
    }
}

/// The failure of a solution that cannot be read; it points at the first token that is not a move.
fn unreadable(solution: &Input, error: &CheckError) -> Failure {
    let text = &solution.text;
    if text.trim_start().starts_with('{') {
        return Failure::usage(format!("{}: {error}", solution.source));
    }
    match (first_unknown_token(text), text.parse::<Moves>()) {
        (Some(index), _) => solution.error_at(index, error.to_string()),
        // Every letter is a direction: the count of a run is out of range.
        (None, Err(count)) if text.contains(|c: char| c.is_ascii_alphabetic()) => {
            solution.error_at(count.column() - 1, count.message())
        }
        (None, _) => Failure::usage(format!("{}: {error}", solution.source)),
    }
}

/// Whether an argument is not a move sequence but the name of a missing file.
fn looks_like_path(arg: &str) -> bool {
    let has_letter = arg.contains(|c: char| c.is_ascii_alphabetic());
    let is_word = !arg.contains(char::is_whitespace);
    is_word && has_letter && arg.contains(['/', '\\', '.']) && first_unknown_token(arg).is_some()
}

/// Reads standard input (`-`), an existing file, or the argument itself as moves; `name` stands for it
/// in messages.
pub(super) fn read_solution(arg: &str, name: &str) -> Result<Input, Failure> {
    if arg == "-" || Path::new(arg).exists() || looks_like_path(arg) {
        return Input::from_file_arg(arg);
    }
    Ok(Input { source: name.to_owned(), text: arg.to_owned() })
}

fn verdict(args: &CheckArgs, checked: &CheckResult, is_cancelled: bool) -> Exit {
    match (checked.is_valid(), checked.is_shortest()) {
        (false, _) => Exit::No,
        (true, _) if is_cancelled => Exit::Interrupted,
        // A number without moves could be looked up; it does not prove that a solution was found.
        (true, _) if checked.form == SolutionForm::MoveCount && !accepts_numbers(args) => Exit::No,
        (true, _) if accepts_any_length(args) || checked.form == SolutionForm::NoSolution => {
            Exit::Yes
        }
        (true, Some(true)) => Exit::Yes,
        (true, Some(false)) => Exit::No,
        (true, None) => Exit::Limit,
    }
}

/// Whether the course requires only the number of moves.
fn accepts_numbers(args: &CheckArgs) -> bool {
    course(args).is_some_and(|course| course.grading.output == OutputSpec::FirstStates)
}

fn accepts_any_length(args: &CheckArgs) -> bool {
    args.any_length
        || course(args).is_some_and(|course| course.grading.solution == SolutionSpec::Valid)
}

/// How the solution was read.
fn form_name(form: SolutionForm) -> &'static str {
    match form {
        SolutionForm::Boards => "boards",
        SolutionForm::Letters(Sense::Tile) => "letters for the directions of the tiles",
        SolutionForm::Letters(Sense::Blank) => "letters for the directions of the blank",
        SolutionForm::Numbers => "numbers of tiles",
        SolutionForm::MoveCount => "a number of moves, without the moves",
        SolutionForm::NoSolution => "the statement that there is no solution",
    }
}

fn text(args: &CheckArgs, puzzle: &Instance, checked: &CheckResult) -> String {
    let read = format!("read as {}\n", form_name(checked.form));
    let length = format!("{} STM / {} MTM", checked.moves.stm(), checked.moves.mtm());
    let verdict = match (&checked.error, &checked.quality) {
        (Some(fault), _) => {
            format!("not valid: {fault}\n")
        }
        (None, _) if checked.form == SolutionForm::NoSolution => {
            "valid: there is no solution\n".to_owned()
        }
        (None, None) => format!("valid: {length}\n"),
        (None, Some(quality)) if checked.form == SolutionForm::MoveCount => {
            let hint =
                if accepts_numbers(args) { "" } else { "no moves to check: --course umbc?\n" };
            let length = counted(u64::from(quality.length), "move");
            format!("claimed: {length}{}\n{hint}", against_optimum(quality))
        }
        (None, Some(_)) if args.any_length => format!("valid: {length}\n"),
        (None, Some(quality)) => {
            format!("valid: {length}{}\n{}", against_optimum(quality), wasted_moves(quality))
        }
    };
    verdict + &other_goal(puzzle, checked) + &read
}

/// A hint if the moves reach another named goal.
fn other_goal(puzzle: &Instance, checked: &CheckResult) -> String {
    let end = checked.moves.replay(puzzle.start()).ok();
    let named = [("last", Goal::Last), ("first", Goal::First), ("snail", Goal::Snail)];
    let reached = named.iter().find(|(_, goal)| {
        let board = goal.board(puzzle.dims());
        board.is_some() && board == end && board.as_ref() != Some(puzzle.goal())
    });
    match reached {
        Some((name, _)) if !checked.moves.is_empty() && checked.error.is_some() => {
            format!("the moves reach the goal `{name}`: --goal {name}?\n")
        }
        _ => String::new(),
    }
}

fn against_optimum(quality: &SolutionQuality) -> String {
    let SolutionQuality { length, lower_bound, upper_bound, .. } = *quality;
    let excess = length.saturating_sub(upper_bound);
    match quality.stopped {
        _ if length <= lower_bound => ", shortest".to_owned(),
        _ if lower_bound == upper_bound => {
            format!(", {excess} more than the shortest, which has {upper_bound}")
        }
        Some(Limit::Interrupted) => format!(", at least {lower_bound} needed; interrupted"),
        _ if excess > 0 => format!(
            ", {excess} more than a known solution of {upper_bound}; at least {lower_bound} needed"
        ),
        _ => format!(", perhaps shortest: at least {lower_bound} needed"),
    }
}

fn wasted_moves(quality: &SolutionQuality) -> String {
    let Some(first) = quality.losses.first() else { return String::new() };
    let steps: Vec<String> = quality.losses.iter().map(|loss| loss.step.to_string()).collect();
    let moves = if steps.len() == 1 { "move" } else { "moves" };
    format!("optimal up to move {}; not optimal: {moves} {}\n", first.step - 1, steps.join(", "))
}
