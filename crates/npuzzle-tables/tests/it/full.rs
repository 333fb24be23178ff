//! Full tables, compared with plain enumeration and published counts.

use std::ops::ControlFlow;

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_core::{Board, Cell, Dims, Metric, Slide};
use npuzzle_tables::{BestMoves, DistanceTable, FullSpace, Level, Store};
use npuzzle_testkit::naive::Oracle;
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{data, dims, is_long, space};

fn full_space(size: &str, blank: u16, metric: Metric) -> FullSpace {
    FullSpace::new(dims(size), Cell::new(blank), metric).unwrap()
}

fn build(space: FullSpace) -> DistanceTable {
    DistanceTable::build(space, 2, &mut ()).unwrap()
}

/// The goal with the blank in cell `blank` and the tiles in order.
fn goal(dims: Dims, blank: u16) -> Board {
    let tile = |cell: u16| match cell {
        _ if cell < blank => cell + 1,
        _ if cell == blank => 0,
        _ => cell,
    };
    let tiles: Vec<u16> = (0..dims.cells() as u16).map(tile).collect();
    Board::new(dims, &tiles).unwrap()
}

/// The labels of a board for that goal.
fn labels(board: &Board, blank: u16) -> Vec<u8> {
    let label = |tile: u16| match tile {
        0 => blank,
        _ if tile <= blank => tile - 1,
        _ => tile,
    };
    board.tiles().iter().map(|tile| label(tile.number()) as u8).collect()
}

/// Replays the moves of a walk, and checks that they lead to the goal and have the expected number.
fn check_walk(
    walk: impl FnOnce(&mut dyn FnMut(Slide, usize)) -> Option<u32>,
    start: &Board,
    goal: &Board,
    expected: Option<u32>,
) {
    let mut board = start.clone();
    let mut n_calls = 0;
    let n_moves = walk(&mut |slide, n| {
        n_calls += 1;
        (0..n).for_each(|_| assert!(board.slide(slide), "{start:?}"));
    });
    assert_eq!(n_moves, expected, "{start:?} to {goal:?}");
    if let Some(n_moves) = n_moves {
        assert_eq!((&board, n_calls), (goal, n_moves), "{start:?}");
    }
}

/// Checks the counts of a size and of its transpose.
fn check_counts(size: &str, metric: Metric) {
    let known = data::census(&format!("{size}.{metric}"));
    let transposed: String = size.chars().rev().collect();
    for size in [size, &transposed] {
        assert_eq!(build(full_space(size, 0, metric)).census(), known, "{size} {metric}");
    }
}

#[test]
fn census_matches_the_published_counts() {
    for metric in Metric::ALL {
        for size in ["2x2", "3x2", "4x2", "3x3", "5x2"] {
            check_counts(size, metric);
        }
    }
}

#[test]
fn census_of_twelve_cells_matches_the_published_counts() {
    if is_long() {
        for metric in Metric::ALL {
            check_counts("4x3", metric);
            check_counts("6x2", metric);
        }
    } else {
        for (size, metric) in [("4x3", Metric::Stm), ("6x2", Metric::Stm), ("4x3", Metric::Mtm)] {
            let table = build(full_space(size, 0, metric));
            assert_eq!(
                table.census(),
                data::census(&format!("{size}.{metric}")),
                "{size} {metric}"
            );
        }
    }
}

#[test]
fn walks_are_shortest_for_every_goal_cell_of_the_blank() {
    for size in ["2x2", "2x3", "3x2", "2x4", "4x2", "3x3"] {
        let arrangements = space::of(size).next().unwrap().arrangements;
        for blank in 0..dims(size).cells() as u16 {
            // The large space: only a corner, an edge and the center.
            if size == "3x3" && ![2, 5, 4].contains(&blank) {
                continue;
            }
            let goal = goal(dims(size), blank);
            for metric in Metric::ALL {
                let oracle = Oracle::new(&goal, metric);
                let table = build(full_space(size, blank, metric));
                assert_eq!(table.census().len() as u32, oracle.deepest() + 1);
                for start in arrangements.iter().step_by(if size == "3x3" { 7 } else { 1 }) {
                    let labels = labels(start, blank);
                    let expected = oracle.distance(start);
                    check_walk(|step| table.walk(&labels, step), start, &goal, expected);
                }
            }
        }
    }
}

#[test]
fn walks_of_ten_cells_are_shortest() {
    // The public functions use tables with more rows than columns only.
    let (size, blank) = ("2x5", 8);
    let goal = goal(dims(size), blank);
    let oracle = Oracle::new(&goal, Metric::Mtm);
    let table = build(full_space(size, blank, Metric::Mtm));
    let mut random = Random::new(10);
    for _ in 0..20_000 {
        let start = random.board(dims(size));
        let labels = labels(&start, blank);
        let expected = oracle.distance(&start);
        check_walk(|step| table.walk(&labels, step), &start, &goal, expected);
    }
}

#[test]
fn best_moves_of_the_8_puzzle_are_shortest() {
    let arrangements = space::of("3x3").next().unwrap().arrangements;
    for metric in Metric::ALL {
        for blank in [0, 1, 4] {
            let space = full_space("3x3", blank, metric);
            let (table, goal) = (build(space), goal(dims("3x3"), blank));
            let moves = BestMoves::embedded(space).unwrap();
            assert_eq!((moves.space(), moves.census()), (space, table.census()));
            for start in arrangements {
                let labels = labels(start, blank);
                let expected = table.walk(&labels, |_, _| {});
                check_walk(|step| moves.walk(&labels, step), start, &goal, expected);
            }
        }
    }
    assert!(BestMoves::embedded(full_space("3x3", 2, Metric::Stm)).is_none());
    assert!(BestMoves::embedded(full_space("4x2", 0, Metric::Stm)).is_none());
    assert!(BestMoves::from_table(&build(full_space("4x2", 0, Metric::Stm))).is_none());
}

#[test]
fn table_does_not_depend_on_threads() {
    for metric in Metric::ALL {
        let space = full_space("5x2", 3, metric);
        let expected = DistanceTable::build(space, 1, &mut ()).unwrap();
        for n_threads in [0, 3, 100] {
            let table = DistanceTable::build(space, n_threads, &mut ()).unwrap();
            assert!(table.bytes() == expected.bytes(), "{metric} {n_threads}");
        }
    }
}

/// Breaks at the given poll.
struct BreakAtPoll(u32);

impl Watch for BreakAtPoll {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(Limit::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn build_stops_at_any_poll() {
    for metric in Metric::ALL {
        for n_threads in [1, 2] {
            for n_polls in [1, 5, 40] {
                let space = full_space("4x2", 0, metric);
                let built = DistanceTable::build(space, n_threads, &mut BreakAtPoll(n_polls));
                assert_eq!(built.err(), Some(Limit::Interrupted), "{metric} {n_polls}");
            }
        }
    }
}

#[test]
fn table_from_bytes_equals_the_original() {
    for metric in Metric::ALL {
        let space = full_space("3x3", 1, metric);
        let table = build(space);
        let n_bits = if metric == Metric::Stm { 1 } else { 2 };
        assert_eq!(space.table_bytes(), 181_440 * n_bits / 8);
        assert_eq!(table.bytes().len(), space.table_bytes() + 800);
        assert_eq!(table.bytes().len(), space.n_bytes());
        let bytes = table.bytes().to_vec();
        let again = DistanceTable::from_bytes(space, bytes.clone().into()).unwrap();
        assert_eq!((again.bytes(), again.census()), (table.bytes(), table.census()));
        let start = [4, 3, 2, 1, 0, 8, 7, 6, 5];
        let expected = table.walk(&start, |_, _| {});
        assert_eq!(again.walk(&start, |_, _| {}), expected);

        let refuses =
            |bytes: &[u8]| DistanceTable::from_bytes(space, bytes.to_vec().into()).is_none();
        assert!(refuses(&[]) && refuses(&bytes[..bytes.len() - 1]));
        assert!(refuses(&bytes[..bytes.len() - 8]) && refuses(&[&bytes[..], &[1; 8]].concat()));
        // A walk ends even if the bytes are not a table.
        let mut broken = bytes;
        broken[..space.table_bytes()].fill(0);
        let broken = DistanceTable::from_bytes(space, broken.into()).unwrap();
        assert_eq!(broken.walk(&start, |_, _| {}), None);
    }
}

#[test]
fn stored_table_equals_the_built_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    for metric in Metric::ALL {
        let space = full_space("5x2", 2, metric);
        let spec = DistanceTable::spec(space, "a test").unwrap();
        assert_eq!(spec.name().as_str(), space.to_string());
        for is_built in [true, false] {
            let got = spec.get(&store, 2, &mut ()).unwrap();
            assert_eq!((got.is_built, got.warnings.len()), (is_built, 0));
            assert!(got.bytes.is_mapped());
            let table = DistanceTable::from_bytes(space, got.bytes).unwrap();
            assert!(table.bytes() == build(space).bytes());
        }
    }
}

#[test]
fn invalid_labels_have_no_walk() {
    let table = build(full_space("2x3", 0, Metric::Stm));
    let check = |labels: &[u8], expected| assert_eq!(table.walk(labels, |_, _| {}), expected);
    check(&[0, 1, 2, 3, 4, 5], Some(0));
    check(&[1, 0, 2, 3, 4, 5], Some(1));
    check(&[0, 2, 1, 3, 4, 5], None);
    check(&[0, 1, 2, 3, 4], None);
    check(&[0, 1, 2, 3, 4, 5, 6], None);
    check(&[0, 1, 2, 3, 4, 4], None);
    check(&[0, 1, 2, 3, 4, 64], None);
    check(&[], None);
}

#[test]
fn space_has_its_name_and_sizes() {
    let space = full_space("4x3", 4, Metric::Stm);
    assert_eq!(space.to_string(), "full-4x3-4-stm");
    assert_eq!((space.n_boards(), space.table_bytes()), (239_500_800, 29_937_600));
    assert!(space.build_bytes(2) <= 80_000_000);
    let mtm = full_space("4x3", 4, Metric::Mtm);
    assert_eq!((mtm.to_string().as_str(), mtm.table_bytes()), ("full-4x3-4-mtm", 59_875_200));
    assert!(FullSpace::new(dims("4x3"), Cell::new(12), Metric::Stm).is_none());
    assert!(FullSpace::new(dims("2x7"), Cell::new(0), Metric::Stm).is_none());
}

#[test]
fn level_has_exactly_the_boards_at_its_distance() {
    for (size, blank) in [("2x2", 3), ("2x3", 0), ("3x2", 3), ("3x3", 4), ("2x4", 1)] {
        for metric in Metric::ALL {
            let space = full_space(size, blank, metric);
            let table = build(space);
            let census = table.census();
            for (distance, &n_boards) in census.iter().enumerate() {
                let level = Level::search(space, distance, 2, &mut ()).unwrap().unwrap();
                assert_eq!(level.len(), n_boards, "{space} {distance}");
                let mut boards: Vec<Vec<u8>> =
                    (0..n_boards).map(|number| level.labels(number).unwrap()).collect();
                for labels in &boards {
                    assert_eq!(table.walk(labels, |_, _| {}), Some(distance as u32), "{space}");
                }
                boards.sort_unstable();
                boards.dedup();
                assert_eq!(boards.len() as u64, n_boards);
                assert_eq!(level.labels(n_boards), None);
            }
            let beyond = Level::search(space, census.len(), 1, &mut ()).unwrap();
            assert!(beyond.is_none(), "{space}");
        }
    }
}

#[test]
fn each_visits_all_levels_in_order() {
    for (size, blank) in [("2x2", 0), ("2x3", 1), ("3x2", 0), ("2x4", 5), ("3x3", 4)] {
        for metric in Metric::ALL {
            let space = full_space(size, blank, metric);
            let mut n_boards = Vec::new();
            let visit = |distance: usize, level: Level, _: &mut dyn Watch| {
                assert_eq!(distance, n_boards.len());
                n_boards.push(level.len());
                let mut numbers = 0..level.len();
                for part in 0..level.n_parts() {
                    level.each_board(part, |labels| {
                        let number = numbers.next().unwrap();
                        assert_eq!(level.labels(number).as_deref(), Some(labels), "{space}");
                    });
                }
                assert!(numbers.is_empty());
                Ok(())
            };
            Level::each::<Limit>(space, 2, &mut (), visit).unwrap();
            assert_eq!(n_boards, build(space).census(), "{space}");
        }
    }
}

#[test]
fn visitor_of_levels_can_stop_the_search() {
    let space = full_space("3x3", 0, Metric::Stm);
    let mut n_seen = 0;
    let result = Level::each(space, 1, &mut (), |_, _, _| {
        n_seen += 1;
        if n_seen < 5 { Ok(()) } else { Err(Limit::Time) }
    });
    assert_eq!((result, n_seen), (Err(Limit::Time), 5));
}
