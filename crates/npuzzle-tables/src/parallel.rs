//! Worker threads.
//!
//! Computations of the whole workspace start their threads here:
//!
//! - [`for_each_job`] runs independent jobs, [`run_cancellable`] runs one function on every thread.
//!   The calling thread takes part.
//! - [`run_workers`] is for results that matter as soon as they are known: the calling thread does
//!   nothing but receive them.
//! - [`try_spawn`] starts a single scoped thread.
//!
//! All of them make two promises. *The calling thread polls*: a watch is not shared between threads,
//! so only the calling thread polls it, at least every 10 ms as long as the work calls
//! [`StopFlag::is_set`] or [`WorkerSender::tick`] every few milliseconds. *Refused threads do not
//! matter*: if the system refuses a thread, for lack of memory or because of a limit on their number,
//! the other threads do its work, and the calling thread if there is no other. So jobs must be taken
//! from a shared queue, not assigned to threads by number.

use crate::clock::Instant;
use std::cell::{Cell, RefCell};
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

use npuzzle_core::search::Limit;

/// The maximum time between two polls.
const TICK: Duration = Duration::from_millis(10);

/// The maximum number of threads. More gain nothing, and take long to start.
const MAX_THREADS: usize = 256;

/// The number of threads that the machine runs at the same time. It is determined once, because the
/// system is asked in some twenty calls.
///
/// ```
/// assert!(npuzzle_tables::parallel::n_cores() >= 1);
/// ```
pub fn n_cores() -> usize {
    static N_CORES: OnceLock<usize> = OnceLock::new();
    *N_CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// The number of threads to start: the requested number, or else the number of cores; at most 256.
///
/// ```
/// use npuzzle_tables::parallel::{n_cores, n_threads};
/// assert_eq!(n_threads(std::num::NonZeroUsize::new(3)), 3);
/// assert_eq!(n_threads(None), n_cores().min(256));
/// ```
pub fn n_threads(requested: Option<NonZeroUsize>) -> usize {
    requested.map_or_else(n_cores, NonZeroUsize::get).min(MAX_THREADS)
}

/// Starts a scoped thread. Unlike `Scope::spawn`, returns an error if the system refuses the thread.
///
/// ```
/// use npuzzle_tables::parallel::try_spawn;
/// let sum = std::thread::scope(|scope| {
///     let other = try_spawn(scope, || 1 + 2);
///     3 + other.map_or(0, |other| other.join().unwrap())
/// });
/// assert_eq!(sum, 6);
/// ```
pub fn try_spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, work)
}

/// Runs `work` for each job, on up to `n_threads` threads, in no particular order. Calls `poll` before
/// the first job and after each job of the calling thread. If `poll` breaks, the remaining jobs are
/// skipped, and the limit is returned.
///
/// ```
/// use std::ops::ControlFlow;
/// use npuzzle_tables::parallel::for_each_job;
/// let mut squares = [0; 5];
/// let jobs = squares.iter_mut().enumerate();
/// for_each_job(2, jobs, || ControlFlow::Continue(()), |(n, square), _| *square = n * n).unwrap();
/// assert_eq!(squares, [0, 1, 4, 9, 16]);
/// ```
pub fn for_each_job<J: Send>(
    n_threads: usize,
    jobs: impl Iterator<Item = J> + Send,
    poll: impl FnMut() -> ControlFlow<Limit>,
    work: impl Fn(J, &StopFlag<'_>) + Sync,
) -> Result<(), Limit> {
    let jobs = Mutex::new(jobs);
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    run_cancellable(n_threads, poll, |stop| {
        while !stop.is_set()
            && let Some(job) = next()
        {
            work(job, stop);
            stop.poll();
        }
    })
}

/// Runs `work` once on each of up to `n_threads` threads, the calling thread included. If `poll`
/// breaks, sets the [`StopFlag`] and returns the limit: then the work may be incomplete.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use npuzzle_tables::parallel::run_cancellable;
/// let (next, sum) = (AtomicU64::new(1), AtomicU64::new(0));
/// let ended = run_cancellable(3, || ControlFlow::Continue(()), |stop| {
///     let mut own_sum = 0;
///     while !stop.is_set() {
///         let item = next.fetch_add(1, Ordering::Relaxed);
///         if item > 100 {
///             break;
///         }
///         own_sum += item;
///     }
///     sum.fetch_add(own_sum, Ordering::Relaxed);
/// });
/// assert_eq!((ended, sum.into_inner()), (Ok(()), 5050));
/// ```
pub fn run_cancellable(
    n_threads: usize,
    mut poll: impl FnMut() -> ControlFlow<Limit>,
    work: impl Fn(&StopFlag<'_>) + Sync,
) -> Result<(), Limit> {
    let flag = AtomicBool::new(false);
    let poller =
        Poller { poll: RefCell::new(&mut poll), last: Cell::new(None), limit: Cell::new(None) };
    let own = StopFlag { flag: &flag, poller: Some(&poller) };
    own.poll();
    if poller.limit.get().is_none() {
        std::thread::scope(|scope| {
            // The channel carries nothing. It closes when the last of the other threads ends.
            let (running, all_ended) = mpsc::channel::<()>();
            let (flag, work) = (&flag, &work);
            let start = |_: usize| {
                let running = running.clone();
                let run = move || {
                    let _running = running;
                    work(&StopFlag { flag, poller: None });
                };
                try_spawn(scope, run).ok()
            };
            let n_started = (1..n_threads).map_while(start).count();
            drop(running);
            work(&own);
            // A channel with a timeout reads the clock of the system, which not every system has.
            while n_started > 0 && all_ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                own.poll();
            }
        });
    }
    poller.limit.get().map_or(Ok(()), Err)
}

/// Tells worker threads to stop.
pub struct StopFlag<'a> {
    flag: &'a AtomicBool,
    /// Only on the calling thread.
    poller: Option<&'a Poller<'a>>,
}

struct Poller<'a> {
    poll: RefCell<&'a mut dyn FnMut() -> ControlFlow<Limit>>,
    /// The time of the last poll.
    last: Cell<Option<Instant>>,
    /// The limit that a poll has returned. There are no more polls then.
    limit: Cell<Option<Limit>>,
}

impl StopFlag<'_> {
    /// Whether the work is to stop. Call this every few milliseconds: on the calling thread it polls,
    /// if the last poll was 10 ms ago or more.
    #[inline]
    pub fn is_set(&self) -> bool {
        if let Some(poller) = self.poller
            && poller.last.get().is_none_or(|last| last.elapsed() >= TICK)
        {
            self.poll();
        }
        self.flag.load(Ordering::Relaxed)
    }

    /// Polls now, if this is the calling thread.
    pub fn poll(&self) {
        let Some(poller) = self.poller.filter(|poller| poller.limit.get().is_none()) else {
            return;
        };
        let polled = (poller.poll.borrow_mut())();
        poller.last.set(Some(Instant::now()));
        if let ControlFlow::Break(limit) = polled {
            poller.limit.set(Some(limit));
            self.flag.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs `work` on `n_threads` worker threads, numbered from 0, or on as many as the system provides.
/// The calling thread calls `receive` with each item that they send, and with `None` if nothing has
/// been sent for 10 ms. If the system refuses all threads, the calling thread runs `work` as worker 0.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use npuzzle_tables::parallel::{WorkerSender, run_workers};
/// let (next, mut sum) = (AtomicU64::new(1), 0);
/// let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&item| item <= 100);
/// run_workers(
///     3,
///     |_, sender: &dyn WorkerSender<u64>| std::iter::from_fn(take).for_each(|item| sender.send(item)),
///     |item| sum += item.unwrap_or(0),
/// );
/// assert_eq!(sum, 5050);
/// ```
pub fn run_workers<T: Send>(
    n_threads: usize,
    work: impl Fn(usize, &dyn WorkerSender<T>) + Sync,
    mut receive: impl FnMut(Option<T>),
) {
    let (sender, receiver) = mpsc::channel();
    let n_started = std::thread::scope(|scope| {
        let start = |number: usize| {
            let (sender, work) = (sender.clone(), &work);
            try_spawn(scope, move || work(number, &sender)).ok()
        };
        let n_started = (0..n_threads.max(1)).map_while(start).count();
        drop(sender);
        // Waiting with a timeout reads the clock of the system, which not every system has.
        if n_started == 0 {
            return n_started;
        }
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(item) => receive(Some(item)),
                Err(RecvTimeoutError::Timeout) => receive(None),
                Err(RecvTimeoutError::Disconnected) => return n_started,
            }
        }
    });
    if n_started == 0 {
        work(0, &OwnSender::new(&mut receive));
    }
}

/// Sends the results of a worker to the calling thread.
pub trait WorkerSender<T> {
    /// Sends a result.
    fn send(&self, item: T);

    /// Lets the calling thread receive `None`, if it does the work itself. Call this every few
    /// milliseconds.
    fn tick(&self);
}

impl<T> WorkerSender<T> for Sender<T> {
    fn send(&self, item: T) {
        // The receiver outlives the workers.
        let _ = Sender::send(self, item);
    }

    fn tick(&self) {}
}

/// The sender of the calling thread, if it does the work itself.
struct OwnSender<'a, T> {
    receive: RefCell<&'a mut dyn FnMut(Option<T>)>,
    last: Cell<Instant>,
}

impl<'a, T> OwnSender<'a, T> {
    fn new(receive: &'a mut dyn FnMut(Option<T>)) -> OwnSender<'a, T> {
        OwnSender { receive: RefCell::new(receive), last: Cell::new(Instant::now()) }
    }

    fn receive(&self, item: Option<T>) {
        self.last.set(Instant::now());
        (self.receive.borrow_mut())(item);
    }
}

impl<T> WorkerSender<T> for OwnSender<'_, T> {
    fn send(&self, item: T) {
        self.receive(Some(item));
    }

    fn tick(&self) {
        if self.last.get().elapsed() >= TICK {
            self.receive(None);
        }
    }
}

/// Buffers that jobs borrow. There are never more than threads.
pub(crate) struct BufferPool<B>(Mutex<Vec<B>>);

impl<B> Default for BufferPool<B> {
    fn default() -> BufferPool<B> {
        BufferPool(Mutex::default())
    }
}

impl<B> BufferPool<B> {
    /// Calls `work` with a buffer that an earlier job has used, or else with a new one.
    pub(crate) fn with<R>(&self, create: impl FnOnce() -> B, work: impl FnOnce(&mut B) -> R) -> R {
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = free().pop();
        let mut buffer = taken.unwrap_or_else(create);
        let result = work(&mut buffer);
        free().push(buffer);
        result
    }
}

/// Drops a value of `n_bytes` bytes. If it is large, another thread does so, because it takes the
/// system milliseconds to free many megabytes.
pub(crate) fn drop_in_background<T: Send + 'static>(value: T, n_bytes: usize) {
    const LARGE: usize = 1 << 26;
    if n_bytes >= LARGE {
        // If the system refuses the thread, the value is dropped here.
        let _ = Builder::new().spawn(move || drop(value));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    fn proceed() -> ControlFlow<Limit> {
        ControlFlow::Continue(())
    }

    /// Breaks at the third poll.
    fn break_at_third_poll() -> impl FnMut() -> ControlFlow<Limit> {
        let mut n_polls = 0;
        move || {
            n_polls += 1;
            if n_polls < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(Limit::Time) }
        }
    }

    #[test]
    fn for_each_job_does_every_job_once() {
        for n_threads in [0, 1, 2, 5] {
            let mut n_done = vec![0; 100];
            let ended = for_each_job(n_threads, n_done.iter_mut(), proceed, |n, _| *n += 1);
            assert_eq!((ended, &n_done[..]), (Ok(()), &[1; 100][..]));
        }
    }

    #[test]
    fn for_each_job_polls_before_and_after_each_own_job() {
        let n_done = AtomicUsize::new(0);
        let count = |_: u64, _: &StopFlag<'_>| {
            n_done.fetch_add(1, Ordering::Relaxed);
        };
        let ended = for_each_job(1, 0.., break_at_third_poll(), count);
        assert_eq!((ended, n_done.into_inner()), (Err(Limit::Time), 2));
        assert_eq!(for_each_job(2, 0.., break_at_third_poll(), |_: u64, _| {}), Err(Limit::Time));
    }

    #[test]
    fn run_cancellable_uses_and_stops_all_threads() {
        for n_threads in [1, 3] {
            let n_started = AtomicUsize::new(0);
            let count = |_: &StopFlag<'_>| {
                n_started.fetch_add(1, Ordering::Relaxed);
            };
            assert_eq!(run_cancellable(n_threads, proceed, count), Ok(()));
            assert_eq!(n_started.into_inner(), n_threads);
            let wait = |stop: &StopFlag<'_>| {
                while !stop.is_set() {
                    std::thread::yield_now();
                }
            };
            let ended = run_cancellable(n_threads, break_at_third_poll(), wait);
            assert_eq!(ended, Err(Limit::Time));
        }
    }

    /// The calling thread has nothing to do and polls until the other one has ended.
    #[test]
    fn run_cancellable_polls_while_other_threads_work() {
        let caller = std::thread::current().id();
        let wait = |stop: &StopFlag<'_>| {
            while std::thread::current().id() != caller && !stop.is_set() {
                std::thread::yield_now();
            }
        };
        assert_eq!(run_cancellable(2, break_at_third_poll(), wait), Err(Limit::Time));
    }

    #[test]
    fn run_cancellable_starts_nothing_if_the_first_poll_breaks() {
        let work = |_: &StopFlag<'_>| unreachable!("it was stopped before");
        let ended = run_cancellable(2, || ControlFlow::Break(Limit::Nodes), work);
        assert_eq!(ended, Err(Limit::Nodes));
    }

    type Work<'a> = &'a (dyn Fn(usize, &dyn WorkerSender<usize>) + Sync);
    type Receive<'a> = &'a mut dyn FnMut(Option<usize>);

    /// Sends a hundred items, then works until the calling thread has received `None`.
    fn check_workers(run: impl FnOnce(Work<'_>, Receive<'_>)) {
        let (next, has_ticked) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |_: usize, sender: &dyn WorkerSender<usize>| {
            let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&item| item < 100);
            std::iter::from_fn(take).for_each(|item| sender.send(item));
            while !has_ticked.load(Ordering::Relaxed) {
                sender.tick();
            }
        };
        let mut items = Vec::new();
        run(&work, &mut |item| match item {
            Some(item) => items.push(item),
            None => has_ticked.store(true, Ordering::Relaxed),
        });
        items.sort_unstable();
        assert_eq!(items, Vec::from_iter(0..100));
    }

    #[test]
    fn run_workers_delivers_all_items_on_any_number_of_threads() {
        for n_threads in [0, 1, 2, 5] {
            check_workers(|work, receive| run_workers(n_threads, work, receive));
        }
        check_workers(|work, receive| work(0, &OwnSender::new(receive)));
    }

    #[test]
    fn buffer_pool_reuses_buffers() {
        let (pool, n_created) = (BufferPool::default(), Cell::new(0));
        let create = || n_created.replace(n_created.get() + 1);
        for _ in 0..3 {
            pool.with(create, |_| pool.with(create, |_| ()));
        }
        assert_eq!(n_created.get(), 2);
    }
}
