//! Every algorithm with every heuristic, compared with enumerated distances.

use npuzzle::search::Weight;
use npuzzle::search::{Engine, plan};
use npuzzle::{
    Algorithm, Answer, Board, Goal, HeuristicChoice, HeuristicKind, Instance, Limits, Metric,
    Options, Report,
};
use npuzzle_testkit::naive::{self, Oracle};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::space::{self, Space};
use npuzzle_testkit::{NAMED_GOALS, board, dims};

use crate::solve;

/// Every heuristic that an option can select.
pub(crate) fn heuristics() -> Vec<HeuristicChoice> {
    let one = HeuristicKind::ALL.iter().map(|&a| HeuristicChoice::One(a));
    let max = HeuristicKind::ALL
        .iter()
        .flat_map(|&a| HeuristicKind::ALL.iter().map(move |&b| HeuristicChoice::Max(a, b)));
    std::iter::once(HeuristicChoice::Auto).chain(one).chain(max).collect()
}

/// Random boards of a space that reach the goal within `max_distance` slides.
fn samples(space: &Space, n: usize, max_distance: u32, random: &mut Random) -> Vec<Board> {
    let near: Vec<&Board> = space
        .solvable()
        .filter(|&(_, distance)| distance <= max_distance)
        .map(|(b, _)| b)
        .collect();
    (0..n).map(|_| near[random.below(near.len())].clone()).collect()
}

/// Returns whether an algorithm finds only shortest solutions.
fn is_exact(algorithm: Algorithm) -> bool {
    !matches!(
        algorithm,
        Algorithm::Wastar | Algorithm::Greedy | Algorithm::Beam | Algorithm::Construct
    )
}

/// A beam search runs until a limit stops it.
fn limits(algorithm: Algorithm) -> Limits {
    let nodes = (algorithm == Algorithm::Beam).then_some(100_000);
    Limits { nodes, ..Limits::default() }
}

/// Checks the report of a board at this distance.
fn check(report: &Report, algorithm: Algorithm, distance: u32) {
    let instance = &report.instance;
    let (lower, upper) = (report.lower_bound.unwrap(), report.upper_bound().unwrap());
    let what = format!("{algorithm} {} {instance:?}", report.plan.as_ref().unwrap());
    assert!(lower <= distance && distance <= upper, "{lower}..{upper} of {distance}: {what}");
    assert_eq!(report.is_optimal(), lower == upper, "{what}");
    assert_eq!(report.moves().unwrap().len(report.metric) as u32, upper, "{what}");
    if is_exact(algorithm) {
        assert!(report.is_optimal() && upper == distance, "{what}");
    }
    if algorithm == Algorithm::Wastar {
        assert!(upper <= distance * 3 / 2, "{upper} of {distance}: {what}");
    }
}

#[test]
fn every_algorithm_and_heuristic_reports_correctly() {
    let mut random = Random::new(5);
    let mut n_solved = 0;
    for space in space::all() {
        // Without a good heuristic, iterative deepening takes too long on deep boards.
        for start in samples(space, 4, 18, &mut random) {
            let (instance, distance) = (space.instance(&start), space.oracle.distance(&start));
            for algorithm in Algorithm::ALL {
                for heuristic in heuristics() {
                    let options = Options {
                        algorithm,
                        heuristic,
                        limits: limits(algorithm),
                        ..Options::default()
                    };
                    if plan(&instance, &options).is_err() {
                        assert!(options.solve(&instance).is_err());
                        continue;
                    }
                    check(&solve(&instance, &options), algorithm, distance.unwrap());
                    n_solved += 1;
                }
            }
        }
    }
    // Auto and the four searches with a heuristic accept all 57, bidirectional search the 43 without
    // patterns. Table, beam and construct accept only auto, the blind searches auto and zero.
    assert_eq!(n_solved, space::all().len() * 4 * (5 * 57 + 43 + 3 + 2 * 2));
}

#[test]
fn every_algorithm_solves_deep_3x3_boards() {
    let mut random = Random::new(31);
    for space in space::of("3x3") {
        let deep: Vec<(&Board, u32)> =
            space.solvable().filter(|&(_, distance)| distance >= 26).collect();
        for _ in 0..10 {
            let (start, distance) = deep[random.below(deep.len())];
            let instance = space.instance(start);
            for algorithm in Algorithm::ALL {
                let options =
                    Options { algorithm, limits: limits(algorithm), ..Options::default() };
                check(&solve(&instance, &options), algorithm, distance);
            }
        }
    }
}

#[test]
fn exact_algorithms_agree_on_large_boards_near_the_goal() {
    let mut random = Random::new(16);
    for size in ["4x4", "2x8", "3x6", "5x5", "7x3", "12x12"] {
        for goal in NAMED_GOALS {
            let start = random.walk(&goal.board(dims(size)).unwrap(), 24);
            let instance = Instance::new(start, &goal).unwrap();
            use Algorithm::{Astar, Auto, Bidirectional, Ida};
            let lengths = [Auto, Ida, Astar, Bidirectional].map(|algorithm| {
                let limits = limits(algorithm);
                let options = Options { algorithm, limits, optimal: true, ..Options::default() };
                let report = solve(&instance, &options);
                assert!(report.is_optimal(), "{algorithm} {instance:?}");
                report.upper_bound().unwrap()
            });
            assert!(lengths[0] <= 24, "{instance:?}");
            assert!(lengths.iter().all(|&length| length == lengths[0]), "{lengths:?}");
        }
    }
}

#[test]
fn multi_tile_lengths_match_enumeration() {
    let mut random = Random::new(7);
    for size in ["2x3", "3x3"] {
        for space in space::of(size) {
            let oracle = Oracle::new(&space.goal, Metric::Mtm);
            for start in samples(space, 60, u32::MAX, &mut random) {
                let instance = space.instance(&start);
                for algorithm in [Algorithm::Auto, Algorithm::Table, Algorithm::Ida] {
                    let options = Options { algorithm, metric: Metric::Mtm, ..Options::default() };
                    let report = solve(&instance, &options);
                    check(&report, algorithm, oracle.distance(&start).unwrap());
                }
            }
        }
    }
}

#[test]
fn multi_tile_metric_supports_every_search_and_heuristic() {
    let mut random = Random::new(8);
    for size in ["3x2", "2x4", "3x3"] {
        for space in space::of(size) {
            let oracle = Oracle::new(&space.goal, Metric::Mtm);
            for start in samples(space, 2, 12, &mut random) {
                let (instance, distance) = (space.instance(&start), oracle.distance(&start));
                for algorithm in Algorithm::ALL {
                    for heuristic in heuristics() {
                        let options = Options {
                            algorithm,
                            heuristic,
                            limits: limits(algorithm),
                            ..Options::default()
                        };
                        // Combinations are refused in both metrics or in none.
                        let is_refused = plan(&instance, &options).is_err();
                        let options = Options { metric: Metric::Mtm, ..options };
                        assert_eq!(plan(&instance, &options).is_err(), is_refused, "{options:?}");
                        if !is_refused {
                            check(&solve(&instance, &options), algorithm, distance.unwrap());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn multi_tile_tables_and_astar_agree_on_larger_boards() {
    let mut random = Random::new(17);
    // With little memory, tables are small and quickly built.
    let limits = Limits { memory: Some(20 << 20), ..Limits::default() };
    for size in ["2x5", "4x3", "2x8", "3x5", "4x4"] {
        for goal in NAMED_GOALS {
            let start = random.walk(&goal.board(dims(size)).unwrap(), 14);
            let instance = Instance::new(start, &goal).unwrap();
            let lengths = [Algorithm::Auto, Algorithm::Astar].map(|algorithm| {
                let metric = Metric::Mtm;
                let options = Options { algorithm, metric, limits, ..Options::default() };
                let report = solve(&instance, &options);
                assert!(report.is_optimal(), "{algorithm} {instance:?}");
                report.upper_bound().unwrap()
            });
            assert_eq!(lengths[0], lengths[1], "{instance:?}");
            assert!(lengths[0] <= 14);
        }
    }
}

#[test]
fn every_algorithm_reports_unsolvable_boards() {
    let mut random = Random::new(1);
    for space in space::all() {
        for start in samples(space, 3, u32::MAX, &mut random) {
            let instance = space.instance(&start.twin());
            for algorithm in Algorithm::ALL {
                let report = solve(
                    &instance,
                    &Options { algorithm, limits: limits(algorithm), ..Options::default() },
                );
                assert_eq!(report.answer, Answer::Unsolvable, "{algorithm} {instance:?}");
                assert_eq!((report.lower_bound, report.upper_bound()), (None, None));
                assert!(!report.is_optimal() && report.plan.is_none());
                assert_eq!(report.stats, npuzzle::Stats::default());
            }
        }
    }
    let large = Instance::from(Goal::Last.board(dims("127x127")).unwrap().twin());
    assert_eq!(npuzzle::solve(large).unwrap().answer, Answer::Unsolvable);
}

#[test]
fn every_algorithm_solves_the_goal_in_no_moves() {
    for size in ["2x2", "3x3", "4x4", "127x127"] {
        for goal in NAMED_GOALS {
            let instance = Instance::new(goal.board(dims(size)).unwrap(), &goal).unwrap();
            for algorithm in Algorithm::ALL {
                let options =
                    Options { algorithm, limits: limits(algorithm), ..Options::default() };
                if plan(&instance, &options).is_ok() {
                    let report = solve(&instance, &options);
                    assert!(report.moves().unwrap().is_empty() && report.is_optimal(), "{size}");
                    assert_eq!((report.lower_bound, report.h_start), (Some(0), Some(0)));
                }
            }
        }
    }
}

#[test]
fn weighted_astar_lower_bound_follows_from_the_weight() {
    let mut random = Random::new(14);
    for thousandths in [1_000, 1_140, 1_400, 1_500, 2_000, 2_800, 5_000] {
        let weight = Weight::new(f64::from(thousandths) / 1000.0);
        let options = Options { algorithm: Algorithm::Wastar, weight, ..Options::default() };
        for space in space::of("3x3") {
            for start in samples(space, 40, u32::MAX, &mut random) {
                let report = solve(&space.instance(&start), &options);
                let upper = report.upper_bound().unwrap();
                let estimate = naive::linear_conflict(&start, &space.goal);
                let expect = (upper * 1000).div_ceil(thousandths).max(estimate);
                let what = format!("{upper} slides with {thousandths}/1000, {start:?}");
                // A better bound of the start may be larger.
                let distance = space.oracle.distance(&start).unwrap();
                assert!((expect..=distance).contains(&report.lower_bound.unwrap()), "{what}");
            }
        }
    }
}

#[test]
fn ida_rounds_add_up_and_end_with_the_solution() {
    let mut random = Random::new(9);
    for space in space::of("3x3") {
        for start in samples(space, 20, u32::MAX, &mut random) {
            let options = Options { algorithm: Algorithm::Ida, ..Options::default() };
            let report = solve(&space.instance(&start), &options);
            let rounds = &report.rounds;
            if report.h_start == Some(0) {
                continue;
            }
            assert!(rounds.is_sorted_by_key(|round| round.bound), "{rounds:?}");
            assert_eq!(rounds.first().map(|round| round.bound), report.h_start);
            assert_eq!(rounds.last().map(|round| round.bound), report.upper_bound());
            let expanded: u64 = rounds.iter().map(|round| round.expanded).sum();
            let generated: u64 = rounds.iter().map(|round| round.generated).sum();
            assert_eq!((expanded, generated), (report.stats.expanded, report.stats.generated));
        }
    }
}

#[test]
fn h_start_is_the_estimate_of_the_requested_heuristic() {
    let instance = Instance::from(board("8 1 3/4 0 2/7 6 5"));
    let check = |heuristic: &str, expect: u32| {
        let heuristic = heuristic.parse().unwrap();
        let report = solve(&instance, &Options { heuristic, ..Options::default() });
        assert_eq!(report.h_start, Some(expect), "{heuristic}");
    };
    check("zero", 0);
    check("misplaced", 5);
    check("manhattan", 10);
    check("linear-conflict", 10);
    check("inversion", 12);
    check("walking", 10);
    check("max(zero,misplaced)", 5);
    check("max(manhattan,misplaced)", 10);
    check("max(inversion,walking)", 12);
    // The estimate of the table is the distance.
    check("auto", 14);
}

#[test]
fn plan_uses_the_requested_algorithm() {
    let instance = Instance::from(board("8 1 3/4 0 2/7 6 5"));
    for algorithm in Algorithm::ALL {
        let limits = Limits { time: None, memory: None, ..limits(algorithm) };
        let report = solve(&instance, &Options { algorithm, limits, ..Options::default() });
        let plan = report.plan.unwrap();
        assert_ne!(plan.algorithm, Algorithm::Auto);
        assert!(algorithm == Algorithm::Auto || plan.algorithm == algorithm);
        // The constructive solution, with which beams start, may be shortest already.
        if !matches!(plan.algorithm, Algorithm::Construct | Algorithm::Beam) {
            let is_search = !matches!(plan.engine, Engine::Table);
            assert_eq!(report.stats.expanded > 0, is_search, "{plan}");
        }
        let is_ida = matches!(plan.engine, Engine::Ida(_) | Engine::PdbIda);
        assert_eq!(report.rounds.is_empty(), !is_ida, "{plan}");
    }
}
