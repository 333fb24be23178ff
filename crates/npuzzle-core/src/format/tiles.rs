//! Boards from tokens. All checks of tile numbers are here.

use super::error::{Fault, MAX_NAMED, Reason, quote};
use super::source::Span;
use super::token::{Token, TokenKind, is_blank_sign, require_numbers, span};
use crate::puzzle::board::{Board, BoardError};
use crate::puzzle::dims::Dims;

/// Reads a board from its tiles, row by row.
pub(super) fn board(text: &str, dims: Dims, tokens: &[Token]) -> Result<Board, Fault> {
    require_numbers(text, tokens)?;
    // A number that does not fit in 16 bits is out of range for every board.
    let tile = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
    let tiles: Vec<u16> = tokens.iter().filter_map(Token::number).map(tile).collect();
    Board::new(dims, &tiles).map_err(|error| match error {
        BoardError::OutOfRange { cell, .. } => {
            let has_blank = tiles.contains(&0);
            let tile = tokens[cell].number().unwrap_or_default();
            Fault::new(Reason::OutOfRange { tile, dims, has_blank }, tokens[cell].span)
        }
        BoardError::Duplicate { tile, first, second } => {
            let missing = missing(dims, tokens);
            let reason = Reason::Duplicate { tile, missing };
            Fault::new(reason, tokens[second].span).with_first(tokens[first].span)
        }
        _ => count(dims, tokens),
    })
}

/// Reads a board from its rows.
pub(super) fn board_from_rows(text: &str, rows: &[&[Token]]) -> Result<Board, Fault> {
    // An invalid number is a more helpful error than a row that is too short.
    rows.iter().try_for_each(|row| require_numbers(text, row))?;
    board(text, rectangle(rows)?, &rows.concat())
}

/// Reads a board from its rows, of numbers or of digits without spaces.
pub(super) fn board_from_written_rows(text: &str, rows: &[&[Token]]) -> Result<Board, Fault> {
    let rows = if is_joined(text, rows) {
        split_rows(text, rows)?
    } else {
        split_joined_rows(text, rows)?
    };
    board_from_rows(text, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// Splits the rows that are one word of as many digits as the longest row has tokens.
fn split_joined_rows(text: &str, rows: &[&[Token]]) -> Result<Vec<Vec<Token>>, Fault> {
    let cols = rows.iter().map(|row| row.len()).max().unwrap_or_default();
    let is_word = |row: &[Token]| {
        row.len() == 1 && row[0].span.end - row[0].span.start == cols && is_joined(text, &[row])
    };
    let split = |&row: &&[Token]| {
        if is_word(row) { Ok(split_rows(text, &[row])?.concat()) } else { Ok(row.to_vec()) }
    };
    rows.iter().map(split).collect()
}

/// Returns the size of some rows, which must all have the most common length.
fn rectangle(rows: &[&[Token]]) -> Result<Dims, Fault> {
    let cols = most_common_length(rows);
    require_length(rows, cols, false)?;
    Dims::new(rows.len(), cols).map_err(|error| {
        Fault::new(Reason::BadSize(error), rows.first().map_or(span(&[]), |row| span(row)))
    })
}

/// Fails at the first row that does not have the expected length; `announced` means that a size line
/// gives the length.
pub(super) fn require_length(
    rows: &[&[Token]],
    expected: usize,
    announced: bool,
) -> Result<(), Fault> {
    let Some(row) = rows.iter().position(|row| row.len() != expected) else { return Ok(()) };
    let tokens = rows[row];
    let span = tokens.get(expected).map_or(span(tokens).after(), |surplus| surplus.span);
    let reason = Reason::Ragged { row: row + 1, found: tokens.len(), expected, announced };
    Err(Fault::new(reason, span))
}

fn most_common_length(rows: &[&[Token]]) -> usize {
    let mut lengths: Vec<usize> = rows.iter().map(|row| row.len()).collect();
    lengths.sort_unstable();
    let first = rows.first().map_or(0, |row| row.len());
    let count = |length: usize| lengths.iter().filter(move |&&other| other == length).count();
    // If a length has a majority, it is the median.
    let median = lengths.get(lengths.len() / 2).copied().unwrap_or(first);
    if count(median) > count(first) { median } else { first }
}

/// Whether the tokens are a permutation of `0..n`.
pub(super) fn is_permutation(tokens: &[Token]) -> bool {
    let mut seen = vec![false; tokens.len()];
    tokens.iter().all(|token| {
        let seen = token.number().and_then(|number| seen.get_mut(number as usize));
        seen.is_some_and(|seen| !std::mem::replace(seen, true))
    })
}

/// Returns the fault for too many or too few numbers.
pub(super) fn count(dims: Dims, tokens: &[Token]) -> Fault {
    let reason = Reason::Count { found: tokens.len(), dims, missing: missing(dims, tokens) };
    let surplus = tokens.get(dims.cells()).map(|token| token.span);
    Fault::new(reason, surplus.unwrap_or(span(tokens).after()))
}

/// Returns the first missing tiles of a board, at most one more than a message names.
pub(super) fn missing(dims: Dims, tokens: &[Token]) -> Vec<u16> {
    let mut seen = vec![false; dims.cells()];
    for number in tokens.iter().filter_map(Token::number) {
        if let Some(seen) = seen.get_mut(number as usize) {
            *seen = true;
        }
    }
    let unseen = (0..).zip(seen).filter(|&(_, seen)| !seen);
    unseen.map(|(tile, _)| tile).take(MAX_NAMED + 1).collect()
}

/// The maximum number of tiles that can be written without spaces, as one hexadecimal digit each.
const MAX_JOINED: usize = 16;

/// Whether every row is one word of digits, such as `123`. One of them may have a sign for the blank.
///
/// At least half of the characters must be decimal digits, as in all such boards, so that prose is not
/// taken for a board.
pub(super) fn is_joined(text: &str, rows: &[&[Token]]) -> bool {
    let (mut chars, mut digits, mut signs) = (0, 0, 0);
    for row in rows {
        let [token] = row else { return false };
        let word = token.span.of(text);
        let others = word.bytes().filter(|byte| !byte.is_ascii_alphanumeric());
        if word.len() < 2 || !others.clone().all(is_blank_sign) {
            return false;
        }
        chars += word.len();
        digits += word.bytes().filter(u8::is_ascii_digit).count();
        signs += others.count();
    }
    digits * 2 >= chars && signs <= 1
}

/// Splits rows without spaces into tiles.
pub(super) fn split_rows(text: &str, rows: &[&[Token]]) -> Result<Vec<Vec<Token>>, Fault> {
    let n_tiles: usize = rows.iter().copied().flatten().map(|t| t.span.end - t.span.start).sum();
    if n_tiles > MAX_JOINED {
        let first_row = rows.first().map_or(span(&[]), |row| span(row));
        return Err(Fault::new(Reason::TooManyJoined { n_tiles }, first_row));
    }
    rows.iter().copied().flatten().map(|&word| split(text, word)).collect()
}

/// Splits a word of hexadecimal digits into tiles.
pub(super) fn split(text: &str, word: Token) -> Result<Vec<Token>, Fault> {
    let start = word.span.start;
    let digits = text[start..word.span.end].char_indices();
    let tile = |(at, digit): (usize, char)| {
        let span = Span { start: start + at, end: start + at + digit.len_utf8() };
        let is_blank = || u8::try_from(digit).is_ok_and(is_blank_sign);
        match digit.to_digit(16) {
            Some(tile) => Ok(Token { span, kind: TokenKind::Number(tile) }),
            None if is_blank() => Ok(Token::blank(span)),
            None => Err(Fault::new(Reason::NotADigit(quote(&digit.to_string())), span)),
        }
    };
    digits.map(tile).collect()
}
