//! Boards of every size, solved line by line.

use npuzzle::{Algorithm, Board, Dims, Goal, Instance, Limits, Options};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{NAMED_GOALS, dims};

use crate::solve;

fn options() -> Options {
    Options { algorithm: Algorithm::Construct, limits: Limits::NONE, ..Options::default() }
}

/// Solves a random board with this goal, and tells how long the solution is for every slide that
/// the tiles' distances add up to.
fn check(start: Board, goal: &Goal) -> f64 {
    let instance = Instance::new(start, goal).unwrap();
    let instance = if instance.is_solvable() { instance } else { instance.twin() };
    let report = solve(&instance, &options());
    let (lower, upper) = (report.lower_bound.unwrap(), report.upper_bound().unwrap());
    assert!(lower <= upper, "{instance:?}");
    f64::from(upper) / f64::from(lower.max(1))
}

/// The goals with names, and one where everything lies anywhere.
fn goals(dims: Dims, random: &mut Random) -> [Goal; 4] {
    let [last, first, snail] = NAMED_GOALS;
    [last, first, snail, Goal::Board(random.board(dims))]
}

#[test]
fn every_size_up_to_forty_is_solved() {
    let mut random = Random::new(40);
    for rows in 2..=40 {
        for cols in 2..=40 {
            let dims = Dims::new(rows, cols).unwrap();
            // All goals where that is quick; the blank may belong anywhere.
            let n_boards = if rows * cols <= 100 { 8 } else { 1 };
            for _ in 0..n_boards {
                let goal = &goals(dims, &mut random)[random.below(4)];
                check(random.board(dims), goal);
            }
        }
    }
}

#[test]
fn boards_as_large_as_they_get_are_solved() {
    let mut random = Random::new(127);
    for size in
        ["2x127", "127x2", "3x127", "127x3", "4x127", "127x5", "64x64", "100x127", "127x127"]
    {
        for goal in goals(dims(size), &mut random) {
            let ratio = check(random.board(dims(size)), &goal);
            assert!(ratio < 5.0, "{ratio} {size}");
        }
    }
}
