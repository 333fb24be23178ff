//! Tests of the programs in `examples/`.

// The tests do not call `main`.
#![allow(dead_code, unreachable_pub)]

#[path = "../../examples/batch.rs"]
mod batch;
#[path = "../../examples/generate_graded_set.rs"]
mod generate_graded_set;
#[path = "../../examples/own_heuristic.rs"]
mod own_heuristic;
#[path = "../../examples/own_puzzle.rs"]
mod own_puzzle;
#[path = "../../examples/progress_and_cancel.rs"]
mod progress_and_cancel;
#[path = "../../examples/solve_one.rs"]
mod solve_one;

use std::collections::HashMap;

use npuzzle::search::{Heuristic, Problem};
use npuzzle::search::{Packed, Sliding};
use npuzzle::{Board, Cancel, Limit, Options};
use npuzzle_testkit::space;

#[test]
fn solve_one_prints_the_solution_or_the_reason() {
    let answer = |board| solve_one::answer(board).unwrap();
    assert_eq!(answer("8 1 3/4 0 2/7 6 5"), "14 slides, shortest: L U R2 D2 L U R U L D L U");
    assert!(answer("1 2 3/4 5 6/8 7 0").contains("permutation is odd"));
    assert!(solve_one::answer("1 2/3 3").is_err());
}

#[test]
fn batch_continues_after_a_bad_board() {
    let lines =
        batch::lines("1 2 3/4 0 5/7 8 6\n1 2/3 3\n1 2 3/4 5 6/8 7 0\n", &Options::default());
    assert_eq!(lines[0], "2: L U");
    assert!(lines[1].contains("tile 3 appears twice"), "{}", lines[1]);
    assert_eq!((lines[2].as_str(), lines.len()), ("unsolvable", 3));
}

#[test]
fn rows_and_columns_rank_between_the_other_heuristics() {
    let counts = own_heuristic::expanded(&"8 6 7/2 5 4/3 0 1".parse().unwrap()).unwrap();
    assert!(counts[0].1 > counts[1].1 && counts[1].1 > counts[2].1, "{counts:?}");
}

#[test]
fn rows_and_columns_are_admissible_and_incremental() {
    for space in space::of("3x3") {
        for (start, distance) in space.solvable().step_by(97) {
            let instance = space.instance(start);
            let h = own_heuristic::RowsAndColumns::new(instance.goal());
            let problem = Sliding::<Packed>::new(&instance).unwrap();
            let state = problem.start();
            assert!(h.eval(&state) <= distance);
            for slide in problem.actions(&state) {
                let mut after = state;
                problem.apply(&mut after, slide);
                assert_eq!(h.step(&h.eval(&state), &after, slide), h.eval(&after));
            }
        }
    }
}

#[test]
fn pancake_solutions_match_enumeration() {
    // Breadth-first search over all stacks of six, from the sorted one.
    let mut distances = HashMap::from([(vec![1, 2, 3, 4, 5, 6], 0)]);
    let mut level: Vec<Vec<u32>> = distances.keys().cloned().collect();
    for distance in 1.. {
        let mut next = Vec::new();
        for stack in &level {
            for n in 2..=stack.len() {
                let mut flipped = stack.clone();
                flipped[..n].reverse();
                if !distances.contains_key(&flipped) {
                    distances.insert(flipped.clone(), distance);
                    next.push(flipped);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    assert_eq!(distances.len(), 720);
    for (stack, distance) in distances {
        assert_eq!(own_puzzle::flips(stack).unwrap().len(), distance);
    }
    assert!(own_puzzle::flips(vec![1, 1]).is_err());
    assert_eq!(own_puzzle::flips((1..=300).rev().collect()).unwrap(), [300]);
}

#[test]
fn cancelled_search_reports_what_it_knows() {
    let hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse().unwrap();
    let (cancel, mut out) = (Cancel::new(), Vec::new());
    cancel.cancel();
    let report = progress_and_cancel::solve_with_progress(&hard, cancel, &mut out).unwrap();
    assert_eq!(report.stopped_by(), Some(Limit::Interrupted));
    let easy = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse().unwrap();
    let report = progress_and_cancel::solve_with_progress(&easy, Cancel::new(), &mut out).unwrap();
    assert_eq!(report.moves().map(|moves| moves.stm()), Some(43));
    assert!(String::from_utf8(out).unwrap().starts_with("no solution of "));
}

#[test]
fn exercises_have_the_requested_lengths() {
    let exercises = generate_graded_set::exercises("3x3".parse().unwrap(), &[5, 20], 1).unwrap();
    for ((board, answer), length) in exercises.iter().zip([5, 20]) {
        let board: Board = board.parse().unwrap();
        let answer: npuzzle::Moves = answer.parse().unwrap();
        assert_eq!((answer.stm(), answer.replay(&board).unwrap().is_goal()), (length, true));
    }
}
