//! Errors with their place.

use std::error::Error;
use std::fmt;

use super::excerpt::{Excerpt, Label, fits};
pub(super) use super::reason::{MAX_NAMED, Reason};
use super::source::{Source, Span};

/// What the readers report: a reason and a place in a text that only their caller can show.
#[derive(Debug)]
pub(super) struct Fault {
    /// Boxed, since nearly every result is a board and should not be as large as a reason.
    pub(super) reason: Box<Reason>,
    pub(super) span: Span,
    /// The other place of a tile that is there twice.
    pub(super) first: Option<Span>,
}

impl Fault {
    pub(super) fn new(reason: Reason, span: Span) -> Fault {
        Fault { reason: Box::new(reason), span, first: None }
    }

    pub(super) fn with_first(self, first: Span) -> Fault {
        Fault { first: Some(first), ..self }
    }
}

/// Why a text is not a board, and where.
///
/// [`Display`](fmt::Display) is one line; [`render`](FormatError::render) also shows the place:
///
/// ```
/// use npuzzle_core::format;
/// let error = format::read_one("1 2 3\n4 5 9\n7 8 0\n", None).unwrap_err();
/// let message = "tile 9 is out of range: a 3x3 board has tiles 0 to 8";
/// assert_eq!((error.line(), error.column(), error.length()), (2, 5, 1));
/// assert_eq!(error.message(), message);
/// assert_eq!(error.to_string(), format!("line 2, column 5: {message}"));
/// assert_eq!(error.render("boards.txt"), format!("\
/// boards.txt:2:5: {message}
///   |
/// 2 | 4 5 9
///   |     ^
/// "));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError(Box<Details>);

#[derive(Clone, PartialEq, Eq, Debug)]
struct Details {
    reason: Box<Reason>,
    line: usize,
    column: usize,
    length: usize,
    /// One or two, in the order of the text.
    excerpts: Vec<Excerpt>,
}

impl FormatError {
    pub(super) fn new(source: &Source<'_>, fault: Fault) -> FormatError {
        let Fault { reason, span, first } = fault;
        let here = (span, Label::Here);
        let excerpts = match first.map(|first| (first, Label::FirstHere)) {
            None => vec![Excerpt::new(source, &[here])],
            Some(first)
                if fits(source.text, first.0.start, span.end)
                    && same_line(source, first.0, span) =>
            {
                vec![Excerpt::new(source, &[first, here])]
            }
            Some(first) => vec![Excerpt::new(source, &[first]), Excerpt::new(source, &[here])],
        };
        let (line, column) = (source.line_index(span.start) + 1, source.column(span.start));
        let length = source.length(span);
        FormatError(Box::new(Details { reason, line, column, length, excerpts }))
    }

    /// The line of the offending token, from 1.
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// The column of the offending token, counted in characters from 1.
    pub fn column(&self) -> usize {
        self.0.column
    }

    /// The length of the offending token in characters, as far as it is on its line; 0 where
    /// something is missing.
    pub fn length(&self) -> usize {
        self.0.length
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> String {
        self.0.reason.to_string()
    }

    /// The error as compilers show theirs: `source:line:column: message`, then the offending line
    /// with the token underlined, ending in a newline. `source` names the text.
    pub fn render(&self, source: &str) -> String {
        let Details { reason, line, column, excerpts, .. } = &*self.0;
        let mut out = format!("{source}:{line}:{column}: {reason}\n");
        let widest = excerpts.iter().map(|excerpt| excerpt.line).max().unwrap_or_default();
        let gutter = widest.to_string().len();
        let mut put = |number: &dyn fmt::Display, separator: &str, text: &str| {
            let line = format!("{number:>gutter$} {separator} {text}");
            out.push_str(line.trim_end());
            out.push('\n');
        };
        put(&"", "|", "");
        let mut previous = None;
        for Excerpt { line, text, marks } in excerpts {
            if previous.is_some_and(|previous| previous + 1 < *line) {
                put(&"...", "", "");
            }
            previous = Some(*line);
            put(line, "|", text);
            let mut under = String::new();
            for mark in marks {
                let sign = if mark.label == Label::Here { "^" } else { "-" };
                let padding = mark.at.saturating_sub(under.chars().count());
                under.push_str(&" ".repeat(padding));
                under.push_str(&sign.repeat(mark.width));
            }
            match marks.as_slice() {
                [first, _] => {
                    let indent = " ".repeat(first.at);
                    put(&"", "|", &under);
                    put(&"", "|", &format!("{indent}|"));
                    put(&"", "|", &format!("{indent}first here"));
                }
                [first] if first.label == Label::FirstHere => {
                    put(&"", "|", &format!("{under} first here"));
                }
                _ => put(&"", "|", &under),
            }
        }
        out
    }
}

fn same_line(source: &Source<'_>, a: Span, b: Span) -> bool {
    source.line_index(a.start) == source.line_index(b.start)
}

/// One line: `line 2, column 5: tile 9 is out of range: a 3x3 board has tiles 0 to 8`.
impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { reason, line, column, .. } = &*self.0;
        write!(f, "line {line}, column {column}: {reason}")
    }
}

impl Error for FormatError {}
