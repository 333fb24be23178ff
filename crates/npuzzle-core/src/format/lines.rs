//! The formats with one board per line: `slash`, `flat` and `digits`.

use super::Format;
use super::block::span;
use super::error::{Fault, Reason};
use super::tiles::{board, board_from_written_rows, count, is_permutation, missing, split};
use super::token::{Kind, Token, require_numbers};
use crate::puzzle::board::Board;
use crate::puzzle::dims::Dims;

/// A board on one line that belongs to no block: see
/// [`LineKind::WholeBoard`](super::block::LineKind::WholeBoard).
pub(super) fn whole_board(text: &str, tokens: &[Token]) -> (Format, Result<Board, Fault>) {
    if tokens.len() == 1 {
        (Format::Digits, digits(text, tokens))
    } else if longest_field(tokens).iter().any(|token| token.kind == Kind::Slash) {
        (Format::Slash, slash(text, tokens))
    } else {
        (Format::Flat, flat(text, tokens))
    }
}

/// The board in a record with semicolons, such as Korf's `no ; tiles ; length ; nodes`: the first
/// field with the most tokens. What the others say is not looked at.
fn longest_field(tokens: &[Token]) -> &[Token] {
    let fields = tokens.split(|token| token.kind == Kind::Semicolon);
    let longest = fields.reduce(|best, next| if next.len() > best.len() { next } else { best });
    longest.unwrap_or(tokens)
}

/// Rows separated by slashes.
pub(super) fn slash(text: &str, line: &[Token]) -> Result<Board, Fault> {
    let tokens = longest_field(line);
    let rows: Vec<&[Token]> = tokens.split(|token| token.kind == Kind::Slash).collect();
    if rows.len() == 1 {
        return Err(Fault::new(Reason::NoSlash, span(line)));
    }
    if let Some(row) = rows.iter().position(|row| row.is_empty()) {
        // The slash that ends the row; after the last slash nothing does.
        let mut slashes = tokens.iter().filter(|token| token.kind == Kind::Slash);
        let place = slashes.nth(row).map_or(span(tokens).after(), |slash| slash.span);
        return Err(Fault::new(Reason::EmptyRow { row: row + 1 }, place));
    }
    board_from_written_rows(text, &rows)
}

/// All tiles of a square, perhaps after an index.
pub(super) fn flat(text: &str, line: &[Token]) -> Result<Board, Fault> {
    let tokens = longest_field(line);
    if tokens.len() < 2 && line.len() > tokens.len() {
        return Err(Fault::new(Reason::NoField, span(line)));
    }
    require_numbers(text, tokens)?;
    if let Some((dims, tiles)) = indexed(tokens) {
        // `1 2 3 4 5 6 7 8 0 9` is not a board behind the index 1 but one number too many.
        let surplus = is_permutation(&tokens[..dims.cells()]) && !is_permutation(tiles);
        return if surplus { Err(count(dims, tokens)) } else { board(text, dims, tiles) };
    }
    square(text, tokens, |found| Reason::NotSquare { found })
}

/// The tiles behind an index, if the count is one more than a square.
pub(super) fn indexed(tokens: &[Token]) -> Option<(Dims, &[Token])> {
    let tiles = tokens.get(1..)?;
    Dims::square_of(tiles.len()).map(|dims| (dims, tiles))
}

/// All tiles of a square; `otherwise` is said of other numbers of tiles.
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

/// The tiles of a square as one word of hexadecimal digits.
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
