//! The slots of long searches, granted to the waiting clients in turn.
//!
//! A client is an IP address. Its searches wait in the order of arrival, and the clients take turns, so a client with one
//! search does not wait for all searches of a client with many. No client holds all slots.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot::{self, Receiver, Sender};

/// The assumed duration of a long search before the first one has ended.
const FIRST_ESTIMATE: Duration = Duration::from_secs(5);

/// The slots of long searches.
#[derive(Debug)]
pub(super) struct LongSlots {
    n_slots: usize,
    max_per_client: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    is_closed: bool,
    /// The number of slots of each client that holds any.
    held: HashMap<IpAddr, usize>,
    /// The clients with waiting searches. Slots are granted from the front.
    clients: VecDeque<WaitingClient>,
    /// The smoothed duration of the searches that have ended.
    mean_time: Duration,
}

#[derive(Debug)]
struct WaitingClient {
    client: IpAddr,
    /// Not empty. A search that no longer waits has closed its channel.
    searches: VecDeque<Sender<LongSlot>>,
}

/// A slot, which is free again when it is dropped.
#[derive(Debug)]
pub(super) struct LongSlot {
    slots: Arc<LongSlots>,
    client: IpAddr,
    since: Instant,
}

impl LongSlots {
    /// `n_slots` slots, of which a client holds at most `max_per_client`.
    pub(super) fn new(n_slots: usize, max_per_client: usize) -> LongSlots {
        let state = State {
            is_closed: false,
            held: HashMap::new(),
            clients: VecDeque::new(),
            mean_time: FIRST_ESTIMATE,
        };
        LongSlots { n_slots, max_per_client: max_per_client.max(1), state: Mutex::new(state) }
    }

    /// Requests a slot, which is sent to the receiver when it is this client's turn. Dropping the receiver ends the request.
    /// The receiver fails if the slots are closed.
    pub(super) fn request(self: &Arc<LongSlots>, client: IpAddr) -> Receiver<LongSlot> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.lock();
        if !state.is_closed {
            state.enqueue(client, sender);
        }
        drop(state);
        self.grant();
        receiver
    }

    /// Grants no more slots.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.clients.clear();
    }

    /// Estimates how long a new search waits if `n_waiting` searches wait before it.
    pub(super) fn expected_wait(&self, n_waiting: usize) -> Duration {
        let n_rounds = (n_waiting + 1).div_ceil(self.n_slots.max(1));
        self.lock().mean_time.saturating_mul(u32::try_from(n_rounds).unwrap_or(u32::MAX))
    }

    /// Sends the free slots to the searches whose turn it is.
    fn grant(self: &Arc<LongSlots>) {
        // A separate statement, so that the lock is released before the slot is sent: a search that has just ended its
        // request drops the slot, which needs the lock.
        while let Some((client, search)) = { self.next() } {
            let slot = LongSlot { slots: Arc::clone(self), client, since: Instant::now() };
            let _ = search.send(slot);
        }
    }

    /// Takes the next search from the queue, if a slot is free for it, and counts the slot as held.
    fn next(&self) -> Option<(IpAddr, Sender<LongSlot>)> {
        let mut state = self.lock();
        if state.held.values().sum::<usize>() >= self.n_slots {
            return None;
        }
        let (client, search) = state.dequeue(self.max_per_client)?;
        *state.held.entry(client).or_default() += 1;
        Some((client, search))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn enqueue(&mut self, client: IpAddr, search: Sender<LongSlot>) {
        match self.clients.iter_mut().find(|waiting| waiting.client == client) {
            Some(waiting) => {
                // Requests that have ended would fill the queue while no slot becomes free.
                waiting.searches.retain(|search| !search.is_closed());
                waiting.searches.push_back(search);
            }
            None => self.clients.push_back(WaitingClient { client, searches: [search].into() }),
        }
    }

    /// Takes the first search of the first client that holds fewer than `max_per_client` slots, and moves the client
    /// to the end.
    fn dequeue(&mut self, max_per_client: usize) -> Option<(IpAddr, Sender<LongSlot>)> {
        let has_turn = |waiting: &WaitingClient| {
            self.held.get(&waiting.client).copied().unwrap_or(0) < max_per_client
        };
        let position = self.clients.iter().position(has_turn)?;
        let mut waiting = self.clients.remove(position)?;
        let search = waiting.searches.pop_front()?;
        let client = waiting.client;
        if !waiting.searches.is_empty() {
            self.clients.push_back(waiting);
        }
        Some((client, search))
    }
}

impl Drop for LongSlot {
    fn drop(&mut self) {
        let mut state = self.slots.lock();
        state.mean_time = (state.mean_time * 3 + self.since.elapsed()) / 4;
        if let Some(n) = state.held.get_mut(&self.client) {
            *n -= 1;
            if *n == 0 {
                state.held.remove(&self.client);
            }
        }
        drop(state);
        self.slots.grant();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> IpAddr {
        [127, 0, 0, number].into()
    }

    /// The clients in the order in which they get the only slot.
    fn order(slots: &Arc<LongSlots>, requests: &[u8]) -> Vec<u8> {
        let first = slots.request(client(9)).try_recv().unwrap();
        let mut waiting: Vec<_> =
            requests.iter().map(|&number| (number, slots.request(client(number)))).collect();
        assert!(waiting.iter_mut().all(|(_, receiver)| receiver.try_recv().is_err()));
        let mut held = Some(first);
        let mut order = Vec::new();
        while !waiting.is_empty() {
            drop(held.take());
            let granted = waiting.iter_mut().enumerate().find_map(|(position, (_, receiver))| {
                receiver.try_recv().ok().map(|slot| (position, slot))
            });
            let (position, slot) = granted.expect("a slot is granted");
            order.push(waiting.remove(position).0);
            held = Some(slot);
        }
        order
    }

    #[test]
    fn clients_take_turns() {
        let slots = Arc::new(LongSlots::new(1, 1));
        assert_eq!(order(&slots, &[1, 1, 1, 1, 2, 3, 2]), [1, 2, 3, 1, 2, 1, 1]);
    }

    #[test]
    fn ended_requests_are_skipped() {
        let slots = Arc::new(LongSlots::new(1, 1));
        let held = slots.request(client(1)).try_recv().unwrap();
        drop(slots.request(client(2)));
        let mut third = slots.request(client(3));
        drop(held);
        assert!(third.try_recv().is_ok());
    }

    #[test]
    fn one_client_does_not_hold_all_slots() {
        let slots = Arc::new(LongSlots::new(3, 2));
        let mut receivers = [1, 1, 1, 2, 2].map(|number| slots.request(client(number)));
        let mut granted: Vec<_> =
            receivers.iter_mut().map(|receiver| receiver.try_recv().ok()).collect();
        let held =
            |granted: &[Option<LongSlot>]| granted.iter().map(Option::is_some).collect::<Vec<_>>();
        assert_eq!(held(&granted), [true, true, false, true, false]);
        // The free slot goes to the first client again, whose turn it is.
        granted[0] = None;
        let late: Vec<_> = receivers.iter_mut().map(|receiver| receiver.try_recv().ok()).collect();
        assert_eq!(held(&late), [false, false, true, false, false]);
    }

    #[test]
    fn closed_slots_fail_requests() {
        let slots = Arc::new(LongSlots::new(1, 1));
        let held = slots.request(client(1)).try_recv().unwrap();
        let mut waiting = slots.request(client(2));
        slots.close();
        drop(held);
        assert!(waiting.try_recv().is_err() && slots.request(client(3)).try_recv().is_err());
    }

    #[test]
    fn expected_wait_grows_with_the_queue() {
        let slots = Arc::new(LongSlots::new(4, 4));
        assert_eq!(slots.expected_wait(3), FIRST_ESTIMATE);
        assert_eq!(slots.expected_wait(27), FIRST_ESTIMATE * 7);
        drop(slots.request(client(1)).try_recv().unwrap());
        assert!(slots.expected_wait(3) < FIRST_ESTIMATE);
    }
}
