//! Answers that are on their way: a question is answered when the system has taken the last byte.
//!
//! What serves the connection lets go of an answer as soon as its last piece is queued, which for
//! most is the first. So it is the pieces that hold on to the question.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::Response;
use http_body::{Frame, SizeHint};

use crate::server::connections::Asking;

/// A response to a question that is asked until all of it is taken, or given up.
pub(crate) fn until_taken(response: Response, asking: Arc<Asking>) -> Response {
    response.map(|body| Body::new(Untaken { body, asking }))
}

struct Untaken {
    body: Body,
    asking: Arc<Asking>,
}

struct Piece {
    bytes: Bytes,
    _asking: Arc<Asking>,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl http_body::Body for Untaken {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        let piece = |bytes| Piece { bytes, _asking: Arc::clone(&self.asking) };
        let held = |frame: Frame<Bytes>| frame.map_data(|bytes| Bytes::from_owner(piece(bytes)));
        polled.map_ok(held)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
