//! Tables of the multi-tile metric, compared with a plain search over abstract boards.

use std::collections::HashMap;
use std::ops::ControlFlow;

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_core::{Cell, Dims};
use npuzzle_tables::{Abstraction, Axis, MtmEntry, MtmTable, MtmView, Store};
use npuzzle_testkit::dims;
use npuzzle_testkit::random::Random;

/// The class of the blank, in lists of classes by cell.
const BLANK: u8 = 9;

/// The values that `mtm.rs` defines: the minimum number of runs that solve every abstract board if the
/// next one goes along an axis, where a run may have no slides.
fn plain(abstraction: &Abstraction) -> HashMap<(Vec<u8>, Axis), u32> {
    let dims = abstraction.dims();
    let mut goal = abstraction.classes().to_vec();
    goal[abstraction.blank().index()] = BLANK;
    let mut found = HashMap::new();
    let mut level: Vec<(Vec<u8>, Axis)> = Axis::ALL.map(|axis| (goal.clone(), axis)).to_vec();
    for distance in 1.. {
        let mut next = Vec::new();
        for (board, axis) in level {
            // All boards before the run.
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

/// All boards after a run along an axis, the board itself included.
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

/// The entry of a board, given by its classes.
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

fn build(abstraction: &Abstraction, n_threads: usize) -> MtmTable {
    MtmTable::build(abstraction.clone(), n_threads, &mut ()).unwrap()
}

#[test]
fn values_match_a_plain_search() {
    let mut random = Random::new(11);
    for size in ["2x2", "2x3", "3x2", "2x4", "4x2", "3x3", "2x5"] {
        let dims = dims(size);
        for _ in 0..if dims.cells() > 8 { 1 } else { 4 } {
            let blank = Cell::new(random.below(dims.cells()) as u16);
            let classes: Vec<u8> = (0..dims.cells()).map(|_| random.below(5) as u8).collect();
            let abstraction = Abstraction::new(dims, blank, &classes).unwrap();
            let table = build(&abstraction, 2);
            let plain = plain(&abstraction);
            for ((board, axis), &expected) in &plain {
                assert_eq!(
                    table.runs(entry(board, *axis, dims)),
                    Some(expected),
                    "{abstraction:?}"
                );
            }
            // If two tiles are indistinguishable, every order can be reached.
            if abstraction.sizes().iter().any(|&size| size > 1) {
                let n_states = abstraction.n_orders() * dims.cells();
                assert_eq!(plain.len(), 2 * n_states, "{abstraction:?}");
            }
        }
    }
}

/// Residues in a circle would lead around forever.
#[test]
fn runs_ends_even_if_the_bytes_are_not_a_table() {
    let (dims, mut random) = (dims("3x3"), Random::new(21));
    let abstraction = Abstraction::new(dims, Cell::new(8), &[0, 0, 1, 1, 2, 2, 3, 3, 0]).unwrap();
    let mut n_lost = 0;
    for _ in 0..50 {
        let bytes: Vec<u8> =
            (0..MtmTable::n_bytes(&abstraction)).map(|_| random.bits() as u8).collect();
        let table = MtmTable::from_bytes(abstraction.clone(), bytes.into()).unwrap();
        let view = MtmView::new(&table);
        let board = random.board(dims);
        let labels: Vec<u8> = board.tiles().iter().map(|tile| tile.number() as u8).collect();
        for axis in Axis::ALL {
            match view.runs(axis, &labels) {
                Some(n_runs) => assert!(n_runs <= 255),
                None => n_lost += 1,
            }
        }
    }
    assert!(n_lost > 50, "{n_lost}: random bytes rarely lead to the goal");
}

#[test]
fn mirror_view_transposes_the_board() {
    let dims = dims("3x3");
    let mut random = Random::new(12);
    let transpose = |at: u8| at % 3 * 3 + at / 3;
    for blank in [0, 4, 8] {
        let classes: Vec<u8> = (0..9).map(|_| random.below(4) as u8).collect();
        let abstraction = Abstraction::new(dims, Cell::new(blank), &classes).unwrap();
        let table = build(&abstraction, 1);
        let (straight, mirror) = (MtmView::new(&table), MtmView::transposed(&table).unwrap());
        for _ in 0..200 {
            let board = random.board(dims);
            let labels: Vec<u8> = board.tiles().iter().map(|tile| tile.number() as u8).collect();
            let transposed: Vec<u8> =
                (0..9).map(|cell| transpose(labels[usize::from(transpose(cell))])).collect();
            for axis in Axis::ALL {
                assert_eq!(mirror.runs(axis, &labels), straight.runs(axis.other(), &transposed));
                assert_eq!(mirror.order(axis, &labels), straight.order(axis.other(), &transposed));
            }
        }
    }
    let off = Abstraction::new(dims, Cell::new(1), &[0; 9]).unwrap();
    assert!(MtmView::transposed(&build(&off, 1)).is_none());
}

/// Then the mirror view need not be looked up.
#[test]
fn self_transposed_classes_have_equal_mirror_values() {
    let mut random = Random::new(13);
    let dims_3x3 = dims("3x3");
    // The classes 1 and 2 are exchanged by the transposition.
    for (blank, classes) in [(0, [0, 0, 1, 0, 3, 1, 2, 2, 3]), (4, [0, 1, 1, 2, 0, 3, 2, 3, 3])] {
        let abstraction = Abstraction::new(dims_3x3, Cell::new(blank), &classes).unwrap();
        assert!(abstraction.is_self_transposed());
        let table = build(&abstraction, 1);
        let (straight, mirror) = (MtmView::new(&table), MtmView::transposed(&table).unwrap());
        for _ in 0..500 {
            let board = random.board(dims_3x3);
            let labels: Vec<u8> = board.tiles().iter().map(|tile| tile.number() as u8).collect();
            for axis in Axis::ALL {
                assert_eq!(mirror.runs(axis, &labels), straight.runs(axis, &labels));
            }
        }
    }
    for (size, blank, classes) in [
        ("3x3", 0, &[0, 0, 1, 1, 3, 1, 2, 2, 3][..]),
        ("3x3", 1, &[0, 0, 1, 0, 3, 1, 2, 2, 3]),
        ("2x3", 0, &[0; 6]),
    ] {
        let abstraction = Abstraction::new(dims(size), Cell::new(blank), classes).unwrap();
        assert!(!abstraction.is_self_transposed(), "{size} {blank}");
    }
}

#[test]
fn table_does_not_depend_on_threads() {
    let abstractions = Abstraction::complementary(dims("3x4"), Cell::new(1), 4).unwrap();
    for abstraction in &abstractions {
        let expected = build(abstraction, 1);
        for n_threads in [2, 3, 16] {
            assert_eq!(build(abstraction, n_threads).bytes(), expected.bytes());
        }
    }
}

#[test]
fn stored_table_equals_the_built_one() {
    let abstraction = &Abstraction::complementary(dims("2x5"), Cell::new(0), 4).unwrap()[0];
    let spec = MtmTable::spec(abstraction, "a test").unwrap();
    assert_eq!(spec.name().as_str(), "mtm-2x5-0abcd.aabcd");
    let got = spec.get(&Store::none(), 2, &mut ()).unwrap();
    let table = MtmTable::from_bytes(abstraction.clone(), got.bytes).unwrap();
    assert_eq!(table.bytes(), build(abstraction, 1).bytes());
    assert!(MtmTable::from_bytes(abstraction.clone(), vec![0; 3].into()).is_none());
}

#[test]
fn suited_abstractions_are_smaller_with_fewer_classes() {
    for size in ["2x2", "2x8", "8x2", "3x5", "4x4"] {
        let dims = dims(size);
        for blank in dims.all_cells() {
            let bytes = |n_classes: usize| -> usize {
                let all = Abstraction::complementary(dims, blank, n_classes).unwrap();
                assert!((1..=5).contains(&all.len()));
                all.iter().map(MtmTable::n_bytes).sum()
            };
            assert!(size != "4x4" || bytes(5) > bytes(4));
            assert!(bytes(4) >= bytes(3) && bytes(3) >= bytes(2) && bytes(2) < 100_000, "{size}");
        }
    }
    assert!(Abstraction::complementary(dims("3x6"), Cell::new(0), 4).is_none());
}

/// Breaks at the second poll.
struct BreakAtSecondPoll(u32);

impl Watch for BreakAtSecondPoll {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.0 += 1;
        if self.0 < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(Limit::Time) }
    }
}

#[test]
fn build_stops_when_the_watch_breaks() {
    let abstraction = &Abstraction::complementary(dims("4x4"), Cell::new(0), 4).unwrap()[0];
    let built = MtmTable::build(abstraction.clone(), 2, &mut BreakAtSecondPoll(0));
    assert_eq!(built.err(), Some(Limit::Time));
}
