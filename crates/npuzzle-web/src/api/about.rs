//! Information about the server and its interface.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use npuzzle_api::limits_record;
use serde_json::json;

use super::{ApiResponse, ROUTES};
use crate::app::App;
use crate::error::WebError;
use crate::site_address::PageAddress;

/// The machine-readable form of `docs/http.md`.
const OPENAPI: &str = include_str!("../../openapi.json");

/// A list of the routes, for people who try an address below the interface.
pub(super) async fn index(State(app): State<Arc<App>>) -> Result<ApiResponse, WebError> {
    let route =
        |(method, path): &(&str, &str)| json!({ "method": method.to_uppercase(), "path": path });
    let record = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "description": "/api/v1/openapi.json",
        "routes": ROUTES.iter().map(route).collect::<Vec<_>>(),
    });
    ApiResponse::json(&record, app.jobs.responses.buffer())
}

pub(super) async fn version(State(app): State<Arc<App>>) -> Result<ApiResponse, WebError> {
    let limits = app.limits();
    let mut request_limits = limits_record(&limits.request);
    request_limits["body_bytes"] = limits.max_body_bytes.into();
    request_limits["jobs"] = limits.jobs.into();
    let record = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "schema": npuzzle::record::SCHEMA,
        "limits": request_limits,
        "public_address": app.public_address.as_ref().map(PageAddress::as_str),
    });
    ApiResponse::json(&record, app.jobs.responses.buffer())
}

pub(super) async fn status(State(app): State<Arc<App>>) -> Result<ApiResponse, WebError> {
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
