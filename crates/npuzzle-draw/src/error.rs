//! Errors of drawings.

use std::error::Error;
use std::{fmt, io};

use crate::raster::canvas::MAX_PIXELS;

/// Why a drawing failed.
#[derive(Debug)]
pub enum DrawError {
    /// The picture would have too many pixels.
    TooLarge {
        /// Its width.
        width: u64,
        /// Its height.
        height: u64,
        /// The largest width or height.
        max: u32,
        /// The largest tile with which it would fit, if any.
        largest_tile: Option<u16>,
    },
    /// The sheet would have too many boards.
    TooManyBoards {
        /// The boards of the solution.
        n_boards: usize,
        /// The maximum number of boards of this size.
        max: usize,
    },
    /// The GIF would have too many moves.
    TooManyMoves {
        /// The straight runs of the solution.
        n_runs: usize,
        /// The maximum number of runs.
        max: usize,
    },
    /// Writing failed.
    Io(io::Error),
}

impl DrawError {
    /// The error of a picture of this size; `fits` says whether one with tiles of this side would fit.
    pub(crate) fn too_large(width: u32, height: u32, fits: impl Fn(u16) -> bool) -> DrawError {
        DrawError::TooLarge {
            width: u64::from(width),
            height: u64::from(height),
            max: MAX_PIXELS,
            largest_tile: (1..=MAX_PIXELS as u16).rev().find(|&side| fits(side)),
        }
    }
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DrawError::TooLarge { width, height, max, largest_tile } => {
                write!(
                    f,
                    "the picture would have {width}x{height} pixels, and {max}x{max} is the maximum: "
                )?;
                match largest_tile {
                    Some(tile) => write!(f, "use tiles of at most {tile} pixels"),
                    None => f.write_str("no tile is small enough"),
                }
            }
            DrawError::TooManyBoards { n_boards, max } => {
                write!(f, "{n_boards} boards are too many for a sheet: {max} of this size fit")
            }
            DrawError::TooManyMoves { n_runs, max } => {
                write!(f, "{n_runs} moves (MTM) are too many for a GIF: {max} is the maximum")
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
