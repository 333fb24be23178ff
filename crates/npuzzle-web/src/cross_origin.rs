//! What pages of other sites may do: nothing, unless the operator of the server names their origin.

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::site_address::SiteOrigin;

/// The policy of the page, without the pages that may embed it. The page may load only its own files.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
     connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors";

/// The headers of responses that scripts of allowed origins may read.
const EXPOSED: HeaderValue = HeaderValue::from_static("Content-Disposition, Retry-After");

/// The origins whose pages may send requests and embed the page.
#[derive(Clone, Debug)]
pub(crate) struct AllowedOrigins {
    origins: Vec<SiteOrigin>,
    /// The value of `Content-Security-Policy`.
    policy: HeaderValue,
}

impl AllowedOrigins {
    pub(crate) fn new(origins: &[SiteOrigin]) -> AllowedOrigins {
        let names: Vec<&str> = origins.iter().map(SiteOrigin::as_str).collect();
        let embedders = if names.is_empty() { "'none'".to_owned() } else { names.join(" ") };
        // An origin has only characters that a header may contain.
        let policy = HeaderValue::from_str(&format!("{POLICY} {embedders}"))
            .unwrap_or(HeaderValue::from_static("default-src 'none'"));
        AllowedOrigins { origins: origins.to_vec(), policy }
    }

    pub(crate) fn contains(&self, origin: &HeaderValue) -> bool {
        self.origins.iter().any(|allowed| allowed.as_str().as_bytes() == origin.as_bytes())
    }

    /// Returns the origin of a request if it is allowed.
    pub(crate) fn of_request(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (Some(origin), None) if self.contains(origin) => Some(origin.clone()),
            _ => None,
        }
    }

    /// Adds the headers that tell a browser what other sites may do; `origin` is that of the request, if allowed.
    pub(crate) fn add_headers(&self, origin: Option<HeaderValue>, headers: &mut HeaderMap) {
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy.clone());
        if self.origins.is_empty() {
            // This older header cannot name an origin.
            headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
            return;
        }
        headers.insert(header::VARY, HeaderValue::from_static("Origin"));
        if let Some(origin) = origin {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
    }
}

/// Whether a browser asks for permission before it sends the request of a page of another site.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    *method == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a preflight request of an allowed origin.
pub(crate) fn permission() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type"),
        (header::ACCESS_CONTROL_MAX_AGE, "600"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}
