//! Reading and writing boards as text, in seven formats.
//!
//! [`read`] detects the format of every board, and its errors point at the invalid token.
//!
//! ```
//! use npuzzle_core::format::{self, Format};
//! let file = "\
//! 3         # the size, then the rows
//! 1 2 3
//! 4 0 6
//! 7 5 8
//!
//! 1 2 3/4 5 6/7 0 8
//! {\"start\": \"123/456/780\", \"goal\": \"snail\"}
//! ";
//! let entries: Vec<_> = format::read(file, None).into_iter().collect::<Result<_, _>>()?;
//! let formats: Vec<_> = entries.iter().map(|entry| (entry.line, entry.format)).collect();
//! assert_eq!(formats, [(1, Format::Dim), (6, Format::Slash), (7, Format::Json)]);
//! # Ok::<(), npuzzle_core::FormatError>(())
//! ```
//!
//! `docs/formats.md` specifies the formats and how they are detected. Text passes through these
//! modules: `source` finds lines and columns, `token` splits a line into words, `frame` reads drawings, `block` gathers lines,
//! `detect` determines their format, and the module of that format passes the numbers to `tiles`,
//! which checks them. These modules report positions as byte spans; `error` turns them into messages.

mod block;
mod detect;
mod dim;
mod error;
mod excerpt;
mod found;
mod frame;
mod from_str;
mod json;
mod json_boards;
mod lines;
mod pair;
mod pddl;
mod reader;
mod reason;
mod source;
mod tiles;
mod token;
mod words;
mod write;

use self::found::{FoundBoard, exactly_one};
use self::reader::find;
use self::source::Source;
use crate::puzzle::board::Board;

pub use self::error::FormatError;
pub use self::pddl::{pddl_domain, pddl_problem};
pub use self::write::{WriteError, write};

crate::named_enum! {
    "a format"
    /// A text format of boards.
    ///
    /// ```
    /// use npuzzle_core::format::Format;
    /// assert_eq!("slash".parse(), Ok(Format::Slash));
    /// assert!(Format::ALL.iter().all(|format| format.to_string().parse() == Ok(*format)));
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Format {
        /// `1 2 3/4 5 6/7 8 0`
        Slash = "slash",
        /// One row per line.
        Grid = "grid",
        /// The size on the first line, then the tiles.
        Dim = "dim",
        /// Two grids: the start, then the goal.
        Pair = "pair",
        /// All tiles of a square board on one line.
        Flat = "flat",
        /// `123456780`
        Digits = "digits",
        /// Arrays, strings, or objects with `start` and `goal`.
        Json = "json",
    }
}

/// A board that was read.
///
/// ```
/// let pair = npuzzle_core::format::read_one(r#"{"start": "1 2/0 3", "goal": "1 2/3 0"}"#, None)?;
/// assert_eq!((pair.line, pair.goal.is_some()), (1, true));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The board.
    pub board: Board,
    /// The goal, if the text has one. It has the size of the board.
    pub goal: Option<Board>,
    /// The line on which the board starts, from 1.
    pub line: usize,
    /// The format of the board.
    pub format: Format,
}

/// Reads all boards of a text in order, in the given format or, if it is `None`, in the format that
/// each board appears to have.
///
/// An invalid board gives an error, and reading continues after it. There is at least one result: a
/// text without boards is an error.
///
/// ```
/// let read = npuzzle_core::format::read("1 2/3 0\n1 2/3 3\n1 2/0 3\n", None);
/// assert_eq!(read.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
/// ```
pub fn read(text: &str, format: Option<Format>) -> Vec<Result<Entry, FormatError>> {
    let source = Source::new(text);
    let entry = |found: FoundBoard| found.into_entry(&source);
    find(&source, format).into_iter().map(entry).collect()
}

/// Reads the only board of a text. Several boards are an error, which points at the second; if one
/// of them is invalid, its error is returned instead.
///
/// ```
/// use npuzzle_core::format::{Format, read_one};
/// assert_eq!(read_one("813402765", None)?.format, Format::Digits);
/// assert!(read_one("1 2/3 0\n1 2/0 3\n", None).is_err());
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
pub fn read_one(text: &str, format: Option<Format>) -> Result<Entry, FormatError> {
    let source = Source::new(text);
    let found = exactly_one(find(&source, format));
    found
        .map_err(|fault| FormatError::new(&source, fault))
        .and_then(|found| found.into_entry(&source))
}
