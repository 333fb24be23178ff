//! The result of judging an answer.

use std::fmt;

use npuzzle_core::search::Cost;
use npuzzle_core::{Moves, Slide};

use super::answer_block::AnswerMark;
use super::answer_moves::AnswerError;
use crate::teaching::check::SolutionForm;

npuzzle_core::named_enum! {
    "a status"
    /// The result of an answer.
    ///
    /// ```
    /// use npuzzle::teaching::{AnswerStatus, Judge, JudgeRules};
    /// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
    /// let judgment = Judge::default().judge(&JudgeRules::default(), &puzzle, "L", &mut ());
    /// assert_eq!(judgment.status, AnswerStatus::Unsolved);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum AnswerStatus {
        /// A shortest solution, or the correct claim that there is none.
        Shortest = "shortest",
        /// A solution that is longer than the shortest, or not known to be shortest.
        Solved = "solved",
        /// Legal moves that do not end at the goal, or the wrong claim that there is no solution.
        Unsolved = "unsolved",
        /// A move that is not legal.
        Illegal = "illegal",
        /// No answer was found, or it contains something other than moves.
        Unreadable = "unreadable",
    }
}

/// A move of an answer that is not legal.
///
/// ```
/// use npuzzle::teaching::{IllegalMove, Judge, JudgeRules};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let judgment = Judge::default().judge(&JudgeRules::default(), &puzzle, "<answer>5 1</answer>", &mut ());
/// assert_eq!(judgment.illegal, Some(IllegalMove::Tile { step: 2, tile: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IllegalMove {
    /// Nothing can move in this direction.
    Direction {
        /// The number of the slide, from 1.
        step: usize,
        /// The direction as the answer names it, of the tile or of the blank.
        named: Slide,
    },
    /// A tile that is not next to the blank.
    Tile {
        /// The number of the slide, from 1.
        step: usize,
        /// The number of the tile.
        tile: u16,
    },
    /// A board that is not one slide from the previous one.
    Board {
        /// The number of the slide that would lead to it, from 1.
        step: usize,
    },
}

impl IllegalMove {
    /// Returns the number of the slide, from 1.
    pub fn step(self) -> usize {
        match self {
            IllegalMove::Direction { step, .. }
            | IllegalMove::Tile { step, .. }
            | IllegalMove::Board { step } => step,
        }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::Direction { step, named } => {
                write!(f, "move {step} ({}) is not legal", named.letter())
            }
            IllegalMove::Tile { step, tile } => {
                write!(f, "move {step} is not legal: tile {tile} is not next to the blank")
            }
            IllegalMove::Board { step } => {
                write!(
                    f,
                    "move {step} is not legal: the board is not one slide from the previous one"
                )
            }
        }
    }
}

/// The result of judging an answer. `Display` writes the reason of the score.
///
/// ```
/// use npuzzle::teaching::{Judge, JudgeRules};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let judgment = Judge::default().judge(&JudgeRules::default(), &puzzle, "L R", &mut ());
/// assert_eq!(judgment.to_string(), "not solved after 2 moves; 0 of 2 moves nearer to the goal");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Judgment {
    /// From 0 to 1, by the scoring of the rules.
    pub score: f64,
    /// The result.
    pub status: AnswerStatus,
    /// What marked the answer; `None` if no answer was found.
    pub mark: Option<AnswerMark>,
    /// How the moves were written; `None` if the answer is unreadable.
    pub form: Option<SolutionForm>,
    /// The slides of the answer, up to the first illegal one.
    pub moves: Moves,
    /// Their length in the metric of the rules.
    pub length: Cost,
    /// The length of a shortest solution; `None` if there is none, or if it is not known within the node limit.
    pub distance: Option<Cost>,
    /// The distance to the goal after the legal moves; `None` as for `distance`.
    pub distance_after: Option<Cost>,
    /// Whether the first move is part of a shortest solution; `None` without a legal move, or if it is not known.
    pub is_first_optimal: Option<bool>,
    /// Whether the goal can be reached.
    pub is_solvable: bool,
    /// The illegal move, if any.
    pub illegal: Option<IllegalMove>,
    /// Whether the same directions would solve the puzzle if they were those of the blank instead of the tiles, or the
    /// reverse.
    pub other_sense_solves: bool,
    /// Why the answer is unreadable, if it is.
    pub unreadable: Option<AnswerError>,
}

impl Judgment {
    /// The judgment of a text without a readable answer.
    pub(super) fn unreadable(
        mark: Option<AnswerMark>,
        error: AnswerError,
        is_solvable: bool,
        distance: Option<Cost>,
    ) -> Judgment {
        Judgment {
            score: 0.0,
            status: AnswerStatus::Unreadable,
            mark,
            form: None,
            moves: Moves::default(),
            length: 0,
            distance,
            distance_after: None,
            is_first_optimal: None,
            is_solvable,
            illegal: None,
            other_sense_solves: false,
            unreadable: Some(error),
        }
    }

    /// Returns whether the answer was read and all of its moves are legal.
    pub fn is_legal(&self) -> bool {
        !matches!(self.status, AnswerStatus::Illegal | AnswerStatus::Unreadable)
    }

    /// Returns whether the answer is a solution, or correctly says that there is none.
    pub fn is_solved(&self) -> bool {
        matches!(self.status, AnswerStatus::Shortest | AnswerStatus::Solved)
    }

    /// Returns the number of moves by which a solution is longer than the shortest. `None` if the answer is no
    /// solution, or if the shortest length is not known.
    pub fn wasted(&self) -> Option<Cost> {
        let distance = self.distance.filter(|_| self.is_solved())?;
        Some(self.length.saturating_sub(distance))
    }

    /// Returns the number of moves by which the legal moves come nearer to the goal; 0 if they lead away from it.
    /// `None` if a distance is not known.
    pub fn progress(&self) -> Option<Cost> {
        Some(self.distance?.saturating_sub(self.distance_after?))
    }

    /// Orders the readings of one answer.
    pub(super) fn rank(&self) -> (u64, usize) {
        // The bits of floating-point numbers that are not negative have the order of the numbers.
        (self.score.to_bits(), self.moves.stm())
    }
}

/// The reason of the score, as a sentence without a period.
impl fmt::Display for Judgment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(error) = &self.unreadable {
            return error.fmt(f);
        }
        if self.form == Some(SolutionForm::NoSolution) {
            return f.write_str(match self.is_solvable {
                true => "says that there is no solution, but there is one",
                false => "correctly says that there is no solution",
            });
        }
        let moves = if self.length == 1 { "move" } else { "moves" };
        match (self.status, self.distance, self.illegal) {
            (AnswerStatus::Shortest, ..) => {
                return write!(f, "solved in {} {moves}, shortest", self.length);
            }
            (AnswerStatus::Solved, Some(distance), _) => {
                return write!(
                    f,
                    "solved in {} {moves}; the shortest solution has {distance}",
                    self.length
                );
            }
            (AnswerStatus::Solved, None, _) => {
                return write!(
                    f,
                    "solved in {} {moves}; the shortest length is not known",
                    self.length
                );
            }
            (_, _, Some(illegal)) => illegal.fmt(f)?,
            _ => write!(f, "not solved after {} {moves}", self.length)?,
        }
        match (self.is_solvable, self.progress(), self.distance) {
            (false, ..) => f.write_str("; there is no solution"),
            _ if self.other_sense_solves => {
                f.write_str("; in the other sense of the directions, the moves solve the board")
            }
            (_, Some(progress), Some(distance)) => {
                write!(f, "; {progress} of {distance} moves nearer to the goal")
            }
            _ => f.write_str("; the distance to the goal is not known"),
        }
    }
}
