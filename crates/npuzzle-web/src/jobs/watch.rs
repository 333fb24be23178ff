//! The watch of a job: stops it, moves it to a long slot, and sends its progress.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use npuzzle::search::Cost;
use npuzzle::{Cancel, Limit, Stats, Watch};
use npuzzle_api::JobWatch as _;
use serde_json::Value;

use super::events::EventSender;
use super::slots::{JobSlots, Slot};

/// Stops a job when its client disconnects, the server shuts down, the time limit is reached, or no
/// long slot is free.
pub(crate) struct JobWatch {
    slots: Arc<JobSlots>,
    cancel: Cancel,
    started: Instant,
    deadline: Option<Instant>,
    short_time: Duration,
    /// Released when the watch is dropped.
    slot: Slot,
    is_long: bool,
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
            deadline: None,
            short_time,
            slot,
            is_long: false,
            lacks_slot: false,
            events: None,
        }
    }

    pub(super) fn send_events(&mut self, events: EventSender) {
        self.events = Some(events);
    }

    /// Whether the job was stopped because no long slot was free.
    pub(crate) fn lacks_slot(&self) -> bool {
        self.lacks_slot
    }

    fn check(&mut self) -> ControlFlow<Limit> {
        if self.is_cancelled() || self.lacks_slot {
            return ControlFlow::Break(Limit::Interrupted);
        }
        let now = Instant::now();
        if !self.is_long && now - self.started > self.short_time {
            match self.slots.try_acquire_long() {
                Some(slot) => (self.slot, self.is_long) = (slot, true),
                None => {
                    self.lacks_slot = true;
                    return ControlFlow::Break(Limit::Interrupted);
                }
            }
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return ControlFlow::Break(Limit::Time);
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
