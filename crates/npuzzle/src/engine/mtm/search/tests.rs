//! The engine against full tables, and against itself.

use std::sync::LazyLock;
use std::time::Duration;

use super::*;
use crate::engine::ida::iterate::{DeepeningState, Hooks};
use crate::engine::ida::subtree_split::MIN_SPLIT_ROUND;
use crate::limits::Resources;
use npuzzle_core::search::{Budget, Limit, Outcome, SearchReport, Stats, Watch};
use npuzzle_core::{Goal, Instance, Metric, Moves};
use npuzzle_tables::Abstraction;
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{board, dims};

use crate::tables::full::FullTable;

const ONE_THREAD: Resources = Resources { budget: Budget::NONE, threads: 1, max_round_time: None };

/// The canonical form of a goal, and its tables with `n_classes` classes.
fn tables(goal: &Board, n_classes: usize) -> (CanonicalForm, Vec<Arc<MtmTable>>) {
    let form = CanonicalForm::new(goal).unwrap();
    let complementary = Abstraction::complementary(form.dims(), form.blank(), n_classes).unwrap();
    let build = |abstraction| Arc::new(MtmTable::build(abstraction, 2, &mut ()).unwrap());
    (form, complementary.into_iter().map(build).collect())
}

static AUTOMATON: LazyLock<RunAutomaton> = LazyLock::new(|| RunAutomaton::embedded().unwrap());

/// A search from a state, under a watch.
fn search_from(
    state: DeepeningState,
    start: &Board,
    form: &CanonicalForm,
    tables: &[Arc<MtmTable>],
    resources: Resources,
    watch: &mut dyn Watch,
) -> Result<SearchReport<Slide>, DeepeningState> {
    let engine = engine(start, form, tables, &AUTOMATON);
    let report =
        engine.iterate(state, &resources, Hooks { watch, journal: None, upper_bound: None })?;
    Ok(form.report(report))
}

/// A whole search.
fn mtm_ida(
    start: &Board,
    form: &CanonicalForm,
    tables: &[Arc<MtmTable>],
    resources: Resources,
    watch: &mut dyn Watch,
) -> SearchReport<Slide> {
    search_from(DeepeningState::default(), start, form, tables, resources, watch).unwrap()
}

/// Asserts that a search finds a solution of `expect` runs.
fn check(start: &Board, goal: &Board, form: &CanonicalForm, tables: &[Arc<MtmTable>], expect: u32) {
    let report = mtm_ida(start, form, tables, ONE_THREAD, &mut ());
    let Outcome::Solved(path) = report.outcome else { panic!("{start:?}") };
    let moves = Moves::from(path);
    assert_eq!(moves.mtm() as u32, expect, "{start:?} to {goal:?}");
    assert_eq!(moves.replay(start).as_ref(), Ok(goal));
}

/// Asserts that every `stride`-th board of a size is solved in as few runs as its full table says.
fn check_all(goal: &Board, n_classes: usize, stride: usize) {
    let (form, tables) = tables(goal, n_classes);
    let full = FullTable::build(goal, Metric::Mtm).unwrap();
    let space = npuzzle_testkit::space::of(&goal.dims().to_string()).next().unwrap();
    for (at, start) in space.arrangements.iter().step_by(stride).enumerate() {
        let Some(expect) = full.distance(start) else { continue };
        check(start, goal, &form, &tables, expect);
        if at % 16 == 0 {
            assert!(runs_at_least(start, &form, &tables) <= expect, "{start:?}");
        }
    }
}

#[test]
fn small_boards_agree_with_full_tables() {
    for size in ["2x2", "2x3", "3x2", "2x4", "4x2"] {
        for goal in [Goal::Last, Goal::First, Goal::Snail] {
            check_all(&goal.board(dims(size)).unwrap(), 4, 1);
        }
        let odd = npuzzle_testkit::random::Random::new(3).board(dims(size));
        check_all(&odd, 4, 1);
    }
    check_all(&Goal::Last.board(dims("3x3")).unwrap(), 4, 5);
    check_all(&Goal::First.board(dims("3x3")).unwrap(), 4, 37);
    // The blank in the middle and at an edge.
    check_all(&Goal::Snail.board(dims("3x3")).unwrap(), 4, 37);
    check_all(&board("1 0 3/4 2 6/7 5 8"), 4, 37);
    // Fewer classes, as with little memory.
    check_all(&Goal::Last.board(dims("3x3")).unwrap(), 3, 101);
    check_all(&Goal::Last.board(dims("3x3")).unwrap(), 2, 1001);
}

/// Large tables of the 15-puzzle have two tables with mirror images, and one without.
#[test]
fn five_views_agree_with_full_tables() {
    let goal = Goal::First.board(dims("3x3")).unwrap();
    let form = CanonicalForm::new(&goal).unwrap();
    let build = |classes: [u8; 9]| {
        let abstraction = Abstraction::new(form.dims(), form.blank(), &classes).unwrap();
        Arc::new(MtmTable::build(abstraction, 2, &mut ()).unwrap())
    };
    let all =
        [[0, 0, 1, 0, 2, 1, 2, 2, 3], [0, 1, 2, 0, 1, 2, 0, 1, 2], [0, 0, 1, 0, 3, 1, 2, 2, 3]];
    let tables = all.map(build);
    assert_eq!(views(&tables).len(), 5);
    let full = FullTable::build(&goal, Metric::Mtm).unwrap();
    let space = npuzzle_testkit::space::of("3x3").next().unwrap();
    for start in space.arrangements.iter().step_by(37) {
        let Some(expect) = full.distance(start) else { continue };
        check(start, &goal, &form, &tables, expect);
    }
}

/// Boards that are their own transposition are searched from one root only.
#[test]
fn mirrored_boards_agree_with_full_tables() {
    let goal = Goal::Last.board(dims("3x3")).unwrap();
    let (form, tables) = tables(&goal, 3);
    let full = FullTable::build(&goal, Metric::Mtm).unwrap();
    let space = npuzzle_testkit::space::of("3x3").next().unwrap();
    let mut n_checked = 0;
    for start in space.arrangements.iter() {
        let labels = form.labels(start);
        if form.transposed(&labels) == labels
            && let Some(expect) = full.distance(start)
        {
            check(start, &goal, &form, &tables, expect);
            n_checked += 1;
        }
    }
    assert!(n_checked > 20, "{n_checked}");
}

#[test]
fn search_without_tables_agrees_with_full_tables() {
    let mut random = Random::new(23);
    for size in ["2x2", "3x2", "3x3", "3x4"] {
        let goal = Goal::Last.board(dims(size)).unwrap();
        let form = CanonicalForm::new(&goal).unwrap();
        let full = FullTable::build(&goal, Metric::Mtm).unwrap();
        for n_steps in 0..100 {
            let start = random.walk(&goal, n_steps % 12);
            let expect = full.distance(&start).unwrap();
            check(&start, &goal, &form, &[], expect);
        }
    }
}

#[test]
fn solutions_are_no_longer_than_the_walk() {
    let mut random = Random::new(21);
    for size in ["3x5", "7x2", "4x4"] {
        let goal = random.board(dims(size));
        let (form, tables) = tables(&goal, 3);
        for n_steps in [1, 2, 5, 10, 20, 40] {
            let start = random.walk(&goal, n_steps);
            let report = mtm_ida(&start, &form, &tables, ONE_THREAD, &mut ());
            let Outcome::Solved(path) = report.outcome else { panic!("{start:?}") };
            let moves = Moves::from(path);
            assert_eq!(moves.replay(&start).as_ref(), Ok(&goal));
            assert!(moves.mtm() <= n_steps && moves.stm() >= moves.mtm());
        }
    }
}

#[test]
fn incremental_nodes_equal_nodes_from_scratch() {
    let goal = Goal::Last.board(dims("3x4")).unwrap();
    let (form, tables) = tables(&goal, 4);
    let automaton = RunAutomaton::free();
    let context = MtmContext::<2>::new(&form, views(&tables).try_into().unwrap(), &automaton);
    let mut random = Random::new(22);
    let mut at = random.walk(&goal, 100);
    let mut node = context.root(Axis::Row, &form.labels(&at));
    for step in 0..2000 {
        let mut children = Vec::new();
        let visit = |child, slide, n_slides| {
            children.push((child, slide, n_slides));
            ControlFlow::Continue::<()>(())
        };
        let _ = match step % 2 {
            ROW => context.each_child::<ROW, ()>(&node, u8::MAX, visit),
            _ => context.each_child::<COL, ()>(&node, u8::MAX, visit),
        };
        let (child, slide, n_slides) = children.swap_remove(random.below(children.len()));
        let MtmChild::Open(child) = child else { panic!("nothing is pruned") };
        (0..n_slides).for_each(|_| assert!(at.slide(form.slide(slide))));
        node = child;
        assert_eq!(node, context.root(Axis::ALL[1 - step % 2], &form.labels(&at)));
    }
}

/// A board of 3x5 whose last rounds are long, and weak tables for it.
fn hard() -> (Board, CanonicalForm, Vec<Arc<MtmTable>>) {
    let goal = Goal::Last.board(dims("3x5")).unwrap();
    let start = Instance::from(board("7 11 2 14 9/3 0 12 5 10/6 1 13 8 4"));
    let start = if start.is_solvable() { start } else { start.twin() };
    let (form, tables) = tables(&goal, 3);
    (start.start().clone(), form, tables)
}

#[test]
fn thread_count_changes_neither_solution_nor_counts() {
    let (start, form, tables) = hard();
    let run = |threads| {
        let resources = Resources { threads, ..ONE_THREAD };
        mtm_ida(&start, &form, &tables, resources, &mut ())
    };
    let single = run(1);
    assert!(single.stats.expanded > 2 * MIN_SPLIT_ROUND, "{:?}", single.stats);
    for threads in [2, 3, 7] {
        assert_eq!(run(threads), single, "on {threads} threads");
    }
}

#[test]
fn node_limit_is_exact() {
    let (start, form, tables) = hard();
    for max_nodes in [0, 1, 2, 1000, 20_000] {
        let budget = Budget { nodes: Some(max_nodes), ..Budget::NONE };
        let report = mtm_ida(
            &start,
            &form,
            &tables,
            Resources { budget, threads: 2, ..ONE_THREAD },
            &mut (),
        );
        assert_eq!(report.stats.expanded, max_nodes);
        assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Nodes, .. }));
    }
}

#[test]
fn watch_stops_all_threads() {
    struct Impatient;
    impl Watch for Impatient {
        fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
            // In the first round that is split.
            if stats.expanded < 2 * MIN_SPLIT_ROUND {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(Limit::Time)
            }
        }
    }
    let (start, form, tables) = hard();
    let resources = Resources { threads: 3, ..ONE_THREAD };
    let report = mtm_ida(&start, &form, &tables, resources, &mut Impatient);
    assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Time, .. }));
}

#[test]
fn paused_search_continues_with_the_same_result() {
    let (start, form, tables) = hard();
    let whole = mtm_ida(&start, &form, &tables, ONE_THREAD, &mut ());
    let impatient = Resources { max_round_time: Some(Duration::ZERO), ..ONE_THREAD };
    let (mut state, mut n_pauses) = (DeepeningState::default(), 0);
    let report = loop {
        match search_from(state, &start, &form, &tables, impatient, &mut ()) {
            Ok(report) => break report,
            Err(paused) => state = paused,
        }
        n_pauses += 1;
    };
    assert_eq!(report, whole);
    assert!(n_pauses > 3, "{n_pauses}");
}
