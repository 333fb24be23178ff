//! The watch of a job: stops it, moves it to a long slot, and sends its progress.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use npuzzle::search::Cost;
use npuzzle::{Cancel, Limit, Stats, Watch};

use super::events::EventSender;
use super::slots::{Slot, Slots};

/// Stops a job when its client disconnects, the server shuts down, the time limit is reached, or no
/// long slot is free.
pub(crate) struct JobWatch {
    slots: Arc<Slots>,
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
        slots: Arc<Slots>,
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

    /// Limits the running time, counted from the start of the job.
    pub(super) fn set_time_limit(&mut self, time: Duration) {
        self.deadline = self.started.checked_add(time);
    }

    pub(super) fn send_events(&mut self, events: EventSender) {
        self.events = Some(events);
    }

    /// Whether the job was stopped because no long slot was free.
    pub(crate) fn lacks_slot(&self) -> bool {
        self.lacks_slot
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled() || self.slots.is_closing()
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

    fn elapsed_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn send_progress(&mut self, stats: &Stats) {
        let ms = self.elapsed_ms();
        if let Some(events) = &mut self.events {
            events.progress(stats.expanded, ms);
        }
    }
}

impl Watch for JobWatch {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        if let Some(events) = &mut self.events {
            events.set_bound(bound);
        }
        self.send_progress(stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        if let Some(events) = self.events.as_mut().filter(|_| stats.expanded > 0) {
            events.set_building(None);
        }
        self.send_progress(stats);
        self.check()
    }

    fn improved(&mut self, length: Cost, lower_bound: Cost) {
        let ms = self.elapsed_ms();
        if let Some(events) = &mut self.events {
            events.improved(length, lower_bound, ms);
        }
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        if let Some(events) = &mut self.events {
            events.set_building(Some(share));
        }
        self.send_progress(&Stats::default());
        self.check()
    }
}
