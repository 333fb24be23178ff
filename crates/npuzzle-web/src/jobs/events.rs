//! Server-sent events about a running search.

use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use npuzzle::search::Cost;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;

use crate::budget::{Buffer, ByteBudget};

/// The minimum time between two progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(150);

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
pub(super) struct EventSender {
    sender: Sender<Bytes>,
    responses: ByteBudget,
    last_progress: Instant,
    bound: Option<Cost>,
    /// The length of the best solution that was sent.
    best: Option<Cost>,
    /// The fraction of a table that has been built.
    building: Option<f64>,
}

impl EventSender {
    pub(super) fn new(sender: Sender<Bytes>, responses: ByteBudget) -> EventSender {
        let last_progress = Instant::now();
        EventSender { sender, responses, last_progress, bound: None, best: None, building: None }
    }

    pub(super) fn set_bound(&mut self, bound: Cost) {
        self.bound = Some(bound);
    }

    pub(super) fn set_building(&mut self, share: Option<f64>) {
        self.building = share.map(|share| (share * 1e3).round() / 1e3);
    }

    /// Sends the plan of the search.
    pub(super) fn planned(
        &mut self,
        algorithm: &dyn fmt::Display,
        heuristic: Option<&dyn fmt::Display>,
        reason: &str,
    ) {
        let algorithm = algorithm.to_string();
        let heuristic = heuristic.map(ToString::to_string);
        let engine = match &heuristic {
            Some(heuristic) => format!("{algorithm} with {heuristic}"),
            None => algorithm.clone(),
        };
        let record = json!({
            "engine": engine,
            "algorithm": algorithm,
            "heuristic": heuristic,
            "reason": reason,
        });
        self.send("plan", &record);
    }

    /// Sends a progress event unless the last one was sent only recently.
    pub(super) fn progress(&mut self, nodes: u64, ms: u64) {
        if self.last_progress.elapsed() >= PROGRESS_INTERVAL {
            self.last_progress = Instant::now();
            let (bound, building) = (self.bound, self.building);
            let record = json!({ "bound": bound, "nodes": nodes, "building": building, "ms": ms });
            self.send("progress", &record);
        }
    }

    /// Sends the length of a solution if it is shorter than those before.
    pub(super) fn improved(&mut self, length: Cost, lower_bound: Cost, ms: u64) {
        if self.best.is_none_or(|best| length < best) {
            self.best = Some(length);
            let lower_bound = self.bound.map_or(lower_bound, |bound| lower_bound.max(bound + 1));
            let record = json!({ "length": length, "lower_bound": lower_bound, "ms": ms });
            self.send("better", &record);
        }
    }

    /// Sends an event, or drops it if the client is too slow to receive it.
    fn send(&self, name: &str, record: &Value) {
        if let Ok(event) = encode_event(name, record, self.responses.buffer()) {
            let _ = self.sender.try_send(event);
        }
    }
}
