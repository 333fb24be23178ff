//! The automaton over slides keeps a shortest path to every board.

use std::collections::HashMap;

use npuzzle_core::{Board, Cell, Dims, Goal, Slide};
use npuzzle_tables::SlideAutomaton;
use npuzzle_testkit::{dims, is_long};

/// A board with the blank in this cell. The order of the tiles does not matter.
fn with_blank_at(dims: Dims, blank: usize) -> Board {
    let mut tiles: Vec<u16> = (1..dims.cells() as u16).collect();
    tiles.insert(blank, 0);
    Board::new(dims, &tiles).unwrap()
}

/// The depth of every board within `depth` moves, by plain breadth-first search.
fn plain_depths(start: &Board, depth: u32) -> HashMap<Board, u32> {
    let mut depths = HashMap::from([(start.clone(), 0)]);
    let mut level = vec![start.clone()];
    for at in 1..=depth {
        let mut next = Vec::new();
        for board in level.iter().flat_map(|board| board.neighbors().collect::<Vec<_>>()) {
            if !depths.contains_key(&board) {
                depths.insert(board.clone(), at);
                next.push(board);
            }
        }
        level = next;
    }
    depths
}

/// The depth of every board by all paths that the automaton allows, and the number of these paths.
fn allowed_depths(
    automaton: &SlideAutomaton,
    start: &Board,
    depth: u32,
) -> (HashMap<Board, u32>, u64) {
    let mut depths = HashMap::from([(start.clone(), 0)]);
    let mut n_paths = 0;
    let mut level = vec![(start.clone(), SlideAutomaton::START)];
    for at in 1..=depth {
        let mut next = Vec::new();
        for (board, state) in &level {
            for slide in board.slides() {
                let Some(state) = automaton.next(*state, slide) else { continue };
                let mut after = board.clone();
                after.slide(slide);
                depths.entry(after.clone()).or_insert(at);
                n_paths += 1;
                next.push((after, state));
            }
        }
        level = next;
    }
    (depths, n_paths)
}

/// A board of up to 25 cells, five bits each, and the cell of its blank.
type Packed = (u128, usize);

fn pack(start: &Board) -> Packed {
    let bits = |(at, tile): (usize, npuzzle_core::Tile)| u128::from(tile.number()) << (5 * at);
    let board = start.tiles().iter().copied().enumerate().map(bits).sum();
    (board, start.blank().index())
}

fn after(dims: Dims, (board, blank): Packed, slide: Slide) -> Option<Packed> {
    let from = dims.source(Cell::new(blank as u16), slide)?.index();
    let tile = board >> (5 * from) & 31;
    Some((board ^ tile << (5 * from) ^ tile << (5 * blank), from))
}

/// All boards within `depth` moves with their depths, by plain breadth-first search: the neighbors of
/// a level without the boards of the level before are the next level.
fn plain_packed(dims: Dims, start: Packed, depth: u32) -> Vec<(Packed, u32)> {
    let (mut before, mut level) = (vec![], vec![start]);
    let mut met = vec![(start, 0)];
    for at in 1..=depth {
        let neighbors = |&board: &Packed| {
            Slide::ALL.into_iter().filter_map(move |slide| after(dims, board, slide))
        };
        let mut next: Vec<Packed> = level.iter().flat_map(neighbors).collect();
        next.sort_unstable();
        next.dedup();
        next.retain(|board| before.binary_search(board).is_err());
        met.extend(next.iter().map(|&board| (board, at)));
        (before, level) = (level, next);
    }
    met.sort_unstable();
    met
}

/// The same by all paths that the automaton allows.
fn allowed_packed(
    automaton: &SlideAutomaton,
    dims: Dims,
    start: Packed,
    depth: u32,
) -> Vec<(Packed, u32)> {
    let mut met = vec![(start, 0)];
    let mut level = vec![(start, SlideAutomaton::START)];
    for at in 1..=depth {
        let successors = |&(board, state): &(Packed, u16)| {
            Slide::ALL.into_iter().filter_map(move |slide| {
                Some((after(dims, board, slide)?, automaton.next(state, slide)?))
            })
        };
        level = level.iter().flat_map(successors).collect();
        met.extend(level.iter().map(|&(board, _)| (board, at)));
    }
    met.sort_unstable();
    // The smallest depth of a board comes first.
    met.dedup_by_key(|(board, _)| *board);
    met
}

/// Checks all sizes of up to 25 cells with no more columns than rows, as searches use them, and every
/// cell of the blank. The long version checks all sizes, and deeper.
#[test]
fn automaton_reaches_every_board_at_its_depth_on_all_sizes() {
    let automata = [SlideAutomaton::embedded().unwrap(), SlideAutomaton::embedded_deep().unwrap()];
    let depth = if is_long() { 16 } else { 12 };
    let sizes = (2..=12).flat_map(|rows| (2..=12).map(move |cols| (rows, cols)));
    let sizes = sizes.filter(|(rows, cols)| rows * cols <= 25 && (cols <= rows || is_long()));
    let mut n_sizes = 0;
    for (rows, cols) in sizes {
        let dims = Dims::new(rows, cols).unwrap();
        for blank in 0..dims.cells() {
            let start = pack(&with_blank_at(dims, blank));
            let plain = plain_packed(dims, start, depth);
            for automaton in automata {
                let allowed = allowed_packed(automaton, dims, start, depth);
                assert!(allowed == plain, "{dims} with the blank at {blank}");
            }
        }
        n_sizes += 1;
    }
    // 2x2 to 12x2, 3x3 to 8x3, 4x4 to 6x4, 5x5.
    assert!(n_sizes >= 21);
}

#[test]
fn automaton_reaches_every_board_at_its_depth() {
    let automaton = SlideAutomaton::embedded().unwrap();
    let deep_automaton = SlideAutomaton::embedded_deep().unwrap();
    for (size, depth) in [("2x2", 14), ("2x3", 16), ("3x3", 14), ("4x4", 8)] {
        let dims = dims(size);
        for blank in 0..dims.cells() {
            let start = with_blank_at(dims, blank);
            let (depths, _) = allowed_depths(automaton, &start, depth);
            assert_eq!(depths, plain_depths(&start, depth), "{size} with the blank at {blank}");
            assert_eq!(allowed_depths(deep_automaton, &start, depth).0, depths, "{size}, {blank}");
            // The packed boards of the other test are the same boards.
            let mut packed: Vec<_> =
                depths.into_iter().map(|(board, at)| (pack(&board), at)).collect();
            packed.sort_unstable();
            assert_eq!(plain_packed(dims, pack(&start), depth), packed);
        }
    }
}

#[test]
fn automaton_leaves_few_duplicate_paths() {
    let automaton = SlideAutomaton::embedded().unwrap();
    for blank in 0..16 {
        let start = with_blank_at(dims("4x4"), blank);
        let (depths, n_paths) = allowed_depths(automaton, &start, 12);
        let n_boards = depths.len() as u64 - 1;
        // A border may stop the path that would replace another one. That is rare.
        assert!(n_paths <= n_boards + n_boards / 20, "{n_paths} paths to {n_boards} boards");
    }
}

#[test]
fn embedded_automaton_matches_the_generator() {
    let embedded = SlideAutomaton::embedded().unwrap();
    assert_eq!(*embedded, SlideAutomaton::new(12));
    assert_eq!(embedded.n_states(), 7794);
}

/// A deeper automaton forbids every sequence that a shallower one forbids, and more.
#[test]
fn deep_automaton_allows_fewer_paths() {
    let [automaton, deep] =
        [SlideAutomaton::embedded().unwrap(), SlideAutomaton::embedded_deep().unwrap()];
    let start = with_blank_at(dims("5x5"), 12);
    let n_paths = |automaton, depth| allowed_depths(automaton, &start, depth).1;
    assert_eq!(n_paths(automaton, 12), n_paths(deep, 12));
    assert!(n_paths(automaton, 14) > n_paths(deep, 14));
}

#[test]
fn from_bytes_refuses_invalid_automata() {
    let bytes = SlideAutomaton::new(4).bytes();
    assert_eq!(SlideAutomaton::from_bytes(&bytes), Some(SlideAutomaton::new(4)));
    assert_eq!(SlideAutomaton::from_bytes(&bytes[1..]), None);
    assert_eq!(SlideAutomaton::from_bytes(&[]), None);
    let mut invalid = bytes;
    invalid[0..2].copy_from_slice(&0xfffe_u16.to_le_bytes());
    assert_eq!(SlideAutomaton::from_bytes(&invalid), None);
}

#[test]
fn one_of_two_paths_around_a_block_remains() {
    // Six moves around a block of 2×2 cells lead to the same board in both directions.
    let automaton = SlideAutomaton::embedded().unwrap();
    let start = Goal::Last.board(dims("4x4")).unwrap();
    assert_eq!(start.blank(), Cell::new(15));
    let (depths, n_paths) = allowed_depths(automaton, &start, 6);
    assert_eq!(depths.len() as u64 - 1, n_paths);
}
