//! Texts, and places in them.

use std::borrow::Cow;

use npuzzle::FormatError;

/// The input as a text.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The first byte, which chooses among variants, and the rest.
pub(crate) fn choice(bytes: &[u8]) -> Option<(usize, &[u8])> {
    bytes.split_first().map(|(&first, rest)| (usize::from(first), rest))
}

/// A line, from 1, that the text has.
pub(crate) fn assert_line(text: &str, line: usize) {
    let n_lines = text.split('\n').count();
    assert!((1..=n_lines).contains(&line), "line {line} of {n_lines}");
}

/// A place in characters, from 1, that the text has, or the one right after a line of it.
pub(crate) fn assert_place(text: &str, line: usize, column: usize, length: usize) {
    assert_line(text, line);
    let n_chars = text.split('\n').nth(line - 1).unwrap_or_default().chars().count();
    let is_within = column >= 1 && column - 1 + length <= n_chars;
    assert!(is_within, "{line}:{column} and {length} on, where the line has {n_chars}");
}

/// An error that points into its text and can be shown to people.
pub(crate) fn assert_error(text: &str, error: &FormatError) {
    assert_place(text, error.line(), error.column(), error.length());
    assert_words(&error.message());
    let shown = error.render("input");
    assert!(shown.ends_with('\n') && shown.starts_with("input:"), "{shown:?}");
    for line in shown.lines() {
        assert!(line.chars().count() <= MOST_SHOWN, "{line:?}");
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
}

/// The most characters of a line that is shown of an error.
const MOST_SHOWN: usize = 400;

/// Words in one line, neither none nor without end.
pub(crate) fn assert_words(message: &str) {
    assert!(!message.is_empty() && message.chars().count() <= MOST_SHOWN, "{message:?}");
    assert!(!message.chars().any(char::is_control), "{message:?}");
}
