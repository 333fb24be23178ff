//! `npuzzle audit`: is a heuristic admissible and consistent, and if not, where.

mod program;

use npuzzle::teaching::{Audit, AuditError, AuditScope, Auditor, Inconsistency, Overestimate};
use npuzzle::{Board, Limit, Limits, Options, Tables, Watch};
use serde::Serialize;

use crate::args::AuditArgs;
use crate::exit::{Exit, Failure};
use crate::io::output::Output;
use crate::report::progress::BuildProgress;

use program::Program;

pub(crate) fn run(args: &AuditArgs) -> Result<Exit, Failure> {
    let goal = args.goal.board(args.size).ok_or_else(|| {
        Failure::usage(format!("the goal is of another size: --size is {}", args.size))
    })?;
    let auditor = Auditor {
        samples: args.samples,
        seed: args.seed,
        options: Options {
            limits: Limits { time: args.time.at(), ..Limits::default() },
            threads: args.threads,
            ..Options::default()
        },
        ..Auditor::new(goal)
    };
    let mut tables = Tables::with_store(args.cache.store());
    let cancel = match args.heuristic {
        Some(_) => crate::io::signals::cancel()?,
        None => crate::io::signals::cancel_gently()?,
    };
    let mut progress = BuildProgress::new(cancel, "boards");
    let audit = match (args.heuristic, Program::new(args.program())) {
        (Some(suspect), _) => auditor.audit(suspect, &mut tables, &mut progress),
        (None, program) => {
            let mut estimates =
                |boards: &[Board], watch: &mut dyn Watch| program.estimates(boards, watch);
            auditor.audit_with(&mut estimates, &mut tables, &mut progress)
        }
    };
    drop(progress);
    let audit = audit.map_err(failure)?;
    if !args.quiet {
        let name = match args.heuristic {
            Some(suspect) => suspect.to_string(),
            None => args.program().join(" "),
        };
        let text =
            if args.json { json(&name, &auditor, &audit)? } else { words(&name, &auditor, &audit) };
        Output::open(None)?.write(text.as_bytes())?;
    }
    Ok(match audit.stopped {
        _ if !audit.is_admissible() || !audit.is_consistent() => Exit::No,
        Some(Limit::Interrupted) => Exit::Interrupted,
        Some(_) => Exit::Limit,
        None => Exit::Yes,
    })
}

fn failure(error: AuditError) -> Failure {
    Failure::usage(error)
}

fn words(name: &str, auditor: &Auditor, audit: &Audit) -> String {
    let (size, goal) = (auditor.goal.dims(), auditor.goal.slash());
    let n = audit.n_boards;
    if let (0, Some(limit)) = (n, audit.stopped) {
        return format!("{name}: no board of {size} looked at\nstopped: {limit}\n");
    }
    let boards = match (audit.scope, audit.stopped) {
        (AuditScope::AllBoards, None) => format!("all {n} boards of {size} that reach {goal}"),
        (AuditScope::AllBoards, Some(_)) => format!("the {n} boards of {size} nearest to {goal}"),
        (AuditScope::Samples, _) => format!("{n} samples of {size} with their distances to {goal}"),
        (AuditScope::RandomWalks, _) => format!("{n} boards of {size} on walks from {goal}"),
    };
    let mut text = format!("{name} on {boards}\n");
    if let Some(limit) = audit.stopped {
        text += &format!("stopped: {limit}\n");
    }
    let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let at_most = if audit.scope == AuditScope::RandomWalks { "at most " } else { "" };
    let over = |over: &Overestimate| {
        let Overestimate { board, estimate, distance } = over;
        format!("h = {estimate}, distance {at_most}{distance}: {}", board.slash())
    };
    match (&audit.first_overestimate, &audit.worst_overestimate) {
        (Some(least), Some(worst)) => {
            let n_over = audit.n_overestimates;
            text += &format!(
                "not admissible: {n_over} boards ({:.2} %) are overestimated\n  smallest: {}\n  \
                 worst:    {}\n",
                percent(n_over, n),
                over(least),
                over(worst)
            );
        }
        _ if is_open(audit) => text += &format!("no counter-example among {n} boards\n"),
        _ if audit.stopped.is_some() => text += "none of these is overestimated\n",
        _ => text += "admissible: no board is overestimated\n",
    }
    match &audit.first_inconsistency {
        None if is_open(audit) => {}
        Some(Inconsistency { from, to, estimates: [before, after], distance }) => {
            text += &format!(
                "not consistent: along {} of {} slides it changes by more than 1\n  smallest: \
                 h = {before} and {after}, distance {at_most}{distance}: {} and {}\n",
                audit.n_inconsistencies,
                audit.n_slides,
                from.slash(),
                to.slash()
            );
        }
        None => {
            let consistent = if audit.stopped.is_some() { "" } else { "consistent: " };
            text += &format!(
                "{consistent}along none of {} slides it changes by more than 1\n",
                audit.n_slides
            );
        }
    }
    text += &format!("mean estimate {:.3}", audit.mean_estimate);
    if let (Some(distance), Some(exact)) = (audit.mean_distance, audit.share_exact) {
        text += &format!(", mean distance {distance:.3}, exact for {:.2} %", 100.0 * exact);
    }
    text + "\n"
}

/// Whether it was stopped before it could say anything.
fn is_open(audit: &Audit) -> bool {
    audit.stopped.is_some() && audit.is_admissible() && audit.is_consistent()
}

/// What `--json` prints; names are stable.
#[derive(Serialize)]
struct Record<'a> {
    schema: u32,
    heuristic: &'a str,
    rows: usize,
    cols: usize,
    goal: String,
    scope: &'static str,
    boards: u64,
    /// Not known of an audit that was stopped without a counter-example.
    admissible: Option<bool>,
    overestimates: u64,
    smallest: Option<Example>,
    worst: Option<Example>,
    slides: u64,
    consistent: Option<bool>,
    jumps: u64,
    smallest_jump: Option<JumpExample>,
    mean_estimate: f64,
    mean_distance: Option<f64>,
    share_exact: Option<f64>,
    limit_hit: Option<String>,
}

#[derive(Serialize)]
struct Example {
    board: String,
    estimate: f64,
    distance: u32,
}

#[derive(Serialize)]
struct JumpExample {
    from: String,
    to: String,
    estimates: [f64; 2],
    distance: u32,
}

fn json(name: &str, auditor: &Auditor, audit: &Audit) -> Result<String, Failure> {
    let example = |over: &Overestimate| Example {
        board: over.board.slash().to_string(),
        estimate: over.estimate,
        distance: over.distance,
    };
    let known = |is_right: bool| (!is_right || audit.stopped.is_none()).then_some(is_right);
    let record = Record {
        schema: 1,
        heuristic: name,
        rows: auditor.goal.dims().rows(),
        cols: auditor.goal.dims().cols(),
        goal: auditor.goal.slash().to_string(),
        scope: match audit.scope {
            AuditScope::AllBoards => "all",
            AuditScope::Samples => "samples",
            AuditScope::RandomWalks => "walks",
        },
        boards: audit.n_boards,
        admissible: known(audit.is_admissible()),
        overestimates: audit.n_overestimates,
        smallest: audit.first_overestimate.as_ref().map(example),
        worst: audit.worst_overestimate.as_ref().map(example),
        slides: audit.n_slides,
        consistent: known(audit.is_consistent()),
        jumps: audit.n_inconsistencies,
        smallest_jump: audit.first_inconsistency.as_ref().map(|jump| JumpExample {
            from: jump.from.slash().to_string(),
            to: jump.to.slash().to_string(),
            estimates: jump.estimates,
            distance: jump.distance,
        }),
        mean_estimate: audit.mean_estimate,
        mean_distance: audit.mean_distance,
        share_exact: audit.share_exact,
        limit_hit: audit.stopped.map(|limit| limit.to_string()),
    };
    let line = serde_json::to_string(&record).map_err(|error| Failure::io("json", &error))?;
    Ok(line + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle::Goal;
    use npuzzle::teaching::BuggyHeuristic;

    #[test]
    fn of_an_audit_that_was_stopped_nothing_is_said_but_of_what_was_seen() {
        let dims = "2x3".parse().unwrap();
        let auditor = Auditor::new(Goal::Last.board(dims).unwrap());
        let faulty = BuggyHeuristic::ManhattanWithBlank.into();
        let mut audit = auditor.audit(faulty, &mut Tables::new(), &mut ()).unwrap();
        audit.stopped = Some(Limit::Time);
        let (mut only_jumps, mut only_over) = (audit.clone(), audit);
        (
            only_jumps.first_overestimate,
            only_jumps.worst_overestimate,
            only_jumps.n_overestimates,
        ) = (None, None, 0);
        (only_over.first_inconsistency, only_over.n_inconsistencies) = (None, 0);
        for (audit, told) in [
            (&only_jumps, "\nnone of these is overestimated\nnot consistent: "),
            (&only_over, "\nalong none of 420 slides it changes by more than 1\n"),
        ] {
            let text = words("x", &auditor, audit);
            assert!(text.contains(told), "{text}");
            assert!(!text.contains("\nadmissible") && !text.contains("\nconsistent"), "{text}");
        }
    }
}
