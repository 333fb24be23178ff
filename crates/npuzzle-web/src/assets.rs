//! The files of the page, which are embedded in the program.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::WebError;

/// A file of the folder `assets`, as listed by `build.rs`.
struct Asset {
    /// The path below the folder, with a leading slash.
    path: &'static str,
    /// The entity tag: a quoted hash of the bytes.
    tag: &'static str,
    bytes: &'static [u8],
}

static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Serves the file of the requested path. Paths are only compared with the list of embedded files,
/// so no path reaches another file.
pub(crate) async fn asset(request: Request) -> Result<Response, WebError> {
    let path = match request.uri().path() {
        "/" => "/index.html",
        path => path,
    };
    let asset =
        ASSETS.iter().find(|asset| asset.path == path).ok_or_else(WebError::unknown_path)?;
    match *request.method() {
        Method::GET | Method::HEAD => Ok(asset.response(request.headers())),
        _ => Err(WebError::wrong_method("GET, HEAD")),
    }
}

impl Asset {
    fn response(&self, headers: &HeaderMap) -> Response {
        let cached_tags = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
        let is_cached =
            cached_tags.is_some_and(|tags| tags.split(',').any(|tag| tag.trim() == self.tag));
        let mut response = if is_cached {
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
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
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
    fn assets_include_the_page_and_all_have_a_content_type() {
        assert!(ASSETS.iter().any(|asset| asset.path == "/index.html"));
        for asset in ASSETS {
            assert_ne!(content_type(asset.path), "application/octet-stream", "{}", asset.path);
        }
    }
}
