//! Writes boards as text.

use std::error::Error;
use std::fmt;

use super::Format;
use crate::puzzle::board::Board;
use crate::puzzle::dims::Dims;

/// Writes a board, and its goal if there is one, as a text that [`read`](super::read) accepts. The text
/// ends with a newline.
///
/// Fails if the format cannot represent the board or the goal: see [`WriteError`].
///
/// ```
/// use npuzzle_core::format::{self, Format};
/// let board: npuzzle_core::Board = "8 1 3/4 0 2/7 6 5".parse()?;
/// assert_eq!(format::write(&board, None, Format::Digits)?, "813402765\n");
/// assert_eq!(format::write(&board, None, Format::Grid)?, "8 1 3\n4 0 2\n7 6 5\n");
/// assert!(format::write(&board, None, Format::Pair).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(board: &Board, goal: Option<&Board>, format: Format) -> Result<String, WriteError> {
    let dims = board.dims();
    match (goal, format) {
        (None, Format::Pair) => return Err(WriteError::NoGoal),
        (Some(goal), Format::Pair | Format::Json) if goal.dims() != dims => {
            return Err(WriteError::GoalSize { start: dims, goal: goal.dims() });
        }
        (None, _) | (_, Format::Pair | Format::Json) => {}
        (Some(_), _) => return Err(WriteError::CarriesNoGoal { format }),
    }
    Ok(match format {
        Format::Slash => format!("{}\n", board.slash()),
        Format::Grid => grid(board),
        Format::Dim => board.to_string(),
        Format::Pair => grid(board) + &goal.map(grid).unwrap_or_default(),
        Format::Flat if dims.is_square() => rows(board, " ", " ") + "\n",
        Format::Flat => return Err(WriteError::NotSquare { format, dims }),
        Format::Digits if !dims.is_square() => return Err(WriteError::NotSquare { format, dims }),
        Format::Digits if dims.cells() > 16 => return Err(WriteError::TooLarge { dims }),
        Format::Digits => {
            board.tiles().iter().map(|tile| format!("{:x}", tile.number())).collect::<String>()
                + "\n"
        }
        Format::Json => {
            let goal = goal.map(|goal| format!(",\"goal\":{}", json(goal))).unwrap_or_default();
            format!("{{\"start\":{}{goal}}}\n", json(board))
        }
    })
}

fn grid(board: &Board) -> String {
    rows(board, " ", "\n") + "\n"
}

fn json(board: &Board) -> String {
    format!("[[{}]]", rows(board, ",", "],["))
}

fn rows(board: &Board, between_tiles: &str, between_rows: &str) -> String {
    let row = |row: &[crate::puzzle::board::Tile]| {
        row.iter().map(|tile| tile.to_string()).collect::<Vec<_>>().join(between_tiles)
    };
    board.rows().map(row).collect::<Vec<_>>().join(between_rows)
}

/// The reason why a board cannot be written in a format.
///
/// ```
/// use npuzzle_core::format::{Format, WriteError, write};
/// let board = "1 2/3 0".parse()?;
/// assert_eq!(write(&board, None, Format::Pair), Err(WriteError::NoGoal));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The format is only for square boards.
    NotSquare {
        /// The format.
        format: Format,
        /// The size of the board.
        dims: Dims,
    },
    /// The board has more than 16 cells, the number of hexadecimal digits.
    TooLarge {
        /// The size of the board.
        dims: Dims,
    },
    /// The format `pair` needs a goal.
    NoGoal,
    /// The format cannot hold a goal.
    CarriesNoGoal {
        /// The format.
        format: Format,
    },
    /// The goal and the board have different sizes.
    GoalSize {
        /// The size of the board.
        start: Dims,
        /// The size of the goal.
        goal: Dims,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::NotSquare { format, dims } => {
                write!(f, "a {dims} board cannot be written as {format}, which is for squares")
            }
            WriteError::TooLarge { dims } => write!(
                f,
                "a {dims} board cannot be written as digits, which is for at most 16 cells"
            ),
            WriteError::NoGoal => f.write_str("a board without a goal cannot be written as pair"),
            WriteError::CarriesNoGoal { format } => {
                write!(f, "a goal cannot be written as {format}: use pair or json")
            }
            WriteError::GoalSize { start, goal } => {
                write!(f, "the goal is {goal}, but the start is {start}")
            }
        }
    }
}

impl Error for WriteError {}
