//! `npuzzle check`: is this a solution, is it shortest, where are moves lost.

use std::path::Path;

use npuzzle::format;
use npuzzle::record::CheckRecord;
use npuzzle::{
    CheckError, Checked, Fault, Form, Goal, Instance, Limit, Limits, Options, Quality, Sense,
    Tables,
};

use crate::args::CheckArgs;
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::output::Output;
use crate::progress::Progress;

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let puzzle = read_puzzle(args)?;
    let solution = read_solution(&args.solution)?;
    let options = Options {
        metric: args.metric,
        limits: Limits { time: args.time.at(), ..Limits::default() },
        ..Options::default()
    };
    let mut progress = Progress::new(crate::cancel_on_signal()?, args.quiet, 1);
    let mut tables = Tables::with_store(args.cache.store());
    let checked = options.check(&puzzle, &solution.text, &mut tables, &mut progress);
    let is_cancelled = progress.is_cancelled();
    drop(progress);
    let checked = checked.map_err(|error| match error {
        CheckError::Unreadable => Failure::usage(format!("{}: {error}", solution.source)),
        CheckError::Solve(_) => Failure::usage(error),
    })?;
    let exit = verdict(args, &checked, is_cancelled);
    if !args.quiet {
        let text = if args.json { json(args, &puzzle, &checked)? } else { words(args, &checked) };
        Output::open(None)?.write(text.as_bytes())?;
    }
    Ok(exit)
}

fn read_puzzle(args: &CheckArgs) -> Result<Instance, Failure> {
    let input = Input::from_arg(&args.puzzle)?;
    let entry = format::read_one(&input.text, args.format)
        .map_err(|error| Failure::usage(error.render(&input.source)))?;
    let goal = args.goal.clone().or(entry.goal.map(Goal::Board)).unwrap_or_default();
    Instance::new(entry.board, &goal).map_err(Failure::usage)
}

/// A file that is there, standard input, or the moves themselves.
fn read_solution(arg: &str) -> Result<Input, Failure> {
    if arg == "-" || Path::new(arg).exists() {
        return Input::from_arg(arg);
    }
    Ok(Input { source: "<solution>".to_owned(), text: arg.to_owned() })
}

fn verdict(args: &CheckArgs, checked: &Checked, is_cancelled: bool) -> Exit {
    match (checked.is_valid(), checked.is_shortest()) {
        (false, _) => Exit::No,
        (true, _) if is_cancelled => Exit::Interrupted,
        (true, _) if args.any_length || checked.form == Form::None => Exit::Yes,
        (true, Some(true)) => Exit::Yes,
        (true, Some(false)) => Exit::No,
        (true, None) => Exit::Limit,
    }
}

/// How it was read, if there is a choice.
fn reading(form: Form) -> &'static str {
    match form {
        Form::Boards => "boards",
        Form::Letters(Sense::Tile) => "letters that name the ways of the tiles",
        Form::Letters(Sense::Blank) => "letters that name the ways of the blank",
        Form::Numbers => "numbers of tiles",
        Form::Claim => "a number of moves, without the moves",
        Form::None => "the words that there is no solution",
    }
}

fn words(args: &CheckArgs, checked: &Checked) -> String {
    let read = format!("read as {}\n", reading(checked.form));
    let length = format!("{} STM / {} MTM", checked.moves.stm(), checked.moves.mtm());
    let verdict = match (&checked.fault, &checked.quality) {
        (Some(fault @ (Fault::SaysNone | Fault::HasNone | Fault::OtherStart { .. })), _) => {
            format!("wrong: {fault}\n")
        }
        (Some(fault @ Fault::Claim { .. }), _) => format!("wrong: {fault}\n"),
        (Some(fault), _) => format!("not valid: {fault}\n"),
        (None, _) if checked.form == Form::None => "right: there is none\n".to_owned(),
        (None, None) => format!("valid: {length}\n"),
        (None, Some(_)) if args.any_length => format!("valid: {length}\n"),
        (None, Some(quality)) if checked.form == Form::Claim => {
            format!("claimed: {} moves{}\n", quality.length, against_optimum(quality))
        }
        (None, Some(quality)) => {
            format!("valid: {length}{}\n{}", against_optimum(quality), losses(quality))
        }
    };
    verdict + &read
}

fn against_optimum(quality: &Quality) -> String {
    let Quality { length, lower_bound, upper_bound, .. } = *quality;
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

fn losses(quality: &Quality) -> String {
    let Some(first) = quality.losses.first() else { return String::new() };
    let steps: Vec<String> = quality.losses.iter().map(|loss| loss.step.to_string()).collect();
    let moves = if steps.len() == 1 { "move" } else { "moves" };
    format!("optimal up to move {}; lost at {moves} {}\n", first.step - 1, steps.join(", "))
}

fn json(args: &CheckArgs, puzzle: &Instance, checked: &Checked) -> Result<String, Failure> {
    let record = CheckRecord::new(puzzle, args.metric, checked);
    let line = serde_json::to_string(&record).map_err(|error| Failure::io("json", &error))?;
    Ok(line + "\n")
}
