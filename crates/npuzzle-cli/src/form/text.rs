//! Answers for people: a few lines for one board, one line each for many.

use std::fmt::Write;

use npuzzle::{Answer, Limits, Moves, Notation, Report};

use super::{Item, Shown};

pub(super) fn write(item: &Item, shown: Shown) -> String {
    match item {
        // What is wrong has been said on stderr; a line here keeps the order of a batch.
        Item::Bad { number, .. } if shown.is_batch => format!("{number}: error\n"),
        Item::Bad { .. } => String::new(),
        Item::Report { report, .. } if shown.quiet => quiet(report, shown.notation),
        Item::Report { number, report, limits } if shown.is_batch => {
            format!("{number}: {}\n", line(report, limits, shown.notation))
        }
        Item::Report { report, limits, .. } => block(report, limits, shown.notation),
    }
}

/// The solution alone; an empty line where there is none.
fn quiet(report: &Report, notation: Notation) -> String {
    report.moves().map_or(String::new(), |moves| solution(report, moves, notation)) + "\n"
}

/// One line of a batch.
fn line(report: &Report, limits: &Limits, notation: Notation) -> String {
    match report.moves() {
        Some(moves) => {
            format!(
                "{}: {}",
                lengths(report, moves),
                solution(report, moves, notation).replace('\n', " | ")
            )
        }
        None => no_solution(report, limits),
    }
}

/// The lines for a single board.
fn block(report: &Report, limits: &Limits, notation: Notation) -> String {
    let Some(moves) = report.moves() else { return no_solution(report, limits) + "\n" };
    let mut text = lengths(report, moves) + "\n";
    let label = match notation {
        Notation::Tile => "tile slides: ",
        Notation::Blank => "blank goes: ",
        Notation::Numbers => "tiles: ",
        Notation::Boards => "boards:\n",
    };
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
