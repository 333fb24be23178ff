//! The open connections: no more than there may be, and of too many those go that ask for nothing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// All open connections, oldest first.
#[derive(Default, Debug)]
pub(crate) struct Connections {
    open: Mutex<Open>,
}

#[derive(Default, Debug)]
struct Open {
    last: u64,
    by_number: BTreeMap<u64, Arc<State>>,
}

#[derive(Default, Debug)]
struct State {
    /// Questions that have come and are not answered yet.
    n_asking: AtomicUsize,
    is_unwanted: Notify,
}

/// An open connection; closed when dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    number: u64,
    state: Arc<State>,
    all: Arc<Connections>,
}

/// A question that is not answered yet, or whose answer is not taken yet. The next one of a connection
/// may come before the end of an answer has been taken.
#[derive(Debug)]
pub(crate) struct Asking {
    state: Arc<State>,
    is_heard: AtomicBool,
}

/// Who asks the questions of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Asker(Arc<State>);

impl Connections {
    /// A new connection. If there are too many, the oldest that asks for nothing is closed; if all of
    /// them ask, there is no room.
    pub(crate) fn open(self: &Arc<Connections>, most: usize) -> Option<Connection> {
        let mut open = self.lock();
        if open.by_number.len() >= most {
            let is_idle =
                |(_, state): &(&u64, &Arc<State>)| state.n_asking.load(Ordering::Relaxed) == 0;
            let number = *open.by_number.iter().find(is_idle)?.0;
            let state = open.by_number.remove(&number)?;
            state.is_unwanted.notify_one();
        }
        open.last += 1;
        let (number, state) = (open.last, Arc::<State>::default());
        open.by_number.insert(number, Arc::clone(&state));
        Some(Connection { number, state, all: Arc::clone(self) })
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().by_number.len()
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    /// Returns when it is to be closed to make room.
    pub(crate) async fn unwanted(&self) {
        self.state.is_unwanted.notified().await;
    }

    pub(crate) fn asker(&self) -> Asker {
        Asker(Arc::clone(&self.state))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.lock().by_number.remove(&self.number);
    }
}

impl Asker {
    /// A question whose head has come.
    pub(crate) fn asks(&self) -> Asking {
        Asking { state: Arc::clone(&self.0), is_heard: AtomicBool::new(false) }
    }
}

impl Asking {
    /// It is whole: from now on, until this is dropped, the connection is not closed to make room.
    pub(crate) fn is_heard(&self) {
        if !self.is_heard.swap(true, Ordering::Relaxed) {
            self.state.n_asking.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        if *self.is_heard.get_mut() {
            self.state.n_asking.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_that_asks_for_nothing_makes_room() {
        let all = Arc::new(Connections::default());
        let first = all.open(2).unwrap();
        let second = all.open(2).unwrap();
        let asking = first.asker().asks();
        asking.is_heard();
        // Of this one the body has not come.
        let _half = second.asker().asks();
        let third = all.open(2).unwrap();
        let numbers: Vec<u64> = all.lock().by_number.keys().copied().collect();
        assert_eq!(numbers, [first.number, third.number]);
        let third_asking = third.asker().asks();
        third_asking.is_heard();
        assert!(all.open(2).is_none());
        // A second question of the third, whose first is taken then.
        let next = third.asker().asks();
        next.is_heard();
        next.is_heard();
        drop(third_asking);
        assert!(all.open(2).is_none());
        drop((asking, second));
        assert!(all.open(2).is_some());
    }
}
