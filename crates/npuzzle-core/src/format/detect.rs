//! Detects the format of a block of words.
//!
//! `slash`, `json` and records with `;` are recognized by their punctuation. The tests below are
//! applied in order to the remaining blocks. A valid board is never read as a different one;
//! `docs/formats.md` explains why.

use super::Format;
use super::block::TextBlock;
use super::lines::indexed;
use super::pair::pair;
use super::tiles::{is_joined, is_permutation};
use super::token::{Token, is_blank_sign};
use crate::puzzle::dims::Dims;

pub(super) fn detect(text: &str, block: &TextBlock) -> Format {
    if block.size_apart && block.len() > 1 {
        return Format::Dim;
    }
    if block.lines().all(|line| line.len() == 1) {
        return detect_column(text, block);
    }
    let first = block.line(0).len();
    if block.len() == 1 || is_mostly(block, is_flat) {
        Format::Flat
    } else if first == 1 || first == 2 && is_sized(block) {
        Format::Dim
    } else if is_pair(block) {
        Format::Pair
    } else {
        Format::Grid
    }
}

/// Detects the format of a block with one word on every line.
fn detect_column(text: &str, block: &TextBlock) -> Format {
    let rows: Vec<&[Token]> = block.lines().collect();
    let has_blank = |word: &str| word.bytes().any(|byte| byte == b'0' || is_blank_sign(byte));
    let is_digits = |line: &[Token]| {
        let word = line[0].span.of(text);
        let square = matches!(word.len(), 4 | 9 | 16);
        // A single word is read as a board even if its blank is missing.
        is_joined(text, &[line])
            && (rows.len() == 1 && word.len() >= 4 || square && has_blank(word))
    };
    // Two boards without spaces have at most 16 rows.
    let is_joined_pair = || rows.len() <= 16 && pair(text, &rows).is_ok();
    if is_mostly(block, is_digits) {
        Format::Digits
    } else if is_joined_pair() {
        Format::Pair
    } else if rows.len() > 1 && is_joined(text, &rows) {
        Format::Grid
    } else {
        Format::Dim
    }
}

/// Whether a test holds for more than half of the lines. One invalid board among valid ones does not
/// change the result, and a grid never has a majority of lines with a blank.
fn is_mostly(block: &TextBlock, test: impl Fn(&[Token]) -> bool) -> bool {
    block.lines().filter(|line| test(line)).count() * 2 > block.len()
}

/// Whether a line has as many numbers as a square has cells, optionally after an index, and a blank.
fn is_flat(line: &[Token]) -> bool {
    let tiles = if Dims::square_of(line.len()).is_some() {
        Some(line)
    } else {
        indexed(line).map(|(_, tiles)| tiles)
    };
    tiles.is_some_and(|tiles| tiles.iter().any(|tile| tile.number() == Some(0)))
}

/// Whether the block has the form of two boards of half its height: all numbers are too small for one
/// board of its size.
pub(super) fn is_pair(block: &TextBlock) -> bool {
    let half = block.tokens().len() / 2;
    let small = |token: &Token| token.number().is_some_and(|number| (number as usize) < half);
    let cols = block.line(0).len();
    block.len() >= 4
        && block.len().is_multiple_of(2)
        && block.lines().all(|line| line.len() == cols)
        && block.tokens().iter().all(small)
}

/// Whether the first line, which has two numbers, is the size of the lines after it and not the first
/// row of a grid or of a pair with two columns.
fn is_sized(block: &TextBlock) -> bool {
    if block.lines().all(|line| line.len() == 2) {
        let (start, goal) = block.tokens().split_at(block.len());
        let is_pair = is_permutation(start) && is_permutation(goal);
        return consists_of_sized_boards(block) && !is_pair && !is_permutation(block.tokens());
    }
    let Some((rows, cols)) = two_numbers(block.line(0)) else { return false };
    rows.checked_mul(cols) == Some(block.tokens().len() - 2)
        || rows == block.len() - 1
        || cols == block.line(1).len()
}

/// Whether the block consists of boards of two columns, each after its size.
fn consists_of_sized_boards(block: &TextBlock) -> bool {
    let mut line = 0;
    while line < block.len() {
        match two_numbers(block.line(line)) {
            Some((rows, 2)) => line = line.saturating_add(1 + rows),
            _ => return false,
        }
    }
    line == block.len()
}

fn two_numbers(line: &[Token]) -> Option<(usize, usize)> {
    match line {
        [rows, cols] => Some((rows.decimal()? as usize, cols.decimal()? as usize)),
        _ => None,
    }
}
