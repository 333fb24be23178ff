//! The automaton loses no board and no shortest path.

use std::collections::HashMap;

use npuzzle_core::{Board, Cell, Dims, Goal};
use npuzzle_tables::Automaton;
use npuzzle_testkit::dims;

/// A board with the blank at this cell; where the other tiles are does not matter.
fn with_blank_at(dims: Dims, blank: usize) -> Board {
    let mut tiles: Vec<u16> = (1..dims.cells() as u16).collect();
    tiles.insert(blank, 0);
    Board::new(dims, &tiles).unwrap()
}

/// The depth at which every board within `depth` moves is first met by plain search.
fn plain(start: &Board, depth: u32) -> HashMap<Board, u32> {
    let mut met = HashMap::from([(start.clone(), 0)]);
    let mut level = vec![start.clone()];
    for at in 1..=depth {
        let mut next = Vec::new();
        for board in level.iter().flat_map(|board| board.neighbors().collect::<Vec<_>>()) {
            if !met.contains_key(&board) {
                met.insert(board.clone(), at);
                next.push(board);
            }
        }
        level = next;
    }
    met
}

/// The same by walking every path that the automaton permits, and how many paths that were.
fn permitted(automaton: &Automaton, start: &Board, depth: u32) -> (HashMap<Board, u32>, u64) {
    let mut met = HashMap::from([(start.clone(), 0)]);
    let mut n_paths = 0;
    let mut level = vec![(start.clone(), Automaton::START)];
    for at in 1..=depth {
        let mut next = Vec::new();
        for (board, state) in &level {
            for slide in board.slides() {
                let Some(state) = automaton.next(*state, slide) else { continue };
                let mut after = board.clone();
                after.slide(slide);
                met.entry(after.clone()).or_insert(at);
                n_paths += 1;
                next.push((after, state));
            }
        }
        level = next;
    }
    (met, n_paths)
}

#[test]
fn every_board_is_still_met_at_its_depth_on_every_size_it_is_used_on() {
    let automaton = Automaton::embedded().unwrap();
    for (size, depth) in
        [("2x2", 14), ("2x3", 16), ("3x3", 14), ("2x7", 14), ("3x4", 14), ("4x4", 14)]
    {
        let dims = dims(size);
        for blank in 0..dims.cells() {
            let start = with_blank_at(dims, blank);
            let (met, _) = permitted(&automaton, &start, depth);
            assert_eq!(met, plain(&start, depth), "{size} with the blank at {blank}");
        }
    }
}

#[test]
fn within_its_depth_hardly_any_board_is_met_twice() {
    let automaton = Automaton::embedded().unwrap();
    for blank in 0..16 {
        let start = with_blank_at(dims("4x4"), blank);
        let (met, n_paths) = permitted(&automaton, &start, 12);
        let n_boards = met.len() as u64 - 1;
        // A border may stop the path that would have stood for another; that is rare.
        assert!(n_paths <= n_boards + n_boards / 20, "{n_paths} paths to {n_boards} boards");
    }
}

#[test]
fn the_embedded_automaton_is_what_the_generator_makes() {
    let embedded = Automaton::embedded().unwrap();
    assert_eq!(embedded, Automaton::new(12));
    assert_eq!(embedded.n_states(), 7794);
}

#[test]
fn bytes_that_are_no_automaton_are_refused() {
    let bytes = Automaton::new(4).bytes();
    assert_eq!(Automaton::from_bytes(&bytes), Some(Automaton::new(4)));
    assert_eq!(Automaton::from_bytes(&bytes[1..]), None);
    assert_eq!(Automaton::from_bytes(&[]), None);
    let mut wild = bytes;
    wild[0..2].copy_from_slice(&0xfffe_u16.to_le_bytes());
    assert_eq!(Automaton::from_bytes(&wild), None);
}

#[test]
fn of_two_ways_around_a_block_one_is_left() {
    // Around a block of two by two, six moves either way lead to the same board: one way is left.
    let automaton = Automaton::embedded().unwrap();
    let start = Goal::Last.board(dims("4x4")).unwrap();
    assert_eq!(start.blank(), Cell::new(15));
    let (met, n_paths) = permitted(&automaton, &start, 6);
    assert_eq!(met.len() as u64 - 1, n_paths);
}
