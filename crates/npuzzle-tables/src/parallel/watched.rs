//! Threads that work while somebody looks at the watch.
//!
//! A watch is asked by one thread alone, and often: so those who work are told by a flag when to
//! stop, and look at it as often as it takes to stop within milliseconds. Where there is but one thread
//! it does both.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use npuzzle_core::search::Limit;

use crate::parallel::{WorkerSender, run_workers};

/// How many threads the machine runs at once.
///
/// ```
/// assert!(npuzzle_tables::n_cores() >= 1);
/// ```
pub fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The most threads that are ever started: more gain nothing, and take long to start.
const MAX_THREADS: usize = 256;

/// How many threads to start when so many are asked for; as many as the machine has cores unless they
/// are.
///
/// ```
/// use npuzzle_tables::{n_cores, n_threads};
/// assert_eq!(n_threads(std::num::NonZeroUsize::new(3)), 3);
/// assert_eq!(n_threads(None), n_cores().min(256));
/// ```
pub fn n_threads(asked: Option<NonZeroUsize>) -> usize {
    asked.map_or_else(n_cores, NonZeroUsize::get).min(MAX_THREADS)
}

/// Tells those who work whether they are to stop.
pub struct Stop<'a> {
    flag: &'a AtomicBool,
    post: &'a dyn WorkerSender<()>,
}

impl Stop<'_> {
    /// Whether they are. To be asked every few milliseconds of work.
    #[inline]
    pub fn is_up(&self) -> bool {
        self.post.look_up();
        self.flag.load(Ordering::Relaxed)
    }
}

/// Runs `work` on so many threads, or on as many as the system gives, and asks meanwhile whether to go
/// on. If not, they are told to stop, and what has been done is not to be used.
pub fn watched(
    n_threads: usize,
    mut ask: impl FnMut() -> ControlFlow<Limit>,
    work: impl Fn(&Stop<'_>) + Sync,
) -> Result<(), Limit> {
    if let ControlFlow::Break(limit) = ask() {
        return Err(limit);
    }
    let flag = AtomicBool::new(false);
    let mut stopped = None;
    let hear = |_| {
        if stopped.is_none()
            && let ControlFlow::Break(limit) = ask()
        {
            stopped = Some(limit);
            flag.store(true, Ordering::Relaxed);
        }
    };
    run_workers(n_threads, |_, post| work(&Stop { flag: &flag, post }), hear);
    stopped.map_or(Ok(()), Err)
}

/// From so many bytes on it takes milliseconds to give memory back.
const LARGE: usize = 1 << 26;

/// Gives back the memory of a value of so many bytes; if they are many, elsewhere, so that nobody
/// waits for it.
pub(crate) fn give_back<T: Send + 'static>(value: T, n_bytes: usize) {
    if n_bytes >= LARGE {
        // Without a thread it goes here and now.
        let _ = std::thread::Builder::new().spawn(move || drop(value));
    }
}

/// Of one thread that is never told to stop.
#[cfg(test)]
pub(crate) fn unwatched(work: impl Fn(&Stop<'_>) + Sync) {
    let go_on = || ControlFlow::Continue(());
    assert_eq!(watched(1, go_on, work), Ok(()));
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn all_threads_work_and_all_stop() {
        for n_threads in [1, 3] {
            let n_done = AtomicUsize::new(0);
            let count = |_: &Stop<'_>| {
                n_done.fetch_add(1, Ordering::Relaxed);
            };
            assert_eq!(watched(n_threads, || ControlFlow::Continue(()), count), Ok(()));
            assert_eq!(n_done.into_inner(), n_threads);
            // They would go on for ever.
            let wait = |stop: &Stop<'_>| {
                while !stop.is_up() {
                    std::thread::yield_now();
                }
            };
            let mut n_asked = 0;
            let ask = || {
                n_asked += 1;
                if n_asked < 3 {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(Limit::Time)
                }
            };
            assert_eq!(watched(n_threads, ask, wait), Err(Limit::Time));
        }
    }
}
