//! The automaton loses no board and no shortest path.

use std::collections::HashMap;

use npuzzle_core::{Board, Cell, Dims, Goal, Slide};
use npuzzle_tables::Automaton;
use npuzzle_testkit::{dims, is_long};

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

/// A board of up to 25 cells, five bits each, and where its blank is.
type Small = (u128, usize);

fn small(start: &Board) -> Small {
    let bits = |(at, tile): (usize, npuzzle_core::Tile)| u128::from(tile.number()) << (5 * at);
    let board = start.tiles().iter().copied().enumerate().map(bits).sum();
    (board, start.blank().index())
}

fn small_after(dims: Dims, (board, blank): Small, slide: Slide) -> Option<Small> {
    let from = dims.source(Cell::new(blank as u16), slide)?.index();
    let tile = board >> (5 * from) & 31;
    Some((board ^ tile << (5 * from) ^ tile << (5 * blank), from))
}

/// All boards within `depth` moves with their depths, by plain search: whatever is beside a level
/// and not in the one before is the next.
fn plain_small(dims: Dims, start: Small, depth: u32) -> Vec<(Small, u32)> {
    let (mut before, mut level) = (vec![], vec![start]);
    let mut met = vec![(start, 0)];
    for at in 1..=depth {
        let beside = |&board: &Small| {
            Slide::ALL.into_iter().filter_map(move |slide| small_after(dims, board, slide))
        };
        let mut next: Vec<Small> = level.iter().flat_map(beside).collect();
        next.sort_unstable();
        next.dedup();
        next.retain(|board| before.binary_search(board).is_err());
        met.extend(next.iter().map(|&board| (board, at)));
        (before, level) = (level, next);
    }
    met.sort_unstable();
    met
}

/// The same by all paths that the automaton permits.
fn permitted_small(
    automaton: &Automaton,
    dims: Dims,
    start: Small,
    depth: u32,
) -> Vec<(Small, u32)> {
    let mut met = vec![(start, 0)];
    let mut level = vec![(start, Automaton::START)];
    for at in 1..=depth {
        let after = |&(board, state): &(Small, u16)| {
            Slide::ALL.into_iter().filter_map(move |slide| {
                Some((small_after(dims, board, slide)?, automaton.next(state, slide)?))
            })
        };
        level = level.iter().flat_map(after).collect();
        met.extend(level.iter().map(|&(board, _)| (board, at)));
    }
    met.sort_unstable();
    // Of the depths of a board, the least is first.
    met.dedup_by_key(|(board, _)| *board);
    met
}

/// All sizes of up to 25 cells, upright, as searches have them, from every place of the blank; if
/// there is time, lying ones too, and deeper.
#[test]
fn every_board_is_met_at_its_depth_on_all_sizes_it_is_used_on() {
    let automaton = Automaton::embedded().unwrap();
    let depth = if is_long() { 16 } else { 12 };
    let sizes = (2..=12).flat_map(|rows| (2..=12).map(move |cols| (rows, cols)));
    let sizes = sizes.filter(|(rows, cols)| rows * cols <= 25 && (cols <= rows || is_long()));
    let mut n_sizes = 0;
    for (rows, cols) in sizes {
        let dims = Dims::new(rows, cols).unwrap();
        for blank in 0..dims.cells() {
            let start = small(&with_blank_at(dims, blank));
            let met = permitted_small(&automaton, dims, start, depth);
            let plain = plain_small(dims, start, depth);
            assert!(met == plain, "{dims} with the blank at {blank}");
        }
        n_sizes += 1;
    }
    // 2x2 to 12x2, 3x3 to 8x3, 4x4 to 6x4, 5x5.
    assert!(n_sizes >= 21);
}

#[test]
fn every_board_is_still_met_at_its_depth() {
    let automaton = Automaton::embedded().unwrap();
    for (size, depth) in [("2x2", 14), ("2x3", 16), ("3x3", 14), ("4x4", 8)] {
        let dims = dims(size);
        for blank in 0..dims.cells() {
            let start = with_blank_at(dims, blank);
            let (met, _) = permitted(&automaton, &start, depth);
            assert_eq!(met, plain(&start, depth), "{size} with the blank at {blank}");
            // The tests of larger boards count the same ones.
            let of_small = plain_small(dims, small(&start), depth);
            let mut of_boards: Vec<_> =
                met.into_iter().map(|(board, at)| (small(&board), at)).collect();
            of_boards.sort_unstable();
            assert_eq!(of_small, of_boards);
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
