//! The offending line of an error, cut and cleaned so that marks stay under what they mark.

use super::source::{Source, Span};

/// The most characters of a line that are shown.
const WIDTH: usize = 80;
/// How many of them come before the mark if the line has to be cut.
const BEFORE: usize = 30;

/// A line, or a part of it, with marks under it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Excerpt {
    /// Line number from 1.
    pub(super) line: usize,
    /// What is shown: one column per character.
    pub(super) text: String,
    /// Marks, from left to right.
    pub(super) marks: Vec<Mark>,
}

/// A stretch of an excerpt, in columns from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    pub(super) at: usize,
    pub(super) width: usize,
    pub(super) label: Label,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Label {
    /// `^^^`, the place of the error.
    Here,
    /// `---`, where a tile is for the first time.
    FirstHere,
}

impl Excerpt {
    /// The line of `spans[0]`, cut to a window around it and marked with all spans that lie in
    /// the window; the time taken does not depend on the length of the line.
    pub(super) fn new(source: &Source<'_>, spans: &[(Span, Label)]) -> Excerpt {
        let start = spans[0].0.start;
        let index = source.line_index(start);
        let line = source.line(index).unwrap_or(Span { start, end: start });
        let window = window(source.text, line, start);
        let cut = |at: usize| at.clamp(window.start, window.end);
        let columns = |from: usize, to: usize| source.text[from..to].chars().count();
        let dots = usize::from(window.start > line.start);

        let mut text: String = source.text[window.start..window.end].chars().map(plain).collect();
        if window.start > line.start {
            text.insert(0, '…');
        }
        if window.end < line.end {
            text.push('…');
        }
        let mark = |&(span, label): &(Span, Label)| {
            let (start, end) = (cut(span.start), cut(span.end));
            let at = dots + columns(window.start, start);
            Mark { at, width: columns(start, end).max(1), label }
        };
        Excerpt { line: index + 1, text, marks: spans.iter().map(mark).collect() }
    }
}

/// The part of a line that is shown for a place in it.
fn window(text: &str, line: Span, place: usize) -> Span {
    let end_of = |start: usize| {
        let mut chars = text[start..line.end].char_indices();
        chars.nth(WIDTH).map_or(line.end, |(at, _)| start + at)
    };
    if end_of(line.start) == line.end {
        return line;
    }
    let place = place.clamp(line.start, line.end);
    let before = text[line.start..place].char_indices().rev().take(BEFORE).last();
    let start = before.map_or(place, |(at, _)| line.start + at);
    Span { start, end: end_of(start) }
}

/// The characters from `from` to `to` of the text if they fit into one window.
pub(super) fn fits(text: &str, from: usize, to: usize) -> bool {
    text[from..to].chars().nth(WIDTH - BEFORE).is_none()
}

/// A character that takes one column of a terminal: itself if it surely does, a space for white
/// space, and U+FFFD for the rest, which may be invisible, wide or move the cursor.
pub(super) fn plain(c: char) -> char {
    match c {
        _ if c.is_whitespace() => ' ',
        ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{2ff}' | '\u{391}'..='\u{451}' => c,
        '\u{2010}'..='\u{2015}' | '\u{2018}'..='\u{201f}' | '\u{2026}' | '\u{2212}' => c,
        _ => '\u{fffd}',
    }
}
