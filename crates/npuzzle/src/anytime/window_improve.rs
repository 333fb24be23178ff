//! Shortens a solution by re-optimizing windows of it.
//!
//! A *window* is a segment of the path. During the segment the blank stays inside a rectangle, and no
//! tile outside of it moves. So the window is a puzzle of its own, from the contents of the rectangle
//! before the segment to its contents after it, however large the whole board is. Any shorter solution
//! of that puzzle replaces the segment. This is large neighborhood search on the path: a part of the
//! solution is removed and solved again.
//!
//! ```text
//! for each window length, from short to long:
//!     repeat:
//!         cut the path into windows of this length, and replace each by a shorter solution of its puzzle, if the
//!         search finds one
//!         do the same with windows that reach from the middle of one of these to the middle of the next
//!     until nothing is gained
//! ```
//!
//! The windows of a sweep do not overlap, so that threads search them independently and the result does not depend on the
//! number of threads.
//!
//! In the single-tile metric the search is a narrow beam that stops at the old length. In the multi-tile
//! metric it is a bidirectional search, which finds the fewest straight runs.

#[cfg(test)]
mod tests;
mod window;

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use npuzzle_core::heuristic::Zero;
use npuzzle_core::search::{Budget, Cost, Limit, Outcome, Stats, Watch, bidirectional};
use npuzzle_core::{Board, Instance, Metric, Packed, RunSliding, Slide};
use npuzzle_tables::parallel::{StopFlag, for_each_job};

use crate::anytime::beam::{self, SingleBeam, single_beam};
use crate::engine::lower_bound::{Objective, length};
use crate::options::Options;
use window::{Cut, Sweep, WindowCutter};

/// The lengths of windows, pass by pass: in slides, and in straight runs.
const SLIDES_PER_WINDOW: [usize; 3] = [24, 48, 96];
const RUNS_PER_WINDOW: [usize; 3] = [8, 12, 16];

/// The width of the beams.
const BEAM_WIDTH: usize = 1_000;

/// The maximum number of states that the search for fewer runs expands in one window.
const MAX_EXPANDED_PER_WINDOW: u64 = 20_000;

/// Shortens a solution until no window can be improved or a limit is reached. Returns the shortened
/// solution, and the limit if one was reached.
pub(crate) fn improve_windows(
    instance: &Instance,
    path: Vec<Slide>,
    objective: Objective,
    options: &Options,
    stats: &mut Stats,
    watch: &mut dyn Watch,
) -> (Vec<Slide>, Option<Limit>) {
    let path = without_reversals(path);
    let length = objective.length(&path);
    let mut improver = PathImprover { path, length, objective, options, stats, watch };
    let window_lengths = match objective.metric {
        Metric::Stm => SLIDES_PER_WINDOW,
        Metric::Mtm => RUNS_PER_WINDOW,
    };
    for window_length in window_lengths {
        loop {
            let length_before = improver.length;
            for is_shifted in [false, true] {
                let metric = objective.metric;
                let sweep = Sweep { metric, length: window_length, is_shifted };
                if let Err(limit) = improver.sweep(instance.start(), sweep) {
                    return (improver.path, Some(limit));
                }
            }
            if improver.length == length_before {
                break;
            }
        }
        if window_length >= improver.length as usize {
            break;
        }
    }
    (improver.path, None)
}

/// A solution that is being shortened.
struct PathImprover<'a> {
    path: Vec<Slide>,
    /// The length of the path in the metric.
    length: Cost,
    objective: Objective,
    options: &'a Options,
    stats: &'a mut Stats,
    watch: &'a mut dyn Watch,
}

impl PathImprover<'_> {
    /// Tries the windows of a sweep, and replaces those for which there is a shorter solution.
    fn sweep(&mut self, start: &Board, sweep: Sweep) -> Result<(), Limit> {
        let limits = self.options.limits;
        // With a node limit, the nodes of each window would depend on the speed of the threads.
        let n_threads = limits.nodes.map_or(self.options.resources().threads, |_| 1);
        let bytes = limits.memory.map(|bytes| bytes / n_threads as u64);
        let search = WindowSearch {
            metric: sweep.metric,
            width: beam::max_width(bytes, beam::MAX_CELLS).min(BEAM_WIDTH),
            max_expanded: limits.nodes,
        };
        let shared = Mutex::new(Found { stats: &mut *self.stats, n_saved: 0, windows: Vec::new() });
        let mut n_reported = 0;
        let poll = || {
            let found = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if found.n_saved > n_reported {
                n_reported = found.n_saved;
                self.objective.report(self.length - n_reported, self.watch);
            }
            match limits.nodes.is_some_and(|max| found.stats.expanded >= max) {
                true => ControlFlow::Break(Limit::Nodes),
                false => self.watch.poll(found.stats),
            }
        };
        let windows = WindowCutter::new(start, &self.path, sweep);
        let ended = for_each_job(n_threads, windows, poll, |cut, stop| {
            let n_before = shared.lock().unwrap_or_else(PoisonError::into_inner).stats.expanded;
            let mut stats = Stats { expanded: n_before, ..Stats::default() };
            let solution = search.run(&cut, stop, &mut stats);
            let mut found = shared.lock().unwrap_or_else(PoisonError::into_inner);
            found.add(&cut, solution, sweep.metric, n_before, &stats, n_threads);
        });
        let Found { windows, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let length_before = self.length - n_reported;
        self.replace(windows);
        if self.length < length_before {
            self.objective.report(self.length, self.watch);
        }
        ended
    }

    /// Replaces the windows for which that makes the path shorter.
    ///
    /// A straight run may extend beyond either end of a window, so the slide before and the slide after it are part of
    /// the comparison.
    fn replace(&mut self, mut windows: Vec<Replacement>) {
        windows.sort_unstable_by_key(|window| window.at);
        let mut path = Vec::with_capacity(self.path.len());
        let (mut at, mut n_saved) = (0, 0);
        for Replacement { at: start, n_slides, slides } in windows {
            path.extend(&self.path[at..start]);
            at = start;
            let (old, after) = self.path[start..].split_at(n_slides);
            let context = |slides: &[Slide]| {
                let before = path.last().into_iter();
                let context = before.chain(slides).chain(after.first()).copied();
                length(&context.collect::<Vec<Slide>>(), self.objective.metric)
            };
            let (old_length, new_length) = (context(old), context(&slides));
            if new_length < old_length {
                n_saved += old_length - new_length;
                path.extend(slides);
                at = start + n_slides;
            }
        }
        path.extend(&self.path[at..]);
        self.path = path;
        self.length -= n_saved;
    }
}

/// The results of the windows of a sweep so far.
struct Found<'a> {
    stats: &'a mut Stats,
    /// The number of slides saved, in the single-tile metric.
    n_saved: Cost,
    windows: Vec<Replacement>,
}

/// Other slides for a window.
struct Replacement {
    at: usize,
    n_slides: usize,
    slides: Vec<Slide>,
}

impl Found<'_> {
    /// Adds the result of a search that has started with `n_before` expanded boards.
    fn add(
        &mut self,
        cut: &Cut,
        solution: Option<Vec<Slide>>,
        metric: Metric,
        n_before: u64,
        stats: &Stats,
        n_threads: usize,
    ) {
        self.stats.expanded += stats.expanded - n_before;
        self.stats.generated += stats.generated;
        self.stats.max_open = self.stats.max_open.max(stats.max_open);
        self.stats.peak_bytes = self.stats.peak_bytes.max(stats.peak_bytes * n_threads as u64);
        let Some(slides) = solution else { return };
        let n_slides = cut.window.slides.len();
        if metric == Metric::Stm {
            self.n_saved += n_slides.saturating_sub(slides.len()) as Cost;
        }
        self.windows.push(Replacement { at: cut.at, n_slides, slides });
    }
}

/// The search for other solutions of windows.
#[derive(Clone, Copy)]
struct WindowSearch {
    metric: Metric,
    width: usize,
    max_expanded: Option<u64>,
}

impl WindowSearch {
    /// Another solution of a window's puzzle, in the single-tile metric a shorter one; `None` if the search finds none.
    fn run(self, cut: &Cut, stop: &StopFlag<'_>, stats: &mut Stats) -> Option<Vec<Slide>> {
        let watch = &mut StopWatch { stop };
        match self.metric {
            Metric::Stm => {
                let beam = SingleBeam {
                    width: self.width,
                    slide_limit: cut.window.slides.len(),
                    n_threads: 1,
                    max_expanded: self.max_expanded,
                    metric: Metric::Stm,
                };
                single_beam(&cut.puzzle, beam, stats, watch)
            }
            Metric::Mtm => {
                let max_expanded = self.max_expanded.unwrap_or(u64::MAX);
                let nodes_left = max_expanded.saturating_sub(stats.expanded);
                fewest_runs(&cut.puzzle, nodes_left, stats, watch)
            }
        }
    }
}

/// Stops the search of a window when its sweep is stopped.
struct StopWatch<'a, 'b> {
    stop: &'a StopFlag<'b>,
}

impl Watch for StopWatch<'_, '_> {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        // The sweep returns the limit that has stopped it; this one is discarded.
        match self.stop.is_set() {
            true => ControlFlow::Break(Limit::Interrupted),
            false => ControlFlow::Continue(()),
        }
    }
}

/// A solution with the fewest straight runs, if the search finds it within its node limit.
fn fewest_runs(
    instance: &Instance,
    nodes_left: u64,
    stats: &mut Stats,
    mut watch: &mut dyn Watch,
) -> Option<Vec<Slide>> {
    let problem = RunSliding::<Packed>::new(instance)?;
    let max_expanded = MAX_EXPANDED_PER_WINDOW.min(nodes_left);
    let budget = Budget { nodes: Some(max_expanded), ..Budget::NONE };
    let report = bidirectional(&problem, &Zero, &Zero, budget, &mut watch);
    stats.expanded += report.stats.expanded;
    stats.generated += report.stats.generated;
    match report.outcome {
        Outcome::Solved(runs) => {
            let slides = runs.iter().map(|run| std::iter::repeat_n(run.slide(), run.n_slides()));
            Some(slides.flatten().collect())
        }
        Outcome::Unsolvable | Outcome::Stopped { .. } => None,
    }
}

/// The path without pairs of slides that cancel each other.
fn without_reversals(path: Vec<Slide>) -> Vec<Slide> {
    let mut kept: Vec<Slide> = Vec::with_capacity(path.len());
    for slide in path {
        if kept.last() == Some(&slide.opposite()) {
            kept.pop();
        } else {
            kept.push(slide);
        }
    }
    kept
}
