//! Text: a few lines for a single board, one line per board of a batch.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};

use npuzzle::search::{Count, OptimalSolutions};
use npuzzle::{Answer, Limits, Moves, Notation, Report};

use super::{BoardResult, ReportStyle, limit_message, limit_reached};
use crate::io::units::counted;

/// Writes piece by piece: all boards of a long solution may not fit into memory.
pub(super) fn write(
    result: &BoardResult,
    style: ReportStyle,
    out: &mut dyn Write,
) -> io::Result<()> {
    let notation = style.notation;
    match result {
        // The error is on stderr; the line keeps the order of a batch.
        BoardResult::Invalid { .. } if !style.is_batch => Ok(()),
        BoardResult::Invalid { .. } if style.quiet => writeln!(out, "error"),
        BoardResult::Invalid { source, .. } => writeln!(out, "{}: error", source.number),
        BoardResult::Report { report, .. } if style.quiet => write_quiet(report, notation, out),
        BoardResult::Report { source, report, limits, .. } if style.is_batch => {
            writeln!(out, "{}: {}", source.number, batch_line(report, limits, notation))
        }
        BoardResult::Report { report, limits, .. } => write_block(report, limits, notation, out),
    }
}

/// Writes only the solution, or a word if there is none.
fn write_quiet(report: &Report, notation: Notation, out: &mut dyn Write) -> io::Result<()> {
    match (&report.answer, &report.optimal_solutions, report.moves()) {
        (Answer::Solved(_), Some(all), _) if all.listed.is_empty() => {
            writeln!(out, "{}", all.count)
        }
        (Answer::Solved(_), Some(all), _) => write_listed(report, all, notation, out),
        (_, _, Some(moves)) => writeln!(out, "{}", solution(report, moves, notation)),
        (Answer::Stopped(_), _, None) => writeln!(out, "limit"),
        (_, _, None) => writeln!(out, "unsolvable"),
    }
}

fn batch_line(report: &Report, limits: &Limits, notation: Notation) -> String {
    let Some(moves) = report.moves() else { return unsolved(report, limits) };
    let solution = |moves| solution(report, moves, notation).to_string().replace('\n', " | ");
    let count = report.optimal_solutions.as_ref().map(|all| format!(", {}", count_message(all)));
    let solutions = match &report.optimal_solutions {
        Some(all) if !all.listed.is_empty() => {
            all.listed.iter().map(solution).collect::<Vec<_>>().join("; ")
        }
        _ => solution(moves),
    };
    let (lengths, label) = (lengths(report, moves, limits), label(notation));
    format!("{lengths}{}, {label}: {solutions}", count.unwrap_or_default())
}

/// Writes the lines for a single board.
fn write_block(
    report: &Report,
    limits: &Limits,
    notation: Notation,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(moves) = report.moves() else {
        return writeln!(out, "{}", unsolved(report, limits));
    };
    writeln!(out, "{}", lengths(report, moves, limits))?;
    if moves.is_empty() {
        writeln!(out, "already solved")?;
        return write_all_optimal(report, notation, out);
    }
    let separator = if notation == Notation::Boards { '\n' } else { ' ' };
    writeln!(out, "{}:{separator}{}", label(notation), solution(report, moves, notation))?;
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
    write_all_optimal(report, notation, out)
}

/// Writes the lines about all shortest solutions, if they were requested.
fn write_all_optimal(report: &Report, notation: Notation, out: &mut dyn Write) -> io::Result<()> {
    match &report.optimal_solutions {
        None => Ok(()),
        // The only known solution has been printed.
        Some(all) if all.listed.len() < 2 => writeln!(out, "{}", count_message(all)),
        Some(all) => {
            writeln!(out, "{}:", count_message(all))?;
            write_listed(report, all, notation, out)
        }
    }
}

/// `7 optimal solutions, 3 of them`
fn count_message(all: &OptimalSolutions) -> String {
    let count = all.count;
    let is_one = matches!(count, Count::Exactly(1) | Count::AtLeast(1));
    let mut text = format!("{count} optimal {}", if is_one { "solution" } else { "solutions" });
    if let Some(limit) = all.stopped {
        let reason = limit_reached(limit);
        let open = match count {
            Count::Exactly(_) => "more were listed",
            Count::AtLeast(_) => "all were counted",
        };
        // Writing to a string cannot fail.
        let _ = write!(text, " ({reason} before {open})");
    }
    if !is_one && !all.is_complete() && !all.listed.is_empty() {
        let _ = write!(text, ", {} of them", all.listed.len());
    }
    text
}

/// Writes the listed solutions, one per line; as boards, separated by an empty line.
fn write_listed(
    report: &Report,
    all: &OptimalSolutions,
    notation: Notation,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (index, moves) in all.listed.iter().enumerate() {
        if index > 0 && notation == Notation::Boards {
            writeln!(out)?;
        }
        writeln!(out, "{}", solution(report, moves, notation))?;
    }
    Ok(())
}

fn label(notation: Notation) -> &'static str {
    match notation {
        Notation::Tile => "tile slides",
        Notation::Blank => "blank moves",
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
        proof = format!("{proof}; {}", limit_message(limit, limits, &report.stats));
    }
    format!("{} STM / {} MTM ({proof})", moves.stm(), moves.mtm())
}

/// A solution, converted while it is displayed. Every solution of a report has been replayed, so every
/// notation works.
fn solution<'a>(report: &Report, moves: &'a Moves, notation: Notation) -> impl Display + use<'a> {
    match moves.display(notation, report.instance.start()) {
        Ok(written) => written,
        Err(illegal) => unreachable!("the solution was replayed: {illegal}"),
    }
}

fn unsolved(report: &Report, limits: &Limits) -> String {
    match report.answer {
        Answer::Stopped(limit) => {
            let bound = report.lower_bound.map_or(String::new(), |bound| {
                format!("; at least {} needed", counted(u64::from(bound), "move"))
            });
            format!("not solved: {}{bound}", limit_message(limit, limits, &report.stats))
        }
        Answer::Solved(_) | Answer::Unsolvable => report.instance.solvability().to_string(),
    }
}
