//! Generated boards fit their specification.

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

fn spec(size: &str) -> GenerateSpec {
    let options = Options { limits: Limits::NONE, ..Options::default() };
    GenerateSpec { options, ..GenerateSpec::any(goal(size, &Goal::Last)) }
}

fn generate(spec: &GenerateSpec, seed: u64) -> Result<Generated, GenerateError> {
    Generator::new(spec.clone())?.generate(&mut Random::new(seed), &mut ())
}

#[test]
fn generator_finds_both_hardest_8_puzzles() {
    let mut generator =
        Generator::new(GenerateSpec { moves: Some(31..=31), ..spec("3x3") }).unwrap();
    let mut random = Random::new(1);
    let boards: BTreeSet<String> = (0..40)
        .map(|_| generator.generate(&mut random, &mut ()).unwrap())
        .map(|generated| generated.instance.start().slash().to_string())
        .collect();
    let boards: Vec<&str> = boards.iter().map(String::as_str).collect();
    assert_eq!(boards, ["6 4 7/8 5 0/3 2 1", "8 6 7/2 5 4/3 0 1"]);
}

#[test]
fn no_board_repeats_until_all_have_been_used() {
    // There are 1, 2, 4, 8, 16 and 20 boards of 0 to 5 moves.
    for seed in 0..5 {
        for (length, n_boards) in [(0, 1), (2, 4), (5, 20), (31, 2)] {
            let spec = GenerateSpec { moves: Some(length..=length), ..spec("3x3") };
            let mut generator = Generator::new(spec).unwrap();
            let mut random = Random::new(seed);
            let mut draw = || {
                let generated =
                    (0..n_boards).map(|_| generator.generate(&mut random, &mut ()).unwrap());
                generated
                    .map(|generated| generated.instance.start().clone())
                    .collect::<HashSet<_>>()
            };
            let first = draw();
            assert_eq!(first.len(), n_boards);
            assert_eq!(draw(), first);
        }
    }
}

/// Levels are dropped if the memory suffices for only one, and not searched if it suffices for none.
#[test]
fn generator_respects_the_memory_limit() {
    let with_memory = |memory| {
        let limits = Limits { memory: Some(memory), ..Limits::NONE };
        let options = Options { limits, threads: NonZeroUsize::new(1), ..Options::default() };
        GenerateSpec { moves: Some(20..=22), options, ..spec("2x5") }
    };
    let enough = 1 << 20;
    let mut generator = Generator::new(with_memory(enough)).unwrap();
    let mut random = Random::new(3);
    let lengths: BTreeSet<Option<Cost>> = (0..40)
        .map(|_| generator.generate(&mut random, &mut ()).unwrap().report.unwrap().upper_bound())
        .collect();
    assert_eq!(lengths.len(), 3);
    assert_eq!(
        generate(&with_memory(enough / 2), 1).unwrap_err(),
        GenerateError::Limit(Limit::Memory)
    );
}

#[test]
fn range_beyond_the_hardest_boards_is_clipped() {
    for (size, moves) in [("3x3", 28..=40), ("2x2", 6..=Cost::MAX)] {
        let spec = GenerateSpec { moves: Some(moves.clone()), ..spec(size) };
        let mut generator = Generator::new(spec.clone()).unwrap();
        for seed in 0..20 {
            generator.reset();
            let generated = generator.generate(&mut Random::new(seed), &mut ()).unwrap();
            assert!(moves.contains(&generated.report.unwrap().upper_bound().unwrap()));
            // The result does not depend on what the generator knows already.
            assert_eq!(generate(&spec, seed).unwrap().instance, generated.instance);
        }
    }
    let beyond = generate(&GenerateSpec { moves: Some(32..=40), ..spec("3x3") }, 1);
    assert!(matches!(beyond.unwrap_err(), GenerateError::TooLong { max_length: 31, .. }));
}

#[test]
fn generator_finds_every_length_of_small_boards() {
    for goal_name in [Goal::Last, Goal::Snail] {
        for (size, metric) in [("3x3", Metric::Stm), ("3x3", Metric::Mtm), ("2x4", Metric::Stm)] {
            let goal = goal(size, &goal_name);
            let table = FullTable::build(&goal, metric).unwrap();
            let max_length = table.census().len() as u32 - 1;
            let options = Options { metric, ..Options::default() };
            for length in 0..=max_length {
                let spec = GenerateSpec {
                    moves: Some(length..=length),
                    options: options.clone(),
                    ..GenerateSpec::any(goal.clone())
                };
                let generated = generate(&spec, u64::from(length)).unwrap();
                assert_eq!(table.distance(generated.instance.start()), Some(length));
                assert_eq!(generated.report.unwrap().upper_bound(), Some(length));
            }
            let beyond = GenerateSpec {
                moves: Some(max_length + 1..=max_length + 1),
                options,
                ..GenerateSpec::any(goal)
            };
            assert_eq!(
                generate(&beyond, 1).unwrap_err(),
                GenerateError::TooLong { length: max_length + 1, max_length }
            );
        }
    }
}

#[test]
fn generator_finds_exact_lengths_of_larger_boards() {
    let check = |spec: GenerateSpec, length: u32| {
        let spec = GenerateSpec { moves: Some(length..=length), ..spec };
        let report = generate(&spec, 5).unwrap().report.unwrap();
        assert!(report.is_optimal());
        assert_eq!(report.upper_bound(), Some(length), "{:?}", spec.goal);
    };
    for length in [0, 1, 22, 45, 59, 63] {
        check(spec("4x4"), length);
    }
    check(GenerateSpec::any(goal("4x4", &Goal::Snail)), 50);
    check(GenerateSpec::any(goal("4x4", &Goal::First)), 61);
    check(spec("5x5"), 30);
    check(spec("3x5"), 50);
    let runs = Options { metric: Metric::Mtm, ..Options::default() };
    check(GenerateSpec { options: runs, ..spec("4x4") }, 25);
    let beyond = generate(&GenerateSpec { moves: Some(81..=81), ..spec("4x4") }, 1);
    assert_eq!(beyond.unwrap_err(), GenerateError::TooLong { length: 81, max_length: 80 });
    check(spec("4x4"), 80);
    if is_long() {
        check(spec("4x4"), 77);
    }
}

#[test]
fn generator_reports_that_no_board_of_a_length_matches() {
    // Two boards take 31 moves, and each has several shortest solutions.
    let spec = GenerateSpec { moves: Some(31..=31), is_unique: true, ..spec("3x3") };
    let none = GenerateError::NoMatch { length: 31, n_boards: 2 };
    assert_eq!(generate(&spec, 1).unwrap_err(), none);
}

#[test]
fn unique_boards_have_one_shortest_solution() {
    for size in ["3x3", "4x4"] {
        let spec = GenerateSpec { is_unique: true, moves: Some(20..=24), ..spec(size) };
        let report = generate(&spec, 3).unwrap().report.unwrap();
        assert_eq!(report.optimal_solutions.as_ref().map(|all| all.count), Some(Count::Exactly(1)));
        assert!((20..=24).contains(&report.upper_bound().unwrap()));
    }
}

#[test]
fn search_effort_is_within_the_range() {
    for (size, range) in [("3x3", 1000..=2000), ("4x4", 50..=60), ("5x5", 100..=200)] {
        let options = Options {
            algorithm: Algorithm::Astar,
            heuristic: HeuristicChoice::One(HeuristicKind::Manhattan),
            ..Options::default()
        };
        let spec = GenerateSpec { expanded: Some(range.clone()), options, ..spec(size) };
        let generated = generate(&spec, 9).unwrap();
        let report = spec.options.solve(&generated.instance).unwrap();
        assert!(range.contains(&report.stats.expanded), "{size}: {}", report.stats.expanded);
    }
}

#[test]
fn seed_determines_the_board_and_errors_are_reported() {
    let unsolvable = GenerateSpec { is_solvable: false, ..spec("7x9") };
    assert!(!generate(&unsolvable, 1).unwrap().instance.is_solvable());
    assert_eq!(
        generate(&spec("127x127"), 8).unwrap().instance,
        generate(&spec("127x127"), 8).unwrap().instance
    );
    let check = |spec: GenerateSpec, expect: GenerateError| {
        assert_eq!(generate(&spec, 1).unwrap_err(), expect)
    };
    check(GenerateSpec { is_unique: true, ..unsolvable }, GenerateError::NoSolution);
    #[allow(clippy::reversed_empty_ranges)]
    check(GenerateSpec { moves: Some(2..=1), ..spec("3x3") }, GenerateError::EmptyRange);
    check(GenerateSpec { expanded: Some(1..=2), ..spec("3x3") }, GenerateError::NoAlgorithm);

    let cancel = npuzzle::Cancel::new();
    cancel.cancel();
    let mut generator =
        Generator::new(GenerateSpec { moves: Some(70..=70), ..spec("4x4") }).unwrap();
    let stopped = generator.generate(&mut Random::new(1), &mut cancel.clone());
    assert_eq!(stopped.unwrap_err(), GenerateError::Limit(Limit::Interrupted));
}
