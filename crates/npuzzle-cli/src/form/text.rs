//! Answers for people: a few lines for one board, one line each for many.

use std::fmt::Write;

use npuzzle::{Answer, Limits, Moves, Notation, Report};

use super::{Item, Shown};

pub(super) fn write(item: &Item, shown: Shown) -> String {
    match item {
        // What is wrong has been said on stderr; a line here keeps the order of a batch.
        Item::Bad { .. } if !shown.is_batch => String::new(),
        Item::Bad { .. } if shown.quiet => "error\n".to_owned(),
        Item::Bad { place, .. } => format!("{}: error\n", place.number),
        Item::Report { report, .. } if shown.quiet => quiet(report, shown.notation),
        Item::Report { place, report, limits, .. } if shown.is_batch => {
            format!("{}: {}\n", place.number, line(report, limits, shown.notation))
        }
        Item::Report { report, limits, .. } => block(report, limits, shown.notation),
    }
}

/// The solution alone, or a word where there is none.
fn quiet(report: &Report, notation: Notation) -> String {
    match &report.answer {
        Answer::Solved(moves) => solution(report, moves, notation) + "\n",
        Answer::Unsolvable => "unsolvable\n".to_owned(),
        Answer::Stopped(_) => "limit\n".to_owned(),
    }
}

/// One line of a batch.
fn line(report: &Report, limits: &Limits, notation: Notation) -> String {
    match report.moves() {
        Some(moves) => {
            let solution = solution(report, moves, notation).replace('\n', " | ");
            format!("{}, {}: {solution}", lengths(report, moves), label(notation))
        }
        None => no_solution(report, limits),
    }
}

/// The lines for a single board.
fn block(report: &Report, limits: &Limits, notation: Notation) -> String {
    let Some(moves) = report.moves() else { return no_solution(report, limits) + "\n" };
    let mut text = lengths(report, moves) + "\n";
    if moves.is_empty() {
        return text + "already solved\n";
    }
    let label = label(notation);
    let label =
        if notation == Notation::Boards { label.to_owned() + ":\n" } else { format!("{label}: ") };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{label}{}", solution(report, moves, notation));
    if let Some(plan) = &report.plan {
        let heuristic = plan.engine.heuristic().map_or(String::new(), |h| format!(" with {h}"));
        let (expanded, generated) = (report.stats.expanded, report.stats.generated);
        let ms = report.time.as_secs_f64() * 1e3;
        let _ = writeln!(
            text,
            "search: {}{heuristic}, {expanded} expanded, {generated} generated, {ms:.1} ms",
            plan.algorithm
        );
    }
    text
}

/// What a solution in this notation names.
fn label(notation: Notation) -> &'static str {
    match notation {
        Notation::Tile => "tile slides",
        Notation::Blank => "blank goes",
        Notation::Numbers => "tiles",
        Notation::Boards => "boards",
    }
}

/// `22 STM / 17 MTM (optimal)`
fn lengths(report: &Report, moves: &Moves) -> String {
    let proof = match (report.is_optimal(), report.lower_bound) {
        (true, _) => "optimal".to_owned(),
        (false, Some(bound)) => format!("a shortest solution has at least {bound}"),
        (false, None) => "not proved optimal".to_owned(),
    };
    format!("{} STM / {} MTM ({proof})", moves.stm(), moves.mtm())
}

fn solution(report: &Report, moves: &Moves, notation: Notation) -> String {
    // Every solution has been replayed, so it can be written in every notation.
    moves.write(notation, report.instance.start()).unwrap_or_default()
}

fn no_solution(report: &Report, limits: &Limits) -> String {
    match report.answer {
        Answer::Stopped(limit) => {
            let bound = report.lower_bound;
            let bound = bound.map_or(String::new(), |n| format!("; at least {n} moves are needed"));
            format!("not solved: {}{bound}", super::limit(limit, limits, &report.stats))
        }
        Answer::Solved(_) | Answer::Unsolvable => report.instance.solvability().to_string(),
    }
}
