//! The comparison as text in aligned columns.

use std::time::Duration;

use npuzzle::HeuristicChoice;
use npuzzle::teaching::{AlgorithmConfig, RunEnd, RunResult, RunSummary, StatsSummary};

use super::Comparison;
use crate::args::{CompareArgs, CountersArg};
use crate::io::units::{self, counted};

/// A value that is unknown or does not apply.
const NONE: &str = "-";

pub(super) fn text(args: &CompareArgs, comparison: &Comparison) -> String {
    let Comparison { boards, configs, trials } = comparison;
    let is_each = args.is_each(boards.len());
    let mut rows = vec![header(args.counters, is_each)];
    let mut notes: Vec<String> = Vec::new();
    if is_each {
        for (index, board) in boards.iter().enumerate() {
            for (config, trials) in configs.iter().zip(trials) {
                let Some(trial) = trials.get(index) else { continue };
                let mut row = vec![board.source.clone()];
                row.extend(names(*config));
                row.extend(trial_cells(trial, args.counters, board.published, &mut notes));
                rows.push(row);
            }
        }
    } else {
        for (config, trials) in configs.iter().zip(trials) {
            let summary = RunSummary::of(trials);
            let mut row = names(*config).to_vec();
            row.extend(summary_cells(&summary, boards.len(), args.counters, &mut notes));
            rows.push(row);
        }
    }
    let n_names = if is_each { 4 } else { 3 };
    let mut text = aligned(&rows, n_names);
    for (number, note) in (1..).zip(notes) {
        text += &format!("[{number}] {note}\n");
    }
    text
}

fn header(counters: CountersArg, is_each: bool) -> Vec<String> {
    let [first, second, third] = match counters {
        CountersArg::Ours => ["expanded", "generated", "max open"],
        CountersArg::Princeton => ["enqueued", "dequeued", "max queue"],
        CountersArg::FortyTwo => ["complexity in time", "complexity in size", "max open"],
        CountersArg::Korf => ["nodes", "published", "expanded"],
    };
    let mut header = if is_each { vec!["board"] } else { Vec::new() };
    header.extend(["algorithm", "heuristic", if is_each { "ending" } else { "solved" }]);
    header.extend(["moves", "h(start)", first, second, third, "time", "memory", "b*"]);
    header.into_iter().map(str::to_owned).collect()
}

fn names(config: AlgorithmConfig) -> [String; 2] {
    let heuristic = match config.heuristic {
        HeuristicChoice::Auto => NONE.to_owned(),
        heuristic => heuristic.to_string(),
    };
    [config.algorithm.to_string(), heuristic]
}

/// The cells of one search.
fn trial_cells(
    trial: &RunResult,
    counters: CountersArg,
    published: Option<u64>,
    notes: &mut Vec<String>,
) -> Vec<String> {
    let ending = match &trial.end {
        RunEnd::Solved { is_optimal: true } => "optimal".to_owned(),
        RunEnd::Solved { is_optimal: false } => "solved".to_owned(),
        RunEnd::Unsolvable => return without_counts("unsolvable".to_owned()),
        RunEnd::Stopped(limit) => format!("limit: {limit}"),
        RunEnd::Refused(reason) => return without_counts(format!("error {}", note(notes, reason))),
    };
    let at_least = if trial.is_complete() { "" } else { "≥" };
    let stats = RunSummary::of(std::slice::from_ref(trial)).stats;
    let mut row = vec![
        ending,
        trial.n_moves.map_or(NONE.to_owned(), |n| n.to_string()),
        trial.h_start.map_or(NONE.to_owned(), |n| n.to_string()),
    ];
    row.extend(counts(&stats, counters, published, at_least));
    row.extend([time(trial.time), bytes(stats.peak_bytes), factor(trial.branching_factor)]);
    row
}

/// The cells of a configuration on all boards.
fn summary_cells(
    summary: &RunSummary,
    n_boards: usize,
    counters: CountersArg,
    notes: &mut Vec<String>,
) -> Vec<String> {
    if summary.n_boards == 0 {
        return without_counts("not run".to_owned());
    }
    let mut solved = format!("{}/{n_boards}", summary.n_solved);
    if summary.n_unsolvable > 0 {
        solved += &format!(", {} unsolvable", summary.n_unsolvable);
    }
    for (limit, n) in &summary.stopped {
        solved += &format!(", {n} {limit}");
    }
    for (reason, n) in &summary.refused {
        solved += &format!(", {} {}", counted(*n as u64, "error"), note(notes, reason));
    }
    if summary.n_searched() == 0 {
        return without_counts(solved);
    }
    let at_least = if summary.is_complete() { "" } else { "≥" };
    let mean = |mean: Option<f64>| mean.map_or(NONE.to_owned(), |mean| format!("{mean:.1}"));
    let mut row = vec![solved, mean(summary.mean_moves), mean(summary.mean_h)];
    row.extend(counts(&summary.stats, counters, None, at_least));
    let per_board = summary.time.div_f64(summary.n_searched() as f64);
    row.extend([time(per_board), bytes(summary.stats.peak_bytes), factor(summary.mean_branching)]);
    row
}

/// The cells of the three counters.
fn counts(
    stats: &StatsSummary,
    counters: CountersArg,
    published: Option<u64>,
    at_least: &str,
) -> [String; 3] {
    let count = |n: f64| format!("{at_least}{n:.0}");
    let none_or = |is_known: bool, n: f64| if is_known { count(n) } else { NONE.to_owned() };
    let queued = |n: f64| none_or(stats.enqueued > 0.0, n);
    let max_open = queued(stats.max_open as f64);
    match counters {
        CountersArg::Ours => [count(stats.expanded), count(stats.generated), max_open],
        CountersArg::Princeton => [queued(stats.enqueued), queued(stats.dequeued), max_open],
        CountersArg::FortyTwo => {
            let max_states = none_or(stats.max_states > 0, stats.max_states as f64);
            [queued(stats.dequeued), max_states, max_open]
        }
        // Korf counts the start, once for all rounds.
        CountersArg::Korf => {
            let published = published.map_or(NONE.to_owned(), |n| n.to_string());
            [count(stats.generated + 1.0), published, count(stats.expanded)]
        }
    }
}

/// The cells of a search without counts.
fn without_counts(ending: String) -> Vec<String> {
    let mut row = vec![ending];
    row.resize(9, NONE.to_owned());
    row
}

/// The reference to a note below the table, which is written once.
fn note(notes: &mut Vec<String>, reason: &str) -> String {
    let index = notes.iter().position(|note| note == reason).unwrap_or_else(|| {
        notes.push(reason.to_owned());
        notes.len() - 1
    });
    format!("[{}]", index + 1)
}

pub(super) fn time(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        ..1.0 => format!("{ms:.3} ms"),
        ..1e3 => format!("{ms:.1} ms"),
        _ => format!("{:.2} s", ms / 1e3),
    }
}

fn bytes(n: u64) -> String {
    if n == 0 { NONE.to_owned() } else { units::size(n) }
}

fn factor(factor: Option<f64>) -> String {
    factor.map_or(NONE.to_owned(), |factor| format!("{factor:.3}"))
}

/// Columns as wide as their widest cells; the first `n_left` are left-aligned, the others right-aligned.
fn aligned(rows: &[Vec<String>], n_left: usize) -> String {
    let n_columns = rows.first().map_or(0, Vec::len);
    let width =
        |col: usize| rows.iter().filter_map(|row| row.get(col)).map(|c| c.chars().count()).max();
    let widths: Vec<usize> = (0..n_columns).map(|col| width(col).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(col, (cell, &width))| {
            if col < n_left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}
