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
//!         for each window of this length, one starting in the middle of the one before:
//!             replace it by a shorter solution of its puzzle, if the search finds one
//!     until a pass gains nothing
//! ```
//!
//! In the single-tile metric the search is a narrow beam that stops at the old length. In the multi-tile
//! metric it is a bidirectional search, which finds the fewest straight runs.

#[cfg(test)]
mod tests;
mod window;

use std::ops::ControlFlow;

use npuzzle_core::heuristic::Zero;
use npuzzle_core::search::{Budget, Cost, Limit, Outcome, Stats, Watch, bidirectional};
use npuzzle_core::{Board, Instance, Metric, Packed, RunSliding, Slide};

use crate::anytime::beam::{SingleBeam, single_beam};
use crate::engine::lower_bound::{Objective, length};
use crate::options::Options;
use window::Window;

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
            if let ControlFlow::Break(limit) = improver.pass(instance.start(), window_length) {
                return (improver.path, Some(limit));
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
    /// Tries all windows of a length, one starting in the middle of the one before.
    fn pass(&mut self, start: &Board, window_length: usize) -> ControlFlow<Limit> {
        let mut board = start.clone();
        let mut at = 0;
        while at < self.path.len() {
            self.poll()?;
            let rest = &self.path[at..];
            let window = match self.objective.metric {
                Metric::Stm => Some(Window::of_slides(&board, rest, window_length)),
                Metric::Mtm => Window::of_runs(&board, rest, window_length),
            };
            let shorter = window.as_ref().and_then(|window| self.solve(window, &board));
            if let (Some(window), Some(shorter)) = (&window, shorter)
                && self.replace(at, window.slides.len(), shorter)
            {
                // A window with the new slides may be improved further.
                continue;
            }
            let step = self.step(at, window_length);
            self.path[at..at + step].iter().for_each(|&slide| {
                board.slide(slide);
            });
            at += step;
        }
        ControlFlow::Continue(())
    }

    fn poll(&mut self) -> ControlFlow<Limit> {
        let is_spent = self.options.limits.nodes.is_some_and(|max| self.stats.expanded >= max);
        if is_spent { ControlFlow::Break(Limit::Nodes) } else { self.watch.poll(self.stats) }
    }

    /// The number of slides from the start of a window to the start of the next.
    fn step(&self, at: usize, window_length: usize) -> usize {
        let rest = &self.path[at..];
        let n_moves = window_length / 2;
        match self.objective.metric {
            Metric::Stm => n_moves.min(rest.len()),
            Metric::Mtm => rest.chunk_by(|a, b| a == b).take(n_moves).map(<[Slide]>::len).sum(),
        }
    }

    /// Another solution of a window's puzzle, if the search finds one.
    fn solve(&mut self, window: &Window, board: &Board) -> Option<Vec<Slide>> {
        let instance = window.puzzle(board)?;
        match self.objective.metric {
            Metric::Stm => {
                let config = SingleBeam {
                    width: BEAM_WIDTH,
                    slide_limit: window.slides.len(),
                    n_threads: self.options.resources().threads,
                    max_expanded: self.options.limits.nodes,
                    metric: Metric::Stm,
                };
                single_beam(&instance, config, self.stats, self.watch)
            }
            Metric::Mtm => {
                let max_expanded = self.options.limits.nodes.unwrap_or(u64::MAX);
                let nodes_left = max_expanded.saturating_sub(self.stats.expanded);
                fewest_runs(&instance, nodes_left, self.stats, self.watch)
            }
        }
    }

    /// Replaces a segment if that makes the path shorter; returns whether it does.
    ///
    /// A straight run may extend beyond either end of the segment, so the slide before and the slide
    /// after it are part of the comparison.
    fn replace(&mut self, at: usize, n_slides: usize, replacement: Vec<Slide>) -> bool {
        let end = at + n_slides;
        let context = at.saturating_sub(1)..(end + 1).min(self.path.len());
        let (before, after) = (&self.path[context.start..at], &self.path[end..context.end]);
        let new = length(&[before, &replacement, after].concat(), self.objective.metric);
        let old = length(&self.path[context], self.objective.metric);
        if new >= old {
            return false;
        }
        self.path.splice(at..end, replacement);
        self.length -= old - new;
        self.objective.report(self.length, self.watch);
        true
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
