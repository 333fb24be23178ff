//! The watch of a job: stops it, moves it to a long slot, and sends its progress.

use std::fmt;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use npuzzle::search::Cost;
use npuzzle::{Cancel, Limit, Stats, Watch};
use npuzzle_api::{ExpectedTime, JobWatch as _};
use serde_json::Value;

use super::events::EventSender;
use super::slots::{JobSlots, Slot};
use super::thread_time::thread_time;

/// Stops a job when its client disconnects, the server shuts down, or the time limit is reached. A short search that takes too
/// long while others wait is paused until it gets a long slot, and stopped if it gets none.
pub(crate) struct JobWatch {
    slots: Arc<JobSlots>,
    cancel: Cancel,
    started: Instant,
    /// The processor time of the thread at the start.
    thread_time: Duration,
    deadline: Option<Instant>,
    short_time: Duration,
    /// Released when the watch is dropped. None while the job is paused.
    slot: Option<Slot>,
    lacks_slot: bool,
    events: Option<EventSender>,
}

impl JobWatch {
    pub(super) fn new(
        slots: Arc<JobSlots>,
        slot: Slot,
        short_time: Duration,
        cancel: Cancel,
    ) -> JobWatch {
        JobWatch {
            slots,
            cancel,
            started: Instant::now(),
            thread_time: thread_time(),
            deadline: None,
            short_time,
            slot: Some(slot),
            lacks_slot: false,
            events: None,
        }
    }

    pub(super) fn send_events(&mut self, events: EventSender) {
        self.events = Some(events);
    }

    /// Whether the job was stopped because it got no long slot.
    pub(crate) fn lacks_slot(&self) -> bool {
        self.lacks_slot
    }

    fn check(&mut self) -> ControlFlow<Limit> {
        if self.is_cancelled() || self.lacks_slot {
            return ControlFlow::Break(Limit::Interrupted);
        }
        self.leave_short_slot()?;
        if self.is_late() { ControlFlow::Break(Limit::Time) } else { ControlFlow::Continue(()) }
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The client, if the job has a short slot that another job waits for, and has used it long enough.
    fn client_to_leave(&self) -> Option<IpAddr> {
        let slot = self.slot.as_ref().filter(|slot| slot.kind == ExpectedTime::Short)?;
        let is_over_time = || thread_time().saturating_sub(self.thread_time) >= self.short_time;
        (self.slots.is_short_slot_wanted() && is_over_time()).then_some(slot.client)
    }

    /// Exchanges a short slot for a long one if necessary, unless too many searches wait for that.
    fn leave_short_slot(&mut self) -> ControlFlow<Limit> {
        let slots = Arc::clone(&self.slots);
        let Some(client) = self.client_to_leave() else { return ControlFlow::Continue(()) };
        let Some(pause) = slots.try_pause() else { return ControlFlow::Continue(()) };
        // Another short search starts.
        self.slot = None;
        let is_over = || self.is_cancelled() || self.is_late();
        let long = slots.pause_until_long(pause, client, is_over);
        self.lacks_slot = long.is_none() && !is_over();
        self.slot = long;
        if self.lacks_slot {
            return ControlFlow::Break(Limit::Interrupted);
        }
        ControlFlow::Continue(())
    }
}

impl npuzzle_api::JobWatch for JobWatch {
    fn set_time_limit(&mut self, time: Duration) {
        self.deadline = self.started.checked_add(time);
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled() || self.slots.is_closing()
    }

    fn send_event(&mut self, name: &str, record: &Value) {
        if let Some(events) = &mut self.events {
            events.send_event(name, record);
        }
    }
}

impl Watch for JobWatch {
    fn planned(
        &mut self,
        algorithm: &dyn fmt::Display,
        heuristic: Option<&dyn fmt::Display>,
        reason: &str,
    ) {
        if let Some(events) = &mut self.events {
            events.planned(algorithm, heuristic, reason);
        }
    }

    fn round(&mut self, bound: Cost, stats: &Stats) {
        if let Some(events) = &mut self.events {
            events.round(bound, stats);
        }
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        if let Some(events) = &mut self.events {
            events.poll(stats)?;
        }
        self.check()
    }

    fn improved(&mut self, length: Cost, lower_bound: Cost) {
        if let Some(events) = &mut self.events {
            events.improved(length, lower_bound);
        }
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        if let Some(events) = &mut self.events {
            events.building(share)?;
        }
        self.check()
    }
}
