//! What one algorithm came to on one board, as `npuzzle compare --json` has it.

use npuzzle_core::Instance;
use serde::Serialize;

use super::{SCHEMA, ms};
use crate::compare::{Contender, Ending, Trial};
use crate::options::HeuristicChoice;

/// A row of a comparison.
#[derive(Serialize, Clone, Debug)]
#[allow(missing_docs)]
pub struct CompareRecord {
    pub schema: u32,
    pub source: String,
    pub start: Option<String>,
    pub goal: Option<String>,
    pub algorithm: String,
    pub heuristic: Option<String>,
    pub status: &'static str,
    pub optimal: Option<bool>,
    pub moves: Option<u32>,
    pub h_start: Option<u32>,
    pub expanded: Option<u64>,
    pub generated: Option<u64>,
    pub enqueued: Option<u64>,
    pub dequeued: Option<u64>,
    pub max_open: Option<u64>,
    pub max_states: Option<u64>,
    pub peak_bytes: Option<u64>,
    pub branching_factor: Option<f64>,
    pub ms: Option<f64>,
    pub limit_hit: Option<String>,
    pub reason: Option<String>,
}

impl CompareRecord {
    /// Of a contender on a board, if what was given is one; `source` says for people which one.
    pub fn new<'a>(
        source: &str,
        instance: impl Into<Option<&'a Instance>>,
        contender: Contender,
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
