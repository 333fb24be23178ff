//! A block: consecutive lines of words without a blank line.

use super::frame::{BarredLine, is_frame_line, read_barred};
use super::source::Span;
use super::tiles::is_joined;
use super::token::{Token, TokenKind, is_blank_sign, lex, span};
use crate::puzzle::dims::Dims;

/// Non-empty lines of tokens. All tokens are stored in one array, so that the numbers of several
/// lines form one slice.
#[derive(Default)]
pub(super) struct TextBlock {
    tokens: Vec<Token>,
    /// For every line, the index in `tokens` after its last token.
    ends: Vec<usize>,
    /// Whether a blank line follows the first line, which is then a size.
    pub(super) size_apart: bool,
}

/// The kind of a line that was passed to [`TextBlock::push`].
pub(super) enum LineKind {
    /// An empty line, which ends the block.
    Blank,
    /// A line with only a comment, or a part of a drawing without tiles, which is skipped.
    Comment,
    /// A horizontal line of a frame. Two of them in a row end one drawing and begin another.
    Frame,
    /// Words, which are now the last line of the block.
    Words,
    /// A board on one line, which does not belong to a block: its tokens contain `/` or `;`, or it
    /// is a single word.
    WholeBoard(Vec<Token>),
}

impl TextBlock {
    /// Reads a line; appends it if it consists of words.
    pub(super) fn push(&mut self, text: &str, line: Span) -> LineKind {
        if is_frame_line(line.of(text)) {
            return LineKind::Frame;
        }
        let first = self.tokens.len();
        let comment = lex(text, line, &mut self.tokens);
        if self.tokens[first..].iter().any(|token| token.kind == TokenKind::Bar) {
            let tokens = self.tokens.split_off(first);
            match read_barred(text, line, &tokens) {
                BarredLine::Padding => return LineKind::Comment,
                BarredLine::Row(row) => self.tokens.extend(row),
                BarredLine::Rows(rows) => return LineKind::WholeBoard(rows),
            }
        }
        let new = &self.tokens[first..];
        if new.is_empty() {
            return if comment { LineKind::Comment } else { LineKind::Blank };
        }
        let is_separator =
            |token: &Token| matches!(token.kind, TokenKind::Slash | TokenKind::Semicolon);
        if new.iter().any(is_separator) || is_lone_board(text, new) {
            return LineKind::WholeBoard(self.tokens.split_off(first));
        }
        self.ends.push(self.tokens.len());
        LineKind::Words
    }

    /// Appends a line, whatever its tokens are.
    pub(super) fn push_tokens(&mut self, tokens: &[Token]) {
        self.tokens.extend_from_slice(tokens);
        self.ends.push(self.tokens.len());
    }

    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Number of lines.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The index of the first token of a line.
    pub(super) fn start(&self, line: usize) -> usize {
        if line == 0 { 0 } else { self.ends[line - 1] }
    }

    pub(super) fn line(&self, line: usize) -> &[Token] {
        &self.tokens[self.start(line)..self.ends[line]]
    }

    pub(super) fn lines(&self) -> impl DoubleEndedIterator<Item = &[Token]> + Clone {
        (0..self.len()).map(|line| self.line(line))
    }

    /// Returns the line that ends right before the token with this index.
    pub(super) fn line_ending_at(&self, token: usize) -> Option<usize> {
        self.ends.binary_search(&token).ok()
    }

    /// Whether the block is a single line that can be a size: one or two short numbers.
    pub(super) fn is_lone_size(&self) -> bool {
        let short =
            |token: &Token| token.decimal().is_some() && token.span.end - token.span.start <= 3;
        self.len() == 1 && self.tokens.len() <= 2 && self.tokens.iter().all(short)
    }

    /// Whether the block is a size and some but not all rows of that size, so that more rows may follow
    /// after a blank line.
    pub(super) fn lacks_rows(&self, text: &str) -> bool {
        let Some(dims) = self.size() else { return false };
        self.len() <= dims.rows() && self.lines().skip(1).all(|row| is_row(text, row, dims.cols()))
    }

    /// Whether the last line is a row of the size on the first line.
    pub(super) fn ends_with_row(&self, text: &str) -> bool {
        let row = self.lines().next_back();
        row.zip(self.size()).is_some_and(|(row, dims)| is_row(text, row, dims.cols()))
    }

    /// The size on the first line. Two numbers are a size for certain only if a blank line follows.
    fn size(&self) -> Option<Dims> {
        let mut sizes =
            self.lines().next()?.iter().map(|token| token.decimal().map(|n| n as usize));
        match (sizes.next()??, sizes.next(), sizes.next()) {
            (side, None, _) => Dims::new(side, side).ok(),
            (rows, Some(cols), None) if self.size_apart => Dims::new(rows, cols?).ok(),
            _ => None,
        }
    }

    /// Removes the last line and returns it as a block of its own.
    pub(super) fn split_last_line(&mut self) -> TextBlock {
        self.ends.pop();
        let tokens = self.tokens.split_off(self.ends.last().copied().unwrap_or(0));
        TextBlock { ends: vec![tokens.len()], tokens, size_apart: false }
    }
}

/// Whether a line is a 3x3 or 4x4 board without spaces. No other line has this form: a row without
/// spaces is shorter, because boards with more than 16 cells need spaces.
fn is_lone_board(text: &str, line: &[Token]) -> bool {
    let [Token { span, .. }] = line else { return false };
    let word = &text.as_bytes()[span.start..span.end];
    let others = word.iter().filter(|byte| !byte.is_ascii_hexdigit());
    matches!(word.len(), 9 | 16)
        && others.clone().all(|&byte| is_blank_sign(byte))
        && others.count() <= 1
}

/// Whether a line has one tile for each column, joined or not.
fn is_row(text: &str, line: &[Token], cols: usize) -> bool {
    line.len() == cols || span(line).length() == cols && is_joined(text, &[line])
}
