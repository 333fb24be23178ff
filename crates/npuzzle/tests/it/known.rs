//! Boards with published answers.

use npuzzle::teaching::BoardSet;
use npuzzle::{
    Algorithm, Answer, Goal, HeuristicChoice, HeuristicKind, Instance, Limits, Metric, Options,
    TableSize,
};
use npuzzle_testkit::data::{self, Known};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{dims, is_long};

use crate::solve;

/// Checks the default engine against the known answer. Returns the number of generated states.
fn check(known: &Known, goal: &Goal) -> u64 {
    let instance = Instance::new(known.board.clone(), goal).unwrap();
    // A slow machine would change to large tables, and counts depend on the tables.
    let (limits, tables) = (Limits::NONE, TableSize::Small);
    let report = solve(&instance, &Options { limits, tables, optimal: true, ..Options::default() });
    assert_eq!(report.upper_bound(), known.optimal, "{}", known.name);
    assert_eq!(report.is_optimal(), known.optimal.is_some(), "{}", known.name);
    assert_eq!(report.answer == Answer::Unsolvable, known.optimal.is_none(), "{}", known.name);
    report.stats.generated
}

#[test]
fn princeton_boards_have_the_lengths_in_their_names() {
    let boards = data::princeton_known();
    for known in &boards {
        check(known, &Goal::Last);
    }
    let n_unsolvable = boards.iter().filter(|known| known.optimal.is_none()).count();
    assert_eq!((boards.len(), n_unsolvable), (75, 4));
}

#[test]
fn embedded_board_sets_are_the_test_data() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut n_files = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let name = path.file_name().unwrap().to_str().unwrap();
            let read = |path| std::fs::read_to_string(path).unwrap();
            assert_eq!(read(path.clone()), read(data::path(name)), "{name}");
            n_files += 1;
        }
    }
    assert_eq!(n_files, BoardSet::ALL.len());
    assert_eq!(BoardSet::Korf.boards()[99].instance.goal().slash().to_string(), {
        "0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15"
    });
}

/// The 28 boards of fewer than 12 million nodes. The paper says neither the order of the moves nor whether the
/// start counts; the blank moves up, left, right, down, and the start counts once.
#[test]
fn plain_ida_reproduces_the_node_counts_of_1985() {
    let options = Options::default()
        .with_algorithm(Algorithm::Ida)
        .with_heuristic(HeuristicKind::Manhattan)
        .with_order("ulrd".parse().unwrap());
    let mut boards = BoardSet::Korf.boards();
    boards.retain(|board| board.nodes < Some(12_000_000));
    assert_eq!(boards.len(), 28);
    for board in boards {
        let report = solve(&board.instance, &options);
        let found = (report.upper_bound(), Some(report.stats.generated + 1));
        assert_eq!(found, (board.length, board.nodes), "number {}", board.number);
    }
}

#[test]
fn walking_distance_finds_the_same_lengths() {
    let options = Options {
        algorithm: Algorithm::Ida,
        heuristic: HeuristicChoice::One(HeuristicKind::Walking),
        ..Options::default()
    };
    let boards = data::princeton_known();
    let near = boards.iter().filter(|known| {
        known.board.dims().cells() == 16 && known.optimal.is_some_and(|optimal| optimal <= 45)
    });
    for known in near {
        let report = solve(&Instance::from(known.board.clone()), &options);
        assert_eq!(report.upper_bound(), known.optimal, "{}", known.name);
    }
}

#[test]
fn korf100_has_published_lengths_and_known_node_count() {
    let boards = data::korf100();
    assert_eq!(boards.len(), 100);
    let n_generated: u64 = boards.iter().map(|known| check(known, &Goal::First)).sum();
    // The signature of the engine. A refactoring must not change it.
    assert_eq!(n_generated, 17_793_120);
}

/// Solves random boards of a size. Returns the total number of straight runs and of generated states.
fn runs_of_random_boards(size: &str, n_boards: usize) -> (u32, u64) {
    let mut random = Random::new(43);
    let boards = std::iter::repeat_with(|| Instance::from(random.board(dims(size))));
    // Counts depend on the tables.
    let (limits, tables) = (Limits::NONE, TableSize::Small);
    let options = Options { metric: Metric::Mtm, limits, tables, ..Options::default() };
    let reports = boards.filter(Instance::is_solvable).take(n_boards).map(|instance| {
        let report = solve(&instance, &options);
        assert!(report.is_optimal());
        (report.upper_bound().unwrap(), report.stats.generated)
    });
    reports.fold((0, 0), |sum, (length, generated)| (sum.0 + length, sum.1 + generated))
}

#[test]
fn multi_tile_node_counts_match_their_signatures() {
    // The second numbers are signatures of the engine. A refactoring must not change them.
    assert_eq!(runs_of_random_boards("2x7", 30), (1011, 15_332_059));
    if is_long() {
        assert_eq!(runs_of_random_boards("3x5", 30), (906, 23_216_227));
        assert_eq!(runs_of_random_boards("4x4", 30), (973, 7_930_274));
    }
}

#[test]
fn hardest_multi_tile_15_puzzles_take_43_runs() {
    // One takes half a minute, including its tables.
    let n_boards = if is_long() { 4 } else { 1 };
    let entries = npuzzle::format::read(&data::text("antipodes_4x4_43_multi_tile.txt"), None);
    assert_eq!(entries.len(), 4);
    for entry in entries.into_iter().take(n_boards) {
        let instance = Instance::from(entry.unwrap().board);
        let options = Options { metric: Metric::Mtm, limits: Limits::NONE, ..Options::default() };
        let report = solve(&instance, &options);
        assert_eq!((report.upper_bound(), report.is_optimal()), (Some(43), true), "{instance:?}");
    }
}

#[test]
fn parity_agrees_with_known_solvability() {
    for known in data::princeton_known() {
        let instance = Instance::from(known.board.clone());
        assert_eq!(instance.is_solvable(), known.optimal.is_some(), "{}", known.name);
    }
    for known in data::korf100() {
        let instance = Instance::new(known.board.clone(), &Goal::First).unwrap();
        assert!(instance.is_solvable(), "{}", known.name);
    }
}
