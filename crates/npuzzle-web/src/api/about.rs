//! `version`, `status` and `openapi.json`: information about the server.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde_json::json;

use super::{ApiResponse, analyse, boards, trace};
use crate::app::App;
use crate::error::ApiError;

/// The machine-readable form of `docs/http.md`.
const OPENAPI: &str = include_str!("../../openapi.json");

pub(super) async fn version(State(app): State<Arc<App>>) -> Result<ApiResponse, ApiError> {
    let limits = app.limits();
    let record = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "schema": npuzzle::record::SCHEMA,
        "limits": {
            "body_bytes": limits.max_body_bytes,
            "cells": limits.max_cells,
            "time_ms": limits.max_time.as_millis() as u64,
            "memory_bytes": limits.max_memory,
            "jobs": limits.jobs,
            "analyse_cells": analyse::MAX_CELLS,
            "trace_cells": trace::MAX_CELLS,
            "trace_steps": trace::MAX_STEPS,
            "moves": analyse::MAX_MOVES,
            "boards": boards::MAX_BOARDS,
        },
    });
    ApiResponse::json(&record, app.jobs.responses.buffer())
}

pub(super) async fn status(State(app): State<Arc<App>>) -> Result<ApiResponse, ApiError> {
    let counts = &app.jobs.counts;
    let record = json!({
        "running": counts.running.load(Ordering::Relaxed),
        "waiting": app.jobs.slots.n_waiting(),
        "done": counts.done.load(Ordering::Relaxed),
        "cancelled": counts.cancelled.load(Ordering::Relaxed),
        "refused": counts.refused.load(Ordering::Relaxed),
        "connections": app.connections.len(),
    });
    ApiResponse::json(&record, app.jobs.responses.buffer())
}

pub(super) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}
