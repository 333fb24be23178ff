//! Threads that work while this one hears of them.
//!
//! The system may refuse a thread, for want of memory or by a limit on their number. Then those that
//! there are do the work. If there is none this thread does it, and looks up from it now and then, so
//! that whoever watches is asked as ever.

pub(crate) mod watched;

use std::cell::{Cell, RefCell};
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// How long this thread waits at most until it looks up.
const TICK: Duration = Duration::from_millis(10);

/// Starts another thread, or says why the system gives none: whoever can go on without it does.
///
/// ```
/// use npuzzle_tables::try_spawn;
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

/// Where those who work send what they have.
pub trait WorkerSender<T> {
    /// Tells the thread that hears.
    fn send(&self, item: T);

    /// To be called every few milliseconds of work: whoever works on the thread that hears lets it
    /// look up, for the others nothing happens.
    fn look_up(&self);
}

/// Runs `work` on so many threads, known by their numbers, or on as many as the system gives. This
/// thread hears what they send, and of nothing every ten milliseconds. If there are no others, it
/// does the work of the first. So items must be taken by whoever has time for them, not dealt by
/// numbers.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use npuzzle_tables::{WorkerSender, run_workers};
/// let (next, mut sum) = (AtomicU64::new(1), 0);
/// let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&item| item <= 100);
/// run_workers(
///     3,
///     |_, post: &dyn WorkerSender<u64>| std::iter::from_fn(take).for_each(|item| post.send(item)),
///     |sent| sum += sent.unwrap_or(0),
/// );
/// assert_eq!(sum, 5050);
/// ```
pub fn run_workers<T: Send>(
    n_threads: usize,
    work: impl Fn(usize, &dyn WorkerSender<T>) + Sync,
    mut hear: impl FnMut(Option<T>),
) {
    let (sender, receiver) = mpsc::channel();
    let n_started = std::thread::scope(|scope| {
        let start = |number: usize| {
            let (sender, work) = (sender.clone(), &work);
            try_spawn(scope, move || work(number, &sender)).ok()
        };
        let n_started = (0..n_threads.max(1)).map_while(start).count();
        drop(sender);
        // Without any, it is closed at once.
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(item) => hear(Some(item)),
                Err(RecvTimeoutError::Timeout) => hear(None),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        n_started
    });
    if n_started == 0 {
        work(0, &Alone::new(&mut hear));
    }
}

impl<T> WorkerSender<T> for Sender<T> {
    fn send(&self, item: T) {
        // The receiver outlives the threads.
        let _ = Sender::send(self, item);
    }

    fn look_up(&self) {}
}

/// Of the thread that hears, when it works too.
struct Alone<'a, T> {
    hear: RefCell<&'a mut dyn FnMut(Option<T>)>,
    looked: Cell<Instant>,
}

impl<'a, T> Alone<'a, T> {
    fn new(hear: &'a mut dyn FnMut(Option<T>)) -> Alone<'a, T> {
        Alone { hear: RefCell::new(hear), looked: Cell::new(Instant::now()) }
    }

    fn hear(&self, item: Option<T>) {
        self.looked.set(Instant::now());
        (self.hear.borrow_mut())(item);
    }
}

impl<T> WorkerSender<T> for Alone<'_, T> {
    fn send(&self, item: T) {
        self.hear(Some(item));
    }

    fn look_up(&self) {
        if self.looked.get().elapsed() >= TICK {
            self.hear(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;

    type Work<'a> = &'a (dyn Fn(usize, &dyn WorkerSender<usize>) + Sync);
    type Hear<'a> = &'a mut dyn FnMut(Option<usize>);

    /// Works on a hundred items, and then until the thread that hears has looked up.
    fn check(run: impl FnOnce(Work<'_>, Hear<'_>)) {
        let (next, has_looked) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |_: usize, post: &dyn WorkerSender<usize>| {
            let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&item| item < 100);
            std::iter::from_fn(take).for_each(|item| post.send(item));
            while !has_looked.load(Ordering::Relaxed) {
                post.look_up();
            }
        };
        let mut items = Vec::new();
        run(&work, &mut |sent| match sent {
            Some(item) => items.push(item),
            None => has_looked.store(true, Ordering::Relaxed),
        });
        items.sort_unstable();
        assert_eq!(items, Vec::from_iter(0..100));
    }

    #[test]
    fn however_many_threads_there_are_all_is_done_and_the_watch_is_asked() {
        for n_threads in [0, 1, 2, 5] {
            check(|work, hear| run_workers(n_threads, work, hear));
        }
        check(|work, hear| work(0, &Alone::new(hear)));
    }
}
