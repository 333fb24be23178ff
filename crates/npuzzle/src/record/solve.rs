//! What is known about a board in the end, as `npuzzle solve --json` has it.

use npuzzle_core::Notation;
use serde::Serialize;

use super::{SCHEMA, ms};
use crate::all_optimal::{Count, OptimalSolutions};
use crate::limits::Round;
use crate::report::{Answer, Report};

/// One answer. `docs/json.md` says what the fields mean.
///
/// ```
/// use npuzzle::{Notation, Options, record::SolveRecord};
/// let report = Options::default().solve(&"1 2 3/4 0 5/7 8 6".parse()?)?;
/// let json = serde_json::to_string(&SolveRecord::new(&report, Notation::Blank))?;
/// assert!(json.contains(r#""solution":"R D""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Default, Debug)]
#[non_exhaustive]
pub struct SolveRecord {
    /// The number of this set of names.
    pub schema: u32,
    /// `solved`, `unsolvable`, `limit` or `error`.
    pub status: &'static str,
    /// The number of rows.
    pub rows: Option<usize>,
    /// The number of columns.
    pub cols: Option<usize>,
    /// The board in slash form.
    pub start: Option<String>,
    /// The goal in slash form.
    pub goal: Option<String>,
    /// Whether the goal can be reached at all.
    pub solvable: Option<bool>,
    /// What searched, never `auto`.
    pub algorithm: Option<String>,
    /// What guided it.
    pub heuristic: Option<String>,
    /// What `moves` and the bounds count: `stm` or `mtm`.
    pub metric: Option<String>,
    /// Whether the solution is proved shortest.
    pub optimal: Option<bool>,
    /// The length in this metric.
    pub moves: Option<usize>,
    /// The length in slides.
    pub moves_stm: Option<usize>,
    /// The length in straight runs.
    pub moves_mtm: Option<usize>,
    /// No solution is shorter.
    pub lower_bound: Option<u32>,
    /// The length of the solution, or of the best one known when a limit was reached.
    pub upper_bound: Option<u32>,
    /// How `solution` is written.
    pub notation: Option<String>,
    /// The moves; as boards, one per line.
    pub solution: Option<String>,
    /// The same as a list: there with the notation `boards` alone, and then always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boards: Option<Vec<String>>,
    /// How many shortest solutions there are: there when that was asked for, and then always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal_solutions: Option<CountRecord>,
    /// Some of them: there when they were asked for, and then always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solutions: Option<Option<Vec<String>>>,
    /// The heuristic's estimate of the start.
    pub h_start: Option<u32>,
    /// States whose children were produced.
    pub expanded: Option<u64>,
    /// States produced from a parent.
    pub generated: Option<u64>,
    /// States expanded again because a shorter path to them was found.
    pub reopened: Option<u64>,
    /// The largest size of the open list.
    pub max_open: Option<u64>,
    /// The rounds of iterative deepening.
    pub iterations: Option<Vec<IterationRecord>>,
    /// Most bytes held in the open list and the nodes, or in the table.
    pub peak_bytes: Option<u64>,
    /// Milliseconds.
    pub ms: Option<f64>,
    /// The limit that was reached; of a solved board, what kept its solutions from being counted.
    pub limit_hit: Option<String>,
    /// The plan, why a board is unsolvable, or what the error is, in words.
    pub reason: Option<String>,
    /// Where the board was read.
    pub source: Option<String>,
    /// The line where it, or the error, begins.
    pub line: Option<usize>,
    /// The version of this crate.
    pub version: &'static str,
}

/// One round of iterative deepening.
///
/// ```
/// use npuzzle::{Notation, Options, record::SolveRecord};
/// let report = Options::default().solve(&"7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?)?;
/// let rounds = SolveRecord::new(&report, Notation::Tile).iterations.unwrap_or_default();
/// assert_eq!(rounds.last().map(|round| round.bound), Some(43));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Copy, Debug)]
#[non_exhaustive]
pub struct IterationRecord {
    /// The largest `f` that was looked at.
    pub bound: u32,
    /// States expanded in this round.
    pub expanded: u64,
    /// States generated in this round.
    pub generated: u64,
    /// Milliseconds.
    pub ms: f64,
}

/// How many shortest solutions there are.
///
/// ```
/// use npuzzle::{Notation, Options, record::{CountRecord, SolveRecord}};
/// let report = Options::default().with_all(0).solve(&"1 2 3/4 0 5/7 8 6".parse()?)?;
/// let record = SolveRecord::new(&report, Notation::Tile).with_optima(Some(&report), Notation::Tile);
/// assert_eq!(record.optimal_solutions, Some(CountRecord::Exact(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
        let stopped = report
            .optimal_solutions
            .as_ref()
            .and_then(|optimal_solutions| optimal_solutions.stopped);
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
        let known = report.and_then(|report| Some((report, report.optimal_solutions.as_ref()?)));
        let solutions = |(report, optimal_solutions): (&Report, &OptimalSolutions)| {
            let start = report.instance.start();
            optimal_solutions.listed.iter().flat_map(|moves| moves.write(notation, start)).collect()
        };
        SolveRecord {
            optimal_solutions: Some(
                known.map_or(CountRecord::Unknown, |(_, optimal_solutions)| {
                    count(optimal_solutions)
                }),
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

fn count(optimal_solutions: &OptimalSolutions) -> CountRecord {
    const MAX_EXACT: u128 = 1 << 53;
    match optimal_solutions.count {
        Count::Exactly(n @ ..=MAX_EXACT) => CountRecord::Exact(n as u64),
        Count::AtLeast(_) if optimal_solutions.stopped.is_some() => CountRecord::Unknown,
        large => CountRecord::Digits(large.to_string()),
    }
}
