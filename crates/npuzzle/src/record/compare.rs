//! What one algorithm came to on one board, as `npuzzle compare --json` has it.

use npuzzle_core::Instance;
use serde::Serialize;

use super::{SCHEMA, ms};
use crate::options::HeuristicChoice;
use crate::teaching::compare::{AlgorithmConfig, Ending, Trial};

/// A row of a comparison.
///
/// ```
/// use npuzzle::teaching::AlgorithmConfig;
/// use npuzzle::{Algorithm, HeuristicChoice, Options, Tables, record::CompareRecord};
/// let contender = AlgorithmConfig { algorithm: Algorithm::Bfs, heuristic: HeuristicChoice::Auto };
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let trial = contender.run(&puzzle, &Options::default(), &mut Tables::new(), &mut ());
/// let record = CompareRecord::new("here", &puzzle, contender, &trial);
/// assert_eq!((record.status, record.moves), ("solved", Some(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct CompareRecord {
    /// The number of this set of names.
    pub schema: u32,
    /// Where the board is from.
    pub source: String,
    /// The board in slash form.
    pub start: Option<String>,
    /// The goal in slash form.
    pub goal: Option<String>,
    /// The algorithm's name.
    pub algorithm: String,
    /// The heuristic's name, if the algorithm has one.
    pub heuristic: Option<String>,
    /// `solved`, `unsolvable`, `limit` or `error`.
    pub status: &'static str,
    /// Whether the solution is proved shortest.
    pub optimal: Option<bool>,
    /// Its length.
    pub moves: Option<u32>,
    /// The estimate of the start.
    pub h_start: Option<u32>,
    /// States whose children were produced.
    pub expanded: Option<u64>,
    /// States produced from a parent.
    pub generated: Option<u64>,
    /// States that entered the queue, the start among them.
    pub enqueued: Option<u64>,
    /// States that left the queue.
    pub dequeued: Option<u64>,
    /// The largest size of the open list.
    pub max_open: Option<u64>,
    /// Most states held at a time.
    pub max_states: Option<u64>,
    /// Most bytes held.
    pub peak_bytes: Option<u64>,
    /// Of a tree of this depth with so many states.
    pub branching_factor: Option<f64>,
    /// Milliseconds.
    pub ms: Option<f64>,
    /// The limit that was reached.
    pub limit_hit: Option<String>,
    /// Why it could not be done.
    pub reason: Option<String>,
}

impl CompareRecord {
    /// Of a contender on a board, if what was given is one; `source` says for people which one.
    pub fn new<'a>(
        source: &str,
        instance: impl Into<Option<&'a Instance>>,
        contender: AlgorithmConfig,
        trial: &Trial,
    ) -> CompareRecord {
        let (status, limit, reason) = match &trial.ending {
            Ending::Solved { .. } => ("solved", None, None),
            Ending::Unsolvable => ("unsolvable", None, None),
            Ending::Stopped(limit) => ("limit", Some(limit.to_string()), None),
            Ending::Refused(reason) => ("error", None, Some(reason.clone())),
        };
        let ran = |n: u64| (status != "error").then_some(n);
        // Searches without an open list enqueue nothing.
        let queued = |n: u64| ran(n).filter(|_| trial.stats.enqueued > 0);
        let stats = &trial.stats;
        let instance = instance.into();
        CompareRecord {
            schema: SCHEMA,
            source: source.to_owned(),
            start: instance.map(|instance| instance.start().slash().to_string()),
            goal: instance.map(|instance| instance.goal().slash().to_string()),
            algorithm: contender.algorithm.to_string(),
            heuristic: (contender.heuristic != HeuristicChoice::Auto)
                .then(|| contender.heuristic.to_string()),
            status,
            optimal: match trial.ending {
                Ending::Solved { is_optimal } => Some(is_optimal),
                _ => None,
            },
            moves: trial.n_moves,
            h_start: trial.h_start,
            expanded: ran(stats.expanded),
            generated: ran(stats.generated),
            enqueued: queued(stats.enqueued),
            dequeued: queued(stats.dequeued),
            max_open: queued(stats.max_open),
            max_states: queued(stats.max_states).filter(|&n| n > 0),
            peak_bytes: ran(stats.peak_bytes),
            branching_factor: trial.branching_factor.map(|b| (b * 1e6).round() / 1e6),
            ms: (status != "error").then(|| ms(trial.time)),
            limit_hit: limit,
            reason,
        }
    }
}
