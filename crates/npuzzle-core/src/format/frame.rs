//! Boards drawn with lines, in ASCII or box-drawing characters.
//!
//! A horizontal line of a frame is skipped. Bars separate the cells of a row, or the rows of a board on
//! one line.

use super::source::Span;
use super::tiles::{is_joined, is_permutation, split_rows};
use super::token::{Token, TokenKind, is_bar};

/// Whether a line is a horizontal line of a frame, such as `+---+---+` or `├───┼───┤`.
///
/// One `-` is a sign for the blank, so an ASCII line has a `+` or two equal signs next to each other.
pub(super) fn is_frame_line(line: &str) -> bool {
    let is_drawn = |c: char| matches!(c, '\u{2500}'..='\u{257f}');
    let is_part = |c: char| matches!(c, '+' | '-' | '=' | '|') || is_drawn(c);
    let line = line.trim();
    line.starts_with(is_part)
        && line.chars().all(|c| is_part(c) || c.is_whitespace())
        && (line.contains(|c| c == '+' || is_drawn(c) && !is_bar(c))
            || line.contains("--")
            || line.contains("=="))
}

/// The meaning of a line with bars.
pub(super) enum BarredLine {
    /// Nothing but bars: the upper or lower part of a row of tall cells.
    Padding,
    /// The tiles of one row.
    Row(Vec<Token>),
    /// A board on one line; its rows are separated by [`TokenKind::Slash`].
    Rows(Vec<Token>),
}

/// Reads a line with bars.
///
/// Bars at both ends are the frame. The others separate rows if a part between them has several words,
/// or if all parts are rows of joined tiles. Otherwise they separate cells, and an empty cell is the
/// blank.
pub(super) fn read_barred(text: &str, line: Span, tokens: &[Token]) -> BarredLine {
    let mut parts: Vec<&[Token]> = tokens.split(is_bar_token).collect();
    if parts.iter().all(|part| part.is_empty()) {
        return BarredLine::Padding;
    }
    let is_framed =
        tokens.first().is_some_and(is_bar_token) && tokens.last().is_some_and(is_bar_token);
    let mut bars: Vec<Span> = tokens.iter().filter(|t| is_bar_token(t)).map(|t| t.span).collect();
    let (mut first, mut last) = (line.start, line.end);
    if is_framed && parts.len() > 2 {
        parts = parts[1..parts.len() - 1].to_vec();
        last = bars.pop().map_or(last, |bar| bar.start);
        first = bars.remove(0).end;
    }
    match &parts[..] {
        [row] => BarredLine::Row(row.iter().copied().map(in_drawing).collect()),
        _ if parts.iter().any(|part| part.len() > 1) || are_joined_rows(text, &parts) => {
            BarredLine::Rows(with_slashes(&parts, &bars))
        }
        _ => {
            let starts = std::iter::once(first).chain(bars.iter().map(|bar| bar.end));
            let ends = bars.iter().map(|bar| bar.start).chain([last]);
            let cells = parts.iter().zip(starts.zip(ends));
            let cell = |(part, (start, end)): (&&[Token], (usize, usize))| {
                let tile = part.first().copied().map(in_drawing);
                tile.unwrap_or(Token::blank(Span { start, end }))
            };
            BarredLine::Row(cells.map(cell).collect())
        }
    }
}

/// A tile between bars, which is never a size or an index.
fn in_drawing(token: Token) -> Token {
    match token.kind {
        TokenKind::Number(number) => Token { kind: TokenKind::Symbol(number), ..token },
        _ => token,
    }
}

fn is_bar_token(token: &Token) -> bool {
    token.kind == TokenKind::Bar
}

/// Puts a slash at the place of every bar between two rows.
fn with_slashes(rows: &[&[Token]], bars: &[Span]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut bars = bars.iter();
    for row in rows {
        tokens.extend_from_slice(row);
        tokens.extend(bars.next().map(|&span| Token { span, kind: TokenKind::Slash }));
    }
    tokens
}

/// Whether the parts of a line are rows of joined tiles, such as `123|456|780`, and not cells with
/// numbers of two digits. Cells of three digits do not occur: that board has more than a hundred.
fn are_joined_rows(text: &str, parts: &[&[Token]]) -> bool {
    let length = |part: &&[Token]| part.first().map_or(0, |word| word.span.end - word.span.start);
    let cols = parts.first().map_or(0, length);
    parts.iter().all(|part| length(part) == cols)
        && is_joined(text, parts)
        && (cols > 2 || split_rows(text, parts).is_ok_and(|rows| is_permutation(&rows.concat())))
}
