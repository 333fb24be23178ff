//! Passes of increasing width on several threads, and the best solution so far.

use npuzzle_tables::clock::Instant;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use npuzzle_core::Slide;
use npuzzle_core::search::{Cost, Stats, Watch};
use npuzzle_tables::parallel::run_cancellable;

use super::global_phase::GlobalTuning;
use super::pass::{GLOBAL_SHARE, Pass, PassWidths};
use crate::anytime::working_board::WorkingBoard;
use crate::engine::lower_bound::Objective;

/// The width of the global phase of the first pass, unless the time allows only for a single narrower
/// one. It does not grow with the time limit, because the user may stop the search at any time.
const FIRST_WIDTH: f64 = 48.0;

/// The factor between the widths of consecutive passes.
const GROWTH: f64 = 3.0;

/// The approximate time of the global phase in seconds, for each unit of the total distance and each
/// unit of width, on a machine with some other load.
const SECONDS_PER_DISTANCE_AND_WIDTH: f64 = 1.8e-6;

/// How passes search depends on the width of a single one that there is time for: they are narrow, medium or wide from these
/// widths on, otherwise partial.
const MIN_NARROW: f64 = 6.0;
const MIN_MEDIUM: f64 = 20.0;
const MIN_WIDE: f64 = 100.0;

/// The maximum number of passes, with and without a time limit.
const MAX_TIMED_PASSES: usize = 64;
const N_UNTIMED_PASSES: usize = 4;

/// The state that the threads share.
pub(super) struct PassPool {
    pub(super) board: WorkingBoard,
    pub(super) objective: Objective,
    pub(super) first_width: f64,
    pub(super) tuning: GlobalTuning,
    /// The time at which passes fall back to the constructive solver, and the time at which that stops
    /// using lookahead.
    pub(super) pass_end: Option<Instant>,
    pub(super) lookahead_until: Option<Instant>,
    pub(super) max_nodes: Option<u64>,
    /// The memory limit of the trees of a pass.
    pub(super) bytes_per_thread: Option<u64>,
    pub(super) n_nodes: AtomicU64,
    pub(super) incumbent: Mutex<Incumbent>,
    /// The index of the next pass.
    pub(super) next_pass: AtomicUsize,
}

/// The best solution so far.
pub(super) struct Incumbent {
    pub(super) length: Cost,
    /// The number of the pass that found it, from 1 on; 0 for the initial solution. Among equally long
    /// solutions that of the first pass wins, so the result does not depend on which thread is faster.
    pub(super) pass: usize,
    pub(super) path: Vec<Slide>,
}

impl PassPool {
    /// Runs passes on `n_threads` threads, including the calling one, which also reports improvements
    /// and polls the watch. Returns the best solution and the number of nodes expanded.
    pub(super) fn run(self, n_threads: usize, watch: &mut dyn Watch) -> (Vec<Slide>, u64) {
        let mut reported = self.incumbent_length();
        let mut report = |watch: &mut dyn Watch| {
            let length = self.incumbent_length();
            if length < reported {
                self.objective.report(length, watch);
                reported = length;
            }
        };
        let poll = || {
            report(watch);
            let expanded = self.n_nodes.load(Ordering::Relaxed);
            watch.poll(&Stats { expanded, ..Stats::default() })
        };
        // A limit of the watch ends the search with the incumbent, as a completed list of passes does.
        let _ = run_cancellable(n_threads, poll, |stop| {
            self.work(&mut |n_new| self.add_nodes(n_new) || stop.is_set());
        });
        report(watch);
        let incumbent = self.incumbent.into_inner().unwrap_or_else(PoisonError::into_inner);
        (incumbent.path, self.n_nodes.into_inner())
    }

    fn incumbent_length(&self) -> Cost {
        self.incumbent.lock().map_or(Cost::MAX, |incumbent| incumbent.length)
    }

    /// Adds to the number of nodes. Returns whether the node limit is reached.
    fn add_nodes(&self, n_new: u64) -> bool {
        let n_nodes = self.n_nodes.fetch_add(n_new, Ordering::Relaxed) + n_new;
        self.max_nodes.is_some_and(|max| n_nodes >= max)
    }

    /// Runs passes on this thread until the search is over.
    fn work(&self, stop: &mut dyn FnMut(u64) -> bool) {
        let max_passes = if self.pass_end.is_some() { MAX_TIMED_PASSES } else { N_UNTIMED_PASSES };
        // The width and the duration of the last pass.
        let mut last = None;
        loop {
            let index = self.next_pass.fetch_add(1, Ordering::Relaxed);
            if index >= max_passes || stop(0) {
                return;
            }
            let Some(width) = self.width(index, last) else { return };
            let started = Instant::now();
            let pass = Pass {
                metric: self.objective.metric,
                widths: PassWidths::new(width, self.tuning, self.bytes_per_thread),
                tuning: self.tuning,
                seed: seed(index),
                end: self.pass_end,
                lookahead_until: self.lookahead_until,
            };
            let Some(path) = pass.run(self.board.clone(), stop) else { return };
            last = Some((width, started.elapsed()));
            self.offer(index + 1, path);
        }
    }

    /// The width of a pass. With a time limit, it is one that should end in time, judging by the last
    /// pass; `None` if the time left is too short to be useful.
    fn width(&self, index: usize, last: Option<(f64, Duration)>) -> Option<f64> {
        let Some(end) = self.pass_end else {
            return Some(FIRST_WIDTH * GROWTH.powi(index as i32));
        };
        let left = end.saturating_duration_since(Instant::now()).as_secs_f64();
        let Some((width, duration)) = last else {
            // The first pass of another thread is wider, unless there is time for a single pass only.
            let is_narrow = index == 0 || self.first_width <= FIRST_WIDTH;
            let width = self.first_width * if is_narrow { 1.0 } else { GROWTH };
            return (left > 0.0).then_some(width);
        };
        let max_growth = 0.85 * left / duration.as_secs_f64().max(1e-6);
        match max_growth {
            _ if max_growth >= 2.0 * GROWTH => Some(width * GROWTH),
            _ if max_growth >= 0.5 => Some(width * max_growth),
            _ => None,
        }
    }

    /// Replaces the incumbent if the path is shorter, or as short and from an earlier pass.
    fn offer(&self, pass: usize, path: Vec<Slide>) {
        let length = self.objective.length(&path);
        let Ok(mut incumbent) = self.incumbent.lock() else { return };
        if (length, pass) < (incumbent.length, incumbent.pass) {
            *incumbent = Incumbent { length, pass, path };
        }
    }
}

/// The width of the global phase of a single pass that takes all of the time, for a board with this total distance;
/// `None` without a time limit.
fn affordable_width(total_distance: i32, time: Option<Duration>) -> Option<f64> {
    let seconds_per_width = SECONDS_PER_DISTANCE_AND_WIDTH * f64::from(total_distance.max(1));
    Some(GLOBAL_SHARE * time?.as_secs_f64() / seconds_per_width)
}

/// The width of the global phase of the first pass.
pub(super) fn first_width(total_distance: i32, time: Option<Duration>) -> f64 {
    affordable_width(total_distance, time).map_or(FIRST_WIDTH, |single| single.min(FIRST_WIDTH))
}

/// How the global phase of the passes searches.
pub(super) fn tuning(total_distance: i32, time: Option<Duration>) -> GlobalTuning {
    match affordable_width(total_distance, time) {
        Some(width) if width < MIN_NARROW => GlobalTuning::PARTIAL,
        Some(width) if width < MIN_MEDIUM => GlobalTuning::NARROW,
        Some(width) if width < MIN_WIDE => GlobalTuning::MEDIUM,
        _ => GlobalTuning::WIDE,
    }
}

/// The seed that decides ties in a pass.
fn seed(index: usize) -> u64 {
    (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_wide_if_time_allows() {
        let seconds = Duration::from_secs;
        // The total distances of random boards of 16×16, 32×32 and 127×127.
        assert_eq!(tuning(2_700, Some(seconds(5))), GlobalTuning::WIDE);
        assert_eq!(tuning(21_800, Some(seconds(10))), GlobalTuning::WIDE);
        assert_eq!(tuning(21_800, Some(seconds(2))), GlobalTuning::MEDIUM);
        assert_eq!(tuning(1_370_000, Some(seconds(30))), GlobalTuning::NARROW);
        assert_eq!(tuning(1_370_000, None), GlobalTuning::WIDE);
        assert_eq!(tuning(1_370_000, Some(seconds(10))), GlobalTuning::PARTIAL);
        assert_eq!(tuning(0, Some(Duration::ZERO)), GlobalTuning::PARTIAL);
        assert_eq!(first_width(2_700, None), FIRST_WIDTH);
        assert!(first_width(1_370_000, Some(seconds(30))) < FIRST_WIDTH);
        assert_eq!(first_width(2_700, Some(Duration::ZERO)), 0.0);
    }
}
