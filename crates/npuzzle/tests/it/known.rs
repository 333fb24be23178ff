//! Boards whose answers others have published.

use npuzzle::{Answer, Goal, Instance, Limits, Options};
use npuzzle_testkit::data::{self, Known};

use crate::solve;

/// That the default engine says of a board what is known of it.
fn check(known: &Known, goal: &Goal) {
    let instance = Instance::new(known.board.clone(), goal).unwrap();
    let report = solve(&instance, &Options { limits: Limits::NONE, ..Options::default() });
    assert_eq!(report.upper_bound(), known.optimal, "{}", known.name);
    assert_eq!(report.is_optimal(), known.optimal.is_some(), "{}", known.name);
    assert_eq!(report.answer == Answer::Unsolvable, known.optimal.is_none(), "{}", known.name);
}

/// Too hard for these heuristics.
const HARD: [&str; 5] = ["puzzle4x4-78", "puzzle47", "puzzle49", "puzzle4x4-47", "puzzle4x4-49"];

#[test]
fn the_boards_of_the_princeton_assignment_have_the_lengths_in_their_names() {
    let boards = data::princeton_known();
    let small = boards.iter().filter(|known| known.board.dims().cells() <= 16);
    let tried: Vec<&Known> = small.filter(|known| !HARD.contains(&known.name.as_str())).collect();
    tried.iter().for_each(|known| check(known, &Goal::Last));
    let n_unsolvable = tried.iter().filter(|known| known.optimal.is_none()).count();
    assert_eq!((tried.len(), n_unsolvable), (63, 4));
}

#[test]
fn the_ten_nearest_of_korfs_boards_have_the_published_lengths() {
    let mut boards = data::korf100();
    assert_eq!(boards.len(), 100);
    boards.sort_by_key(|known| known.optimal);
    let lengths: Vec<u32> = boards.iter().take(10).flat_map(|known| known.optimal).collect();
    assert_eq!(lengths, [41, 42, 42, 42, 44, 44, 44, 45, 45, 45]);
    boards.iter().take(10).for_each(|known| check(known, &Goal::First));
}

#[test]
fn boards_with_a_known_length_are_solvable_by_parity_and_no_others() {
    for known in data::princeton_known() {
        let instance = Instance::from(known.board.clone());
        assert_eq!(instance.is_solvable(), known.optimal.is_some(), "{}", known.name);
    }
    for known in data::korf100() {
        let instance = Instance::new(known.board.clone(), &Goal::First).unwrap();
        assert!(instance.is_solvable(), "{}", known.name);
    }
}
