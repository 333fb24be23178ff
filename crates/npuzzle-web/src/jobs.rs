//! Jobs: the computations of requests, each on its own thread, within limits, for as long as its
//! client waits.

pub(crate) mod events;
mod long_slots;
pub(crate) mod slots;
mod thread_time;
pub(crate) mod watch;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use axum::body::Bytes;
use npuzzle::tables::Store;
use npuzzle::{Cancel, Tables};
use npuzzle_api::{AnswerKind, ExpectedTime, Job, Operation};
use tokio::sync::mpsc::Sender;
use tokio::sync::oneshot;

use self::events::event_sender;
use self::slots::{CountGuard, JobSlots, Slot};
use self::watch::JobWatch;
use crate::budget::{Buffer, ByteBudget};
use crate::config::ServerLimits;
use crate::error::WebError;

/// All jobs, and the resources that they share.
#[derive(Debug)]
pub(crate) struct Jobs {
    pub(crate) limits: ServerLimits,
    pub(crate) slots: Arc<JobSlots>,
    /// The memory of request bodies.
    pub(crate) bodies: ByteBudget,
    /// The memory of responses.
    pub(crate) responses: ByteBudget,
    /// The number of job threads.
    n_threads: Arc<AtomicUsize>,
    pub(crate) counts: JobCounts,
    /// The tables in memory. A job works on a clone, which is cheap, and merges it back.
    tables: Mutex<Tables>,
}

/// The number of running searches, and totals since the start. Instant jobs are not counted as
/// running or cancelled: validation is an instant job of every request.
#[derive(Default, Debug)]
pub(crate) struct JobCounts {
    pub(crate) running: AtomicUsize,
    pub(crate) done: AtomicU64,
    pub(crate) cancelled: AtomicU64,
    pub(crate) refused: AtomicU64,
}

/// The resources of a running job.
pub(crate) struct JobContext {
    pub(crate) watch: JobWatch,
    pub(crate) tables: Tables,
    /// The job's share of the cores.
    pub(crate) n_threads: NonZeroUsize,
    responses: ByteBudget,
}

/// Cancels a job when dropped, that is, when its client no longer waits.
#[derive(Default, Debug)]
pub(crate) struct CancelOnDrop(Cancel);

impl CancelOnDrop {
    pub(crate) fn cancel(&self) -> Cancel {
        self.0.clone()
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Jobs {
    pub(crate) fn new(limits: ServerLimits, store: Store) -> Jobs {
        Jobs {
            slots: Arc::new(JobSlots::new(&limits)),
            // A single body of the maximum size must fit.
            bodies: ByteBudget::new(limits.max_buffered_bodies.max(limits.max_body_bytes)),
            responses: ByteBudget::new(limits.max_buffered_responses),
            n_threads: Arc::default(),
            counts: JobCounts::default(),
            tables: Mutex::new(Tables::with_store(store)),
            limits,
        }
    }

    /// Stops all jobs and starts no more.
    pub(crate) fn close(&self) {
        self.slots.close();
    }

    /// Returns when all jobs have ended.
    pub(crate) async fn ended(&self) {
        while self.n_threads.load(Ordering::Relaxed) > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Runs `work` on a new thread until it returns or `cancel` is set.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Jobs>,
        slot: Slot,
        cancel: Cancel,
        work: impl FnOnce(&mut JobContext) -> Result<T, WebError> + Send + 'static,
    ) -> Result<T, WebError> {
        let jobs = Arc::clone(self);
        // Counted before the thread starts, so that `ended` does not miss it.
        let counted = CountGuard::new(Arc::clone(&self.n_threads));
        let job = move || {
            let _counted = counted;
            jobs.run_here(slot, cancel, work)
        };
        run_on_thread(thread::Builder::new(), job).await
    }

    /// Runs `work` on the current thread.
    fn run_here<T>(
        &self,
        slot: Slot,
        cancel: Cancel,
        work: impl FnOnce(&mut JobContext) -> Result<T, WebError>,
    ) -> Result<T, WebError> {
        let is_search = slot.kind != ExpectedTime::Instant;
        // A short search may have to pause, which stops only one thread.
        let is_long = slot.kind == ExpectedTime::Long;
        let _running = is_search.then(|| CountGuard::new(&self.counts.running));
        let n_running = self.counts.running.load(Ordering::Relaxed).max(1);
        let share = if is_long { npuzzle::tables::n_cores() / n_running } else { 1 };
        let (slots, short_time) = (Arc::clone(&self.slots), self.limits.short_time);
        let mut job = JobContext {
            watch: JobWatch::new(slots, slot, short_time, cancel.clone()),
            tables: self.clone_tables(),
            n_threads: NonZeroUsize::new(share).unwrap_or(NonZeroUsize::MIN),
            responses: self.responses.clone(),
        };
        let result = work(&mut job);
        if is_search {
            self.merge_tables(job.tables);
            if cancel.is_cancelled() {
                self.counts.cancelled.fetch_add(1, Ordering::Relaxed);
            }
        }
        if job.watch.lacks_slot() { Err(self.slots.no_slot(ExpectedTime::Long)) } else { result }
    }

    fn clone_tables(&self) -> Tables {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn merge_tables(&self, mut tables: Tables) {
        for warning in tables.take_warnings() {
            // A closed standard error cannot be reported anywhere.
            let _ = writeln!(io::stderr(), "npuzzle: warning: {warning}");
        }
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).merge(tables);
    }
}

/// Runs `work` on a new thread. Fails if the system cannot start one, or if `work` panics.
async fn run_on_thread<T: Send + 'static>(
    thread: thread::Builder,
    work: impl FnOnce() -> Result<T, WebError> + Send + 'static,
) -> Result<T, WebError> {
    let (sender, receiver) = oneshot::channel();
    // Sending fails if the client has disconnected.
    let started = thread.name("job".into()).spawn(move || drop(sender.send(work())));
    match started {
        Ok(_) => receiver.await.unwrap_or_else(|_| Err(WebError::internal())),
        Err(_) => Err(WebError::no_thread()),
    }
}

impl JobContext {
    /// Returns an empty buffer for the response.
    pub(crate) fn buffer(&self) -> Buffer {
        self.responses.buffer()
    }

    /// Runs an operation. The body of its answer is appended to `out`.
    pub(crate) fn run(
        &mut self,
        operation: Operation,
        out: &mut Buffer,
    ) -> Result<AnswerKind, WebError> {
        let JobContext { watch, tables, n_threads, .. } = self;
        let answer = operation.run(&mut Job { watch, tables, n_threads: *n_threads, out })?;
        Ok(answer)
    }

    /// Sends events about the search to `sender` from now on.
    pub(crate) fn send_events(&mut self, sender: Sender<Bytes>) {
        self.watch.send_events(event_sender(sender, self.responses.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(thread: thread::Builder, work: fn() -> Result<u8, WebError>) -> Result<u8, WebError> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(run_on_thread(thread, work))
    }

    #[test]
    fn job_without_a_thread_is_unavailable() {
        assert_eq!(run(thread::Builder::new(), || Ok(7)).unwrap(), 7);
        // No address space has room for this stack.
        let impossible = thread::Builder::new().stack_size(1 << 60);
        assert!(run(impossible, || Ok(7)).unwrap_err().is_unavailable());
    }

    #[test]
    fn job_that_panics_is_an_internal_error() {
        let error = run(thread::Builder::new(), || panic!("expected")).unwrap_err();
        assert!(!error.is_unavailable());
    }
}
