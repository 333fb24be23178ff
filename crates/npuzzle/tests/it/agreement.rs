//! Small tables, large tables and a plain search find the same lengths, with known node counts.
//!
//! Only the long tests (`cargo xtask test --long`) build large tables, once for all of them and for
//! the bench. The others solve easy boards with small tables.

use std::path::Path;

use npuzzle::search::heuristic::Manhattan;
use npuzzle::search::{Budget, Outcome, idastar};
use npuzzle::search::{Packed, Sliding};
use npuzzle::tables::Store;
use npuzzle::{Board, Goal, Instance, Limits, Options, Report, TableSize, Tables};
use npuzzle_testkit::data::{self, Known};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{dims, is_long};

/// The maximum length for which the plain search is run, too.
const EASY: u32 = 44;

/// The folder of large tables, shared with the bench.
fn tables() -> Tables {
    Tables::with_store(Store::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables")))
}

fn solve(instance: &Instance, size: TableSize, tables: &mut Tables) -> Report {
    let options =
        Options { limits: Limits::NONE, tables: size, optimal: true, ..Options::default() };
    let report = options.solve_with(instance, tables, &mut ()).unwrap();
    assert!(report.is_optimal(), "{instance:?}");
    assert!(tables.take_warnings().is_empty());
    let replayed = report.moves().unwrap().replay(instance.start());
    assert_eq!(replayed.as_ref(), Ok(instance.goal()));
    report
}

/// Solves boards with known answers, with large tables. Returns the total number of generated states.
fn n_generated(boards: &[Known]) -> u64 {
    let mut tables = tables();
    let generated = boards.iter().map(|known| {
        let instance = Instance::new(known.board.clone(), &Goal::First).unwrap();
        let report = solve(&instance, TableSize::Large, &mut tables);
        assert_eq!(report.upper_bound(), known.optimal, "{}", known.name);
        report.stats.generated
    });
    generated.sum()
}

/// Returns the length that textbook IDA* with Manhattan distance finds.
fn plain_length(instance: &Instance) -> Option<u32> {
    let problem = Sliding::<Packed>::new(instance).unwrap();
    let manhattan = Manhattan::new(instance.goal());
    match idastar(&problem, &manhattan, Budget::NONE, &mut ()).outcome {
        Outcome::Solved(path) => Some(path.len() as u32),
        _ => None,
    }
}

/// Random solvable boards.
fn random_boards(seed: u64) -> impl Iterator<Item = Instance> {
    let mut random = Random::new(seed);
    let boards = std::iter::repeat_with(move || Instance::from(random.board(dims("4x4"))));
    boards.filter(Instance::is_solvable)
}

/// Boards near the goal.
fn easy_boards(seed: u64) -> impl Iterator<Item = Instance> {
    let mut random = Random::new(seed);
    let goal: Board = Goal::Last.board(dims("4x4")).unwrap();
    std::iter::repeat_with(move || Instance::from(random.walk(&goal, 60)))
}

#[test]
fn all_table_sizes_find_the_same_lengths() {
    let mut tables = tables();
    let mut n_plain = 0;
    let mut check = |instance: &Instance, sizes: &[TableSize]| {
        let lengths: Vec<_> =
            sizes.iter().map(|&size| solve(instance, size, &mut tables).upper_bound()).collect();
        assert!(lengths.iter().all(|length| *length == lengths[0]), "{instance:?}: {lengths:?}");
        if lengths[0] <= Some(EASY) {
            n_plain += 1;
            assert_eq!(plain_length(instance), lengths[0], "{instance:?}");
        }
    };
    if is_long() {
        let sizes = [TableSize::Small, TableSize::Large];
        random_boards(15).take(1000).for_each(|instance| check(&instance, &sizes));
        easy_boards(16).take(200).for_each(|instance| check(&instance, &sizes));
    }
    easy_boards(17).take(15).for_each(|instance| check(&instance, &[TableSize::Small]));
    assert!(n_plain >= 10, "{n_plain}");
}

/// The numbers are signatures of the engine, like that of Korf's boards with embedded tables
/// (`known.rs`). A refactoring must not change them.
#[test]
fn node_counts_match_their_signatures() {
    let small = [("2x7", 80), ("3x5", 80), ("5x5", 40)].map(|(size, n_steps)| {
        let goal = Goal::Last.board(dims(size)).unwrap();
        let mut random = Random::new(24);
        let mut tables = Tables::new();
        let walks = (0..20).map(|_| Instance::from(random.walk(&goal, n_steps)));
        let nodes = walks.map(|i| solve(&i, TableSize::Small, &mut tables).stats.generated);
        nodes.sum::<u64>()
    });
    assert_eq!(small, [335_393, 940_209, 270_437]);
    if is_long() {
        let fifty = data::korf24();
        let easy = |number: usize| vec![fifty[number - 1].known.clone()];
        let large = [data::korf100(), easy(38), easy(40)].map(|boards| n_generated(&boards));
        assert_eq!(large, [1_626_587, 44_266_716, 5_460_099]);
    }
}

#[test]
fn hardest_15_puzzles_take_80_moves() {
    let entries = npuzzle::format::read(&data::text("antipodes_4x4_80.txt"), None);
    let boards: Vec<Instance> =
        entries.into_iter().map(|entry| Instance::from(entry.unwrap().board)).collect();
    assert_eq!(boards.len(), 6);
    // Without tables on disk.
    let report = solve(&boards[0], TableSize::Small, &mut Tables::new());
    assert_eq!(report.upper_bound(), Some(80));
    if is_long() {
        let mut tables = tables();
        for instance in &boards {
            let report = solve(instance, TableSize::Large, &mut tables);
            assert_eq!(report.upper_bound(), Some(80), "{instance:?}");
        }
    }
}
