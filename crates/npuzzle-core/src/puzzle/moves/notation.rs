//! The notations of a sequence of slides.

use std::fmt;

use super::{Boards, Moves};
use crate::puzzle::board::Board;

crate::named_enum! {
    "a notation"
    /// A notation of a sequence of slides.
    ///
    /// ```
    /// use npuzzle_core::{Board, Moves, Notation};
    /// let (start, moves): (Board, Moves) = ("1 2 3/4 0 5/7 8 6".parse()?, "L U".parse()?);
    /// let texts = [Notation::Tile, Notation::Blank, Notation::Numbers].map(|n| moves.write(n, &start));
    /// assert_eq!(texts, [Ok("L U".to_owned()), Ok("R D".to_owned()), Ok("5 6".to_owned())]);
    /// assert_eq!("numbers".parse(), Ok(Notation::Numbers));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum Notation {
        /// Letters for the direction in which the tile moves, with counts for runs: `U L2 D`.
        #[default]
        Tile = "tile",
        /// Letters for the direction in which the blank moves, as in textbooks: `D R2 U`.
        Blank = "blank",
        /// The numbers of the tiles in the order in which they slide: `6 5 4 8`.
        Numbers = "numbers",
        /// Every board from the start to the end, one per line.
        Boards = "boards",
    }
}

/// Moves in a notation, returned by [`Moves::display`].
///
/// The text is produced piece by piece as it is written. Only the current board is in memory.
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
    /// The board from which the moves are legal.
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
                boards.enumerate().try_for_each(|(i, board)| {
                    let separator = if i == 0 { "" } else { "\n" };
                    write!(f, "{separator}{}", board.slash())
                })
            }
        }
    }
}

impl NotatedMoves<'_> {
    fn numbers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut board = self.start.clone();
        for (i, slide) in self.moves.iter().enumerate() {
            // The tile moves to the cell of the blank.
            let to = board.blank();
            board.slide(slide);
            let separator = if i == 0 { "" } else { " " };
            write!(f, "{separator}{}", board.tile(to))?;
        }
        Ok(())
    }
}
