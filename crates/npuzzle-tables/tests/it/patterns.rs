//! Ranks and tables of small patterns against plain enumeration.

use std::collections::{HashMap, VecDeque};

use npuzzle_core::{Cell, Dims, Slide};
use npuzzle_tables::{Pattern, PatternTable};
use npuzzle_testkit::dims;

/// Size, where the blank belongs, tiles.
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

/// The fewest moves of the pattern's tiles to every placement, by a plain search over placements
/// and the blank's cell in which the blank's other moves cost nothing.
fn plain(dims: Dims, blank: u16, tiles: &[u8]) -> HashMap<Vec<u8>, u8> {
    let start = (tiles.to_vec(), blank as u8);
    let mut costs = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        let (cells, blank) = &at;
        let cost = costs[&at];
        for slide in Slide::ALL {
            let Some(from) = dims.source(Cell::new(u16::from(*blank)), slide) else { continue };
            let from = from.index() as u8;
            let moved = cells.iter().position(|&cell| cell == from);
            let mut after = cells.clone();
            if let Some(tile) = moved {
                after[tile] = *blank;
            }
            let (next, price) = ((after, from), cost + u8::from(moved.is_some()));
            if costs.get(&next).is_none_or(|&known| price < known) {
                costs.insert(next.clone(), price);
                // Moves that cost nothing come first, so that costs never fall much.
                if moved.is_some() { queue.push_back(next) } else { queue.push_front(next) }
            }
        }
    }
    let mut least = HashMap::new();
    for ((cells, _), cost) in costs {
        least.entry(cells).and_modify(|known: &mut u8| *known = cost.min(*known)).or_insert(cost);
    }
    least
}

#[test]
fn costs_are_those_of_a_plain_search() {
    for (size, blank, tiles) in CASES {
        let dims = dims(size);
        let pattern = Pattern::new(dims.cells(), tiles).unwrap();
        let table = PatternTable::build(dims, Cell::new(blank), &pattern).unwrap();
        let plain = plain(dims, blank, tiles);
        let excess = table.excess();
        for rank in 0..pattern.n_ranks() as u32 {
            let cells = pattern.cells(rank);
            // On boards this small some placements are out of reach.
            let expect = plain.get(&cells).copied().unwrap_or(u8::MAX);
            assert_eq!(table.cost(rank), expect, "{size} {tiles:?} {cells:?}");
            let steps = cells.iter().zip(tiles).map(|(&cell, &tile)| {
                dims.distance(Cell::new(cell.into()), Cell::new(tile.into()))
            });
            let manhattan: usize = steps.sum();
            let beyond = (usize::from(expect) - manhattan) / 2;
            assert_eq!(usize::from(excess.get(rank)), beyond.min(3), "{size} {cells:?}");
        }
    }
}

#[test]
fn what_is_no_pattern_of_the_board_is_refused() {
    assert!(Pattern::new(9, &[1, 1]).is_none());
    assert!(Pattern::new(9, &[9]).is_none());
    assert!(Pattern::new(4, &[0, 1, 2, 3]).is_none());
    assert!(Pattern::new(16, &[1, 2, 3, 4, 5, 6, 7, 8, 9]).is_none());
    let pattern = Pattern::new(9, &[0, 1]).unwrap();
    assert!(PatternTable::build(dims("3x3"), Cell::new(0), &pattern).is_none());
    assert!(PatternTable::build(dims("4x4"), Cell::new(8), &pattern).is_none());
}
