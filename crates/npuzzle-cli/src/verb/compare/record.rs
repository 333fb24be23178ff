//! The comparison for programs: a line for every algorithm and board. Names are stable.

use npuzzle::{Ending, HeuristicChoice};
use serde::Serialize;

use super::Comparison;
use crate::exit::Failure;

#[derive(Serialize)]
struct Record {
    schema: u32,
    source: String,
    start: String,
    goal: String,
    algorithm: String,
    heuristic: Option<String>,
    status: &'static str,
    optimal: Option<bool>,
    moves: Option<u32>,
    h_start: Option<u32>,
    expanded: Option<u64>,
    generated: Option<u64>,
    enqueued: Option<u64>,
    dequeued: Option<u64>,
    max_open: Option<u64>,
    max_states: Option<u64>,
    peak_bytes: Option<u64>,
    branching_factor: Option<f64>,
    ms: Option<f64>,
    limit_hit: Option<String>,
    reason: Option<String>,
}

fn records(comparison: &Comparison) -> impl Iterator<Item = Record> {
    let rows = comparison.contenders.iter().zip(&comparison.trials);
    rows.flat_map(|(contender, trials)| {
        trials.iter().zip(&comparison.entries).map(move |(trial, entry)| {
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
            Record {
                schema: 1,
                source: entry.source.clone(),
                start: entry.instance.start().slash().to_string(),
                goal: entry.instance.goal().slash().to_string(),
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
                ms: (status != "error").then(|| (trial.time.as_secs_f64() * 1e6).round() / 1e3),
                limit_hit: limit,
                reason,
            }
        })
    })
}

pub(super) fn json(comparison: &Comparison) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    for record in records(comparison) {
        serde_json::to_writer(&mut bytes, &record).map_err(|error| Failure::io("json", &error))?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

pub(super) fn csv(comparison: &Comparison) -> Result<Vec<u8>, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records(comparison) {
        writer.serialize(&record).map_err(|error| Failure::io("csv", &error))?;
    }
    writer.into_inner().map_err(|error| Failure::io("csv", &error))
}
