//! The errors that a check finds in a solution.

use std::fmt;

use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Slide};

/// An error in a solution.
///
/// ```
/// use npuzzle::teaching::SolutionError;
/// use npuzzle::{Options, Slide, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let checked = Options::default().check(&puzzle, "L L", &mut Tables::new(), &mut ())?;
/// assert_eq!(checked.error, Some(SolutionError::OffBoard { step: 2, slide: Slide::Left }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SolutionError {
    /// The first board is not the start of the puzzle.
    WrongStart {
        /// The line of that board, from 1.
        line: usize,
    },
    /// A board is not one slide from the previous one.
    NotOneSlide {
        /// The number of the move, from 1.
        step: usize,
        /// The line of the board, from 1.
        line: usize,
    },
    /// A slide needs a tile beyond the border of the board.
    OffBoard {
        /// The number of the move, from 1.
        step: usize,
        /// The direction in which the tile would slide.
        slide: Slide,
    },
    /// A tile is not next to the blank.
    NotAdjacent {
        /// The number of the move, from 1.
        step: usize,
        /// The number of the tile.
        tile: u16,
    },
    /// The moves do not end at the goal.
    NotAtGoal {
        /// The board at which they end.
        end: Board,
    },
    /// The text claims a number of moves that is wrong, or smaller than any solution has.
    WrongMoveCount {
        /// The number claimed.
        claimed: Cost,
        /// The number of moves in the text; without moves, a lower bound on the length of all solutions.
        found: Cost,
    },
    /// The text claims that a solvable puzzle has no solution.
    ClaimsUnsolvable,
    /// The text has moves, but the puzzle has no solution.
    Unsolvable,
}

impl fmt::Display for SolutionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolutionError::WrongStart { line } => {
                write!(f, "line {line}: the first board is not the start of the puzzle")
            }
            SolutionError::NotOneSlide { step, line } => {
                write!(
                    f,
                    "move {step}, line {line}: this board is not one slide from the previous one"
                )
            }
            SolutionError::OffBoard { step, slide } => {
                let direction = slide.letter();
                write!(f, "move {step}: no tile can slide in that direction ({direction})")
            }
            SolutionError::NotAdjacent { step, tile } => {
                write!(f, "move {step}: tile {tile} is not next to the blank")
            }
            SolutionError::NotAtGoal { end } => {
                write!(f, "the moves end at {}, not at the goal", end.slash())
            }
            SolutionError::WrongMoveCount { claimed, found } => {
                write!(f, "it claims {claimed} moves instead of {found}")
            }
            SolutionError::ClaimsUnsolvable => {
                f.write_str("it claims that there is no solution, but there is one")
            }
            SolutionError::Unsolvable => f.write_str("this puzzle has no solution"),
        }
    }
}
