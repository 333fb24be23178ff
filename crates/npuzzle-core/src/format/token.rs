//! Splits lines into words and reads words as numbers.

use super::error::{Fault, Reason, quote};
use super::source::Span;

/// The kind of a token. Its text is only looked up, by its span, if an error quotes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// Decimal digits.
    Number(u32),
    /// A tile that cannot be a size or an index: a sign for the blank, one hexadecimal letter, or a number
    /// in a drawing.
    Symbol(u32),
    /// A word that is not a number, or a number that does not fit in 32 bits.
    Word,
    Slash,
    Semicolon,
    /// `|` or a vertical line of box drawing.
    Bar,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) span: Span,
    pub(super) kind: TokenKind,
}

impl Token {
    /// Reads the token at `span`, as a number if possible.
    pub(super) fn word(text: &str, span: Span) -> Token {
        let digit = |byte: u8| byte.is_ascii_digit().then(|| u32::from(byte - b'0'));
        let word = span.of(text);
        let number = word
            .bytes()
            .try_fold(0_u32, |number, byte| number.checked_mul(10)?.checked_add(digit(byte)?));
        let kind = match (number, word.as_bytes()) {
            (Some(number), _) => TokenKind::Number(number),
            (None, &[sign]) => symbol(sign).map_or(TokenKind::Word, TokenKind::Symbol),
            (None, _) => TokenKind::Word,
        };
        Token { span, kind }
    }

    /// A token for the blank, which the text shows by another sign than a number.
    pub(super) fn blank(span: Span) -> Token {
        Token { span, kind: TokenKind::Symbol(0) }
    }

    /// The tile.
    pub(super) fn number(&self) -> Option<u32> {
        match self.kind {
            TokenKind::Number(number) | TokenKind::Symbol(number) => Some(number),
            _ => None,
        }
    }

    /// The number if it is written in decimal digits, as a size or an index is.
    pub(super) fn decimal(&self) -> Option<u32> {
        if let TokenKind::Number(number) = self.kind { Some(number) } else { None }
    }

    /// Returns the fault for a token that should be a number.
    #[cold]
    fn not_a_number(&self, text: &str) -> Fault {
        let word = self.span.of(text);
        let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let reason = if all_digits(word) {
            Reason::TooLarge(quote(word))
        } else if word.strip_prefix('-').is_some_and(all_digits) {
            Reason::Negative(quote(word))
        } else {
            Reason::NotANumber(quote(word))
        };
        Fault::new(reason, self.span)
    }
}

/// The span from the first to the last of some tokens.
pub(super) fn span(tokens: &[Token]) -> Span {
    match tokens {
        [] => Span { start: 0, end: 0 },
        [first, .., last] => first.span.to(last.span),
        [only] => only.span,
    }
}

/// Whether a character stands for the blank.
pub(super) fn is_blank_sign(byte: u8) -> bool {
    matches!(byte, b'_' | b'.' | b'x' | b'X' | b'-' | b'*')
}

/// Whether a character is a vertical line.
pub(super) fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '╽' | '╿')
}

/// Returns the tile that a word of one character stands for, if the character is not a decimal digit.
fn symbol(byte: u8) -> Option<u32> {
    if is_blank_sign(byte) { Some(0) } else { char::from(byte).to_digit(16) }
}

/// Fails at the first token that is not written in decimal digits.
pub(super) fn require_decimals(text: &str, tokens: &[Token]) -> Result<(), Fault> {
    match tokens.iter().find(|token| token.decimal().is_none()) {
        Some(token) => Err(token.not_a_number(text)),
        None => Ok(()),
    }
}

/// Fails at the first token that is not a number.
pub(super) fn require_numbers(text: &str, tokens: &[Token]) -> Result<(), Fault> {
    match tokens.iter().find(|token| token.number().is_none()) {
        Some(token) => Err(token.not_a_number(text)),
        None => Ok(()),
    }
}

/// Appends the tokens of one line; returns whether the line has a comment.
///
/// White space and commas separate tokens, `/`, `;` and bars are tokens, and `#` begins a comment.
pub(super) fn lex(text: &str, line: Span, tokens: &mut Vec<Token>) -> bool {
    let line_text = &text[..line.end];
    let mut at = line.start;
    while let Some(&byte) = line_text.as_bytes().get(at) {
        let start = at;
        match byte {
            b' ' | b',' | b'\t'..=b'\r' => at += 1,
            b'#' => return true,
            b'/' | b';' => {
                at += 1;
                let kind = if byte == b'/' { TokenKind::Slash } else { TokenKind::Semicolon };
                tokens.push(Token { span: Span { start, end: at }, kind });
            }
            _ => {
                at = word_end(line_text, start);
                if at > start {
                    tokens.push(Token::word(text, Span { start, end: at }));
                } else if let Some(c) = line_text[at..].chars().next() {
                    at += c.len_utf8();
                    if is_bar(c) {
                        tokens.push(Token { span: Span { start, end: at }, kind: TokenKind::Bar });
                    }
                }
            }
        }
    }
    false
}

/// Returns the end of the word that begins at `start`; `start` itself at a bar or at non-ASCII white
/// space.
fn word_end(text: &str, start: usize) -> usize {
    let bytes = &text.as_bytes()[start..];
    let ends = |c: char| matches!(c, '#' | '/' | ';' | ',') || c.is_whitespace() || is_bar(c);
    // Nearly every word consists of digits and ends at a space; only others are scanned by character.
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match bytes.get(digits) {
        None | Some(b' ') => start + digits,
        Some(_) => text[start..].find(ends).map_or(text.len(), |length| start + length),
    }
}
