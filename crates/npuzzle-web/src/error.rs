//! What went wrong, as a status and an object.

use std::io;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use npuzzle::search::PlanError;
use npuzzle::teaching::{CheckError, GenerateError};
use npuzzle::{FormatError, SolveError};
use npuzzle_draw::DrawError;
use serde::Serialize;

/// What went wrong.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    /// The methods that the path takes, if it was asked by another.
    allow: Option<&'static str>,
    /// Apart, since results without an error carry the room for it.
    details: Box<Details>,
}

#[derive(Serialize, Clone, Debug)]
struct Details {
    kind: &'static str,
    message: String,
    /// The field that is wrong.
    field: Option<&'static str>,
    #[serde(flatten)]
    place: Place,
}

/// A place in a text, from 1, in characters.
#[derive(Serialize, Clone, Copy, Default, Debug)]
pub(crate) struct Place {
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
    pub(crate) length: Option<usize>,
}

impl Place {
    pub(crate) fn new(line: usize, column: usize, length: usize) -> Place {
        Place { line: Some(line), column: Some(column), length: Some(length) }
    }
}

/// As it is sent.
#[derive(Serialize, Debug)]
pub(crate) struct ErrorRecord<'a> {
    error: &'a Details,
}

impl ApiError {
    fn new(status: StatusCode, kind: &'static str, message: impl ToString) -> ApiError {
        let (message, place) = (in_one_line(&message.to_string()), Place::default());
        let details = Box::new(Details { kind, message, field: None, place });
        ApiError { status, allow: None, details }
    }

    /// The body is not what was to be sent.
    pub(crate) fn json(error: &serde_json::Error) -> ApiError {
        let message = error.to_string();
        // The place is told by itself.
        let message = message.split(" at line ").next().unwrap_or(&message);
        let error = match (error.line(), error.column()) {
            (0, _) => return ApiError::new(StatusCode::BAD_REQUEST, "json", message),
            (line, column) => Place::new(line, column.max(1), 1),
        };
        ApiError::new(StatusCode::BAD_REQUEST, "json", message).at(error)
    }

    /// The value of a field means nothing.
    pub(crate) fn value(field: &'static str, message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "value", message).of(field)
    }

    /// The text of a field is no board.
    pub(crate) fn board(field: &'static str, error: &FormatError) -> ApiError {
        let place = Place::new(error.line(), error.column(), error.length());
        ApiError::new(StatusCode::BAD_REQUEST, "board", error.message()).of(field).at(place)
    }

    /// The text of a field is no sequence of moves.
    pub(crate) fn moves(field: &'static str, message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "moves", message).of(field)
    }

    /// Understood, and not to be done.
    pub(crate) fn refused(message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "refused", message)
    }

    pub(crate) fn strange_host() -> ApiError {
        let message = "this is not one of the server's names: see --allow-host";
        ApiError::new(StatusCode::FORBIDDEN, "host", message)
    }

    pub(crate) fn strange_origin() -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, "origin", "pages of others may not ask this server")
    }

    pub(crate) fn no_such_path() -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "path", "there is nothing here")
    }

    pub(crate) fn wrong_method(allow: &'static str) -> ApiError {
        let message = format!("this path takes another method: {allow}");
        let error = ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method", message);
        ApiError { allow: Some(allow), ..error }
    }

    pub(crate) fn slow() -> ApiError {
        ApiError::new(StatusCode::REQUEST_TIMEOUT, "slow", "the body did not come in time")
    }

    pub(crate) fn broken_body() -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "json", "the body ended before its end")
    }

    pub(crate) fn body_too_long(most: usize) -> ApiError {
        let message = format!("the body is longer than {most} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "body", message)
    }

    pub(crate) fn not_json() -> ApiError {
        let message = "the body is to be JSON, with Content-Type: application/json";
        ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "type", message)
    }

    pub(crate) fn busy() -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "too many jobs: come again")
    }

    pub(crate) fn overfull() -> ApiError {
        let message = "too much is held for others: come again";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    pub(crate) fn no_thread() -> ApiError {
        let message = "the system lets no more threads start: come again";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    pub(crate) fn closing() -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "closing", "the server is being shut down")
    }

    pub(crate) fn internal() -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "a mistake of the server")
    }

    /// Of this field.
    pub(crate) fn of(mut self, field: &'static str) -> ApiError {
        self.details.field = Some(field);
        self
    }

    /// At this place.
    pub(crate) fn at(mut self, place: Place) -> ApiError {
        self.details.place = place;
        self
    }

    pub(crate) fn record(&self) -> ErrorRecord<'_> {
        ErrorRecord { error: &self.details }
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.status == StatusCode::SERVICE_UNAVAILABLE
    }
}

/// A message that may quote anything, as words that can be shown.
fn in_one_line(message: &str) -> String {
    const MOST: usize = 360;
    let shown = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    match message.char_indices().nth(MOST) {
        Some((end, _)) => message[..end].chars().map(shown).chain(['…']).collect(),
        None => message.chars().map(shown).collect(),
    }
}

/// What keeps a buffer from taking more.
impl From<io::Error> for ApiError {
    fn from(error: io::Error) -> ApiError {
        match error.kind() {
            io::ErrorKind::QuotaExceeded => ApiError::overfull(),
            io::ErrorKind::FileTooLarge => ApiError::refused("the answer is too long"),
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
        /// Seconds until it is worth a try.
        const RETRY_AFTER: HeaderValue = HeaderValue::from_static("5");
        let body = serde_json::to_vec(&self.record()).unwrap_or_default();
        let content_type = [(header::CONTENT_TYPE, "application/json")];
        let mut response = (self.status, content_type, body).into_response();
        if self.is_busy() {
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
    fn messages_are_words_in_one_line_whatever_they_quote() {
        assert_eq!(in_one_line("tile 9 appears twice"), "tile 9 appears twice");
        assert_eq!(in_one_line("unknown field `\u{7f}a\nb`"), "unknown field `\u{fffd}a\u{fffd}b`");
        let long = in_one_line(&"é".repeat(100_000));
        assert!(long.chars().count() < 400 && long.ends_with('…'));
    }
}
