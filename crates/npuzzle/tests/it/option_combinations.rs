//! Random combinations of sizes, goals, starts, metrics, algorithms, heuristics, weights, limits,
//! efforts, proofs, counts and numbers of threads, compared with plain enumeration: of all boards of up
//! to nine cells, and of all short paths on larger boards.

use std::num::NonZeroUsize;

use npuzzle::search::Weight;
use npuzzle::search::{Count, plan};
use npuzzle::{
    Algorithm, Answer, Effort, Goal, HeuristicChoice, HeuristicKind, Instance, Limit, Limits,
    Metric, Options, Report, TableSize, Tables,
};
use npuzzle_testkit::naive::{Oracle, is_solvable, n_walks};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{dims, is_long};

use crate::solve;

/// Sizes that are cheap to enumerate occur twice.
const SIZES: [&str; 9] = ["2x2", "2x3", "3x2", "2x4", "4x2", "2x3", "3x2", "2x2", "3x3"];

/// Larger sizes, each with the maximum length of the enumerated paths in each metric.
const LARGER: [(&str, [u32; 2]); 9] = [
    ("2x7", [9, 5]),
    ("3x4", [9, 6]),
    ("4x4", [9, 5]),
    ("3x6", [8, 5]),
    ("5x5", [8, 4]),
    ("6x6", [8, 4]),
    ("12x12", [7, 3]),
    ("2x127", [7, 2]),
    ("127x127", [6, 1]),
];

/// The number of cases for each goal.
const N_CASES: usize = 24;

fn pick<T: Copy>(random: &mut Random, items: &[T]) -> T {
    items[random.below(items.len())]
}

fn heuristic(random: &mut Random) -> HeuristicChoice {
    let one = |random: &mut Random| pick(random, &HeuristicKind::ALL);
    match random.below(4) {
        0 => HeuristicChoice::Auto,
        1 => format!("max({},{})", one(random), one(random)).parse().unwrap(),
        _ => HeuristicChoice::One(one(random)),
    }
}

fn options(random: &mut Random, metric: Metric) -> Options {
    let algorithm = pick(random, &Algorithm::ALL);
    let weights = [1.0, 1.25, 2.0, 5.0].map(Weight::new);
    let weight = if algorithm == Algorithm::Wastar { pick(random, &weights) } else { None };
    // Iterative deepening takes very long with a weak heuristic, and beams run until they are stopped.
    let nodes = match random.below(4) {
        0 => 1 + random.below(40) as u64,
        _ if algorithm == Algorithm::Beam => 30_000,
        _ => 200_000,
    };
    let memory = if random.below(8) == 0 { 1 << (12 + random.below(12)) } else { 2 << 30 };
    Options {
        algorithm,
        heuristic: heuristic(random),
        metric,
        weight,
        all: (random.below(5) == 0).then(|| random.below(4)),
        limits: Limits { nodes: Some(nodes), memory: Some(memory), ..Limits::default() },
        effort: pick(random, &[None, Some(Effort::Fast)]),
        optimal: random.below(4) == 0,
        tables: pick(random, &[TableSize::Auto, TableSize::Small]),
        threads: NonZeroUsize::new(1 + random.below(3)),
        bound: None,
        order: None,
    }
}

/// Checks the guarantees of every report. `truth` is the distance and the number of shortest solutions.
fn check(report: &Report, options: &Options, truth: Option<(u32, u128)>, what: &str) {
    let Some((distance, n_solutions)) = truth else {
        assert_eq!(report.answer, Answer::Unsolvable, "{what}");
        assert_eq!((report.lower_bound, report.upper_bound()), (None, None), "{what}");
        return;
    };
    assert_ne!(report.answer, Answer::Unsolvable, "{what}");
    let lower = report.lower_bound.unwrap();
    assert!(lower <= distance, "{what}: {lower} is no lower bound on {distance}");
    if let Some(upper) = report.upper_bound() {
        assert!(upper >= distance, "{what}: {upper} of {distance}");
        assert_eq!(report.is_optimal(), upper == lower, "{what}");
        assert_eq!(report.moves().map(|moves| moves.len(options.metric)), Some(upper as usize));
        // `Weight` multiplies whole numbers, so this is the weight in thousandths.
        let factor = options.weight.map_or(1.0, |weight| f64::from(weight.times(1000)) / 1000.0);
        let is_bounded =
            matches!(report.answer, Answer::Solved(_)) && is_bounded_by_weight(options.algorithm);
        assert!(!is_bounded || f64::from(upper) <= f64::from(distance) * factor, "{what}: {upper}");
    }
    if let (Some(h), Some(sound)) = (report.h_start, report.plan.as_ref()) {
        assert!(h <= distance, "{what}: {h} of {distance} by {sound}");
    }
    if let Some(optimal_solutions) = &report.optimal_solutions {
        assert_eq!(options.all.is_some(), report.optimal_solutions.is_some(), "{what}");
        let (count, is_exact) = match optimal_solutions.count {
            Count::Exactly(n) => (n, true),
            Count::AtLeast(n) => (n, false),
        };
        assert!(
            count <= n_solutions && (!is_exact || count == n_solutions),
            "{what}: {count} of {n_solutions}"
        );
        assert!(
            is_exact || optimal_solutions.stopped.is_some(),
            "{what}: {count} of {n_solutions}"
        );
    }
    check_counts(report, options, what);
}

/// Returns whether solutions are at most `weight` times as long as the shortest.
fn is_bounded_by_weight(algorithm: Algorithm) -> bool {
    !matches!(algorithm, Algorithm::Greedy | Algorithm::Beam | Algorithm::Construct)
}

/// Checks the counters by their definitions (`Stats`).
fn check_counts(report: &Report, options: &Options, what: &str) {
    let stats = report.stats;
    let max_nodes = options.limits.nodes.unwrap();
    if let Answer::Stopped(limit) = report.answer {
        assert!(matches!(limit, Limit::Nodes | Limit::Memory), "{what}: {limit:?}");
    }
    // Constructive search, which also follows a failed beam, checks the limit only at intervals.
    let is_constructive = matches!(options.algorithm, Algorithm::Beam | Algorithm::Construct);
    let excess = if is_constructive { 3_000 + max_nodes / 10 } else { 0 };
    assert!(stats.expanded <= max_nodes + excess, "{what}: {stats:?}");
    // A state has at most 3 children, since it does not generate its parent; the start has at most 4.
    let max_children = match options.metric {
        Metric::Stm => 3 * stats.expanded + 4,
        Metric::Mtm => {
            let dims = report.instance.dims();
            (dims.rows() + dims.cols()) as u64 * (stats.expanded + 1)
        }
    };
    assert!(stats.generated <= max_children.max(1), "{what}: {stats:?}");
    let n_rounds: u64 = report.rounds.iter().map(|round| round.expanded).sum();
    // After a beam, the rounds are those of the proof.
    let is_all = n_rounds == stats.expanded || options.algorithm == Algorithm::Beam;
    assert!(report.rounds.is_empty() || is_all, "{what}: {stats:?}");
    assert!(n_rounds <= stats.expanded, "{what}: {stats:?}");
    if matches!(options.algorithm, Algorithm::Astar | Algorithm::Greedy | Algorithm::Wastar) {
        assert!(stats.dequeued <= stats.enqueued, "{what}: {stats:?}");
        assert_eq!(stats.open, stats.enqueued - stats.dequeued, "{what}: {stats:?}");
        assert!(stats.open <= stats.max_open, "{what}: {stats:?}");
        assert!(stats.enqueued <= stats.generated + 1, "{what}: {stats:?}");
        assert!(stats.expanded <= stats.dequeued, "{what}: {stats:?}");
    }
}

#[test]
fn report_is_correct_for_any_options() {
    let mut random = Random::new(97);
    let n_goals = if is_long() { 400 } else { 54 };
    let (mut n_solved, mut n_stopped, mut n_unsolvable, mut n_refused) = (0, 0, 0, 0);
    for n in 0..n_goals {
        let size = dims(SIZES[n % SIZES.len()]);
        let goal = random.board(size);
        let metric = pick(&mut random, &Metric::ALL);
        let oracle = Oracle::new(&goal, metric);
        let paths = oracle.paths();
        for _ in 0..N_CASES {
            let start = random.board(size);
            let instance = Instance::new(start.clone(), &Goal::Board(goal.clone())).unwrap();
            let options = options(&mut random, metric);
            let what = format!("{instance:?} {options:?}");
            if plan(&instance, &options).is_err() {
                assert!(options.solve(&instance).is_err(), "{what}");
                n_refused += 1;
                continue;
            }
            let report = solve(&instance, &options);
            let truth = oracle.distance(&start).zip(paths.get(&start));
            assert_eq!(truth.is_some(), is_solvable(&start, &goal));
            check(&report, &options, truth, &what);
            match report.answer {
                Answer::Solved(_) => n_solved += 1,
                Answer::Unsolvable => n_unsolvable += 1,
                Answer::Stopped(_) => n_stopped += 1,
            }
            // Neither threads nor the tables of earlier boards change a result.
            if random.below(8) == 0 {
                let single = Options { threads: NonZeroUsize::new(1), ..options.clone() };
                let again = single.solve_with(&instance, &mut Tables::new(), &mut ()).unwrap();
                assert_eq!(again.upper_bound(), report.upper_bound(), "{what}");
                // The last level of A* on several threads ends at any of its goals.
                let is_parallel_astar =
                    options.algorithm == Algorithm::Astar && options.threads > single.threads;
                if !is_parallel_astar {
                    assert_eq!(
                        (again.answer, again.stats),
                        (report.answer, report.stats),
                        "{what}"
                    );
                }
            }
        }
    }
    // Every outcome occurs.
    let min_cases = n_goals / 2;
    for n in [n_solved, n_stopped, n_unsolvable, n_refused] {
        assert!(n > min_cases, "{n_solved} {n_stopped} {n_unsolvable} {n_refused}");
    }
}

#[test]
fn report_is_correct_for_large_boards_near_the_goal() {
    let mut random = Random::new(98);
    let (mut n_solved, mut n_optimal) = (0, 0);
    for (size, max_lengths) in LARGER {
        for n in 0..if is_long() { 60 } else { 12 } {
            let goal = random.board(dims(size));
            let metric = Metric::ALL[n % 2];
            let n_slides = random.below(max_lengths[n % 2] as usize + 1);
            let start = random.walk(&goal, n_slides);
            let n_solutions = |length| n_walks(&start, &goal, metric, length);
            let truth = (0..=max_lengths[n % 2])
                .map(|length| (length, n_solutions(length)))
                .find(|w| w.1 > 0);
            assert!(truth.is_some(), "the reversed walk is a solution");
            let instance = Instance::new(start.clone(), &Goal::Board(goal.clone())).unwrap();
            let options = Options { effort: Some(Effort::Fast), ..options(&mut random, metric) };
            let what = format!("{} {options:?} {truth:?}", instance.start().slash());
            if plan(&instance, &options).is_err() {
                assert!(options.solve(&instance).is_err(), "{what}");
                continue;
            }
            let report = solve(&instance, &options);
            check(&report, &options, truth, &what);
            n_solved += usize::from(matches!(report.answer, Answer::Solved(_)));
            n_optimal += usize::from(report.is_optimal());
        }
    }
    assert!(n_solved.min(n_optimal) > 3 * LARGER.len(), "{n_solved} {n_optimal}");
}
