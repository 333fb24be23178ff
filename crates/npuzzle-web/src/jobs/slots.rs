//! Slots, which bound the number of jobs that run at once.
//!
//! There are three kinds. Parsing, drawing and table lookups take a *quick* slot. A search starts
//! in a *short* slot, in the order of arrival. After [`ServerLimits::short_time`] it must move to a *long*
//! slot, and is stopped if none is free. So long searches never block short ones, and searches never
//! block quick jobs.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::ServerLimits;
use crate::error::WebError;

/// All slots.
#[derive(Debug)]
pub(crate) struct JobSlots {
    quick: Arc<Semaphore>,
    short: Arc<Semaphore>,
    long: Arc<Semaphore>,
    is_closing: AtomicBool,
    n_waiting: AtomicUsize,
    max_waiting: usize,
    timeout: Duration,
}

/// The kinds of jobs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum JobKind {
    Quick,
    Search,
}

/// A slot that a job occupies until it is dropped.
pub(crate) struct Slot {
    pub(super) kind: JobKind,
    _permit: OwnedSemaphorePermit,
}

impl JobSlots {
    pub(super) fn new(limits: &ServerLimits) -> JobSlots {
        let semaphore = |n| Arc::new(Semaphore::new(n));
        JobSlots {
            quick: semaphore(limits.jobs),
            short: semaphore(limits.jobs),
            long: semaphore(limits.long_jobs),
            is_closing: AtomicBool::new(false),
            n_waiting: AtomicUsize::new(0),
            max_waiting: limits.max_waiting,
            timeout: limits.slot_timeout,
        }
    }

    /// Grants no more slots and tells running jobs to stop.
    pub(super) fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
        for slots in [&self.quick, &self.short, &self.long] {
            slots.close();
        }
    }

    pub(super) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// Returns the number of jobs that wait for a slot.
    pub(crate) fn n_waiting(&self) -> usize {
        self.n_waiting.load(Ordering::Relaxed)
    }

    /// Waits for a slot. Fails if too many jobs wait already, or after a timeout.
    pub(crate) async fn acquire(&self, kind: JobKind) -> Result<Slot, WebError> {
        let slots = match kind {
            JobKind::Quick => &self.quick,
            JobKind::Search => &self.short,
        };
        let permit = match Arc::clone(slots).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => self.wait_for(slots).await?,
        };
        Ok(Slot { kind, _permit: permit })
    }

    async fn wait_for(&self, slots: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, WebError> {
        let _waiting = CountGuard::new(&self.n_waiting);
        if self.n_waiting() > self.max_waiting {
            return Err(WebError::no_slot());
        }
        let acquired = Arc::clone(slots).acquire_owned();
        match tokio::time::timeout(self.timeout, acquired).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) => Err(WebError::closing()),
            Err(_) => Err(WebError::no_slot()),
        }
    }

    /// Returns a slot for a search that has become long, if one is free.
    pub(super) fn try_acquire_long(&self) -> Option<Slot> {
        let permit = Arc::clone(&self.long).try_acquire_owned().ok()?;
        Some(Slot { kind: JobKind::Search, _permit: permit })
    }
}

/// Increments a counter, and decrements it again when dropped.
pub(super) struct CountGuard<C: Deref<Target = AtomicUsize>>(C);

impl<C: Deref<Target = AtomicUsize>> CountGuard<C> {
    pub(super) fn new(count: C) -> CountGuard<C> {
        count.fetch_add(1, Ordering::Relaxed);
        CountGuard(count)
    }
}

impl<C: Deref<Target = AtomicUsize>> Drop for CountGuard<C> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
