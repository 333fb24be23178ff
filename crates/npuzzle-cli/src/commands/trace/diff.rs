//! `npuzzle trace diff`: somebody's expansions against every legal tie-break.

use npuzzle::search::Duplicates;
use npuzzle::teaching::{LogMatch, LogMismatch, LogStep, MismatchReason, parse_log};
use npuzzle::{Dims, Tables};
use serde::Serialize;

use super::{failure, read_puzzle, tracer};
use crate::args::DiffArgs;
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::Output;
use crate::report::progress::Progress;

/// Legal states that are shown.
const MAX_SHOWN: usize = 10;

pub(super) fn run(args: &DiffArgs) -> Result<Exit, Failure> {
    let instance = read_puzzle(&args.puzzle, &args.search)?;
    let input = Input::from_arg(&args.log)?;
    let log = expansions(&input.text, instance.dims());
    if log.is_empty() {
        let (source, dims) = (&input.source, instance.dims());
        return Err(Failure::usage(format!("{source}: no boards of {dims} in it")));
    }
    let tracer = tracer(&args.search);
    let duplicates = args.search.duplicates.map(Duplicates::from);
    let mut progress = Progress::new(crate::io::signals::cancel()?, args.quiet, 1);
    let found = tracer
        .match_log(&instance, &log, duplicates, &mut Tables::new(), &mut progress)
        .map_err(failure)?;
    drop(progress);
    if !args.quiet {
        let text = if args.json {
            json(&found, log.len())?
        } else {
            match &found {
                Ok(explained) => explained_words(explained, log.len()),
                Err(unexplained) => unexplained_words(unexplained, &input.source),
            }
        };
        Output::open(None)?.write(text.as_bytes())?;
    }
    Ok(if found.is_ok() { Exit::Yes } else { Exit::No })
}

/// The states that a log says were expanded: those of our own traces, else all boards.
fn expansions(text: &str, dims: Dims) -> Vec<LogStep> {
    let steps = (1..).zip(text.lines()).filter_map(|(line, words)| {
        let board = expanded_in_json(words).or_else(|| expanded_in_text(words))?;
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
    let (number, does) = line.strip_prefix("step ")?.split_once(": ")?;
    number.parse::<u64>().ok()?;
    let node = does.strip_prefix("expand ").or(does.strip_prefix("goal "))?;
    Some(node.split_once('[')?.1.split_once(']')?.0.to_owned())
}

fn policy(duplicates: Duplicates) -> &'static str {
    match duplicates {
        Duplicates::Closed => "states are not expanded twice",
        Duplicates::Parent => "parents are not generated again",
        Duplicates::None => "duplicates are not looked for",
    }
}

fn explained_words(explained: &LogMatch, n_steps: usize) -> String {
    let end = if explained.reaches_goal { ", up to the goal" } else { ", not yet at the goal" };
    format!("explained: all {n_steps} steps{end}; {}\n", policy(explained.duplicates))
}

fn reason(why: MismatchReason) -> String {
    match why {
        MismatchReason::NotTheStart => "it is not the start, with which a search begins".to_owned(),
        MismatchReason::NotGenerated => "it is no child of any state expanded so far".to_owned(),
        MismatchReason::AlreadyExpanded => "it was expanded before, by no longer way".to_owned(),
        MismatchReason::LargerKey { costs: [g, h, f], min_key } => {
            format!("it waits with g={g} h={h} f={f}, and there is f={min_key}")
        }
        MismatchReason::AfterGoal => "the search was over with the goal before it".to_owned(),
    }
}

fn unexplained_words(unexplained: &LogMismatch, source: &str) -> String {
    let LogMismatch { duplicates, step, found, reason: why, legal } = unexplained;
    let mut text = format!(
        "step {step} is not explained by any tie-break ({source}:{}): {}\n{}\n",
        found.line,
        found.board.slash(),
        reason(*why)
    );
    if !legal.is_empty() {
        text += "legal there:\n";
    }
    for (board, [g, h, f]) in legal.iter().take(MAX_SHOWN) {
        text += &format!("  {}  g={g} h={h} f={f}\n", board.slash());
    }
    if legal.len() > MAX_SHOWN {
        text += &format!("  and {} more\n", legal.len() - MAX_SHOWN);
    }
    text + &format!("({})\n", policy(*duplicates))
}

/// What `--json` prints; names are stable.
#[derive(Serialize)]
struct Record {
    schema: u32,
    explained: bool,
    steps: usize,
    duplicates: &'static str,
    reaches_goal: Option<bool>,
    step: Option<usize>,
    line: Option<usize>,
    board: Option<String>,
    reason: Option<String>,
    legal: Vec<String>,
}

fn json(found: &Result<LogMatch, LogMismatch>, n_steps: usize) -> Result<String, Failure> {
    let duplicates = match found {
        Ok(explained) => explained.duplicates,
        Err(unexplained) => unexplained.duplicates,
    };
    let unexplained = found.as_ref().err();
    let record = Record {
        schema: 1,
        explained: found.is_ok(),
        steps: n_steps,
        duplicates: match duplicates {
            Duplicates::Closed => "closed",
            Duplicates::Parent => "parent",
            Duplicates::None => "none",
        },
        reaches_goal: found.as_ref().ok().map(|explained| explained.reaches_goal),
        step: unexplained.map(|u| u.step),
        line: unexplained.map(|u| u.found.line),
        board: unexplained.map(|u| u.found.board.slash().to_string()),
        reason: unexplained.map(|u| reason(u.reason)),
        legal: unexplained
            .map_or(Vec::new(), |u| u.legal.iter().map(|(b, _)| b.slash().to_string()).collect()),
    };
    let line = serde_json::to_string(&record).map_err(|error| Failure::io("json", &error))?;
    Ok(line + "\n")
}
