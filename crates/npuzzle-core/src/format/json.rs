//! JSON made into values that know where they stand.
//!
//! A crate for JSON would not say where in the text a number is, and errors must point at it. The
//! grammar is that of RFC 8259, with `#` comments where white space may be.

use std::borrow::Cow;

use super::error::{Fault, Reason};
use super::source::Span;

pub(super) struct Value {
    pub(super) span: Span,
    pub(super) node: Node,
}

/// Numbers and strings are read from their span when they are wanted.
pub(super) enum Node {
    Number,
    String,
    Array(Vec<Value>),
    /// Keys (with their quotes) and values.
    Object(Vec<(Span, Value)>),
    /// `true` or `false`.
    Bool,
    Null,
}

/// The value that begins at `at`.
pub(super) fn value(text: &str, at: usize) -> Result<Value, Fault> {
    Scanner { text, at, last: at }.value(0)
}

/// The place after white space and comments.
pub(super) fn skip_space(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'#' => at += text[at..].find('\n').unwrap_or(text.len() - at),
            _ if byte.is_ascii_whitespace() => at += 1,
            _ => break,
        }
    }
    at
}

/// The content of a string that is known to be well formed.
///
/// Half of a surrogate pair becomes U+FFFD: no board has a use for it.
pub(super) fn unescape(text: &str, string: Span) -> Cow<'_, str> {
    let raw = &text[string.start + 1..string.end - 1];
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut content = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        let unescaped = match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('u') => {
                    let digits = chars.by_ref().take(4).filter_map(|digit| digit.to_digit(16));
                    let code = digits.fold(0, |code, digit| code * 16 + digit);
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
                other => other.unwrap_or('\\'),
            },
            c => c,
        };
        content.push(unescaped);
    }
    Cow::Owned(content)
}

/// Arrays and objects may be nested this deep; boards need four.
const MAX_DEPTH: usize = 64;

struct Scanner<'s> {
    text: &'s str,
    at: usize,
    /// Where the last token ended: the place to point at when something is missing after it.
    last: usize,
}

impl Scanner<'_> {
    fn value(&mut self, depth: usize) -> Result<Value, Fault> {
        self.at = skip_space(self.text, self.at);
        let start = self.at;
        let node = match self.peek() {
            Some(b'{' | b'[') if depth == MAX_DEPTH => {
                return Err(Fault::new(Reason::TooDeep, Span { start, end: start + 1 }));
            }
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => self.string()?,
            _ => self.word()?,
        };
        self.last = self.at;
        Ok(Value { span: Span { start, end: self.at }, node })
    }

    fn object(&mut self, depth: usize) -> Result<Node, Fault> {
        let mut members = Vec::new();
        self.bump();
        if self.take(b'}') {
            return Ok(Node::Object(members));
        }
        loop {
            self.at = skip_space(self.text, self.at);
            if self.peek() != Some(b'"') {
                return Err(self.unexpected(if members.is_empty() {
                    "a key or `}`"
                } else {
                    "a key"
                }));
            }
            let start = self.at;
            self.string()?;
            let key = Span { start, end: self.at };
            self.last = self.at;
            if !self.take(b':') {
                return Err(self.unexpected("`:`"));
            }
            members.push((key, self.value(depth + 1)?));
            if self.take(b'}') {
                return Ok(Node::Object(members));
            }
            if !self.take(b',') {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Node, Fault> {
        let mut items = Vec::new();
        self.bump();
        if self.take(b']') {
            return Ok(Node::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.take(b']') {
                return Ok(Node::Array(items));
            }
            if !self.take(b',') {
                return Err(self.unexpected("`,` or `]`"));
            }
        }
    }

    fn string(&mut self) -> Result<Node, Fault> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Node::String);
                }
                Some(b'\\') => self.escape()?,
                None | Some(b'\n' | b'\r') => {
                    return Err(Fault::new(Reason::UnclosedString, Span { start, end: self.at }));
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        let rest = &self.text[self.at..];
        let length = match rest.as_bytes().get(1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') => 6,
            _ => 0,
        };
        let is_code = |code: &[u8]| code.iter().all(u8::is_ascii_hexdigit);
        match rest.as_bytes().get(2..length.max(2)) {
            Some(code) if length > 0 && is_code(code) => {
                self.at += length;
                Ok(())
            }
            _ => {
                let shown: String = rest.chars().take(2).collect();
                let end = self.at + shown.len();
                Err(Fault::new(Reason::bad_escape(&shown), Span { start: self.at, end }))
            }
        }
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Node, Fault> {
        let word = self.word_here();
        let node = match word {
            "true" | "false" => Node::Bool,
            "null" => Node::Null,
            _ if is_number(word) => Node::Number,
            _ if word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) => {
                let span = Span { start: self.at, end: self.at + word.len() };
                return Err(Fault::new(Reason::not_a_json_number(word), span));
            }
            _ => return Err(self.unexpected("a value")),
        };
        self.at += word.len();
        Ok(node)
    }

    /// The word that begins here; another character is a word of its own.
    fn word_here(&self) -> &str {
        let rest = &self.text[self.at..];
        let in_word = |c: char| c.is_alphanumeric() || matches!(c, '+' | '-' | '.' | '_');
        match rest.find(|c| !in_word(c)) {
            Some(0) => &rest[..rest.chars().next().map_or(0, char::len_utf8)],
            Some(end) => &rest[..end],
            None => rest,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn bump(&mut self) {
        self.at += 1;
        self.last = self.at;
    }

    /// Whether this is the next token; if so, goes past it.
    fn take(&mut self, token: u8) -> bool {
        self.at = skip_space(self.text, self.at);
        let found = self.peek() == Some(token);
        if found {
            self.bump();
        }
        found
    }

    /// The error at the next token, or, if that is on another line, right after the last one:
    /// there is where something is missing.
    fn unexpected(&self, what: &'static str) -> Fault {
        let missing_at = Span { start: self.last, end: self.last };
        let nothing = |found: &str| {
            Fault::new(Reason::Expected { what, found: found.to_owned() }, missing_at)
        };
        if self.at == self.text.len() {
            nothing("the end of the input")
        } else if self.text[self.last..self.at].contains('\n') {
            nothing("the end of the line")
        } else {
            let word = self.word_here();
            let span = Span { start: self.at, end: self.at + word.len() };
            Fault::new(Reason::expected(what, word), span)
        }
    }
}

/// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
fn is_number(word: &str) -> bool {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    is_digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && is_digits(fraction)
        && is_digits(exponent)
}
