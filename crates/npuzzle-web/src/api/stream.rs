//! `solve/stream`: the same with how it goes, as server-sent events.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use npuzzle::search::Plan;
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Instant, Sleep, sleep};

use super::solve::{SolveQuestion, SolveTask};
use super::{App, Understood, hear, understand};
use crate::error::ApiError;
use crate::jobs::{CancelOnDrop, Job, Kind};
use crate::watch::event;

/// Events that may wait for somebody who is slow; what is more is left out, but for the last.
const MAX_WAITING: usize = 256;

/// After so long without an event something is said all the same.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

#[derive(Serialize)]
struct PlanRecord<'a> {
    engine: String,
    algorithm: String,
    heuristic: Option<String>,
    reason: &'a str,
}

/// Solves a board and tells how it goes.
pub(super) async fn stream(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, ApiError> {
    let bytes = hear(&app, request).await?;
    let waits = CancelOnDrop::default();
    let task = match understand::<SolveQuestion>(&app, bytes.clone(), &waits.cancel()).await? {
        Understood::Todo(task) => task,
        Understood::Answered(answer) => return Ok(answer.into_response()),
    };
    let place = app.jobs.place(Kind::Search).await.inspect_err(|_| {
        app.count(&Err::<(), _>(ApiError::busy()));
    })?;
    let (sender, receiver) = channel(MAX_WAITING);
    let cancel = waits.cancel();
    let answering = Arc::clone(&app);
    // It ends with the stream, which holds on to `waits`.
    tokio::spawn(async move {
        let told = sender.clone();
        let work = move |job: &mut Job| solve(task, told, job);
        let result = answering.jobs.run(place, cancel, work).await;
        drop(bytes);
        answering.count(&result);
        if let Err(error) = result
            && let Ok(event) = event("error", &error.record(), answering.jobs.answers.buffer())
        {
            let _ = sender.send(event).await;
        }
    });
    let headers =
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    let events = Events { receiver, silence: Box::pin(sleep(KEEP_ALIVE)), _waits: waits };
    Ok((headers, Body::from_stream(events)).into_response())
}

fn solve(task: SolveTask, told: Sender<Bytes>, job: &mut Job) -> Result<(), ApiError> {
    if task.instance.is_solvable() {
        let plan = npuzzle::search::plan(&task.instance, &task.options)?;
        tell(&told, "plan", &plan_record(&plan), job)?;
    }
    job.watch.tell_to(told.clone());
    let record = task.record(job)?;
    if job.watch.lacks_place() { Ok(()) } else { tell(&told, "report", &record, job) }
}

fn plan_record(plan: &Plan) -> PlanRecord<'_> {
    let heuristic = plan.engine.heuristic().map(|heuristic| heuristic.to_string());
    let algorithm = plan.algorithm.to_string();
    let engine = match &heuristic {
        Some(heuristic) => format!("{algorithm} with {heuristic}"),
        None => algorithm.clone(),
    };
    PlanRecord { engine, algorithm, heuristic, reason: &plan.reason }
}

/// Waits for somebody who is slow, and not for somebody who has gone.
fn tell(
    told: &Sender<Bytes>,
    name: &str,
    record: &impl Serialize,
    job: &Job,
) -> Result<(), ApiError> {
    let _ = told.blocking_send(event(name, record, job.buffer())?);
    Ok(())
}

/// What is told, and now and then a line that says nothing.
struct Events {
    receiver: Receiver<Bytes>,
    silence: Pin<Box<Sleep>>,
    _waits: CancelOnDrop,
}

impl Stream for Events {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        let told = match self.receiver.poll_recv(context) {
            Poll::Pending => {
                let silence = self.silence.as_mut().poll(context);
                silence.map(|()| Some(Bytes::from_static(b":\n\n")))
            }
            told => told,
        };
        if told.is_ready() {
            self.silence.as_mut().reset(Instant::now() + KEEP_ALIVE);
        }
        told.map(|told| told.map(Ok))
    }
}
