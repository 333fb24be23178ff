//! Server-sent events about a running search.

use std::io::{self, Write};

use axum::body::Bytes;
use npuzzle_api::SearchEvents;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc::Sender;

use crate::budget::{Buffer, ByteBudget};

/// Encodes a server-sent event: a name and a JSON object.
pub(crate) fn encode_event(
    name: &str,
    record: &impl Serialize,
    mut buffer: Buffer,
) -> io::Result<Bytes> {
    write!(buffer, "event: {name}\ndata: ")?;
    serde_json::to_writer(&mut buffer, record)?;
    buffer.write_all(b"\n\n")?;
    Ok(buffer.into_bytes())
}

/// Sends the progress of a search to a client.
pub(super) type EventSender = SearchEvents<Box<dyn FnMut(&str, &Value) + Send>>;

/// Sends events, or drops them if the client is too slow to receive them.
pub(super) fn event_sender(sender: Sender<Bytes>, responses: ByteBudget) -> EventSender {
    SearchEvents::new(Box::new(move |name, record| {
        if let Ok(event) = encode_event(name, record, responses.buffer()) {
            let _ = sender.try_send(event);
        }
    }))
}
