//! Beam search: what it finds is a solution, the same one on any number of threads.

use std::num::NonZeroUsize;
use std::time::Duration;

use npuzzle::search::{PlanError, plan};
use npuzzle::{
    Algorithm, Answer, Effort, Goal, Instance, Limit, Limits, Metric, Options, TableSize, Tables,
    Watch,
};
use npuzzle_testkit::{dims, random::Random};

use crate::solve;

/// Beams of up to so many bytes, so that they are narrow, and some shortening.
fn options(memory: u64) -> Options {
    let limits = Limits { memory: Some(memory), nodes: Some(memory), time: None };
    Options { algorithm: Algorithm::Beam, limits, effort: Some(Effort::Best), ..Options::default() }
}

/// A random board of this size that can be solved.
fn random_instance(random: &mut Random, size: &str, goal: &Goal) -> Instance {
    let instance = Instance::new(random.board(dims(size)), goal).unwrap();
    if instance.is_solvable() { instance } else { instance.twin() }
}

#[test]
fn boards_of_all_middle_sizes_are_solved() {
    let mut random = Random::new(4);
    for (rows, cols) in (4..=8).flat_map(|rows| (4..=8).map(move |cols| (rows, cols))) {
        let goal = if rows < cols { Goal::Snail } else { Goal::Last };
        let instance = random_instance(&mut random, &format!("{rows}x{cols}"), &goal);
        let report = solve(&instance, &options(800_000));
        let length = report.upper_bound().expect("a solution");
        let least = report.lower_bound.expect("a bound");
        assert!(least <= length && length < 3 * least, "{rows}x{cols}: {least} to {length}");
    }
}

#[test]
fn threads_change_neither_the_solution_nor_the_counts() {
    let mut random = Random::new(5);
    let instance = random_instance(&mut random, "6x5", &Goal::Last);
    let on = |n_threads: usize| {
        let threads = NonZeroUsize::new(n_threads);
        solve(&instance, &Options { threads, ..options(4_000_000) })
    };
    let alone = on(1);
    for n_threads in [2, 3] {
        let report = on(n_threads);
        assert_eq!(report.moves(), alone.moves());
        assert_eq!(report.stats, alone.stats);
    }
}

#[test]
fn a_solved_board_needs_no_slide() {
    let report = solve(&Instance::from(Goal::Last.board(dims("5x5")).unwrap()), &options(500_000));
    assert_eq!((report.upper_bound(), report.is_optimal()), (Some(0), true));
}

#[test]
fn an_easy_board_is_solved_in_as_few_slides_as_its_bound() {
    let goal = Goal::Last.board(dims("9x9")).unwrap();
    let start = Random::new(1).walk(&goal, 10);
    let report = solve(&Instance::from(start), &options(500_000));
    assert!(report.is_optimal(), "{:?} {:?}", report.lower_bound, report.upper_bound());
}

#[test]
fn wider_beams_tell_of_shorter_solutions() {
    struct Lengths(Vec<u32>);
    impl Watch for Lengths {
        fn better(&mut self, length: u32, lower_bound: u32) {
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

/// A board of 25 cells some way from the goal, further than its bound tells, its distance, and tables
/// to prove things with.
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
fn what_a_beam_has_found_is_proved_shortest() {
    let (instance, mut tables, shortest) = provable();
    let report = options(1_000_000).solve_with(&instance, &mut tables, &mut ()).unwrap();
    assert!(report.is_optimal() && report.h_start < Some(shortest));
    assert_eq!(report.upper_bound(), Some(shortest));
    assert!(!report.tables.is_empty() && !report.rounds.is_empty(), "the proof was needed");
}

/// Two boards wide, a beam finds no shortest solution.
#[test]
fn what_a_beam_has_not_found_is_found_by_the_proof() {
    let (instance, mut tables, shortest) = provable();
    let narrow = |nodes| {
        let limits = Limits { memory: Some(1_000), nodes, time: None };
        Options { limits, ..options(0) }
    };
    let report = narrow(None).solve_with(&instance, &mut tables, &mut ()).unwrap();
    assert!(report.is_optimal(), "{:?}", report.answer);
    assert_eq!(report.upper_bound(), Some(shortest));
    // Cut off after the first round of the proof, it has raised the bound at least.
    let cut_off = |tables: &mut Tables, nodes| {
        let report = narrow(Some(nodes)).solve_with(&instance, tables, &mut ()).unwrap();
        let bounds = (report.lower_bound.unwrap(), report.upper_bound().unwrap());
        assert!(bounds.0 <= shortest && shortest <= bounds.1, "{bounds:?}");
        assert!(report.stats.expanded <= nodes, "{:?}", report.stats);
        report
    };
    let (mut too_few, mut enough) = (0, report.stats.expanded);
    while enough - too_few > 1 {
        let nodes = (too_few + enough) / 2;
        let has_begun = !cut_off(&mut tables, nodes).rounds.is_empty();
        *(if has_begun { &mut enough } else { &mut too_few }) = nodes;
    }
    let report = cut_off(&mut tables, enough);
    assert!(report.lower_bound > report.h_start && !report.is_optimal());
}

/// Straight runs are counted where they are asked for, by beams and by passes.
#[test]
fn who_asks_for_few_runs_gets_fewer() {
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
        assert!(10 * few < 9 * many, "{size}: {few} beside {many}");
    }
}

#[test]
fn limits_end_a_beam() {
    let instance = random_instance(&mut Random::new(6), "12x12", &Goal::First);
    let limits = Limits { nodes: Some(1_000), ..Limits::NONE };
    let report = solve(&instance, &Options { limits, ..options(0) });
    assert_eq!(report.answer, Answer::Stopped(Limit::Nodes));
    assert!(report.best.is_some(), "what goes line by line is known before");
    // A beam of one board gets nowhere; what goes line by line does.
    let limits = Limits { memory: Some(1_000), nodes: Some(100_000), time: None };
    let report = solve(&instance, &Options { limits, ..options(0) });
    assert!(report.moves().is_some(), "{:?}", report.answer);
}

#[test]
fn what_beams_cannot_do_is_refused() {
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
fn there_is_an_answer_even_if_there_is_no_time() {
    for size in ["3x6", "10x10", "16x16"] {
        let goal = Goal::Last.board(dims(size)).unwrap();
        let instance = Instance::from(Random::new(1).walk(&goal, 1_000));
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::NONE };
        let report = solve(&instance, &Options { limits, ..Options::default() });
        assert!(report.moves().is_some(), "{size} {:?}", report.answer);
        assert!(report.lower_bound.is_some() && !report.is_optimal());
    }
}
