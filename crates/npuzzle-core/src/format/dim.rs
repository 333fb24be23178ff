//! The format `dim`: a size line, then the tiles, for any number of consecutive boards.

use std::ops::Range;

use super::block::TextBlock;
use super::error::{Fault, Reason};
use super::source::Span;
use super::tiles::{board, count, is_joined, missing, require_length, split_rows};
use super::token::{Token, require_decimals, require_numbers, span};
use crate::puzzle::board::Board;
use crate::puzzle::dims::Dims;

/// Returns every board of a block with the position of its size line.
pub(super) fn boards(text: &str, block: &TextBlock) -> Vec<(Span, Result<Board, Fault>)> {
    let mut boards = Vec::new();
    let mut line = 0;
    while line < block.len() {
        let size_line = span(block.line(line));
        let (mut board, next) = board_at(text, block, line);
        if board.is_err() && line > 0 && block.line(line).len() > 2 {
            board = Err(Fault::new(Reason::NoSize, size_line));
        }
        boards.push((size_line, board));
        line = next;
    }
    boards
}

/// Returns the board whose size is on `line`, and the line after it.
fn board_at(text: &str, block: &TextBlock, line: usize) -> (Result<Board, Fault>, usize) {
    let head = block.line(line);
    // Two numbers are a size only if nothing follows on their line; tiles may follow a single number.
    let n_sizes = if head.len() == 2 { 2 } else { 1 };
    let dims = match size(text, &head[..n_sizes]) {
        Ok(dims) => dims,
        Err(fault) => return (Err(fault), next_size_line(block, line)),
    };
    if let Some(rows) = joined_rows(text, block, line + 1, dims) {
        let tiles = split_rows(text, &rows).map(|rows| rows.concat());
        return (tiles.and_then(|tiles| board(text, dims, &tiles)), line + 1 + rows.len());
    }
    // The lines need not be the rows. It is enough that the last tile is at the end of a line.
    let first = block.start(line) + n_sizes;
    let end = first + dims.cells();
    if let Some(last) = block.line_ending_at(end) {
        return (board(text, dims, &block.tokens()[first..end]), last + 1);
    }
    let next = next_size_line(block, line);
    (Err(misfit(text, block, line + 1..next, first, dims)), next)
}

fn size(text: &str, tokens: &[Token]) -> Result<Dims, Fault> {
    require_decimals(text, tokens)?;
    let mut sizes = tokens.iter().filter_map(Token::decimal).map(|size| size as usize);
    let rows = sizes.next().unwrap_or_default();
    let cols = sizes.next().unwrap_or(rows);
    Dims::new(rows, cols).map_err(|error| Fault::new(Reason::BadSize(error), span(tokens)))
}

/// Returns the rows of a board if each is written without spaces, like `013`.
fn joined_rows<'b>(
    text: &str,
    block: &'b TextBlock,
    line: usize,
    dims: Dims,
) -> Option<Vec<&'b [Token]>> {
    if dims.cells() > 16 || line + dims.rows() > block.len() {
        return None;
    }
    let rows: Vec<&[Token]> = (line..line + dims.rows()).map(|line| block.line(line)).collect();
    let fits = |row: &&[Token]| span(row).end - span(row).start == dims.cols();
    (is_joined(text, &rows) && rows.iter().all(fits)).then_some(rows)
}

/// Returns the line at which the board after an invalid one begins: the next line with one number that
/// is followed by a row of that length. Lines with two numbers count if the size line of the invalid
/// board has two.
fn next_size_line(block: &TextBlock, invalid: usize) -> usize {
    let two = block.line(invalid).len() == 2;
    let is_size = |&line: &usize| {
        let head = block.line(line);
        let cols = head.last().and_then(Token::decimal).map(|cols| cols as usize);
        let follows = line + 1 < block.len() && cols == Some(block.line(line + 1).len());
        follows && (head.len() == 1 || head.len() == 2 && two)
    };
    (invalid + 1..block.len()).find(is_size).unwrap_or(block.len())
}

/// Returns the reason why the lines after a size, with the tokens from `first` on, are not a board of
/// that size.
fn misfit(text: &str, block: &TextBlock, lines: Range<usize>, first: usize, dims: Dims) -> Fault {
    let tiles = &block.tokens()[first..block.start(lines.end)];
    if tiles.is_empty() {
        return Fault::new(Reason::NoTiles { dims }, span(block.line(lines.start - 1)));
    }
    if let Err(fault) = require_numbers(text, tiles) {
        return fault;
    }
    let by_rows = block.start(lines.start) == first;
    let rows: Vec<&[Token]> = lines.map(|line| block.line(line)).collect();
    if !by_rows || rows.iter().all(|row| row.len() != dims.cols()) {
        return count(dims, tiles);
    }
    let n_rows = rows.len().min(dims.rows());
    if let Err(fault) = require_length(&rows[..n_rows], dims.cols(), true) {
        return fault;
    }
    let reason = Reason::RowCount { found: rows.len(), dims, missing: missing(dims, tiles) };
    let span = rows.get(dims.rows()).map_or(span(tiles).after(), |surplus| span(surplus));
    Fault::new(reason, span)
}
