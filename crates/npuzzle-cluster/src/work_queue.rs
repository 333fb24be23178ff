//! Distributes numbered work items to the threads of all processes.
//!
//! Process 0 holds the queue. It assigns the items in order, a few per thread in advance; a process
//! that reports a result is assigned another item. A process that is slow or has a hard item
//! therefore does fewer. Results go to process 0, which may decide that items after some number are
//! not needed.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::Scope;

use npuzzle::{Limit, Stats, Watch};
use npuzzle_tables::parallel::try_spawn;

use crate::error::ClusterError;
use crate::exchange::{Exchange, to_bytes, to_numbers};

/// Message kind: items for the recipient.
const ITEMS: u8 = 3;
/// Message kind: the number and the result of a completed item.
const RESULT: u8 = 4;
/// Message kind: items after this one are not needed.
const LAST: u8 = 5;
/// Message kind: all items are completed.
const END: u8 = 6;

/// The number of items per thread that a process has at once, including the one in progress.
const ITEMS_PER_THREAD: usize = 2;

/// Does an item. The watch stops it when its result is not needed any more.
pub(crate) type RunItem<'a> = &'a (dyn Fn(u64, &mut dyn Watch) -> Vec<u8> + Sync);

/// Receives the number and the result of an item on process 0. It may break with a number: items
/// after it are not needed.
pub(crate) type OnResult<'a> =
    &'a mut dyn FnMut(u64, Vec<u8>) -> Result<ControlFlow<u64>, ClusterError>;

/// Distributes the items of process 0; the items of the other processes are ignored. On return, all
/// needed items are completed. Every process polls its watch.
pub(crate) fn distribute(
    exchange: &mut Exchange,
    items: Vec<u64>,
    n_threads: usize,
    run_item: RunItem<'_>,
    on_result: OnResult<'_>,
    watch: &mut dyn Watch,
) -> Result<(), ClusterError> {
    let (item_sender, item_receiver) = mpsc::channel();
    let (result_sender, result_receiver) = mpsc::channel();
    let state = WorkerState::new(item_receiver);
    std::thread::scope(|scope| {
        // Dropped on every return: the threads stop, so that the scope can join them.
        let workers = Workers { state: &state, items: item_sender, results: result_receiver };
        let n_started = start_threads(scope, &state, n_threads, run_item, &result_sender)?;
        let n_threads = exchange.all_gather_numbers(&[n_started])?;
        let queue = (exchange.process() == 0).then(|| WorkQueue::new(items, &n_threads));
        run_to_end(exchange, &workers, queue, on_result, watch)
    })?;
    exchange.end_phase(&mut |_| Ok(()))
}

/// Exchanges items and results until process 0 ends the distribution.
fn run_to_end(
    exchange: &mut Exchange,
    workers: &Workers<'_>,
    mut queue: Option<WorkQueue>,
    on_result: OnResult<'_>,
    watch: &mut dyn Watch,
) -> Result<(), ClusterError> {
    if let Some(queue) = &mut queue {
        queue.assign(exchange);
    }
    loop {
        exchange.step()?;
        if workers.state.has_panicked.load(Ordering::Relaxed) {
            // The result of its item will never come.
            return Err(ClusterError::Protocol { process: exchange.process() });
        }
        if let Some(limit) = watch.poll(&Stats::default()).break_value() {
            return Err(ClusterError::Stopped(limit));
        }
        workers.send_results(exchange);
        workers.receive_items(exchange);
        if let Some(queue) = &mut queue {
            queue.receive_results(exchange, on_result)?;
        }
        if queue.as_ref().is_some_and(WorkQueue::is_done) {
            exchange.send_to_all(END, &[]);
            queue = None;
        }
        if exchange.take(END).is_some() {
            return Ok(());
        }
    }
}

/// Starts the threads of this process and returns their number. Fails if none can be started: the
/// calling thread communicates with the other processes.
fn start_threads<'scope>(
    scope: &'scope Scope<'scope, '_>,
    state: &'scope WorkerState,
    n_threads: usize,
    run_item: RunItem<'scope>,
    results: &mpsc::Sender<(u64, Vec<u8>)>,
) -> Result<u64, ClusterError> {
    let mut n_started = 0;
    for _ in 0..n_threads.max(1) {
        let results = results.clone();
        let started = try_spawn(scope, move || {
            let _panic_flag = PanicFlag(&state.has_panicked);
            while let Some(item) = state.next_item() {
                let result = run_item(item, &mut ItemWatch { state, item });
                let _ = results.send((item, result));
            }
        });
        match started {
            Ok(_) => n_started += 1,
            Err(error) if n_started == 0 => return Err(ClusterError::io("a thread", error)),
            // The threads that were started do all items.
            Err(_) => break,
        }
    }
    Ok(n_started)
}

/// The state that the threads of a process share.
struct WorkerState {
    /// The items that are assigned to this process; closed at the end of the distribution.
    items: Mutex<mpsc::Receiver<u64>>,
    /// Whether the distribution has ended.
    has_ended: AtomicBool,
    /// Items after this one are not needed.
    last: AtomicU64,
    /// Whether a thread has panicked.
    has_panicked: AtomicBool,
}

impl WorkerState {
    fn new(items: mpsc::Receiver<u64>) -> WorkerState {
        WorkerState {
            items: Mutex::new(items),
            has_ended: AtomicBool::new(false),
            last: AtomicU64::new(u64::MAX),
            has_panicked: AtomicBool::new(false),
        }
    }

    /// Waits for an item; `None` at the end of the distribution.
    fn next_item(&self) -> Option<u64> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
    }
}

/// The calling thread's side of the worker threads. Dropping it ends them.
struct Workers<'a> {
    state: &'a WorkerState,
    items: mpsc::Sender<u64>,
    results: mpsc::Receiver<(u64, Vec<u8>)>,
}

impl Workers<'_> {
    /// Sends the results of completed items to process 0.
    fn send_results(&self, exchange: &mut Exchange) {
        while let Ok((item, result)) = self.results.try_recv() {
            let mut bytes = to_bytes(&[item]);
            bytes.extend(result);
            exchange.send(0, RESULT, bytes);
        }
    }

    /// Receives assigned items, and the number after which none are needed.
    fn receive_items(&self, exchange: &mut Exchange) {
        while let Some((_, items)) = exchange.take(ITEMS) {
            for item in to_numbers(&items) {
                let _ = self.items.send(item);
            }
        }
        while let Some((_, last)) = exchange.take(LAST) {
            let last = to_numbers(&last).first().copied().unwrap_or(u64::MAX);
            self.state.last.fetch_min(last, Ordering::Relaxed);
        }
    }
}

impl Drop for Workers<'_> {
    fn drop(&mut self) {
        self.state.has_ended.store(true, Ordering::Relaxed);
    }
}

/// The queue of process 0.
struct WorkQueue {
    /// The items that are not assigned yet.
    items: VecDeque<u64>,
    /// The number of further items that each process can take.
    capacity: Vec<usize>,
    /// The number of items that are assigned and not completed.
    n_assigned: usize,
}

impl WorkQueue {
    /// `n_threads` holds one number for each process.
    fn new(items: Vec<u64>, n_threads: &[Vec<u64>]) -> WorkQueue {
        let n_threads = n_threads.iter().map(|numbers| numbers.first().map_or(1, |&n| n as usize));
        let capacity = n_threads.map(|n| n * ITEMS_PER_THREAD).collect();
        WorkQueue { items: items.into(), capacity, n_assigned: 0 }
    }

    /// Assigns items to the processes with the largest capacity, as many as they can take.
    fn assign(&mut self, exchange: &mut Exchange) {
        while let Some(to) = (0..self.capacity.len()).max_by_key(|&to| self.capacity[to])
            && self.capacity[to] > 0
            && let Some(item) = self.items.pop_front()
        {
            self.capacity[to] -= 1;
            self.n_assigned += 1;
            exchange.send(to, ITEMS, to_bytes(&[item]));
        }
    }

    /// Receives results and assigns further items to their senders.
    fn receive_results(
        &mut self,
        exchange: &mut Exchange,
        on_result: OnResult<'_>,
    ) -> Result<(), ClusterError> {
        while let Some((process, bytes)) = exchange.take(RESULT) {
            let (number, result) = bytes.split_at(bytes.len().min(8));
            let Some(&item) = to_numbers(number).first() else {
                return Err(ClusterError::Protocol { process });
            };
            self.n_assigned -= 1;
            self.capacity[process] += 1;
            if let ControlFlow::Break(last) = on_result(item, result.to_vec())? {
                self.items.retain(|&item| item <= last);
                exchange.send_to_all(LAST, &to_bytes(&[last]));
            }
            self.assign(exchange);
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.items.is_empty() && self.n_assigned == 0
    }
}

/// Records that a thread has panicked.
struct PanicFlag<'a>(&'a AtomicBool);

impl Drop for PanicFlag<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Stops an item that is not needed any more.
struct ItemWatch<'a> {
    state: &'a WorkerState,
    item: u64,
}

impl Watch for ItemWatch<'_> {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        let WorkerState { has_ended, last, .. } = self.state;
        if has_ended.load(Ordering::Relaxed) || self.item > last.load(Ordering::Relaxed) {
            // The result is not needed, so nobody sees this limit.
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Reports the share of completed items to a watch at every poll.
pub(crate) struct ItemProgress<'a> {
    pub(crate) watch: &'a mut dyn Watch,
    pub(crate) n_done: &'a Cell<usize>,
    pub(crate) n_all: usize,
}

impl Watch for ItemProgress<'_> {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.watch.building(self.n_done.get() as f64 / self.n_all.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::free_addresses;
    use crate::member::Member;
    use npuzzle::Cancel;
    use std::time::Duration;

    #[test]
    fn panic_of_a_thread_ends_the_run() {
        let addresses = free_addresses(1).unwrap();
        let (wait, cancel) = (Duration::from_secs(50), Cancel::new());
        let member = Member { addresses, process: 0, wait, cancel };
        let result = member.run("test", |exchange| {
            let run_item = |item: u64, _: &mut dyn Watch| {
                assert!(item < 3, "item 3 panics");
                Vec::new()
            };
            let mut on_result = |_, _| Ok(ControlFlow::Continue(()));
            distribute(exchange, (0..9).collect(), 2, &run_item, &mut on_result, &mut ())
        });
        assert!(matches!(result, Err(ClusterError::Protocol { process: 0 })));
    }
}
