//! Reads the body of a request.

use std::io::Write;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;

use crate::budget::Buffer;
use crate::config::ServerLimits;
use crate::error::WebError;

/// The maximum number of bytes of a rejected body that are read and discarded. Most clients send the
/// whole body before they read the response.
const MAX_DISCARDED_BYTES: usize = 64 << 20;

/// Reads a body that is declared as JSON, within the limits of size and time.
pub(crate) async fn read_body(
    request: Request,
    limits: &ServerLimits,
    buffer: Buffer,
) -> Result<Bytes, WebError> {
    let (head, body) = request.into_parts();
    if !is_json(&head.headers) {
        return Err(WebError::not_json());
    }
    let mut collected = Ok(buffer);
    let n_announced = body.size_hint().lower();
    if n_announced > limits.max_body_bytes as u64 {
        let error = WebError::body_too_long(limits.max_body_bytes);
        // A client that sent `Expect: 100-continue` reads the response before it sends the body.
        if n_announced > MAX_DISCARDED_BYTES as u64 || head.headers.contains_key(header::EXPECT) {
            return Err(error);
        }
        collected = Err(error);
    }
    let reading = collect(body, limits.max_body_bytes, &mut collected);
    let in_time = tokio::time::timeout(limits.read_timeout, reading).await;
    // A body that is both too long and too slow is reported as too long.
    let buffer = collected?;
    in_time.unwrap_or_else(|_| Err(WebError::slow_body()))?;
    Ok(buffer.into_bytes())
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = content_type.and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

/// Reads a body to its end. Its bytes are appended to `collected`, or discarded after an error.
async fn collect(
    mut body: Body,
    max_bytes: usize,
    collected: &mut Result<Buffer, WebError>,
) -> Result<(), WebError> {
    let mut n_bytes = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| WebError::incomplete_body())?;
        let Ok(data) = frame.into_data() else { continue };
        n_bytes += data.len();
        if n_bytes > max_bytes {
            *collected = Err(WebError::body_too_long(max_bytes));
            if n_bytes > MAX_DISCARDED_BYTES {
                break;
            }
        } else if let Ok(buffer) = collected
            && let Err(error) = buffer.write_all(&data)
        {
            *collected = Err(error.into());
        }
    }
    Ok(())
}
