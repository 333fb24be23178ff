//! The usual boards tell the mistakes apart.

use npuzzle::Tables;

use super::*;
use crate::courses::princeton;
use crate::{ALL, Ended, Reply, judge, usual_set};

/// What a program with these habits does on the usual boards of Princeton.
fn seen_of(habits: &Habits) -> Vec<(Case, Seen)> {
    let cases = usual_set(&princeton::COURSE).unwrap();
    let seen = |case: Case| {
        let mut tables = Tables::new();
        let report =
            npuzzle::Options::default().solve_with(&case.instance, &mut tables, &mut ()).unwrap();
        let shortest = report.upper_bound();
        let did = match shortest.and_then(|_| habits.search(&case.instance, MOST)) {
            None => Behavior::SaidNone,
            Some(SearchEnd::Home(moves)) => Behavior::Found(moves),
            Some(SearchEnd::Nowhere) => Behavior::SaidNone,
            Some(SearchEnd::On) => Behavior::WentOn,
        };
        let is_right = match did {
            Behavior::Found(moves) => Some(moves) == shortest,
            _ => shortest.is_none() && did == Behavior::SaidNone,
        };
        let seen = Seen {
            did,
            is_right,
            shortest,
            estimates: Vec::new(),
            has_opposite_ways: false,
            has_shifted_moves: false,
            queue: None,
        };
        (case, seen)
    };
    cases.into_iter().map(seen).collect()
}

fn named(seen: &[(Case, Seen)]) -> Vec<&'static str> {
    let seen: Vec<_> = seen.iter().map(|(case, seen)| (case, seen)).collect();
    let found = diagnose(&princeton::COURSE, &seen, &mut ()).unwrap();
    found.iter().map(|found| found.suspect.name()).collect()
}

/// One variant each that is not the textbook's, which the tests of the command line run.
#[test]
fn variants_of_a_mistake_are_named_by_it() {
    let right = Habits::RIGHT;
    let mistakes = [
        ("blank-counted", Habits { estimate: MutantHeuristic::ManhattanWithBlank, ..right }),
        ("greedy", Habits { is_greedy: true, refuses: Refuses::Closed, ..right }),
        ("closed-on-insertion", Habits { refuses: Refuses::Entered, ..right }),
    ];
    for (name, habits) in mistakes {
        let variant = habits.variants().into_iter().rev().nth(4).unwrap();
        let seen = seen_of(&variant);
        assert_eq!(named(&seen), [name], "{variant:?}: {seen:?}");
    }
}

#[test]
fn right_programs_have_no_mistake() {
    let seen = seen_of(&Habits { refuses: Refuses::Closed, ..Habits::RIGHT });
    assert!(seen.iter().all(|(_, seen)| seen.is_right), "{seen:?}");
    assert!(named(&seen).is_empty());
}

#[test]
fn names_of_usual_boards_tell_their_lengths() {
    for course in ALL {
        for case in usual_set(&course).unwrap() {
            let report = npuzzle::Options::default().solve(&case.instance).unwrap();
            let length = report.upper_bound().map_or("no".to_owned(), |n| n.to_string());
            let said = case.name.split(' ').next().unwrap();
            assert_eq!(said, length, "{} {}", course.name, case.instance.start().slash());
        }
    }
}

#[test]
fn plain_estimates_are_those_of_the_library() {
    let mut random = npuzzle_core::Random::new(1);
    for dims in ["3x3", "4x4", "2x3"] {
        let goal = random.board(dims.parse().unwrap());
        for _ in 0..100 {
            let board = random.board(goal.dims());
            let pairs = [
                (MutantHeuristic::Misplaced, Priority::Misplaced),
                (MutantHeuristic::Manhattan, Priority::Manhattan),
            ];
            for (plain, priority) in pairs {
                let expect = run::estimate(priority, &board, &goal);
                assert_eq!(plain.of(&board, &goal), Some(expect));
            }
            let conflicts = run::estimate(Priority::LinearConflict, &board, &goal);
            let by_pairs = MutantHeuristic::PairsInConflict.of(&board, &goal).unwrap();
            assert!(by_pairs >= conflicts, "{} {}", board.slash(), goal.slash());
        }
    }
}

/// The words of a board that has no solution are looked for where the course has them.
#[test]
fn courses_without_words_only_ask_for_an_end() {
    let unsolvable: npuzzle_core::Board = "1 2 3/4 5 6/8 7 0".parse().unwrap();
    for course in ALL {
        let case = Case::new(&course, "", &unsolvable, None);
        let case = case.unwrap();
        let judged = |text: &str| {
            let (ended, text) = (Ended::Code(0), text.to_owned());
            let reply = Reply { ended, text, stderr: String::new() };
            judge(&course, &case, &reply, &mut Tables::new(), &mut ()).unwrap().wrong
        };
        if case.instance.is_solvable() {
            continue;
        }
        assert!(judged("No solution possible\n").is_none());
        assert_eq!(judged("").is_none(), !course.grading.says_none, "{}", course.name);
        let solved = "1 2 3\n4 5 6\n8 7 0\n\n1 2 3\n4 5 6\n7 8 0\n";
        assert!(judged(solved).is_some(), "{}", course.name);
    }
}
