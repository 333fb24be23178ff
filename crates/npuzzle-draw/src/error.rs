//! Why something cannot be drawn.

use std::error::Error;
use std::{fmt, io};

/// Why something cannot be drawn.
#[derive(Debug)]
pub enum DrawError {
    /// More pixels than a picture should have.
    TooLarge {
        /// Its width.
        width: u64,
        /// Its height.
        height: u64,
        /// The most pixels either may have.
        max: u32,
        /// The largest tile with which it would fit, if one does.
        largest_tile: Option<u16>,
    },
    /// More tiles than a sheet of boards should have.
    TooManyBoards {
        /// The boards of the solution.
        n_boards: usize,
        /// How many of that size there may be.
        max: usize,
    },
    /// More moves than a GIF should have.
    TooManyMoves {
        /// The straight runs of the solution.
        n_runs: usize,
        /// How many there may be.
        max: usize,
    },
    /// What takes the bytes cannot take them.
    Io(io::Error),
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DrawError::TooLarge { width, height, max, largest_tile } => {
                write!(f, "{width}x{height} pixels are too many, {max} either way is the most: ")?;
                match largest_tile {
                    Some(tile) => write!(f, "tiles may be up to {tile} pixels wide"),
                    None => f.write_str("there is no tile so small"),
                }
            }
            DrawError::TooManyBoards { n_boards, max } => {
                write!(f, "{n_boards} boards are too many for a sheet, {max} of this size fit")
            }
            DrawError::TooManyMoves { n_runs, max } => {
                write!(f, "{n_runs} moves (MTM) are too many for a GIF, which may have {max}")
            }
            DrawError::Io(error) => error.fmt(f),
        }
    }
}

impl Error for DrawError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            DrawError::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for DrawError {
    fn from(error: io::Error) -> DrawError {
        DrawError::Io(error)
    }
}
