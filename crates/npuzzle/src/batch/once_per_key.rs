//! An action that runs once per key, while other callers with the same key wait for it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The keys whose action has run or is running. Different keys do not wait for each other.
#[derive(Debug)]
pub(super) struct OncePerKey<K>(Mutex<Vec<(K, Arc<OnceLock<()>>)>>);

impl<K> Default for OncePerKey<K> {
    fn default() -> OncePerKey<K> {
        OncePerKey(Mutex::default())
    }
}

impl<K: PartialEq> OncePerKey<K> {
    /// Runs the action if it has not run for this key, and returns its result. Otherwise waits until
    /// the action of this key is finished, and returns `None`.
    ///
    /// If an action panics, the next caller runs its own.
    pub(super) fn run<R>(&self, key: K, action: impl FnOnce() -> R) -> Option<R> {
        let mut result = None;
        self.once(key).get_or_init(|| result = Some(action()));
        result
    }

    fn once(&self, key: K) -> Arc<OnceLock<()>> {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, once)) = keys.iter().find(|(known, _)| *known == key) {
            return Arc::clone(once);
        }
        let once = Arc::default();
        keys.push((key, Arc::clone(&once)));
        once
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test may fail if a thread cannot be started")]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn action_runs_once_per_key_before_any_caller_returns() {
        let (once, n_runs) = (OncePerKey::default(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (once, n_runs) = (&once, &n_runs);
                scope.spawn(move || {
                    once.run(number % 2, || n_runs.fetch_add(1, Ordering::Relaxed));
                    once.run(1 - number % 2, || n_runs.fetch_add(1, Ordering::Relaxed));
                    assert_eq!(n_runs.load(Ordering::Relaxed), 2);
                });
            }
        });
        assert_eq!(n_runs.into_inner(), 2);
    }

    #[test]
    fn actions_of_different_keys_run_concurrently() {
        // Each action waits until the other one has started.
        let once = OncePerKey::default();
        let (to_first, first) = mpsc::channel();
        let (to_second, second) = mpsc::channel();
        let meet = |sender: mpsc::Sender<()>, receiver: mpsc::Receiver<()>| {
            move || {
                sender.send(()).is_ok() && receiver.recv_timeout(Duration::from_secs(10)).is_ok()
            }
        };
        std::thread::scope(|scope| {
            let other = scope.spawn(|| once.run("second", meet(to_first, second)));
            assert_eq!(once.run("first", meet(to_second, first)), Some(true));
            assert_eq!(other.join().unwrap(), Some(true));
        });
    }

    #[test]
    fn action_runs_again_after_a_panic() {
        let once = OncePerKey::default();
        std::thread::scope(|scope| {
            let panics = scope.spawn(|| once.run(0, || panic!("the first action fails")));
            assert!(panics.join().is_err());
        });
        assert_eq!(once.run(0, || 1), Some(1));
    }
}
