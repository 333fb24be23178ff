//! The automaton over straight runs keeps a path of fewest runs to every board.

use std::collections::HashMap;

use npuzzle_core::{Board, Dims, Slide};
use npuzzle_tables::{Axis, RunAutomaton};
use npuzzle_testkit::dims;

/// A board with the blank in this cell. The order of the tiles does not matter.
fn with_blank_at(dims: Dims, blank: usize) -> Board {
    let mut tiles: Vec<u16> = (1..dims.cells() as u16).collect();
    tiles.insert(blank, 0);
    Board::new(dims, &tiles).unwrap()
}

/// The runs of the blank along an axis: whether it moves forward, the number of slides, and the board
/// after them.
fn runs(board: &Board, axis: Axis) -> Vec<(bool, usize, Board)> {
    let slides = match axis {
        Axis::Row => [Slide::Right, Slide::Left],
        Axis::Col => [Slide::Down, Slide::Up],
    };
    let mut found = Vec::new();
    for (slide, is_forward) in slides.into_iter().zip([false, true]) {
        let mut after = board.clone();
        for n_slides in 1.. {
            if !after.slide(slide) {
                break;
            }
            found.push((is_forward, n_slides, after.clone()));
        }
    }
    found
}

/// The depth of every board within `depth` runs, by plain breadth-first search.
fn plain_depths(start: &Board, depth: u32) -> HashMap<Board, u32> {
    let mut depths = HashMap::from([(start.clone(), 0)]);
    let mut level = vec![start.clone()];
    for at in 1..=depth {
        let mut next = Vec::new();
        for board in &level {
            for (.., after) in Axis::ALL.into_iter().flat_map(|axis| runs(board, axis)) {
                if !depths.contains_key(&after) {
                    depths.insert(after.clone(), at);
                    next.push(after);
                }
            }
        }
        level = next;
    }
    depths
}

/// The depth of every board by all paths that the automaton allows, and the number of these paths.
fn allowed_depths(
    automaton: &RunAutomaton,
    start: &Board,
    depth: u32,
) -> (HashMap<Board, u32>, u64) {
    let mut depths = HashMap::from([(start.clone(), 0)]);
    let mut n_paths = 0;
    let mut level = Axis::ALL.map(|axis| (start.clone(), axis, RunAutomaton::start(axis))).to_vec();
    for at in 1..=depth {
        let mut next = Vec::new();
        for (board, axis, state) in &level {
            for (is_forward, n_slides, after) in runs(board, *axis) {
                let to = automaton.next(*state, *axis, is_forward, n_slides);
                let Some(to) = to else { continue };
                depths.entry(after.clone()).or_insert(at);
                n_paths += 1;
                next.push((after, axis.other(), to));
            }
        }
        level = next;
    }
    (depths, n_paths)
}

/// Checks all sizes of up to 16 cells and every cell of the blank, one run deeper than the automaton.
#[test]
fn automaton_reaches_every_board_at_its_depth_on_all_sizes() {
    let automaton = RunAutomaton::embedded().unwrap();
    for (rows, cols) in (2..=4).flat_map(|rows| (rows..=16 / rows).map(move |cols| (rows, cols))) {
        let dims = Dims::new(rows, cols).unwrap();
        for blank in 0..dims.cells() {
            let start = with_blank_at(dims, blank);
            let (depths, _) = allowed_depths(&automaton, &start, 10);
            assert_eq!(depths, plain_depths(&start, 10), "{rows}x{cols} with the blank at {blank}");
        }
    }
}

#[test]
fn automaton_leaves_few_duplicate_paths() {
    let automaton = RunAutomaton::embedded().unwrap();
    for blank in [0, 1, 5] {
        let start = with_blank_at(dims("4x4"), blank);
        let (depths, n_paths) = allowed_depths(&automaton, &start, 9);
        let n_boards = depths.len() as u64 - 1;
        // Without the automaton there are more paths by a sixteenth.
        assert!(n_paths <= n_boards + n_boards / 1000, "{n_paths} paths to {n_boards} boards");
    }
}

#[test]
fn free_automaton_allows_all_alternating_runs() {
    let (_, n_paths) = allowed_depths(&RunAutomaton::free(), &with_blank_at(dims("4x4"), 0), 7);
    assert_eq!(n_paths, (1..=7).map(|depth| 2 * 3u64.pow(depth)).sum::<u64>());
}

#[test]
fn embedded_automaton_matches_the_generator() {
    let embedded = RunAutomaton::embedded().unwrap();
    assert_eq!(embedded, RunAutomaton::new(9));
    assert_eq!(embedded.n_states(), 12_661);
}

#[test]
fn from_bytes_refuses_invalid_automata() {
    let automaton = RunAutomaton::new(4);
    let bytes = automaton.bytes();
    assert_eq!(RunAutomaton::from_bytes(&bytes), Some(automaton));
    assert_eq!(RunAutomaton::from_bytes(&bytes[1..]), None);
    assert_eq!(RunAutomaton::from_bytes(&[]), None);
    let mut invalid = bytes;
    invalid[0..2].copy_from_slice(&0xfffe_u16.to_le_bytes());
    assert_eq!(RunAutomaton::from_bytes(&invalid), None);
}
