//! Items of work, known by their numbers, dealt out to the threads of all processes.
//!
//! The first process deals, in order, a few items for every thread in advance; whoever is done with
//! one says so and gets another. So a process that is slow, or has a hard item, gets fewer. Results go
//! to the first process, which may say that items after some number are not wanted any more.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

use npuzzle::{Limit, Stats, Watch};
use npuzzle_tables::parallel::try_spawn;

use crate::error::ClusterError;
use crate::exchange::{Mesh, to_bytes, to_numbers};

/// Numbers of items to be done.
const ITEMS: u8 = 3;
/// An item that is done: its number and its result.
const DONE: u8 = 4;
/// Items after this one are not wanted.
const LAST: u8 = 5;
/// There are no more.
const OVER: u8 = 6;

/// Items for each thread in advance, the one it works on among them.
const IN_ADVANCE: usize = 2;

/// Hears of results as they come; may say that items after some number are not wanted.
pub(crate) type Hear<'a> =
    &'a mut dyn FnMut(u64, Vec<u8>) -> Result<ControlFlow<u64>, ClusterError>;

/// Does an item, under the eyes of a watch that tells when it is not wanted any more.
pub(crate) type Do<'a> = &'a (dyn Fn(u64, &mut dyn Watch) -> Vec<u8> + Sync);

/// Deals items out; only those of the first process count. When this returns, all that are wanted are
/// done. The watch is asked by every process.
pub(crate) fn deal(
    mesh: &mut Mesh,
    items: Vec<u64>,
    n_threads: usize,
    work: Do<'_>,
    hear: Hear<'_>,
    watch: &mut dyn Watch,
) -> Result<(), ClusterError> {
    let wanted = Wanted { stop: AtomicBool::new(false), last: AtomicU64::new(u64::MAX) };
    let is_broken = AtomicBool::new(false);
    let todo = Mutex::new(Todo::default());
    let (give, given) = mpsc::channel::<()>();
    let given = Mutex::new(given);
    let (sender, results) = mpsc::channel();
    let is_first = mesh.process() == 0;
    std::thread::scope(|scope| {
        // Whatever happens, the threads are told when it is over.
        let _over = StopWhenDropped(&wanted.stop);
        let give = give;
        let mut n_started = 0;
        for _ in 0..n_threads.max(1) {
            let (sender, todo, given, wanted) = (sender.clone(), &todo, &given, &wanted);
            let is_broken = &is_broken;
            let other = try_spawn(scope, move || {
                let _alarm = Alarm(is_broken);
                // Something is given for every item; the channel closes when all is over.
                while given.lock().unwrap_or_else(PoisonError::into_inner).recv().is_ok() {
                    let item = todo.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some(item) = item else { continue };
                    let mut watch = ItemWatch { wanted, item };
                    let result = work(item, &mut watch);
                    let _ = sender.send((item, result));
                }
            });
            match other {
                Ok(_) => n_started += 1,
                // This thread has the other processes to talk to.
                Err(error) if n_started == 0 => return Err(ClusterError::io("a thread", error)),
                // Those that there are do all.
                Err(_) => break,
            }
        }
        let threads = mesh.share_numbers(&[n_started])?;
        let threads = threads.iter().map(|numbers| numbers.first().map_or(1, |&n| n as usize));
        let room = threads.map(|n| n * IN_ADVANCE).collect();
        let mut dealer = Dealer { items: items.into(), room, n_out: 0 };
        let mut talk = || {
            if is_first {
                dealer.deal(mesh);
            }
            loop {
                mesh.step()?;
                if is_broken.load(Ordering::Relaxed) {
                    // What a thread was doing never comes.
                    return Err(ClusterError::Garbled { process: mesh.process() });
                }
                if let Some(limit) = watch.poll(&Stats::default()).break_value() {
                    return Err(ClusterError::Stopped(limit));
                }
                while let Ok((item, result)) = results.try_recv() {
                    let mut bytes = to_bytes(&[item]);
                    bytes.extend(result);
                    mesh.send(0, DONE, bytes);
                }
                while let Some((_, items)) = mesh.take(ITEMS) {
                    for item in to_numbers(&items) {
                        todo.lock().unwrap_or_else(PoisonError::into_inner).push_back(item);
                        let _ = give.send(());
                    }
                }
                while let Some((_, last)) = mesh.take(LAST) {
                    let last = to_numbers(&last).first().copied().unwrap_or(u64::MAX);
                    wanted.last.fetch_min(last, Ordering::Relaxed);
                }
                while let Some((from, done)) = mesh.take(DONE) {
                    dealer.hear(mesh, from, done, hear)?;
                }
                if is_first && dealer.is_over() {
                    (0..mesh.n_processes()).for_each(|to| mesh.send(to, OVER, vec![]));
                    dealer.n_out = usize::MAX;
                }
                if mesh.take(OVER).is_some() {
                    return Ok(());
                }
            }
        };
        talk()
    })?;
    mesh.end_round(&mut |_| Ok(()))
}

/// Tells a watch what share of the items is done, whenever it is asked.
pub(crate) struct Share<'a> {
    pub(crate) watch: &'a mut dyn Watch,
    pub(crate) n_done: &'a Cell<usize>,
    pub(crate) n_all: usize,
}

impl Watch for Share<'_> {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.watch.building(self.n_done.get() as f64 / self.n_all.max(1) as f64)
    }
}

type Todo = VecDeque<u64>;

/// What the first process knows of the items.
struct Dealer {
    /// Those that nobody has.
    items: VecDeque<u64>,
    /// How many more each process can take.
    room: Vec<usize>,
    /// How many are out.
    n_out: usize,
}

impl Dealer {
    /// Deals as many as there is room for.
    fn deal(&mut self, mesh: &mut Mesh) {
        while let Some(to) = (0..self.room.len()).max_by_key(|&to| self.room[to])
            && self.room[to] > 0
            && let Some(item) = self.items.pop_front()
        {
            self.room[to] -= 1;
            self.n_out += 1;
            mesh.send(to, ITEMS, to_bytes(&[item]));
        }
    }

    /// An item is done.
    fn hear(
        &mut self,
        mesh: &mut Mesh,
        from: usize,
        done: Vec<u8>,
        hear: Hear<'_>,
    ) -> Result<(), ClusterError> {
        let (number, result) = done.split_at(done.len().min(8));
        let Some(&item) = to_numbers(number).first() else {
            return Err(ClusterError::Garbled { process: from });
        };
        self.n_out -= 1;
        self.room[from] += 1;
        if let ControlFlow::Break(last) = hear(item, result.to_vec())? {
            self.items.retain(|&item| item <= last);
            (0..mesh.n_processes()).for_each(|to| mesh.send(to, LAST, to_bytes(&[last])));
        }
        self.deal(mesh);
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.items.is_empty() && self.n_out == 0
    }
}

/// What is wanted.
struct Wanted {
    stop: AtomicBool,
    last: AtomicU64,
}

/// Says that nothing is wanted any more.
struct StopWhenDropped<'a>(&'a AtomicBool);

impl Drop for StopWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Tells of a thread that has panicked.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Tells when an item is not wanted any more.
struct ItemWatch<'a> {
    wanted: &'a Wanted,
    item: u64,
}

impl Watch for ItemWatch<'_> {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        let Wanted { stop, last } = self.wanted;
        if stop.load(Ordering::Relaxed) || self.item > last.load(Ordering::Relaxed) {
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::Member;
    use crate::hosts::free_addresses;
    use npuzzle::Cancel;
    use std::time::Duration;

    /// A thread that panics ends the run; it is not waited for.
    #[test]
    fn a_thread_that_panics_is_noticed() {
        let addresses = free_addresses(1).unwrap();
        let (wait, cancel) = (Duration::from_secs(50), Cancel::new());
        let member = Member { addresses, process: 0, wait, cancel };
        let dealt = member.run("test", |mesh| {
            let work = |item: u64, _: &mut dyn Watch| {
                assert!(item < 3, "the fourth is too hard");
                Vec::new()
            };
            let mut hear = |_, _| Ok(ControlFlow::Continue(()));
            deal(mesh, (0..9).collect(), 2, &work, &mut hear, &mut ())
        });
        assert!(matches!(dealt, Err(ClusterError::Garbled { process: 0 })));
    }
}
