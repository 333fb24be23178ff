//! Answers for people: a few lines for one board, one line each for many.

use std::fmt::Write;

use npuzzle::{Answer, Count, Limit, Limits, Moves, Notation, Optima, Report};

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
        Answer::Solved(moves) => match &report.optima {
            Some(optima) if optima.listed.is_empty() => format!("{}\n", optima.count),
            Some(optima) => list(report, optima, notation),
            None => solution(report, moves, notation) + "\n",
        },
        Answer::Unsolvable => "unsolvable\n".to_owned(),
        Answer::Stopped(_) => match &report.best {
            Some(moves) => solution(report, moves, notation) + "\n",
            None => "limit\n".to_owned(),
        },
    }
}

/// One line of a batch.
fn line(report: &Report, limits: &Limits, notation: Notation) -> String {
    match report.moves() {
        Some(moves) => {
            let (lengths, label) = (lengths(report, moves, limits), label(notation));
            let solution = |moves| solution(report, moves, notation).replace('\n', " | ");
            match &report.optima {
                Some(optima) if optima.listed.is_empty() => {
                    format!("{lengths}, {}, {label}: {}", counted(optima), solution(moves))
                }
                Some(optima) => {
                    let solutions: Vec<String> = optima.listed.iter().map(solution).collect();
                    format!("{lengths}, {}, {label}: {}", counted(optima), solutions.join("; "))
                }
                None => format!("{lengths}, {label}: {}", solution(moves)),
            }
        }
        None => no_solution(report, limits),
    }
}

/// The lines for a single board.
fn block(report: &Report, limits: &Limits, notation: Notation) -> String {
    let Some(moves) = report.moves() else { return no_solution(report, limits) + "\n" };
    let mut text = lengths(report, moves, limits) + "\n";
    if moves.is_empty() {
        return text + "already solved\n" + &all(report, notation);
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
    text + &all(report, notation)
}

/// The lines about all shortest solutions, if they were asked for.
fn all(report: &Report, notation: Notation) -> String {
    match &report.optima {
        None => String::new(),
        // The only one that is known has been printed.
        Some(optima) if optima.listed.len() < 2 => counted(optima) + "\n",
        Some(optima) => format!("{}:\n{}", counted(optima), list(report, optima, notation)),
    }
}

/// `7 optimal solutions, 3 of them`
fn counted(optima: &Optima) -> String {
    let count = optima.count;
    let is_one = matches!(count, Count::Exactly(1) | Count::AtLeast(1));
    let mut text = format!("{count} optimal {}", if is_one { "solution" } else { "solutions" });
    if let Some(limit) = optima.stopped {
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
    if !is_one && !optima.is_complete() && !optima.listed.is_empty() {
        let _ = write!(text, ", {} of them", optima.listed.len());
    }
    text
}

/// The solutions that are listed, a line each; in boards, with an empty line between them.
fn list(report: &Report, optima: &Optima, notation: Notation) -> String {
    let solutions = optima.listed.iter().map(|moves| solution(report, moves, notation) + "\n");
    let between = if notation == Notation::Boards { "\n" } else { "" };
    solutions.collect::<Vec<String>>().join(between)
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
