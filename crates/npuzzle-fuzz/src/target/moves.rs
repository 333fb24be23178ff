//! Moves in every notation.

use npuzzle::teaching::{first_unknown_token, read_moves};
use npuzzle::{Board, Moves, Notation};

use crate::assertions::{assert_message, assert_position, selector, text};

/// The boards to which the moves are applied.
const STARTS: [&str; 4] = [
    "1 2 3/4 0 5/7 8 6",
    "0 1/2 3",
    "1 2 3 4/5 0 6 7/8 9 10 11/12 13 14 15",
    "1 2 3 4 5/6 7 8 9 0",
];

/// The notations that can be read.
const NOTATIONS: [Notation; 3] = [Notation::Tile, Notation::Blank, Notation::Numbers];

/// The first byte selects the board, the second the notation.
pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((which, rest)) = selector(bytes) else { return false };
    let Some((notation, rest)) = selector(rest) else { return false };
    let start: Board = STARTS[which % STARTS.len()].parse().unwrap();
    let notation = NOTATIONS[notation % NOTATIONS.len()];
    let text = &*text(rest);
    let read = read_moves(text, notation, &start);
    match &read {
        Ok(moves) => {
            let written = moves.write(notation, &start).unwrap();
            let again = read_moves(&written, notation, &start);
            assert_eq!(again.as_ref(), Ok(moves), "{written:?}");
            assert!(moves.stm() >= moves.mtm());
        }
        Err(error) => {
            let (line, column) = error.line_and_column(text);
            assert_position(text, line, column, 0);
            assert_message(&error.message);
            if let Some(other) = error.legal_in {
                assert!(read_moves(text, other, &start).is_ok(), "{other}");
            }
        }
    }
    match text.parse::<Moves>() {
        Ok(moves) => {
            assert_eq!(moves.to_string().parse().as_ref(), Ok(&moves));
            assert_eq!(moves.inverse().inverse(), moves);
        }
        Err(error) => {
            assert!((1..=text.chars().count()).contains(&error.column()), "{error}");
            assert_message(&error.message());
        }
    }
    assert!(first_unknown_token(text).is_none_or(|at| at < text.chars().count()));
    read.is_ok_and(|moves| !moves.is_empty())
}
