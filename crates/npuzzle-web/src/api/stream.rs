//! `solve/stream` and `compare/stream`: requests that report their progress as server-sent events.

use std::convert::Infallible;
use std::future::Future;
use std::io::Write;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use npuzzle_api::Operation;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Instant, Sleep, sleep};

use super::{client_of, count, read_in_instant_slot, receive};
use crate::app::App;
use crate::error::WebError;
use crate::jobs::events::encode_event;
use crate::jobs::{CancelOnDrop, JobContext};

/// The maximum number of events queued for a slow client. Further ones are dropped, except the last.
const MAX_QUEUED: usize = 256;

/// The time without an event after which a comment line keeps the connection alive.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// Handles a request and streams its events; the name of the request precedes `stream` in the path.
pub(super) async fn stream(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, WebError> {
    let name = request.uri().path().rsplit('/').nth(1).unwrap_or_default().to_owned();
    let client = client_of(&request);
    let bytes = receive(&app, request).await?;
    let cancel_on_drop = CancelOnDrop::default();
    let cancel = cancel_on_drop.cancel();
    let keep = |operation: Operation, _: &mut JobContext| Ok(operation);
    let operation = read_in_instant_slot(name, &app, client, bytes.clone(), &cancel, keep).await?;
    let slot = app.jobs.slots.acquire(operation.expected_time(), client).await;
    let slot = slot.inspect_err(|error| count(&app, Some(error)))?;
    let (sender, receiver) = channel(MAX_QUEUED);
    // The job is cancelled when the event stream, which owns `cancel_on_drop`, is dropped.
    tokio::spawn(async move {
        let events = sender.clone();
        let work = move |job: &mut JobContext| run(operation, events, job);
        let result = app.jobs.run(slot, cancel, work).await;
        drop(bytes);
        count(&app, result.as_ref().err());
        if let Err(error) = result
            && let Ok(event) = encode_event("error", &error.record(), app.jobs.responses.buffer())
        {
            let _ = sender.send(event).await;
        }
    });
    let headers =
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    let keep_alive = Box::pin(sleep(KEEP_ALIVE));
    let events = EventStream { receiver, keep_alive, _cancel_on_drop: cancel_on_drop };
    Ok((headers, Body::from_stream(events)).into_response())
}

/// Runs an operation. Its answer is the last event.
fn run(operation: Operation, events: Sender<Bytes>, job: &mut JobContext) -> Result<(), WebError> {
    job.send_events(events.clone());
    let mut event = job.buffer();
    event.write_all(b"event: report\ndata: ")?;
    job.run(operation, &mut event)?;
    event.write_all(b"\n\n")?;
    if !job.watch.lacks_slot() {
        // The report must not be dropped: this waits for a slow client, unless it has disconnected.
        let _ = events.blocking_send(event.into_bytes());
    }
    Ok(())
}

/// The events of a search, with comment lines when there are none for a while.
struct EventStream {
    receiver: Receiver<Bytes>,
    keep_alive: Pin<Box<Sleep>>,
    _cancel_on_drop: CancelOnDrop,
}

impl Stream for EventStream {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        let polled = match self.receiver.poll_recv(context) {
            Poll::Pending => {
                let expired = self.keep_alive.as_mut().poll(context);
                expired.map(|()| Some(Bytes::from_static(b":\n\n")))
            }
            polled => polled,
        };
        if polled.is_ready() {
            self.keep_alive.as_mut().reset(Instant::now() + KEEP_ALIVE);
        }
        polled.map(|event| event.map(Ok))
    }
}
