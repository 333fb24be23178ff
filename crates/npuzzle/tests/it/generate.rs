//! Boards are as they were wished for.

use std::collections::{BTreeSet, HashSet};
use std::num::NonZeroUsize;

use npuzzle::search::Cost;
use npuzzle::search::Count;
use npuzzle::tables::FullTable;
use npuzzle::teaching::{GenerateError, GenerateSpec, Generated, Generator};
use npuzzle::{
    Algorithm, Board, Goal, HeuristicChoice, HeuristicKind, Limit, Limits, Metric, Options, Random,
};
use npuzzle_testkit::{dims, is_long};

fn goal(size: &str, goal: &Goal) -> Board {
    goal.board(dims(size)).unwrap()
}

fn wish(size: &str) -> GenerateSpec {
    let options = Options { limits: Limits::NONE, ..Options::default() };
    GenerateSpec { options, ..GenerateSpec::any(goal(size, &Goal::Last)) }
}

fn make(wish: &GenerateSpec, seed: u64) -> Result<Generated, GenerateError> {
    Generator::new(wish.clone())?.generate(&mut Random::new(seed), &mut ())
}

#[test]
fn the_8_puzzle_has_two_boards_of_31_moves() {
    let mut generator =
        Generator::new(GenerateSpec { moves: Some(31..=31), ..wish("3x3") }).unwrap();
    let mut random = Random::new(1);
    let boards: BTreeSet<String> = (0..40)
        .map(|_| generator.generate(&mut random, &mut ()).unwrap())
        .map(|made| made.instance.start().slash().to_string())
        .collect();
    let boards: Vec<&str> = boards.iter().map(String::as_str).collect();
    assert_eq!(boards, ["6 4 7/8 5 0/3 2 1", "8 6 7/2 5 4/3 0 1"]);
}

#[test]
fn boards_of_a_length_come_once_each_before_any_comes_again() {
    // All boards of up to five moves: 1 + 2 + 4 + 8 + 16 + 20.
    for seed in 0..5 {
        for (length, n_boards) in [(0, 1), (2, 4), (5, 20), (31, 2)] {
            let wish = GenerateSpec { moves: Some(length..=length), ..wish("3x3") };
            let mut generator = Generator::new(wish).unwrap();
            let mut random = Random::new(seed);
            let mut draw = || {
                let made = (0..n_boards).map(|_| generator.generate(&mut random, &mut ()).unwrap());
                made.map(|made| made.instance.start().clone()).collect::<HashSet<_>>()
            };
            let first = draw();
            assert_eq!(first.len(), n_boards);
            assert_eq!(draw(), first);
        }
    }
}

/// Levels are forgotten where there is memory for one alone, and not begun where there is not.
#[test]
fn lengths_keep_to_the_memory() {
    let of = |memory| {
        let limits = Limits { memory: Some(memory), ..Limits::NONE };
        let options = Options { limits, threads: NonZeroUsize::new(1), ..Options::default() };
        GenerateSpec { moves: Some(20..=22), options, ..wish("2x5") }
    };
    let enough = 1 << 20;
    let mut generator = Generator::new(of(enough)).unwrap();
    let mut random = Random::new(3);
    let lengths: BTreeSet<Option<Cost>> = (0..40)
        .map(|_| generator.generate(&mut random, &mut ()).unwrap().report.unwrap().upper_bound())
        .collect();
    assert_eq!(lengths.len(), 3);
    assert_eq!(make(&of(enough / 2), 1).unwrap_err(), GenerateError::Limit(Limit::Memory));
}

#[test]
fn ranges_end_where_lengths_do() {
    for (size, moves) in [("3x3", 28..=40), ("2x2", 6..=Cost::MAX)] {
        let wish = GenerateSpec { moves: Some(moves.clone()), ..wish(size) };
        let mut generator = Generator::new(wish.clone()).unwrap();
        for seed in 0..20 {
            generator.reset();
            let made = generator.generate(&mut Random::new(seed), &mut ()).unwrap();
            assert!(moves.contains(&made.report.unwrap().upper_bound().unwrap()));
            // Whether the end is known by now changes nothing.
            assert_eq!(make(&wish, seed).unwrap().instance, made.instance);
        }
    }
    let beyond = make(&GenerateSpec { moves: Some(32..=40), ..wish("3x3") }, 1);
    assert!(matches!(beyond.unwrap_err(), GenerateError::TooLong { max_length: 31, .. }));
}

#[test]
fn every_length_can_be_had_where_all_boards_are_known() {
    for goal_name in [Goal::Last, Goal::Snail] {
        for (size, metric) in [("3x3", Metric::Stm), ("3x3", Metric::Mtm), ("2x4", Metric::Stm)] {
            let goal = goal(size, &goal_name);
            let table = FullTable::build(&goal, metric).unwrap();
            let most = table.census().len() as u32 - 1;
            let options = Options { metric, ..Options::default() };
            for length in 0..=most {
                let wish = GenerateSpec {
                    moves: Some(length..=length),
                    options: options.clone(),
                    ..GenerateSpec::any(goal.clone())
                };
                let made = make(&wish, u64::from(length)).unwrap();
                assert_eq!(table.distance(made.instance.start()), Some(length));
                assert_eq!(made.report.unwrap().upper_bound(), Some(length));
            }
            let beyond = GenerateSpec {
                moves: Some(most + 1..=most + 1),
                options,
                ..GenerateSpec::any(goal)
            };
            assert_eq!(
                make(&beyond, 1).unwrap_err(),
                GenerateError::TooLong { length: most + 1, max_length: most }
            );
        }
    }
}

#[test]
fn larger_boards_have_the_length_asked_for() {
    let check = |wish: GenerateSpec, length: u32| {
        let wish = GenerateSpec { moves: Some(length..=length), ..wish };
        let report = make(&wish, 5).unwrap().report.unwrap();
        assert!(report.is_optimal());
        assert_eq!(report.upper_bound(), Some(length), "{:?}", wish.goal);
    };
    for length in [0, 1, 22, 45, 59, 63] {
        check(wish("4x4"), length);
    }
    check(GenerateSpec::any(goal("4x4", &Goal::Snail)), 50);
    check(GenerateSpec::any(goal("4x4", &Goal::First)), 61);
    check(wish("5x5"), 30);
    check(wish("3x5"), 50);
    let runs = Options { metric: Metric::Mtm, ..Options::default() };
    check(GenerateSpec { options: runs, ..wish("4x4") }, 25);
    let beyond = make(&GenerateSpec { moves: Some(81..=81), ..wish("4x4") }, 1);
    assert_eq!(beyond.unwrap_err(), GenerateError::TooLong { length: 81, max_length: 80 });
    check(wish("4x4"), 80);
    if is_long() {
        check(wish("4x4"), 77);
    }
}

#[test]
fn where_all_boards_of_a_length_are_known_there_may_be_none() {
    // Two boards take 31 moves, each in more ways than one.
    let wish = GenerateSpec { moves: Some(31..=31), is_unique: true, ..wish("3x3") };
    let none = GenerateError::NoMatch { length: 31, n_boards: 2 };
    assert_eq!(make(&wish, 1).unwrap_err(), none);
}

#[test]
fn one_solution_alone_is_one_solution_alone() {
    for size in ["3x3", "4x4"] {
        let wish = GenerateSpec { is_unique: true, moves: Some(20..=24), ..wish(size) };
        let report = make(&wish, 3).unwrap().report.unwrap();
        assert_eq!(report.optimal_solutions.as_ref().map(|all| all.count), Some(Count::Exactly(1)));
        assert!((20..=24).contains(&report.upper_bound().unwrap()));
    }
}

#[test]
fn the_effort_is_within_the_range() {
    for (size, range) in [("3x3", 1000..=2000), ("4x4", 50..=60), ("5x5", 100..=200)] {
        let options = Options {
            algorithm: Algorithm::Astar,
            heuristic: HeuristicChoice::One(HeuristicKind::Manhattan),
            ..Options::default()
        };
        let wish = GenerateSpec { expanded: Some(range.clone()), options, ..wish(size) };
        let made = make(&wish, 9).unwrap();
        let report = wish.options.solve(&made.instance).unwrap();
        assert!(range.contains(&report.stats.expanded), "{size}: {}", report.stats.expanded);
    }
}

#[test]
fn a_seed_is_a_board_and_limits_are_kept() {
    let unsolvable = GenerateSpec { is_solvable: false, ..wish("7x9") };
    assert!(!make(&unsolvable, 1).unwrap().instance.is_solvable());
    assert_eq!(
        make(&wish("127x127"), 8).unwrap().instance,
        make(&wish("127x127"), 8).unwrap().instance
    );
    let check =
        |wish: GenerateSpec, expect: GenerateError| assert_eq!(make(&wish, 1).unwrap_err(), expect);
    check(GenerateSpec { is_unique: true, ..unsolvable }, GenerateError::NoSolution);
    #[allow(clippy::reversed_empty_ranges)]
    check(GenerateSpec { moves: Some(2..=1), ..wish("3x3") }, GenerateError::EmptyRange);
    check(GenerateSpec { expanded: Some(1..=2), ..wish("3x3") }, GenerateError::NoAlgorithm);

    let cancel = npuzzle::Cancel::new();
    cancel.cancel();
    let mut generator =
        Generator::new(GenerateSpec { moves: Some(70..=70), ..wish("4x4") }).unwrap();
    let stopped = generator.generate(&mut Random::new(1), &mut cancel.clone());
    assert_eq!(stopped.unwrap_err(), GenerateError::Limit(Limit::Interrupted));
}
