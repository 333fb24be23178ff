//! The default test set distinguishes the mistakes.

use npuzzle::{Options, Tables};
use npuzzle_core::Random;

use super::mutant_search::{Discards, MutantHeuristic, MutantSearch, SearchEnd};
use super::simulation::MAX_INSERTED;
use super::*;
use crate::courses::princeton;
use crate::search::CourseHeuristic;
use crate::test_set::default_test_set;

/// Simulates a program with this search on the default test set of Princeton.
fn observe(search: &MutantSearch) -> Vec<(TestCase, Observation)> {
    let cases = default_test_set(&princeton::COURSE).unwrap();
    let observe = |case: TestCase| {
        let report =
            Options::default().solve_with(&case.instance, &mut Tables::new(), &mut ()).unwrap();
        let shortest = report.upper_bound();
        let behavior = match shortest
            .and_then(|_| search.run(&case.instance, MAX_INSERTED))
            .map(|run| run.end)
        {
            None | Some(SearchEnd::Exhausted) => Behavior::ReportedUnsolvable,
            Some(SearchEnd::Solved(moves)) => Behavior::Solved(moves),
            Some(SearchEnd::LimitReached) => Behavior::TimedOut,
        };
        let passed = match behavior {
            Behavior::Solved(moves) => Some(moves) == shortest,
            _ => shortest.is_none() && behavior == Behavior::ReportedUnsolvable,
        };
        (case, Observation { passed, shortest, ..Observation::of(behavior) })
    };
    cases.into_iter().map(observe).collect()
}

fn named(observations: &[(TestCase, Observation)]) -> Vec<&'static str> {
    let observations: Vec<_> = observations.iter().map(|(case, seen)| (case, seen)).collect();
    let found = diagnose(&princeton::COURSE, &observations, &mut ()).unwrap();
    found.iter().map(Diagnosis::name).collect()
}

/// One variant of each mistake that is not the textbook one, which the command-line tests cover.
#[test]
fn diagnose_names_variants_of_a_mistake() {
    let correct = MutantSearch::CORRECT;
    let with_blank = MutantHeuristic::ManhattanWithBlank;
    let mistakes = [
        ("blank-counted", MutantSearch { heuristic: with_blank, ..correct }),
        ("greedy", MutantSearch { is_greedy: true, discards: Discards::Closed, ..correct }),
        ("closed-on-insertion", MutantSearch { discards: Discards::Inserted, ..correct }),
    ];
    for (name, search) in mistakes {
        let variant = search.variants().into_iter().rev().nth(4).unwrap();
        let observations = observe(&variant);
        assert_eq!(named(&observations), [name], "{variant:?}: {observations:?}");
    }
}

#[test]
fn diagnose_names_nothing_in_a_correct_program() {
    let search = MutantSearch { discards: Discards::Closed, ..MutantSearch::CORRECT };
    let observations = observe(&search);
    assert!(observations.iter().all(|(_, seen)| seen.passed), "{observations:?}");
    assert!(named(&observations).is_empty());
}

#[test]
fn mutant_heuristics_agree_with_the_library() {
    let mut random = Random::new(1);
    for dims in ["3x3", "4x4", "2x3"] {
        let goal = random.board(dims.parse().unwrap());
        for _ in 0..100 {
            let board = random.board(goal.dims());
            let pairs = [
                (MutantHeuristic::Misplaced, CourseHeuristic::Misplaced),
                (MutantHeuristic::Manhattan, CourseHeuristic::Manhattan),
            ];
            for (mutant, course) in pairs {
                assert_eq!(mutant.estimate(&board, &goal), Some(course.estimate(&board, &goal)));
            }
            let conflicts = CourseHeuristic::LinearConflict.estimate(&board, &goal);
            let by_pairs = MutantHeuristic::ConflictPairs.estimate(&board, &goal).unwrap();
            assert!(by_pairs >= conflicts, "{} {}", board.slash(), goal.slash());
        }
    }
}
