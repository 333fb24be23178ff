//! The moves of an answer as they are written, or why there are none.

use npuzzle_core::{Board, Slide};

/// The moves of an answer, before they are replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum AnswerMoves {
    /// Directions, of the tiles or of the blank.
    Directions(Vec<Slide>),
    /// The numbers of the tiles that slide.
    Numbers(Vec<u16>),
    /// Boards, with or without the start.
    Boards(Vec<Board>),
    /// The claim that the board is unsolvable.
    NoSolution,
}

impl AnswerMoves {
    /// Whether there are more moves than an answer may have.
    pub(super) fn is_too_long(&self) -> bool {
        match self {
            AnswerMoves::Directions(slides) => slides.len() > MAX_ANSWER_MOVES,
            AnswerMoves::Numbers(numbers) => numbers.len() > MAX_ANSWER_MOVES,
            AnswerMoves::Boards(_) | AnswerMoves::NoSolution => false,
        }
    }
}

/// Why a text has no answer.
///
/// ```
/// use npuzzle::teaching::{AnswerError, Judge, JudgeRules};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let judgment = Judge::default().judge(&JudgeRules::default(), &puzzle, "<answer>L or U</answer>", &mut ());
/// assert_eq!(judgment.unreadable, Some(AnswerError::UnknownWord { word: "or".to_owned() }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AnswerError {
    /// Neither a marked answer nor a line of moves.
    NotFound,
    /// A marked answer contains a word that is not a move.
    UnknownWord {
        /// The word, at most twenty characters of it.
        word: String,
    },
    /// A marked answer contains a number whose meaning is unknown: neither a tile nor the number of a step.
    StrayNumber {
        /// The digits, at most twenty of them.
        number: String,
    },
    /// Directions are ambiguous in a task that asks for tile numbers or boards.
    Directions,
    /// More than [`MAX_ANSWER_MOVES`](crate::teaching::MAX_ANSWER_MOVES) moves.
    TooLong,
}

impl std::fmt::Display for AnswerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AnswerError::NotFound => f.write_str("no answer found"),
            AnswerError::UnknownWord { word } => write!(f, "{word:?} in the answer is not a move"),
            AnswerError::StrayNumber { number } => {
                write!(f, "the number {number} in the answer is neither a tile nor a step")
            }
            AnswerError::Directions => {
                f.write_str("the answer has directions, but the task asks for another notation")
            }
            AnswerError::TooLong => write!(f, "more than {MAX_ANSWER_MOVES} moves"),
        }
    }
}

impl std::error::Error for AnswerError {}

/// The maximum number of moves of an answer. Longer ones are unreadable.
pub const MAX_ANSWER_MOVES: usize = 100_000;
