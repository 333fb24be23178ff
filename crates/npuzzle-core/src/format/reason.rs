//! The reasons why a text is not a board, and their messages.

use std::fmt;

use super::excerpt::plain;
use crate::names::shorten;
use crate::puzzle::dims::{Dims, DimsError};

/// The maximum number of missing tiles that a message names.
pub(super) const MAX_NAMED: usize = 4;

/// The reason why a text is not a board. Words from the text are [quoted](quote).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    Empty,
    OnlyComments,
    TooManyBoards { found: usize },

    NotANumber(String),
    Negative(String),
    TooLarge(String),
    NotADigit(String),
    OutOfRange { tile: u32, dims: Dims, has_blank: bool },
    Duplicate { tile: u16, missing: Vec<u16> },

    BadSize(DimsError),
    Ragged { row: usize, found: usize, expected: usize, announced: bool },
    EmptyRow { row: usize },
    NoSlash,
    NoField,
    Count { found: usize, dims: Dims, missing: Vec<u16> },
    RowCount { found: usize, dims: Dims, missing: Vec<u16> },
    NoTiles { dims: Dims },
    NoSize,
    NotSquare { found: usize },
    NotSquareArray { found: usize },
    NotSquareDigits { found: usize },
    NotOneWord { found: usize },
    TooManyJoined { n_tiles: usize },
    OddRows { rows: usize },
    GoalSize { start: Dims, goal: Dims },

    Expected { what: &'static str, found: String },
    NotAJsonNumber(String),
    UnclosedString,
    BadEscape(String),
    TooDeep,
    EmptyArray,
    NoBoardKey,
    SizeDiffers { announced: String, found: Dims },
}

impl Reason {
    /// `found` is a piece of the text.
    pub(super) fn expected(what: &'static str, found: &str) -> Reason {
        Reason::Expected { what, found: format!("`{}`", quote(found)) }
    }
}

/// A word as it is quoted in a message: shortened, and without characters that disturb a terminal.
pub(super) fn quote(word: &str) -> String {
    shorten(word).chars().map(plain).collect()
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Empty => f.write_str("no board found: the input is empty"),
            Reason::OnlyComments => {
                f.write_str("no board found: the input has only comments and blank lines")
            }
            Reason::TooManyBoards { found } => {
                write!(f, "expected one board, found {found}: the second starts here")
            }
            Reason::NotANumber(word) => {
                write!(f, "`{word}` is not a number: tiles are whole numbers, and 0 is the blank")
            }
            Reason::Negative(word) => {
                write!(f, "tile {word} is negative: tiles are numbered from 1, and 0 is the blank")
            }
            Reason::TooLarge(word) => {
                let max = Dims::MAX * Dims::MAX - 1;
                write!(f, "the number {word} is too large: no board has a tile above {max}")
            }
            Reason::NotADigit(digit) => {
                let rule = "without spaces, tiles are 0 to 9, and a to f for 10 to 15";
                write!(f, "`{digit}` is not a digit: {rule}")
            }
            Reason::OutOfRange { tile, dims, has_blank } => {
                let max = dims.cells() - 1;
                write!(f, "tile {tile} is out of range: a {dims} board has tiles 0 to {max}")?;
                f.write_str(if *has_blank { "" } else { ", and there is no 0 for the blank" })
            }
            Reason::Duplicate { tile: 0, missing } => {
                write!(f, "the blank appears twice{}", Missing(missing))
            }
            Reason::Duplicate { tile, missing } => {
                write!(f, "tile {tile} appears twice{}", Missing(missing))
            }
            Reason::BadSize(error) => error.fmt(f),
            Reason::Ragged { row, found, expected, announced } => {
                let others = if *announced { "the size says" } else { "the other rows have" };
                write!(f, "row {row} has {}, but {others} {expected}", Numbers(*found))
            }
            Reason::EmptyRow { row } => write!(f, "row {row} is empty"),
            Reason::NoSlash => f.write_str("there is only one row: put / between the rows"),
            Reason::NoField => f.write_str(
                "no field holds a board: tiles are separated by spaces or commas, \
                 and ; separates the fields of a record",
            ),
            Reason::Count { found, dims, missing } => {
                let needed = dims.cells();
                let article = article(dims.rows());
                write!(f, "found {}, but {article} {dims} board needs {needed}", Numbers(*found))?;
                write!(f, "{}", Missing(missing))
            }
            Reason::RowCount { found, dims, missing } => {
                let rows = if *found == 1 { "row" } else { "rows" };
                write!(f, "found {found} {rows}, but the size says {}", dims.rows())?;
                write!(f, "{}", Missing(missing))
            }
            Reason::NoTiles { dims } => write!(f, "no tiles follow the size {dims}"),
            Reason::NoSize => f.write_str("the board above is complete: a size is expected here"),
            Reason::NotSquare { found } => {
                let rule = "for other boards put / between the rows, or each row on its own line";
                write!(f, "{} on one line cannot fill a square: {rule}", Numbers(*found))
            }
            Reason::NotSquareArray { found } => {
                let rule = "for other boards use one array per row";
                write!(f, "{} in one array cannot fill a square: {rule}", Numbers(*found))
            }
            Reason::NotSquareDigits { found } => {
                write!(f, "{found} digits cannot fill a square: a board of digits has 4, 9 or 16")
            }
            Reason::NotOneWord { found } => {
                write!(
                    f,
                    "found {found} words, but a board of digits is one word, such as 123456780"
                )
            }
            Reason::TooManyJoined { n_tiles } => {
                let rule = "boards with more than 16 cells need spaces between the tiles";
                write!(f, "{n_tiles} tiles without spaces: {rule}")
            }
            Reason::OddRows { rows } => {
                let rule = "a start and a goal of the same size have an even number of rows";
                write!(f, "{rows} rows cannot be a pair: {rule}")
            }
            Reason::GoalSize { start, goal } => {
                write!(f, "the goal is {goal}, but the start is {start}")
            }
            Reason::Expected { what, found } => write!(f, "expected {what}, found {found}"),
            Reason::NotAJsonNumber(word) => write!(f, "`{word}` is not a valid JSON number"),
            Reason::UnclosedString => f.write_str("this string is not closed on its line"),
            Reason::BadEscape(escape) => write!(f, "`{escape}` is not a valid JSON escape"),
            Reason::TooDeep => f.write_str("arrays and objects are nested too deeply for a board"),
            Reason::EmptyArray => f.write_str("an empty array is not a board"),
            Reason::NoBoardKey => f.write_str("this object has neither `start` nor `board`"),
            Reason::SizeDiffers { announced, found } => {
                write!(f, "this board is {found}, but {announced}")
            }
        }
    }
}

/// The indefinite article before a number of rows: "a 7x7 board", "an 8x8 board".
fn article(n_rows: usize) -> &'static str {
    match n_rows {
        8 | 11 | 18 | 80..=89 => "an",
        _ => "a",
    }
}

struct Numbers(usize);

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} number{}", self.0, if self.0 == 1 { "" } else { "s" })
    }
}

/// Lists the missing tiles unless there are none or too many.
struct Missing<'a>(&'a [u16]);

impl fmt::Display for Missing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.len() > MAX_NAMED {
            return Ok(());
        }
        for (i, tile) in self.0.iter().enumerate() {
            let before = if i == 0 { "; missing: " } else { ", " };
            let after = if *tile == 0 { " (the blank)" } else { "" };
            write!(f, "{before}{tile}{after}")?;
        }
        Ok(())
    }
}
