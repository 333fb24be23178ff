//! The page's files, which are part of the program.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// A file of the folder `assets`.
struct Asset {
    /// With a slash in front.
    path: &'static str,
    /// Changes with the bytes.
    tag: &'static str,
    bytes: &'static [u8],
}

static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The file of this path. Nothing but the list is looked at, so there is no way out of it.
pub(crate) async fn asset(request: Request) -> Result<Response, ApiError> {
    let path = match request.uri().path() {
        "/" => "/index.html",
        path => path,
    };
    let asset =
        ASSETS.iter().find(|asset| asset.path == path).ok_or_else(ApiError::no_such_path)?;
    match *request.method() {
        Method::GET | Method::HEAD => Ok(asset.response(request.headers())),
        _ => Err(ApiError::wrong_method("GET, HEAD")),
    }
}

impl Asset {
    fn response(&self, headers: &HeaderMap) -> Response {
        let known = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
        let is_known = known.is_some_and(|tags| tags.split(',').any(|tag| tag.trim() == self.tag));
        let mut response = if is_known {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            Body::from(self.bytes).into_response()
        };
        let headers = response.headers_mut();
        headers.insert(header::ETAG, HeaderValue::from_static(self.tag));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(self.path)));
        response
    }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "gif" => "image/gif",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_have_a_type_and_there_is_a_page() {
        assert!(ASSETS.iter().any(|asset| asset.path == "/index.html"));
        for asset in ASSETS {
            assert_ne!(content_type(asset.path), "application/octet-stream", "{}", asset.path);
        }
    }
}
