//! The progress of a search as named JSON objects.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use npuzzle::clock::Instant;
use npuzzle::search::Cost;
use npuzzle::{Limit, Stats, Watch};
use serde_json::{Value, json};

/// The minimum time between two progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(150);

/// A watch that sends the events of a search and never stops it.
pub struct SearchEvents<S> {
    /// Receives the name and the object of an event.
    send: S,
    started: Instant,
    last_progress: Instant,
    bound: Option<Cost>,
    /// The length of the best solution that was sent.
    best: Option<Cost>,
    /// The fraction of a table that has been built.
    building: Option<f64>,
}

impl<S: FnMut(&str, &Value)> SearchEvents<S> {
    /// Sends the events of a search that starts now.
    pub fn new(send: S) -> SearchEvents<S> {
        let now = Instant::now();
        SearchEvents {
            send,
            started: now,
            last_progress: now,
            bound: None,
            best: None,
            building: None,
        }
    }

    /// Sends an event that separates two searches of an operation: the progress after it is that of the next search.
    pub fn send_event(&mut self, name: &str, record: &Value) {
        (self.send)(name, record);
        self.started = Instant::now();
        (self.bound, self.best, self.building) = (None, None, None);
    }

    fn elapsed_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    /// Sends a progress event unless the last one was sent only recently.
    fn progress(&mut self, stats: &Stats) {
        if self.last_progress.elapsed() >= PROGRESS_INTERVAL {
            self.last_progress = Instant::now();
            let (bound, building, nodes) = (self.bound, self.building, stats.expanded);
            let ms = self.elapsed_ms();
            let record = json!({ "bound": bound, "nodes": nodes, "building": building, "ms": ms });
            (self.send)("progress", &record);
        }
    }
}

impl<S: FnMut(&str, &Value)> Watch for SearchEvents<S> {
    fn planned(
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
        (self.send)("plan", &record);
    }

    fn round(&mut self, bound: Cost, stats: &Stats) {
        self.bound = Some(bound);
        self.progress(stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        if stats.expanded > 0 {
            self.building = None;
        }
        self.progress(stats);
        ControlFlow::Continue(())
    }

    /// Sends the length of a solution if it is shorter than those before.
    fn improved(&mut self, length: Cost, lower_bound: Cost) {
        if self.best.is_none_or(|best| length < best) {
            self.best = Some(length);
            let lower_bound = self.bound.map_or(lower_bound, |bound| lower_bound.max(bound + 1));
            let ms = self.elapsed_ms();
            let record = json!({ "length": length, "lower_bound": lower_bound, "ms": ms });
            (self.send)("better", &record);
        }
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.building = Some((share * 1e3).round() / 1e3);
        self.progress(&Stats::default());
        ControlFlow::Continue(())
    }
}
