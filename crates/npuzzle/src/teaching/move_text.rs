//! Reads moves in a given notation and reports the position of the first illegal one.

use std::error::Error;
use std::fmt;

use npuzzle_core::{Board, Moves, MovesError, Notation};

/// Why a text is not a sequence of legal moves, and the position of the error.
///
/// ```
/// use npuzzle::teaching::read_moves;
/// use npuzzle::Notation;
/// let error = read_moves("U", Notation::Tile, &"1 2/3 0".parse()?).unwrap_err();
/// assert_eq!((error.position, error.legal_in), (0, Some(Notation::Blank)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MoveTextError {
    /// The position of the error in characters, from 0.
    pub position: usize,
    /// The message, without the position.
    pub message: String,
    /// The notation in which all moves would be legal: the other kind of letters, if any.
    pub legal_in: Option<Notation>,
}

impl MoveTextError {
    /// Returns the line and the column of the position, both from 1, in characters. `text` is the text
    /// that was read.
    pub fn line_and_column(&self, text: &str) -> (usize, usize) {
        let before = || text.chars().take(self.position);
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
        let (position, message) = (error.column() - 1, error.message());
        MoveTextError { position, message, legal_in: None }
    }
}

/// Reads moves in a notation. All of them must be legal, starting from `start`.
///
/// # Errors
///
/// The text is not in the notation, a move is illegal, or the notation is [`Notation::Boards`], which
/// has no moves.
///
/// ```
/// use npuzzle::teaching::read_moves;
/// use npuzzle::Notation;
/// let start = "1 2 3/4 0 6/7 5 8".parse()?;
/// let moves = read_moves("D R", Notation::Blank, &start)?;
/// assert_eq!(moves.to_string(), "U L");
/// let error = read_moves("U L L", Notation::Tile, &start).unwrap_err();
/// assert_eq!((error.position, error.line_and_column("U L L")), (4, (1, 5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_moves(text: &str, notation: Notation, start: &Board) -> Result<Moves, MoveTextError> {
    match notation {
        Notation::Numbers => Ok(Moves::from_numbers(text, start)?),
        Notation::Tile | Notation::Blank => read_letters(text, notation == Notation::Blank, start),
        Notation::Boards => {
            let message = "boards are not a notation for moves".to_owned();
            Err(MoveTextError { position: 0, message, legal_in: None })
        }
    }
}

/// Reads letters and checks that the moves are legal.
fn read_letters(text: &str, is_blank: bool, start: &Board) -> Result<Moves, MoveTextError> {
    let letters: Moves = text.parse()?;
    let opposite: Moves = letters.slides().iter().map(|slide| slide.opposite()).collect();
    let (moves, other) = if is_blank { (opposite, letters) } else { (letters, opposite) };
    let Err(illegal) = moves.replay(start) else { return Ok(moves) };
    let (reason, letter, other_notation) = match is_blank {
        true => {
            let letter = illegal.slide.opposite().letter();
            ("the blank cannot move in that direction", letter, Notation::Tile)
        }
        false => ("no tile can slide in that direction", illegal.slide.letter(), Notation::Blank),
    };
    let step = illegal.step + 1;
    Err(MoveTextError {
        position: position_of_slide(text, illegal.step),
        message: format!("slide {step} ({letter}) is not legal: {reason}"),
        legal_in: other.replay(start).is_ok().then_some(other_notation),
    })
}

/// Returns the position of the letter that stands for slide number `step`, both from 0.
fn position_of_slide(text: &str, step: usize) -> usize {
    let mut n_slides = 0;
    let mut chars = text.chars().enumerate().peekable();
    while let Some((position, c)) = chars.next() {
        if !c.is_ascii_alphabetic() {
            continue;
        }
        let mut count = String::new();
        while let Some((_, digit)) = chars.next_if(|(_, c)| c.is_ascii_digit()) {
            count.push(digit);
        }
        n_slides += count.parse().unwrap_or(1);
        if n_slides > step {
            return position;
        }
    }
    0
}
