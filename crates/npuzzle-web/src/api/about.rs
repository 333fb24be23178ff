//! `version`, `status` and `openapi.json`: the server about itself.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;

use super::{ApiResponse, analyse, boards, trace};
use crate::app::App;
use crate::error::ApiError;

/// The machine-readable form of `docs/http.md`.
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

pub(super) async fn version(State(app): State<Arc<App>>) -> Result<ApiResponse, ApiError> {
    let limits = app.limits();
    let record = VersionRecord {
        version: env!("CARGO_PKG_VERSION"),
        schema: npuzzle::record::SCHEMA,
        limits: LimitsRecord {
            body_bytes: limits.max_body_bytes,
            cells: limits.max_cells,
            time_ms: limits.max_time.as_millis() as u64,
            memory_bytes: limits.max_memory,
            jobs: limits.jobs,
            analyse_cells: analyse::MAX_CELLS,
            trace_cells: trace::MAX_CELLS,
            trace_steps: trace::MAX_STEPS,
            moves: analyse::MAX_MOVES,
            boards: boards::MAX_BOARDS,
        },
    };
    ApiResponse::json(&record, app.jobs.responses.buffer())
}

pub(super) async fn status(State(app): State<Arc<App>>) -> Result<ApiResponse, ApiError> {
    let counts = &app.jobs.counts;
    let record = StatusRecord {
        running: counts.running.load(Ordering::Relaxed),
        waiting: app.jobs.slots.n_waiting(),
        done: counts.done.load(Ordering::Relaxed),
        cancelled: counts.cancelled.load(Ordering::Relaxed),
        refused: counts.refused.load(Ordering::Relaxed),
        connections: app.connections.len(),
    };
    ApiResponse::json(&record, app.jobs.responses.buffer())
}

pub(super) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}
