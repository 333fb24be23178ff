//! The constructive solver on boards of every size and goal.

use npuzzle_tables::clock::Instant;

use npuzzle_core::{Board, Dims, Goal, Instance, Moves};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{NAMED_GOALS, dims};

use super::{Routing, construct};

/// Solves a board, or its twin if it is unsolvable, with both kinds of routing. Returns the length of
/// the solution with lookahead, divided by the sum of the Manhattan distances.
fn check(start: Board, goal: &Goal) -> f64 {
    let instance = Instance::new(start, goal).unwrap();
    let instance = if instance.is_solvable() { instance } else { instance.twin() };
    let [_, moves] = [Routing::Shortest, Routing::Lookahead(None)].map(|routing| {
        let moves = Moves::from(construct(&instance, routing, &mut ()).unwrap());
        assert_eq!(moves.replay(instance.start()).as_ref(), Ok(instance.goal()), "{instance:?}");
        moves
    });
    let goal_cells = instance.goal().cells_by_tile();
    let cells = instance.start().cells_by_tile();
    let pairs = goal_cells.iter().zip(&cells).skip(1);
    let sum: usize = pairs.map(|(&goal, &cell)| instance.dims().distance(goal, cell)).sum();
    moves.stm() as f64 / sum.max(1) as f64
}

/// The named goals and a random one.
fn goals(dims: Dims, random: &mut Random) -> [Goal; 4] {
    let [last, first, snail] = NAMED_GOALS;
    [last, first, snail, Goal::Board(random.board(dims))]
}

#[test]
fn construct_solves_every_size_up_to_forty() {
    let mut random = Random::new(40);
    for rows in 2..=40 {
        for cols in 2..=40 {
            let dims = Dims::new(rows, cols).unwrap();
            // Small boards are quick, so each of them is tried with several goals.
            let n_boards = if rows * cols <= 100 { 8 } else { 1 };
            for _ in 0..n_boards {
                let goal = &goals(dims, &mut random)[random.below(4)];
                check(random.board(dims), goal);
            }
        }
    }
}

#[test]
fn lookahead_without_time_equals_shortest_routing() {
    let mut random = Random::new(3);
    let instance = Instance::from(random.board(dims("12x9")));
    let instance = if instance.is_solvable() { instance } else { instance.twin() };
    let path = |routing| construct(&instance, routing, &mut ()).unwrap();
    assert_eq!(path(Routing::Lookahead(Some(Instant::now()))), path(Routing::Shortest));
    assert_ne!(path(Routing::Lookahead(None)), path(Routing::Shortest));
}

#[test]
fn construct_solves_the_largest_boards() {
    let mut random = Random::new(127);
    for size in ["2x127", "127x3", "4x127", "127x5", "100x127", "127x127"] {
        for goal in goals(dims(size), &mut random) {
            let ratio = check(random.board(dims(size)), &goal);
            assert!(ratio < 4.5, "{ratio} {size}");
        }
    }
}
