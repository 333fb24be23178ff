//! Errors as the HTTP interface reports them: a status and a JSON object.

use std::io;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use npuzzle::search::PlanError;
use npuzzle::teaching::{CheckError, GenerateError};
use npuzzle::{FormatError, SolveError};
use npuzzle_draw::DrawError;
use serde::Serialize;
use serde_json::error::Category;

/// The error response of a request.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    /// The methods that the path accepts, if the request used another one.
    allow: Option<&'static str>,
    /// Boxed to keep `Result<T, ApiError>` small.
    details: Box<ErrorDetails>,
}

/// The kinds of errors; `docs/http.md` describes them.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum ErrorKind {
    Json,
    Value,
    Board,
    Moves,
    Host,
    Origin,
    Path,
    Method,
    Slow,
    Body,
    Type,
    Refused,
    Internal,
    Busy,
    Closing,
}

impl ErrorKind {
    fn status(self) -> StatusCode {
        match self {
            ErrorKind::Json | ErrorKind::Value | ErrorKind::Board | ErrorKind::Moves => {
                StatusCode::BAD_REQUEST
            }
            ErrorKind::Host | ErrorKind::Origin => StatusCode::FORBIDDEN,
            ErrorKind::Path => StatusCode::NOT_FOUND,
            ErrorKind::Method => StatusCode::METHOD_NOT_ALLOWED,
            ErrorKind::Slow => StatusCode::REQUEST_TIMEOUT,
            ErrorKind::Body => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorKind::Type => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ErrorKind::Refused => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            ErrorKind::Busy | ErrorKind::Closing => StatusCode::SERVICE_UNAVAILABLE,
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
pub(crate) struct ErrorRecord<'a> {
    error: &'a ErrorDetails,
}

impl ApiError {
    fn new(kind: ErrorKind, message: impl ToString) -> ApiError {
        let (message, span) = (single_line(&message.to_string()), TextSpan::default());
        let details = Box::new(ErrorDetails { kind, message, field: None, span });
        ApiError { allow: None, details }
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

    pub(crate) fn unknown_host() -> ApiError {
        let message = "the Host header is not a name of this server: see --allow-host";
        ApiError::new(ErrorKind::Host, message)
    }

    pub(crate) fn foreign_origin() -> ApiError {
        ApiError::new(ErrorKind::Origin, "requests from pages of other sites are not allowed")
    }

    pub(crate) fn unknown_path() -> ApiError {
        ApiError::new(ErrorKind::Path, "no such path")
    }

    pub(crate) fn wrong_method(allow: &'static str) -> ApiError {
        let message = format!("the method is not allowed: use {allow}");
        ApiError { allow: Some(allow), ..ApiError::new(ErrorKind::Method, message) }
    }

    pub(crate) fn slow_body() -> ApiError {
        ApiError::new(ErrorKind::Slow, "the body did not arrive in time")
    }

    pub(crate) fn incomplete_body() -> ApiError {
        ApiError::new(ErrorKind::Json, "the body is incomplete")
    }

    pub(crate) fn body_too_long(max_bytes: usize) -> ApiError {
        ApiError::new(ErrorKind::Body, format!("the body is longer than {max_bytes} bytes"))
    }

    pub(crate) fn not_json() -> ApiError {
        let message = "the body must be JSON: send Content-Type: application/json";
        ApiError::new(ErrorKind::Type, message)
    }

    pub(crate) fn no_slot() -> ApiError {
        ApiError::new(ErrorKind::Busy, "too many jobs are running: try again later")
    }

    pub(crate) fn out_of_memory() -> ApiError {
        let message = "too many large requests and responses are in memory: try again later";
        ApiError::new(ErrorKind::Busy, message)
    }

    pub(crate) fn no_thread() -> ApiError {
        ApiError::new(ErrorKind::Busy, "the system cannot start a thread: try again later")
    }

    pub(crate) fn closing() -> ApiError {
        ApiError::new(ErrorKind::Closing, "the server is shutting down")
    }

    pub(crate) fn internal() -> ApiError {
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

    pub(crate) fn record(&self) -> ErrorRecord<'_> {
        ErrorRecord { error: &self.details }
    }

    /// Whether the same request may succeed later.
    pub(crate) fn is_unavailable(&self) -> bool {
        self.details.kind.status() == StatusCode::SERVICE_UNAVAILABLE
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

/// The errors of a `Buffer`.
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

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        /// Seconds.
        const RETRY_AFTER: HeaderValue = HeaderValue::from_static("5");
        let body = serde_json::to_vec(&self.record()).unwrap_or_default();
        let content_type = [(header::CONTENT_TYPE, "application/json")];
        let mut response = (self.details.kind.status(), content_type, body).into_response();
        if self.is_unavailable() {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        if let Some(allow) = self.allow {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
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
