//! Moves as people write them: read, replayed, and pointed at where they go wrong.

use std::error::Error;
use std::fmt;

use npuzzle_core::{Board, Moves, MovesError, Notation};

/// Why a text is no sequence of legal moves, and where.
///
/// ```
/// use npuzzle::teaching::read_moves;
/// use npuzzle::Notation;
/// let error = read_moves("U", Notation::Tile, &"1 2/3 0".parse()?).unwrap_err();
/// assert_eq!((error.place, error.legal_in), (0, Some(Notation::Blank)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MoveTextError {
    /// Which character, from 0.
    pub place: usize,
    /// What is wrong there.
    pub message: String,
    /// The notation in which all moves would be legal: that of letters with the other sense.
    pub legal_in: Option<Notation>,
}

impl MoveTextError {
    /// The line and the column of the place in the text that was read, from 1, in characters.
    pub fn line_and_column(&self, text: &str) -> (usize, usize) {
        let before = || text.chars().take(self.place);
        let line = before().filter(|&c| c == '\n').count();
        let column = before().fold(0, |column, c| if c == '\n' { 0 } else { column + 1 });
        (line + 1, column + 1)
    }
}

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for MoveTextError {}

impl From<MovesError> for MoveTextError {
    fn from(error: MovesError) -> MoveTextError {
        let (place, message) = (error.column() - 1, error.message());
        MoveTextError { place, message, legal_in: None }
    }
}

/// Reads moves in a notation, all of them legal from `start`.
///
/// ```
/// use npuzzle::teaching::read_moves;
/// use npuzzle::Notation;
/// let start = "1 2 3/4 0 6/7 5 8".parse()?;
/// let moves = read_moves("D R", Notation::Blank, &start)?;
/// assert_eq!(moves.to_string(), "U L");
/// let error = read_moves("U L L", Notation::Tile, &start).unwrap_err();
/// assert_eq!((error.place, error.line_and_column("U L L")), (4, (1, 5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_moves(text: &str, notation: Notation, start: &Board) -> Result<Moves, MoveTextError> {
    match notation {
        Notation::Numbers => Ok(Moves::from_numbers(text, start)?),
        Notation::Tile | Notation::Blank => letters(text, notation == Notation::Blank, start),
        Notation::Boards => {
            let message = "boards are no moves".to_owned();
            Err(MoveTextError { place: 0, message, legal_in: None })
        }
    }
}

/// The moves that letters mean, if they are legal.
fn letters(text: &str, is_blank: bool, start: &Board) -> Result<Moves, MoveTextError> {
    let letters: Moves = text.parse()?;
    let opposite: Moves = letters.slides().iter().map(|slide| slide.opposite()).collect();
    let (moves, other) = if is_blank { (opposite, letters) } else { (letters, opposite) };
    let Err(illegal) = moves.replay(start) else { return Ok(moves) };
    let (what, letter, other_notation) = match is_blank {
        true => {
            let letter = illegal.slide.opposite().letter();
            ("the blank cannot go that way there", letter, Notation::Tile)
        }
        false => ("no tile can slide that way there", illegal.slide.letter(), Notation::Blank),
    };
    let step = illegal.step + 1;
    Err(MoveTextError {
        place: place_of_slide(text, illegal.step),
        message: format!("slide {step} ({letter}) is not legal: {what}"),
        legal_in: other.replay(start).is_ok().then_some(other_notation),
    })
}

/// The character from 0 where letters name this slide, counted from 0.
fn place_of_slide(text: &str, step: usize) -> usize {
    let mut n_slides = 0;
    let mut chars = text.chars().enumerate().peekable();
    while let Some((place, c)) = chars.next() {
        if !c.is_ascii_alphabetic() {
            continue;
        }
        let mut count = String::new();
        while let Some((_, digit)) = chars.next_if(|(_, c)| c.is_ascii_digit()) {
            count.push(digit);
        }
        n_slides += count.parse().unwrap_or(1);
        if n_slides > step {
            return place;
        }
    }
    0
}
