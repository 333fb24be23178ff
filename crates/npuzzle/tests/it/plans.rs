//! The choice of the engine, and the options that are refused.

use std::num::NonZeroUsize;

use npuzzle::search::{Availability, Engine, PlanError, plan, plan_with};
use npuzzle::search::{Evaluation, Weight};
use npuzzle::{
    Algorithm, Goal, HeuristicChoice, HeuristicKind, Instance, Limits, Metric, Options, Report,
    SolveError, Tables,
};
use npuzzle_testkit::dims;

use crate::answers::heuristics;

fn instance(size: &str) -> Instance {
    Instance::from(Goal::Last.board(dims(size)).unwrap())
}

fn with_algorithm(algorithm: Algorithm) -> Options {
    Options { algorithm, ..Options::default() }
}

const AUTO: HeuristicChoice = HeuristicChoice::Auto;
const STRONGEST: HeuristicChoice = HeuristicChoice::One(HeuristicKind::LinearConflict);
const WALKING: HeuristicChoice =
    HeuristicChoice::Max(HeuristicKind::Walking, HeuristicKind::LinearConflict);
const PATTERN: HeuristicChoice = HeuristicChoice::One(HeuristicKind::Pattern);
const BLIND: HeuristicChoice = HeuristicChoice::One(HeuristicKind::Zero);
const MANHATTAN: HeuristicChoice = HeuristicChoice::One(HeuristicKind::Manhattan);

#[test]
fn default_engine_depends_on_the_size() {
    let check = |size: &str, heuristic: HeuristicChoice, expect: Engine, explained: &str| {
        let plan = plan(&instance(size), &Options { heuristic, ..Options::default() }).unwrap();
        assert_eq!(plan.engine, expect, "{size}");
        assert!(plan.to_string().starts_with(explained), "{plan}");
    };
    let table = Engine::Table;
    check("2x2", AUTO, table, "table: ");
    check("3x3", AUTO, table, "table: the full table of a board of up to 10 cells");
    check("3x3", MANHATTAN, Engine::Ida(MANHATTAN), "ida with manhattan: a heuristic");
    check("2x5", AUTO, table, "table: the full table of a board of up to 10 cells");
    check("3x4", AUTO, Engine::PdbIda, "ida with pattern: pattern databases for 12 cells");
    check("4x4", AUTO, Engine::PdbIda, "ida with pattern: pattern databases");
    check("8x2", AUTO, Engine::PdbIda, "ida with pattern: pattern databases for 16 cells");
    check(
        "3x6",
        AUTO,
        Engine::Beam { proof: true },
        "beam: 18 cells are usually too many for a proof",
    );
    check("14x14", AUTO, Engine::Beam { proof: false }, "beam: 196 cells");
    check("14x15", AUTO, Engine::Construct, "construct: 210 cells");
    check("16x17", AUTO, Engine::Construct, "construct: 272 cells");
    check("5x5", BLIND, Engine::Ida(BLIND), "ida with zero: ");
}

#[test]
fn optimal_selects_an_exact_engine() {
    let check = |size: &str, expect: Engine, explained: &str| {
        let options = Options { optimal: true, ..Options::default() };
        let plan = plan(&instance(size), &options).unwrap();
        assert_eq!(plan.engine, expect, "{size}");
        assert!(plan.to_string().starts_with(explained), "{plan}");
        let all = Options { all: Some(0), ..Options::default() };
        assert_eq!(npuzzle::search::plan(&instance(size), &all).unwrap().engine, expect);
    };
    check("3x6", Engine::PdbIda, "ida with pattern: pattern databases for 18 cells");
    check("5x5", Engine::PdbIda, "ida with pattern: pattern databases for 25 cells");
    check("3x9", Engine::Ida(STRONGEST), "ida with linear-conflict: 27 cells");
}

#[test]
fn algorithm_gets_its_strongest_heuristic() {
    let check = |algorithm: Algorithm, expect: Engine| {
        let plan = plan(&instance("4x4"), &with_algorithm(algorithm)).unwrap();
        assert_eq!((plan.algorithm, plan.engine), (algorithm, expect));
    };
    check(Algorithm::Ida, Engine::PdbIda);
    check(Algorithm::Astar, Engine::BestFirst(Evaluation::AStar, WALKING));
    let weighted = Evaluation::Weighted(Weight::DEFAULT);
    check(Algorithm::Wastar, Engine::BestFirst(weighted, STRONGEST));
    check(Algorithm::Greedy, Engine::BestFirst(Evaluation::Greedy, STRONGEST));
    check(Algorithm::Bfs, Engine::BreadthFirst);
    check(Algorithm::Uniform, Engine::BestFirst(Evaluation::Uniform, BLIND));
    check(Algorithm::Bidirectional, Engine::Bidirectional(WALKING));
    check(Algorithm::Construct, Engine::Construct);
    // Walking distance is unavailable or unnecessary for these sizes.
    for size in ["3x3", "3x6", "5x5"] {
        let plan = plan(&instance(size), &with_algorithm(Algorithm::Astar)).unwrap();
        assert_eq!(plan.engine, Engine::BestFirst(Evaluation::AStar, STRONGEST), "{size}");
    }
}

#[test]
fn astar_uses_several_threads_only_if_requested() {
    let engine = |size: &str, n_threads: usize, options: Options| {
        let options = Options { threads: NonZeroUsize::new(n_threads), ..options };
        plan(&instance(size), &options).unwrap().engine
    };
    let astar = || with_algorithm(Algorithm::Astar);
    let one_thread = Engine::BestFirst(Evaluation::AStar, WALKING);
    assert_eq!([0, 1].map(|n_threads| engine("4x4", n_threads, astar())), [one_thread; 2]);
    let several = Engine::HashDistributedAstar { heuristic: WALKING, n_threads: 3 };
    assert_eq!(engine("4x4", 3, astar()), several);
    // Searches that exist for one thread only: large boards, straight runs, inconsistent heuristics.
    assert_eq!(engine("5x5", 3, astar()), Engine::BestFirst(Evaluation::AStar, STRONGEST));
    let runs = Options { metric: Metric::Mtm, ..astar() };
    assert_eq!(engine("3x4", 3, runs), Engine::BestFirst(Evaluation::AStar, STRONGEST));
    let pattern = Options { heuristic: PATTERN, ..astar() };
    assert_eq!(engine("4x4", 3, pattern), Engine::BestFirst(Evaluation::AStar, PATTERN));
}

/// The length of a solution, its proof and limits do not depend on the threads; a batch and a comparison use one.
#[test]
fn astar_on_several_threads_proves_the_same_length() {
    let board: Instance = "9 2 8 11/0 5 13 7/15 1 4 10/3 14 6 12".parse().unwrap();
    let options = |n_threads: usize, heuristic: HeuristicChoice| Options {
        threads: NonZeroUsize::new(n_threads),
        heuristic,
        ..with_algorithm(Algorithm::Astar)
    };
    for heuristic in [WALKING, STRONGEST] {
        let one = options(1, heuristic).solve(&board).unwrap();
        let two = options(2, heuristic).solve(&board).unwrap();
        assert_eq!((two.upper_bound(), two.is_optimal()), (Some(45), true));
        assert_eq!((one.upper_bound(), one.is_optimal()), (Some(45), true));
        let limits = Limits { nodes: Some(1000), ..Limits::NONE };
        let limited = Options { limits, ..options(2, heuristic) }.solve(&board).unwrap();
        assert!(limited.stats.expanded <= 1000 && !limited.is_optimal());
        let mut counts = Vec::new();
        let boards = [board.clone(), board.clone()];
        let receive =
            &mut |_, report: Result<Report, SolveError>| counts.push(report.unwrap().stats);
        options(2, heuristic).solve_many(&boards, &mut Tables::new(), &mut (), receive).unwrap();
        assert_eq!(counts, [one.stats; 2]);
    }
}

#[test]
fn bidirectional_search_refuses_patterns() {
    check_refused(
        "4x4",
        &Options { heuristic: PATTERN, ..with_algorithm(Algorithm::Bidirectional) },
        PlanError::OneEnd,
        "pattern databases estimate the distance to the goal only, and bidirectional search needs the \
         distance to the start as well: use walking or linear-conflict",
    );
}

/// Checks that a plan is refused with this error and message, and that `solve` refuses it, too.
fn check_refused(size: &str, options: &Options, expect: PlanError, words: &str) {
    let error = plan(&instance(size), options).unwrap_err();
    assert_eq!((&error, error.to_string().as_str()), (&expect, words));
    let solved = options.solve(&instance(size)).unwrap_err();
    assert_eq!(solved.to_string(), words);
    assert_eq!(solved, SolveError::Plan(expect));
}

#[test]
fn table_refuses_boards_that_are_too_large() {
    check_refused(
        "2x7",
        &with_algorithm(Algorithm::Table),
        PlanError::TableTooLarge { cells: 14 },
        "a full table holds boards of up to 12 cells, and this one has 14: use ida",
    );
}

#[test]
fn full_table_is_used_when_available_or_profitable() {
    let engine = |available, limits| {
        let options = Options { limits, ..Options::default() };
        plan_with(&instance("3x4"), &options, available).unwrap().engine
    };
    let (table, search) = (Engine::Table, Engine::PdbIda);
    let little = Limits { memory: Some(60_000_000), ..Limits::NONE };
    let stored = Availability { has_table: true, n_searched: 0 };
    let profitable = Availability { has_table: false, n_searched: 50_000_000 };
    let not_yet = Availability { has_table: false, n_searched: 49_999_999 };
    assert_eq!(engine(Availability::default(), Limits::NONE), search);
    assert_eq!(engine(stored, Limits::NONE), table);
    assert_eq!(engine(stored, little), table);
    assert_eq!(engine(not_yet, Limits::NONE), search);
    assert_eq!(engine(profitable, Limits::NONE), table);
    assert_eq!(engine(profitable, little), search);
}

#[test]
fn table_that_exceeds_the_memory_limit_is_refused() {
    let limits = |memory| Limits { memory: Some(memory), ..Limits::NONE };
    let little = Options { limits: limits(60_000_000), ..with_algorithm(Algorithm::Table) };
    check_refused(
        "3x4",
        &little,
        PlanError::TableMemory { needed: 66_528_000 },
        "the full table needs 67 MB to build, more than the memory limit: raise the limit or use ida",
    );
    let mtm = |algorithm, memory| {
        let options =
            Options { metric: Metric::Mtm, limits: limits(memory), ..with_algorithm(algorithm) };
        plan(&instance("2x6"), &options).map(|plan| plan.engine)
    };
    let refused = mtm(Algorithm::Table, 90_000_000);
    assert_eq!(refused, Err(PlanError::TableMemory { needed: 101_122_560 }));
    assert_eq!(mtm(Algorithm::Table, 101_122_560), Ok(Engine::Table));
    assert_eq!(mtm(Algorithm::Auto, 90_000_000), Ok(Engine::MtmIda { n_classes: 4 }));
    let none = Options { limits: limits(0), ..Options::default() };
    assert_eq!(plan(&instance("3x3"), &none).unwrap().engine, Engine::Table);
    assert_eq!(plan(&instance("2x5"), &none).unwrap().engine, Engine::Ida(STRONGEST));
    assert_eq!(plan(&instance("4x4"), &none).unwrap().engine, Engine::PdbIda);
    let some = Options { limits: limits(400_000), ..Options::default() };
    assert_eq!(plan(&instance("2x5"), &some).unwrap().engine, Engine::PdbIda);
}

#[test]
fn heuristic_is_refused_by_algorithms_without_one() {
    let is_blind = |algorithm| matches!(algorithm, Algorithm::Bfs | Algorithm::Uniform);
    use Algorithm::{Bfs, Construct, Table, Uniform};
    for algorithm in [Table, Bfs, Uniform, Construct] {
        for heuristic in heuristics() {
            let options = Options { algorithm, heuristic, ..Options::default() };
            let allowed = heuristic == AUTO || heuristic == BLIND && is_blind(algorithm);
            if allowed {
                assert!(plan(&instance("3x3"), &options).is_ok(), "{algorithm} {heuristic}");
            } else {
                let words = format!("{algorithm} uses no heuristic, but {heuristic} was requested");
                let error = PlanError::NoHeuristic { algorithm, heuristic };
                check_refused("3x3", &options, error, &words);
            }
        }
    }
}

#[test]
fn patterns_are_refused_for_large_boards() {
    let words = "pattern databases exist for boards of up to 25 cells: use linear-conflict";
    let max = HeuristicChoice::Max(HeuristicKind::Manhattan, HeuristicKind::Pattern);
    for heuristic in [PATTERN, max] {
        let options = Options { heuristic, ..Options::default() };
        for size in ["2x13", "3x9", "12x12", "127x127"] {
            check_refused(size, &options, PlanError::NoPatterns, words);
        }
        assert!(plan(&instance("4x4"), &options).is_ok());
        assert!(plan(&instance("5x5"), &options).is_ok());
        let snail = Instance::new(instance("4x4").start().clone(), &Goal::Snail).unwrap();
        assert!(plan(&snail, &options).is_ok());
    }
}

#[test]
fn walking_distance_is_refused_for_large_boards() {
    let words = "walking distance exists for boards of up to 4x4, 3x5 and 2x6: use linear-conflict";
    let walking = HeuristicChoice::One(HeuristicKind::Walking);
    let max = HeuristicChoice::Max(HeuristicKind::Manhattan, HeuristicKind::Walking);
    for heuristic in [walking, max] {
        let options = Options { heuristic, ..Options::default() };
        for size in ["2x7", "6x3", "4x5", "5x5", "127x127"] {
            check_refused(size, &options, PlanError::NoWalking, words);
        }
        for size in ["3x3", "4x4", "5x3", "2x6"] {
            assert!(plan(&instance(size), &options).is_ok(), "{size}");
        }
    }
}

#[test]
fn weight_is_refused_by_algorithms_without_one() {
    let weight = Weight::new(2.0);
    for algorithm in Algorithm::ALL {
        let options = Options { weight, ..with_algorithm(algorithm) };
        if algorithm == Algorithm::Wastar {
            let evaluation = Evaluation::Weighted(weight.unwrap());
            let engine = plan(&instance("4x4"), &options).unwrap().engine;
            assert_eq!(engine, Engine::BestFirst(evaluation, STRONGEST));
        } else {
            let words = format!("only wastar takes a weight, not {algorithm}");
            check_refused("3x3", &options, PlanError::Weight(algorithm), &words);
        }
    }
}

#[test]
fn multi_tile_metric_selects_its_own_engines() {
    let check = |size: &str, options: &Options, expect: Engine, explained: &str| {
        let options = Options { metric: Metric::Mtm, ..options.clone() };
        let plan = plan(&instance(size), &options).unwrap();
        assert_eq!((plan.engine, plan.metric), (expect, Metric::Mtm), "{size}");
        assert!(plan.to_string().starts_with(explained), "{plan}");
    };
    let auto = Options::default();
    let runs = Engine::MtmIda { n_classes: 4 };
    let fifteen = Engine::MtmIda { n_classes: 5 };
    check("3x3", &auto, Engine::Table, "table: the full table");
    check("4x4", &auto, fifteen, "ida with pattern: MTM tables for 16 cells are built");
    check("2x7", &auto, runs, "ida with pattern: MTM tables for 14 cells");
    check("3x3", &with_algorithm(Algorithm::Ida), runs, "ida with pattern: as requested");
    check("4x4", &Options { heuristic: PATTERN, ..auto.clone() }, fifteen, "ida with pattern: ");
    check("5x5", &auto, Engine::Beam { proof: false }, "beam: 25 cells");
    let optimal = Options { optimal: true, ..auto.clone() };
    check("5x5", &optimal, Engine::Ida(STRONGEST), "ida with linear-conflict: 25 cells");
    let manhattan = Options { heuristic: MANHATTAN, ..auto };
    check("3x3", &manhattan, Engine::Ida(MANHATTAN), "ida with manhattan: a heuristic");
    let astar = Engine::BestFirst(Evaluation::AStar, STRONGEST);
    check(
        "4x4",
        &with_algorithm(Algorithm::Astar),
        astar,
        "astar with linear-conflict: as requested",
    );
}

#[test]
fn multi_tile_tables_depend_on_the_memory_limit() {
    let plan = |memory: Option<u64>, goal: &Goal| {
        let limits = Limits { memory, ..Limits::NONE };
        let options = Options { metric: Metric::Mtm, limits, ..Options::default() };
        let start = instance("4x4").start().clone();
        plan(&Instance::new(start, goal).unwrap(), &options).unwrap()
    };
    let n_classes = |memory: Option<u64>, goal: &Goal| {
        let plan = plan(memory, goal);
        let Engine::MtmIda { n_classes } = plan.engine else { panic!("{plan}") };
        assert_eq!(plan.reason.contains("the memory limit allows"), n_classes < 5, "{plan}");
        n_classes
    };
    assert_eq!(n_classes(None, &Goal::Last), 5);
    assert_eq!(n_classes(Some(2 << 30), &Goal::Last), 5);
    assert_eq!(n_classes(Some(200 << 20), &Goal::Last), 4);
    assert_eq!(n_classes(Some(200 << 20), &Goal::Snail), 4);
    assert_eq!(n_classes(Some(50 << 20), &Goal::Last), 3);
    assert_eq!(n_classes(Some(1 << 20), &Goal::Last), 2);
    let without = plan(Some(0), &Goal::Last);
    assert_eq!(without.engine, Engine::Ida(STRONGEST));
    assert!(without.reason.starts_with("the memory limit is too low for MTM tables"));
}

#[test]
fn names_round_trip() {
    for algorithm in Algorithm::ALL {
        assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
    }
    for heuristic in heuristics() {
        assert_eq!(heuristic.to_string().parse(), Ok(heuristic));
    }
}

#[test]
fn order_of_moves_needs_a_textbook_search() {
    let with_order = |algorithm, heuristic, size: &str| {
        let order = "ulrd".parse().ok();
        let options = Options { algorithm, heuristic, order, ..Options::default() };
        plan(&instance(size), &options).map(|plan| plan.engine)
    };
    let refused = |algorithm| Err(PlanError::NoOrder(algorithm));
    assert_eq!(with_order(Algorithm::Auto, AUTO, "3x3"), refused(Algorithm::Table));
    assert_eq!(with_order(Algorithm::Beam, AUTO, "5x5"), refused(Algorithm::Beam));
    assert_eq!(with_order(Algorithm::Ida, PATTERN, "4x4"), refused(Algorithm::Ida));
    // Without an order it would use pattern databases.
    assert_eq!(with_order(Algorithm::Ida, AUTO, "4x4"), Ok(Engine::Ida(STRONGEST)));
    assert_eq!(with_order(Algorithm::Bfs, AUTO, "4x4"), Ok(Engine::BreadthFirst));
    let best_first = Ok(Engine::BestFirst(Evaluation::AStar, MANHATTAN));
    assert_eq!(with_order(Algorithm::Astar, MANHATTAN, "4x4"), best_first);
}
