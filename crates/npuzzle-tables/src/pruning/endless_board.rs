//! The search for duplicate move sequences, on a board without borders.

use std::collections::{HashMap, HashSet};

use npuzzle_core::Slide;

/// Finds all forbidden words of up to `depth` letters, none of which contains another. `may_follow` says
/// whether a letter may follow another one. `apply` makes the move of a letter, or returns `false` if
/// the board does not allow it.
pub(super) fn forbidden_words(
    depth: usize,
    board: EndlessBoard,
    n_letters: u8,
    may_follow: impl Fn(u8, u8) -> bool,
    apply: impl Fn(&mut EndlessBoard, u8) -> bool,
) -> Vec<Vec<u8>> {
    let mut forbidden = Vec::new();
    let mut is_forbidden = HashSet::new();
    let mut ends = Ends::default();
    ends.add(&board);
    let mut level = vec![Sequence { word: Vec::new(), board }];
    for length in 1..=depth {
        let mut next = Vec::new();
        // Sequences are in alphabetical order, and so are their extensions.
        for sequence in &level {
            for letter in 0..n_letters {
                if sequence.word.last().is_some_and(|&last| !may_follow(last, letter)) {
                    continue;
                }
                let mut longer = sequence.clone();
                longer.word.push(letter);
                // The word without its last letter is allowed, so only suffixes can be forbidden.
                if (1..length).any(|at| is_forbidden.contains(&longer.word[at..])) {
                    continue;
                }
                if !apply(&mut longer.board, letter) {
                    continue;
                }
                if !ends.add(&longer.board) {
                    is_forbidden.insert(longer.word.clone());
                    forbidden.push(longer.word);
                } else if length < depth {
                    next.push(longer);
                }
            }
        }
        level = next;
    }
    forbidden
}

/// A sequence of moves and the board after it.
#[derive(Clone)]
struct Sequence {
    word: Vec<u8>,
    board: EndlessBoard,
}

/// The ends of all allowed sequences, with the rectangles that they need.
#[derive(Default)]
struct Ends {
    rectangles: HashMap<u128, Vec<Rectangle>>,
}

impl Ends {
    /// Adds the end of a sequence, unless an earlier one has the same end and needs no other cells.
    /// Returns whether it was added.
    fn add(&mut self, board: &EndlessBoard) -> bool {
        let rectangles = self.rectangles.entry(board.hash).or_default();
        let is_new = !rectangles.iter().any(|earlier| earlier.is_within(board.visited));
        if is_new {
            rectangles.push(board.visited);
        }
        is_new
    }
}

/// The rows and columns that the blank has visited, relative to its first cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rectangle {
    top: i8,
    bottom: i8,
    left: i8,
    right: i8,
}

impl Rectangle {
    fn is_within(self, other: Rectangle) -> bool {
        self.top >= other.top
            && self.bottom <= other.bottom
            && self.left >= other.left
            && self.right <= other.right
    }
}

/// A board so large that the blank reaches no border, with a hash of the positions of its tiles.
#[derive(Clone)]
pub(super) struct EndlessBoard {
    side: usize,
    /// For each cell, the first cell of its tile.
    tiles: Vec<u16>,
    row: i8,
    col: i8,
    visited: Rectangle,
    /// The sum over all cells of a random number for the cell and its tile. It has 128 bits, so that a
    /// collision among a million sequences is out of the question.
    hash: u128,
}

impl EndlessBoard {
    /// A board for sequences that move the blank by at most `reach` rows and columns in each direction.
    pub(super) fn new(reach: usize) -> EndlessBoard {
        let side = 2 * reach + 1;
        let visited = Rectangle { top: 0, bottom: 0, left: 0, right: 0 };
        let tiles = (0..(side * side) as u16).collect();
        EndlessBoard { side, tiles, row: 0, col: 0, visited, hash: 0 }
    }

    fn blank(&self) -> usize {
        let middle = (self.side / 2) as i8;
        (self.row + middle) as usize * self.side + (self.col + middle) as usize
    }

    /// Slides, unless the blank would then have visited more than `max_lines` rows or columns besides
    /// its first one. Returns whether it did.
    pub(super) fn slide_within(&mut self, slide: Slide, max_lines: usize) -> bool {
        let Rectangle { top, bottom, left, right } = self.visited;
        let is_within = match slide {
            Slide::Up => self.row < bottom || ((bottom - top) as usize) < max_lines,
            Slide::Down => self.row > top || ((bottom - top) as usize) < max_lines,
            Slide::Left => self.col < right || ((right - left) as usize) < max_lines,
            Slide::Right => self.col > left || ((right - left) as usize) < max_lines,
        };
        if is_within {
            self.slide(slide);
        }
        is_within
    }

    /// Slides a tile. The blank moves in the opposite direction.
    pub(super) fn slide(&mut self, slide: Slide) {
        let to = self.blank();
        match slide {
            Slide::Up => self.row += 1,
            Slide::Down => self.row -= 1,
            Slide::Left => self.col += 1,
            Slide::Right => self.col -= 1,
        }
        let from = self.blank();
        for cell in [from, to] {
            self.hash = self.hash.wrapping_sub(random(cell, self.tiles[cell]));
        }
        self.tiles.swap(from, to);
        for cell in [from, to] {
            self.hash = self.hash.wrapping_add(random(cell, self.tiles[cell]));
        }
        let Rectangle { top, bottom, left, right } = self.visited;
        self.visited = Rectangle {
            top: top.min(self.row),
            bottom: bottom.max(self.row),
            left: left.min(self.col),
            right: right.max(self.col),
        };
    }
}

/// A random number for a cell and its tile. It is 0 if the tile has not moved, so that the hash of the
/// first board is 0.
fn random(cell: usize, tile: u16) -> u128 {
    if cell == usize::from(tile) {
        return 0;
    }
    let mut bits = (cell as u128) << 16 | u128::from(tile);
    // Two rounds of multiplication and folding spread every bit of the argument over the whole word.
    for _ in 0..2 {
        bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        bits = bits.wrapping_mul(0xda94_2042_e4dd_58b5_9e37_79b9_7f4a_7c15);
        bits ^= bits >> 64;
    }
    bits
}
