//! `solve/stream`: the same with how it goes, as server-sent events.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use npuzzle::Plan;
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::solve::{SolveQuestion, SolveTask};
use super::{App, Understood, hear, held, understand};
use crate::error::ApiError;
use crate::jobs::{CancelOnDrop, Job, Kind};
use crate::watch::Told;

/// Events that may wait for somebody who is slow; what is more is left out, but for the last.
const MAX_WAITING: usize = 256;

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
    let (bytes, asking) = hear(&app, request).await?;
    let waits = CancelOnDrop::default();
    let task = match understand::<SolveQuestion>(&app, bytes, &waits.cancel()).await? {
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
        answering.count(&result);
        if let Err(error) = result {
            let data = serde_json::to_string(&error.record()).unwrap_or_default();
            let _ = sender.send(("error", data)).await;
        }
    });
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(5));
    let response = Sse::new(Events(receiver)).keep_alive(keep_alive).into_response();
    Ok(held(response, (asking, waits)))
}

fn solve(task: SolveTask, told: Sender<Told>, job: &mut Job) -> Result<(), ApiError> {
    if task.instance.is_solvable() {
        let plan = npuzzle::plan(&task.instance, &task.options)?;
        tell(&told, "plan", &plan_record(&plan));
    }
    job.watch.tell_to(told.clone());
    let record = task.record(job)?;
    if !job.watch.lacks_place() {
        tell(&told, "report", &record);
    }
    Ok(())
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
fn tell(told: &Sender<Told>, name: &'static str, record: &impl Serialize) {
    if let Ok(data) = serde_json::to_string(record) {
        let _ = told.blocking_send((name, data));
    }
}

/// What is told, as events.
struct Events(Receiver<Told>);

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Event, Infallible>>> {
        let event = |(name, data): Told| Ok(Event::default().event(name).data(data));
        self.0.poll_recv(context).map(|told| told.map(event))
    }
}
