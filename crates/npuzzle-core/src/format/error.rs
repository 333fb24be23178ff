//! Errors with their position in the text.

use std::error::Error;
use std::fmt;

use super::excerpt::{Excerpt, Label, Mark, fits};
pub(super) use super::reason::{MAX_NAMED, Reason, quote};
use super::source::{Source, Span};

/// An error as the readers report it: a reason and a span of the text.
#[derive(Debug)]
pub(super) struct Fault {
    /// Boxed, so that results are not as large as a reason.
    pub(super) reason: Box<Reason>,
    pub(super) span: Span,
    /// The first occurrence of a tile that appears twice.
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

/// The reason why a text is not a board, and the position of the error.
///
/// [`Display`](fmt::Display) writes one line; [`render`](FormatError::render) also shows the line of
/// the text:
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
    /// One or two excerpts, in the order of the text.
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

    /// The line of the invalid token, from 1.
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// The column of the invalid token, in characters from 1.
    pub fn column(&self) -> usize {
        self.0.column
    }

    /// The length in characters of the part of the invalid token on its first line; 0 if a token is
    /// missing.
    pub fn length(&self) -> usize {
        self.0.length
    }

    /// The message without the position.
    pub fn message(&self) -> String {
        self.0.reason.to_string()
    }

    /// Renders the error in the style of a compiler: `source:line:column: message`, then the line with
    /// the token underlined. `source` is the name of the text. The result ends with a newline.
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
            let underline = underline(marks);
            match marks.as_slice() {
                [first, _] => {
                    let indent = " ".repeat(first.column);
                    put(&"", "|", &underline);
                    put(&"", "|", &format!("{indent}|"));
                    put(&"", "|", &format!("{indent}first here"));
                }
                [first] if first.label == Label::FirstHere => {
                    put(&"", "|", &format!("{underline} first here"));
                }
                _ => put(&"", "|", &underline),
            }
        }
        out
    }
}

/// Returns the line of `^` and `-` under an excerpt.
fn underline(marks: &[Mark]) -> String {
    let mut underline = String::new();
    for mark in marks {
        let sign = if mark.label == Label::Here { "^" } else { "-" };
        let padding = mark.column.saturating_sub(underline.chars().count());
        underline.push_str(&" ".repeat(padding));
        underline.push_str(&sign.repeat(mark.width));
    }
    underline
}

fn same_line(source: &Source<'_>, a: Span, b: Span) -> bool {
    source.line_index(a.start) == source.line_index(b.start)
}

/// Writes one line: `line 2, column 5: tile 9 is out of range: a 3x3 board has tiles 0 to 8`.
impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { reason, line, column, .. } = &*self.0;
        write!(f, "line {line}, column {column}: {reason}")
    }
}

impl Error for FormatError {}
