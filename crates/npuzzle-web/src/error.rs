//! Errors as HTTP responses: a status and a JSON object.

use std::io;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use npuzzle_api::{ApiError, ErrorKind, ErrorRecord};

/// The error response of a request.
#[derive(Clone, Debug)]
pub(crate) struct WebError {
    error: ApiError,
    /// The methods that the path accepts, if the request used another one.
    allow: Option<&'static str>,
}

impl WebError {
    fn new(kind: ErrorKind, message: impl ToString) -> WebError {
        ApiError::new(kind, message).into()
    }

    pub(crate) fn unknown_host() -> WebError {
        let message = "the Host header is not a name of this server: see --allow-host";
        WebError::new(ErrorKind::Host, message)
    }

    pub(crate) fn foreign_origin() -> WebError {
        WebError::new(ErrorKind::Origin, "requests from pages of other sites are not allowed")
    }

    pub(crate) fn unknown_path() -> WebError {
        WebError::new(ErrorKind::Path, "no such path")
    }

    pub(crate) fn wrong_method(allow: &'static str) -> WebError {
        let message = format!("the method is not allowed: use {allow}");
        WebError { allow: Some(allow), ..WebError::new(ErrorKind::Method, message) }
    }

    pub(crate) fn slow_body() -> WebError {
        WebError::new(ErrorKind::Slow, "the body did not arrive in time")
    }

    pub(crate) fn incomplete_body() -> WebError {
        WebError::new(ErrorKind::Json, "the body is incomplete")
    }

    pub(crate) fn body_too_long(max_bytes: usize) -> WebError {
        WebError::new(ErrorKind::Body, format!("the body is longer than {max_bytes} bytes"))
    }

    pub(crate) fn not_json() -> WebError {
        let message = "the body must be JSON: send Content-Type: application/json";
        WebError::new(ErrorKind::Type, message)
    }

    /// Too many jobs wait for a slot.
    pub(crate) fn queue_full(n_waiting: usize, expected_wait: Duration) -> WebError {
        ApiError::queue_full(n_waiting, expected_wait).into()
    }

    pub(crate) fn no_thread() -> WebError {
        WebError::new(ErrorKind::Busy, "the system cannot start a thread: try again later")
    }

    pub(crate) fn closing() -> WebError {
        ApiError::closing().into()
    }

    pub(crate) fn internal() -> WebError {
        ApiError::internal().into()
    }

    pub(crate) fn record(&self) -> ErrorRecord<'_> {
        self.error.record()
    }

    /// Whether the same request may succeed later.
    pub(crate) fn is_unavailable(&self) -> bool {
        self.error.is_unavailable()
    }
}

impl From<ApiError> for WebError {
    fn from(error: ApiError) -> WebError {
        WebError { error, allow: None }
    }
}

/// The errors of a `Buffer`.
impl From<io::Error> for WebError {
    fn from(error: io::Error) -> WebError {
        ApiError::from(error).into()
    }
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        /// Seconds, for errors that have no queue.
        const RETRY_AFTER: u64 = 5;
        let status = StatusCode::from_u16(self.error.kind().status())
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_vec(&self.record()).unwrap_or_default();
        let content_type = [(header::CONTENT_TYPE, "application/json")];
        let mut response = (status, content_type, body).into_response();
        if self.is_unavailable() {
            let seconds = self.error.retry_after_s().unwrap_or(RETRY_AFTER);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(allow) = self.allow {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
    }
}
