//! `npuzzle trace diff`: compares the expansions in a log with every legal tie-break.

use npuzzle::search::Duplicates;
use npuzzle::teaching::{LogMatch, LogMismatch, LogStep, MismatchReason, parse_log};
use npuzzle::{Dims, Tables};
use serde_json::json;

use super::{failure, read_puzzle, tracer};
use crate::args::{DiffArgs, DuplicatesArg};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::Output;
use crate::io::signals;
use crate::io::units::counted;
use crate::report::json_line;
use crate::report::progress::SearchProgress;

/// The number of legal states that are shown.
const MAX_SHOWN: usize = 10;

pub(super) fn run(args: &DiffArgs) -> Result<Exit, Failure> {
    if args.search.duplicates == Some(DuplicatesArg::Open) {
        return Err(Failure::usage(
            "--duplicates open: diff explains logs with closed, parent or none",
        ));
    }
    let instance = read_puzzle(&args.puzzle, &args.search)?;
    let input = Input::from_file_arg(&args.log)?;
    let log = expansions(&input.text, instance.dims());
    if log.is_empty() {
        let (source, dims) = (&input.source, instance.dims());
        return Err(Failure::usage(format!("{source}: contains no boards of {dims}")));
    }
    let tracer = tracer(&args.search);
    let duplicates = args.search.duplicates.map(Duplicates::from);
    let mut progress = SearchProgress::new(signals::cancel()?, args.verdict.quiet, 1);
    let result = tracer
        .match_log(&instance, &log, duplicates, &mut Tables::new(), &mut progress)
        .map_err(failure)?;
    drop(progress);
    if !args.verdict.quiet {
        let text = match &result {
            _ if args.verdict.json => json(&result, log.len())?,
            Ok(explained) => explained_text(explained, log.len()),
            Err(unexplained) => unexplained_text(unexplained, &input.source),
        };
        Output::open(None)?.write(text.as_bytes())?;
    }
    Ok(if result.is_ok() { Exit::Yes } else { Exit::No })
}

/// The expanded states of a log: those that our own traces mark, otherwise all boards.
fn expansions(text: &str, dims: Dims) -> Vec<LogStep> {
    let steps = (1..).zip(text.lines()).filter_map(|(line, text)| {
        let board = expanded_in_json(text).or_else(|| expanded_in_text(text))?;
        let board = board.parse().ok().filter(|board: &npuzzle::Board| board.dims() == dims)?;
        Some(LogStep { line, board })
    });
    let steps: Vec<LogStep> = steps.collect();
    if steps.is_empty() { parse_log(text, dims) } else { steps }
}

/// `{"step":1,"fate":"expanded","node":{"board":"1 2 3/4 0 5/7 8 6",…},…}`
fn expanded_in_json(line: &str) -> Option<String> {
    let step: serde_json::Value =
        serde_json::from_str(line.strip_prefix('{').map(|_| line)?).ok()?;
    matches!(step["fate"].as_str(), Some("expanded" | "goal")).then_some(())?;
    step["node"]["board"].as_str().map(str::to_owned)
}

/// `step 1: expand #0 [1 2 3/4 0 5/7 8 6] g=0 h=2 f=2`
fn expanded_in_text(line: &str) -> Option<String> {
    let (number, action) = line.strip_prefix("step ")?.split_once(": ")?;
    number.parse::<u64>().ok()?;
    let node = action.strip_prefix("expand ").or(action.strip_prefix("goal "))?;
    Some(node.split_once('[')?.1.split_once(']')?.0.to_owned())
}

fn policy(duplicates: Duplicates) -> &'static str {
    match duplicates {
        Duplicates::Closed => "no state is expanded twice",
        Duplicates::Parent => "no state generates its parent",
        Duplicates::None => "duplicates are allowed",
    }
}

fn explained_text(explained: &LogMatch, n_steps: usize) -> String {
    let end = if explained.reaches_goal { "up to the goal" } else { "not yet at the goal" };
    let (steps, policy) = (counted(n_steps as u64, "step"), policy(explained.duplicates));
    format!("explained: all {steps}, {end}; {policy}\n")
}

fn reason(reason: MismatchReason) -> String {
    match reason {
        MismatchReason::NotTheStart => "a search expands the start first".to_owned(),
        MismatchReason::NotGenerated => "no expanded state generated it".to_owned(),
        MismatchReason::AlreadyExpanded => {
            "it was expanded before, by a path that was not longer".to_owned()
        }
        MismatchReason::LargerKey { costs: [g, h, f], min_key } => {
            format!("it is queued with g={g} h={h} f={f}, but the smallest key is f={min_key}")
        }
        MismatchReason::AfterGoal => "the search had already reached the goal".to_owned(),
    }
}

fn unexplained_text(unexplained: &LogMismatch, source: &str) -> String {
    let LogMismatch { duplicates, step, found, reason: why, legal } = unexplained;
    let mut text = format!(
        "step {step} is not explained by any tie-break ({source}:{}): {}\n{}\n",
        found.line,
        found.board.slash(),
        reason(*why)
    );
    if !legal.is_empty() {
        text += "legal at this step:\n";
    }
    for (board, [g, h, f]) in legal.iter().take(MAX_SHOWN) {
        text += &format!("  {}  g={g} h={h} f={f}\n", board.slash());
    }
    if legal.len() > MAX_SHOWN {
        text += &format!("  and {} more\n", legal.len() - MAX_SHOWN);
    }
    text + &format!("({})\n", policy(*duplicates))
}

/// The object that `--json` prints; its names are stable.
fn json(result: &Result<LogMatch, LogMismatch>, n_steps: usize) -> Result<String, Failure> {
    let duplicates = match result {
        Ok(explained) => explained.duplicates,
        Err(unexplained) => unexplained.duplicates,
    };
    let duplicates = match duplicates {
        Duplicates::Closed => "closed",
        Duplicates::Parent => "parent",
        Duplicates::None => "none",
    };
    let unexplained = result.as_ref().err();
    let legal = unexplained.iter().flat_map(|mismatch| &mismatch.legal);
    let legal: Vec<String> = legal.map(|(board, _)| board.slash().to_string()).collect();
    json_line(&json!({
        "schema": 1,
        "explained": result.is_ok(),
        "steps": n_steps,
        "duplicates": duplicates,
        "reaches_goal": result.as_ref().ok().map(|explained| explained.reaches_goal),
        "step": unexplained.map(|mismatch| mismatch.step),
        "line": unexplained.map(|mismatch| mismatch.found.line),
        "board": unexplained.map(|mismatch| mismatch.found.board.slash().to_string()),
        "reason": unexplained.map(|mismatch| reason(mismatch.reason)),
        "legal": legal,
    }))
}
