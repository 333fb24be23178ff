//! Ranks and pattern databases, compared with plain enumeration.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use npuzzle_core::search::Limit;
use npuzzle_core::{Cell, Dims, Slide};
use npuzzle_tables::{Partition, Pattern, PatternDatabase, PdbKind, ZeroAwareSet};
use npuzzle_testkit::{data, dims, is_long};

/// The size of the board, the blank's goal cell, and the tiles.
const CASES: [(&str, u16, &[u8]); 9] = [
    ("2x2", 0, &[1, 2]),
    ("2x3", 0, &[1, 2, 3, 4, 5]),
    ("3x2", 3, &[0, 5, 1]),
    ("3x3", 0, &[1, 2, 3]),
    ("3x3", 4, &[8, 0, 2, 5]),
    ("2x5", 9, &[0, 1, 5]),
    ("3x4", 5, &[11, 3, 7]),
    ("4x4", 0, &[1, 4, 5]),
    ("4x4", 6, &[0, 15]),
];

#[test]
fn rank_and_cells_are_inverse() {
    for (size, _, tiles) in CASES {
        let pattern = Pattern::new(dims(size).cells(), tiles).unwrap();
        for rank in 0..pattern.n_ranks() as u32 {
            let cells = pattern.cells(rank);
            assert_eq!(pattern.rank(&cells), rank, "{size} {tiles:?} {cells:?}");
            assert!((1..cells.len()).all(|at| !cells[..at].contains(&cells[at])));
        }
    }
}

/// The minimum number of moves of the pattern's tiles for every placement.
fn plain(dims: Dims, blank: u16, tiles: &[u8]) -> HashMap<Vec<u8>, u8> {
    let mut minimum = HashMap::new();
    for ((cells, _), cost) in plain_by_blank(dims, blank, tiles) {
        minimum.entry(cells).and_modify(|known: &mut u8| *known = cost.min(*known)).or_insert(cost);
    }
    minimum
}

#[test]
fn costs_match_a_plain_search() {
    for (size, blank, tiles) in CASES {
        let dims = dims(size);
        let pattern = Pattern::new(dims.cells(), tiles).unwrap();
        let table = PatternDatabase::build(dims, Cell::new(blank), &pattern).unwrap();
        let plain = plain(dims, blank, tiles);
        let excess = table.to_packed(1);
        for rank in 0..pattern.n_ranks() as u32 {
            let cells = pattern.cells(rank);
            // Some placements on small boards cannot be reached.
            let expected = plain.get(&cells).copied().unwrap_or(u8::MAX);
            assert_eq!(table.cost(&cells), expected, "{size} {tiles:?} {cells:?}");
            let distances = cells.iter().zip(tiles).map(|(&cell, &tile)| {
                dims.distance(Cell::new(cell.into()), Cell::new(tile.into()))
            });
            let manhattan: usize = distances.sum();
            let expected = (usize::from(expected) - manhattan) / 2;
            assert_eq!(usize::from(excess.get(rank)), expected.min(3), "{size} {cells:?}");
        }
    }
}

fn build_on(threads: usize, size: &str, blank: u16, tiles: &[u8]) -> PatternDatabase {
    let pattern = Pattern::new(dims(size).cells(), tiles).unwrap();
    let proceed = &mut |_| ControlFlow::Continue(());
    PatternDatabase::build_on(threads, dims(size), Cell::new(blank), &pattern, proceed)
        .unwrap()
        .unwrap()
}

#[test]
fn verify_accepts_tables_and_rejects_others() {
    let larger =
        [("4x4", 0, &[1, 2, 4, 5, 8][..]), ("5x5", 0, &[1, 2, 5, 6]), ("2x8", 3, &[7, 8, 9, 15])];
    for (size, blank, tiles) in CASES.into_iter().chain(larger) {
        let table = build_on(2, size, blank, tiles);
        let flaw = table.verify(Cell::new(blank), 2, &mut |_| ControlFlow::Continue(()));
        assert_eq!(flaw, Ok(None), "{size} {tiles:?}");
    }
    // The table for another goal cell of the blank is different: here the tiles enclose its corner.
    let table = build_on(1, "4x4", 0, &[1, 4]);
    let flaw = table.verify(Cell::new(15), 1, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(flaw, Ok(Some(_))));
}

#[test]
fn histograms_match_the_known_ones() {
    let text = data::text("pattern_histograms.txt");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [size, tiles, counts] = line.split(" ; ").collect::<Vec<_>>()[..] else { panic!() };
        let numbers =
            |text: &str| text.split(' ').map(|n| n.parse().unwrap()).collect::<Vec<u64>>();
        let tiles: Vec<u8> = numbers(tiles).into_iter().map(|tile| tile as u8).collect();
        let n_placements: u64 = numbers(counts).iter().sum();
        if n_placements < 10_000_000 || is_long() {
            assert_eq!(
                build_on(2, size, 0, &tiles).histogram(),
                numbers(counts),
                "{size} {tiles:?}"
            );
        }
    }
}

#[test]
fn table_does_not_depend_on_threads() {
    let tiles = &[1, 2, 3, 4, 5];
    let (one, four) = (build_on(1, "4x4", 0, tiles), build_on(4, "4x4", 0, tiles));
    assert_eq!(one.histogram(), four.histogram());
    assert_eq!(one.to_packed(1), four.to_packed(3));
}

#[test]
fn build_stops_when_the_callback_breaks() {
    let pattern = Pattern::new(16, &[1, 2, 3, 4, 5, 6]).unwrap();
    let mut reported = Vec::new();
    let progress = &mut |done| {
        reported.push(done);
        if done > 0.1 { ControlFlow::Break(Limit::Interrupted) } else { ControlFlow::Continue(()) }
    };
    let built =
        PatternDatabase::build_on(2, dims("4x4"), Cell::new(0), &pattern, progress).unwrap();
    assert_eq!(built.err(), Some(Limit::Interrupted));
    assert!(reported.is_sorted() && reported.iter().all(|done| (0.0..=1.0).contains(done)));
}

#[test]
fn partitions_cover_all_tiles_of_boards_up_to_25_cells() {
    for (rows, cols) in (2..=12).flat_map(|rows| (2..=rows).map(move |cols| (rows, cols))) {
        let dims = Dims::new(rows, cols).unwrap();
        for blank in (0..dims.cells().min(25) as u16).map(Cell::new) {
            let quick = Partition::quick(dims, blank, PdbKind::ZeroAware);
            let large = Partition::large(dims, blank);
            assert_eq!(quick.is_some(), dims.cells() <= 25, "{dims}");
            assert_eq!(large.is_some(), (13..=25).contains(&dims.cells()), "{dims}");
            let medium = Partition::medium(dims, blank);
            assert_eq!(medium.is_some(), dims.to_string() == "4x4" && blank.index() < 8, "{dims}");
            for partition in quick.iter().chain(&medium).chain(&large) {
                let parts = partition.name();
                let n_tiles = parts.split('-').skip(5).flat_map(|part| part.split('.')).count();
                assert_eq!(n_tiles + 1, dims.cells(), "{parts}");
            }
        }
    }
}

/// The costs of all states of a placement and a cell of the blank, by a plain search. Other moves of the blank
/// cost nothing.
fn plain_by_blank(dims: Dims, blank: u16, tiles: &[u8]) -> HashMap<(Vec<u8>, u8), u8> {
    let start = (tiles.to_vec(), blank as u8);
    let mut costs = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        let (cells, blank) = &state;
        let cost = costs[&state];
        for slide in Slide::ALL {
            let Some(from) = dims.source(Cell::new(u16::from(*blank)), slide) else { continue };
            let from = from.index() as u8;
            let moved = cells.iter().position(|&cell| cell == from);
            let mut after = cells.clone();
            if let Some(tile) = moved {
                after[tile] = *blank;
            }
            let (next, next_cost) = ((after, from), cost + u8::from(moved.is_some()));
            if costs.get(&next).is_none_or(|&known| next_cost < known) {
                costs.insert(next.clone(), next_cost);
                // Moves without cost are searched first, so that few costs have to be corrected.
                if moved.is_some() { queue.push_back(next) } else { queue.push_front(next) }
            }
        }
    }
    costs
}

/// One bit tells the cost of every placement and cell of the blank.
#[test]
fn zero_aware_costs_match_a_plain_search() {
    for (size, blank, tiles) in CASES {
        let (dims, blank_cell) = (dims(size), Cell::new(blank));
        let parts = [tiles];
        let partition = Partition::new(dims, blank_cell, &parts, PdbKind::ZeroAware).unwrap();
        let bytes = partition.build(2, &mut ()).unwrap();
        assert_eq!(partition.verify(&bytes, 2, &mut ()), Ok(None), "{size} {tiles:?}");
        let set = ZeroAwareSet::from_bytes(&partition, &bytes).unwrap();
        for ((cells, blank), cost) in plain_by_blank(dims, blank, tiles) {
            let found = set.tables()[0].cost(&cells, blank.into());
            assert_eq!(found, usize::from(cost), "{size} {tiles:?} {cells:?} {blank}");
        }
    }
}

#[test]
fn verify_notices_every_flipped_bit_of_a_zero_aware_table() {
    let parts: [&[u8]; 1] = [&[1, 2, 4]];
    let partition = Partition::new(dims("3x3"), Cell::new(0), &parts, PdbKind::ZeroAware).unwrap();
    let good = partition.build(1, &mut ()).unwrap().to_vec();
    for byte in 0..good.len() {
        let mut bad = good.clone();
        bad[byte] ^= 1 << (byte % 8);
        assert!(matches!(partition.verify(&bad, 1, &mut ()), Ok(Some(_))), "{byte}");
    }
}

#[test]
fn invalid_patterns_are_refused() {
    assert!(Pattern::new(9, &[1, 1]).is_none());
    assert!(Pattern::new(9, &[9]).is_none());
    assert!(Pattern::new(4, &[0, 1, 2, 3]).is_none());
    assert!(Pattern::new(16, &[1, 2, 3, 4, 5, 6, 7, 8, 9]).is_none());
    let pattern = Pattern::new(9, &[0, 1]).unwrap();
    assert!(PatternDatabase::build(dims("3x3"), Cell::new(0), &pattern).is_none());
    assert!(PatternDatabase::build(dims("4x4"), Cell::new(8), &pattern).is_none());
}
