//! How a sequence of slides is written.

use std::fmt;

use super::{Boards, Moves};
use crate::names::named_values;
use crate::puzzle::board::Board;

/// How a sequence of slides is written.
///
/// ```
/// use npuzzle_core::{Board, Moves, Notation};
/// let (start, moves): (Board, Moves) = ("1 2 3/4 0 5/7 8 6".parse()?, "L U".parse()?);
/// let written = [Notation::Tile, Notation::Blank, Notation::Numbers].map(|n| moves.write(n, &start));
/// assert_eq!(written, [Ok("L U".to_owned()), Ok("R D".to_owned()), Ok("5 6".to_owned())]);
/// assert_eq!("numbers".parse(), Ok(Notation::Numbers));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Notation {
    /// Letters for the way the tile slides, runs joined: `U L2 D`.
    #[default]
    Tile,
    /// Letters for the way the blank goes, as textbooks have it: `D R2 U`.
    Blank,
    /// The numbers of the tiles in the order they slide: `6 5 4 8`.
    Numbers,
    /// Every board from the start to the goal.
    Boards,
}

named_values! {
    Notation is a "notation":
    Tile => "tile", Blank => "blank", Numbers => "numbers", Boards => "boards";
    /// The error for a name that is not a [`Notation`].
    ///
    /// ```
    /// let error = "morse".parse::<npuzzle_core::Notation>().unwrap_err();
    /// let expected = "expected one of tile, blank, numbers, boards";
    /// assert_eq!(error.to_string(), format!(r#""morse" is not a notation: {expected}"#));
    /// let error = "-".repeat(1000).parse::<npuzzle_core::Notation>().unwrap_err();
    /// assert!(error.to_string().starts_with("\"--------------------…\" is not a notation"));
    /// ```
    NotationError
}

/// Moves in a notation, written when they are displayed: nothing but the board of the moment is
/// held, however long they are.
///
/// ```
/// use npuzzle_core::{Moves, Notation};
/// use std::fmt::Write;
/// let moves: Moves = "L U".parse()?;
/// let mut out = String::new(); // or a file, a socket, a screen
/// write!(out, "{}", moves.display(Notation::Boards, &"1 2 3/4 0 5/7 8 6".parse()?)?)?;
/// assert_eq!(out, "1 2 3/4 0 5/7 8 6\n1 2 3/4 5 0/7 8 6\n1 2 3/4 5 6/7 8 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NotatedMoves<'a> {
    pub(super) notation: Notation,
    pub(super) moves: &'a Moves,
    /// From which they are legal.
    pub(super) start: Board,
}

impl fmt::Display for NotatedMoves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.notation {
            Notation::Tile => self.moves.fmt(f),
            Notation::Blank => {
                self.moves.iter().map(|slide| slide.opposite()).collect::<Moves>().fmt(f)
            }
            Notation::Numbers => self.numbers(f),
            Notation::Boards => {
                let boards = Boards::new(&self.start, self.moves.slides());
                boards.enumerate().try_for_each(|(at, board)| {
                    let line = if at == 0 { "" } else { "\n" };
                    write!(f, "{line}{}", board.slash())
                })
            }
        }
    }
}

impl NotatedMoves<'_> {
    fn numbers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut board = self.start.clone();
        for (at, slide) in self.moves.iter().enumerate() {
            // The tile that slides will be where the blank was.
            let to = board.blank();
            board.slide(slide);
            let space = if at == 0 { "" } else { " " };
            write!(f, "{space}{}", board.tile(to))?;
        }
        Ok(())
    }
}
