//! An automaton over the blank's moves that walks no path twice.
//!
//! Many sequences of moves lead from one board to the same other board. A depth-first search that
//! knows nothing of this searches everything below that board again and again. The automaton
//! forbids a sequence X if another sequence Y, shorter or of the same length and earlier in the
//! order of the alphabet, leads to the same place, whatever lies on the board.
//!
//! *Why no shortest path is lost.* Of all shortest paths to a board take the one that comes first
//! in the order of the alphabet. If it contained a forbidden X, putting Y in its place would give a
//! path that is shorter or comes earlier, a contradiction. Y must be legal wherever X is: it is
//! asked to stay within the rectangle of cells that the blank visits in X, so no border stops it.
//! Hence at least one shortest path survives to every board, on every size of board and with every
//! admissible heuristic.
//!
//! *How it is made.* All sequences up to a length are walked in order on a board without borders;
//! where one ends is kept as a hash of all tiles that have moved. A sequence that ends where an
//! earlier one does, the rectangle permitting, is forbidden; its extensions are not walked. The
//! forbidden words become an automaton by the construction of Aho and Corasick (a state is the
//! longest suffix that is a prefix of a forbidden word), and states that forbid the same futures
//! are merged.

use std::collections::HashMap;

use npuzzle_core::Slide;

/// The moves of the alphabet, in its order.
const ALPHABET: [Slide; 4] = Slide::ALL;

const DEAD: u16 = Automaton::DEAD;

/// An automaton that forbids all but one of the paths that lead to the same board.
///
/// ```
/// use npuzzle_core::Slide;
/// use npuzzle_tables::Automaton;
/// let automaton = Automaton::new(4);
/// let after_up = automaton.next(Automaton::START, Slide::Up).expect("any first move is allowed");
/// assert_eq!(automaton.next(after_up, Slide::Down), None); // straight back
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The next state for every state and move.
    next: Vec<[u16; 4]>,
}

impl Automaton {
    /// The state before any move.
    pub const START: u16 = 0;

    /// Stands for no state: the move is forbidden.
    pub const DEAD: u16 = u16::MAX;

    /// The automaton that forbids all duplicate paths of up to `depth` moves.
    ///
    /// Depth 12 takes a second or so.
    ///
    /// # Panics
    /// If it would have 2¹⁶ states or more, as for depths beyond 14.
    pub fn new(depth: usize) -> Automaton {
        Automaton { next: minimise(&trie_automaton(&forbidden_words(depth))) }
    }

    /// The automaton that [`bytes`](Automaton::bytes) wrote; `None` if they are not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Automaton> {
        let (rows, rest) = bytes.as_chunks::<8>();
        let number = |pair: [u8; 2]| u16::from_le_bytes(pair);
        let next: Vec<[u16; 4]> = rows
            .iter()
            .map(|&[a, b, c, d, e, f, g, h]| [[a, b], [c, d], [e, f], [g, h]].map(number))
            .collect();
        let legal = |&to: &u16| to == DEAD || usize::from(to) < next.len();
        let complete = rest.is_empty() && !next.is_empty() && next.iter().flatten().all(legal);
        complete.then_some(Automaton { next })
    }

    /// The automaton as bytes: the next states of each state for the moves up, down, left and
    /// right, 16 bits each, low byte first.
    pub fn bytes(&self) -> Vec<u8> {
        self.next.iter().flatten().flat_map(|to| to.to_le_bytes()).collect()
    }

    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.next.len()
    }

    /// The states after the moves up, down, left and right.
    #[inline]
    pub fn row(&self, state: u16) -> &[u16; 4] {
        &self.next[usize::from(state)]
    }

    /// The state after a move; `None` if the move is forbidden.
    #[inline]
    pub fn next(&self, state: u16, slide: Slide) -> Option<u16> {
        let to = self.next[usize::from(state)][slide as usize];
        (to != DEAD).then_some(to)
    }
}

/// A sequence of moves that is walked, and where it has led.
#[derive(Clone)]
struct Walk {
    word: Vec<u8>,
    board: EndlessBoard,
}

/// The words that are forbidden, none of which contains another.
fn forbidden_words(depth: usize) -> Vec<Vec<u8>> {
    let mut forbidden = Vec::new();
    let mut ends = Ends::default();
    let start = Walk { word: Vec::new(), board: EndlessBoard::new(depth) };
    ends.add(&start.board);
    let mut level = vec![start];
    let mut is_forbidden = std::collections::HashSet::new();
    for _ in 0..depth {
        let mut next = Vec::new();
        // Walks come in the order of the alphabet, and so do their extensions.
        for walk in &level {
            for (letter, &slide) in ALPHABET.iter().enumerate() {
                let mut longer = walk.clone();
                longer.word.push(letter as u8);
                // The word without its last letter is permitted, so only suffixes can be forbidden.
                if (1..longer.word.len()).any(|at| is_forbidden.contains(&longer.word[at..])) {
                    continue;
                }
                longer.board.slide(slide);
                if ends.add(&longer.board) {
                    next.push(longer);
                } else {
                    is_forbidden.insert(longer.word.clone());
                    forbidden.push(longer.word);
                }
            }
        }
        level = next;
    }
    forbidden
}

/// Where permitted walks end, with the rectangles that they need.
#[derive(Default)]
pub(crate) struct Ends {
    needed: HashMap<u128, Vec<Rectangle>>,
}

impl Ends {
    /// Adds the end of a walk unless an earlier one ends there and needs no more cells; whether it
    /// was added.
    pub(crate) fn add(&mut self, board: &EndlessBoard) -> bool {
        let needed = self.needed.entry(board.hash).or_default();
        let is_new = !needed.iter().any(|needed| needed.is_within(board.visited));
        if is_new {
            needed.push(board.visited);
        }
        is_new
    }
}

/// The rows and columns that a blank has visited, relative to where it began.
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

/// A board so large that no border is met, with a hash of where its tiles are.
#[derive(Clone)]
pub(crate) struct EndlessBoard {
    side: usize,
    /// The cell where the tile of each cell began.
    tiles: Vec<u16>,
    row: i8,
    col: i8,
    visited: Rectangle,
    /// The sum over all cells of a random number for the cell and its tile. 128 bits: among a
    /// million walks a chance meeting is out of the question.
    hash: u128,
}

impl EndlessBoard {
    /// For walks of so many rows and columns either way.
    pub(crate) fn new(depth: usize) -> EndlessBoard {
        let side = 2 * depth + 1;
        let visited = Rectangle { top: 0, bottom: 0, left: 0, right: 0 };
        let tiles = (0..(side * side) as u16).collect();
        EndlessBoard { side, tiles, row: 0, col: 0, visited, hash: 0 }
    }

    fn blank(&self) -> usize {
        let middle = (self.side / 2) as i8;
        (self.row + middle) as usize * self.side + (self.col + middle) as usize
    }

    /// Slides if that needs no more rows and columns beyond the first one than these.
    pub(crate) fn slide_within(&mut self, slide: Slide, most: usize) -> bool {
        let Rectangle { top, bottom, left, right } = self.visited;
        let is_within = match slide {
            Slide::Up => self.row < bottom || ((bottom - top) as usize) < most,
            Slide::Down => self.row > top || ((bottom - top) as usize) < most,
            Slide::Left => self.col < right || ((right - left) as usize) < most,
            Slide::Right => self.col > left || ((right - left) as usize) < most,
        };
        if is_within {
            self.slide(slide);
        }
        is_within
    }

    /// The blank goes against the slide.
    fn slide(&mut self, slide: Slide) {
        let to = self.blank();
        match slide {
            Slide::Up => self.row += 1,
            Slide::Down => self.row -= 1,
            Slide::Left => self.col += 1,
            Slide::Right => self.col -= 1,
        }
        let from = self.blank();
        for cell in [from, to] {
            self.hash = self.hash.wrapping_sub(noise(cell, self.tiles[cell]));
        }
        self.tiles.swap(from, to);
        for cell in [from, to] {
            self.hash = self.hash.wrapping_add(noise(cell, self.tiles[cell]));
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

/// A random number for a cell and the tile on it; 0 for a tile where it began, so that boards on
/// which nothing has moved have the hash 0.
fn noise(cell: usize, tile: u16) -> u128 {
    if cell == usize::from(tile) {
        return 0;
    }
    let mut bits = (cell as u128) << 16 | u128::from(tile);
    // Two rounds of multiply and fold spread every bit of the argument over the whole word.
    for _ in 0..2 {
        bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        bits = bits.wrapping_mul(0xda94_2042_e4dd_58b5_9e37_79b9_7f4a_7c15);
        bits ^= bits >> 64;
    }
    bits
}

/// The automaton of Aho and Corasick that is dead after any forbidden word.
pub(crate) fn trie_automaton<const LETTERS: usize>(
    words: &[Vec<u8>],
) -> Vec<[Option<usize>; LETTERS]> {
    // A node's children; leaves are the ends of words, which no other word passes.
    let mut children: Vec<[Option<usize>; LETTERS]> = vec![[None; LETTERS]];
    let mut is_end = vec![false];
    for word in words {
        let mut at = 0;
        for &letter in word {
            at = match children[at][usize::from(letter)] {
                Some(child) => child,
                None => {
                    children.push([None; LETTERS]);
                    is_end.push(false);
                    let child = children.len() - 1;
                    children[at][usize::from(letter)] = Some(child);
                    child
                }
            };
        }
        is_end[at] = true;
    }
    // Breadth-first, so that the longest proper suffix of a node is finished before the node.
    let mut next = vec![[0; LETTERS]; children.len()];
    let mut suffix = vec![0; children.len()];
    let mut queue = std::collections::VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for letter in 0..LETTERS {
            let fallback = if node == 0 { 0 } else { next[suffix[node]][letter] };
            next[node][letter] = match children[node][letter] {
                Some(child) => {
                    suffix[child] = fallback;
                    is_end[child] |= is_end[fallback];
                    queue.push_back(child);
                    child
                }
                None => fallback,
            };
        }
    }
    let alive = |to: usize| (!is_end[to]).then_some(to);
    next.iter().map(|row| row.map(alive)).collect()
}

/// Merges states that forbid the same futures, by refining a partition until it is stable (Moore).
///
/// # Panics
/// If 2¹⁶ states or more are left.
pub(crate) fn minimise<const LETTERS: usize>(
    next: &[[Option<usize>; LETTERS]],
) -> Vec<[u16; LETTERS]> {
    let mut class = vec![0; next.len()];
    let mut n_classes = 1;
    loop {
        // Classes are numbered as they are met, so the start keeps number 0.
        let mut numbers = HashMap::new();
        let refined: Vec<usize> = next
            .iter()
            .zip(&class)
            .map(|(row, &own)| {
                let signature = (own, row.map(|to| to.map(|to| class[to])));
                let n = numbers.len();
                *numbers.entry(signature).or_insert(n)
            })
            .collect();
        class = refined;
        if numbers.len() == n_classes {
            break;
        }
        n_classes = numbers.len();
    }
    assert!(n_classes < usize::from(DEAD), "{n_classes} states do not fit 16 bits");
    let mut merged = vec![[DEAD; LETTERS]; n_classes];
    for (row, &own) in next.iter().zip(&class) {
        merged[own] = row.map(|to| to.map_or(DEAD, |to| class[to] as u16));
    }
    // Ends of words are never entered; the states that only they lead to are unreachable.
    reachable(&merged)
}

/// The states that can be entered, numbered in the order they are met.
fn reachable<const LETTERS: usize>(next: &[[u16; LETTERS]]) -> Vec<[u16; LETTERS]> {
    let mut number: HashMap<u16, u16> = HashMap::from([(Automaton::START, Automaton::START)]);
    let mut order = vec![Automaton::START];
    let mut at = 0;
    while at < order.len() {
        for to in next[usize::from(order[at])] {
            if to != DEAD && !number.contains_key(&to) {
                number.insert(to, order.len() as u16);
                order.push(to);
            }
        }
        at += 1;
    }
    let rename = |to: u16| if to == DEAD { DEAD } else { number[&to] };
    order.iter().map(|&old| next[usize::from(old)].map(rename)).collect()
}
