//! Response bodies that keep their request in flight until the last byte has been sent.
//!
//! Hyper drops a body as soon as its last chunk is queued for writing; most bodies have only one
//! chunk. Therefore each chunk also owns a reference to the request.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::Response;
use http_body::{Frame, SizeHint};

use crate::connections::InFlightRequest;

/// Keeps `request` in flight until `response` has been sent or abandoned.
pub(crate) fn hold_until_sent(response: Response, request: Arc<InFlightRequest>) -> Response {
    response.map(|body| Body::new(InFlightBody { body, request }))
}

struct InFlightBody {
    body: Body,
    request: Arc<InFlightRequest>,
}

struct InFlightChunk {
    bytes: Bytes,
    _request: Arc<InFlightRequest>,
}

impl AsRef<[u8]> for InFlightChunk {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl http_body::Body for InFlightBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        let chunk = |bytes| InFlightChunk { bytes, _request: Arc::clone(&self.request) };
        polled.map_ok(|frame| frame.map_data(|bytes| Bytes::from_owner(chunk(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
