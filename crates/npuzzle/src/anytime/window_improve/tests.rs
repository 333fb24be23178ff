//! Shortened paths are still solutions, and their lengths are reported correctly.

use npuzzle_core::{Goal, Moves};
use npuzzle_testkit::{dims, random::Random};

use super::*;
use crate::options::Limits;
use crate::tables::full::FullTable;

/// A random walk of `n_slides` from the standard goal, reversed: an instance and a solution of it.
fn random_walk(size: &str, n_slides: usize) -> (Instance, Vec<Slide>) {
    random_walk_from(&Goal::Last.board(dims(size)).unwrap(), n_slides, 3)
}

fn random_walk_from(goal: &Board, n_slides: usize, seed: u64) -> (Instance, Vec<Slide>) {
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

/// Shortens a path without limits of its own.
fn improve(
    instance: &Instance,
    path: Vec<Slide>,
    objective: Objective,
    watch: &mut dyn Watch,
) -> (Vec<Slide>, Option<Limit>) {
    let options = Options { limits: Limits::NONE, ..Options::default() };
    improve_windows(instance, path, objective, &options, &mut Stats::default(), watch)
}

/// Records the lengths that are reported, and stops after a number of polls.
struct Recorder {
    lengths: Vec<Cost>,
    max_polls: u32,
}

impl Recorder {
    fn new(max_polls: u32) -> Recorder {
        Recorder { lengths: Vec::new(), max_polls }
    }
}

impl Watch for Recorder {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.max_polls = self.max_polls.saturating_sub(1);
        if self.max_polls > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(Limit::Time) }
    }

    fn improved(&mut self, length: Cost, _: Cost) {
        self.lengths.push(length);
    }
}

#[test]
fn improved_path_is_still_a_solution() {
    let sizes = ["2x2", "2x7", "5x5", "9x4", "40x30"];
    for (size, metric) in sizes.into_iter().flat_map(|size| Metric::ALL.map(|m| (size, m))) {
        let (instance, path) = random_walk(size, 300);
        let objective = Objective::new(&instance, metric);
        let length_before = objective.length(&path);
        let (path, limit) = improve(&instance, path, objective, &mut ());
        assert_eq!(limit, None);
        let length = objective.length(&path);
        assert!(length < length_before / 2, "{size} {metric}: {length} of {length_before}");
        let end = Moves::from(path).replay(instance.start());
        assert_eq!(end.as_ref(), Ok(instance.goal()), "{size}");
    }
}

#[test]
fn reported_lengths_decrease_to_the_final_length() {
    for metric in Metric::ALL {
        let (instance, path) = random_walk("7x7", 500);
        let objective = Objective::new(&instance, metric);
        let mut recorder = Recorder::new(u32::MAX);
        let (path, _) = improve(&instance, path, objective, &mut recorder);
        let lengths = recorder.lengths;
        assert!(lengths.is_sorted_by(|a, b| a > b), "{metric}: {lengths:?}");
        assert_eq!(lengths.last(), Some(&objective.length(&path)), "{metric}");
    }
}

/// A window that covers the whole board and the whole path is solved optimally.
#[test]
fn short_paths_on_small_boards_become_optimal_in_runs() {
    let goal = Goal::Last.board(dims("3x3")).unwrap();
    let table = FullTable::build(&goal, Metric::Mtm).unwrap();
    for seed in 0..20 {
        let (instance, path) = random_walk_from(&goal, 14, seed);
        let objective = Objective::new(&instance, Metric::Mtm);
        let (path, _) = improve(&instance, path, objective, &mut ());
        assert_eq!(Some(objective.length(&path)), table.distance(instance.start()), "{seed}");
    }
}

#[test]
fn limit_leaves_a_solution() {
    let (instance, path) = random_walk("6x6", 1_000);
    let objective = Objective::new(&instance, Metric::Stm);
    let (path, limit) = improve(&instance, path, objective, &mut Recorder::new(3));
    assert_eq!(limit, Some(Limit::Time));
    assert_eq!(Moves::from(path).replay(instance.start()).as_ref(), Ok(instance.goal()));
}

#[test]
fn result_does_not_depend_on_the_threads() {
    for metric in Metric::ALL {
        let (instance, path) = random_walk("12x9", 2_000);
        let objective = Objective::new(&instance, metric);
        let improve = |threads: usize| {
            let threads = std::num::NonZeroUsize::new(threads);
            let options = Options { threads, limits: Limits::NONE, ..Options::default() };
            let mut stats = Stats::default();
            let (path, _) =
                improve_windows(&instance, path.clone(), objective, &options, &mut stats, &mut ());
            (path, stats.expanded, stats.generated, stats.max_open)
        };
        let alone = improve(1);
        assert!(objective.length(&alone.0) < objective.length(&path) / 2);
        assert_eq!(
            Moves::from(alone.0.clone()).replay(instance.start()).as_ref(),
            Ok(instance.goal())
        );
        for threads in [2, 5] {
            assert_eq!(improve(threads), alone, "{metric}, {threads} threads");
        }
    }
}
