//! What is known about a board in the end, as `npuzzle solve --json` has it.

use npuzzle_core::Notation;
use serde::Serialize;

use super::{SCHEMA, ms};
use crate::optima::{Count, Optima};
use crate::report::{Answer, Report, Round};

/// One answer. `docs/json.md` says what the fields mean.
#[derive(Serialize, Clone, Default, Debug)]
#[allow(missing_docs)]
pub struct SolveRecord {
    pub schema: u32,
    pub status: &'static str,
    pub rows: Option<usize>,
    pub cols: Option<usize>,
    pub start: Option<String>,
    pub goal: Option<String>,
    pub solvable: Option<bool>,
    pub algorithm: Option<String>,
    pub heuristic: Option<String>,
    pub metric: Option<String>,
    pub optimal: Option<bool>,
    pub moves: Option<usize>,
    pub moves_stm: Option<usize>,
    pub moves_mtm: Option<usize>,
    pub lower_bound: Option<u32>,
    pub upper_bound: Option<u32>,
    pub notation: Option<String>,
    pub solution: Option<String>,
    /// There with the notation `boards` alone, and then always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boards: Option<Vec<String>>,
    /// These two are there when they were asked for, and then always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal_solutions: Option<CountRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solutions: Option<Option<Vec<String>>>,
    pub h_start: Option<u32>,
    pub expanded: Option<u64>,
    pub generated: Option<u64>,
    pub reopened: Option<u64>,
    pub max_open: Option<u64>,
    pub iterations: Option<Vec<IterationRecord>>,
    pub peak_bytes: Option<u64>,
    pub ms: Option<f64>,
    pub limit_hit: Option<String>,
    pub reason: Option<String>,
    pub source: Option<String>,
    pub line: Option<usize>,
    pub version: &'static str,
}

/// One round of iterative deepening.
#[derive(Serialize, Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct IterationRecord {
    pub bound: u32,
    pub expanded: u64,
    pub generated: u64,
    pub ms: f64,
}

/// How many shortest solutions there are.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub enum CountRecord {
    /// So many.
    Exact(u64),
    /// The digits of a number that programs may not read exactly.
    Digits(String),
    /// They were not counted to the end.
    Unknown,
}

impl SolveRecord {
    /// Of a report, with the solution in this notation.
    pub fn new(report: &Report, notation: Notation) -> SolveRecord {
        let instance = &report.instance;
        let moves = report.moves();
        let solution = moves.and_then(|moves| moves.write(notation, instance.start()).ok());
        let boards = || solution.iter().flat_map(|text| text.lines()).map(str::to_owned).collect();
        let boards = (notation == Notation::Boards).then(boards);
        let algorithm = report.plan.as_ref().map(|plan| plan.algorithm.to_string());
        let heuristic = report.plan.as_ref().and_then(|plan| plan.engine.heuristic());
        let stopped = report.optima.as_ref().and_then(|optima| optima.stopped);
        let stopped = stopped.map(|limit| limit.to_string());
        let (status, limit_hit, reason) = match report.answer {
            Answer::Solved(_) => ("solved", stopped, report.plan.as_ref().map(ToString::to_string)),
            Answer::Unsolvable => ("unsolvable", None, Some(instance.solvability().to_string())),
            Answer::Stopped(limit) => {
                ("limit", Some(limit.to_string()), report.plan.as_ref().map(ToString::to_string))
            }
        };
        SolveRecord {
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
            iterations: Some(report.rounds.iter().map(IterationRecord::new).collect()),
            peak_bytes: Some(report.stats.peak_bytes),
            ms: Some(ms(report.time)),
            limit_hit,
            reason,
            ..SolveRecord::with_status(status)
        }
    }

    /// Of what is no board, or cannot be done.
    pub fn error(reason: String, notation: Notation) -> SolveRecord {
        SolveRecord {
            reason: Some(reason),
            boards: (notation == Notation::Boards).then(Vec::new),
            ..SolveRecord::with_status("error")
        }
    }

    fn with_status(status: &'static str) -> SolveRecord {
        let version = env!("CARGO_PKG_VERSION");
        SolveRecord { schema: SCHEMA, status, version, ..SolveRecord::default() }
    }

    /// With where the board was read.
    pub fn at(self, source: &str, line: Option<usize>) -> SolveRecord {
        SolveRecord { source: Some(source.to_owned()), line, ..self }
    }

    /// With all shortest solutions, which were asked for; of no report, without any.
    pub fn with_optima(self, report: Option<&Report>, notation: Notation) -> SolveRecord {
        let known = report.and_then(|report| Some((report, report.optima.as_ref()?)));
        let solutions = |(report, optima): (&Report, &Optima)| {
            let start = report.instance.start();
            optima.listed.iter().flat_map(|moves| moves.write(notation, start)).collect()
        };
        SolveRecord {
            optimal_solutions: Some(
                known.map_or(CountRecord::Unknown, |(_, optima)| count(optima)),
            ),
            solutions: Some(known.map(solutions)),
            ..self
        }
    }
}

impl IterationRecord {
    fn new(round: &Round) -> IterationRecord {
        let Round { bound, expanded, generated, time } = *round;
        IterationRecord { bound, expanded, generated, ms: ms(time) }
    }
}

fn count(optima: &Optima) -> CountRecord {
    const MAX_EXACT: u128 = 1 << 53;
    match optima.count {
        Count::Exactly(n @ ..=MAX_EXACT) => CountRecord::Exact(n as u64),
        Count::AtLeast(_) if optima.stopped.is_some() => CountRecord::Unknown,
        large => CountRecord::Digits(large.to_string()),
    }
}
