//! Full tables, and the use of stored tables.

use std::time::Duration;

use npuzzle::tables::{FullTable, Store, StoreWarning, TableSpec, catalogue};
use npuzzle::{
    Algorithm, Answer, Board, Goal, Instance, Limit, Limits, Metric, Moves, Options, TableSize,
    Tables, Watch,
};
use npuzzle_testkit::naive::Oracle;
use npuzzle_testkit::random::Random;
use npuzzle_testkit::space::{self, Space};
use npuzzle_testkit::{board, dims, is_long};

/// Checks that a table has the distances of an oracle, none for boards that do not reach the goal, and
/// paths of that length for every `stride`-th board.
fn check(space: &Space, oracle: &Oracle, metric: Metric, stride: usize) {
    let table = FullTable::build(&space.goal, metric).unwrap();
    assert_eq!((table.goal(), table.metric()), (&space.goal, metric));
    for (at, start) in space.arrangements.iter().enumerate() {
        let distance = oracle.distance(start);
        assert_eq!(table.distance(start), distance, "{metric} {start:?} {:?}", space.goal);
        if at.is_multiple_of(stride) {
            check_board(&table, start, distance);
        }
    }
    assert_eq!(table.census().iter().sum::<u64>(), oracle.n_boards() as u64);
    assert_eq!(table.census().len() as u32, oracle.deepest() + 1);
}

#[test]
fn full_table_matches_enumeration() {
    for space in space::all() {
        check(space, &space.oracle, Metric::Stm, 7);
    }
}

#[test]
fn multi_tile_full_table_matches_enumeration() {
    for space in space::all() {
        check(space, &Oracle::new(&space.goal, Metric::Mtm), Metric::Mtm, 7);
    }
}

#[test]
fn full_table_supports_any_goal() {
    let goals = [
        "8 6 7/2 5 4/3 0 1",
        "1 2 3/4 5 0/7 8 6",
        "5 3 1/0 8 7/2 4 6",
        "7 2 0/4 1 8/6 5 3",
        "1 0/2 3",
        "5 4 3/2 1 0",
        "3 1/0 2/5 4",
        "7 1 2 0/3 6 5 4",
        "3 1/2 0/5 4/7 6",
    ];
    for text in goals {
        let goal = board(text);
        for metric in Metric::ALL {
            let oracle = Oracle::new(&goal, metric);
            let table = FullTable::build(&goal, metric).unwrap();
            let space = space::of(&goal.dims().to_string()).next().unwrap();
            for start in space.arrangements.iter().step_by(3) {
                check_board(&table, start, oracle.distance(start));
            }
        }
    }
}

#[test]
fn full_table_of_10_cells_supports_any_goal() {
    let mut random = Random::new(25);
    for (size, metric) in [("2x5", Metric::Mtm), ("5x2", Metric::Stm)] {
        let goal = random.board(dims(size));
        let table = FullTable::build(&goal, metric).unwrap();
        let oracle = Oracle::new(&goal, metric);
        for _ in 0..20_000 {
            let start = random.board(dims(size));
            check_board(&table, &start, oracle.distance(&start));
        }
    }
}

/// Twelve cells are too many for the enumeration, so a search is the reference.
#[test]
fn full_table_of_12_cells_agrees_with_search() {
    let mut random = Random::new(34);
    let sizes = if is_long() { vec!["3x4", "4x3", "2x6", "6x2"] } else { vec!["3x4"] };
    for size in sizes {
        let goal = random.board(dims(size));
        let mut tables = Tables::new();
        let table = tables.full(&goal, Metric::Stm).unwrap().clone();
        let search = Options { algorithm: Algorithm::Ida, ..Options::default() };
        let starts = std::iter::repeat_with(|| random.board(dims(size)));
        let instance = |start| Instance::new(start, &Goal::Board(goal.clone())).unwrap();
        for instance in starts.map(instance).filter(Instance::is_solvable).take(50) {
            let report = search.solve(&instance).unwrap();
            check_board(&table, instance.start(), report.upper_bound());
            // The existing table is used.
            let again = Options::default().solve_with(&instance, &mut tables, &mut ()).unwrap();
            assert_eq!(again.plan.as_ref().map(|plan| plan.algorithm), Some(Algorithm::Table));
            assert_eq!(again.upper_bound(), report.upper_bound());
        }
        if is_long() {
            // A run consists of one to five slides.
            let runs = FullTable::build(&goal, Metric::Mtm).unwrap();
            for start in std::iter::repeat_with(|| random.board(dims(size))).take(1_000) {
                let (slides, runs) = (table.distance(&start), runs.distance(&start));
                assert!(runs <= slides && slides <= runs.map(|n| 5 * n), "{start:?}");
            }
        }
    }
}

#[test]
fn multi_tile_metric_is_solved_up_to_12_cells() {
    let mtm = Options { metric: Metric::Mtm, ..Options::default() };
    let mut sizes = vec!["2x4", "3x3", "2x5", "5x2"];
    if is_long() {
        sizes.extend(["3x4", "4x3", "2x6", "6x2"]);
    }
    for size in sizes {
        let mut random = Random::new(7);
        let start = random.walk(&Goal::Last.board(dims(size)).unwrap(), 300);
        let report = mtm.solve_with(&Instance::from(start), &mut Tables::new(), &mut ()).unwrap();
        assert!(report.is_optimal(), "{size}");
    }
}

#[test]
fn goals_with_the_same_canonical_blank_share_a_table() {
    let mut tables = Tables::new();
    let goals = ["1 2 3 4/5 6 7 0", "0 1/3 2/5 4/7 6", "0 7 6 5/1 2 3 4", "2 1/4 3/6 5/7 0"];
    let mut shared: Vec<*const u8> = Vec::new();
    for goal in goals.map(board) {
        let table = tables.full(&goal, Metric::Stm).unwrap();
        shared.push(table.table().unwrap().bytes().as_ptr());
        let again = FullTable::from_table(&goal, table.table().unwrap().clone()).unwrap();
        assert_eq!((again.goal(), again.metric()), (&goal, Metric::Stm));
        let other = board("1 0 2 3/4 5 6 7");
        assert!(FullTable::from_table(&other, table.table().unwrap().clone()).is_none());
    }
    assert!(shared.iter().all(|&bytes| bytes == shared[0]));
    let key = |text: &str, metric| FullTable::space(&board(text), metric).unwrap().to_string();
    assert_eq!(key("1 2 3 4/5 6 7 0", Metric::Stm), "full-4x2-0-stm");
    assert_eq!(key("1 2 3/4 5 0/7 8 6", Metric::Mtm), "full-3x3-1-mtm");
}

/// Checks the distance of a board in a table, and a path of that length.
fn check_board(table: &FullTable, start: &Board, expect: Option<u32>) {
    let (goal, metric) = (table.goal(), table.metric());
    assert_eq!(table.distance(start), expect, "{metric} {start:?} to {goal:?}");
    let moves = table.path(start).map(Moves::from);
    assert_eq!(moves.as_ref().map(|moves| moves.len(metric) as u32), expect, "{start:?}");
    if let Some(moves) = moves {
        assert_eq!(moves.replay(start).as_ref(), Ok(goal), "{start:?}");
    }
}

#[test]
fn full_table_refuses_other_sizes() {
    for size in ["2x7", "5x3", "4x4", "127x127"] {
        let goal = Goal::Last.board(dims(size)).unwrap();
        assert!(FullTable::build(&goal, Metric::Stm).is_none(), "{size}");
        assert!(Tables::new().full(&goal, Metric::Stm).is_none(), "{size}");
    }
    let table = FullTable::build(&board("1 2 3/4 5 0"), Metric::Stm).unwrap();
    assert_eq!(table.distance(&board("1 2/3 4/5 0")), None);
    assert_eq!(table.path(&board("1 2/3 0")), None);
}

#[test]
fn cache_keeps_16_tables_at_most() {
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
fn existing_table_is_not_built_again() {
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
fn small_large_and_stored_tables_give_the_same_lengths() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(14);
    let goal = Goal::Last.board(dims("2x7")).unwrap();
    let starts: Vec<Board> = (0..5).map(|_| random.walk(&goal, 200)).collect();
    let solve = |tables: &mut Tables, size: TableSize| -> Vec<(Option<u32>, u64)> {
        let options = Options { tables: size, ..Options::default() };
        let report = |start: &Board| {
            options.solve_with(&Instance::from(start.clone()), tables, &mut ()).unwrap()
        };
        let reports: Vec<_> = starts.iter().map(report).collect();
        assert!(tables.take_warnings().is_empty());
        assert!(reports.iter().all(|report| report.is_optimal()));
        reports.iter().map(|report| (report.upper_bound(), report.stats.generated)).collect()
    };
    let lengths = |solved: &[(Option<u32>, u64)]| -> Vec<Option<u32>> {
        solved.iter().map(|(length, _)| *length).collect()
    };
    let small = solve(&mut Tables::new(), TableSize::Small);
    let built = solve(&mut Tables::with_store(Store::at(folder.path())), TableSize::Large);
    let stored = Store::at(folder.path()).list().unwrap();
    assert_eq!(stored.len(), 1);
    assert!(catalogue().iter().any(|spec| *spec.name() == stored[0].name));
    let mapped = solve(&mut Tables::with_store(Store::at(folder.path())), TableSize::Large);
    assert_eq!(built, mapped);
    assert_eq!(lengths(&small), lengths(&built));
    let n_generated = |solved: &[(Option<u32>, u64)]| solved.iter().map(|(_, n)| n).sum::<u64>();
    assert!(n_generated(&built) < n_generated(&small));
}

#[test]
fn large_tables_are_built_during_a_search_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    // Takes several seconds with small tables on any machine; building large ones takes about one.
    let instance = Instance::from(board("2 0 12 5 8 1 3/13 6 10 4 11 9 7"));
    let solve = |tables: &mut Tables| {
        let options = Options { limits: Limits::NONE, ..Options::default() };
        let report = options.solve_with(&instance, tables, &mut ()).unwrap();
        assert!(tables.take_warnings().is_empty() && report.is_optimal());
        assert_eq!(report.upper_bound(), Some(76));
        let [name] = &report.tables[..] else { panic!("{:?}", report.tables) };
        assert!(name.contains("zero-2.4.6.8.10.12.1-"), "{name}");
        report.tables_reason.unwrap()
    };
    let store = || Tables::with_store(Store::at(folder.path()));
    let mut tables = store();
    let why = solve(&mut tables);
    assert!(why.starts_with("the search up to bound "), "{why}");
    assert_eq!(Store::at(folder.path()).list().unwrap().len(), 1);
    assert_eq!(solve(&mut tables), "they are available already");
    let why = solve(&mut store());
    assert!(why.starts_with("the search up to bound "), "{why}");
}

#[test]
fn requested_large_tables_respect_the_memory_limit() {
    let start = Random::new(5).walk(&Goal::Last.board(dims("2x7")).unwrap(), 60);
    let limits = Limits { memory: Some(20_000_000), ..Limits::NONE };
    let options = Options { tables: TableSize::Large, limits, ..Options::default() };
    let mut tables = Tables::new();
    let instance = Instance::from(start);
    let report = options.solve_with(&instance, &mut tables, &mut ()).unwrap();
    assert_eq!(report.answer, Answer::Stopped(Limit::Memory));
    assert!(report.lower_bound.is_some() && tables.is_empty());
    // Stored tables are mapped, which takes less memory.
    let folder = tempfile::tempdir().unwrap();
    let free = Options { limits: Limits::NONE, ..options.clone() };
    let store = || Tables::with_store(Store::at(folder.path()));
    let built = free.solve_with(&instance, &mut store(), &mut ()).unwrap();
    let mapped = options.solve_with(&instance, &mut store(), &mut ()).unwrap();
    assert_eq!((mapped.answer, mapped.stats), (built.answer, built.stats));
}

#[test]
fn small_tables_respect_the_memory_limit() {
    let goal = Goal::Snail.board(dims("4x4")).unwrap();
    let start = Random::new(6).walk(&goal, 30);
    let instance = Instance::new(start, &Goal::Snail).unwrap();
    let limits = Limits { memory: Some(1_000_000), ..Limits::NONE };
    let mut tables = Tables::new();
    // The default plan does without the tables. A request for them is reported as a limit.
    let little = Options { limits, ..Options::default() };
    let report = little.solve_with(&instance, &mut tables, &mut ()).unwrap();
    assert!(report.is_optimal());
    let words = report.plan.unwrap().to_string();
    assert!(words.starts_with("ida with linear-conflict: the memory limit is too low"), "{words}");
    for algorithm in [Algorithm::Ida, Algorithm::Astar] {
        let heuristic = "pattern".parse().unwrap();
        let named = Options { algorithm, heuristic, limits, ..Options::default() };
        let report = named.solve_with(&instance, &mut tables, &mut ()).unwrap();
        assert_eq!(report.answer, Answer::Stopped(Limit::Memory), "{algorithm}");
        assert!(report.lower_bound.is_some());
    }
    assert!(tables.is_empty());
}

#[test]
fn damaged_table_is_not_rebuilt_beyond_the_limits() {
    let folder = tempfile::tempdir().unwrap();
    let spec = catalogue().into_iter().find(|spec| spec.name().as_str().contains("7x2"));
    let path = Store::at(folder.path()).path(spec.unwrap().name()).unwrap();
    std::fs::write(&path, "no table").unwrap();
    // The memory suffices to map the table, but not to build it.
    let limits = Limits { memory: Some(20_000_000), ..Limits::NONE };
    let options = Options { limits, ..Options::default() };
    let mut random = Random::new(14);
    let boards = std::iter::repeat_with(|| Instance::from(random.board(dims("2x7"))));
    let mut tables = Tables::with_store(Store::at(folder.path()));
    let mut warnings = Vec::new();
    // Some of the searches take long enough for stored tables to pay off.
    for instance in boards.filter(Instance::is_solvable).take(20) {
        let report = options.solve_with(&instance, &mut tables, &mut ()).unwrap();
        assert!(report.is_optimal());
        warnings.extend(tables.take_warnings());
    }
    // The damage is reported once.
    assert!(matches!(warnings[..], [StoreWarning::Unused(_)]), "{warnings:?}");
    assert_eq!(std::fs::read(&path).unwrap(), b"no table");
}

#[test]
fn full_table_with_wrong_entries_is_rebuilt() {
    let folder = tempfile::tempdir().unwrap();
    let store = || Store::at(folder.path());
    let goal = Goal::Last.board(dims("3x4")).unwrap();
    let name = FullTable::space(&goal, Metric::Stm).unwrap().to_string();
    let specs = catalogue();
    let spec = specs.iter().find(|spec| spec.name().as_str() == name).unwrap();
    let right = spec.get(&Store::none(), 2, &mut ()).unwrap().bytes.to_vec();
    let mut wrong = right.clone();
    // All entries are equal; the counts at the end and the checksums are valid.
    let n_wrong = wrong.len() - 4096;
    wrong[..n_wrong].fill(0);
    let build_wrong = |_: &mut dyn Watch| Ok(wrong.clone());
    store().get_or_build(spec.name(), right.len(), &mut (), build_wrong).unwrap();

    let instance = Instance::from(Random::new(8).walk(&goal, 60));
    let known = Options { algorithm: Algorithm::Ida, ..Options::default() };
    let known = known.solve_with(&instance, &mut Tables::new(), &mut ()).unwrap();
    let solve = || {
        let mut tables = Tables::with_store(store());
        let report = Options::default().solve_with(&instance, &mut tables, &mut ()).unwrap();
        assert!(report.is_optimal() && report.upper_bound() == known.upper_bound());
        tables.take_warnings().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let warnings = solve();
    assert!(
        warnings.len() == 1 && warnings[0].ends_with("do not lead to the goal; it was rebuilt"),
        "{warnings:?}"
    );
    assert_eq!(solve(), [""; 0]);
    let stored = store().load(spec.name(), right.len(), &mut ()).unwrap().unwrap();
    assert!(stored.to_vec() == right);
}

#[test]
fn damaged_multi_tile_table_is_reported_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    // Loading the tables of 4x4 would pay off, building them would not.
    let specs = catalogue();
    let names = specs.iter().map(TableSpec::name);
    let names = names.filter(|name| name.as_str().starts_with("mtm-4x4"));
    let paths: Vec<_> = names.map(|name| store.path(name).unwrap()).collect();
    paths.iter().for_each(|path| std::fs::write(path, "no table").unwrap());
    let limits = Limits { time: Some(Duration::from_secs(10)), ..Limits::NONE };
    let options = Options { metric: Metric::Mtm, limits, ..Options::default() };
    let instance = Instance::from(Random::new(3).walk(&Goal::Last.board(dims("4x4")).unwrap(), 30));
    let mut tables = Tables::with_store(store);
    let report = options.solve_with(&instance, &mut tables, &mut ()).unwrap();
    assert!(report.is_optimal());
    let warnings = tables.take_warnings();
    assert!(matches!(warnings[..], [StoreWarning::Unused(_), ..]), "{warnings:?}");
    assert!(paths.iter().all(|path| std::fs::read(path).unwrap() == b"no table"));
}

/// Tables that take seconds to build are part of the long tests.
#[test]
fn every_table_of_the_catalogue_is_stored_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let is_quick = |spec: &&TableSpec| {
        is_long() || spec.len() < 12_000_000 || spec.name().as_str() == "full-4x3-1-stm"
    };
    let specs = catalogue();
    assert!(specs.iter().filter(is_quick).count() >= 2);
    for spec in specs.iter().filter(is_quick) {
        for is_built in [true, false] {
            let loaded = spec.get(&store, 2, &mut ()).unwrap();
            assert_eq!((loaded.is_built, loaded.bytes.is_mapped()), (is_built, true), "{spec:?}");
            assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
            assert_eq!(loaded.bytes.len(), spec.len());
        }
        store.remove(spec.name()).unwrap();
    }
}

#[test]
fn stored_full_table_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let tables = || Tables::with_store(Store::at(folder.path()));
    let goal = Goal::Last.board(dims("3x4")).unwrap();
    let instance = Instance::from(Random::new(12).walk(&goal, 300));
    let ida = Options::default().solve_with(&instance, &mut tables(), &mut ()).unwrap();
    assert_eq!(ida.plan.as_ref().map(|plan| plan.algorithm), Some(Algorithm::Ida));
    assert!(Store::at(folder.path()).list().unwrap().is_empty());
    let table = Options { algorithm: Algorithm::Table, ..Options::default() };
    let built = table.solve_with(&instance, &mut tables(), &mut ()).unwrap();
    assert_eq!(built.upper_bound(), ida.upper_bound());
    let stored = Store::at(folder.path()).list().unwrap();
    assert_eq!((stored.len(), stored[0].name.as_str()), (1, "full-4x3-0-stm"));
    let again = Options::default().solve_with(&instance, &mut tables(), &mut ()).unwrap();
    assert_eq!(again.plan.as_ref().map(|plan| plan.algorithm), Some(Algorithm::Table));
    assert_eq!(again.answer, built.answer);
    // A search that does not need a damaged table reports it and leaves it unchanged.
    std::fs::write(&stored[0].path, "no table").unwrap();
    let mut tables = tables();
    let report = Options::default().solve_with(&instance, &mut tables, &mut ()).unwrap();
    assert_eq!((report.answer, report.plan), (ida.answer, ida.plan));
    assert!(matches!(tables.take_warnings()[..], [StoreWarning::Unused(_)]));
}
