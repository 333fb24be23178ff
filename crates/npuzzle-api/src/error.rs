//! Errors of requests: a kind, a message and the field that is wrong, as a JSON object.

use std::io;
use std::time::Duration;

use npuzzle::search::PlanError;
use npuzzle::teaching::{CheckError, GenerateError};
use npuzzle::{FormatError, SolveError};
use npuzzle_draw::DrawError;
use serde::Serialize;
use serde_json::error::Category;

/// The error of a request.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// Boxed to keep `Result<T, ApiError>` small.
    details: Box<ErrorDetails>,
}

/// The kinds of errors; `docs/http.md` describes them.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    /// The body is not JSON, or not an object with the expected fields.
    Json,
    /// The value of a field is not valid.
    Value,
    /// The text of a field is not a board.
    Board,
    /// The text of a field is not a sequence of legal moves.
    Moves,
    /// The server does not have the requested host name.
    Host,
    /// The request comes from a page of another site.
    Origin,
    /// There is no such request.
    Path,
    /// The request has the wrong method.
    Method,
    /// The body did not arrive in time.
    Slow,
    /// The body is too long.
    Body,
    /// The body is not declared as JSON.
    Type,
    /// The request is valid, but cannot be done.
    Refused,
    /// A bug.
    Internal,
    /// The server has too much to do.
    Busy,
    /// The server is shutting down.
    Closing,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: [ErrorKind; 15] = [
        ErrorKind::Json,
        ErrorKind::Value,
        ErrorKind::Board,
        ErrorKind::Moves,
        ErrorKind::Host,
        ErrorKind::Origin,
        ErrorKind::Path,
        ErrorKind::Method,
        ErrorKind::Slow,
        ErrorKind::Body,
        ErrorKind::Type,
        ErrorKind::Refused,
        ErrorKind::Internal,
        ErrorKind::Busy,
        ErrorKind::Closing,
    ];

    /// The status code of an HTTP response.
    pub fn status(self) -> u16 {
        match self {
            ErrorKind::Json | ErrorKind::Value | ErrorKind::Board | ErrorKind::Moves => 400,
            ErrorKind::Host | ErrorKind::Origin => 403,
            ErrorKind::Path => 404,
            ErrorKind::Method => 405,
            ErrorKind::Slow => 408,
            ErrorKind::Body => 413,
            ErrorKind::Type => 415,
            ErrorKind::Refused => 422,
            ErrorKind::Internal => 500,
            ErrorKind::Busy | ErrorKind::Closing => 503,
        }
    }
}

#[derive(Serialize, Clone, Debug)]
struct ErrorDetails {
    kind: ErrorKind,
    message: String,
    /// The field that is wrong.
    field: Option<&'static str>,
    #[serde(flatten)]
    span: TextSpan,
    #[serde(flatten)]
    queue: Option<QueueLength>,
}

/// The queue of a busy server.
#[derive(Serialize, Clone, Copy, Debug)]
struct QueueLength {
    /// The number of jobs that wait for a slot.
    waiting: usize,
    /// The expected time until a new job gets one, in seconds.
    retry_after_s: u64,
}

/// A part of a text, in characters; `line` and `column` start at 1.
#[derive(Serialize, Clone, Copy, Default, Debug)]
pub(crate) struct TextSpan {
    line: Option<usize>,
    column: Option<usize>,
    length: Option<usize>,
}

impl TextSpan {
    pub(crate) fn new(line: usize, column: usize, length: usize) -> TextSpan {
        TextSpan { line: Some(line), column: Some(column), length: Some(length) }
    }
}

/// The JSON object of an error.
#[derive(Serialize, Debug)]
pub struct ErrorRecord<'a> {
    error: &'a ErrorDetails,
}

impl ApiError {
    /// An error with this message, which may quote any input.
    pub fn new(kind: ErrorKind, message: impl ToString) -> ApiError {
        let (message, span) = (single_line(&message.to_string()), TextSpan::default());
        let details = Box::new(ErrorDetails { kind, message, field: None, span, queue: None });
        ApiError { details }
    }

    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.details.kind
    }

    /// The body is not JSON, or not an object with the expected fields.
    pub(crate) fn json(error: &serde_json::Error) -> ApiError {
        let message = error.to_string();
        // The position has fields of its own.
        let message = plain_types(message.split(" at line ").next().unwrap_or(&message));
        let message = match error.classify() {
            Category::Syntax | Category::Eof => format!("the body is not valid JSON: {message}"),
            Category::Data | Category::Io => message,
        };
        match (error.line(), error.column()) {
            (0, _) => ApiError::new(ErrorKind::Json, message),
            (line, column) => ApiError::new(ErrorKind::Json, message).with_span(TextSpan::new(
                line,
                column.max(1),
                1,
            )),
        }
    }

    /// The value of a field is not valid.
    pub(crate) fn value(field: &'static str, message: impl ToString) -> ApiError {
        ApiError::new(ErrorKind::Value, message).with_field(field)
    }

    /// The text of a field is not a board.
    pub(crate) fn board(field: &'static str, error: &FormatError) -> ApiError {
        let span = TextSpan::new(error.line(), error.column(), error.length());
        ApiError::new(ErrorKind::Board, error.message()).with_field(field).with_span(span)
    }

    /// The text of a field is not a sequence of legal moves.
    pub(crate) fn moves(field: &'static str, message: impl ToString) -> ApiError {
        ApiError::new(ErrorKind::Moves, message).with_field(field)
    }

    /// The request is valid, but the server cannot do it.
    pub(crate) fn refused(message: impl ToString) -> ApiError {
        ApiError::new(ErrorKind::Refused, message)
    }

    /// There is no such request.
    pub(crate) fn unknown_path() -> ApiError {
        ApiError::new(ErrorKind::Path, "no such path")
    }

    /// Too many jobs are running.
    pub fn no_slot() -> ApiError {
        ApiError::new(ErrorKind::Busy, "too many jobs are running: try again later")
    }

    /// Too many jobs wait for a slot.
    pub fn queue_full(n_waiting: usize, expected_wait: Duration) -> ApiError {
        let retry_after_s = expected_wait.as_secs().max(1);
        let message = format!(
            "too many searches are running, and {n_waiting} wait: try again in {retry_after_s} s"
        );
        let mut error = ApiError::new(ErrorKind::Busy, message);
        error.details.queue = Some(QueueLength { waiting: n_waiting, retry_after_s });
        error
    }

    /// The expected time until the same request is accepted, in seconds, if it is known.
    pub fn retry_after_s(&self) -> Option<u64> {
        self.details.queue.map(|queue| queue.retry_after_s)
    }

    /// Too much is in memory.
    pub(crate) fn out_of_memory() -> ApiError {
        let message = "too many large requests and responses are in memory: try again later";
        ApiError::new(ErrorKind::Busy, message)
    }

    /// The front end is shutting down.
    pub fn closing() -> ApiError {
        ApiError::new(ErrorKind::Closing, "the server is shutting down")
    }

    /// A bug.
    pub fn internal() -> ApiError {
        ApiError::new(ErrorKind::Internal, "internal error: please report it")
    }

    /// Names the field that is wrong.
    pub(crate) fn with_field(mut self, field: &'static str) -> ApiError {
        self.details.field = Some(field);
        self
    }

    /// Adds the part of the text that is wrong.
    pub(crate) fn with_span(mut self, span: TextSpan) -> ApiError {
        self.details.span = span;
        self
    }

    /// The JSON object.
    pub fn record(&self) -> ErrorRecord<'_> {
        ErrorRecord { error: &self.details }
    }

    /// Whether the same request may succeed later.
    pub fn is_unavailable(&self) -> bool {
        self.details.kind.status() == 503
    }
}

/// Replaces the names of Rust's types at the end of a message of serde.
fn plain_types(message: &str) -> String {
    let Some((start, expected)) = message.rsplit_once("expected ") else {
        return message.to_owned();
    };
    let expected = match expected {
        "a nonzero usize" | "a nonzero u16" => "a whole number of at least 1",
        "usize" | "u64" | "u32" | "u16" => "a whole number",
        "f64" => "a number",
        "ident" => "true, false or null",
        "a map" => "an object",
        "a sequence" => "an array",
        other if other.starts_with("struct ") => "an object",
        other => other,
    };
    format!("{start}expected {expected}")
}

/// Shortens a message, which may quote any input, and replaces its control characters.
fn single_line(message: &str) -> String {
    const MAX_CHARS: usize = 360;
    let printable = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    match message.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => message[..end].chars().map(printable).chain(['…']).collect(),
        None => message.chars().map(printable).collect(),
    }
}

/// The errors of [`Job::out`](crate::Job::out).
impl From<io::Error> for ApiError {
    fn from(error: io::Error) -> ApiError {
        match error.kind() {
            io::ErrorKind::QuotaExceeded => ApiError::out_of_memory(),
            io::ErrorKind::FileTooLarge => ApiError::refused("the response is too long"),
            _ => ApiError::internal(),
        }
    }
}

impl From<PlanError> for ApiError {
    fn from(error: PlanError) -> ApiError {
        ApiError::refused(error)
    }
}

impl From<SolveError> for ApiError {
    fn from(error: SolveError) -> ApiError {
        match error {
            SolveError::Plan(error) => error.into(),
            _ => ApiError::internal(),
        }
    }
}

impl From<CheckError> for ApiError {
    fn from(error: CheckError) -> ApiError {
        match error {
            CheckError::Unreadable => ApiError::moves("solution", error),
            CheckError::Solve(error) => error.into(),
            _ => ApiError::internal(),
        }
    }
}

impl From<GenerateError> for ApiError {
    fn from(error: GenerateError) -> ApiError {
        match error {
            GenerateError::Broken(_) => ApiError::internal(),
            error => ApiError::refused(error),
        }
    }
}

impl From<DrawError> for ApiError {
    fn from(error: DrawError) -> ApiError {
        match error {
            DrawError::Io(_) => ApiError::internal(),
            error => ApiError::refused(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_no_types_of_rust() {
        let check = |text: &str, expect: &str| assert_eq!(plain_types(text), expect);
        check(
            "invalid value: integer `0`, expected a nonzero usize",
            "invalid value: integer `0`, expected a whole number of at least 1",
        );
        check("expected ident", "expected true, false or null");
        check(
            "unknown field `x`, expected one of `a`, `b`",
            "unknown field `x`, expected one of `a`, `b`",
        );
        check("missing field `board`", "missing field `board`");
    }

    #[test]
    fn messages_are_one_short_line_whatever_they_quote() {
        assert_eq!(single_line("tile 9 appears twice"), "tile 9 appears twice");
        assert_eq!(single_line("unknown field `\u{7f}a\nb`"), "unknown field `\u{fffd}a\u{fffd}b`");
        let long = single_line(&"é".repeat(100_000));
        assert!(long.chars().count() < 400 && long.ends_with('…'));
    }
}
