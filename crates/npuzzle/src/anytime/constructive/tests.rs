//! Boards of every size are solved.

use std::time::Instant;

use npuzzle_core::{Board, Dims, Goal, Instance, Moves};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{NAMED_GOALS, dims};

use super::{Ways, construct};

/// Solves a board, or its twin, both ways, and tells how long the helpful one is for every slide that the tiles'
/// distances add up to.
fn check(start: Board, goal: &Goal) -> f64 {
    let instance = Instance::new(start, goal).unwrap();
    let instance = if instance.is_solvable() { instance } else { instance.twin() };
    let [_, moves] = [Ways::Short, Ways::Helpful(None)].map(|ways| {
        let moves = Moves::from(construct(&instance, ways, &mut ()).unwrap());
        assert_eq!(moves.replay(instance.start()).as_ref(), Ok(instance.goal()), "{instance:?}");
        moves
    });
    let homes = instance.goal().cells_by_tile();
    let cells = instance.start().cells_by_tile();
    let pairs = homes.iter().zip(&cells).skip(1);
    let sum: usize = pairs.map(|(&home, &cell)| instance.dims().distance(home, cell)).sum();
    moves.stm() as f64 / sum.max(1) as f64
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
fn when_there_is_no_time_ways_are_short() {
    let mut random = Random::new(3);
    let instance = Instance::from(random.board(dims("12x9")));
    let instance = if instance.is_solvable() { instance } else { instance.twin() };
    let by = |ways| construct(&instance, ways, &mut ()).unwrap();
    assert_eq!(by(Ways::Helpful(Some(Instant::now()))), by(Ways::Short));
    assert_ne!(by(Ways::Helpful(None)), by(Ways::Short));
}

#[test]
fn boards_as_large_as_they_get_are_solved() {
    let mut random = Random::new(127);
    for size in ["2x127", "127x3", "4x127", "127x5", "100x127", "127x127"] {
        for goal in goals(dims(size), &mut random) {
            let ratio = check(random.board(dims(size)), &goal);
            assert!(ratio < 4.5, "{ratio} {size}");
        }
    }
}
