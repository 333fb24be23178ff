//! Assertions and conversions that several targets share.

use std::borrow::Cow;

use npuzzle::FormatError;

/// Decodes the input as text.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Splits off the first byte, which selects a variant.
pub(crate) fn selector(bytes: &[u8]) -> Option<(usize, &[u8])> {
    bytes.split_first().map(|(&first, rest)| (usize::from(first), rest))
}

/// A line of a log file, with its checksum.
pub(crate) fn with_checksum(line: &str) -> String {
    format!("{line} {:016x}\n", npuzzle_tables::files::checksum(line.as_bytes()))
}

/// Asserts that the text has this line, counted from 1.
pub(crate) fn assert_line(text: &str, line: usize) {
    let n_lines = text.split('\n').count();
    assert!((1..=n_lines).contains(&line), "line {line} of {n_lines}");
}

/// Asserts that a range of characters, counted from 1, is inside a line or at its end.
pub(crate) fn assert_position(text: &str, line: usize, column: usize, length: usize) {
    assert_line(text, line);
    let n_chars = text.split('\n').nth(line - 1).unwrap_or_default().chars().count();
    let is_within = column >= 1 && column - 1 + length <= n_chars;
    assert!(is_within, "{length} characters at {line}:{column} of a line of {n_chars}");
}

/// Asserts that an error points into its text and has a printable message.
pub(crate) fn assert_error(text: &str, error: &FormatError) {
    assert_position(text, error.line(), error.column(), error.length());
    assert_message(&error.message());
    let rendered = error.render("input");
    assert!(rendered.ends_with('\n') && rendered.starts_with("input:"), "{rendered:?}");
    for line in rendered.lines() {
        assert!(line.chars().count() <= MAX_LINE, "{line:?}");
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
}

/// The maximum length of a line of an error message, in characters: forty escaped characters and a list of names.
const MAX_LINE: usize = 500;

/// Asserts that a message is one printable line of reasonable length.
pub(crate) fn assert_message(message: &str) {
    assert!(!message.is_empty() && message.chars().count() <= MAX_LINE, "{message:?}");
    assert!(!message.chars().any(char::is_control), "{message:?}");
}
