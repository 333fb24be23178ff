//! Reads the input files of the courses.

use std::error::Error;
use std::fmt;

use npuzzle_core::format::{self, Format, FormatError};
use npuzzle_core::{Dims, Goal, Instance};

/// The board sizes that a course accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sizes {
    EightPuzzle,
    Squares,
}

/// Reads one board in the given format. A goal in the file replaces `goal`.
pub(crate) fn read_board(
    text: &str,
    format: Format,
    sizes: Sizes,
    goal: &Goal,
) -> Result<Instance, ReadError> {
    let entry = format::read_one(text, Some(format))?;
    let found = entry.board.dims();
    let wrong_size = |expected| Err(ReadError::Size { line: entry.line, found, expected });
    match sizes {
        Sizes::EightPuzzle if (found.rows(), found.cols()) != (3, 3) => return wrong_size("3x3"),
        Sizes::Squares if !found.is_square() => return wrong_size("square"),
        Sizes::EightPuzzle | Sizes::Squares => {}
    }
    let goal = entry.goal.map_or_else(|| goal.clone(), Goal::Board);
    // The reader checks that start and goal have the same size, and named goals fit every size.
    let other_size = |_| ReadError::Size { line: entry.line, found, expected: "equal" };
    Instance::new(entry.board, &goal).map_err(other_size)
}

/// An input file that is not valid for the course.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The text is not a board in the course's format.
    Format(FormatError),
    /// The board has a size that the course does not accept.
    Size {
        /// The line on which the board begins, from 1.
        line: usize,
        /// The size of the board.
        found: Dims,
        /// The sizes that the course accepts.
        expected: &'static str,
    },
}

impl ReadError {
    /// Returns the message with the file's name and the position of the error.
    pub fn render(&self, source: &str) -> String {
        match self {
            ReadError::Format(error) => error.render(source),
            ReadError::Size { line, .. } => format!("{source}:{line}: {self}"),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Format(error) => error.fmt(f),
            ReadError::Size { found, expected, .. } => {
                write!(f, "this course solves {expected} boards, this one is {found}")
            }
        }
    }
}

impl Error for ReadError {}

impl From<FormatError> for ReadError {
    fn from(error: FormatError) -> ReadError {
        ReadError::Format(error)
    }
}
