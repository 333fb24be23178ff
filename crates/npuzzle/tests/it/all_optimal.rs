//! The number and the list of all shortest solutions.

use std::collections::HashSet;
use std::time::Duration;

use npuzzle::search::{Count, OptimalSolutions, PlanError};
use npuzzle::tables::FullTable;
use npuzzle::{
    Algorithm, Answer, Cancel, Goal, Instance, Limit, Limits, Metric, Options, Report, SolveError,
    Tables,
};
use npuzzle_testkit::naive::{self, Oracle};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{board, data, dims, is_long, space};

/// Solves a board and counts its solutions. Checks that the listed ones are different, shortest and
/// valid.
fn count(instance: &Instance, options: &Options) -> (Report, OptimalSolutions) {
    let report = crate::solve(instance, options);
    let optimal_solutions = report.optimal_solutions.clone().unwrap();
    for moves in &optimal_solutions.listed {
        assert_eq!(moves.len(report.metric), report.upper_bound().unwrap() as usize);
        assert_eq!(moves.replay(instance.start()).as_ref(), Ok(instance.goal()));
    }
    let different: HashSet<_> = optimal_solutions.listed.iter().collect();
    assert_eq!(different.len(), optimal_solutions.listed.len());
    assert!(optimal_solutions.listed.len() <= options.all.unwrap());
    (report, optimal_solutions)
}

/// Checks the number of solutions and the length of the list.
fn check(instance: &Instance, options: &Options, expect: u128) {
    let (report, optimal_solutions) = count(instance, options);
    let start = instance.start().slash();
    assert_eq!(
        (optimal_solutions.count, optimal_solutions.stopped),
        (Count::Exactly(expect), None),
        "{start}"
    );
    assert_eq!(
        optimal_solutions.listed.len() as u128,
        expect.min(options.all.unwrap() as u128),
        "{start}"
    );
    if optimal_solutions.is_complete() {
        assert!(optimal_solutions.listed.contains(report.moves().unwrap()), "{start}");
    }
}

#[test]
fn count_matches_enumeration_on_8_puzzles() {
    let boards = space::of("3x3").next().unwrap().arrangements;
    let [last, first] = ["1 2 3/4 5 6/7 8 0", "0 1 2/3 4 5/6 7 8"].map(board);
    let [snail, center] = ["1 2 3/8 0 4/7 6 5", "1 2 3/4 0 5/6 7 8"].map(board);
    let mut spaces = vec![
        (&last, Metric::Stm),
        (&first, Metric::Mtm),
        (&snail, Metric::Mtm),
        (&center, Metric::Stm),
    ];
    // A few thousand boards in a short run, different ones for each goal.
    let every = if is_long() { 1 } else { 113 };
    if is_long() {
        let swapped = |metric| if metric == Metric::Stm { Metric::Mtm } else { Metric::Stm };
        spaces.extend(spaces.clone().into_iter().map(|(goal, metric)| (goal, swapped(metric))));
    }
    for (at, (goal, metric)) in spaces.into_iter().enumerate() {
        let paths = Oracle::new(goal, metric).paths();
        let (mut n_solvable, mut n_solutions) = (0, 0);
        for start in boards.iter().skip(at).step_by(every) {
            let instance = Instance::new(start.clone(), &Goal::Board(goal.clone())).unwrap();
            let options = Options { metric, all: Some(20), ..Options::default() };
            if let Some(expect) = paths.get(start) {
                check(&instance, &options, expect);
                n_solvable += 1;
                n_solutions += expect;
            } else {
                assert_eq!(count_unsolvable(&instance, &options), Count::Exactly(0));
            }
        }
        assert!(n_solvable > 1000 && n_solutions > 3 * n_solvable / 2, "{metric}: {n_solutions}");
    }
}

fn count_unsolvable(instance: &Instance, options: &Options) -> Count {
    let report = crate::solve(instance, options);
    let optimal_solutions = report.optimal_solutions.unwrap();
    assert!(optimal_solutions.listed.is_empty() && optimal_solutions.is_complete());
    optimal_solutions.count
}

#[test]
fn count_matches_exhaustive_search_on_easy_boards() {
    let mut random = Random::new(1);
    let sizes = ["2x2", "2x5", "3x4", "4x4", "2x7", "3x5", "5x5", "3x7", "6x6"];
    for (size, goal) in sizes.into_iter().flat_map(|size| [(size, Goal::Last), (size, Goal::Snail)])
    {
        for n_steps in [1, 2, 6, 10] {
            let goal = goal.board(dims(size)).unwrap();
            let start = random.walk(&goal, n_steps);
            let instance = Instance::new(start.clone(), &Goal::Board(goal.clone())).unwrap();
            for metric in Metric::ALL {
                if metric == Metric::Mtm && dims(size).cells() > 16 {
                    continue;
                }
                // With little memory, MTM tables are small and quickly built.
                let limits = Limits { memory: Some(20 << 20), ..Limits::default() };
                let options = Options { metric, limits, all: Some(1000), ..Options::default() };
                let length = crate::solve(&instance, &options).upper_bound().unwrap();
                check(&instance, &options, naive::n_walks(&start, &goal, metric, length));
            }
        }
    }
}

#[test]
fn solved_board_has_one_empty_solution() {
    for size in ["2x2", "3x3", "4x4", "5x5", "6x6"] {
        let instance = Instance::from(Goal::Last.board(dims(size)).unwrap());
        check(&instance, &Options { all: Some(10), ..Options::default() }, 1);
    }
}

#[test]
fn every_exact_algorithm_finds_the_same_count() {
    let instance = Instance::from(board("8 6 7/2 5 4/3 0 1"));
    let expect = Oracle::new(instance.goal(), Metric::Stm).paths().get(instance.start()).unwrap();
    for algorithm in Algorithm::ALL {
        let options = Options { algorithm, all: Some(usize::MAX), ..Options::default() };
        use Algorithm::{Beam, Construct, Greedy, Wastar};
        if matches!(algorithm, Wastar | Greedy | Beam | Construct) {
            let refused = SolveError::Plan(PlanError::NotAll(algorithm));
            assert_eq!(options.solve(&instance).err(), Some(refused));
            let refused = SolveError::Plan(PlanError::NoProof(algorithm));
            let options = Options { all: None, optimal: true, ..options };
            assert_eq!(options.solve(&instance).err(), Some(refused));
        } else {
            check(&instance, &options, expect);
        }
    }
    assert!(crate::solve(&instance, &Options::default()).optimal_solutions.is_none());
}

/// One of Korf's boards that is solved quickly and has several solutions.
fn fifteen() -> Instance {
    Instance::new(data::korf100().swap_remove(8).board, &Goal::First).unwrap()
}

#[test]
fn shorter_list_is_a_prefix_of_a_longer_one() {
    let list = |all| count(&fifteen(), &Options { all: Some(all), ..Options::default() }).1;
    let (none, some, more) = (list(0), list(2), list(1000));
    assert!(more.is_complete() && more.listed.len() > 2, "{}", more.count);
    assert_eq!(none.listed, []);
    assert_eq!(some.listed, more.listed[..2]);
    assert_eq!((none.count, some.count), (more.count, more.count));
    assert!(more.listed.is_sorted_by(|a, b| a.slides() < b.slides()));
}

#[test]
fn limit_during_the_count_keeps_the_solution() {
    let whole = crate::solve(&fifteen(), &Options::default());
    let stopped = |limits: Limits, limit: Limit| {
        let options = Options { all: Some(7), limits, ..Options::default() };
        let (report, optimal_solutions) = count(&fifteen(), &options);
        assert!(report.is_optimal());
        assert_eq!((&report.answer, report.stats), (&whole.answer, whole.stats));
        assert_eq!(
            (optimal_solutions.count, optimal_solutions.stopped),
            (Count::AtLeast(1), Some(limit))
        );
        assert_eq!(optimal_solutions.listed, [report.moves().unwrap().clone()]);
        assert!(!optimal_solutions.is_complete());
    };
    let nodes = Some(whole.stats.expanded + 10);
    stopped(Limits { nodes, ..Limits::NONE }, Limit::Nodes);
    stopped(Limits { memory: Some(1000), ..Limits::NONE }, Limit::Memory);
}

#[test]
fn table_lookup_solves_before_the_count_is_stopped() {
    // The lookup in the 3×3 table does not poll the watch.
    let instance = Instance::from(board("8 6 7/2 5 4/3 0 1"));
    let cancel = Cancel::new();
    cancel.cancel();
    for (time, limit) in [(Some(Duration::ZERO), Limit::Time), (None, Limit::Interrupted)] {
        let limits = Limits { time, ..Limits::NONE };
        let options = Options { all: Some(0), limits, ..Options::default() };
        let report = options.solve_with(&instance, &mut Tables::new(), &mut cancel.clone());
        let report = report.unwrap();
        assert!(report.is_optimal());
        let optimal_solutions = report.optimal_solutions.unwrap();
        assert_eq!(
            (optimal_solutions.count, optimal_solutions.stopped),
            (Count::AtLeast(1), Some(limit))
        );
        assert_eq!(optimal_solutions.listed, []);
    }
}

#[test]
fn list_is_truncated_at_the_memory_limit() {
    // The memory suffices for the states, but not for the whole list.
    let instance = Instance::from(board("8 6 7/2 5 4/3 0 1"));
    let with_memory = |memory| Options {
        all: Some(usize::MAX),
        limits: Limits { memory, ..Limits::NONE },
        ..Options::default()
    };
    let (_, whole) = count(&instance, &with_memory(None));
    let cut = (1..500).map(|kib| count(&instance, &with_memory(Some(kib << 10))).1);
    let cut = cut.into_iter().find(|optimal_solutions| {
        optimal_solutions.count == whole.count && !optimal_solutions.is_complete()
    });
    let cut = cut.expect("one limit suffices for the states but not for the list");
    assert_eq!(cut.stopped, Some(Limit::Memory));
    assert_eq!(cut.listed, whole.listed[..cut.listed.len()]);
}

#[test]
fn count_without_a_table_is_the_same() {
    let mut random = Random::new(9);
    let goal = Goal::Last.board(dims("2x5")).unwrap();
    for metric in Metric::ALL {
        // Building the table takes more than half a megabyte.
        let little = Limits { memory: Some(400_000), ..Limits::NONE };
        assert!(FullTable::space(&goal, metric).unwrap().build_bytes(1) > 400_000);
        for n_steps in [5, 15, 25] {
            let instance = Instance::from(random.walk(&goal, n_steps));
            let options = |limits| Options { metric, all: Some(50), limits, ..Options::default() };
            let mut tables = Tables::new();
            let report = options(little).solve_with(&instance, &mut tables, &mut ()).unwrap();
            let whole = crate::solve(&instance, &options(Limits::NONE));
            assert!(report.is_optimal());
            assert_ne!(report.plan.unwrap().algorithm, Algorithm::Table);
            assert_eq!(report.optimal_solutions, whole.optimal_solutions, "{metric}");
        }
    }
}

#[test]
fn stopped_search_has_no_count() {
    let limits = Limits { nodes: Some(10), ..Limits::NONE };
    let report = crate::solve(&fifteen(), &Options { all: Some(1), limits, ..Options::default() });
    assert_eq!(report.answer, Answer::Stopped(Limit::Nodes));
    assert!(report.best.is_some() && report.optimal_solutions.is_none());
}
