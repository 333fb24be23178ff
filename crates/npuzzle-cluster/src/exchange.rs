//! Message exchange between the processes of a run.
//!
//! The dataflow is minimal: every process has an input, messages are routed to the process that they
//! are addressed to, and a probe reports the progress of time in all processes. Timestamps are
//! numbers; the upper half is the phase. A process that advances to a later timestamp promises to
//! send nothing more at an earlier one. When the probe has passed a timestamp, every process has
//! received all messages sent at that timestamp.
//!
//! A process that detects the [loss](crate::connection) of another one ends its job and closes its
//! connections, so that all processes end.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Duration;

use npuzzle::search::Cost;
use npuzzle::{Cancel, Limit, Stats, Watch};
use serde_bytes::ByteBuf;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact;
use timely::dataflow::operators::{Input, Operator, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use crate::connection::Connections;
use crate::error::ClusterError;

/// The time to wait for messages before polling for cancellation and losses.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The number of low bits of a timestamp that count within a phase.
const PHASE_SHIFT: u32 = 32;

/// The kind of messages of [`Exchange::all_gather`]. Jobs use other kinds.
const GATHERED: u8 = 0;

/// The first character of a gathered error message: whether the error is transient.
const TRANSIENT: char = '+';
const PERMANENT: char = '-';

/// Recipient, sender, kind, phase in which it was sent, and contents.
type Message = (u64, u64, u8, u64, ByteBuf);

/// The bytes that a process has sent over the network.
#[derive(Clone, Debug)]
pub struct Traffic(Connections);

impl Traffic {
    /// Returns the number of bytes that this process has sent to others.
    pub fn n_bytes(&self) -> u64 {
        self.0.n_written()
    }
}

/// A process of a run, with its connections to all others.
pub struct Exchange {
    worker: Worker,
    input: Option<InputHandle<u64, CapacityContainerBuilder<Vec<Message>>>>,
    probe: ProbeHandle<u64>,
    inbox: Rc<RefCell<VecDeque<Message>>>,
    timestamp: u64,
    /// Whether something was sent at this timestamp.
    has_sent: bool,
    process: usize,
    n_processes: usize,
    cancel: Cancel,
    connections: Connections,
}

/// Handles received messages while the exchange waits.
type OnProgress<'a> = &'a mut dyn FnMut(&mut Exchange) -> Result<(), ClusterError>;

impl Exchange {
    pub(crate) fn new(mut worker: Worker, cancel: Cancel, connections: Connections) -> Exchange {
        let (process, n_processes) = (worker.index(), worker.peers());
        let inbox: Rc<RefCell<VecDeque<Message>>> = Rc::default();
        let received = Rc::clone(&inbox);
        let (input, probe) = worker.dataflow::<u64, _, _>(|scope| {
            let (input, stream) = scope.new_input::<Vec<Message>>();
            let by_recipient = pact::Exchange::new(|message: &Message| message.0);
            let delivered = stream.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                by_recipient,
                "inbox",
                move |_, _| {
                    move |input, _| {
                        input.for_each(|_, messages| {
                            received.borrow_mut().extend(messages.drain(..))
                        });
                    }
                },
            );
            let (probe, _) = delivered.probe();
            (input, probe)
        });
        Exchange {
            worker,
            input: Some(input),
            probe,
            inbox,
            timestamp: 0,
            has_sent: false,
            process,
            n_processes,
            cancel,
            connections,
        }
    }

    /// Returns the number of this process.
    pub fn process(&self) -> usize {
        self.process
    }

    /// Returns the number of processes.
    pub fn n_processes(&self) -> usize {
        self.n_processes
    }

    /// Returns the counter of sent bytes.
    pub fn traffic(&self) -> Traffic {
        Traffic(self.connections.clone())
    }

    /// Sends a message.
    pub(crate) fn send(&mut self, to: usize, kind: u8, bytes: Vec<u8>) {
        if let Some(input) = &mut self.input {
            let (from, phase) = (self.process as u64, self.timestamp >> PHASE_SHIFT);
            input.send((to as u64, from, kind, phase, ByteBuf::from(bytes)));
            self.has_sent = true;
        }
    }

    /// Sends a message to every process, including this one.
    pub(crate) fn send_to_all(&mut self, kind: u8, bytes: &[u8]) {
        (0..self.n_processes).for_each(|to| self.send(to, kind, bytes.to_vec()));
    }

    /// Flushes sent messages and receives others; waits briefly if there is nothing to do. Fails if
    /// the run was cancelled or a process was lost.
    pub(crate) fn step(&mut self) -> Result<(), ClusterError> {
        self.check()?;
        if self.has_sent {
            // timely flushes messages when their timestamp is complete.
            self.advance_to(self.timestamp + 1);
        }
        self.worker.step_or_park(Some(POLL_INTERVAL));
        Ok(())
    }

    /// Fails if the run was cancelled or a process was lost.
    pub(crate) fn check(&self) -> Result<(), ClusterError> {
        if self.cancel.is_cancelled() {
            return Err(ClusterError::Stopped(Limit::Interrupted));
        }
        match self.connections.lost() {
            None => Ok(()),
            Some(process) => Err(ClusterError::Lost { process }),
        }
    }

    /// Returns a watch that also stops if the run was cancelled or a process was lost.
    pub(crate) fn watch<'a>(&self, watch: &'a mut dyn Watch) -> ExchangeWatch<'a> {
        let (cancel, connections) = (self.cancel.clone(), self.connections.clone());
        ExchangeWatch { cancel, connections, watch }
    }

    /// Returns the sender and the contents of the next received message of this kind.
    pub(crate) fn take(&mut self, kind: u8) -> Option<(usize, Vec<u8>)> {
        self.take_if(|message| message.2 == kind)
    }

    fn take_if(&mut self, is_wanted: impl Fn(&Message) -> bool) -> Option<(usize, Vec<u8>)> {
        let mut inbox = self.inbox.borrow_mut();
        let at = inbox.iter().position(is_wanted)?;
        let (_, from, _, _, bytes) = inbox.remove(at)?;
        Some((from as usize, bytes.into_vec()))
    }

    /// Advances to the next timestamp of the phase. Waits for processes that are more than one
    /// timestamp behind.
    pub(crate) fn advance(&mut self, on_progress: OnProgress<'_>) -> Result<(), ClusterError> {
        let before = self.timestamp;
        self.advance_to(self.timestamp + 1);
        self.wait_for(before, on_progress)
    }

    /// Ends the phase. On return, all messages that any process sent in it have been received.
    pub(crate) fn end_phase(&mut self, on_progress: OnProgress<'_>) -> Result<(), ClusterError> {
        self.advance_to(((self.timestamp >> PHASE_SHIFT) + 1) << PHASE_SHIFT);
        self.wait_for(self.timestamp, on_progress)
    }

    fn advance_to(&mut self, timestamp: u64) {
        (self.timestamp, self.has_sent) = (timestamp, false);
        if let Some(input) = &mut self.input {
            input.advance_to(timestamp);
        }
    }

    fn wait_for(
        &mut self,
        timestamp: u64,
        on_progress: OnProgress<'_>,
    ) -> Result<(), ClusterError> {
        while self.probe.less_than(&timestamp) {
            self.step()?;
            on_progress(self)?;
        }
        on_progress(self)
    }

    /// Sends a value to every process; returns the values of all processes by number.
    pub(crate) fn all_gather(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, ClusterError> {
        self.send_to_all(GATHERED, bytes);
        let phase = self.timestamp >> PHASE_SHIFT;
        self.end_phase(&mut |_| Ok(()))?;
        let mut values = vec![None; self.n_processes];
        // A fast process may already have sent its value of the next phase.
        while let Some((from, bytes)) = self.take_if(|m| (m.2, m.3) == (GATHERED, phase)) {
            values[from] = Some(bytes);
        }
        let missing = values.iter().position(Option::is_none);
        match missing {
            Some(process) => Err(ClusterError::Protocol { process }),
            None => Ok(values.into_iter().flatten().collect()),
        }
    }

    /// [`all_gather`](Exchange::all_gather) for lists of numbers.
    pub(crate) fn all_gather_numbers(
        &mut self,
        numbers: &[u64],
    ) -> Result<Vec<Vec<u64>>, ClusterError> {
        let values = self.all_gather(&to_bytes(numbers))?;
        Ok(values.iter().map(|bytes| to_numbers(bytes)).collect())
    }

    /// Returns the result of this process if all processes succeeded. Otherwise every process gets
    /// an error: its own, or that of the first process that failed.
    pub(crate) fn all_ok<T>(&mut self, result: Result<T, ClusterError>) -> Result<T, ClusterError> {
        if let Err(ClusterError::Lost { .. } | ClusterError::Stopped(_)) = result {
            return result;
        }
        let message = match &result {
            Ok(_) => String::new(),
            Err(error) => {
                format!("{}{error}", if error.is_transient() { TRANSIENT } else { PERMANENT })
            }
        };
        let messages = self.all_gather(message.as_bytes())?;
        let Some(process) = messages.iter().position(|message| !message.is_empty()) else {
            return result;
        };
        // No process closes its connections before all have received the messages.
        let connections = self.connections.clone();
        let _ = connections.unless_lost(|| self.end_phase(&mut |_| Ok(())));
        let message = String::from_utf8_lossy(&messages[process]);
        let mut chars = message.chars();
        let is_transient = chars.next() == Some(TRANSIENT);
        let message = chars.as_str().to_owned();
        result.and(Err(ClusterError::Remote { process, message, is_transient }))
    }

    /// Broadcasts the flag of process 0. The flags of the other processes are ignored.
    pub fn broadcast_flag(&mut self, flag: bool) -> Result<bool, ClusterError> {
        let flags = self.all_gather_numbers(&[u64::from(flag)])?;
        Ok(flags.first().is_some_and(|numbers| numbers.first() == Some(&1)))
    }

    /// Ends the run together with all other processes.
    pub(crate) fn end(&mut self) -> Result<(), ClusterError> {
        self.end_phase(&mut |_| Ok(()))?;
        // All processes have finished: from here on a closed connection is not a loss.
        self.input = None;
        while self.worker.has_dataflows() && self.connections.lost().is_none() {
            self.worker.step_or_park(Some(POLL_INTERVAL));
        }
        Ok(())
    }
}

/// Polls a watch, and also stops if the run was cancelled or a process was lost.
pub(crate) struct ExchangeWatch<'a> {
    cancel: Cancel,
    connections: Connections,
    watch: &'a mut dyn Watch,
}

impl ExchangeWatch<'_> {
    fn check(&self) -> ControlFlow<Limit> {
        match self.cancel.is_cancelled() || self.connections.lost().is_some() {
            true => ControlFlow::Break(Limit::Interrupted),
            false => ControlFlow::Continue(()),
        }
    }
}

impl Watch for ExchangeWatch<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.check()?;
        self.watch.poll(stats)
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.check()?;
        self.watch.building(share)
    }

    fn round(&mut self, bound: Cost, stats: &Stats) {
        self.watch.round(bound, stats);
    }

    fn improved(&mut self, length: Cost, lower_bound: Cost) {
        self.watch.improved(length, lower_bound);
    }
}

/// Encodes numbers in little-endian order.
pub(crate) fn to_bytes(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Decodes numbers; ignores an incomplete one at the end.
pub(crate) fn to_numbers(bytes: &[u8]) -> Vec<u64> {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
    bytes.chunks_exact(8).map(number).collect()
}
