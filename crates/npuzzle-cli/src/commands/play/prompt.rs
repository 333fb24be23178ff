//! What somebody types for a new puzzle: a size, a size and a number of moves, or a board.

use npuzzle::search::Cost;
use npuzzle::{Dims, format};

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Asked {
    /// A board of this size, of so many moves or a random one.
    Generated(Dims, Option<Cost>),
    Given(Box<format::Entry>),
}

impl Asked {
    pub(crate) fn read(text: &str) -> Result<Asked, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [size] if is_size(size) => Ok(Asked::Generated(dims(size)?, None)),
            [size, moves] if is_size(size) => {
                let moves =
                    moves.parse().map_err(|_| format!("{moves:?} is no number of moves"))?;
                Ok(Asked::Generated(dims(size)?, Some(moves)))
            }
            _ => match format::read_one(text, None) {
                Ok(entry) => Ok(Asked::Given(Box::new(entry))),
                Err(error) => Err(error.message()),
            },
        }
    }
}

/// Whether it is meant as one: longer words of digits are boards.
fn is_size(word: &str) -> bool {
    const LONGEST: usize = "127".len();
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    match word.split_once(['x', 'X', '×']) {
        Some((rows, cols)) => is_number(rows) && is_number(cols),
        None => is_number(word) && word.len() <= LONGEST,
    }
}

fn dims(word: &str) -> Result<Dims, String> {
    word.parse().map_err(|error: npuzzle::DimsError| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_moves_and_boards_are_told_apart() {
        let made = |text: &str| match Asked::read(text).unwrap() {
            Asked::Generated(dims, moves) => (dims.to_string(), moves),
            given => panic!("{given:?}"),
        };
        assert_eq!(made("4x3"), ("4x3".to_owned(), None));
        assert_eq!(made(" 3X3  22 "), ("3x3".to_owned(), Some(22)));
        assert_eq!(made("5 10"), ("5x5".to_owned(), Some(10)));
        for text in ["1 2 3/4 5 6/7 8 0", "123456780", "1 2/0 3"] {
            assert!(matches!(Asked::read(text), Ok(Asked::Given(_))), "{text}");
        }
    }

    #[test]
    fn what_is_neither_is_told() {
        for text in ["", "1x4", "200x2", "3x3 many", "1 2 3/4 5 6/7 8 9"] {
            assert!(Asked::read(text).is_err_and(|message| !message.is_empty()), "{text}");
        }
    }
}
