//! Makes a solution shorter by cutting out windows and solving them anew.
//!
//! A *window* is a part of the path. While it lasts the blank stays within a rectangle, and nothing
//! outside of it moves; so the window is a puzzle of its own, from the rectangle as it was to the
//! rectangle as it becomes, however large the board. Slides are saved by a narrow beam that must be
//! shorter, straight runs by a search from both ends that finds the fewest. Windows overlap; they grow
//! from pass to pass, and a pass that gained something is repeated.

mod window;

use std::ops::ControlFlow;

use npuzzle_core::heuristic::Zero;
use npuzzle_core::search::{Budget, Cost, Limit, Outcome, Stats, Watch, bidirectional};
use npuzzle_core::{Board, Instance, Metric, Packed, RunSliding, Slide};

use crate::anytime::beam::{self, Once};
use crate::engine::lower_bound::{Measure, length};
use crate::options::Options;
use window::Window;

/// The lengths of windows, pass by pass: in slides, and in straight runs.
const SLIDES: [usize; 3] = [24, 48, 96];
const RUNS: [usize; 3] = [8, 12, 16];

/// The width of the beams.
const WIDTH: usize = 1_000;

/// The most states that a search for fewer runs expands.
const MAX_EXPANDED: u64 = 20_000;

/// Shortens a solution of this board until nothing is gained any more or a limit is reached. What is
/// returned is a solution in any case.
pub(crate) fn improve_windows(
    instance: &Instance,
    path: Vec<Slide>,
    measure: Measure,
    options: &Options,
    stats: &mut Stats,
    watch: &mut dyn Watch,
) -> (Vec<Slide>, Option<Limit>) {
    let path = without_returns(path);
    let left = measure.length(&path);
    let mut shortening = Shortening { path, left, measure, options, stats, watch };
    let lengths = match measure.metric {
        Metric::Stm => SLIDES,
        Metric::Mtm => RUNS,
    };
    for length in lengths {
        loop {
            let before = shortening.left;
            if let ControlFlow::Break(limit) = shortening.pass(instance.start(), length) {
                return (shortening.path, Some(limit));
            }
            if shortening.left == before {
                break;
            }
        }
        if length >= shortening.left as usize {
            break;
        }
    }
    (shortening.path, None)
}

/// A path that gets shorter.
struct Shortening<'a> {
    path: Vec<Slide>,
    /// Its length.
    left: Cost,
    measure: Measure,
    options: &'a Options,
    stats: &'a mut Stats,
    watch: &'a mut dyn Watch,
}

impl Shortening<'_> {
    /// Looks at all windows of a length, each half a window after the one before.
    fn pass(&mut self, start: &Board, length: usize) -> ControlFlow<Limit> {
        let mut board = start.clone();
        let mut at = 0;
        while at < self.path.len() {
            self.poll()?;
            let rest = &self.path[at..];
            let window = match self.measure.metric {
                Metric::Stm => Some(Window::of_slides(&board, rest, length)),
                Metric::Mtm => Window::of_runs(&board, rest, length),
            };
            let shorter = window.as_ref().and_then(|window| self.solve(window, &board));
            if let (Some(window), Some(shorter)) = (&window, shorter)
                && self.replace(at, window.slides.len(), shorter)
            {
                // The new slides may be part of a window that gains more.
                continue;
            }
            let step = self.step(at, length);
            self.path[at..at + step].iter().for_each(|&slide| {
                board.slide(slide);
            });
            at += step;
        }
        ControlFlow::Continue(())
    }

    fn poll(&mut self) -> ControlFlow<Limit> {
        let is_spent = self.options.limits.nodes.is_some_and(|most| self.stats.expanded >= most);
        if is_spent { ControlFlow::Break(Limit::Nodes) } else { self.watch.poll(self.stats) }
    }

    /// From a window to the next.
    fn step(&self, at: usize, length: usize) -> usize {
        let rest = &self.path[at..];
        match self.measure.metric {
            Metric::Stm => (length / 2).min(rest.len()),
            Metric::Mtm => rest.chunk_by(|a, b| a == b).take(length / 2).map(<[Slide]>::len).sum(),
        }
    }

    /// The same as a window, shorter if it is found so.
    fn solve(&mut self, window: &Window, board: &Board) -> Option<Vec<Slide>> {
        let instance = window.puzzle(board)?;
        match self.measure.metric {
            Metric::Stm => {
                let means = Once {
                    width: WIDTH,
                    longest: window.slides.len(),
                    n_threads: self.options.resources().threads,
                    max_expanded: self.options.limits.nodes,
                    metric: Metric::Stm,
                };
                beam::once(&instance, means, self.stats, self.watch)
            }
            Metric::Mtm => {
                let most = self.options.limits.nodes.unwrap_or(u64::MAX);
                let n_left = most.saturating_sub(self.stats.expanded);
                fewest_runs(&instance, n_left, self.stats, self.watch)
            }
        }
    }

    /// Puts other slides in the place of some if that makes the path shorter; whether it does. A run may
    /// go on beyond either end, so the slides beside them are looked at as well.
    fn replace(&mut self, at: usize, n_slides: usize, by: Vec<Slide>) -> bool {
        let end = at + n_slides;
        let around = at.saturating_sub(1)..(end + 1).min(self.path.len());
        let (before, after) = (&self.path[around.start..at], &self.path[end..around.end]);
        let new = length(&[before, &by, after].concat(), self.measure.metric);
        let old = length(&self.path[around], self.measure.metric);
        if new >= old {
            return false;
        }
        self.path.splice(at..end, by);
        self.left -= old - new;
        self.measure.tell(self.left, self.watch);
        true
    }
}

/// A solution of the fewest straight runs, if it is found soon.
fn fewest_runs(
    instance: &Instance,
    n_left: u64,
    stats: &mut Stats,
    mut watch: &mut dyn Watch,
) -> Option<Vec<Slide>> {
    let problem = RunSliding::<Packed>::new(instance)?;
    let budget = Budget { nodes: Some(MAX_EXPANDED.min(n_left)), ..Budget::NONE };
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

/// A path without steps that are taken back at once.
fn without_returns(path: Vec<Slide>) -> Vec<Slide> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Limits;
    use npuzzle_core::{Goal, Moves};
    use npuzzle_testkit::{dims, random::Random};

    fn options() -> Options {
        Options { limits: Limits::NONE, ..Options::default() }
    }

    /// A walk of so many slides, as a path from its end to its beginning.
    fn wandering(size: &str, n_slides: usize) -> (Instance, Vec<Slide>) {
        wandering_from(&Goal::Last.board(dims(size)).unwrap(), n_slides, 3)
    }

    fn wandering_from(goal: &Board, n_slides: usize, seed: u64) -> (Instance, Vec<Slide>) {
        let mut random = Random::new(seed);
        let (mut board, mut path) = (goal.clone(), Vec::new());
        for _ in 0..n_slides {
            let slides: Vec<Slide> = board.slides().collect();
            let slide = slides[random.below(slides.len())];
            assert!(board.slide(slide));
            path.push(slide.opposite());
        }
        path.reverse();
        (Instance::from(board), path)
    }

    #[test]
    fn what_is_shortened_is_a_solution_still() {
        let sizes = ["2x2", "2x7", "5x5", "9x4", "40x30"];
        for (size, metric) in sizes.into_iter().flat_map(|size| Metric::ALL.map(|m| (size, m))) {
            let (instance, path) = wandering(size, 300);
            let measure = Measure::new(&instance, metric);
            let longest = measure.length(&path);
            let (path, limit) = improve_windows(
                &instance,
                path,
                measure,
                &options(),
                &mut Stats::default(),
                &mut (),
            );
            assert_eq!(limit, None);
            let length = measure.length(&path);
            assert!(length < longest / 2, "{size} {metric}: {length} of {longest}");
            let end = Moves::from(path).replay(instance.start());
            assert_eq!(end.as_ref(), Ok(instance.goal()), "{size}");
        }
    }

    #[test]
    fn what_is_told_is_the_length() {
        struct Lengths(Vec<Cost>);
        impl Watch for Lengths {
            fn better(&mut self, length: Cost, _: Cost) {
                self.0.push(length);
            }
        }
        for metric in Metric::ALL {
            let (instance, path) = wandering("7x7", 500);
            let measure = Measure::new(&instance, metric);
            let mut told = Lengths(Vec::new());
            let (path, _) = improve_windows(
                &instance,
                path,
                measure,
                &options(),
                &mut Stats::default(),
                &mut told,
            );
            assert!(told.0.is_sorted_by(|a, b| a > b), "{metric}: {:?}", told.0);
            assert_eq!(told.0.last(), Some(&measure.length(&path)), "{metric}");
        }
    }

    /// In windows that are as large as the board, and no longer, nothing is left to gain.
    #[test]
    fn short_solutions_of_small_boards_have_the_fewest_runs() {
        let goal = Goal::Last.board(dims("3x3")).unwrap();
        let table = crate::tables::full::FullTable::build(&goal, Metric::Mtm).unwrap();
        for seed in 0..20 {
            let (instance, path) = wandering_from(&goal, 14, seed);
            let measure = Measure::new(&instance, Metric::Mtm);
            let (path, _) = improve_windows(
                &instance,
                path,
                measure,
                &options(),
                &mut Stats::default(),
                &mut (),
            );
            assert_eq!(Some(measure.length(&path)), table.distance(instance.start()), "{seed}");
        }
    }

    #[test]
    fn a_limit_leaves_a_solution() {
        struct Soon(u32);
        impl Watch for Soon {
            fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
                self.0 += 1;
                if self.0 < 200 {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(Limit::Time)
                }
            }
        }
        let (instance, path) = wandering("6x6", 1_000);
        let measure = Measure::new(&instance, Metric::Stm);
        let (path, limit) = improve_windows(
            &instance,
            path,
            measure,
            &options(),
            &mut Stats::default(),
            &mut Soon(0),
        );
        assert_eq!(limit, Some(Limit::Time));
        assert_eq!(Moves::from(path).replay(instance.start()).as_ref(), Ok(instance.goal()));
    }
}
