//! Answers for people: a few lines for one board, one line each for many.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};

use npuzzle::search::{Count, OptimalSolutions};
use npuzzle::{Answer, Limit, Limits, Moves, Notation, Report};

use super::{Item, Shown};

/// Bit by bit: all boards of a long solution of a large board would not fit into memory.
pub(super) fn write(item: &Item, shown: Shown, out: &mut dyn Write) -> io::Result<()> {
    let notation = shown.notation;
    match item {
        // What is wrong has been said on stderr; a line here keeps the order of a batch.
        Item::Bad { .. } if !shown.is_batch => Ok(()),
        Item::Bad { .. } if shown.quiet => writeln!(out, "error"),
        Item::Bad { place, .. } => writeln!(out, "{}: error", place.number),
        Item::Report { report, .. } if shown.quiet => quiet(report, notation, out),
        Item::Report { place, report, limits, .. } if shown.is_batch => {
            writeln!(out, "{}: {}", place.number, line(report, limits, notation))
        }
        Item::Report { report, limits, .. } => block(report, limits, notation, out),
    }
}

/// The solution alone, or a word where there is none.
fn quiet(report: &Report, notation: Notation, out: &mut dyn Write) -> io::Result<()> {
    match (&report.answer, &report.optimal_solutions, report.moves()) {
        (Answer::Solved(_), Some(optimal_solutions), _) if optimal_solutions.listed.is_empty() => {
            writeln!(out, "{}", optimal_solutions.count)
        }
        (Answer::Solved(_), Some(optimal_solutions), _) => {
            list(report, optimal_solutions, notation, out)
        }
        (_, _, Some(moves)) => writeln!(out, "{}", solution(report, moves, notation)),
        (Answer::Stopped(_), _, None) => writeln!(out, "limit"),
        (_, _, None) => writeln!(out, "unsolvable"),
    }
}

/// One line of a batch.
fn line(report: &Report, limits: &Limits, notation: Notation) -> String {
    match report.moves() {
        Some(moves) => {
            let (lengths, label) = (lengths(report, moves, limits), label(notation));
            let solution =
                |moves| solution(report, moves, notation).to_string().replace('\n', " | ");
            match &report.optimal_solutions {
                Some(optimal_solutions) if optimal_solutions.listed.is_empty() => {
                    format!(
                        "{lengths}, {}, {label}: {}",
                        counted(optimal_solutions),
                        solution(moves)
                    )
                }
                Some(optimal_solutions) => {
                    let solutions: Vec<String> =
                        optimal_solutions.listed.iter().map(solution).collect();
                    format!(
                        "{lengths}, {}, {label}: {}",
                        counted(optimal_solutions),
                        solutions.join("; ")
                    )
                }
                None => format!("{lengths}, {label}: {}", solution(moves)),
            }
        }
        None => no_solution(report, limits),
    }
}

/// The lines for a single board.
fn block(
    report: &Report,
    limits: &Limits,
    notation: Notation,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(moves) = report.moves() else {
        return writeln!(out, "{}", no_solution(report, limits));
    };
    writeln!(out, "{}", lengths(report, moves, limits))?;
    if moves.is_empty() {
        writeln!(out, "already solved")?;
        return all(report, notation, out);
    }
    let after = if notation == Notation::Boards { '\n' } else { ' ' };
    writeln!(out, "{}:{after}{}", label(notation), solution(report, moves, notation))?;
    if let Some(plan) = &report.plan {
        let heuristic = plan.engine.heuristic().map_or(String::new(), |h| format!(" with {h}"));
        let (expanded, generated) = (report.stats.expanded, report.stats.generated);
        let ms = report.time.as_secs_f64() * 1e3;
        writeln!(
            out,
            "search: {}{heuristic}, {expanded} expanded, {generated} generated, {ms:.1} ms",
            plan.algorithm
        )?;
    }
    all(report, notation, out)
}

/// The lines about all shortest solutions, if they were asked for.
fn all(report: &Report, notation: Notation, out: &mut dyn Write) -> io::Result<()> {
    match &report.optimal_solutions {
        None => Ok(()),
        // The only one that is known has been printed.
        Some(optimal_solutions) if optimal_solutions.listed.len() < 2 => {
            writeln!(out, "{}", counted(optimal_solutions))
        }
        Some(optimal_solutions) => {
            writeln!(out, "{}:", counted(optimal_solutions))?;
            list(report, optimal_solutions, notation, out)
        }
    }
}

/// `7 optimal solutions, 3 of them`
fn counted(optimal_solutions: &OptimalSolutions) -> String {
    let count = optimal_solutions.count;
    let is_one = matches!(count, Count::Exactly(1) | Count::AtLeast(1));
    let mut text = format!("{count} optimal {}", if is_one { "solution" } else { "solutions" });
    if let Some(limit) = optimal_solutions.stopped {
        let why = match limit {
            Limit::Interrupted => "interrupted".to_owned(),
            limit => format!("limit of {limit} reached"),
        };
        let what = match count {
            Count::Exactly(_) => "more were listed",
            Count::AtLeast(_) => "they were counted",
        };
        // Writing to a string cannot fail.
        let _ = write!(text, " ({why} before {what})");
    }
    if !is_one && !optimal_solutions.is_complete() && !optimal_solutions.listed.is_empty() {
        let _ = write!(text, ", {} of them", optimal_solutions.listed.len());
    }
    text
}

/// The solutions that are listed, a line each; in boards, with an empty line between them.
fn list(
    report: &Report,
    optimal_solutions: &OptimalSolutions,
    notation: Notation,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (at, moves) in optimal_solutions.listed.iter().enumerate() {
        if at > 0 && notation == Notation::Boards {
            writeln!(out)?;
        }
        writeln!(out, "{}", solution(report, moves, notation))?;
    }
    Ok(())
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
fn lengths(report: &Report, moves: &Moves, limits: &Limits) -> String {
    let mut proof = match (report.is_optimal(), report.lower_bound) {
        (true, _) => "optimal".to_owned(),
        (false, Some(bound)) => format!("a shortest solution has at least {bound}"),
        (false, None) => "not proved optimal".to_owned(),
    };
    if let Answer::Stopped(limit) = report.answer {
        proof = format!("{proof}; {}", super::limit(limit, limits, &report.stats));
    }
    format!("{} STM / {} MTM ({proof})", moves.stm(), moves.mtm())
}

/// A solution, written when it is displayed. Every one has been replayed, so it can be written in every
/// notation.
fn solution<'a>(report: &Report, moves: &'a Moves, notation: Notation) -> impl Display + use<'a> {
    match moves.display(notation, report.instance.start()) {
        Ok(written) => written,
        Err(illegal) => unreachable!("a solution that was replayed: {illegal}"),
    }
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
