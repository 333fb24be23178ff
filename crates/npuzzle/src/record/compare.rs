//! The record of `npuzzle compare --json`.

use npuzzle_core::Instance;
use serde::Serialize;

use super::{SCHEMA, ms};
use crate::options::HeuristicChoice;
use crate::teaching::compare::{AlgorithmConfig, RunEnd, RunResult};

/// The result of one algorithm on one board.
///
/// ```
/// use npuzzle::teaching::AlgorithmConfig;
/// use npuzzle::{Algorithm, HeuristicChoice, Options, Tables, record::CompareRecord};
/// let config = AlgorithmConfig { algorithm: Algorithm::Bfs, heuristic: HeuristicChoice::Auto };
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let result = config.run(&puzzle, &Options::default(), &mut Tables::new(), &mut ());
/// let record = CompareRecord::new("here", &puzzle, config, &result);
/// assert_eq!((record.status, record.moves), ("solved", Some(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct CompareRecord {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Where the board was read.
    pub source: String,
    /// The board in slash form.
    pub start: Option<String>,
    /// The goal in slash form.
    pub goal: Option<String>,
    /// The name of the algorithm.
    pub algorithm: String,
    /// The name of the heuristic, if the algorithm has one.
    pub heuristic: Option<String>,
    /// `solved`, `unsolvable`, `limit` or `error`.
    pub status: &'static str,
    /// Whether the solution is proved shortest.
    pub optimal: Option<bool>,
    /// The length of the solution.
    pub moves: Option<u32>,
    /// The heuristic's estimate of the start.
    pub h_start: Option<u32>,
    /// The number of states whose children were generated.
    pub expanded: Option<u64>,
    /// The number of states generated from a parent.
    pub generated: Option<u64>,
    /// The number of states that entered the queue, including the start.
    pub enqueued: Option<u64>,
    /// The number of states that left the queue.
    pub dequeued: Option<u64>,
    /// The maximum size of the open list.
    pub max_open: Option<u64>,
    /// The maximum number of states in memory.
    pub max_states: Option<u64>,
    /// The peak memory in bytes.
    pub peak_bytes: Option<u64>,
    /// The effective branching factor: see [`branching_factor`](crate::teaching::branching_factor).
    pub branching_factor: Option<f64>,
    /// The time in milliseconds.
    pub ms: Option<f64>,
    /// The limit that stopped the run, if any.
    pub limit_hit: Option<String>,
    /// Why the run was refused.
    pub reason: Option<String>,
}

impl CompareRecord {
    /// Returns the record of a run. `source` names the origin of the board; `instance` is `None` if
    /// the input was not a board.
    pub fn new<'a>(
        source: &str,
        instance: impl Into<Option<&'a Instance>>,
        config: AlgorithmConfig,
        result: &RunResult,
    ) -> CompareRecord {
        let (status, limit, reason) = match &result.end {
            RunEnd::Solved { .. } => ("solved", None, None),
            RunEnd::Unsolvable => ("unsolvable", None, None),
            RunEnd::Stopped(limit) => ("limit", Some(limit.to_string()), None),
            RunEnd::Refused(reason) => ("error", None, Some(reason.clone())),
        };
        let searched = |n: u64| (status != "error").then_some(n);
        // A search without an open list enqueues nothing.
        let queued = |n: u64| searched(n).filter(|_| result.stats.enqueued > 0);
        let stats = &result.stats;
        let instance = instance.into();
        CompareRecord {
            schema: SCHEMA,
            source: source.to_owned(),
            start: instance.map(|instance| instance.start().slash().to_string()),
            goal: instance.map(|instance| instance.goal().slash().to_string()),
            algorithm: config.algorithm.to_string(),
            heuristic: (config.heuristic != HeuristicChoice::Auto)
                .then(|| config.heuristic.to_string()),
            status,
            optimal: match result.end {
                RunEnd::Solved { is_optimal } => Some(is_optimal),
                _ => None,
            },
            moves: result.n_moves,
            h_start: result.h_start,
            expanded: searched(stats.expanded),
            generated: searched(stats.generated),
            enqueued: queued(stats.enqueued),
            dequeued: queued(stats.dequeued),
            max_open: queued(stats.max_open),
            max_states: queued(stats.max_states).filter(|&n| n > 0),
            peak_bytes: searched(stats.peak_bytes),
            branching_factor: result.branching_factor.map(|b| (b * 1e6).round() / 1e6),
            ms: (status != "error").then(|| ms(result.time)),
            limit_hit: limit,
            reason,
        }
    }
}
