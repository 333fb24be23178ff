//! The open connections. When there are too many, the oldest idle connection is closed.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// All open connections.
#[derive(Default, Debug)]
pub(crate) struct ConnectionList {
    open: Mutex<OpenConnections>,
}

#[derive(Default, Debug)]
struct OpenConnections {
    last_number: u64,
    /// Numbers are assigned in order, so the first entry is the oldest connection.
    by_number: BTreeMap<u64, Arc<ConnectionState>>,
}

#[derive(Default, Debug)]
struct ConnectionState {
    /// Requests that have been received and whose responses are not fully sent.
    n_active: AtomicUsize,
    eviction: Notify,
}

/// An open connection; it is removed from the list when dropped.
#[derive(Debug)]
pub(crate) struct OpenConnection {
    number: u64,
    state: Arc<ConnectionState>,
    all: Arc<ConnectionList>,
}

/// A request from the arrival of its head until its response has been sent or abandoned. The next
/// request of the same connection may begin before the end of a response has been sent.
#[derive(Debug)]
pub(crate) struct InFlightRequest {
    state: Arc<ConnectionState>,
    is_received: AtomicBool,
}

/// The client of a connection, an extension of its requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub(crate) IpAddr);

/// Registers the requests of a connection.
#[derive(Clone, Debug)]
pub(crate) struct RequestRegistry(Arc<ConnectionState>);

impl ConnectionList {
    /// Registers a new connection. If `max_connections` are open, the oldest idle connection is
    /// closed first; if none is idle, returns `None`.
    pub(crate) fn open(
        self: &Arc<ConnectionList>,
        max_connections: usize,
    ) -> Option<OpenConnection> {
        let mut open = self.lock();
        if open.by_number.len() >= max_connections {
            let is_idle = |(_, state): &(&u64, &Arc<ConnectionState>)| {
                state.n_active.load(Ordering::Relaxed) == 0
            };
            let number = *open.by_number.iter().find(is_idle)?.0;
            let state = open.by_number.remove(&number)?;
            state.eviction.notify_one();
        }
        open.last_number += 1;
        let (number, state) = (open.last_number, Arc::<ConnectionState>::default());
        open.by_number.insert(number, Arc::clone(&state));
        Some(OpenConnection { number, state, all: Arc::clone(self) })
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().by_number.len()
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnection {
    /// Returns when the connection must be closed to make room for a new one.
    pub(crate) async fn evicted(&self) {
        self.state.eviction.notified().await;
    }

    pub(crate) fn registry(&self) -> RequestRegistry {
        RequestRegistry(Arc::clone(&self.state))
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.all.lock().by_number.remove(&self.number);
    }
}

impl RequestRegistry {
    /// Registers a request whose head has been received.
    pub(crate) fn begin(&self) -> InFlightRequest {
        InFlightRequest { state: Arc::clone(&self.0), is_received: AtomicBool::new(false) }
    }
}

impl InFlightRequest {
    /// Records that the request is complete. From now until `self` is dropped, the connection is
    /// not idle.
    pub(crate) fn mark_received(&self) {
        if !self.is_received.swap(true, Ordering::Relaxed) {
            self.state.n_active.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for InFlightRequest {
    fn drop(&mut self) {
        if *self.is_received.get_mut() {
            self.state.n_active.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_too_many_evicts_the_oldest_idle_connection() {
        let all = Arc::new(ConnectionList::default());
        let first = all.open(2).unwrap();
        let second = all.open(2).unwrap();
        let request = first.registry().begin();
        request.mark_received();
        // The body of this request is still missing, so its connection counts as idle.
        let _incomplete = second.registry().begin();
        let third = all.open(2).unwrap();
        let numbers: Vec<u64> = all.lock().by_number.keys().copied().collect();
        assert_eq!(numbers, [first.number, third.number]);
        let third_request = third.registry().begin();
        third_request.mark_received();
        assert!(all.open(2).is_none());
        // The third connection stays active if its second request begins before its first ends.
        let next = third.registry().begin();
        next.mark_received();
        next.mark_received();
        drop(third_request);
        assert!(all.open(2).is_none());
        drop((request, second));
        assert!(all.open(2).is_some());
    }
}
