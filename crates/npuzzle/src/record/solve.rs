//! The record of `npuzzle solve --json`.

use npuzzle_core::Notation;
use serde::Serialize;

use super::{SCHEMA, ms};
use crate::all_optimal::{Count, OptimalSolutions};
use crate::limits::Round;
use crate::report::{Answer, Report};

/// The result of solving one board. `docs/json.md` describes the fields.
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
    /// [`SCHEMA`].
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
    /// Whether the goal can be reached.
    pub solvable: Option<bool>,
    /// The algorithm that was run, never `auto`.
    pub algorithm: Option<String>,
    /// The heuristic, if the algorithm has one.
    pub heuristic: Option<String>,
    /// The metric of `moves` and the bounds: `stm` or `mtm`.
    pub metric: Option<String>,
    /// Whether the solution is proved shortest.
    pub optimal: Option<bool>,
    /// The length in that metric.
    pub moves: Option<usize>,
    /// The length in slides.
    pub moves_stm: Option<usize>,
    /// The length in straight runs.
    pub moves_mtm: Option<usize>,
    /// A lower bound on the length of all solutions.
    pub lower_bound: Option<u32>,
    /// The length of the solution, or of the best one known when a limit was reached.
    pub upper_bound: Option<u32>,
    /// The notation of `solution`.
    pub notation: Option<String>,
    /// The moves. In the notation `boards`, one board per line.
    pub solution: Option<String>,
    /// The boards as a list. Present if and only if the notation is `boards`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boards: Option<Vec<String>>,
    /// The number of shortest solutions. Present if and only if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal_solutions: Option<CountRecord>,
    /// Some of the shortest solutions. Present if and only if they were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solutions: Option<Option<Vec<String>>>,
    /// The length of the incumbent that was proved shortest, if the solution is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incumbent: Option<u32>,
    /// The heuristic's estimate of the start.
    pub h_start: Option<u32>,
    /// The number of states whose children were generated.
    pub expanded: Option<u64>,
    /// The number of states generated from a parent.
    pub generated: Option<u64>,
    /// The number of states expanded again because a shorter path to them was found.
    pub reopened: Option<u64>,
    /// The maximum size of the open list.
    pub max_open: Option<u64>,
    /// The rounds of iterative deepening.
    pub iterations: Option<Vec<IterationRecord>>,
    /// The peak memory of the open list and the nodes, or of the table, in bytes.
    pub peak_bytes: Option<u64>,
    /// The time in milliseconds.
    pub ms: Option<f64>,
    /// The limit that was reached. For a solved board, the limit that stopped the count of its
    /// solutions.
    pub limit_hit: Option<String>,
    /// The plan, the reason why the board is unsolvable, or the error, as a sentence.
    pub reason: Option<String>,
    /// Where the board was read.
    pub source: Option<String>,
    /// The line on which the board, or the error, starts.
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
    /// The largest `f` that was not pruned.
    pub bound: u32,
    /// The number of states expanded in this round.
    pub expanded: u64,
    /// The number of states generated in this round.
    pub generated: u64,
    /// The time in milliseconds.
    pub ms: f64,
}

/// The number of shortest solutions.
///
/// ```
/// use npuzzle::{Notation, Options, record::{CountRecord, SolveRecord}};
/// let report = Options::default().with_all(0).solve(&"1 2 3/4 0 5/7 8 6".parse()?)?;
/// let record = SolveRecord::new(&report, Notation::Tile).with_optimal_solutions(Some(&report), Notation::Tile);
/// assert_eq!(record.optimal_solutions, Some(CountRecord::Exact(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub enum CountRecord {
    /// The exact number, at most 2^53.
    Exact(u64),
    /// The digits of a larger number, which many JSON readers would round.
    Digits(String),
    /// The count was not completed.
    Unknown,
}

impl SolveRecord {
    /// Returns the record of a report, with the solution in this notation.
    pub fn new(report: &Report, notation: Notation) -> SolveRecord {
        let instance = &report.instance;
        let moves = report.moves();
        let solution = moves.and_then(|moves| moves.write(notation, instance.start()).ok());
        let boards = || solution.iter().flat_map(|text| text.lines()).map(str::to_owned).collect();
        let boards = (notation == Notation::Boards).then(boards);
        let plan = report.plan.as_ref();
        let heuristic = plan.and_then(|plan| plan.engine.heuristic());
        let (status, limit_hit, reason) = match report.answer {
            Answer::Solved(_) => {
                let count = report.optimal_solutions.as_ref();
                ("solved", count.and_then(|count| count.stopped), plan.map(ToString::to_string))
            }
            Answer::Unsolvable => ("unsolvable", None, Some(instance.solvability().to_string())),
            Answer::Stopped(limit) => ("limit", Some(limit), plan.map(ToString::to_string)),
        };
        SolveRecord {
            rows: Some(instance.dims().rows()),
            cols: Some(instance.dims().cols()),
            start: Some(instance.start().slash().to_string()),
            goal: Some(instance.goal().slash().to_string()),
            solvable: Some(report.answer != Answer::Unsolvable),
            algorithm: plan.map(|plan| plan.algorithm.to_string()),
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
            incumbent: report.incumbent,
            h_start: report.h_start,
            expanded: Some(report.stats.expanded),
            generated: Some(report.stats.generated),
            reopened: Some(report.stats.reopened),
            max_open: Some(report.stats.max_open),
            iterations: Some(report.rounds.iter().map(IterationRecord::new).collect()),
            peak_bytes: Some(report.stats.peak_bytes),
            ms: Some(ms(report.time)),
            limit_hit: limit_hit.map(|limit| limit.to_string()),
            reason,
            ..SolveRecord::with_status(status)
        }
    }

    /// Returns the record of an input that is not a board or that the solver refuses.
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

    /// Adds the place where the board was read.
    pub fn with_source(self, source: &str, line: Option<usize>) -> SolveRecord {
        SolveRecord { source: Some(source.to_owned()), line, ..self }
    }

    /// Adds the shortest solutions of a report. Without a report, or if it has none, their number is
    /// [`CountRecord::Unknown`].
    pub fn with_optimal_solutions(
        self,
        report: Option<&Report>,
        notation: Notation,
    ) -> SolveRecord {
        let known = report.and_then(|report| Some((report, report.optimal_solutions.as_ref()?)));
        let solutions = |(report, optimal): (&Report, &OptimalSolutions)| {
            let start = report.instance.start();
            optimal.listed.iter().flat_map(|moves| moves.write(notation, start)).collect()
        };
        let count = known.map_or(CountRecord::Unknown, |(_, optimal)| CountRecord::new(optimal));
        SolveRecord {
            optimal_solutions: Some(count),
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

impl CountRecord {
    fn new(optimal: &OptimalSolutions) -> CountRecord {
        const MAX_EXACT: u128 = 1 << 53;
        match optimal.count {
            Count::Exactly(n @ ..=MAX_EXACT) => CountRecord::Exact(n as u64),
            Count::AtLeast(_) if optimal.stopped.is_some() => CountRecord::Unknown,
            large => CountRecord::Digits(large.to_string()),
        }
    }
}
