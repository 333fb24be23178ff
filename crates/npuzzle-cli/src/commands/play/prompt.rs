//! The input for a new puzzle: a size, a size and a number of moves, or a board.

use npuzzle::search::Cost;
use npuzzle::{Dims, format};

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum NewPuzzle {
    /// A generated board of this size: with shortest solutions of this length, or random.
    Generated(Dims, Option<Cost>),
    Given(Box<format::Entry>),
}

impl NewPuzzle {
    pub(crate) fn parse(text: &str) -> Result<NewPuzzle, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [size] if is_size(size) => Ok(NewPuzzle::Generated(dims(size)?, None)),
            [size, moves] if is_size(size) => {
                let moves =
                    moves.parse().map_err(|_| format!("{moves:?} is not a number of moves"))?;
                Ok(NewPuzzle::Generated(dims(size)?, Some(moves)))
            }
            _ => match format::read_one(text, None) {
                Ok(entry) => Ok(NewPuzzle::Given(Box::new(entry))),
                Err(error) => Err(error.message()),
            },
        }
    }
}

/// Whether a word is meant as a size. More than three digits are a board.
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
    fn parse_distinguishes_sizes_and_boards() {
        let generated = |text: &str| match NewPuzzle::parse(text).unwrap() {
            NewPuzzle::Generated(dims, moves) => (dims.to_string(), moves),
            given => panic!("{given:?}"),
        };
        assert_eq!(generated("4x3"), ("4x3".to_owned(), None));
        assert_eq!(generated(" 3X3  22 "), ("3x3".to_owned(), Some(22)));
        assert_eq!(generated("5 10"), ("5x5".to_owned(), Some(10)));
        for text in ["1 2 3/4 5 6/7 8 0", "123456780", "1 2/0 3"] {
            assert!(matches!(NewPuzzle::parse(text), Ok(NewPuzzle::Given(_))), "{text}");
        }
    }

    #[test]
    fn parse_rejects_other_text() {
        for text in ["", "1x4", "200x2", "3x3 many", "1 2 3/4 5 6/7 8 9"] {
            assert!(NewPuzzle::parse(text).is_err_and(|message| !message.is_empty()), "{text}");
        }
    }
}
