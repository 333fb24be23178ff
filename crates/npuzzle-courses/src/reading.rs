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
    let entry = format::read_one(text, Some(format)).map_err(|error| match format {
        Format::Dim if !begins_with_dimension(text) => ReadError::NoDimension(error),
        _ => ReadError::Format(error),
    })?;
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

/// Reads a board whose tiles are separated by commas or spaces, on one line.
pub(crate) fn read_line_of_tiles(
    text: &str,
    sizes: Sizes,
    goal: &Goal,
) -> Result<Instance, ReadError> {
    let is_separator = |c: char| c == ',' || c.is_whitespace();
    let n_tiles = text.split(is_separator).filter(|word| !word.is_empty()).count();
    let is_square = n_tiles.isqrt().pow(2) == n_tiles;
    // The format `flat` allows a number before the board, which is not part of any assignment.
    let format = if is_square { Format::Flat } else { Format::Grid };
    read_board(text, format, sizes, goal)
}

/// Whether the first line is a dimension, or rows and columns, and not a row of tiles.
fn begins_with_dimension(text: &str) -> bool {
    let mut lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let first = lines.find(|line| !line.trim().is_empty());
    first.is_none_or(|line| line.split_whitespace().count() <= 2)
}

/// An input file that is not valid for the course.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The text is not a board in the course's format.
    Format(FormatError),
    /// The text has no dimension in its first line, which the course's format requires.
    NoDimension(FormatError),
    /// The board has a size that the course does not accept.
    Size {
        /// The line on which the board begins, from 1.
        line: usize,
        /// The size of the board.
        found: Dims,
        /// The sizes that the course accepts.
        expected: &'static str,
    },
    /// The course has no puzzle with this number.
    PuzzleNumber {
        /// The number.
        number: usize,
        /// The largest number of a puzzle.
        max: usize,
    },
}

const NO_DIMENSION: &str = "the first line must be the dimension";

impl ReadError {
    /// Returns the message with the file's name and the position of the error.
    pub fn render(&self, source: &str) -> String {
        match self {
            ReadError::Format(error) => error.render(source),
            ReadError::NoDimension(error) => format!("{}\n{NO_DIMENSION}", error.render(source)),
            ReadError::Size { line, .. } => format!("{source}:{line}: {self}"),
            ReadError::PuzzleNumber { .. } => format!("{source}:1: {self}"),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Format(error) => error.fmt(f),
            ReadError::NoDimension(error) => write!(f, "{error}; {NO_DIMENSION}"),
            ReadError::Size { found, expected, .. } => {
                write!(f, "this course solves {expected} boards, this one is {found}")
            }
            ReadError::PuzzleNumber { number, max } => {
                write!(f, "expected nine tiles or a puzzle number from 0 to {max}, found {number}")
            }
        }
    }
}

impl Error for ReadError {}
