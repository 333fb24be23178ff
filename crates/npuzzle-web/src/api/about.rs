//! What the server says of itself.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;

use super::{Answer, App, analyse, boards, trace};
use crate::error::ApiError;

/// The same as `docs/http.md`, for machines.
const OPENAPI: &str = include_str!("../../openapi.json");

#[derive(Serialize)]
struct VersionRecord {
    version: &'static str,
    schema: u32,
    limits: LimitsRecord,
}

#[derive(Serialize)]
struct LimitsRecord {
    body_bytes: usize,
    cells: usize,
    time_ms: u64,
    memory_bytes: u64,
    jobs: usize,
    analyse_cells: usize,
    trace_cells: usize,
    trace_steps: usize,
    moves: usize,
    boards: usize,
}

#[derive(Serialize)]
struct StatusRecord {
    running: usize,
    waiting: usize,
    done: u64,
    cancelled: u64,
    refused: u64,
    connections: usize,
}

pub(super) async fn version(State(app): State<Arc<App>>) -> Result<Answer, ApiError> {
    let limits = app.limits();
    let record = VersionRecord {
        version: env!("CARGO_PKG_VERSION"),
        schema: npuzzle::record::SCHEMA,
        limits: LimitsRecord {
            body_bytes: limits.body,
            cells: limits.cells,
            time_ms: limits.time.as_millis() as u64,
            memory_bytes: limits.memory,
            jobs: limits.jobs,
            analyse_cells: analyse::MAX_CELLS,
            trace_cells: trace::MAX_CELLS,
            trace_steps: trace::MAX_STEPS,
            moves: analyse::MAX_MOVES,
            boards: boards::MAX_BOARDS,
        },
    };
    Answer::json(&record, app.jobs.answers.buffer())
}

pub(super) async fn status(State(app): State<Arc<App>>) -> Result<Answer, ApiError> {
    let counts = &app.jobs.counts;
    let record = StatusRecord {
        running: counts.running.load(Ordering::Relaxed),
        waiting: counts.waiting.load(Ordering::Relaxed),
        done: counts.done.load(Ordering::Relaxed),
        cancelled: counts.cancelled.load(Ordering::Relaxed),
        refused: counts.refused.load(Ordering::Relaxed),
        connections: app.connections.len(),
    };
    Answer::json(&record, app.jobs.answers.buffer())
}

pub(super) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}
