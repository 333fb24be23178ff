//! `npuzzle audit`: whether a heuristic is admissible and consistent, with counter-examples.

mod program;

use npuzzle::teaching::{Audit, AuditScope, Auditor, Inconsistency, Overestimate};
use npuzzle::{Board, Limits, Options, Tables, Watch};
use serde_json::{Value, json};

use crate::args::AuditArgs;
use crate::exit::{Exit, Failure};
use crate::io::output::Output;
use crate::io::signals;
use crate::io::units::counted;
use crate::report::progress::ShareProgress;
use crate::report::{json_line, limit_reached};

use program::Program;

pub(crate) fn run(args: &AuditArgs) -> Result<Exit, Failure> {
    let auditor = Auditor {
        samples: args.samples,
        seed: args.seed,
        options: Options {
            limits: Limits { time: args.time.time, ..Limits::default() },
            threads: args.threads.threads,
            ..Options::default()
        },
        ..Auditor::new(args.goal.board(args.size)?)
    };
    let mut tables = Tables::with_store(args.cache.store());
    let cancel = match args.heuristic {
        Some(_) => signals::cancel()?,
        None => signals::cancel_gently()?,
    };
    let mut progress = ShareProgress::new(cancel, "boards");
    let audit = match args.heuristic {
        Some(heuristic) => auditor.audit(heuristic, &mut tables, &mut progress),
        None => {
            let program = Program::new(args.program(), &args.sandbox)?;
            let mut estimates =
                |boards: &[Board], watch: &mut dyn Watch| program.estimates(boards, watch);
            auditor.audit_with(&mut estimates, &mut tables, &mut progress)
        }
    };
    drop(progress);
    let audit = audit.map_err(Failure::usage)?;
    if !args.verdict.quiet {
        let name = match args.heuristic {
            Some(heuristic) => heuristic.to_string(),
            None => args.program().join(" "),
        };
        let text = match args.verdict.json {
            true => json_line(&record(&name, &auditor, &audit))?,
            false => text(&name, &auditor, &audit),
        };
        Output::open(None)?.write(text.as_bytes())?;
    }
    Ok(match audit.stopped {
        _ if !audit.is_admissible() || !audit.is_consistent() => Exit::No,
        Some(limit) => limit.into(),
        None => Exit::Yes,
    })
}

fn text(name: &str, auditor: &Auditor, audit: &Audit) -> String {
    let size = auditor.goal.dims();
    if let (0, Some(limit)) = (audit.n_boards, audit.stopped) {
        return format!("{name}: no board of {size} was tested\n{}\n", limit_reached(limit));
    }
    let mut text = format!("{name} on {}\n", tested_boards(auditor, audit));
    if let Some(limit) = audit.stopped {
        text += &format!("{}\n", limit_reached(limit));
    }
    text += &admissibility(audit);
    text += &consistency(audit);
    text += &format!("mean estimate {:.3}", audit.mean_estimate);
    if let (Some(distance), Some(exact)) = (audit.mean_distance, audit.share_exact) {
        text += &format!(", mean distance {distance:.3}, exact for {}", percent(exact));
    }
    text + "\n"
}

/// The boards that were tested, in words.
fn tested_boards(auditor: &Auditor, audit: &Audit) -> String {
    let (size, goal, n) = (auditor.goal.dims(), auditor.goal.slash(), audit.n_boards);
    match (audit.scope, audit.stopped) {
        (AuditScope::AllBoards, None) => format!("all {n} boards of {size} that reach {goal}"),
        (AuditScope::AllBoards, Some(_)) => format!("the {n} boards of {size} nearest to {goal}"),
        (AuditScope::Samples, _) => format!("{n} samples of {size} with their distances to {goal}"),
        (AuditScope::RandomWalks, _) => format!("{n} boards of {size} on walks from {goal}"),
    }
}

/// `3.14 %`; a small share is not rounded to zero.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if 0.0 < percent && percent < 0.01 { "<0.01 %".to_owned() } else { format!("{percent:.2} %") }
}

/// Distances on random walks are upper bounds.
fn distance_prefix(audit: &Audit) -> &'static str {
    if audit.scope == AuditScope::RandomWalks { "at most " } else { "" }
}

fn admissibility(audit: &Audit) -> String {
    let example = |Overestimate { board, estimate, distance }: &Overestimate| {
        let at_most = distance_prefix(audit);
        format!("h = {estimate}, distance {at_most}{distance}: {}", board.slash())
    };
    match (&audit.first_overestimate, &audit.worst_overestimate) {
        (Some(smallest), Some(worst)) => {
            let n = audit.n_overestimates;
            let share = percent(n as f64 / audit.n_boards.max(1) as f64);
            format!(
                "not admissible: {} ({share}) {} overestimated\n  smallest: {}\n  worst:    \
                 {}\n",
                counted(n, "board"),
                if n == 1 { "is" } else { "are" },
                example(smallest),
                example(worst)
            )
        }
        _ if is_inconclusive(audit) => {
            format!("no counter-example among {}\n", counted(audit.n_boards, "board"))
        }
        _ if audit.stopped.is_some() => "no overestimate among these boards\n".to_owned(),
        _ => "admissible: no board is overestimated\n".to_owned(),
    }
}

fn consistency(audit: &Audit) -> String {
    let n_slides = audit.n_slides;
    match &audit.first_inconsistency {
        None if is_inconclusive(audit) => String::new(),
        Some(Inconsistency { from, to, estimates: [before, after], distance }) => format!(
            "not consistent: {} of {n_slides} slides change h by more than 1\n  smallest: h = \
             {before} and {after}, distance {}{distance}: {} and {}\n",
            audit.n_inconsistencies,
            distance_prefix(audit),
            from.slash(),
            to.slash()
        ),
        None => {
            let claim = if audit.stopped.is_some() { "" } else { "consistent: " };
            format!("{claim}none of {n_slides} slides changes h by more than 1\n")
        }
    }
}

/// Whether the audit was stopped before it found a counter-example.
fn is_inconclusive(audit: &Audit) -> bool {
    audit.stopped.is_some() && audit.is_admissible() && audit.is_consistent()
}

/// The object that `--json` prints; its names are stable.
fn record(name: &str, auditor: &Auditor, audit: &Audit) -> Value {
    let example = |over: &Overestimate| {
        let board = over.board.slash().to_string();
        json!({ "board": board, "estimate": over.estimate, "distance": over.distance })
    };
    let jump = |jump: &Inconsistency| {
        json!({
            "from": jump.from.slash().to_string(),
            "to": jump.to.slash().to_string(),
            "estimates": jump.estimates,
            "distance": jump.distance,
        })
    };
    let scope = match audit.scope {
        AuditScope::AllBoards => "all",
        AuditScope::Samples => "samples",
        AuditScope::RandomWalks => "walks",
    };
    // Unknown if the audit was stopped without a counter-example.
    let known = |is_right: bool| (!is_right || audit.stopped.is_none()).then_some(is_right);
    json!({
        "schema": 1,
        "heuristic": name,
        "rows": auditor.goal.dims().rows(),
        "cols": auditor.goal.dims().cols(),
        "goal": auditor.goal.slash().to_string(),
        "scope": scope,
        "boards": audit.n_boards,
        "admissible": known(audit.is_admissible()),
        "overestimates": audit.n_overestimates,
        "smallest": audit.first_overestimate.as_ref().map(example),
        "worst": audit.worst_overestimate.as_ref().map(example),
        "slides": audit.n_slides,
        "consistent": known(audit.is_consistent()),
        "jumps": audit.n_inconsistencies,
        "smallest_jump": audit.first_inconsistency.as_ref().map(jump),
        "mean_estimate": audit.mean_estimate,
        "mean_distance": audit.mean_distance,
        "share_exact": audit.share_exact,
        "limit_hit": audit.stopped.map(|limit| limit.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle::teaching::BuggyHeuristic;
    use npuzzle::{Goal, Limit};

    #[test]
    fn stopped_audit_makes_no_claim() {
        let dims = "2x3".parse().unwrap();
        let auditor = Auditor::new(Goal::Last.board(dims).unwrap());
        let buggy = BuggyHeuristic::ManhattanWithBlank.into();
        let mut audit = auditor.audit(buggy, &mut Tables::new(), &mut ()).unwrap();
        audit.stopped = Some(Limit::Time);
        let (mut only_jumps, mut only_over) = (audit.clone(), audit);
        (
            only_jumps.first_overestimate,
            only_jumps.worst_overestimate,
            only_jumps.n_overestimates,
        ) = (None, None, 0);
        (only_over.first_inconsistency, only_over.n_inconsistencies) = (None, 0);
        for (audit, expect) in [
            (&only_jumps, "\nno overestimate among these boards\nnot consistent: "),
            (&only_over, "\nnone of 420 slides changes h by more than 1\n"),
        ] {
            let text = text("x", &auditor, audit);
            assert!(text.contains(expect), "{text}");
            assert!(!text.contains("\nadmissible") && !text.contains("\nconsistent"), "{text}");
        }
    }
}
