//! Something that is done once for each of several kinds, while those who need it wait.

use std::sync::{Mutex, PoisonError};

/// The kinds for which it is done.
#[derive(Debug)]
pub(super) struct Firsts<K>(Mutex<Vec<K>>);

impl<K> Default for Firsts<K> {
    fn default() -> Firsts<K> {
        Firsts(Mutex::default())
    }
}

impl<K: PartialEq> Firsts<K> {
    /// Does it for this kind; `None` if it is done, now that whoever was doing it has ended.
    pub(super) fn first<R>(&self, kind: K, act: impl FnOnce() -> R) -> Option<R> {
        let mut done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if done.contains(&kind) {
            return None;
        }
        let acted = act();
        done.push(kind);
        Some(acted)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test without threads may stop where it is")]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn it_is_done_once_for_each_kind_before_anybody_goes_on() {
        let (firsts, n_done) = (Firsts::default(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (firsts, n_done) = (&firsts, &n_done);
                scope.spawn(move || {
                    firsts.first(number % 2, || n_done.fetch_add(1, Ordering::Relaxed));
                    firsts.first(1 - number % 2, || n_done.fetch_add(1, Ordering::Relaxed));
                    assert_eq!(n_done.load(Ordering::Relaxed), 2);
                });
            }
        });
        assert_eq!(n_done.into_inner(), 2);
    }
}
