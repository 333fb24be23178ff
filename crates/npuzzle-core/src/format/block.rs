//! A block: consecutive lines of words without a blank line.

use super::source::Span;
use super::token::{Token, TokenKind, lex};

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
    /// A line with only a comment, which is skipped.
    Comment,
    /// Words, which are now the last line of the block.
    Words,
    /// A board on one line, which does not belong to a block: its tokens contain `/` or `;`, or it
    /// is a single word.
    WholeBoard(Vec<Token>),
}

impl TextBlock {
    /// Reads a line; appends it if it consists of words.
    pub(super) fn push(&mut self, text: &str, line: Span) -> LineKind {
        let first = self.tokens.len();
        let comment = lex(text, line, &mut self.tokens);
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
            |token: &Token| token.number().is_some() && token.span.end - token.span.start <= 3;
        self.len() == 1 && self.tokens.len() <= 2 && self.tokens.iter().all(short)
    }
}

/// Whether a line is a 3x3 or 4x4 board without spaces. No other line has this form: a row without
/// spaces is shorter, because boards with more than 16 cells need spaces.
fn is_lone_board(text: &str, line: &[Token]) -> bool {
    let [Token { span, .. }] = line else { return false };
    let word = &text.as_bytes()[span.start..span.end];
    matches!(word.len(), 9 | 16) && word.iter().all(u8::is_ascii_hexdigit)
}

/// The span from the first to the last of some tokens.
pub(super) fn span(tokens: &[Token]) -> Span {
    match tokens {
        [] => Span { start: 0, end: 0 },
        [first, .., last] => first.span.to(last.span),
        [only] => only.span,
    }
}
