//! Boards of all sizes and goals are solved.

use std::time::Duration;

use npuzzle::{Algorithm, Dims, Effort, Goal, Instance, Limits, Options, Report};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{NAMED_GOALS, dims, is_long};

use crate::solve;

/// A random solvable board.
fn instance(random: &mut Random, size: Dims, goal: &Goal) -> Instance {
    let instance = Instance::new(random.board(size), goal).unwrap();
    if instance.is_solvable() { instance } else { instance.twin() }
}

/// Checks that a solution was found without reaching a limit, and that the bounds are in order.
fn check(instance: &Instance, options: &Options) -> Report {
    let report = solve(instance, options);
    assert_eq!(report.stopped_by(), None, "{instance:?}");
    let bounds = (report.lower_bound.unwrap(), report.upper_bound().expect("a solution"));
    assert!(bounds.0 <= bounds.1, "{bounds:?} {instance:?}");
    report
}

/// Returns whether boards of this size are solved with the default options, and so with the fewest
/// slides. Hard boards of 2x7 and 2x8 take minutes.
fn is_small(size: Dims) -> bool {
    size.cells() <= 12 || size.cells() <= 16 && size.rows().min(size.cols()) > 2
}

/// Returns the options for a size. Larger boards are solved with narrow beams.
fn options(size: Dims) -> Options {
    let cells = size.cells() as u64;
    if is_small(size) {
        return Options::default();
    }
    let limits = Limits { memory: Some(400 * cells), nodes: Some(5_000 * cells), time: None };
    let algorithm = Algorithm::Beam;
    Options { algorithm, limits, effort: Some(Effort::Best), ..Options::default() }
}

#[test]
fn all_sizes_up_to_12x12_are_solved() {
    let mut random = Random::new(12);
    let n_boards = if is_long() { 10 } else { 1 };
    for (rows, cols) in (2..=12).flat_map(|rows| (2..=12).map(move |cols| (rows, cols))) {
        let size = Dims::new(rows, cols).unwrap();
        for nth in 0..n_boards {
            let goal = &NAMED_GOALS[(rows + cols + nth) % NAMED_GOALS.len()];
            let report = check(&instance(&mut random, size, goal), &options(size));
            assert!(report.is_optimal() || !is_small(size), "{size}");
        }
    }
}

#[test]
fn longest_and_largest_boards_are_solved() {
    let mut random = Random::new(127);
    let limits = Limits { nodes: Some(100_000), ..Limits::NONE };
    let options = Options { limits, effort: Some(Effort::Best), ..Options::default() };
    for size in ["4x127", "127x3", "2x127", "127x127"] {
        for goal in NAMED_GOALS {
            let instance = instance(&mut random, dims(size), &goal);
            check(&instance, &options);
        }
    }
}

/// If beams have no time or find nothing, large neighborhood search is used instead.
#[test]
fn constructive_solution_is_improved_within_the_time() {
    let mut random = Random::new(60);
    let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::NONE };
    let options = Options { limits, effort: Some(Effort::Best), ..Options::default() };
    for size in ["14x14", "16x16", "4x49", "2x98", "2x127"] {
        let instance = instance(&mut random, dims(size), &Goal::Last);
        let length = check(&instance, &options).upper_bound().unwrap();
        let none = Limits { time: Some(Duration::ZERO), ..Limits::NONE };
        let plain = check(&instance, &Options { limits: none, ..options.clone() });
        let plain = plain.upper_bound().unwrap();
        assert!(10 * length < 9 * plain, "{size}: {length} and {plain}");
    }
}
