//! Beam search finds valid solutions, the same on any number of threads.

use std::num::NonZeroUsize;
use std::time::Duration;

use npuzzle::search::{PlanError, plan};
use npuzzle::{
    Algorithm, Answer, Effort, Goal, Instance, Limit, Limits, Metric, Options, TableSize, Tables,
    Watch,
};
use npuzzle_testkit::{dims, random::Random};

use crate::solve;

/// Options for narrow beams: `memory` limits both the bytes and the nodes.
fn options(memory: u64) -> Options {
    let limits = Limits { memory: Some(memory), nodes: Some(memory), time: None };
    Options { algorithm: Algorithm::Beam, limits, effort: Some(Effort::Best), ..Options::default() }
}

/// A random solvable board of this size.
fn random_instance(random: &mut Random, size: &str, goal: &Goal) -> Instance {
    let instance = Instance::new(random.board(dims(size)), goal).unwrap();
    if instance.is_solvable() { instance } else { instance.twin() }
}

#[test]
fn beam_solves_all_sizes_from_4x4_to_8x8() {
    let mut random = Random::new(4);
    for (rows, cols) in (4..=8).flat_map(|rows| (4..=8).map(move |cols| (rows, cols))) {
        let goal = if rows < cols { Goal::Snail } else { Goal::Last };
        let instance = random_instance(&mut random, &format!("{rows}x{cols}"), &goal);
        let report = solve(&instance, &options(800_000));
        let upper = report.upper_bound().expect("a solution");
        let lower = report.lower_bound.expect("a bound");
        assert!(lower <= upper && upper < 3 * lower, "{rows}x{cols}: {lower} to {upper}");
    }
}

#[test]
fn beam_result_does_not_depend_on_the_threads() {
    let mut random = Random::new(5);
    let instance = random_instance(&mut random, "6x5", &Goal::Last);
    let on = |n_threads: usize| {
        let threads = NonZeroUsize::new(n_threads);
        solve(&instance, &Options { threads, ..options(4_000_000) })
    };
    let single = on(1);
    for n_threads in [2, 3] {
        let report = on(n_threads);
        assert_eq!(report.moves(), single.moves());
        assert_eq!(report.stats, single.stats);
    }
}

#[test]
fn beam_solves_the_goal_in_no_slides() {
    let report = solve(&Instance::from(Goal::Last.board(dims("5x5")).unwrap()), &options(500_000));
    assert_eq!((report.upper_bound(), report.is_optimal()), (Some(0), true));
}

#[test]
fn beam_solution_of_an_easy_board_is_proved_by_its_bound() {
    let goal = Goal::Last.board(dims("9x9")).unwrap();
    let start = Random::new(1).walk(&goal, 10);
    let report = solve(&Instance::from(start), &options(500_000));
    assert!(report.is_optimal(), "{:?} {:?}", report.lower_bound, report.upper_bound());
}

#[test]
fn wider_beams_report_shorter_solutions() {
    struct Lengths(Vec<u32>);
    impl Watch for Lengths {
        fn improved(&mut self, length: u32, lower_bound: u32) {
            assert!(lower_bound <= length);
            self.0.push(length);
        }
    }
    let instance = random_instance(&mut Random::new(7), "6x6", &Goal::Last);
    let mut lengths = Lengths(Vec::new());
    let report =
        options(8_000_000).solve_with(&instance, &mut Tables::new(), &mut lengths).unwrap();
    assert!(lengths.0.len() > 1 && lengths.0.is_sorted_by(|a, b| a > b), "{:?}", lengths.0);
    assert_eq!(report.upper_bound(), lengths.0.last().copied());
}

/// A board of 25 cells whose distance exceeds its estimate, with tables for a proof and its distance.
fn provable() -> (Instance, Tables, u32) {
    let goal = Goal::Last.board(dims("5x5")).unwrap();
    let mut tables = Tables::new();
    let ida = Options { optimal: true, tables: TableSize::Small, ..Options::default() };
    let mut random = Random::new(3);
    loop {
        let instance = Instance::from(random.walk(&goal, 50));
        let shortest = ida.solve_with(&instance, &mut tables, &mut ()).unwrap();
        let length = shortest.upper_bound().filter(|_| shortest.is_optimal()).unwrap();
        let bound = solve(&instance, &options(1_000)).h_start.unwrap();
        if bound + 4 <= length {
            return (instance, tables, length);
        }
    }
}

#[test]
fn beam_solution_is_proved_shortest() {
    let (instance, mut tables, shortest) = provable();
    let report = options(1_000_000).solve_with(&instance, &mut tables, &mut ()).unwrap();
    assert!(report.is_optimal() && report.h_start < Some(shortest));
    assert_eq!(report.upper_bound(), Some(shortest));
    assert!(!report.tables.is_empty() && !report.rounds.is_empty(), "the proof was needed");
}

/// A beam of width two does not find a shortest solution.
#[test]
fn proof_finds_the_solution_that_the_beam_missed() {
    let (instance, mut tables, shortest) = provable();
    let narrow = |nodes| {
        let limits = Limits { memory: Some(1_000), nodes, time: None };
        Options { limits, ..options(0) }
    };
    let report = narrow(None).solve_with(&instance, &mut tables, &mut ()).unwrap();
    assert!(report.is_optimal(), "{:?}", report.answer);
    assert_eq!(report.upper_bound(), Some(shortest));
    // A proof that is stopped after its first round has raised the lower bound.
    let stopped = |tables: &mut Tables, nodes| {
        let report = narrow(Some(nodes)).solve_with(&instance, tables, &mut ()).unwrap();
        let bounds = (report.lower_bound.unwrap(), report.upper_bound().unwrap());
        assert!(bounds.0 <= shortest && shortest <= bounds.1, "{bounds:?}");
        assert!(report.stats.expanded <= nodes, "{:?}", report.stats);
        report
    };
    let (mut too_few, mut enough) = (0, report.stats.expanded);
    while enough - too_few > 1 {
        let nodes = (too_few + enough) / 2;
        let has_started = !stopped(&mut tables, nodes).rounds.is_empty();
        *(if has_started { &mut enough } else { &mut too_few }) = nodes;
    }
    let report = stopped(&mut tables, enough);
    assert!(report.lower_bound > report.h_start && !report.is_optimal());
}

/// Both the beam and the constructive engine minimize the length in the requested metric.
#[test]
fn multi_tile_metric_gives_fewer_runs() {
    let mut random = Random::new(13);
    for (size, algorithm, n) in
        [("7x7", Algorithm::Beam, 1_500_000), ("16x16", Algorithm::Construct, 4_000_000)]
    {
        let instance = random_instance(&mut random, size, &Goal::Last);
        let n_runs = |metric| {
            let options = Options { algorithm, metric, ..options(n) };
            solve(&instance, &options).moves().unwrap().len(Metric::Mtm)
        };
        let (few, many) = (n_runs(Metric::Mtm), n_runs(Metric::Stm));
        assert!(10 * few < 9 * many, "{size}: {few} and {many}");
    }
}

#[test]
fn beam_stops_at_its_limits() {
    let instance = random_instance(&mut Random::new(6), "12x12", &Goal::First);
    let limits = Limits { nodes: Some(1_000), ..Limits::NONE };
    let report = solve(&instance, &Options { limits, ..options(0) });
    assert_eq!(report.answer, Answer::Stopped(Limit::Nodes));
    assert!(report.best.is_some(), "the constructive solution is known before");
    // A beam of width one finds nothing, but the constructive solution exists.
    let limits = Limits { memory: Some(1_000), nodes: Some(100_000), time: None };
    let report = solve(&instance, &Options { limits, ..options(0) });
    assert!(report.moves().is_some(), "{:?}", report.answer);
}

#[test]
fn beam_refuses_large_boards_and_foreign_options() {
    let refused = |size: &str, options: Options| {
        plan(&Instance::from(Goal::Last.board(dims(size)).unwrap()), &options).unwrap_err()
    };
    let beam = || options(1_000_000);
    assert!(plan(&Instance::from(Goal::Last.board(dims("16x16")).unwrap()), &beam()).is_ok());
    let too_large = PlanError::BeamTooLarge { cells: 272 };
    assert_eq!(refused("16x17", beam()), too_large);
    let all = Options { all: Some(1), ..beam() };
    assert_eq!(refused("5x5", all), PlanError::NotAll(Algorithm::Beam));
    let heuristic = "manhattan".parse().unwrap();
    let algorithm = Algorithm::Beam;
    let guided = Options { heuristic, ..beam() };
    assert_eq!(refused("5x5", guided), PlanError::NoHeuristic { algorithm, heuristic });
}

#[test]
fn solution_exists_even_with_a_time_limit_of_zero() {
    for size in ["3x6", "10x10", "16x16"] {
        let goal = Goal::Last.board(dims(size)).unwrap();
        let instance = Instance::from(Random::new(1).walk(&goal, 1_000));
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::NONE };
        let report = solve(&instance, &Options { limits, ..Options::default() });
        assert!(report.moves().is_some(), "{size} {:?}", report.answer);
        assert!(report.lower_bound.is_some() && !report.is_optimal());
    }
}

#[test]
fn report_names_the_engine_that_replaced_a_failed_beam() {
    let instance = random_instance(&mut Random::new(6), "16x16", &Goal::Last);
    let limits = Limits { time: Some(Duration::from_millis(1)), ..Limits::NONE };
    let options = Options { limits, ..options(0) };
    assert_eq!(plan(&instance, &options).unwrap().algorithm, Algorithm::Beam);
    let report = solve(&instance, &options);
    let plan = report.plan.as_ref().unwrap();
    assert_eq!(plan.algorithm, Algorithm::Construct);
    assert!(plan.reason.starts_with("no beam reached the goal"), "{plan}");
    assert!(report.moves().is_some());
}
