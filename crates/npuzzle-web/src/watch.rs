//! Watches a job: ends it when nobody waits for it or no place is left, and tells how it goes.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use npuzzle::search::Cost;
use npuzzle::{Cancel, Limit, Stats, Watch};
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::Sender;

use crate::budget::{Budget, Buffer};
use crate::jobs::Jobs;

/// Watches a job.
pub(crate) struct JobWatch {
    jobs: Arc<Jobs>,
    cancel: Cancel,
    started: Instant,
    deadline: Option<Instant>,
    /// Given back with the watch.
    place: OwnedSemaphorePermit,
    is_long: bool,
    lacks_place: bool,
    teller: Option<Teller>,
}

/// Something to tell while a job runs, as a server-sent event: a name and an object.
pub(crate) fn event(name: &str, record: &impl Serialize, mut buffer: Buffer) -> io::Result<Bytes> {
    write!(buffer, "event: {name}\ndata: ")?;
    serde_json::to_writer(&mut buffer, record)?;
    buffer.write_all(b"\n\n")?;
    Ok(buffer.into_bytes())
}

/// Tells how a search goes.
struct Teller {
    sender: Sender<Bytes>,
    answers: Budget,
    told: Instant,
    bound: Option<Cost>,
    /// The length of the best solution that was told.
    best: Option<Cost>,
    building: Option<f64>,
}

#[derive(Serialize)]
struct Progress {
    bound: Option<Cost>,
    nodes: u64,
    building: Option<f64>,
    ms: u64,
}

#[derive(Serialize)]
struct Better {
    length: Cost,
    lower_bound: Cost,
    ms: u64,
}

/// How often progress is told.
const TICK: Duration = Duration::from_millis(150);

impl JobWatch {
    pub(crate) fn new(jobs: Arc<Jobs>, cancel: Cancel, place: OwnedSemaphorePermit) -> JobWatch {
        JobWatch {
            jobs,
            cancel,
            started: Instant::now(),
            deadline: None,
            place,
            is_long: false,
            lacks_place: false,
            teller: None,
        }
    }

    pub(crate) fn end_after(&mut self, time: Duration) {
        self.deadline = self.started.checked_add(time);
    }

    pub(crate) fn tell_to(&mut self, sender: Sender<Bytes>) {
        let (answers, told) = (self.jobs.answers.clone(), Instant::now());
        let teller = Teller { sender, answers, told, bound: None, best: None, building: None };
        self.teller = Some(teller);
    }

    /// Whether it was ended for want of a place.
    pub(crate) fn lacks_place(&self) -> bool {
        self.lacks_place
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled() || self.jobs.is_closing()
    }

    fn look_around(&mut self) -> ControlFlow<Limit> {
        if self.is_cancelled() || self.lacks_place {
            return ControlFlow::Break(Limit::Interrupted);
        }
        let now = Instant::now();
        if !self.is_long && now - self.started > self.jobs.limits.short {
            match self.jobs.long_place() {
                Some(place) => (self.place, self.is_long) = (place, true),
                None => {
                    self.lacks_place = true;
                    return ControlFlow::Break(Limit::Interrupted);
                }
            }
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return ControlFlow::Break(Limit::Time);
        }
        ControlFlow::Continue(())
    }

    fn ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn tell_progress(&mut self, stats: &Stats) {
        let ms = self.ms();
        let Some(teller) = &mut self.teller else { return };
        if teller.told.elapsed() >= TICK {
            teller.told = Instant::now();
            let (bound, building) = (teller.bound, teller.building);
            teller.tell("progress", &Progress { bound, nodes: stats.expanded, building, ms });
        }
    }
}

impl Teller {
    /// Whoever does not listen misses something.
    fn tell(&self, name: &'static str, what: &impl Serialize) {
        if let Ok(event) = event(name, what, self.answers.buffer()) {
            let _ = self.sender.try_send(event);
        }
    }
}

impl Watch for JobWatch {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        if let Some(teller) = &mut self.teller {
            teller.bound = Some(bound);
        }
        self.tell_progress(stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        if let Some(teller) = self.teller.as_mut().filter(|_| stats.expanded > 0) {
            teller.building = None;
        }
        self.tell_progress(stats);
        self.look_around()
    }

    fn better(&mut self, length: Cost, lower_bound: Cost) {
        let ms = self.ms();
        let is_news = |teller: &&mut Teller| teller.best.is_none_or(|best| length < best);
        if let Some(teller) = self.teller.as_mut().filter(is_news) {
            teller.best = Some(length);
            let lower_bound = teller.bound.map_or(lower_bound, |bound| lower_bound.max(bound + 1));
            teller.tell("better", &Better { length, lower_bound, ms });
        }
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        if let Some(teller) = &mut self.teller {
            teller.building = Some((share * 1e3).round() / 1e3);
        }
        self.tell_progress(&Stats::default());
        self.look_around()
    }
}
