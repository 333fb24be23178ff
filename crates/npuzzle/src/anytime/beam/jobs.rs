//! Jobs shared out among threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::search::Limit;
use npuzzle_tables::try_spawn;

/// Does all jobs, each once, in no order that may matter. The thread that calls takes part, and asks
/// between two of its jobs whether to go on; if not, some jobs are left undone.
pub(super) fn share<J: Send>(
    n_threads: usize,
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(J) + Sync,
    mut go_on: impl FnMut() -> ControlFlow<Limit>,
) -> ControlFlow<Limit> {
    if n_threads <= 1 {
        for job in jobs {
            work(job);
            go_on()?;
        }
        return ControlFlow::Continue(());
    }
    let jobs = Mutex::new(jobs);
    let is_over = AtomicBool::new(false);
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let next = || if is_over.load(Ordering::Relaxed) { None } else { next() };
    std::thread::scope(|scope| {
        let help = || {
            while let Some(job) = next() {
                work(job);
            }
        };
        let _others = (1..n_threads).map_while(|_| try_spawn(scope, help).ok()).count();
        while let Some(job) = next() {
            work(job);
            if let ControlFlow::Break(limit) = go_on() {
                is_over.store(true, Ordering::Relaxed);
                return ControlFlow::Break(limit);
            }
        }
        ControlFlow::Continue(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once() {
        for n_threads in [1, 2, 5] {
            let mut done = vec![0; 100];
            let go_on = || ControlFlow::Continue(());
            let ended = share(n_threads, done.iter_mut(), |count| *count += 1, go_on);
            assert_eq!(ended, ControlFlow::Continue(()));
            assert_eq!(done, [1; 100]);
        }
    }

    #[test]
    fn a_limit_ends_the_work() {
        for n_threads in [1, 2] {
            let go_on = || ControlFlow::Break(Limit::Time);
            let ended = share(n_threads, 0.., |_: u64| {}, go_on);
            assert_eq!(ended, ControlFlow::Break(Limit::Time));
        }
    }
}
