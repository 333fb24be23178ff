//! The line of an error, shortened and cleaned so that marks stay under the characters they mark.

use super::source::{Source, Span};

/// The maximum number of characters of a line that are shown.
const WIDTH: usize = 80;
/// The number of characters before the mark if the line is shortened.
const BEFORE: usize = 30;

/// A line or a part of it, with marks under it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Excerpt {
    /// Line number from 1.
    pub(super) line: usize,
    /// The text shown, one column per character.
    pub(super) text: String,
    /// The marks from left to right.
    pub(super) marks: Vec<Mark>,
}

/// A marked part of an excerpt, in columns from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    pub(super) column: usize,
    pub(super) width: usize,
    pub(super) label: Label,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Label {
    /// `^^^`, the position of the error.
    Here,
    /// `---`, the first occurrence of a tile that appears twice.
    FirstHere,
}

impl Excerpt {
    /// Shows the line of `spans[0]`, shortened to a window around it, with marks for all spans. The
    /// running time does not depend on the length of the line.
    pub(super) fn new(source: &Source<'_>, spans: &[(Span, Label)]) -> Excerpt {
        let start = spans[0].0.start;
        let index = source.line_index(start);
        let line = source.line(index).unwrap_or(Span { start, end: start });
        let window = window(source.text, line, start);
        let clamp = |at: usize| at.clamp(window.start, window.end);
        let columns = |from: usize, to: usize| source.text[from..to].chars().count();
        let n_dots = usize::from(window.start > line.start);

        let mut text: String = window.of(source.text).chars().map(plain).collect();
        if window.start > line.start {
            text.insert(0, '…');
        }
        if window.end < line.end {
            text.push('…');
        }
        let mark = |&(span, label): &(Span, Label)| {
            let (start, end) = (clamp(span.start), clamp(span.end));
            let column = n_dots + columns(window.start, start);
            Mark { column, width: columns(start, end).max(1), label }
        };
        Excerpt { line: index + 1, text, marks: spans.iter().map(mark).collect() }
    }
}

/// Returns the part of a line that is shown around a position.
fn window(text: &str, line: Span, at: usize) -> Span {
    let end_of = |start: usize| {
        let mut chars = text[start..line.end].char_indices();
        chars.nth(WIDTH).map_or(line.end, |(at, _)| start + at)
    };
    if end_of(line.start) == line.end {
        return line;
    }
    let at = at.clamp(line.start, line.end);
    let before = text[line.start..at].char_indices().rev().take(BEFORE).last();
    let start = before.map_or(at, |(offset, _)| line.start + offset);
    Span { start, end: end_of(start) }
}

/// Whether the text from `from` to `to` fits in one window.
pub(super) fn fits(text: &str, from: usize, to: usize) -> bool {
    text[from..to].chars().nth(WIDTH - BEFORE).is_none()
}

/// Returns a character that takes one column of a terminal: the character itself if it certainly does,
/// a space for white space, and U+FFFD for all others, which may be invisible, wide or move the cursor.
pub(super) fn plain(c: char) -> char {
    match c {
        _ if c.is_whitespace() => ' ',
        ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{2ff}' | '\u{391}'..='\u{451}' => c,
        '\u{2010}'..='\u{2015}' | '\u{2018}'..='\u{201f}' | '\u{2026}' | '\u{2212}' => c,
        _ => '\u{fffd}',
    }
}
