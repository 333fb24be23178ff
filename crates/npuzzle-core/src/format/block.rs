//! A block: the lines of words between two blank lines.

use super::source::Span;
use super::token::{Kind, Token, lex};

/// Lines of tokens, none of them empty. All tokens lie in one array, so that the numbers of
/// several lines are one slice.
#[derive(Default)]
pub(super) struct Block {
    tokens: Vec<Token>,
    /// For every line, the index in `tokens` after its last token.
    ends: Vec<usize>,
    /// Whether a blank line follows the first line, which then is a size.
    pub(super) size_apart: bool,
}

/// What [`Block::push`] found.
pub(super) enum Line {
    /// Nothing at all: a block ends here.
    Blank,
    /// Only a comment: as if the line were not there.
    Comment,
    /// Words, now the last line of the block.
    Words,
    /// Tokens with `/` or `;` among them, or a board in one word: a board on one line, which joins
    /// no block.
    Marked(Vec<Token>),
}

impl Block {
    /// Reads one line.
    pub(super) fn push(&mut self, text: &str, line: Span) -> Line {
        let first = self.tokens.len();
        let comment = lex(text, line, &mut self.tokens);
        let new = &self.tokens[first..];
        if new.is_empty() {
            return if comment { Line::Comment } else { Line::Blank };
        }
        if new.iter().any(|token| matches!(token.kind, Kind::Slash | Kind::Semicolon)) {
            return Line::Marked(self.tokens.split_off(first));
        }
        if is_lone_board(text, new) {
            return Line::Marked(self.tokens.split_off(first));
        }
        self.ends.push(self.tokens.len());
        Line::Words
    }

    /// Adds a line whatever is in it.
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

    /// The line that ends right before the token with this index.
    pub(super) fn line_ending_at(&self, token: usize) -> Option<usize> {
        self.ends.binary_search(&token).ok()
    }

    /// Whether this is one line that can be a size: one or two short numbers.
    pub(super) fn is_lone_size(&self) -> bool {
        let short =
            |token: &Token| token.number().is_some() && token.span.end - token.span.start <= 3;
        self.len() == 1 && self.tokens.len() <= 2 && self.tokens.iter().all(short)
    }
}

/// Whether a line is a 3x3 or 4x4 board written together. No other line looks like it: a row
/// written together is shorter, since boards of more than 16 cells are never written so.
fn is_lone_board(text: &str, line: &[Token]) -> bool {
    let [Token { span, .. }] = line else { return false };
    let word = &text.as_bytes()[span.start..span.end];
    matches!(word.len(), 9 | 16) && word.iter().all(u8::is_ascii_hexdigit)
}

/// From the first to the last of some tokens.
pub(super) fn span(tokens: &[Token]) -> Span {
    match tokens {
        [] => Span { start: 0, end: 0 },
        [first, .., last] => first.span.to(last.span),
        [only] => only.span,
    }
}
