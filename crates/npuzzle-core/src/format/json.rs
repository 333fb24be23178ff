//! A JSON parser whose values know their position in the text.
//!
//! Error messages must point at a number in the text, and general JSON crates do not report positions
//! of values. The grammar is that of RFC 8259, with `#` comments wherever white space is allowed, and
//! with the tuples of Python as arrays.

use std::borrow::Cow;

use super::error::{Fault, Reason, quote};
use super::source::Span;

/// The characters with which a line of JSON begins.
pub(super) const OPENERS: [char; 4] = ['{', '[', '"', '('];

pub(super) struct JsonValue {
    pub(super) span: Span,
    pub(super) kind: JsonKind,
}

/// The kind of a value. Numbers and strings are read from their span when needed.
pub(super) enum JsonKind {
    Number,
    String,
    Array(Vec<JsonValue>),
    /// The keys, with their quotes, and the values.
    Object(Vec<(Span, JsonValue)>),
    /// `true` or `false`.
    Bool,
    Null,
}

/// Parses the value that begins at `at`. Arrays that are separated by commas, such as
/// `(1,2,3),(4,5,6)`, are the items of one array.
pub(super) fn parse(text: &str, at: usize) -> Result<JsonValue, Fault> {
    let mut parser = Parser { text, at, last_end: at };
    let first = parser.value(0)?;
    if !matches!(first.kind, JsonKind::Array(_)) {
        return Ok(first);
    }
    let (start, mut end) = (first.span.start, first.span.end);
    let mut items = vec![first];
    while let Some(next) = next_array(text, start, end) {
        parser.at = next;
        let item = parser.value(1)?;
        end = item.span.end;
        items.push(item);
    }
    match items.pop() {
        Some(only) if items.is_empty() => Ok(only),
        last => {
            items.extend(last);
            Ok(JsonValue { span: Span { start, end }, kind: JsonKind::Array(items) })
        }
    }
}

/// Returns where the next array begins after the end of one and a comma, if it has the bracket of the
/// first.
fn next_array(text: &str, first: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let comma = skip_space(text, end);
    let next = skip_space(text, comma + 1);
    let is_next = bytes.get(comma) == Some(&b',') && bytes.get(next) == bytes.get(first);
    is_next.then_some(next)
}

/// Returns the position after white space and comments.
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

/// Returns the content of a string that is known to be well formed.
///
/// Each half of a surrogate pair becomes U+FFFD, because boards contain only ASCII.
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

/// The maximum depth of nested arrays and objects. Boards need four.
const MAX_DEPTH: usize = 64;

struct Parser<'s> {
    text: &'s str,
    at: usize,
    /// The end of the last token, at which an error is reported if something is missing after it.
    last_end: usize,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Result<JsonValue, Fault> {
        self.at = skip_space(self.text, self.at);
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{' | b'[' | b'(') if depth == MAX_DEPTH => {
                return Err(Fault::new(Reason::TooDeep, Span { start, end: start + 1 }));
            }
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth, b']', "`,` or `]`")?,
            Some(b'(') => self.array(depth, b')', "`,` or `)`")?,
            Some(b'"') => self.string()?,
            _ => self.word()?,
        };
        self.last_end = self.at;
        Ok(JsonValue { span: Span { start, end: self.at }, kind })
    }

    fn object(&mut self, depth: usize) -> Result<JsonKind, Fault> {
        let mut members = Vec::new();
        self.bump();
        if self.take(b'}') {
            return Ok(JsonKind::Object(members));
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
            self.last_end = self.at;
            if !self.take(b':') {
                return Err(self.unexpected("`:`"));
            }
            members.push((key, self.value(depth + 1)?));
            if self.take(b'}') {
                return Ok(JsonKind::Object(members));
            }
            if !self.take(b',') {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
    }

    /// An array up to this bracket.
    fn array(
        &mut self,
        depth: usize,
        close: u8,
        expected: &'static str,
    ) -> Result<JsonKind, Fault> {
        let mut items = Vec::new();
        self.bump();
        if self.take(close) {
            return Ok(JsonKind::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.take(close) {
                return Ok(JsonKind::Array(items));
            }
            if !self.take(b',') {
                return Err(self.unexpected(expected));
            }
        }
    }

    fn string(&mut self) -> Result<JsonKind, Fault> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(JsonKind::String);
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
                Err(Fault::new(Reason::BadEscape(quote(&shown)), Span { start: self.at, end }))
            }
        }
    }

    /// A number, `true`, `false` or `null`, which Python calls `None`.
    fn word(&mut self) -> Result<JsonKind, Fault> {
        let word = self.word_here();
        let kind = match word {
            "true" | "false" => JsonKind::Bool,
            "null" | "None" => JsonKind::Null,
            _ if is_number(word) => JsonKind::Number,
            _ if word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) => {
                let span = Span { start: self.at, end: self.at + word.len() };
                return Err(Fault::new(Reason::NotAJsonNumber(quote(word)), span));
            }
            _ => return Err(self.unexpected("a value")),
        };
        self.at += word.len();
        Ok(kind)
    }

    /// Returns the word that begins here; a character that cannot be part of a word is a word by itself.
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
        self.last_end = self.at;
    }

    /// Consumes the next token if it is this one; returns whether it was.
    fn take(&mut self, token: u8) -> bool {
        self.at = skip_space(self.text, self.at);
        let found = self.peek() == Some(token);
        if found {
            self.bump();
        }
        found
    }

    /// Returns an error at the next token or, if that is on another line, right after the last one,
    /// where something is missing.
    fn unexpected(&self, what: &'static str) -> Fault {
        let missing_at = Span { start: self.last_end, end: self.last_end };
        let missing = |found: &str| {
            Fault::new(Reason::Expected { what, found: found.to_owned() }, missing_at)
        };
        if self.at == self.text.len() {
            missing("the end of the input")
        } else if self.text[self.last_end..self.at].contains('\n') {
            missing("the end of the line")
        } else {
            let word = self.word_here();
            let span = Span { start: self.at, end: self.at + word.len() };
            Fault::new(Reason::expected(what, word), span)
        }
    }
}

/// Whether a word matches `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
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
