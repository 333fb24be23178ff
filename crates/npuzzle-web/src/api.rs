//! The routes of the HTTP interface, one file each, and the path from a request to its response.

mod about;
mod stream;

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use npuzzle::Cancel;
use npuzzle_api::{AnswerKind, ExpectedTime, Operation, read_request};
use serde::Serialize;

use crate::app::App;
use crate::assets::asset;
use crate::budget::Buffer;
use crate::connections::{Client, InFlightRequest};
use crate::error::WebError;
use crate::host_check::check_host;
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
    post "/api/v1/solve" => handle,
    post "/api/v1/solve/stream" => stream::stream,
    post "/api/v1/read" => handle,
    post "/api/v1/analyse" => handle,
    post "/api/v1/losses" => handle,
    post "/api/v1/generate" => handle,
    post "/api/v1/check" => handle,
    post "/api/v1/trace" => handle,
    post "/api/v1/compare" => handle,
    post "/api/v1/render" => handle,
    post "/api/v1/compare/stream" => stream::stream,
    get "/api" => about::index,
    get "/api/v1/version" => about::version,
    get "/api/v1/status" => about::status,
    get "/api/v1/openapi.json" => about::openapi,
}

pub(crate) fn router(app: Arc<App>) -> Router {
    let hosts = Arc::clone(&app.allowed_hosts);
    let index = || get(about::index);
    routes()
        .route("/api/", index())
        .route("/api/v1", index())
        .route("/api/v1/", index())
        .fallback(asset)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(hosts, check_host))
        .with_state(app)
}

async fn wrong_method(uri: Uri) -> WebError {
    let is_post = ROUTES.contains(&("post", uri.path()));
    WebError::wrong_method(if is_post { "POST" } else { "GET, HEAD" })
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
    ) -> Result<ApiResponse, WebError> {
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

impl ApiResponse {
    /// The response of an operation that has written this body.
    fn new(answer: AnswerKind, body: Buffer) -> ApiResponse {
        let bytes = body.into_bytes();
        match answer {
            AnswerKind::Json => ApiResponse::Json(bytes),
            AnswerKind::File { content_type, name } => {
                ApiResponse::File { content_type, name, bytes }
            }
        }
    }
}

/// Handles a request; the last part of the path is its name.
async fn handle(State(app): State<Arc<App>>, request: Request) -> Result<Response, WebError> {
    let name = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
    let client = client_of(&request);
    let bytes = receive(&app, request).await?;
    let cancel_on_drop = CancelOnDrop::default();
    let response = respond(name, &app, client, bytes, &cancel_on_drop.cancel()).await;
    count(&app, response.as_ref().err());
    Ok(response?.into_response())
}

async fn respond(
    name: String,
    app: &App,
    client: IpAddr,
    bytes: Bytes,
    cancel: &Cancel,
) -> Result<ApiResponse, WebError> {
    /// The state of a request after its validation.
    enum Validated {
        /// It needed no search and has already run.
        Done(ApiResponse),
        Pending(Operation),
    }
    let validate = |operation: Operation, job: &mut JobContext| match operation.expected_time() {
        ExpectedTime::Instant => run(operation, job).map(Validated::Done),
        _ => Ok(Validated::Pending(operation)),
    };
    // The body counts until the end of the operation, which holds about as much memory.
    let validated = read_in_instant_slot(name, app, client, bytes.clone(), cancel, validate);
    let operation = match validated.await? {
        Validated::Done(response) => return Ok(response),
        Validated::Pending(operation) => operation,
    };
    let slot = app.jobs.slots.acquire(operation.expected_time(), client).await?;
    app.jobs.run(slot, cancel.clone(), move |job| run(operation, job)).await
}

/// Runs an operation.
fn run(operation: Operation, job: &mut JobContext) -> Result<ApiResponse, WebError> {
    let mut body = job.buffer();
    let answer = job.run(operation, &mut body)?;
    Ok(ApiResponse::new(answer, body))
}

/// The client of a request: the address at the other end of its connection.
fn client_of(request: &Request) -> IpAddr {
    let client = request.extensions().get::<Client>();
    client.map_or(Ipv4Addr::LOCALHOST.into(), |client| client.0)
}

/// Reads the body. From then on the connection is not idle, so it is not closed to make room.
async fn receive(app: &App, request: Request) -> Result<Bytes, WebError> {
    let in_flight = request.extensions().get::<Arc<InFlightRequest>>().cloned();
    let body = request::read_body(request, app.limits(), app.jobs.bodies.buffer()).await;
    if let Err(error) = &body
        && error.is_unavailable()
    {
        count(app, Some(error));
    }
    if let Some(in_flight) = in_flight {
        in_flight.mark_received();
    }
    body
}

/// Reads and checks a request, in a slot for jobs without a search.
async fn read_in_instant_slot<T: Send + 'static>(
    name: String,
    app: &App,
    client: IpAddr,
    bytes: Bytes,
    cancel: &Cancel,
    validate: impl FnOnce(Operation, &mut JobContext) -> Result<T, WebError> + Send + 'static,
) -> Result<T, WebError> {
    let slot = app.jobs.slots.acquire(ExpectedTime::Instant, client).await?;
    let jobs = Arc::clone(&app.jobs);
    let work = move |job: &mut JobContext| {
        validate(read_request(&name, &bytes, &jobs.limits.request)?, job)
    };
    app.jobs.run(slot, cancel.clone(), work).await
}

/// Counts a request as done or refused, depending on the error of its response.
fn count(app: &App, error: Option<&WebError>) {
    let counts = &app.jobs.counts;
    let count = match error {
        Some(error) if error.is_unavailable() => &counts.refused,
        _ => &counts.done,
    };
    count.fetch_add(1, Ordering::Relaxed);
}
