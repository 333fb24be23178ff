//! A sequence of slides, its lengths and its text form.

mod boards;
mod notation;

use std::error::Error;
use std::fmt;
use std::iter::Copied;
use std::slice;
use std::str::FromStr;
use std::vec;

use crate::names::shorten;
use crate::puzzle::board::Board;
use crate::puzzle::dims::Dims;
use crate::puzzle::metric::Metric;
use crate::puzzle::slide::Slide;

pub use boards::Boards;
pub use notation::{NotatedMoves, Notation};

/// A sequence of slides.
///
/// ```
/// use npuzzle_core::{Board, Moves, Notation};
/// let moves: Moves = "U L2 D".parse()?;
/// assert_eq!((moves.stm(), moves.mtm()), (4, 3));
/// assert_eq!(moves.inverse().to_string(), "U R2 D");
///
/// let start: Board = "1 2 3/4 0 6/7 5 8".parse()?;
/// let moves: Moves = "UL".parse()?;
/// assert!(moves.replay(&start)?.is_goal());
/// assert_eq!(moves.write(Notation::Numbers, &start)?, "5 8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Moves(Vec<Slide>);

impl Moves {
    /// The slides in order.
    ///
    /// ```
    /// use npuzzle_core::{Moves, Slide};
    /// assert_eq!("U L2".parse::<Moves>()?.slides(), [Slide::Up, Slide::Left, Slide::Left]);
    /// # Ok::<(), npuzzle_core::MovesError>(())
    /// ```
    pub fn slides(&self) -> &[Slide] {
        &self.0
    }

    /// Iterates over the slides.
    pub fn iter(&self) -> Copied<slice::Iter<'_, Slide>> {
        self.0.iter().copied()
    }

    /// Length in the single-tile metric: the number of slides.
    pub fn stm(&self) -> usize {
        self.0.len()
    }

    /// Length in the multi-tile metric: the number of straight runs.
    pub fn mtm(&self) -> usize {
        self.runs().count()
    }

    /// Length in the given metric.
    pub fn len(&self, metric: Metric) -> usize {
        match metric {
            Metric::Stm => self.stm(),
            Metric::Mtm => self.mtm(),
        }
    }

    /// Whether the sequence has no slides.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the straight runs: each slide with its number of repetitions.
    ///
    /// ```
    /// use npuzzle_core::{Moves, Slide};
    /// let moves: Moves = "U L2".parse()?;
    /// assert!(moves.runs().eq([(Slide::Up, 1), (Slide::Left, 2)]));
    /// # Ok::<(), npuzzle_core::MovesError>(())
    /// ```
    pub fn runs(&self) -> impl Iterator<Item = (Slide, usize)> + '_ {
        self.0.chunk_by(|a, b| a == b).map(|run| (run[0], run.len()))
    }

    /// Returns the sequence that undoes this one.
    ///
    /// ```
    /// use npuzzle_core::{Board, Moves};
    /// let (start, moves): (Board, Moves) = ("1 2 3/4 0 5/7 8 6".parse()?, "L U".parse()?);
    /// assert_eq!(moves.inverse().replay(&moves.replay(&start)?)?, start);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inverse(&self) -> Moves {
        self.0.iter().rev().map(|slide| slide.opposite()).collect()
    }

    /// Returns the board after these moves, or the first slide that is not legal.
    ///
    /// ```
    /// use npuzzle_core::{Board, Moves};
    /// let moves: Moves = "L U".parse()?;
    /// assert!(moves.replay(&"1 2 3/4 0 5/7 8 6".parse::<Board>()?)?.is_goal());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay(&self, start: &Board) -> Result<Board, IllegalSlide> {
        let mut board = start.clone();
        for (step, &slide) in self.0.iter().enumerate() {
            if !board.slide(slide) {
                return Err(IllegalSlide { step, slide });
            }
        }
        Ok(board)
    }

    /// Returns an iterator over all boards from `start` to the last, including both. The boards are
    /// computed on demand; those of a long solution of a large board would not fit in memory.
    ///
    /// ```
    /// use npuzzle_core::{Board, Moves};
    /// let (start, moves): (Board, Moves) = ("1 2 3/4 0 5/7 8 6".parse()?, "L U".parse()?);
    /// let boards = moves.boards(&start)?;
    /// assert_eq!(boards.len(), 3);
    /// assert!(boards.last().is_some_and(|board| board.is_goal()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn boards(&self, start: &Board) -> Result<Boards<'_>, IllegalSlide> {
        self.replay(start)?;
        Ok(Boards::new(start, &self.0))
    }

    /// Writes the moves from `start` as text in a notation.
    ///
    /// ```
    /// use npuzzle_core::{Moves, Notation};
    /// let moves: Moves = "L U".parse()?;
    /// assert_eq!(moves.write(Notation::Blank, &"1 2 3/4 0 5/7 8 6".parse()?)?, "R D");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, notation: Notation, start: &Board) -> Result<String, IllegalSlide> {
        self.display(notation, start).map(|moves| moves.to_string())
    }

    /// Returns a value that [`Display`](fmt::Display) writes piece by piece, without holding the
    /// text in memory: see [`NotatedMoves`].
    pub fn display(
        &self,
        notation: Notation,
        start: &Board,
    ) -> Result<NotatedMoves<'_>, IllegalSlide> {
        self.replay(start)?;
        Ok(NotatedMoves { notation, moves: self, start: start.clone() })
    }

    /// Reads a sequence of tile numbers, each of which must be next to the blank when it slides.
    ///
    /// ```
    /// use npuzzle_core::{Board, Moves};
    /// let start: Board = "1 2 3/4 0 6/7 5 8".parse()?;
    /// assert_eq!(Moves::from_numbers("5 8", &start)?.to_string(), "U L");
    /// assert!(Moves::from_numbers("1", &start).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_numbers(text: &str, start: &Board) -> Result<Moves, MovesError> {
        let mut board = start.clone();
        let mut moves = Vec::new();
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()) {
            let bad = |reason| {
                let before = &text[..word.as_ptr() as usize - text.as_ptr() as usize];
                MovesError { column: before.chars().count() + 1, token: shorten(word), reason }
            };
            let number: u16 = word.parse().map_err(|_| bad("is not a tile number"))?;
            let is_next = |&slide: &Slide| {
                let source = board.dims().source(board.blank(), slide);
                source.is_some_and(|cell| board.tile(cell).number() == number)
            };
            let slide =
                board.slides().find(is_next).ok_or_else(|| bad("is not next to the blank"))?;
            board.slide(slide);
            moves.push(slide);
        }
        Ok(Moves(moves))
    }
}

impl From<Vec<Slide>> for Moves {
    fn from(slides: Vec<Slide>) -> Moves {
        Moves(slides)
    }
}

/// The slides in order.
///
/// ```
/// use npuzzle_core::{Board, Moves};
/// let (mut board, moves): (Board, Moves) = ("1 2 3/4 0 5/7 8 6".parse()?, "L U".parse()?);
/// for slide in &moves {
///     board.slide(slide);
/// }
/// assert!(board.is_goal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'a> IntoIterator for &'a Moves {
    type Item = Slide;
    type IntoIter = Copied<slice::Iter<'a, Slide>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The slides in order.
impl IntoIterator for Moves {
    type Item = Slide;
    type IntoIter = vec::IntoIter<Slide>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl FromIterator<Slide> for Moves {
    fn from_iter<I: IntoIterator<Item = Slide>>(slides: I) -> Moves {
        Moves(slides.into_iter().collect())
    }
}

/// The longest run on the largest board. A larger count is an error.
const MAX_RUN: usize = Dims::MAX - 1;

/// Writes the notation `tile`: letters for the direction in which the tile moves, with counts for
/// runs: `U L2 D`.
impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A run that is longer than any board allows is written in parts that can be read back.
        let runs = self.0.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(MAX_RUN));
        for (i, run) in runs.enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{}", run[0].letter())?;
            if run.len() > 1 {
                write!(f, "{}", run.len())?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Moves({self})")
    }
}

/// Reads letters in upper or lower case with optional counts: `UL2D`, `U L2 D`, `u,l,l,d`. The letters
/// are directions in which tiles move.
impl FromStr for Moves {
    type Err = MovesError;

    fn from_str(text: &str) -> Result<Moves, MovesError> {
        let mut moves = Vec::new();
        let mut rest = text.char_indices().enumerate().peekable();
        while let Some((column, (_, c))) = rest.next() {
            if c.is_whitespace() || c == ',' {
                continue;
            }
            let bad = |token: String, reason| MovesError { column: column + 1, token, reason };
            let Some(slide) = Slide::from_letter(c) else {
                return Err(bad(c.to_string(), "is not one of the letters U D L R"));
            };
            let mut count = String::new();
            while let Some((_, (_, digit))) = rest.next_if(|(_, (_, c))| c.is_ascii_digit()) {
                count.push(digit);
            }
            let n = if count.is_empty() { Ok(1) } else { count.parse::<usize>() };
            match n {
                Ok(n @ 1..=MAX_RUN) => moves.extend(std::iter::repeat_n(slide, n)),
                _ => return Err(bad(shorten(&count), "is not a valid run length (1 to 126)")),
            }
        }
        Ok(Moves(moves))
    }
}

/// The error for a slide that is not legal on its board.
///
/// ```
/// use npuzzle_core::{Board, IllegalSlide, Moves, Slide};
/// let (start, moves): (Board, Moves) = ("1 2/3 0".parse()?, "R2".parse()?);
/// assert_eq!(moves.replay(&start), Err(IllegalSlide { step: 1, slide: Slide::Right }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalSlide {
    /// The index of the slide in the sequence, from 0.
    pub step: usize,
    /// The slide.
    pub slide: Slide,
}

impl fmt::Display for IllegalSlide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, slide) = (self.step + 1, self.slide.letter());
        write!(f, "slide {n} ({slide}) is not legal: no tile can slide in that direction")
    }
}

impl Error for IllegalSlide {}

/// The error for a text that is not a sequence of moves.
///
/// ```
/// let error = "U X".parse::<npuzzle_core::Moves>().unwrap_err();
/// assert_eq!((error.column(), error.message().as_str()), (3, "\"X\" is not one of the letters U D L R"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovesError {
    column: usize,
    token: String,
    reason: &'static str,
}

impl MovesError {
    /// The column of the invalid token, in characters from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The message without the column.
    pub fn message(&self) -> String {
        format!("{:?} {}", self.token, self.reason)
    }
}

impl fmt::Display for MovesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message())
    }
}

impl Error for MovesError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_every_usual_spelling() {
        let check = |text: &str, expect: &str| {
            assert_eq!(text.parse::<Moves>().unwrap().to_string(), expect);
        };
        check("", "");
        check("ULLD", "U L2 D");
        check("u, l, l, d", "U L2 D");
        check("R3U", "R3 U");
        check("L L2", "L3");
        check("R R126 D", "R126 R D");
    }

    #[test]
    fn moves_error_names_the_token_and_its_column() {
        let check = |text: &str, expect: &str| {
            assert_eq!(text.parse::<Moves>().unwrap_err().to_string(), expect);
        };
        check("U X", "column 3: \"X\" is not one of the letters U D L R");
        check("U0", "column 1: \"0\" is not a valid run length (1 to 126)");
        check(
            "R99999999999999999999999",
            "column 1: \"99999999999999999999…\" is not a valid run length (1 to 126)",
        );
    }
}
