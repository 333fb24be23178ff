//! Tables with valid checksums and arbitrary entries: a walk along them terminates, at the goal or
//! without a result.

use npuzzle_core::{Cell, Dims, Metric, Slide};
use npuzzle_tables::{Abstraction, Axis, DistanceTable, FullSpace, MtmTable, MtmView};

use crate::assertions::selector;

/// The maximum number of boards that are looked up for an input.
const MAX_BOARDS: usize = 40;

/// The first byte selects the table. The rest, repeated, is its entries; it also selects the boards
/// that are looked up.
pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((which, rest)) = selector(bytes) else { return false };
    match which % 4 {
        0 => walk(Metric::Stm, rest, true),
        1 => walk(Metric::Mtm, rest, true),
        2 => walk(Metric::Stm, rest, false),
        _ => count_runs(rest),
    }
}

/// The input repeated to the length of a table.
fn filled(n_bytes: usize, with: &[u8]) -> Vec<u8> {
    with.iter().copied().chain(std::iter::once(0)).cycle().take(n_bytes).collect()
}

/// A full table of 3x2, with or without the correct census at its end.
fn walk(metric: Metric, bytes: &[u8], has_census: bool) -> bool {
    let dims: Dims = "3x2".parse().unwrap();
    let space = FullSpace::new(dims, Cell::new(5), metric).unwrap();
    let mut entries = filled(space.n_bytes(), bytes);
    if has_census {
        let correct = DistanceTable::build(space, 1, &mut ()).unwrap();
        let census = space.table_bytes()..;
        entries[census.clone()].copy_from_slice(&correct.bytes()[census]);
    }
    let Some(table) = DistanceTable::from_bytes(space, entries.into()) else { return false };
    for labels in boards(dims, 5, bytes) {
        let mut board = labels.clone();
        let step = |direction: Slide, n: usize| {
            assert!((0..n).all(|_| slide(&mut board, dims, 5, direction)), "{labels:?}");
        };
        let n_moves = table.walk(&labels, step);
        assert!(n_moves.is_none_or(|n| n <= 100));
        let is_solved = board.iter().copied().eq(0..6);
        assert!(n_moves.is_none() || is_solved, "{labels:?} leads to {board:?}");
    }
    true
}

/// An MTM table of 3x3.
fn count_runs(bytes: &[u8]) -> bool {
    let dims: Dims = "3x3".parse().unwrap();
    let classes = [0, 0, 1, 1, 2, 2, 3, 3, 0];
    let abstraction = Abstraction::new(dims, Cell::new(8), &classes).unwrap();
    let entries = filled(MtmTable::n_bytes(&abstraction), bytes);
    let table = MtmTable::from_bytes(abstraction, entries.into()).unwrap();
    let mirror = MtmView::transposed(&table).unwrap();
    for view in [MtmView::new(&table), mirror] {
        for labels in boards(dims, 8, bytes) {
            for axis in Axis::ALL {
                assert!(view.runs(axis, &labels).is_none_or(|n| n <= 255), "{labels:?}");
            }
        }
    }
    true
}

/// The boards of a walk from the goal, as labels. `blank` is the label of the blank.
fn boards(dims: Dims, blank: u8, bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut labels: Vec<u8> = (0..dims.cells() as u8).collect();
    let mut boards = vec![labels.clone()];
    for &byte in bytes.iter().take(MAX_BOARDS) {
        if slide(&mut labels, dims, blank, Slide::ALL[usize::from(byte) % 4]) {
            boards.push(labels.clone());
        }
    }
    boards
}

/// Makes a slide; returns whether there is a tile to move.
fn slide(labels: &mut [u8], dims: Dims, blank: u8, slide: Slide) -> bool {
    let blank_cell = labels.iter().position(|&label| label == blank).unwrap();
    let from = dims.source(Cell::new(blank_cell as u16), slide);
    if let Some(from) = from {
        labels.swap(blank_cell, from.index());
    }
    from.is_some()
}
