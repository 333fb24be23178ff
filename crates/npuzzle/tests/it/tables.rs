//! Tables of all distances.

use npuzzle::{Board, FullTable, Goal, Instance, Metric, Moves, Options, Store, Tables, catalogue};
use npuzzle_testkit::naive::Oracle;
use npuzzle_testkit::space::{self, Space};
use npuzzle_testkit::{board, dims};

/// That a table has the distances of an oracle, none for boards that do not reach the goal, and
/// paths of that length for every `stride`-th board.
fn check(space: &Space, oracle: &Oracle, metric: Metric, stride: usize) {
    let table = FullTable::build(&space.goal, metric).unwrap();
    assert_eq!((table.goal(), table.metric()), (&space.goal, metric));
    for (at, start) in space.arrangements.iter().enumerate() {
        let distance = oracle.distance(start);
        assert_eq!(table.distance(start), distance, "{metric} {start:?} {:?}", space.goal);
        if at % stride != 0 {
            continue;
        }
        let moves = table.path(start).map(Moves::from);
        assert_eq!(moves.as_ref().map(|moves| moves.len(metric) as u32), distance, "{start:?}");
        if let Some(moves) = moves {
            assert_eq!(moves.replay(start).as_ref(), Ok(&space.goal), "{start:?}");
        }
    }
    assert_eq!(table.census().iter().sum::<u64>(), oracle.n_boards() as u64);
    assert_eq!(table.census().len() as u32, oracle.deepest() + 1);
}

#[test]
fn tables_have_the_distances_of_the_enumeration_for_all_arrangements() {
    for space in space::all() {
        check(space, &space.oracle, Metric::Stm, 7);
    }
}

#[test]
fn tables_of_the_multi_tile_metric_have_the_distances_of_a_search_over_runs() {
    for space in space::all() {
        check(space, &Oracle::new(&space.goal, Metric::Mtm), Metric::Mtm, 7);
    }
}

#[test]
fn a_table_serves_any_goal_of_its_size() {
    for text in ["8 6 7/2 5 4/3 0 1", "1 0/2 3", "5 4 3/2 1 0", "3 1/0 2/5 4"] {
        let goal = board(text);
        let oracle = Oracle::new(&goal, Metric::Stm);
        let table = FullTable::build(&goal, Metric::Stm).unwrap();
        let space = space::of(&goal.dims().to_string()).next().unwrap();
        for start in space.arrangements {
            assert_eq!(table.distance(start), oracle.distance(start), "{start:?} to {text}");
        }
    }
}

#[test]
fn there_is_no_table_of_more_than_9_cells_and_none_answers_for_another_size() {
    for size in ["2x5", "5x2", "4x3", "4x4", "127x127"] {
        let goal = Goal::Last.board(dims(size)).unwrap();
        assert!(FullTable::build(&goal, Metric::Stm).is_none(), "{size}");
        assert!(Tables::new().full(&goal, Metric::Stm).is_none(), "{size}");
    }
    let table = FullTable::build(&board("1 2 3/4 5 0"), Metric::Stm).unwrap();
    assert_eq!(table.distance(&board("1 2/3 4/5 0")), None);
    assert_eq!(table.path(&board("1 2/3 0")), None);
}

#[test]
fn at_most_16_tables_are_kept_and_every_one_is_right() {
    let goals: Vec<&Board> = space::of("2x2").next().unwrap().arrangements.iter().collect();
    let mut tables = Tables::new();
    for round in 0..2 {
        for (at, goal) in goals.iter().enumerate() {
            for metric in Metric::ALL {
                let table = tables.full(goal, metric).unwrap();
                assert_eq!((table.goal(), table.metric()), (*goal, metric));
                assert_eq!(table.distance(goal), Some(0));
                assert_eq!(table.distance(&goal.twin()), None);
            }
            let n_built = if round == 0 { 2 * (at + 1) } else { usize::MAX };
            assert_eq!(tables.len(), n_built.min(16), "{round} {at}");
        }
    }
}

#[test]
fn a_table_that_is_there_is_not_built_again() {
    let mut tables = Tables::new();
    let start = Instance::from(board("8 1 3/4 0 2/7 6 5"));
    for _ in 0..3 {
        let report = Options::default().solve_with(&start, &mut tables, &mut ()).unwrap();
        assert_eq!(report.upper_bound(), Some(14));
        assert_eq!(tables.len(), 1);
    }
    let mtm = Options { metric: Metric::Mtm, ..Options::default() };
    mtm.solve_with(&start, &mut tables, &mut ()).unwrap();
    assert_eq!(tables.len(), 2);
}

#[test]
fn stored_tables_give_the_same_answers() {
    let folder = std::env::temp_dir().join(format!("npuzzle-stored-{}", std::process::id()));
    let instance = Instance::from(board("13 1 2 4 5 6 7/8 3 9 10 11 12 0"));
    let instance = if instance.is_solvable() { instance } else { instance.start().twin().into() };
    let answer = |mut tables: Tables| {
        let report = Options::default().solve_with(&instance, &mut tables, &mut ()).unwrap();
        assert!(tables.take_warnings().is_empty());
        (report.answer, report.stats.generated)
    };
    let expect = answer(Tables::new());
    for _ in 0..2 {
        assert_eq!(answer(Tables::with_store(Store::at(&folder))), expect);
    }
    let stored = Store::at(&folder).list().unwrap();
    assert_eq!(stored.len(), 1);
    assert!(catalogue().iter().any(|recipe| *recipe.name() == stored[0].name));
    std::fs::remove_dir_all(folder).unwrap();
}
