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
    /// The next state for each state and slide.
    next: Vec<[u16; N_SLIDES]>,
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
        SlideAutomaton { next: word_automaton(&words) }
    }

    /// The automaton from its [`bytes`](SlideAutomaton::bytes). Returns `None` if they are not an automaton.
    pub fn from_bytes(bytes: &[u8]) -> Option<SlideAutomaton> {
        from_bytes(bytes, 1).map(|next| SlideAutomaton { next })
    }

    /// The automaton as bytes: for each state, the next states for the slides up, down, left and right,
    /// 16 bits each, low byte first.
    pub fn bytes(&self) -> Vec<u8> {
        to_bytes(&self.next)
    }

    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.next.len()
    }

    /// The states after the slides up, down, left and right.
    #[inline]
    pub fn row(&self, state: u16) -> &[u16; 4] {
        &self.next[usize::from(state)]
    }

    /// The state after a slide. Returns `None` if the slide is forbidden.
    #[inline]
    pub fn next(&self, state: u16, slide: Slide) -> Option<u16> {
        let to = self.next[usize::from(state)][slide as usize];
        (to != DEAD).then_some(to)
    }
}
