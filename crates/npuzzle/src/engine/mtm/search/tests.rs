//! The engine against tables of all distances, and against itself.

use std::sync::LazyLock;
use std::time::Duration;

use super::*;
use npuzzle_core::{Goal, Instance, Metric, Moves};
use npuzzle_tables::Abstraction;
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{board, dims};

use crate::tables::full::FullTable;

const ONE_THREAD: Resources = Resources { budget: Budget::NONE, threads: 1, patience: None };

/// The frame of a goal, and tables in so many classes.
fn tables(goal: &Board, n_classes: usize) -> (CanonicalForm, Vec<Arc<MtmTable>>) {
    let frame = CanonicalForm::new(goal).unwrap();
    let suited = Abstraction::suited(frame.dims(), frame.blank(), n_classes).unwrap();
    let build = |relabelling| Arc::new(MtmTable::build(relabelling, 2, &mut ()).unwrap());
    (frame, suited.into_iter().map(build).collect())
}

/// A search from its beginning to its end.
fn mtm_ida(
    start: &Board,
    frame: &CanonicalForm,
    tables: &[Arc<MtmTable>],
    effort: Resources,
    watch: &mut dyn Watch,
) -> SearchReport<Slide> {
    static AUTOMATON: LazyLock<RunAutomaton> = LazyLock::new(|| RunAutomaton::embedded().unwrap());
    super::mtm_ida(start, frame, tables, &AUTOMATON, effort, SearchState::default(), watch).unwrap()
}

/// That a search finds a solution of this many runs.
fn check(
    start: &Board,
    goal: &Board,
    frame: &CanonicalForm,
    tables: &[Arc<MtmTable>],
    expect: u32,
) {
    let report = mtm_ida(start, frame, tables, ONE_THREAD, &mut ());
    let Outcome::Solved(path) = report.outcome else { panic!("{start:?}") };
    let moves = Moves::from(path);
    assert_eq!(moves.mtm() as u32, expect, "{start:?} to {goal:?}");
    assert_eq!(moves.replay(start).as_ref(), Ok(goal));
}

/// That all boards of a size, or every so many, are solved in as few runs as a table of all
/// distances says.
fn check_all(goal: &Board, n_classes: usize, stride: usize) {
    let (frame, tables) = tables(goal, n_classes);
    let full = FullTable::build(goal, Metric::Mtm).unwrap();
    let space = npuzzle_testkit::space::of(&goal.dims().to_string()).next().unwrap();
    for (at, start) in space.arrangements.iter().step_by(stride).enumerate() {
        let Some(expect) = full.distance(start) else { continue };
        check(start, goal, &frame, &tables, expect);
        if at % 16 == 0 {
            assert!(runs_at_least(start, &frame, &tables) <= expect, "{start:?}");
        }
    }
}

#[test]
fn all_small_boards_take_as_few_runs_as_the_table_of_all_distances_says() {
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

#[test]
fn walks_are_not_longer_than_they_were() {
    let mut random = Random::new(21);
    for size in ["3x5", "7x2", "4x4"] {
        let goal = random.board(dims(size));
        let (frame, tables) = tables(&goal, 3);
        for n_steps in [1, 2, 5, 10, 20, 40] {
            let start = random.walk(&goal, n_steps);
            let report = mtm_ida(&start, &frame, &tables, ONE_THREAD, &mut ());
            let Outcome::Solved(path) = report.outcome else { panic!("{start:?}") };
            let moves = Moves::from(path);
            assert_eq!(moves.replay(&start).as_ref(), Ok(&goal));
            assert!(moves.mtm() <= n_steps && moves.stm() >= moves.mtm());
        }
    }
}

#[test]
fn what_is_carried_along_a_path_is_what_a_fresh_look_sees() {
    let goal = Goal::Last.board(dims("3x4")).unwrap();
    let (frame, tables) = tables(&goal, 4);
    let automaton = RunAutomaton::free();
    let grid = Context::<2>::new(&frame, views(&tables).try_into().unwrap(), &automaton);
    let mut random = Random::new(22);
    let mut at = random.walk(&goal, 100);
    let mut node = grid.root(Axis::Row, &frame.labels(&at));
    for step in 0..2000 {
        let mut children = Vec::new();
        let visit = |child, slide, n_slides| {
            children.push((child, slide, n_slides));
            ControlFlow::Continue::<()>(())
        };
        let _ = match step % 2 {
            ROW => grid.each_child::<ROW, ()>(&node, u8::MAX, visit),
            _ => grid.each_child::<COL, ()>(&node, u8::MAX, visit),
        };
        let (child, slide, n_slides) = children.swap_remove(random.below(children.len()));
        let Child::Near(child) = child else { panic!("nothing is too far") };
        (0..n_slides).for_each(|_| assert!(at.slide(frame.slide(slide))));
        node = child;
        assert_eq!(node, grid.root(Axis::ALL[1 - step % 2], &frame.labels(&at)));
    }
}

/// A board of 3x5 whose last rounds are long, and tables for it that are not too good.
fn hard() -> (Board, CanonicalForm, Vec<Arc<MtmTable>>) {
    let goal = Goal::Last.board(dims("3x5")).unwrap();
    let start = Instance::from(board("7 11 2 14 9/3 0 12 5 10/6 1 13 8 4"));
    let start = if start.is_solvable() { start } else { start.twin() };
    let (frame, tables) = tables(&goal, 3);
    (start.start().clone(), frame, tables)
}

#[test]
fn solutions_and_counts_do_not_hang_on_the_number_of_threads() {
    let (start, frame, tables) = hard();
    let run = |threads| {
        let effort = Resources { threads, ..ONE_THREAD };
        mtm_ida(&start, &frame, &tables, effort, &mut ())
    };
    let alone = run(1);
    assert!(alone.stats.expanded > 2 * LONG_ROUND, "{:?}", alone.stats);
    for threads in [2, 3, 7] {
        assert_eq!(run(threads), alone, "on {threads} threads");
    }
}

#[test]
fn a_limit_of_nodes_is_kept_to_the_node() {
    let (start, frame, tables) = hard();
    for most in [0, 1, 2, 1000, 20_000] {
        let budget = Budget { nodes: Some(most), bytes: None };
        let report = mtm_ida(
            &start,
            &frame,
            &tables,
            Resources { budget, threads: 2, ..ONE_THREAD },
            &mut (),
        );
        assert_eq!(report.stats.expanded, most);
        assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Nodes, .. }));
    }
}

#[test]
fn several_threads_stop_when_they_are_asked_to() {
    struct Impatient;
    impl Watch for Impatient {
        fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
            // In the first round that is long enough for several threads.
            if stats.expanded < LONG_ROUND {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(Limit::Time)
            }
        }
    }
    let (start, frame, tables) = hard();
    let effort = Resources { threads: 3, ..ONE_THREAD };
    let report = mtm_ida(&start, &frame, &tables, effort, &mut Impatient);
    assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Time, .. }));
}

#[test]
fn a_search_that_pauses_goes_on_where_it_stands() {
    let (start, frame, tables) = hard();
    let whole = mtm_ida(&start, &frame, &tables, ONE_THREAD, &mut ());
    let automaton = RunAutomaton::embedded().unwrap();
    let impatient = Resources { patience: Some(Duration::ZERO), ..ONE_THREAD };
    let (mut standing, mut n_pauses) = (SearchState::default(), 0);
    let report = loop {
        match super::mtm_ida(&start, &frame, &tables, &automaton, impatient, standing, &mut ()) {
            Ok(report) => break report,
            Err(stands) => standing = stands,
        }
        n_pauses += 1;
    };
    assert_eq!(report, whole);
    assert!(n_pauses > 3, "{n_pauses}");
}
