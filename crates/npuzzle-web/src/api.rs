//! The routes of the HTTP interface, one file each, and the path from a request to its response.

mod about;
mod analyse;
mod boards;
mod check;
mod compare;
mod render;
mod solve;
mod stream;
mod trace;

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use npuzzle::Cancel;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::assets::asset;
use crate::budget::Buffer;
use crate::config::ServerLimits;
use crate::connections::InFlightRequest;
use crate::error::ApiError;
use crate::host_check::check_host;
use crate::jobs::slots::JobKind;
use crate::jobs::{CancelOnDrop, JobContext};
use crate::request;

/// Defines the list of routes and the router from one table.
macro_rules! routes {
    ($($method:ident $path:literal => $handler:expr,)+) => {
        /// The method and the path of every route. Other paths are files of the page.
        pub const ROUTES: &[(&str, &str)] = &[$((stringify!($method), $path)),+];

        fn routes() -> Router<Arc<App>> {
            Router::new()$(.route($path, $method($handler)))+
        }
    };
}

routes! {
    post "/api/v1/solve" => handle::<solve::SolveRequest>,
    post "/api/v1/solve/stream" => stream::stream,
    post "/api/v1/read" => handle::<boards::ReadRequest>,
    post "/api/v1/analyse" => handle::<analyse::AnalyseRequest>,
    post "/api/v1/losses" => handle::<analyse::LossesRequest>,
    post "/api/v1/generate" => handle::<boards::GenerateRequest>,
    post "/api/v1/check" => handle::<check::CheckRequest>,
    post "/api/v1/trace" => handle::<trace::TraceRequest>,
    post "/api/v1/compare" => handle::<compare::CompareRequest>,
    post "/api/v1/render" => handle::<render::RenderRequest>,
    get "/api/v1/version" => about::version,
    get "/api/v1/status" => about::status,
    get "/api/v1/openapi.json" => about::openapi,
}

pub(crate) fn router(app: Arc<App>) -> Router {
    let hosts = Arc::clone(&app.allowed_hosts);
    routes()
        .fallback(asset)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(hosts, check_host))
        .with_state(app)
}

async fn wrong_method(uri: Uri) -> ApiError {
    let is_read_only = ROUTES.contains(&("get", uri.path()));
    ApiError::wrong_method(if is_read_only { "GET, HEAD" } else { "POST" })
}

/// The JSON body of a request.
pub(crate) trait ApiRequest: DeserializeOwned + Send + 'static {
    /// Checks and parses the fields.
    fn validate(self, limits: &ServerLimits) -> Result<Operation, ApiError>;
}

/// A valid request, ready to run.
pub(crate) struct Operation {
    /// Whether it takes only milliseconds and so may run in a quick slot.
    is_quick: bool,
    run: Box<RunJob>,
}

type RunJob = dyn FnOnce(&mut JobContext) -> Result<ApiResponse, ApiError> + Send;

impl Operation {
    pub(crate) fn new(
        is_quick: bool,
        run: impl FnOnce(&mut JobContext) -> Result<ApiResponse, ApiError> + Send + 'static,
    ) -> Operation {
        Operation { is_quick, run: Box::new(run) }
    }
}

/// The body of a successful response.
pub(crate) enum ApiResponse {
    Json(Bytes),
    File { content_type: &'static str, name: String, bytes: Bytes },
}

impl ApiResponse {
    pub(crate) fn json(
        record: &impl Serialize,
        mut buffer: Buffer,
    ) -> Result<ApiResponse, ApiError> {
        serde_json::to_writer(&mut buffer, record).map_err(io::Error::from)?;
        Ok(ApiResponse::Json(buffer.into_bytes()))
    }
}

impl IntoResponse for ApiResponse {
    fn into_response(self) -> Response {
        match self {
            ApiResponse::Json(bytes) => {
                ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
            }
            ApiResponse::File { content_type, name, bytes } => {
                let disposition = format!("attachment; filename=\"{name}\"");
                let content_type = (header::CONTENT_TYPE, content_type.to_owned());
                ([content_type, (header::CONTENT_DISPOSITION, disposition)], bytes).into_response()
            }
        }
    }
}

/// Handles a request of type `R`.
async fn handle<R: ApiRequest>(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, ApiError> {
    let bytes = receive(&app, request).await?;
    let cancel_on_drop = CancelOnDrop::default();
    let response = respond::<R>(&app, bytes, &cancel_on_drop.cancel()).await;
    count(&app, &response);
    Ok(response?.into_response())
}

async fn respond<R: ApiRequest>(
    app: &App,
    bytes: Bytes,
    cancel: &Cancel,
) -> Result<ApiResponse, ApiError> {
    /// The state of a request after its validation.
    enum Validated {
        /// It was quick and has already run.
        Done(ApiResponse),
        Pending(Operation),
    }
    let validate = |request: R, limits: &ServerLimits, job: &mut JobContext| {
        let operation = request.validate(limits)?;
        match operation.is_quick {
            true => (operation.run)(job).map(Validated::Done),
            false => Ok(Validated::Pending(operation)),
        }
    };
    // The body counts until the end of the operation, which holds about as much memory.
    let operation = match parse_in_quick_slot(app, bytes.clone(), cancel, validate).await? {
        Validated::Done(response) => return Ok(response),
        Validated::Pending(operation) => operation,
    };
    let slot = app.jobs.slots.acquire(JobKind::Search).await?;
    app.jobs.run(slot, cancel.clone(), move |job| (operation.run)(job)).await
}

/// Reads the body. From then on the connection is not idle, so it is not closed to make room.
async fn receive(app: &App, request: Request) -> Result<Bytes, ApiError> {
    let in_flight = request.extensions().get::<Arc<InFlightRequest>>().cloned();
    let body = request::read_body(request, app.limits(), app.jobs.bodies.buffer()).await;
    if body.as_ref().is_err_and(ApiError::is_unavailable) {
        count(app, &body);
    }
    if let Some(in_flight) = in_flight {
        in_flight.mark_received();
    }
    body
}

/// Parses a JSON object. Serde would also accept an array of the field values; that is rejected,
/// because its meaning would change when a field is added.
fn parse<R: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<R> {
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(bytes)?;
    }
    serde_json::from_slice(bytes)
}

/// Parses a request and validates it, in a quick slot.
async fn parse_in_quick_slot<R: DeserializeOwned, T: Send + 'static>(
    app: &App,
    bytes: Bytes,
    cancel: &Cancel,
    validate: impl FnOnce(R, &ServerLimits, &mut JobContext) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let slot = app.jobs.slots.acquire(JobKind::Quick).await?;
    let jobs = Arc::clone(&app.jobs);
    let work = move |job: &mut JobContext| {
        let request = parse(&bytes).map_err(|error| ApiError::json(&error))?;
        validate(request, &jobs.limits, job)
    };
    app.jobs.run(slot, cancel.clone(), work).await
}

/// Counts a request as done or refused.
fn count<T>(app: &App, response: &Result<T, ApiError>) {
    let counts = &app.jobs.counts;
    match response {
        Err(error) if error.is_unavailable() => counts.refused.fetch_add(1, Ordering::Relaxed),
        _ => counts.done.fetch_add(1, Ordering::Relaxed),
    };
}
