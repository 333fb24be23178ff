//! Slots, which bound the number of jobs that run at once.
//!
//! The expected time of an operation selects the kind of its slot. Parsing, drawing and table lookups take an *instant*
//! slot, searches of easy boards a *short* slot, both in the order of arrival. Other searches take a [*long*
//! slot](super::long_slots), for which clients take turns. A search in a short slot that exceeds
//! [`ServerLimits::short_time`] while others wait leaves it and pauses until it gets a long one, unless too many are
//! paused. So long searches never block short ones, and searches never block instant jobs.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use npuzzle_api::ExpectedTime;
use tokio::sync::oneshot::error::TryRecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::long_slots::{LongSlot, LongSlots};
use crate::config::ServerLimits;
use crate::error::WebError;

/// The time that a job occupies an instant or a short slot, as an estimate for clients.
const SHORT_ESTIMATE: Duration = Duration::from_millis(100);

/// All slots.
#[derive(Debug)]
pub(crate) struct JobSlots {
    instant: Arc<Semaphore>,
    short: Arc<Semaphore>,
    long: Arc<LongSlots>,
    n_short: usize,
    is_closing: AtomicBool,
    /// The number of jobs that wait for any slot.
    n_waiting: AtomicUsize,
    /// Those that wait for a short one, and for a long one.
    n_waiting_for_short: AtomicUsize,
    n_waiting_for_long: AtomicUsize,
    n_paused: AtomicUsize,
    max_waiting: usize,
    max_paused: usize,
    timeout: Duration,
}

/// A slot that a job occupies until it is dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(super) kind: ExpectedTime,
    pub(super) client: IpAddr,
    _permit: Permit,
}

#[derive(Debug)]
enum Permit {
    Unordered { _permit: OwnedSemaphorePermit },
    Long { _slot: LongSlot },
}

impl JobSlots {
    pub(super) fn new(limits: &ServerLimits) -> JobSlots {
        let semaphore = || Arc::new(Semaphore::new(limits.jobs));
        JobSlots {
            instant: semaphore(),
            short: semaphore(),
            long: Arc::new(LongSlots::new(limits.long_jobs, limits.long_jobs_per_client)),
            n_short: limits.jobs.max(1),
            is_closing: AtomicBool::new(false),
            n_waiting: AtomicUsize::new(0),
            n_waiting_for_short: AtomicUsize::new(0),
            n_waiting_for_long: AtomicUsize::new(0),
            n_paused: AtomicUsize::new(0),
            max_waiting: limits.max_waiting,
            max_paused: limits.max_paused,
            timeout: limits.slot_timeout,
        }
    }

    /// Grants no more slots and tells running jobs to stop.
    pub(super) fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
        self.instant.close();
        self.short.close();
        self.long.close();
    }

    pub(super) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// Returns the number of jobs that wait for a slot.
    pub(crate) fn n_waiting(&self) -> usize {
        self.n_waiting.load(Ordering::Relaxed)
    }

    /// Whether a job waits for a short slot.
    pub(super) fn is_short_slot_wanted(&self) -> bool {
        self.n_waiting_for_short.load(Ordering::Relaxed) > 0
    }

    /// The error of a job for which no slot is free, with the length of the queue and the expected wait.
    pub(super) fn no_slot(&self, kind: ExpectedTime) -> WebError {
        if kind == ExpectedTime::Long {
            let n_waiting = self.n_waiting_for_long.load(Ordering::Relaxed);
            return WebError::queue_full(n_waiting, self.long.expected_wait(n_waiting));
        }
        let n_waiting = self.n_waiting();
        let wait = SHORT_ESTIMATE * u32::try_from(n_waiting / self.n_short).unwrap_or(u32::MAX);
        WebError::queue_full(n_waiting, wait)
    }

    /// Waits for a slot. Fails if too many jobs wait already, or after a timeout.
    pub(crate) async fn acquire(
        &self,
        kind: ExpectedTime,
        client: IpAddr,
    ) -> Result<Slot, WebError> {
        let permit = match kind {
            ExpectedTime::Instant => self.acquire_unordered(kind, &self.instant).await?,
            ExpectedTime::Short => {
                let _wanted = CountGuard::new(&self.n_waiting_for_short);
                self.acquire_unordered(kind, &self.short).await?
            }
            ExpectedTime::Long => {
                let mut receiver = self.long.request(client);
                let slot = match receiver.try_recv() {
                    Ok(slot) => slot,
                    Err(_) => {
                        let _wanted = CountGuard::new(&self.n_waiting_for_long);
                        self.wait_for(kind, receiver).await?
                    }
                };
                Permit::Long { _slot: slot }
            }
        };
        Ok(Slot { kind, client, _permit: permit })
    }

    async fn acquire_unordered(
        &self,
        kind: ExpectedTime,
        slots: &Arc<Semaphore>,
    ) -> Result<Permit, WebError> {
        let permit = match Arc::clone(slots).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => self.wait_for(kind, Arc::clone(slots).acquire_owned()).await?,
        };
        Ok(Permit::Unordered { _permit: permit })
    }

    /// Waits for a slot, which fails only when the slots are closed.
    async fn wait_for<S, E>(
        &self,
        kind: ExpectedTime,
        slot: impl Future<Output = Result<S, E>>,
    ) -> Result<S, WebError> {
        let _waiting = CountGuard::new(&self.n_waiting);
        if self.n_waiting() > self.max_waiting {
            return Err(self.no_slot(kind));
        }
        match tokio::time::timeout(self.timeout, slot).await {
            Ok(Ok(slot)) => Ok(slot),
            Ok(Err(_)) => Err(WebError::closing()),
            Err(_) => Err(self.no_slot(kind)),
        }
    }

    /// Waits on the current thread for a long slot, for a search that takes longer than expected. Fails after the timeout, or
    /// if `is_over` becomes true.
    pub(super) fn pause_until_long(
        &self,
        _pause: Pause<'_>,
        client: IpAddr,
        is_over: impl Fn() -> bool,
    ) -> Option<Slot> {
        const STEP: Duration = Duration::from_millis(5);
        let _waiting = CountGuard::new(&self.n_waiting);
        let _wanted = CountGuard::new(&self.n_waiting_for_long);
        let mut receiver = self.long.request(client);
        let started = Instant::now();
        loop {
            match receiver.try_recv() {
                Ok(slot) => {
                    let permit = Permit::Long { _slot: slot };
                    return Some(Slot { kind: ExpectedTime::Long, client, _permit: permit });
                }
                Err(TryRecvError::Empty) if started.elapsed() < self.timeout && !is_over() => {}
                Err(_) => return None,
            }
            std::thread::sleep(STEP);
        }
    }

    /// Returns the right to pause, unless too many searches are paused.
    pub(super) fn try_pause(&self) -> Option<Pause<'_>> {
        let pause = Pause(CountGuard::new(&self.n_paused));
        (self.n_paused.load(Ordering::Relaxed) <= self.max_paused).then_some(pause)
    }
}

/// The right of a search to pause, which bounds the threads and the memory of paused searches.
pub(super) struct Pause<'a>(
    #[expect(dead_code, reason = "only dropped")] CountGuard<&'a AtomicUsize>,
);

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
