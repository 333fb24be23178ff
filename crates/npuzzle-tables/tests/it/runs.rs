//! Tables of straight runs, against plain search over relabelled boards.

use std::collections::HashMap;
use std::ops::ControlFlow;

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_core::{Cell, Dims};
use npuzzle_tables::{Abstraction, Axis, MtmEntry, MtmTable, MtmView, Store};
use npuzzle_testkit::dims;
use npuzzle_testkit::random::Random;

/// The classes by cell, with this for the blank.
const BLANK: u8 = 9;

/// What the head of `run_table.rs` defines, word by word: how many runs lead from every relabelled
/// board to the solved one if the next goes along an axis, where a run may have no slides.
fn plain(relabelling: &Abstraction) -> HashMap<(Vec<u8>, Axis), u32> {
    let dims = relabelling.dims();
    let mut goal = relabelling.classes().to_vec();
    goal[relabelling.blank().index()] = BLANK;
    let mut found = HashMap::new();
    let mut level: Vec<(Vec<u8>, Axis)> = Axis::ALL.map(|axis| (goal.clone(), axis)).to_vec();
    for distance in 1.. {
        let mut next = Vec::new();
        for (board, axis) in level {
            // Wherever the last run can come from.
            for before in along(&board, axis, dims) {
                found.entry((before.clone(), axis)).or_insert_with(|| {
                    next.push((before, axis.other()));
                    distance
                });
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    found
}

/// All boards that a run makes of one, itself included.
fn along(board: &[u8], axis: Axis, dims: Dims) -> Vec<Vec<u8>> {
    let blank = board.iter().position(|&class| class == BLANK).unwrap();
    let (row, col) = (blank / dims.cols(), blank % dims.cols());
    let line: Vec<usize> = match axis {
        Axis::Row => (0..dims.cols()).map(|col| row * dims.cols() + col).collect(),
        Axis::Col => (0..dims.rows()).map(|row| row * dims.cols() + col).collect(),
    };
    let run = |to: usize| {
        let mut board = board.to_vec();
        let at = line.iter().position(|&cell| cell == blank).unwrap();
        let step = |from: usize, to: usize, board: &mut Vec<u8>| board.swap(line[from], line[to]);
        if to > at {
            (at..to).for_each(|at| step(at, at + 1, &mut board));
        } else {
            (to..at).rev().for_each(|at| step(at + 1, at, &mut board));
        }
        board
    };
    (0..line.len()).map(run).collect()
}

/// The entry of a board by its classes.
fn entry(board: &[u8], axis: Axis, dims: Dims) -> MtmEntry {
    let blank = board.iter().position(|&class| class == BLANK).unwrap();
    let line = match axis {
        Axis::Row => blank / dims.cols(),
        Axis::Col => blank % dims.cols(),
    };
    let board = match axis {
        Axis::Row => board.to_vec(),
        Axis::Col => along(board, axis, dims).swap_remove(0),
    };
    let tiles = board.iter().filter(|&&class| class != BLANK).zip(0..);
    let order = tiles.fold(0, |order, (&class, at)| order | u64::from(class) << (3 * at));
    MtmEntry { axis, line, order }
}

fn build(relabelling: &Abstraction, n_threads: usize) -> MtmTable {
    MtmTable::build(relabelling.clone(), n_threads, &mut ()).unwrap()
}

#[test]
fn tables_have_the_values_of_a_plain_search() {
    let mut random = Random::new(11);
    for size in ["2x2", "2x3", "3x2", "2x4", "4x2", "3x3", "2x5"] {
        let dims = dims(size);
        for _ in 0..if dims.cells() > 8 { 1 } else { 4 } {
            let blank = Cell::new(random.below(dims.cells()) as u16);
            let classes: Vec<u8> = (0..dims.cells()).map(|_| random.below(5) as u8).collect();
            let relabelling = Abstraction::new(dims, blank, &classes).unwrap();
            let table = build(&relabelling, 2);
            let plain = plain(&relabelling);
            for ((board, axis), &expect) in &plain {
                assert_eq!(table.runs(entry(board, *axis, dims)), Some(expect), "{relabelling:?}");
            }
            // Where two tiles are alike, every order can be reached.
            if relabelling.sizes().iter().any(|&size| size > 1) {
                let n_states = relabelling.n_orders() * dims.cells();
                assert_eq!(plain.len(), 2 * n_states, "{relabelling:?}");
            }
        }
    }
}

/// Remainders in a circle would lead round and round.
#[test]
fn bytes_that_are_no_table_keep_nobody() {
    let (dims, mut random) = (dims("3x3"), Random::new(21));
    let relabelling = Abstraction::new(dims, Cell::new(8), &[0, 0, 1, 1, 2, 2, 3, 3, 0]).unwrap();
    let mut n_lost = 0;
    for _ in 0..50 {
        let bytes: Vec<u8> =
            (0..MtmTable::n_bytes(&relabelling)).map(|_| random.bits() as u8).collect();
        let table = MtmTable::from_bytes(relabelling.clone(), bytes.into()).unwrap();
        let view = MtmView::straight(&table);
        let board = random.board(dims);
        let labels: Vec<u8> = board.tiles().iter().map(|tile| tile.number() as u8).collect();
        for axis in Axis::ALL {
            match view.runs(axis, &labels) {
                Some(n_runs) => assert!(n_runs <= 255),
                None => n_lost += 1,
            }
        }
    }
    assert!(n_lost > 50, "{n_lost}: random bytes lead hardly anywhere");
}

#[test]
fn a_mirror_shows_the_transposed_board() {
    let dims = dims("3x3");
    let mut random = Random::new(12);
    let transpose = |at: u8| at % 3 * 3 + at / 3;
    for blank in [0, 4, 8] {
        let classes: Vec<u8> = (0..9).map(|_| random.below(4) as u8).collect();
        let relabelling = Abstraction::new(dims, Cell::new(blank), &classes).unwrap();
        let table = build(&relabelling, 1);
        let (straight, mirror) = (MtmView::straight(&table), MtmView::mirror(&table).unwrap());
        for _ in 0..200 {
            let board = random.board(dims);
            let labels: Vec<u8> = board.tiles().iter().map(|tile| tile.number() as u8).collect();
            let turned: Vec<u8> =
                (0..9).map(|cell| transpose(labels[usize::from(transpose(cell))])).collect();
            for axis in Axis::ALL {
                assert_eq!(mirror.runs(axis, &labels), straight.runs(axis.other(), &turned));
                assert_eq!(mirror.order(axis, &labels), straight.order(axis.other(), &turned));
            }
        }
    }
    let off = Abstraction::new(dims, Cell::new(1), &[0; 9]).unwrap();
    assert!(MtmView::mirror(&build(&off, 1)).is_none());
}

#[test]
fn tables_do_not_hang_on_the_number_of_threads() {
    let relabellings = Abstraction::suited(dims("3x4"), Cell::new(1), 4).unwrap();
    for relabelling in &relabellings {
        let alone = build(relabelling, 1);
        for n_threads in [2, 3, 16] {
            assert_eq!(build(relabelling, n_threads).bytes(), alone.bytes());
        }
    }
}

#[test]
fn a_stored_table_is_the_one_that_was_built() {
    let relabelling = &Abstraction::suited(dims("2x5"), Cell::new(0), 4).unwrap()[0];
    let recipe = MtmTable::spec(relabelling, "a test").unwrap();
    assert_eq!(recipe.name().as_str(), "mtm-2x5-0abcd.aabcd");
    let got = recipe.get(&Store::none(), 2, &mut ()).unwrap();
    let table = MtmTable::from_bytes(relabelling.clone(), got.bytes).unwrap();
    assert_eq!(table.bytes(), build(relabelling, 1).bytes());
    assert!(MtmTable::from_bytes(relabelling.clone(), vec![0; 3].into()).is_none());
}

#[test]
fn relabellings_cover_every_board_and_get_smaller_with_fewer_classes() {
    for size in ["2x2", "2x8", "8x2", "3x5", "4x4"] {
        let dims = dims(size);
        for blank in (0..dims.cells() as u16).map(Cell::new) {
            let bytes = |n_classes: usize| -> usize {
                let all = Abstraction::suited(dims, blank, n_classes).unwrap();
                assert!((1..=4).contains(&all.len()));
                all.iter().map(MtmTable::n_bytes).sum()
            };
            assert!(size != "4x4" || bytes(5) > bytes(4));
            assert!(bytes(4) >= bytes(3) && bytes(3) >= bytes(2) && bytes(2) < 100_000, "{size}");
        }
    }
    assert!(Abstraction::suited(dims("3x6"), Cell::new(0), 4).is_none());
}

/// Stops at the second look.
struct Impatient(u32);

impl Watch for Impatient {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.0 += 1;
        if self.0 < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(Limit::Time) }
    }
}

#[test]
fn a_build_stops_when_it_is_asked_to() {
    let relabelling = &Abstraction::suited(dims("4x4"), Cell::new(0), 4).unwrap()[0];
    let built = MtmTable::build(relabelling.clone(), 2, &mut Impatient(0));
    assert_eq!(built.err(), Some(Limit::Time));
}
