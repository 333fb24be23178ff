//! The automaton over straight runs loses no board and no path of fewest runs.

use std::collections::HashMap;

use npuzzle_core::{Board, Dims, Slide};
use npuzzle_tables::{Axis, RunAutomaton};
use npuzzle_testkit::dims;

/// A board with the blank at this cell; where the other tiles are does not matter.
fn with_blank_at(dims: Dims, blank: usize) -> Board {
    let mut tiles: Vec<u16> = (1..dims.cells() as u16).collect();
    tiles.insert(blank, 0);
    Board::new(dims, &tiles).unwrap()
}

/// The runs of the blank along an axis: whether they go forward, how far, and where to.
fn along(board: &Board, axis: Axis) -> Vec<(bool, usize, Board)> {
    let slides = match axis {
        Axis::Row => [Slide::Right, Slide::Left],
        Axis::Col => [Slide::Down, Slide::Up],
    };
    let mut runs = Vec::new();
    for (slide, is_forward) in slides.into_iter().zip([false, true]) {
        let mut after = board.clone();
        for n_slides in 1.. {
            if !after.slide(slide) {
                break;
            }
            runs.push((is_forward, n_slides, after.clone()));
        }
    }
    runs
}

/// How many runs lead to every board within so many, by plain search.
fn plain(start: &Board, depth: u32) -> HashMap<Board, u32> {
    let mut met = HashMap::from([(start.clone(), 0)]);
    let mut level = vec![start.clone()];
    for at in 1..=depth {
        let mut next = Vec::new();
        for board in &level {
            for (.., after) in Axis::ALL.into_iter().flat_map(|axis| along(board, axis)) {
                if !met.contains_key(&after) {
                    met.insert(after.clone(), at);
                    next.push(after);
                }
            }
        }
        level = next;
    }
    met
}

/// The same by walking every path that the automaton permits, and how many paths that were.
fn permitted(automaton: &RunAutomaton, start: &Board, depth: u32) -> (HashMap<Board, u32>, u64) {
    let mut met = HashMap::from([(start.clone(), 0)]);
    let mut n_paths = 0;
    let mut level = Axis::ALL.map(|axis| (start.clone(), axis, RunAutomaton::start(axis))).to_vec();
    for at in 1..=depth {
        let mut next = Vec::new();
        for (board, axis, state) in &level {
            for (is_forward, n_slides, after) in along(board, *axis) {
                let to = automaton.next(*state, *axis, is_forward, n_slides);
                let Some(to) = to else { continue };
                met.entry(after.clone()).or_insert(at);
                n_paths += 1;
                next.push((after, axis.other(), to));
            }
        }
        level = next;
    }
    (met, n_paths)
}

/// All sizes of up to 16 cells, wherever the blank is, to the depth of the automaton and beyond.
#[test]
fn every_board_is_still_met_at_its_depth_on_every_size_it_is_used_on() {
    let automaton = RunAutomaton::embedded().unwrap();
    for (rows, cols) in (2..=4).flat_map(|rows| (rows..=16 / rows).map(move |cols| (rows, cols))) {
        let dims = Dims::new(rows, cols).unwrap();
        for blank in 0..dims.cells() {
            let start = with_blank_at(dims, blank);
            let (met, _) = permitted(&automaton, &start, 10);
            assert_eq!(met, plain(&start, 10), "{rows}x{cols} with the blank at {blank}");
        }
    }
}

#[test]
fn within_its_depth_hardly_any_board_is_met_twice() {
    let automaton = RunAutomaton::embedded().unwrap();
    for blank in [0, 1, 5] {
        let start = with_blank_at(dims("4x4"), blank);
        let (met, n_paths) = permitted(&automaton, &start, 9);
        let n_boards = met.len() as u64 - 1;
        // Without the automaton there are more by a sixteenth.
        assert!(n_paths <= n_boards + n_boards / 1000, "{n_paths} paths to {n_boards} boards");
    }
}

#[test]
fn the_free_automaton_forbids_nothing() {
    let (_, n_paths) = permitted(&RunAutomaton::free(), &with_blank_at(dims("4x4"), 0), 7);
    assert_eq!(n_paths, (1..=7).map(|depth| 2 * 3u64.pow(depth)).sum::<u64>());
}

#[test]
fn the_embedded_automaton_is_what_the_generator_makes() {
    let embedded = RunAutomaton::embedded().unwrap();
    assert_eq!(embedded, RunAutomaton::new(9));
    assert_eq!(embedded.n_states(), 12_661);
}

#[test]
fn bytes_that_are_no_automaton_are_refused() {
    let automaton = RunAutomaton::new(4);
    let bytes = automaton.bytes();
    assert_eq!(RunAutomaton::from_bytes(&bytes), Some(automaton));
    assert_eq!(RunAutomaton::from_bytes(&bytes[1..]), None);
    assert_eq!(RunAutomaton::from_bytes(&[]), None);
    let mut wild = bytes;
    wild[0..2].copy_from_slice(&0xfffe_u16.to_le_bytes());
    assert_eq!(RunAutomaton::from_bytes(&wild), None);
}
