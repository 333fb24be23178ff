//! An automaton over straight runs that walks no path twice.
//!
//! What [`Automaton`](crate::Automaton) is for slides, with runs of up to three slides as letters:
//! a sequence X of runs is forbidden if another sequence Y, of fewer runs or of as many and earlier
//! in the order of the alphabet, leads to the same place, whatever lies on the board, and stays
//! within the rectangle of cells that the blank visits in X.
//!
//! *Why no shortest path is lost.* Of all paths of the fewest runs to a board take the one that comes
//! first in the order of the alphabet. If it contained a forbidden X, putting Y in its place would
//! give a path that has fewer runs or comes earlier, a contradiction: if Y begins or ends along the
//! line of the run beside it, the two become one run or none, which makes fewer still. A longer run
//! is in no forbidden sequence: after it, everything before it is forgotten.

use std::collections::HashSet;

use npuzzle_core::Slide;

use crate::mtm::axis::Axis;
use crate::pruning::slide_automaton::{EndlessBoard, Ends, minimise, trie_automaton};

/// The longest run that is a letter.
const LONGEST: usize = 3;

/// Letters of an axis: runs backward, then runs forward, short ones first.
const PER_AXIS: usize = 2 * LONGEST;

const ALPHABET: usize = 2 * PER_AXIS;

const DEAD: u16 = u16::MAX;

/// An automaton that forbids all but one of the paths of fewest runs that lead to the same board.
///
/// ```
/// use npuzzle_tables::{Axis, RunAutomaton};
/// let automaton = RunAutomaton::new(6);
/// // The blank goes round four cells, one and a half times. The other way round it comes to the
/// // same place, with the same tiles around it.
/// let goes_round = |first: Axis| {
///     let runs = [first, first.other()].into_iter().cycle().zip([true, true, false, false, true, true]);
///     let start = RunAutomaton::start(first);
///     runs.take(6).try_fold(start, |state, (axis, way)| automaton.next(state, axis, way, 1))
/// };
/// assert!(goes_round(Axis::Row).is_some() && goes_round(Axis::Col).is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunAutomaton {
    /// The next state for every state and run along the axis that is next.
    next: Vec<[u16; PER_AXIS]>,
}

impl RunAutomaton {
    /// The automaton that forbids all duplicate paths of up to `depth` runs.
    ///
    /// Depth 9 takes a second or so.
    ///
    /// # Panics
    /// If it would have 2¹⁶ states or more, as for depths beyond 10.
    pub fn new(depth: usize) -> RunAutomaton {
        let states = minimise(&trie_automaton::<ALPHABET>(&forbidden_words(depth)));
        // The first state becomes two, one for each axis; all others know what is next.
        let mut next: Vec<[u16; PER_AXIS]> = Vec::with_capacity(states.len() + 1);
        let half = |row: &[u16; ALPHABET], axis: usize| -> [u16; PER_AXIS] {
            // Every letter begins a forbidden word, so nothing leads back to the first state.
            let to = |to: u16| if to == DEAD { DEAD } else { to + 1 };
            std::array::from_fn(|letter| to(row[axis * PER_AXIS + letter]))
        };
        for (number, row) in states.iter().enumerate() {
            let by_axis = [0, 1].map(|axis| half(row, axis));
            if number == 0 {
                next.extend(by_axis);
            } else {
                let along_row = by_axis[0] != [DEAD; PER_AXIS];
                next.push(by_axis[usize::from(!along_row)]);
            }
        }
        RunAutomaton { next }
    }

    /// The automaton that forbids nothing but two runs along one line.
    pub fn free() -> RunAutomaton {
        RunAutomaton { next: vec![[1; PER_AXIS], [0; PER_AXIS]] }
    }

    /// The automaton that [`bytes`](RunAutomaton::bytes) wrote; `None` if they are not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<RunAutomaton> {
        let (rows, rest) = bytes.as_chunks::<{ 2 * PER_AXIS }>();
        let row = |row: &[u8; 2 * PER_AXIS]| -> [u16; PER_AXIS] {
            std::array::from_fn(|at| u16::from_le_bytes([row[2 * at], row[2 * at + 1]]))
        };
        let next: Vec<[u16; PER_AXIS]> = rows.iter().map(row).collect();
        let legal = |&to: &u16| to == DEAD || usize::from(to) < next.len();
        let complete = rest.is_empty() && next.len() > 1 && next.iter().flatten().all(legal);
        complete.then_some(RunAutomaton { next })
    }

    /// The automaton as bytes: the next states of each state, 16 bits each, low byte first.
    pub fn bytes(&self) -> Vec<u8> {
        self.next.iter().flatten().flat_map(|to| to.to_le_bytes()).collect()
    }

    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.next.len()
    }

    /// The state before any run, if the first goes along an axis.
    #[inline(always)]
    pub const fn start(axis: Axis) -> u16 {
        axis as u16
    }

    /// The state after a run of the blank along the axis that is next, forward being right or down;
    /// `None` if the run is forbidden. `axis` is that axis, for runs that are longer than letters.
    #[inline(always)]
    pub fn next(&self, state: u16, axis: Axis, is_forward: bool, n_slides: usize) -> Option<u16> {
        if n_slides > LONGEST {
            return Some(RunAutomaton::start(axis.other()));
        }
        let to = self.next[usize::from(state)][letter(is_forward, n_slides)];
        (to != DEAD).then_some(to)
    }
}

/// A run among those of its axis.
#[inline(always)]
fn letter(is_forward: bool, n_slides: usize) -> usize {
    LONGEST * usize::from(is_forward) + n_slides - 1
}

/// A sequence of runs that is walked, and where it has led.
#[derive(Clone)]
struct Walk {
    word: Vec<u8>,
    board: EndlessBoard,
}

/// The words that are forbidden, none of which contains another.
fn forbidden_words(depth: usize) -> Vec<Vec<u8>> {
    let axis_of = |letter: u8| usize::from(letter) / PER_AXIS;
    let letters = || 0..ALPHABET as u8;
    let mut forbidden: Vec<Vec<u8>> = Vec::new();
    let mut is_forbidden = HashSet::new();
    for (a, b) in letters().flat_map(|a| letters().map(move |b| (a, b))) {
        if axis_of(a) == axis_of(b) {
            forbidden.push(vec![a, b]);
        }
    }
    let start = Walk { word: Vec::new(), board: EndlessBoard::new(LONGEST) };
    let mut ends = Ends::default();
    ends.add(&start.board);
    let mut level = vec![start];
    for n_runs in 1..=depth {
        let mut next = Vec::new();
        // Walks come in the order of the alphabet, and so do their extensions.
        for walk in &level {
            for letter in letters() {
                if walk.word.last().is_some_and(|&last| axis_of(last) == axis_of(letter)) {
                    continue;
                }
                let mut longer = walk.clone();
                longer.word.push(letter);
                // The word without its last letter is permitted, so only suffixes can be forbidden.
                if (1..longer.word.len()).any(|at| is_forbidden.contains(&longer.word[at..])) {
                    continue;
                }
                if !longer.board.run(letter) {
                    continue;
                }
                if !ends.add(&longer.board) {
                    is_forbidden.insert(longer.word.clone());
                    forbidden.push(longer.word);
                } else if n_runs < depth {
                    next.push(longer);
                }
            }
        }
        level = next;
    }
    forbidden
}

impl EndlessBoard {
    /// Walks a run; whether it stays within four rows and columns, beyond which there are no letters
    /// that lead back.
    fn run(&mut self, letter: u8) -> bool {
        let letter = usize::from(letter);
        let slide = match (letter / PER_AXIS, letter % PER_AXIS / LONGEST) {
            (0, 0) => Slide::Right,
            (0, _) => Slide::Left,
            (_, 0) => Slide::Down,
            (_, _) => Slide::Up,
        };
        (0..=letter % LONGEST).all(|_| self.slide_within(slide, LONGEST))
    }
}
