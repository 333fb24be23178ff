//! The automaton over slides, for the single-tile metric.

use npuzzle_core::Slide;

use super::endless_board::{EndlessBoard, forbidden_words};
use super::word_automaton::{DEAD, START, from_bytes, to_bytes, word_automaton};

/// The number of letters: the slides up, down, left and right, in this order.
const N_SLIDES: usize = Slide::ALL.len();

/// An automaton that forbids all but one of the shortest paths to the same board, as far as it can tell.
///
/// ```
/// use npuzzle_core::Slide;
/// use npuzzle_tables::SlideAutomaton;
/// let automaton = SlideAutomaton::new(4);
/// let after_up = automaton.next(SlideAutomaton::START, Slide::Up).expect("any first move is allowed");
/// assert_eq!(automaton.next(after_up, Slide::Down), None); // the inverse of the last move
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlideAutomaton {
    rows: Vec<AutomatonRow>,
}

/// The transitions of one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AutomatonRow {
    /// The states after the slides up, down, left and right.
    pub next: [u16; N_SLIDES],
    /// Bit `slide` is set if the slide is allowed.
    pub allowed: u8,
}

impl SlideAutomaton {
    /// The state before any move.
    pub const START: u16 = START;

    /// Stands for no state: the move is forbidden.
    pub const DEAD: u16 = DEAD;

    /// The automaton that forbids all duplicate paths of up to `depth` moves. Depth 12 takes about a
    /// second.
    ///
    /// # Panics
    /// If it has 2¹⁶ states or more, as for depths beyond 14.
    pub fn new(depth: usize) -> SlideAutomaton {
        let words = forbidden_words(
            depth,
            EndlessBoard::new(depth),
            N_SLIDES as u8,
            |_, _| true,
            |board, letter| {
                board.slide(Slide::ALL[usize::from(letter)]);
                true
            },
        );
        SlideAutomaton::with_transitions(&word_automaton(&words))
    }

    fn with_transitions(transitions: &[[u16; N_SLIDES]]) -> SlideAutomaton {
        let allowed = |next: &[u16; N_SLIDES]| {
            let bits = next.iter().enumerate().map(|(slide, &to)| u8::from(to != DEAD) << slide);
            bits.fold(0, |allowed, bit| allowed | bit)
        };
        let rows = transitions
            .iter()
            .map(|&next| AutomatonRow { next, allowed: allowed(&next) })
            .collect();
        SlideAutomaton { rows }
    }

    /// The automaton from its [`bytes`](SlideAutomaton::bytes). Returns `None` if they are not an automaton.
    pub fn from_bytes(bytes: &[u8]) -> Option<SlideAutomaton> {
        from_bytes(bytes, 1).map(|transitions| SlideAutomaton::with_transitions(&transitions))
    }

    /// The automaton as bytes: for each state, the next states for the slides up, down, left and right,
    /// 16 bits each, low byte first.
    pub fn bytes(&self) -> Vec<u8> {
        to_bytes(&self.rows.iter().map(|row| row.next).collect::<Vec<_>>())
    }

    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.rows.len()
    }

    /// The transitions of a state.
    #[inline]
    pub fn row(&self, state: u16) -> &AutomatonRow {
        &self.rows[usize::from(state)]
    }

    /// The state after a slide. Returns `None` if the slide is forbidden.
    #[inline]
    pub fn next(&self, state: u16, slide: Slide) -> Option<u16> {
        let to = self.row(state).next[slide as usize];
        (to != DEAD).then_some(to)
    }
}
