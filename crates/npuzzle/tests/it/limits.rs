//! Searches that a limit or a cancellation stops.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use npuzzle::search::PlanError;
use npuzzle::{
    Algorithm, Answer, Cancel, Goal, HeuristicChoice, HeuristicKind, Instance, Limit, Limits,
    Metric, Options, Report, SolveError, Stats, Tables, Watch,
};
use npuzzle_testkit::data::{self, Known};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{board, dims, naive};

/// The hardest of Korf's boards, with its length of 66 slides.
fn hard() -> (Instance, u32) {
    let boards = data::korf100();
    let Known { board, optimal, .. } = boards.into_iter().max_by_key(|k| k.optimal).unwrap();
    (Instance::new(board, &Goal::First).unwrap(), optimal.unwrap())
}

/// Checks that this limit stopped the search, and that the lower bound is at least the estimate of the
/// start.
fn check(report: &Report, limit: Limit, optimal: u32) {
    assert_eq!(report.answer, Answer::Stopped(limit), "{:?}", report.plan);
    let estimate = naive::linear_conflict(report.instance.start(), report.instance.goal());
    let lower = report.lower_bound.unwrap();
    assert!((estimate..=optimal).contains(&lower), "{lower} {:?}", report.plan);
    assert_eq!((report.upper_bound(), report.is_optimal()), (None, false));
    assert!(report.plan.is_some());
}

const SEARCHES: [Algorithm; 7] = [
    Algorithm::Auto,
    Algorithm::Ida,
    Algorithm::Astar,
    Algorithm::Wastar,
    Algorithm::Greedy,
    Algorithm::Bfs,
    Algorithm::Uniform,
];

#[test]
fn node_limit_stops_exactly_with_a_lower_bound() {
    let (instance, optimal) = hard();
    for algorithm in SEARCHES {
        for nodes in [0, 1, 50] {
            let limits = Limits { nodes: Some(nodes), ..Limits::NONE };
            let report =
                Options { algorithm, limits, ..Options::default() }.solve(&instance).unwrap();
            check(&report, Limit::Nodes, optimal);
            assert_eq!(report.stats.expanded, nodes, "{algorithm}");
        }
    }
}

#[test]
fn beam_node_limit_stops_exactly() {
    let goal = Goal::Last.board(dims("5x5")).unwrap();
    let instance = Instance::from(Random::new(5).walk(&goal, 3_000));
    for metric in [Metric::Stm, Metric::Mtm] {
        for nodes in [1, 100, 1_000, 10_000, 22_000, 25_000] {
            let limits = Limits { nodes: Some(nodes), memory: Some(60_000), time: None };
            let options =
                Options { algorithm: Algorithm::Beam, metric, limits, ..Options::default() };
            let report = options.solve(&instance).unwrap();
            assert_eq!(report.stats.expanded, nodes, "{metric}");
        }
    }
}

#[test]
fn walking_distance_tables_respect_the_limits() {
    let instance: Instance = "14 13 12 11 10/9 8 7 6 5/4 3 1 2 0".parse().unwrap();
    for (algorithm, needed) in [(Algorithm::Astar, 48 << 20), (Algorithm::Bidirectional, 96 << 20)]
    {
        for metric in [Metric::Stm, Metric::Mtm] {
            let heuristic = HeuristicChoice::One(HeuristicKind::Walking);
            let limits = Limits { memory: Some(40 << 20), ..Limits::default() };
            let options = Options { algorithm, heuristic, metric, limits, ..Options::default() };
            let refused = options.solve(&instance);
            let right = matches!(
                refused,
                Err(SolveError::Plan(PlanError::WalkingMemory { needed: n })) if n == needed
            );
            assert!(right, "{algorithm} {metric}: {refused:?}");
            // The search gets the memory that the tables leave.
            let limits = Limits { memory: Some(needed + 4096), ..Limits::default() };
            let report = Options { limits, ..options.clone() }.solve(&instance).unwrap();
            assert_eq!(report.answer, Answer::Stopped(Limit::Memory), "{algorithm} {metric}");
            let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
            let report = Options { limits, ..options }.solve(&instance).unwrap();
            assert_eq!(report.answer, Answer::Stopped(Limit::Time), "{algorithm} {metric}");
        }
        let limits = Limits { memory: Some(40 << 20), nodes: Some(100), ..Limits::default() };
        let report = Options { algorithm, limits, ..Options::default() }.solve(&instance).unwrap();
        assert_eq!(report.answer, Answer::Stopped(Limit::Nodes), "{algorithm}");
    }
}

#[test]
fn stopped_proof_still_returns_a_solution() {
    let mut random = Random::new(14);
    let limits = Limits { nodes: Some(1_000), ..Limits::NONE };
    let options = Options { optimal: true, limits, ..Options::default() };
    for size in ["4x4", "6x6", "30x20"] {
        let instance = Instance::from(random.walk(&Goal::Last.board(dims(size)).unwrap(), 3_000));
        let report = options.solve(&instance).unwrap();
        assert_eq!(report.answer, Answer::Stopped(Limit::Nodes), "{size}");
        // The fallback is found within the time limit, too.
        let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::NONE };
        let in_time = Options { limits, ..options.clone() }.solve(&instance).unwrap();
        let found = in_time.moves().or(in_time.best.as_ref()).unwrap();
        assert_eq!(found.replay(instance.start()).as_ref(), Ok(instance.goal()), "{size}");
        let all = Options { optimal: false, all: Some(1), ..options.clone() };
        assert_eq!(all.solve(&instance).unwrap().best, report.best, "{size}");
        let end = report.best.as_ref().unwrap().replay(instance.start());
        assert_eq!(end.as_ref(), Ok(instance.goal()), "{size}");
        assert!(!report.is_optimal() && report.lower_bound < report.upper_bound(), "{size}");
    }
}

#[test]
fn time_limit_is_reported_with_a_lower_bound() {
    let (instance, optimal) = hard();
    for algorithm in SEARCHES {
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::NONE };
        let options = Options { algorithm, limits, ..Options::default() };
        check(&options.solve(&instance).unwrap(), Limit::Time, optimal);
    }
}

#[test]
fn memory_limit_is_reported_with_a_lower_bound() {
    let (instance, optimal) = hard();
    for algorithm in [Algorithm::Astar, Algorithm::Bfs, Algorithm::Uniform] {
        let limits = Limits { memory: Some(1 << 20), ..Limits::NONE };
        let options = Options { algorithm, limits, ..Options::default() };
        check(&options.solve(&instance).unwrap(), Limit::Memory, optimal);
    }
}

#[test]
fn stopped_search_reports_its_best_solution_and_bounds() {
    let instance = Instance::from(npuzzle_testkit::board("8 6 7/2 5 4/3 0 1"));
    let solve = |nodes| {
        let limits = Limits { nodes, ..Limits::NONE };
        let algorithm = Algorithm::Bidirectional;
        crate::solve(&instance, &Options { algorithm, limits, ..Options::default() })
    };
    let (mut n_best, needed) = (0, solve(None).stats.expanded);
    for nodes in (0..needed).rev().take(2_000).step_by(10) {
        let report = solve(Some(nodes));
        let (Some(lower), Some(upper)) = (report.lower_bound, report.upper_bound()) else { break };
        assert!(lower <= 31 && upper >= 31, "{lower} {upper}");
        match report.answer {
            Answer::Stopped(Limit::Nodes) => assert!(!report.is_optimal() && lower < upper),
            answer => assert!(report.best.is_none() && lower == upper, "{answer:?}"),
        }
        n_best += u32::from(report.best.is_some());
    }
    assert!(n_best > 0);
}

#[test]
fn largest_boards_stop_with_a_lower_bound() {
    let dims = npuzzle_testkit::dims("127x127");
    let start = npuzzle_testkit::random::Random::new(127).board(dims);
    let instance = Instance::from(start);
    let instance = if instance.is_solvable() { instance } else { instance.twin() };
    for algorithm in [Algorithm::Ida, Algorithm::Astar, Algorithm::Greedy] {
        let limits = Limits { nodes: Some(100), ..Limits::NONE };
        let report = Options { algorithm, limits, ..Options::default() }.solve(&instance).unwrap();
        assert_eq!(report.answer, Answer::Stopped(Limit::Nodes), "{algorithm}");
        let lower = report.lower_bound.unwrap() as usize;
        assert!(lower >= instance.start().manhattan(), "{algorithm}");
    }
}

#[test]
fn stopped_round_is_counted() {
    let (instance, _) = hard();
    let limits = Limits { nodes: Some(5_000), ..Limits::NONE };
    let report = Options { limits, ..Options::default() }.solve(&instance).unwrap();
    let expanded: u64 = report.rounds.iter().map(|round| round.expanded).sum();
    assert_eq!((expanded, report.stats.expanded), (5_000, 5_000));
    assert_eq!(report.rounds.last().map(|round| round.bound), report.lower_bound);
}

#[test]
fn search_cancelled_before_the_start_expands_nothing() {
    let (instance, optimal) = hard();
    let cancel = Cancel::new();
    assert!(!cancel.is_cancelled());
    cancel.clone().cancel();
    assert!(cancel.is_cancelled());
    for algorithm in SEARCHES {
        let options = Options { algorithm, limits: Limits::NONE, ..Options::default() };
        let report = options.solve_with(&instance, &mut Tables::new(), &mut cancel.clone());
        let report = report.unwrap();
        check(&report, Limit::Interrupted, optimal);
        assert_eq!(report.stats.expanded, 0, "{algorithm}");
    }
}

#[test]
fn limit_before_the_tables_leaves_a_lower_bound() {
    // No tables are embedded for this goal, so they are built first.
    let start = board("15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 0");
    let goal = Goal::Snail;
    let known = [&start, &start.twin()].map(|start| Instance::new(start.clone(), &goal).unwrap());
    let instance = known.into_iter().find(Instance::is_solvable).unwrap();
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::NONE };
    let options = Options { limits, ..Options::default() };
    let mut tables = Tables::new();
    let report = options.solve_with(&instance, &mut tables, &mut ()).unwrap();
    check(&report, Limit::Time, 80);
    assert_eq!((report.stats.expanded, tables.len()), (0, 0));
}

#[test]
fn limit_stops_the_build_of_a_full_table() {
    let instance = Instance::from(board("10 11 9 8/7 6 5 4/3 2 1 0"));
    let estimate = naive::linear_conflict(instance.start(), instance.goal());
    for (metric, min_bound) in [(Metric::Stm, estimate), (Metric::Mtm, estimate.div_ceil(3))] {
        let options = |time| Options {
            algorithm: Algorithm::Table,
            metric,
            limits: Limits { time, ..Limits::NONE },
            ..Options::default()
        };
        let mut tables = Tables::new();
        let mut check = |options: Options, watch: &mut dyn Watch, limit| {
            let report = options.solve_with(&instance, &mut tables, watch).unwrap();
            assert_eq!(report.answer, Answer::Stopped(limit), "{metric}");
            // No board of this size takes more than 53 slides.
            assert!(
                (min_bound..=53).contains(&report.lower_bound.unwrap()) && !report.is_optimal()
            );
            assert!(tables.is_empty());
        };
        check(options(Some(Duration::ZERO)), &mut (), Limit::Time);
        let mut watch = CancelAtThirdPoll { cancel: Cancel::new(), n_polls: 0 };
        check(options(None), &mut watch, Limit::Interrupted);
        assert_eq!(watch.n_polls, 3);
    }
}

/// Cancels its own search at the third poll after the first expansion.
struct CancelAtThirdPoll {
    cancel: Cancel,
    n_polls: u32,
}

impl Watch for CancelAtThirdPoll {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.n_polls += u32::from(stats.expanded > 0);
        if self.n_polls == 3 {
            self.cancel.cancel();
        }
        self.cancel.poll(stats)
    }
}

#[test]
fn cancelled_search_stops() {
    let (instance, optimal) = hard();
    for algorithm in SEARCHES {
        let options = Options {
            algorithm,
            // Greedy search with a good heuristic would end before the third poll.
            heuristic: match algorithm {
                Algorithm::Greedy | Algorithm::Wastar => "misplaced".parse().unwrap(),
                _ => HeuristicChoice::Auto,
            },
            limits: Limits::NONE,
            ..Options::default()
        };
        let mut watch = CancelAtThirdPoll { cancel: Cancel::new(), n_polls: 0 };
        let report = options.solve_with(&instance, &mut Tables::new(), &mut watch).unwrap();
        check(&report, Limit::Interrupted, optimal);
        assert!(report.stats.expanded > 0 && watch.n_polls == 3, "{algorithm}");
    }
}

/// Measures the number of states between two polls, and stops at the thirtieth.
#[derive(Default)]
struct PollInterval {
    n_polls: u32,
    seen: u64,
    longest: u64,
}

impl Watch for PollInterval {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.n_polls += 1;
        // The count restarts with each round and each table.
        self.longest = self.longest.max(stats.expanded.saturating_sub(self.seen));
        self.seen = stats.expanded;
        if self.n_polls < 30 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(Limit::Interrupted)
        }
    }
}

/// The slowest of these searches expands more than a million states per second, so a cancellation takes
/// effect within 50 ms.
#[test]
fn searches_poll_at_least_every_50000_states() {
    let (korf, _) = hard();
    let reversed = Instance::from(board("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"));
    let larger = "0 24 23 22 21/20 19 18 17 16/15 14 13 12 11/10 9 8 7 6/5 4 3 2 1";
    let larger = Instance::from(board(larger));
    for (instance, metric) in
        [(&korf, Metric::Stm), (&reversed, Metric::Mtm), (&larger, Metric::Stm)]
    {
        for algorithm in SEARCHES.into_iter().chain([Algorithm::Bidirectional]) {
            let proves = !matches!(algorithm, Algorithm::Greedy | Algorithm::Wastar);
            let options = Options {
                algorithm,
                metric,
                heuristic: if proves {
                    HeuristicChoice::Auto
                } else {
                    "misplaced".parse().unwrap()
                },
                optimal: proves,
                threads: Some(NonZeroUsize::MIN),
                // With a node limit, no round is searched on another thread, which would be polled by time.
                limits: Limits { nodes: Some(u64::MAX), ..Limits::NONE },
                ..Options::default()
            };
            let mut watch = PollInterval::default();
            let report = options.solve_with(instance, &mut Tables::new(), &mut watch).unwrap();
            assert!(watch.n_polls > 1, "{algorithm} {metric}");
            let rest = report.stats.expanded.saturating_sub(watch.seen);
            assert!(watch.longest.max(rest) <= 50_000, "{algorithm} {metric}: {}", watch.longest);
        }
    }
}

#[test]
fn limits_that_are_not_reached_have_no_effect() {
    let instance = Instance::from(board("8 6 7/2 5 4/3 0 1"));
    for algorithm in [Algorithm::Ida, Algorithm::Astar] {
        let unlimited = Options { algorithm, limits: Limits::NONE, ..Options::default() };
        let unlimited = unlimited.solve(&instance).unwrap();
        let limits = Limits { nodes: Some(unlimited.stats.expanded), ..Limits::default() };
        let report = Options { algorithm, limits, ..Options::default() }.solve(&instance).unwrap();
        assert_eq!((report.answer, report.stats), (unlimited.answer, unlimited.stats));
        assert_eq!(report.lower_bound, Some(31));
    }
}

#[test]
fn multi_tile_searches_respect_the_limits() {
    // 43 runs, the maximum of this size.
    let instance = Instance::from(board("1 5 9 13/2 6 10 14/3 7 11 15/4 8 12 0"));
    let little = Limits { memory: Some(20 << 20), ..Limits::NONE };
    let stopped = |limits: Limits, limit: Limit| {
        for algorithm in [Algorithm::Auto, Algorithm::Ida, Algorithm::Astar, Algorithm::Bfs] {
            let options = Options { algorithm, metric: Metric::Mtm, limits, ..Options::default() };
            let report = options.solve_with(&instance, &mut Tables::new(), &mut ()).unwrap();
            assert_eq!(report.answer, Answer::Stopped(limit), "{algorithm}");
            let lower = report.lower_bound.unwrap();
            assert!((12..43).contains(&lower), "{lower} {algorithm}");
        }
    };
    stopped(Limits { nodes: Some(1000), ..little }, Limit::Nodes);
    stopped(Limits { time: Some(Duration::ZERO), ..little }, Limit::Time);
    // The limit is reached while the large tables are built.
    stopped(Limits { time: Some(Duration::from_millis(30)), ..Limits::NONE }, Limit::Time);
}

#[test]
fn huge_limits_and_thread_counts_are_accepted() {
    let boards = [
        "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0",
        "2 1 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 24 23 0",
    ];
    for start in boards {
        let limits = Limits { time: Some(Duration::MAX), nodes: Some(5_000), memory: None };
        let threads = NonZeroUsize::new(usize::MAX);
        for algorithm in [Algorithm::Auto, Algorithm::Beam, Algorithm::Construct] {
            let options = Options { algorithm, limits, threads, ..Options::default() };
            let snail = Instance::new(board(start), &Goal::Snail).unwrap();
            for instance in [snail, Instance::from(board(start))] {
                if let Err(error) = options.solve(&instance) {
                    assert!(matches!(error, SolveError::Plan(_)), "{algorithm} {error}");
                }
            }
        }
    }
}

#[test]
fn multi_tile_lower_bound_exists_for_every_size() {
    for size in ["4x4", "5x5", "9x9"] {
        let start = Random::new(2).board(dims(size));
        let Some(instance) = Some(Instance::from(start)).filter(Instance::is_solvable) else {
            continue;
        };
        let heuristic = if size == "9x9" { "manhattan" } else { "pattern" }.parse().unwrap();
        let limits = Limits { memory: Some(100_000), nodes: Some(10), time: None };
        let metric = Metric::Mtm;
        let algorithm = Algorithm::Ida;
        let options = Options { algorithm, heuristic, limits, metric, ..Options::default() };
        let report = options.solve(&instance).unwrap();
        assert!(report.lower_bound > Some(10), "{size} {:?}", report.lower_bound);
    }
}
