//! The fields of an answer for programs. Their names are stable.

use npuzzle::{Answer, Count, Notation, Optima, Report};
use serde::Serialize;
use serde_json::Value;

use super::{Item, Shown};

/// The number of this set of names; it changes when one of them changes its meaning.
const SCHEMA: u32 = 1;

/// One answer. What is not known is null.
#[derive(Serialize, Default, Debug)]
pub(super) struct Record {
    schema: u32,
    status: &'static str,
    rows: Option<usize>,
    cols: Option<usize>,
    start: Option<String>,
    goal: Option<String>,
    solvable: Option<bool>,
    algorithm: Option<String>,
    heuristic: Option<String>,
    metric: Option<String>,
    optimal: Option<bool>,
    moves: Option<usize>,
    moves_stm: Option<usize>,
    moves_mtm: Option<usize>,
    lower_bound: Option<u32>,
    upper_bound: Option<u32>,
    notation: Option<String>,
    solution: Option<String>,
    /// There with the notation `boards` alone, and then always.
    #[serde(skip_serializing_if = "Option::is_none")]
    boards: Option<Vec<String>>,
    /// These two are there when they were asked for, and then always.
    #[serde(skip_serializing_if = "Option::is_none")]
    optimal_solutions: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<Value>,
    h_start: Option<u32>,
    expanded: Option<u64>,
    generated: Option<u64>,
    reopened: Option<u64>,
    max_open: Option<u64>,
    iterations: Option<Vec<Iteration>>,
    peak_bytes: Option<u64>,
    ms: Option<f64>,
    limit_hit: Option<String>,
    reason: Option<String>,
    source: Option<String>,
    line: Option<usize>,
    version: &'static str,
}

/// One round of iterative deepening.
#[derive(Serialize, Debug)]
struct Iteration {
    bound: u32,
    expanded: u64,
    generated: u64,
    ms: f64,
}

impl Record {
    pub(super) fn new(item: &Item, shown: Shown) -> Record {
        let record = Record::without_optima(item, shown);
        if !shown.counts_all {
            return record;
        }
        let report = match item {
            Item::Report { report, .. } => report.optima.as_ref().map(|optima| (&**report, optima)),
            Item::Bad { .. } => None,
        };
        let solutions = |(report, optima): (&Report, &Optima)| {
            let start = report.instance.start();
            let solutions = optima.listed.iter().map(|moves| moves.write(shown.notation, start));
            Value::from(solutions.flatten().collect::<Vec<String>>())
        };
        Record {
            optimal_solutions: Some(report.map_or(Value::Null, |(_, optima)| count(optima))),
            solutions: Some(report.map_or(Value::Null, solutions)),
            ..record
        }
    }

    fn without_optima(item: &Item, shown: Shown) -> Record {
        match item {
            Item::Bad { place, line, reason } => Record {
                schema: SCHEMA,
                status: "error",
                reason: Some(reason.clone()),
                source: Some(place.source.clone()),
                line: *line,
                boards: (shown.notation == Notation::Boards).then(Vec::new),
                version: env!("CARGO_PKG_VERSION"),
                ..Record::default()
            },
            Item::Report { place, line, report, .. } => Record {
                source: Some(place.source.clone()),
                line: Some(*line),
                ..Record::of(report, shown.notation)
            },
        }
    }

    fn of(report: &Report, notation: Notation) -> Record {
        let instance = &report.instance;
        let moves = report.moves();
        let solution = moves.and_then(|moves| moves.write(notation, instance.start()).ok());
        let boards = || solution.iter().flat_map(|text| text.lines()).map(str::to_owned).collect();
        let boards = (notation == Notation::Boards).then(boards);
        let algorithm = report.plan.as_ref().map(|plan| plan.algorithm.to_string());
        let heuristic = report.plan.as_ref().and_then(|plan| plan.engine.heuristic());
        let ms = |time: std::time::Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        let iterations = report.rounds.iter().map(|round| Iteration {
            bound: round.bound,
            expanded: round.expanded,
            generated: round.generated,
            ms: ms(round.time),
        });
        let stopped = report.optima.as_ref().and_then(|optima| optima.stopped);
        let stopped = stopped.map(|limit| limit.to_string());
        let (status, limit_hit, reason) = match report.answer {
            Answer::Solved(_) => ("solved", stopped, report.plan.as_ref().map(ToString::to_string)),
            Answer::Unsolvable => ("unsolvable", None, Some(instance.solvability().to_string())),
            Answer::Stopped(limit) => {
                ("limit", Some(limit.to_string()), report.plan.as_ref().map(ToString::to_string))
            }
        };
        Record {
            schema: SCHEMA,
            status,
            rows: Some(instance.dims().rows()),
            cols: Some(instance.dims().cols()),
            start: Some(instance.start().slash().to_string()),
            goal: Some(instance.goal().slash().to_string()),
            solvable: Some(report.answer != Answer::Unsolvable),
            algorithm,
            heuristic: heuristic.map(|heuristic| heuristic.to_string()),
            metric: Some(report.metric.to_string()),
            optimal: moves.map(|_| report.is_optimal()),
            moves: moves.map(|moves| moves.len(report.metric)),
            moves_stm: moves.map(|moves| moves.stm()),
            moves_mtm: moves.map(|moves| moves.mtm()),
            lower_bound: report.lower_bound,
            upper_bound: report.upper_bound(),
            notation: Some(notation.to_string()),
            boards,
            solution,
            h_start: report.h_start,
            expanded: Some(report.stats.expanded),
            generated: Some(report.stats.generated),
            reopened: Some(report.stats.reopened),
            max_open: Some(report.stats.max_open),
            iterations: Some(iterations.collect()),
            peak_bytes: Some(report.stats.peak_bytes),
            ms: Some(ms(report.time)),
            limit_hit,
            reason,
            version: env!("CARGO_PKG_VERSION"),
            ..Record::default()
        }
    }
}

/// A number, or the digits of one that programs may not read exactly.
fn count(optima: &Optima) -> Value {
    const MAX_EXACT: u128 = 1 << 53;
    match optima.count {
        Count::Exactly(n @ ..=MAX_EXACT) => (n as u64).into(),
        Count::AtLeast(_) if optima.stopped.is_some() => Value::Null,
        large => large.to_string().into(),
    }
}
