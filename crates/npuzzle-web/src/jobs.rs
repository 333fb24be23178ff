//! Jobs: what is computed, on threads of its own, within limits, for as long as somebody waits for it.
//!
//! There are three kinds of places. What is read, drawn or looked up takes a *quick* one. A search
//! begins in a *short* place, in the order of asking; when it has run for a while it needs a *long*
//! one, and ends if none is free. So short searches go on however many long ones there are, and
//! quick answers however many searches.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use npuzzle::tables::Store;
use npuzzle::{Cancel, Options, Tables};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::budget::{Budget, Buffer};
use crate::config::Limits;
use crate::error::ApiError;
use crate::watch::JobWatch;

/// All jobs.
#[derive(Debug)]
pub(crate) struct Jobs {
    pub(crate) limits: Limits,
    quick: Arc<Semaphore>,
    short: Arc<Semaphore>,
    long: Arc<Semaphore>,
    is_closing: AtomicBool,
    /// What bodies of questions may hold, and what answers may.
    pub(crate) bodies: Budget,
    pub(crate) answers: Budget,
    /// Of jobs that have not ended.
    n_threads: Arc<AtomicUsize>,
    pub(crate) counts: Counts,
    /// Tables for all of them; each works with a copy, which is cheap, and leaves it here.
    tables: Mutex<Tables>,
}

/// How many searches there are, and have been. What is read, drawn or looked up is not counted: it is
/// over at once, and often a part of a question that is a search as a whole.
#[derive(Default, Debug)]
pub(crate) struct Counts {
    pub(crate) running: AtomicUsize,
    pub(crate) waiting: AtomicUsize,
    pub(crate) done: AtomicU64,
    pub(crate) cancelled: AtomicU64,
    pub(crate) refused: AtomicU64,
}

/// Which places a job may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Quick,
    Search,
}

/// What a job has to work with.
pub(crate) struct Job {
    pub(crate) watch: JobWatch,
    pub(crate) tables: Tables,
    /// A fair share of the cores.
    pub(crate) n_threads: NonZeroUsize,
    answers: Budget,
}

/// Cancels when nobody waits any more.
#[derive(Default, Debug)]
pub(crate) struct CancelOnDrop(Cancel);

impl CancelOnDrop {
    /// What is cancelled then.
    pub(crate) fn cancel(&self) -> Cancel {
        self.0.clone()
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// A place that has been found.
pub(crate) struct Place {
    permit: OwnedSemaphorePermit,
    kind: Kind,
}

impl Jobs {
    pub(crate) fn new(limits: Limits, store: Store) -> Jobs {
        let places = |n| Arc::new(Semaphore::new(n));
        Jobs {
            quick: places(limits.jobs),
            short: places(limits.jobs),
            long: places(limits.long_jobs),
            is_closing: AtomicBool::new(false),
            // One at least has room.
            bodies: Budget::new(limits.bodies.max(limits.body)),
            answers: Budget::new(limits.answers),
            n_threads: Arc::default(),
            counts: Counts::default(),
            tables: Mutex::new(Tables::with_store(store)),
            limits,
        }
    }

    /// Ends all jobs, and begins no more.
    pub(crate) fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
        for places in [&self.quick, &self.short, &self.long] {
            places.close();
        }
    }

    /// Returns when all jobs have ended.
    pub(crate) async fn ended(&self) {
        while self.n_threads.load(Ordering::Relaxed) > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// Waits for a place, if not too many wait already, and not too long.
    pub(crate) async fn place(&self, kind: Kind) -> Result<Place, ApiError> {
        let places = match kind {
            Kind::Quick => &self.quick,
            Kind::Search => &self.short,
        };
        let found = Arc::clone(places).try_acquire_owned().ok();
        let permit = match found {
            Some(permit) => permit,
            None => self.wait_for(places).await?,
        };
        Ok(Place { permit, kind })
    }

    async fn wait_for(&self, places: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
        let _waiting = Counted::new(&self.counts.waiting);
        if self.counts.waiting.load(Ordering::Relaxed) > self.limits.waiting {
            return Err(ApiError::busy());
        }
        let acquired = Arc::clone(places).acquire_owned();
        match tokio::time::timeout(self.limits.wait, acquired).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) => Err(ApiError::closing()),
            Err(_) => Err(ApiError::busy()),
        }
    }

    /// A place for something that has become long, if there is one.
    pub(crate) fn long_place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.long).try_acquire_owned().ok()
    }

    /// Runs a job on a thread of its own, which is asked to end by `cancel`.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Jobs>,
        place: Place,
        cancel: Cancel,
        work: impl FnOnce(&mut Job) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let jobs = Arc::clone(self);
        // From now on: nobody may think that all have ended before it has begun.
        let counted = Counted::new(Arc::clone(&self.n_threads));
        let job = move || {
            let _counted = counted;
            jobs.run_here(place, cancel, work)
        };
        on_a_thread(thread::Builder::new(), job).await
    }

    /// Runs a job on this thread.
    fn run_here<T>(
        self: &Arc<Jobs>,
        place: Place,
        cancel: Cancel,
        work: impl FnOnce(&mut Job) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let Place { permit, kind } = place;
        let _running = (kind == Kind::Search).then(|| Counted::new(&self.counts.running));
        let n_running = self.counts.running.load(Ordering::Relaxed).max(1);
        let share = npuzzle::tables::n_cores() / n_running;
        let mut job = Job {
            watch: JobWatch::new(Arc::clone(self), cancel.clone(), permit),
            tables: self.copy_of_tables(),
            n_threads: NonZeroUsize::new(share).unwrap_or(NonZeroUsize::MIN),
            answers: self.answers.clone(),
        };
        let result = work(&mut job);
        if kind == Kind::Search {
            self.keep(job.tables);
            if cancel.is_cancelled() {
                self.counts.cancelled.fetch_add(1, Ordering::Relaxed);
            }
        }
        if job.watch.lacks_place() { Err(ApiError::busy()) } else { result }
    }

    fn copy_of_tables(&self) -> Tables {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, mut tables: Tables) {
        for warning in tables.take_warnings() {
            // Nothing can be done about a stderr that is closed.
            let _ = writeln!(io::stderr(), "npuzzle: warning: {warning}");
        }
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).merge(tables);
    }
}

/// Works on a thread of its own, if there is one to be had.
async fn on_a_thread<T: Send + 'static>(
    thread: thread::Builder,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let (sender, receiver) = oneshot::channel();
    // Whoever has gone does not hear it.
    let started = thread.name("job".into()).spawn(move || drop(sender.send(work())));
    match started {
        Ok(_) => receiver.await.unwrap_or_else(|_| Err(ApiError::internal())),
        Err(_) => Err(ApiError::no_thread()),
    }
}

impl Job {
    /// Where its answer is written.
    pub(crate) fn buffer(&self) -> Buffer {
        self.answers.buffer()
    }

    /// Gives up after this time.
    pub(crate) fn end_after(&mut self, time: Duration) {
        self.watch.end_after(time);
    }

    /// Options for several boards one after the other: with the job's threads, and with their time as
    /// that of all of them together.
    pub(crate) fn grant(&mut self, options: Options) -> Options {
        if let Some(time) = options.limits.time {
            self.end_after(time);
        }
        Options { threads: Some(self.n_threads), ..options }
    }
}

/// One more, until dropped.
struct Counted<C: Deref<Target = AtomicUsize>>(C);

impl<C: Deref<Target = AtomicUsize>> Counted<C> {
    fn new(count: C) -> Counted<C> {
        count.fetch_add(1, Ordering::Relaxed);
        Counted(count)
    }
}

impl<C: Deref<Target = AtomicUsize>> Drop for Counted<C> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worked(thread: thread::Builder, work: fn() -> Result<u8, ApiError>) -> Result<u8, ApiError> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(on_a_thread(thread, work))
    }

    #[test]
    fn who_finds_no_thread_is_told_to_come_again() {
        assert_eq!(worked(thread::Builder::new(), || Ok(7)).unwrap(), 7);
        // There is no room for such a stack anywhere.
        let impossible = thread::Builder::new().stack_size(1 << 60);
        assert!(worked(impossible, || Ok(7)).unwrap_err().is_busy());
    }

    #[test]
    fn a_job_that_panics_is_a_mistake_and_no_more() {
        let error = worked(thread::Builder::new(), || panic!("as it should")).unwrap_err();
        assert!(!error.is_busy());
    }
}
