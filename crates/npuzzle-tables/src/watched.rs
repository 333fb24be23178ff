//! Threads that work while somebody looks at the watch.
//!
//! A watch is asked by one thread alone, and often: so those who work are told by a flag when to
//! stop, and look at it as often as it takes to stop within milliseconds.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use npuzzle_core::search::Limit;

/// How often the watch is asked.
const TICK: Duration = Duration::from_millis(10);

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

/// Runs `work` on so many threads and asks meanwhile whether to go on. If not, the flag is set, and
/// what has been done is not to be used.
pub fn watched(
    n_threads: usize,
    mut ask: impl FnMut() -> ControlFlow<Limit>,
    work: impl Fn(&AtomicBool) + Sync,
) -> Result<(), Limit> {
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel::<()>();
    let mut stopped = None;
    std::thread::scope(|scope| {
        for _ in 0..n_threads.max(1) {
            let (sender, stop, work) = (sender.clone(), &stop, &work);
            scope.spawn(move || {
                work(stop);
                drop(sender);
            });
        }
        drop(sender);
        loop {
            if stopped.is_none()
                && let ControlFlow::Break(limit) = ask()
            {
                stopped = Some(limit);
                stop.store(true, Ordering::Relaxed);
            }
            // Nothing is ever sent: the channel closes when the last thread is done.
            if let Err(RecvTimeoutError::Disconnected) = receiver.recv_timeout(TICK) {
                break;
            }
        }
    });
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

/// Whether the flag is up.
#[inline]
pub(crate) fn is_up(stop: &AtomicBool) -> bool {
    stop.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn all_threads_work_and_all_stop() {
        for n_threads in [1, 3] {
            let n_done = AtomicUsize::new(0);
            let count = |_: &AtomicBool| {
                n_done.fetch_add(1, Ordering::Relaxed);
            };
            assert_eq!(watched(n_threads, || ControlFlow::Continue(()), count), Ok(()));
            assert_eq!(n_done.into_inner(), n_threads);
            // They would go on for ever.
            let wait = |stop: &AtomicBool| {
                while !is_up(stop) {
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
