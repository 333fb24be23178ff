//! Processes that send each other messages, and know when all have come.
//!
//! The dataflow is as small as can be: every process has an input, messages are exchanged by the
//! process they are for, and a probe tells how far time has come everywhere. Times are numbers. A
//! process that goes on to a later time promises to send nothing more at an earlier one; so when the
//! probe says that a time is over, all messages of that time have been received by everybody.
//!
//! A process that finds another one gone ([`line`](crate::connection)) gives up and hangs up, and so do all.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use npuzzle::{Cancel, Limit, Stats, Watch};
use serde_bytes::ByteBuf;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Hooks, WorkerGuards, initialize_from};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::{Input, Operator, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use crate::connect::connect;
use crate::connection::{END, HangUp, Lines, keep_timely_quiet};
use crate::error::ClusterError;

/// How long to wait for messages before looking up.
const TICK: Duration = Duration::from_millis(5);

/// How long to wait for the threads of a job that is over. Another process that does not go on, and
/// does not end, keeps nobody for ever.
const PATIENCE: Duration = Duration::from_secs(10);

/// One process of a run.
#[derive(Clone, Debug)]
pub struct Member {
    /// The addresses of all processes, `host:port`.
    pub addresses: Vec<String>,
    /// The number of this one.
    pub process: usize,
    /// How long to wait for the others at the beginning.
    pub wait: Duration,
    /// Ends it.
    pub cancel: Cancel,
}

/// For whom, from whom, what kind, sent in which round, and what.
type Message = (u64, u64, u8, u64, ByteBuf);

/// What was sent over the network.
#[derive(Clone, Debug)]
pub struct Traffic(Lines);

impl Traffic {
    /// Bytes that this process has sent to others.
    pub fn n_bytes(&self) -> u64 {
        self.0.n_written()
    }
}

/// A process and its connections to all others.
pub struct Mesh {
    worker: Worker,
    input: Option<InputHandle<u64, CapacityContainerBuilder<Vec<Message>>>>,
    probe: ProbeHandle<u64>,
    inbox: Rc<RefCell<VecDeque<Message>>>,
    time: u64,
    /// Whether something was sent at this time.
    has_sent: bool,
    process: usize,
    n_processes: usize,
    cancel: Cancel,
    lines: Lines,
}

/// What is sent to everybody at the same time.
const SHARED: u8 = 0;

/// How a process that cannot take part begins to say why: whether it may go another time.
const MAY_PASS: char = '+';
const LASTS: char = '-';

impl Member {
    /// Connects with the other processes and does a job with them. What the job is must be said by
    /// all in the same words.
    pub fn run<T: Send + 'static>(
        &self,
        about: &str,
        job: impl FnOnce(&mut Mesh) -> Result<T, ClusterError> + Send + 'static,
    ) -> Result<T, ClusterError> {
        keep_timely_quiet();
        let is_cancelled = || self.cancel.is_cancelled();
        let number = npuzzle_tables::files::checksum(about.as_bytes());
        let streams = connect(&self.addresses, self.process, number, self.wait, &is_cancelled)?;
        let failed = |error| ClusterError::io("network", error);
        // However this ends, the others hear of it.
        let hang_up = HangUp::new(&streams).map_err(failed)?;
        let lines = Lines::new();
        let over = lines.over();
        let line = |(remote, stream): (usize, Option<_>)| Some(lines.line(remote, stream?));
        let sockets = streams.into_iter().enumerate().map(line).collect();
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, guard) =
            initialize_networking_from_sockets(inner, sockets, self.process, 1, hooks)
                .map_err(failed)?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        let (sender, receiver) = mpsc::channel();
        let (cancel, job) = (self.cancel.clone(), Mutex::new(Some((job, sender, over))));
        let workers = initialize_from(builders, Box::new(()), move |allocator| {
            let taken = job.lock().unwrap_or_else(PoisonError::into_inner).take();
            // It is over when the mesh is dropped.
            let Some((job, sender, _over)) = taken else { return };
            let worker = Worker::new(timely::WorkerConfig::default(), allocator, None);
            let mut mesh = Mesh::new(worker, cancel.clone(), lines.clone());
            let result =
                unless_lost(&lines, || job(&mut mesh).and_then(|done| mesh.end().map(|()| done)));
            let _ = sender.send(result);
        });
        let result = match &workers {
            // If the thread has panicked, it has said why.
            Ok(_) => {
                receiver.recv().unwrap_or(Err(ClusterError::Garbled { process: self.process }))
            }
            Err(_) => Err(ClusterError::io("a thread", io::Error::other("cannot be started"))),
        };
        if result.is_err() {
            // To end in an orderly way takes the others, who may be gone.
            drop(hang_up);
        }
        wait_for(move || {
            drop(workers.map(WorkerGuards::join));
            drop(guard);
        });
        result
    }
}

impl Mesh {
    fn new(mut worker: Worker, cancel: Cancel, lines: Lines) -> Mesh {
        let (process, n_processes) = (worker.index(), worker.peers());
        let inbox: Rc<RefCell<VecDeque<Message>>> = Rc::default();
        let letters = Rc::clone(&inbox);
        let (input, probe) = worker.dataflow::<u64, _, _>(|scope| {
            let (input, stream) = scope.new_input::<Vec<Message>>();
            let by_target = Exchange::new(|message: &Message| message.0);
            let received = stream.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                by_target,
                "inbox",
                move |_, _| {
                    move |input, _| {
                        input.for_each(|_, messages| {
                            letters.borrow_mut().extend(messages.drain(..))
                        });
                    }
                },
            );
            let (probe, _) = received.probe();
            (input, probe)
        });
        Mesh {
            worker,
            input: Some(input),
            probe,
            inbox,
            time: 0,
            has_sent: false,
            process,
            n_processes,
            cancel,
            lines,
        }
    }

    /// The number of this process.
    pub fn process(&self) -> usize {
        self.process
    }

    /// How many there are.
    pub fn n_processes(&self) -> usize {
        self.n_processes
    }

    /// What was sent over the network.
    pub fn traffic(&self) -> Traffic {
        Traffic(self.lines.clone())
    }

    /// Sends a message.
    pub(crate) fn send(&mut self, to: usize, kind: u8, bytes: Vec<u8>) {
        if let Some(input) = &mut self.input {
            let (from, round) = (self.process as u64, self.time >> ROUND);
            input.send((to as u64, from, kind, round, ByteBuf::from(bytes)));
            self.has_sent = true;
        }
    }

    /// Sends what is waiting to be sent, and receives; an error if there is no use in going on. If
    /// there is nothing to do, waits a little.
    pub(crate) fn step(&mut self) -> Result<(), ClusterError> {
        self.look()?;
        if self.has_sent {
            // Only what is of a time that is over is sure to be on its way.
            self.go_to(self.time + 1);
        }
        self.worker.step_or_park(Some(TICK));
        Ok(())
    }

    /// Whether there is any use in going on.
    pub(crate) fn look(&self) -> Result<(), ClusterError> {
        if self.cancel.is_cancelled() {
            return Err(ClusterError::Stopped(Limit::Interrupted));
        }
        match self.lines.lost() {
            None => Ok(()),
            Some(process) => Err(ClusterError::Lost { process }),
        }
    }

    /// The next message of this kind that has been received: from whom, and what.
    pub(crate) fn take(&mut self, kind: u8) -> Option<(usize, Vec<u8>)> {
        self.take_if(|message| message.2 == kind)
    }

    fn take_if(&mut self, is_it: impl Fn(&Message) -> bool) -> Option<(usize, Vec<u8>)> {
        let mut inbox = self.inbox.borrow_mut();
        let at = inbox.iter().position(is_it)?;
        let (_, from, _, _, bytes) = inbox.remove(at)?;
        Some((from as usize, bytes.into_vec()))
    }

    /// Goes on to the next time of the present round; whoever is far ahead of others waits for them.
    pub(crate) fn next_time(
        &mut self,
        meanwhile: &mut dyn FnMut(&mut Mesh) -> Result<(), ClusterError>,
    ) -> Result<(), ClusterError> {
        let before = self.time;
        self.go_to(self.time + 1);
        self.wait_for(before, meanwhile)
    }

    /// Ends the round: when this returns, all that anybody has sent in it has been received.
    pub(crate) fn end_round(
        &mut self,
        meanwhile: &mut dyn FnMut(&mut Mesh) -> Result<(), ClusterError>,
    ) -> Result<(), ClusterError> {
        self.go_to(((self.time >> ROUND) + 1) << ROUND);
        self.wait_for(self.time, meanwhile)
    }

    fn go_to(&mut self, time: u64) {
        (self.time, self.has_sent) = (time, false);
        if let Some(input) = &mut self.input {
            input.advance_to(time);
        }
    }

    fn wait_for(
        &mut self,
        time: u64,
        meanwhile: &mut dyn FnMut(&mut Mesh) -> Result<(), ClusterError>,
    ) -> Result<(), ClusterError> {
        while self.probe.less_than(&time) {
            self.step()?;
            meanwhile(self)?;
        }
        meanwhile(self)
    }

    /// Tells everybody something, and hears what all have to say, by their numbers.
    pub(crate) fn share(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, ClusterError> {
        for to in 0..self.n_processes {
            self.send(to, SHARED, bytes.to_vec());
        }
        let round = self.time >> ROUND;
        self.end_round(&mut |_| Ok(()))?;
        let mut heard = vec![None; self.n_processes];
        // Whoever is fast may have shared the next thing already.
        while let Some((from, bytes)) = self.take_if(|m| (m.2, m.3) == (SHARED, round)) {
            heard[from] = Some(bytes);
        }
        let missing = heard.iter().position(Option::is_none);
        match missing {
            Some(process) => Err(ClusterError::Garbled { process }),
            None => Ok(heard.into_iter().flatten().collect()),
        }
    }

    /// The same for numbers, of which all say as many.
    pub(crate) fn share_numbers(&mut self, numbers: &[u64]) -> Result<Vec<Vec<u64>>, ClusterError> {
        let heard = self.share(&to_bytes(numbers))?;
        Ok(heard.iter().map(|bytes| to_numbers(bytes)).collect())
    }

    /// What this process has got, if all have got theirs; otherwise why one has not, told to all.
    pub(crate) fn all_have<T>(&mut self, got: Result<T, ClusterError>) -> Result<T, ClusterError> {
        if let Err(ClusterError::Lost { .. } | ClusterError::Stopped(_)) = got {
            return got;
        }
        let why = match &got {
            Ok(_) => String::new(),
            Err(error) => format!("{}{error}", if error.may_pass() { MAY_PASS } else { LASTS }),
        };
        let heard = self.share(why.as_bytes())?;
        let Some(process) = heard.iter().position(|why| !why.is_empty()) else { return got };
        // Nobody hangs up before all have heard of it; from then on it does not matter who does.
        let lines = self.lines.clone();
        let _ = unless_lost(&lines, || self.end_round(&mut |_| Ok(())));
        let why = String::from_utf8_lossy(&heard[process]);
        let mut letters = why.chars();
        let may_pass = letters.next() == Some(MAY_PASS);
        let why = letters.as_str().to_owned();
        got.and(Err(ClusterError::Refused { process, why, may_pass }))
    }

    /// Whether the first process says that it has done something on which hangs what all do next.
    pub fn has_first_done(&mut self, is_done: bool) -> Result<bool, ClusterError> {
        let heard = self.share_numbers(&[u64::from(is_done)])?;
        Ok(heard.first().is_some_and(|numbers| numbers.first() == Some(&1)))
    }

    /// Ends all together.
    fn end(&mut self) -> Result<(), ClusterError> {
        self.end_round(&mut |_| Ok(()))?;
        // All have done their work: who hangs up from now on is missed by nobody.
        self.input = None;
        while self.worker.has_dataflows() && self.lines.lost().is_none() {
            self.worker.step_or_park(Some(TICK));
        }
        Ok(())
    }
}

/// Waits until timely's threads have ended, or for [`PATIENCE`]: by then all that matters is done. Those
/// that have lost somebody panic when all is over, and so does who waits for them.
fn wait_for(threads: impl FnOnce() + Send + 'static) {
    let (sender, ended) = mpsc::channel::<()>();
    // Without a thread to wait in they are left to themselves.
    let threads = ManuallyDrop::new(threads);
    let wait = std::thread::Builder::new().name(END.to_owned()).spawn(move || {
        let _sender = sender;
        ManuallyDrop::into_inner(threads)();
    });
    if wait.is_ok() {
        // Nothing comes; the other end is dropped.
        let _ = ended.recv_timeout(PATIENCE);
    }
}

/// Asks a watch, and breaks as well when there is no use in going on with the others.
pub(crate) struct Looking<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(crate) watch: &'a mut dyn Watch,
}

impl Looking<'_> {
    fn look(&self) -> ControlFlow<Limit> {
        match self.mesh.look() {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(Limit::Interrupted),
        }
    }
}

impl Watch for Looking<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.look()?;
        self.watch.poll(stats)
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.look()?;
        self.watch.building(share)
    }
}

/// So many bits of a time are for the times of a round.
const ROUND: u32 = 32;

/// Numbers as bytes.
pub(crate) fn to_bytes(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Bytes as numbers.
pub(crate) fn to_numbers(bytes: &[u8]) -> Vec<u64> {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
    bytes.chunks_exact(8).map(number).collect()
}

/// Does something; a panic after a process was lost comes from that.
fn unless_lost<T>(
    lines: &Lines,
    work: impl FnOnce() -> Result<T, ClusterError>,
) -> Result<T, ClusterError> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => match lines.lost() {
            None => resume_unwind(panic),
            Some(process) => Err(ClusterError::Lost { process }),
        },
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test without threads may stop where it is")]
mod tests {
    use super::*;
    use crate::hosts::free_addresses;

    type Job = fn(&mut Mesh, Option<usize>) -> Result<usize, ClusterError>;

    /// Three processes, of which one may fail.
    fn run(job: Job, failing: Option<usize>) -> Vec<Result<usize, ClusterError>> {
        let addresses = free_addresses(3).unwrap();
        let member = |process| Member {
            addresses: addresses.clone(),
            process,
            wait: Duration::from_secs(50),
            cancel: Cancel::new(),
        };
        let start = |member: Member| {
            std::thread::spawn(move || member.run("test", move |mesh| job(mesh, failing)))
        };
        [0, 1, 2].map(member).map(start).map(|thread| thread.join().unwrap()).into()
    }

    /// All share something, and then one may fail.
    fn share(mesh: &mut Mesh, failing: Option<usize>) -> Result<usize, ClusterError> {
        let heard = mesh.share(&[mesh.process() as u8])?;
        assert_eq!(heard, [[0], [1], [2]]);
        if failing == Some(mesh.process()) {
            return Err(ClusterError::Impossible("failed".into()));
        }
        Ok(mesh.share(b"more")?.len())
    }

    #[test]
    fn whoever_fails_hangs_up_and_the_next_run_knows_nothing_of_it() {
        for failing in [0, 2] {
            for (process, result) in run(share, Some(failing)).into_iter().enumerate() {
                // Who hears of it from another one that has heard of it names that one.
                let is_right = match result {
                    Err(ClusterError::Impossible(_)) => process == failing,
                    Err(ClusterError::Lost { process: lost }) => {
                        process != failing && lost != process
                    }
                    _ => false,
                };
                assert!(is_right, "{process}");
            }
            assert!(run(share, None).iter().all(|result| matches!(result, Ok(3))));
        }
    }

    /// One finds that it cannot take part: the second in a way that lasts, the third in one that may
    /// pass.
    fn begin(mesh: &mut Mesh, failing: Option<usize>) -> Result<usize, ClusterError> {
        let got = match mesh.process() {
            process if failing != Some(process) => Ok(process),
            1 => Err(ClusterError::Impossible("failed".into())),
            _ => Err(ClusterError::io("disk", io::Error::other("full"))),
        };
        mesh.all_have(got)
    }

    #[test]
    fn why_one_cannot_take_part_is_told_to_all() {
        // Whoever hears of it last must not find the others gone.
        for _ in 0..4 {
            for (failing, may_pass, words) in [(1, false, "failed"), (2, true, "disk: full")] {
                for (process, result) in run(begin, Some(failing)).into_iter().enumerate() {
                    let error = result.unwrap_err();
                    let expect = if process == failing {
                        words.to_owned()
                    } else {
                        format!("process {failing}: {words}")
                    };
                    assert_eq!((error.to_string(), error.may_pass()), (expect, may_pass));
                }
            }
        }
        let all: Vec<_> = run(begin, None).into_iter().map(Result::unwrap).collect();
        assert_eq!(all, [0, 1, 2]);
    }
}
