//! The engine against plain searches.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::context::Context;
use super::*;
use crate::engine::ida::subtree_split::MIN_LONG_ROUND;
use crate::tables::canonical::CanonicalForm;
use npuzzle_core::heuristic::LinearConflict;
use npuzzle_core::search::{Budget, Cost, Heuristic, Outcome, idastar};
use npuzzle_core::{Goal, Packed, Sliding};
use npuzzle_tables::{Partition, PdbSet};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{board, dims};

const ONE_THREAD: Resources = Resources { budget: Budget::NONE, threads: 1, max_round_time: None };

/// A whole search.
fn whole(
    start: &Board,
    patterns: &AdditivePdb,
    automaton: &SlideAutomaton,
    resources: Resources,
    watch: &mut dyn Watch,
) -> SearchReport<Slide> {
    let engine = engine(start, patterns, automaton);
    let hooks = Hooks { watch, journal: None };
    patterns.form().report(engine.iterate(DeepeningState::default(), &resources, hooks).unwrap())
}

fn patterns(goal: &Board) -> AdditivePdb {
    let form = CanonicalForm::new(goal).unwrap();
    let set = PdbSet::new(form.dims(), form.blank()).unwrap();
    AdditivePdb::new(form, Arc::new(set))
}

/// All goals with the blank in a corner, in order or not.
fn goals() -> [Board; 4] {
    let first = Goal::First.board(dims("4x4")).unwrap();
    let last = Goal::Last.board(dims("4x4")).unwrap();
    let top_right = board("3 7 11 0/2 6 10 15/1 5 9 14/4 8 12 13");
    let bottom_left = board("12 8 4 15/13 9 5 1/14 10 6 2/0 11 7 3");
    [first, last, top_right, bottom_left]
}

/// Asserts along a random walk that the incremental node equals a node from scratch.
fn check_steps<L: Config>(goal: &Board, patterns: &AdditivePdb, random: &mut Random) {
    let automaton = SlideAutomaton::embedded().unwrap();
    let context = Context::<L>::new(patterns.set(), &automaton);
    let form = patterns.form();
    let mut at = goal.clone();
    let mut node = context.root(&form.labels(&at));
    for _ in 0..2000 {
        let slides: Vec<Slide> = at.slides().collect();
        let slide = slides[random.below(slides.len())];
        at.slide(slide);
        let canonical = Slide::ALL.into_iter().find(|&s| form.slide(s) == slide).unwrap();
        let left = random.below(100) as i32;
        let child = context.child_after(canonical, &node, 0, left);
        node = context.child_after(canonical, &node, 0, i32::MAX).unwrap();
        let mut scratch = context.root(&form.labels(&at));
        scratch.automaton = node.automaton;
        if !L::MIRROR {
            (scratch.mirror, scratch.mirror_ranks) = (node.mirror, node.mirror_ranks);
        }
        assert_eq!(node, scratch);
        let plain: Cost = Heuristic::<Sliding<Board>>::eval(patterns, &at);
        assert_eq!(scratch.h() as Cost, plain, "{at:?}");
        assert_eq!(child.is_some(), scratch.h() <= left, "{at:?}");
    }
}

#[test]
fn incremental_nodes_equal_nodes_from_scratch() {
    let mut random = Random::new(1);
    for goal in goals() {
        check_steps::<Layout<u64, 4, 2, true, false>>(&goal, &patterns(&goal), &mut random);
        check_steps::<Layout<u64, 4, 2, true, true>>(&goal, &patterns(&goal), &mut random);
    }
    for (size, goal) in [("4x4", 1), ("4x4", 7)] {
        let goal = with_blank_at(size, goal);
        check_steps::<Layout<u64, 4, 2, false, false>>(&goal, &patterns(&goal), &mut random);
    }
    let goal = with_blank_at("9x2", 3);
    check_steps::<Layout<u128, 2, 2, false, true>>(&goal, &patterns(&goal), &mut random);
    let goal = with_blank_at("3x7", 4);
    check_steps::<Layout<u128, 3, 2, false, true>>(&goal, &patterns(&goal), &mut random);
    let goal = with_blank_at("5x4", 19);
    check_steps::<Layout<u128, 4, 2, false, true>>(&goal, &patterns(&goal), &mut random);
    let goal = with_blank_at("5x5", 1);
    check_steps::<Layout<u128, 5, 2, false, true>>(&goal, &patterns(&goal), &mut random);
    let goal = with_blank_at("5x5", 12);
    check_steps::<Layout<u128, 5, 2, true, true>>(&goal, &patterns(&goal), &mut random);
    let goal = with_blank_at("7x2", 2);
    check_steps::<Layout<u64, 2, 4, false, true>>(&goal, &wide(&goal), &mut random);
    let goal = with_blank_at("5x3", 14);
    check_steps::<Layout<u64, 3, 4, false, true>>(&goal, &wide(&goal), &mut random);
    let goal = with_blank_at("4x4", 4);
    check_steps::<Layout<u64, 4, 4, false, true>>(&goal, &wide(&goal), &mut random);
    let goal = with_blank_at("4x4", 5);
    check_steps::<Layout<u64, 4, 4, true, true>>(&goal, &wide(&goal), &mut random);
}

/// The tiles in order, the blank at a cell.
fn with_blank_at(size: &str, cell: u16) -> Board {
    let dims = dims(size);
    let tiles = (0..dims.cells() as u16).map(|at| match at.cmp(&cell) {
        std::cmp::Ordering::Less => at + 1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => at,
    });
    Board::new(dims, &tiles.collect::<Vec<u16>>()).unwrap()
}

/// Two patterns of four tiles, four bits an entry.
fn wide(goal: &Board) -> AdditivePdb {
    let form = CanonicalForm::new(goal).unwrap();
    let blank = form.blank().index() as u8;
    let tiles: Vec<u8> = (0..form.dims().cells() as u8).filter(|&tile| tile != blank).collect();
    let parts = [&tiles[..4], &tiles[4..8]];
    let partition = Partition::new(form.dims(), form.blank(), &parts, Width::Four).unwrap();
    let set = partition.build(1, &mut ()).unwrap();
    AdditivePdb::new(form, Arc::new(set))
}

/// Prefetching changes how entries are read, not what is found.
#[test]
fn prefetching_changes_neither_solutions_nor_counts() {
    let automaton = SlideAutomaton::embedded().unwrap();
    let mut random = Random::new(7);
    let goal = Goal::Last.board(dims("4x4")).unwrap();
    let patterns = patterns(&goal);
    for n_steps in [0, 5, 20, 40, 60, 80, 100, 150, 200, 300] {
        let labels = patterns.form().labels(&random.walk(&goal, n_steps));
        let engines = [
            compiled::<Layout<u64, 4, 2, true, false>>(&patterns, &automaton, &labels),
            compiled::<Layout<u64, 4, 2, true, true>>(&patterns, &automaton, &labels),
        ];
        let [near, far] = engines.map(|engine| {
            let hooks = Hooks { watch: &mut (), journal: None };
            engine.iterate(DeepeningState::default(), &ONE_THREAD, hooks)
        });
        assert!(matches!(near, Ok(SearchReport { outcome: Outcome::Solved(_), .. })));
        assert_eq!(near, far);
    }
}

#[test]
fn lengths_equal_those_of_plain_idastar() {
    let automaton = SlideAutomaton::embedded().unwrap();
    let mut random = Random::new(2);
    for goal in goals() {
        let patterns = patterns(&goal);
        for n_steps in [0, 1, 2, 7, 20, 30, 40, 50, 60, 70] {
            let start = random.walk(&goal, n_steps);
            let fast = whole(&start, &patterns, &automaton, ONE_THREAD, &mut ());
            let instance = Instance::new(start.clone(), &Goal::Board(goal.clone())).unwrap();
            let problem = Sliding::<Packed>::new(&instance).unwrap();
            let plain = idastar(&problem, &LinearConflict::new(&goal), Budget::NONE, &mut ());
            match (fast.outcome, plain.outcome) {
                (Outcome::Solved(fast), Outcome::Solved(plain)) => {
                    assert_eq!(fast.len(), plain.len(), "{start:?}");
                    let moves = npuzzle_core::Moves::from(fast);
                    assert_eq!(moves.replay(&start).as_ref(), Ok(&goal));
                }
                other => panic!("{start:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn rectangles_with_any_goal_agree_with_plain_idastar() {
    let automaton = SlideAutomaton::embedded().unwrap();
    let mut random = Random::new(3);
    let small = ["2x2", "2x3", "3x2", "3x3", "2x5", "5x2", "3x4", "4x3", "2x7", "3x5", "8x2"];
    let large = ["2x9", "12x2", "4x5", "6x4", "3x8", "5x5"];
    for size in small.into_iter().chain(["4x4"; 3]).chain(large) {
        let goal = random.board(dims(size));
        let patterns = patterns(&goal);
        for n_steps in [1, 5, 15, 25, 35] {
            let start = random.walk(&goal, n_steps);
            let fast = whole(&start, &patterns, &automaton, ONE_THREAD, &mut ());
            let instance = Instance::new(start.clone(), &Goal::Board(goal.clone())).unwrap();
            let problem = Sliding::<Board>::new(&instance).unwrap();
            let plain = idastar(&problem, &patterns, Budget::NONE, &mut ());
            let blind = idastar(&problem, &LinearConflict::new(&goal), Budget::NONE, &mut ());
            let (Outcome::Solved(fast), Outcome::Solved(plain), Outcome::Solved(blind)) =
                (fast.outcome, plain.outcome, blind.outcome)
            else {
                panic!("{start:?}");
            };
            assert_eq!((fast.len(), plain.len()), (blind.len(), blind.len()), "{start:?}");
            let moves = npuzzle_core::Moves::from(fast);
            assert_eq!(moves.replay(&start).as_ref(), Ok(&goal));
        }
    }
}

#[test]
fn node_limit_is_exact() {
    let goal = Goal::Last.board(dims("4x4")).unwrap();
    let patterns = patterns(&goal);
    let automaton = SlideAutomaton::embedded().unwrap();
    let hard = board("0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1");
    for max_nodes in [0, 1, 2, 1000, 20_000, 50_000] {
        let budget = Budget { nodes: Some(max_nodes), ..Budget::NONE };
        let report = whole(
            &hard,
            &patterns,
            &automaton,
            Resources { budget, threads: 2, ..ONE_THREAD },
            &mut (),
        );
        assert_eq!(report.stats.expanded, max_nodes);
        assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Nodes, .. }));
    }
}

#[test]
fn thread_count_changes_neither_solution_nor_counts() {
    let goal = Goal::First.board(dims("4x4")).unwrap();
    let patterns = patterns(&goal);
    let automaton = SlideAutomaton::embedded().unwrap();
    // Korf's boards 17, 88 and 60, which take the most nodes: rounds are long, and the goal is late,
    // early and in the middle of the last one.
    for start in [
        "15 14 0 4/11 1 6 13/7 5 8 9/3 2 10 12",
        "15 2 12 11/14 13 9 5/1 3 8 7/0 10 6 4",
        "11 14 13 1/2 3 12 4/15 7 9 5/10 6 8 0",
    ] {
        let start = board(start);
        let run = |threads| {
            let resources = Resources { threads, ..ONE_THREAD };
            whole(&start, &patterns, &automaton, resources, &mut ())
        };
        let single = run(1);
        assert!(single.stats.expanded > 2 * MIN_LONG_ROUND, "{:?}", single.stats);
        for threads in [2, 3, 7] {
            assert_eq!(run(threads), single, "{start:?} on {threads} threads");
        }
    }
}

#[test]
fn watch_stops_all_threads() {
    struct Impatient(u32);
    impl Watch for Impatient {
        fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
            self.0 += 1;
            if self.0 < 100 { ControlFlow::Continue(()) } else { ControlFlow::Break(Limit::Time) }
        }
    }
    let goal = Goal::Last.board(dims("4x4")).unwrap();
    let patterns = patterns(&goal);
    let automaton = SlideAutomaton::embedded().unwrap();
    let hard = board("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1");
    let resources = Resources { threads: 3, ..ONE_THREAD };
    let report = whole(&hard, &patterns, &automaton, resources, &mut Impatient(0));
    let Outcome::Stopped { limit: Limit::Time, frontier } = report.outcome else {
        panic!("{:?}", report.outcome);
    };
    assert!(frontier <= 80);
}
