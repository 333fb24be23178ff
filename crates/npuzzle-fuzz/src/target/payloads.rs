//! Tables whose checksums are right and whose entries are anything at all: whoever walks by them comes
//! to an end, and to the goal or nowhere.

use npuzzle_core::{Cell, Dims, Metric, Slide};
use npuzzle_tables::{Abstraction, Axis, DistanceTable, FullSpace, MtmTable, MtmView};

use crate::place::choice;

/// The most boards that are looked up for an input.
const MOST_BOARDS: usize = 40;

/// The first byte says which table; the rest is its entries, again and again, and the way to the
/// boards that are looked up.
pub(super) fn feed(bytes: &[u8]) -> bool {
    let Some((which, rest)) = choice(bytes) else { return false };
    match which % 4 {
        0 => walk(Metric::Stm, rest, true),
        1 => walk(Metric::Mtm, rest, true),
        2 => walk(Metric::Stm, rest, false),
        _ => count_runs(rest),
    }
}

/// Entries as the input has them, of a table of this length.
fn filled(n_bytes: usize, with: &[u8]) -> Vec<u8> {
    with.iter().copied().chain(std::iter::once(0)).cycle().take(n_bytes).collect()
}

/// A table of all distances of 3x2, with the right census at its end, or without.
fn walk(metric: Metric, bytes: &[u8], has_census: bool) -> bool {
    let dims: Dims = "3x2".parse().unwrap();
    let space = FullSpace::new(dims, Cell::new(5), metric).unwrap();
    let mut entries = filled(space.n_bytes(), bytes);
    if has_census {
        let right = DistanceTable::build(space, 1, &mut ()).unwrap();
        let census = space.table_bytes()..;
        entries[census.clone()].copy_from_slice(&right.bytes()[census]);
    }
    let Some(table) = DistanceTable::from_bytes(space, entries.into()) else { return false };
    for labels in boards(dims, 5, bytes) {
        let mut board = labels.clone();
        let step = |slide: Slide, n: usize| {
            assert!((0..n).all(|_| slides(&mut board, dims, 5, slide)), "{labels:?}");
        };
        let n_moves = table.walk(&labels, step);
        assert!(n_moves.is_none_or(|n| n <= 100));
        let is_solved = board.iter().copied().eq(0..6);
        assert!(n_moves.is_none() || is_solved, "{labels:?} leads to {board:?}");
    }
    true
}

/// A table of straight runs on 3x3.
fn count_runs(bytes: &[u8]) -> bool {
    let dims: Dims = "3x3".parse().unwrap();
    let classes = [0, 0, 1, 1, 2, 2, 3, 3, 0];
    let relabelling = Abstraction::new(dims, Cell::new(8), &classes).unwrap();
    let entries = filled(MtmTable::n_bytes(&relabelling), bytes);
    let table = MtmTable::from_bytes(relabelling, entries.into()).unwrap();
    let mirror = MtmView::mirror(&table).unwrap();
    for view in [MtmView::straight(&table), mirror] {
        for labels in boards(dims, 8, bytes) {
            for axis in Axis::ALL {
                assert!(view.runs(axis, &labels).is_none_or(|n| n <= 255), "{labels:?}");
            }
        }
    }
    true
}

/// The boards of a walk from the goal, by their labels.
fn boards(dims: Dims, home: u8, bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut labels: Vec<u8> = (0..dims.cells() as u8).collect();
    let mut boards = vec![labels.clone()];
    for &byte in bytes.iter().take(MOST_BOARDS) {
        if slides(&mut labels, dims, home, Slide::ALL[usize::from(byte) % 4]) {
            boards.push(labels.clone());
        }
    }
    boards
}

/// Slides a tile; whether there is one.
fn slides(labels: &mut [u8], dims: Dims, home: u8, slide: Slide) -> bool {
    let blank = labels.iter().position(|&label| label == home).unwrap();
    let from = dims.source(Cell::new(blank as u16), slide);
    if let Some(from) = from {
        labels.swap(blank, from.index());
    }
    from.is_some()
}
