//! What can be asked, one file each, and the way from a question to its answer.

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

use crate::assets::asset;
use crate::budget::Buffer;
use crate::config::{Config, Limits};
use crate::error::ApiError;
use crate::host_check::{Names, guard};
use crate::jobs::{CancelOnDrop, Job, Jobs, Kind};
use crate::request;
use crate::server::connections::{Asking, Connections};

/// What all connections share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) names: Names,
    pub(crate) connections: Arc<Connections>,
}

impl App {
    pub(crate) fn new(config: Config) -> App {
        App {
            names: Names::new(config.host, &config.allowed_hosts),
            jobs: Arc::new(Jobs::new(config.limits, config.store)),
            connections: Arc::default(),
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.jobs.limits
    }
}

/// The routes, each written once.
macro_rules! routes {
    ($($method:ident $path:literal => $handler:expr,)+) => {
        /// Method and path of everything that can be asked; all else is a file of the page.
        pub const ROUTES: &[(&str, &str)] = &[$((stringify!($method), $path)),+];

        fn routes() -> Router<Arc<App>> {
            Router::new()$(.route($path, $method($handler)))+
        }
    };
}

routes! {
    post "/api/v1/solve" => ask::<solve::SolveQuestion>,
    post "/api/v1/solve/stream" => stream::stream,
    post "/api/v1/read" => ask::<boards::ReadQuestion>,
    post "/api/v1/analyse" => ask::<analyse::AnalyseQuestion>,
    post "/api/v1/losses" => ask::<analyse::LossesQuestion>,
    post "/api/v1/generate" => ask::<boards::GenerateQuestion>,
    post "/api/v1/check" => ask::<check::CheckQuestion>,
    post "/api/v1/trace" => ask::<trace::TraceQuestion>,
    post "/api/v1/compare" => ask::<compare::CompareQuestion>,
    post "/api/v1/render" => ask::<render::RenderQuestion>,
    get "/api/v1/version" => about::version,
    get "/api/v1/status" => about::status,
    get "/api/v1/openapi.json" => about::openapi,
}

pub(crate) fn router(app: Arc<App>) -> Router {
    routes()
        .fallback(asset)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

async fn wrong_method(uri: Uri) -> ApiError {
    let is_read = ROUTES.contains(&("get", uri.path()));
    ApiError::wrong_method(if is_read { "GET, HEAD" } else { "POST" })
}

/// The body of a question.
pub(crate) trait Question: DeserializeOwned + Send + 'static {
    type Task: Task;

    /// What is to be done, or what is wrong with it.
    fn understand(self, limits: &Limits) -> Result<Self::Task, ApiError>;
}

/// What is to be done.
pub(crate) trait Task: Send + 'static {
    /// Whether it takes milliseconds.
    fn is_quick(&self) -> bool;

    fn run(self, job: &mut Job) -> Result<Answer, ApiError>;
}

/// What is sent.
pub(crate) enum Answer {
    Json(Bytes),
    File { content_type: &'static str, name: &'static str, bytes: Bytes },
}

impl Answer {
    pub(crate) fn json(record: &impl Serialize, mut buffer: Buffer) -> Result<Answer, ApiError> {
        serde_json::to_writer(&mut buffer, record).map_err(io::Error::from)?;
        Ok(Answer::Json(buffer.into_bytes()))
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        match self {
            Answer::Json(bytes) => {
                ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
            }
            Answer::File { content_type, name, bytes } => {
                let disposition = format!("attachment; filename=\"{name}\"");
                let content_type = (header::CONTENT_TYPE, content_type.to_owned());
                ([content_type, (header::CONTENT_DISPOSITION, disposition)], bytes).into_response()
            }
        }
    }
}

/// What is left of a question that has been read and understood.
enum Understood<T> {
    Answered(Answer),
    Todo(T),
}

/// Answers a question.
async fn ask<Q: Question>(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, ApiError> {
    let bytes = hear(&app, request).await?;
    let waits = CancelOnDrop::default();
    let answer = answer::<Q>(&app, bytes, &waits.cancel()).await;
    app.count(&answer);
    Ok(answer?.into_response())
}

async fn answer<Q: Question>(app: &App, bytes: Bytes, cancel: &Cancel) -> Result<Answer, ApiError> {
    // The bytes count until all is done: what is made of them takes as much.
    let task = match understand::<Q>(app, bytes.clone(), cancel).await? {
        Understood::Answered(answer) => return Ok(answer),
        Understood::Todo(task) => task,
    };
    let place = app.jobs.place(Kind::Search).await?;
    app.jobs.run(place, cancel.clone(), move |job| task.run(job)).await
}

/// Reads the body; from then on the connection is not to be closed to make room for others.
async fn hear(app: &App, request: Request) -> Result<Bytes, ApiError> {
    let asking = request.extensions().get::<Arc<Asking>>().cloned();
    let heard = request::body(request, app.limits(), app.jobs.bodies.buffer()).await;
    if heard.as_ref().is_err_and(ApiError::is_busy) {
        app.count(&heard);
    }
    if let Some(asking) = asking {
        asking.is_heard();
    }
    heard
}

/// A question that is an object. Serde would take a list of its fields' values as well, which nobody
/// should rely on: fields are added.
fn read<Q: Question>(bytes: &[u8]) -> serde_json::Result<Q> {
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(bytes)?;
    }
    serde_json::from_slice(bytes)
}

/// Understands a question, and answers it if that is quickly done.
async fn understand<Q: Question>(
    app: &App,
    bytes: Bytes,
    cancel: &Cancel,
) -> Result<Understood<Q::Task>, ApiError> {
    let place = app.jobs.place(Kind::Quick).await?;
    let jobs = Arc::clone(&app.jobs);
    let work = move |job: &mut Job| {
        let question: Q = read(&bytes).map_err(|error| ApiError::json(&error))?;
        let task = question.understand(&jobs.limits)?;
        if task.is_quick() {
            task.run(job).map(Understood::Answered)
        } else {
            Ok(Understood::Todo(task))
        }
    };
    app.jobs.run(place, cancel.clone(), work).await
}

impl App {
    fn count<T>(&self, answer: &Result<T, ApiError>) {
        let counts = &self.jobs.counts;
        match answer {
            Err(error) if error.is_busy() => counts.refused.fetch_add(1, Ordering::Relaxed),
            _ => counts.done.fetch_add(1, Ordering::Relaxed),
        };
    }
}
