//! The formats with one board per line: `slash`, `flat` and `digits`.

use super::Format;
use super::error::{Fault, Reason};
use super::tiles::{
    board, board_from_written_rows, count, is_joined, is_permutation, missing, split,
};
use super::token::{Token, TokenKind, require_numbers, span};
use crate::puzzle::board::Board;
use crate::puzzle::dims::Dims;

/// A board on one line that belongs to no block: see
/// [`LineKind::WholeBoard`](super::block::LineKind::WholeBoard).
pub(super) fn whole_board(text: &str, tokens: &[Token]) -> (Format, Result<Board, Fault>) {
    if tokens.len() == 1 {
        (Format::Digits, digits(text, tokens))
    } else if are_rows(text, tokens)
        || longest_field(tokens).iter().any(|token| token.kind == TokenKind::Slash)
    {
        (Format::Slash, slash(text, tokens))
    } else {
        (Format::Flat, flat(text, tokens))
    }
}

/// Whether the semicolons of a line separate the rows of a board, as in `1 2 3; 4 5 6; 7 8 0`, and not
/// the fields of a record: all rows are joined tiles, or several fields have several words and none of
/// them is a board, unless all together are one.
fn are_rows(text: &str, tokens: &[Token]) -> bool {
    if tokens.iter().any(|token| token.kind == TokenKind::Slash) {
        return false;
    }
    let fields: Vec<&[Token]> = tokens.split(is_semicolon).collect();
    let cols = fields[0].len();
    let length = |field: &&[Token]| span(field).length();
    if fields.len() > 1 && fields.iter().all(|field| field.len() == 1) {
        return is_joined(text, &fields) && fields.iter().all(|f| length(f) == length(&fields[0]));
    }
    let is_board = |field: &&[Token]| {
        let tiles = indexed(field).map_or(*field, |(_, tiles)| tiles);
        Dims::square_of(tiles.len()).is_some() && is_permutation(tiles)
    };
    let n_long = fields.iter().filter(|field| field.len() > 1).count();
    n_long > 1
        && (!fields.iter().any(is_board)
            || fields.iter().all(|field| field.len() == cols) && is_permutation(&fields.concat()))
}

fn is_semicolon(token: &Token) -> bool {
    token.kind == TokenKind::Semicolon
}

/// Returns the field with the board in a record with semicolons, such as `no ; tiles ; length ; nodes`:
/// the first of the longest fields. The other fields are ignored.
fn longest_field(tokens: &[Token]) -> &[Token] {
    let fields = tokens.split(is_semicolon);
    let longest = fields.reduce(|best, next| if next.len() > best.len() { next } else { best });
    longest.unwrap_or(tokens)
}

/// Reads rows separated by slashes or semicolons.
pub(super) fn slash(text: &str, line: &[Token]) -> Result<Board, Fault> {
    let (tokens, separator) = if are_rows(text, line) {
        (line, TokenKind::Semicolon)
    } else {
        (longest_field(line), TokenKind::Slash)
    };
    let rows: Vec<&[Token]> = tokens.split(|token| token.kind == separator).collect();
    if rows.len() == 1 {
        return Err(Fault::new(Reason::NoSlash, span(line)));
    }
    if let Some(row) = rows.iter().position(|row| row.is_empty()) {
        // The error is at the separator that ends the row. The last row has none.
        let mut slashes = tokens.iter().filter(|token| token.kind == separator);
        let span = slashes.nth(row).map_or(span(tokens).after(), |slash| slash.span);
        return Err(Fault::new(Reason::EmptyRow { row: row + 1 }, span));
    }
    board_from_written_rows(text, &rows)
}

/// Reads all tiles of a square board, optionally after an index.
pub(super) fn flat(text: &str, line: &[Token]) -> Result<Board, Fault> {
    let tokens = longest_field(line);
    if tokens.len() < 2 && line.len() > tokens.len() {
        return Err(Fault::new(Reason::NoField, span(line)));
    }
    require_numbers(text, tokens)?;
    if let Some((dims, tiles)) = indexed(tokens) {
        // `1 2 3 4 5 6 7 8 0 9` is not a board after the index 1 but a board and one number too many.
        let surplus = is_permutation(&tokens[..dims.cells()]) && !is_permutation(tiles);
        return if surplus { Err(count(dims, tokens)) } else { board(text, dims, tiles) };
    }
    square(text, tokens, |found| Reason::NotSquare { found })
}

/// Returns the tiles after an index, if the number of tokens is one more than a square.
pub(super) fn indexed(tokens: &[Token]) -> Option<(Dims, &[Token])> {
    tokens.first()?.decimal()?;
    let tiles = tokens.get(1..)?;
    Dims::square_of(tiles.len()).map(|dims| (dims, tiles))
}

/// Reads all tiles of a square board; `otherwise` gives the reason for other numbers of tiles.
pub(super) fn square(
    text: &str,
    tokens: &[Token],
    otherwise: fn(usize) -> Reason,
) -> Result<Board, Fault> {
    let found = tokens.len();
    if let Some(dims) = Dims::square_of(found) {
        return board(text, dims, tokens);
    }
    if let Some(dims) = Dims::square_of(found + 1)
        && missing(dims, tokens).len() == 1
    {
        return Err(count(dims, tokens));
    }
    let side = found.isqrt();
    Err(match Dims::new(side, side) {
        Err(error) if side > 1 && side * side == found => {
            Fault::new(Reason::BadSize(error), span(tokens))
        }
        _ => Fault::new(otherwise(found), span(tokens)),
    })
}

/// Reads the tiles of a square board from one word of hexadecimal digits.
pub(super) fn digits(text: &str, tokens: &[Token]) -> Result<Board, Fault> {
    let [word] = tokens else {
        let reason = Reason::NotOneWord { found: tokens.len() };
        return Err(Fault::new(reason, span(tokens)));
    };
    let tiles = split(text, *word)?;
    match Dims::square_of(tiles.len()) {
        Some(dims) if dims.cells() <= 16 => board(text, dims, &tiles),
        _ => Err(Fault::new(Reason::NotSquareDigits { found: tiles.len() }, word.span)),
    }
}
