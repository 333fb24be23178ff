//! The automaton over straight runs, for the multi-tile metric.
//!
//! The letters are runs of up to three slides. A sequence of runs is forbidden if another one has fewer
//! runs, or as many and is earlier in alphabetical order. The proof of [`pruning`](super) needs one more
//! case: if the replacement begins or ends along the line of the adjacent run, the two become one run or
//! none, which makes the path even shorter. A run of more than three slides is in no forbidden sequence:
//! after it, the automaton forgets everything before.

use npuzzle_core::Slide;

use crate::mtm::axis::Axis;

use super::endless_board::{EndlessBoard, forbidden_words};
use super::word_automaton::{DEAD, from_bytes, to_bytes, word_automaton};

/// The longest run that is a letter, in slides.
const MAX_RUN: usize = 3;

/// The number of letters of an axis: backward runs, then forward runs, short ones first.
const PER_AXIS: usize = 2 * MAX_RUN;

const N_RUNS: usize = 2 * PER_AXIS;

/// An automaton that forbids all but one of the paths of fewest runs to the same board, as far as it can
/// tell.
///
/// ```
/// use npuzzle_tables::{Axis, RunAutomaton};
/// let automaton = RunAutomaton::new(6);
/// // The blank moves around four cells, one and a half times. In the other direction it reaches the
/// // same board. One of the two paths is forbidden.
/// let moves_around = |first: Axis| {
///     let runs = [first, first.other()].into_iter().cycle().zip([true, true, false, false, true, true]);
///     let start = RunAutomaton::start(first);
///     runs.take(6).try_fold(start, |state, (axis, forward)| automaton.next(state, axis, forward, 1))
/// };
/// assert!(moves_around(Axis::Row).is_some() && moves_around(Axis::Col).is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunAutomaton {
    /// The next state for each state and run along the axis that is next.
    next: Vec<[u16; PER_AXIS]>,
}

impl RunAutomaton {
    /// The automaton that forbids all duplicate paths of up to `depth` runs. Depth 9 takes about a
    /// second.
    ///
    /// # Panics
    /// If it has 2¹⁶ states or more, as for depths beyond 10.
    pub fn new(depth: usize) -> RunAutomaton {
        let states = word_automaton::<N_RUNS>(&duplicate_runs(depth));
        // The start state becomes two states, one for each axis. In all others, the axis is known.
        let mut next: Vec<[u16; PER_AXIS]> = Vec::with_capacity(states.len() + 1);
        let half = |row: &[u16; N_RUNS], axis: usize| -> [u16; PER_AXIS] {
            // Every letter begins a forbidden word, so no state leads back to the start state.
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

    /// The automaton that forbids only two consecutive runs along the same line.
    pub fn free() -> RunAutomaton {
        RunAutomaton { next: vec![[1; PER_AXIS], [0; PER_AXIS]] }
    }

    /// The automaton from its [`bytes`](RunAutomaton::bytes). Returns `None` if they are not an
    /// automaton.
    pub fn from_bytes(bytes: &[u8]) -> Option<RunAutomaton> {
        from_bytes(bytes, 2).map(|next| RunAutomaton { next })
    }

    /// The automaton as bytes: the next states of each state, 16 bits each, low byte first.
    pub fn bytes(&self) -> Vec<u8> {
        to_bytes(&self.next)
    }

    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.next.len()
    }

    /// The state before any run, if the first one goes along an axis.
    #[inline(always)]
    pub const fn start(axis: Axis) -> u16 {
        axis as u16
    }

    /// The state after a run of the blank along `axis`, which must be the axis that is next. Forward is
    /// right or down. Returns `None` if the run is forbidden.
    #[inline(always)]
    pub fn next(&self, state: u16, axis: Axis, is_forward: bool, n_slides: usize) -> Option<u16> {
        if n_slides > MAX_RUN {
            return Some(RunAutomaton::start(axis.other()));
        }
        let to = self.next[usize::from(state)][letter(is_forward, n_slides)];
        (to != DEAD).then_some(to)
    }
}

/// The letter of a run among those of its axis.
#[inline(always)]
fn letter(is_forward: bool, n_slides: usize) -> usize {
    MAX_RUN * usize::from(is_forward) + n_slides - 1
}

/// The forbidden words: two runs along the same line, and duplicates of up to `depth` runs.
fn duplicate_runs(depth: usize) -> Vec<Vec<u8>> {
    let axis_of = |letter: u8| usize::from(letter) / PER_AXIS;
    let letters = || 0..N_RUNS as u8;
    let pairs = letters().flat_map(|a| letters().map(move |b| (a, b)));
    let mut words: Vec<Vec<u8>> =
        pairs.filter(|&(a, b)| axis_of(a) == axis_of(b)).map(|(a, b)| vec![a, b]).collect();
    words.extend(forbidden_words(
        depth,
        EndlessBoard::new(MAX_RUN),
        N_RUNS as u8,
        |a, b| axis_of(a) != axis_of(b),
        run,
    ));
    words
}

/// Makes a run. Returns `false` if the blank leaves four rows or columns, beyond which no letter leads
/// back.
fn run(board: &mut EndlessBoard, letter: u8) -> bool {
    let letter = usize::from(letter);
    let slide = match (letter / PER_AXIS, letter % PER_AXIS / MAX_RUN) {
        (0, 0) => Slide::Right,
        (0, _) => Slide::Left,
        (_, 0) => Slide::Down,
        (_, _) => Slide::Up,
    };
    (0..=letter % MAX_RUN).all(|_| board.slide_within(slide, MAX_RUN))
}
