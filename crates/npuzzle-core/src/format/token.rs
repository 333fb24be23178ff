//! Splits lines into words and reads words as numbers.

use super::error::{Fault, Reason, quote};
use super::source::Span;

/// The kind of a token. Its text is only looked up, by its span, if an error quotes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    Number(u32),
    /// A word that is not a number, or a number that does not fit in 32 bits.
    Word,
    Slash,
    Semicolon,
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
        let number = span
            .of(text)
            .bytes()
            .try_fold(0_u32, |number, byte| number.checked_mul(10)?.checked_add(digit(byte)?));
        Token { span, kind: number.map_or(TokenKind::Word, TokenKind::Number) }
    }

    pub(super) fn number(&self) -> Option<u32> {
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

/// Fails at the first token that is not a number.
pub(super) fn require_numbers(text: &str, tokens: &[Token]) -> Result<(), Fault> {
    match tokens.iter().find(|token| token.number().is_none()) {
        Some(token) => Err(token.not_a_number(text)),
        None => Ok(()),
    }
}

/// Appends the tokens of one line; returns whether the line has a comment.
///
/// White space and commas separate tokens, `/` and `;` are tokens, and `#` begins a comment.
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
                } else {
                    at += line_text[at..].chars().next().map_or(1, char::len_utf8);
                }
            }
        }
    }
    false
}

/// Returns the end of the word that begins at `start`; `start` itself at non-ASCII white space.
fn word_end(text: &str, start: usize) -> usize {
    let bytes = &text.as_bytes()[start..];
    let ends = |c: char| matches!(c, '#' | '/' | ';' | ',') || c.is_whitespace();
    // Nearly every word consists of digits and ends at a space; only others are scanned by character.
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match bytes.get(digits) {
        None | Some(b' ') => start + digits,
        Some(_) => text[start..].find(ends).map_or(text.len(), |length| start + length),
    }
}
