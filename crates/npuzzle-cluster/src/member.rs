//! Runs a job as one process of a run.

use std::io;
use std::mem::ManuallyDrop;
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use npuzzle::Cancel;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Hooks, WorkerGuards, initialize_from};
use timely::worker::Worker;

use crate::connect::connect;
use crate::connection::{CloseGuard, Connections, JOIN_THREAD, silence_timely_panics};
use crate::error::ClusterError;
use crate::exchange::Exchange;

/// The time limit for joining timely's threads after a job. It is reached if another process neither
/// continues nor ends.
const JOIN_TIMEOUT: Duration = Duration::from_secs(10);

/// One process of a run.
#[derive(Clone, Debug)]
pub struct Member {
    /// The addresses of all processes, `host:port`.
    pub addresses: Vec<String>,
    /// The number of this process.
    pub process: usize,
    /// How long to wait for the other processes at the start.
    pub wait: Duration,
    /// Cancels the run.
    pub cancel: Cancel,
}

impl Member {
    /// Connects with the other processes and runs a job with them. `about` identifies the job and
    /// must be the same in all processes.
    pub fn run<T: Send + 'static>(
        &self,
        about: &str,
        job: impl FnOnce(&mut Exchange) -> Result<T, ClusterError> + Send + 'static,
    ) -> Result<T, ClusterError> {
        silence_timely_panics();
        let is_cancelled = || self.cancel.is_cancelled();
        let job_number = npuzzle_tables::files::checksum(about.as_bytes());
        let streams = connect(&self.addresses, self.process, job_number, self.wait, &is_cancelled)?;
        let failed = |error| ClusterError::io("network", error);
        // The other processes are notified even if this function returns early.
        let close_guard = CloseGuard::new(&streams).map_err(failed)?;
        let connections = Connections::new();
        let end_guard = connections.end_guard();
        let add = |(remote, stream): (usize, Option<_>)| Some(connections.add(remote, stream?));
        let sockets = streams.into_iter().enumerate().map(add).collect();
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, network_threads) =
            initialize_networking_from_sockets(inner, sockets, self.process, 1, hooks)
                .map_err(failed)?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        let (sender, receiver) = mpsc::channel();
        let (cancel, job) = (self.cancel.clone(), Mutex::new(Some((job, sender, end_guard))));
        let workers = initialize_from(builders, Box::new(()), move |allocator| {
            let taken = job.lock().unwrap_or_else(PoisonError::into_inner).take();
            // Dropped after the exchange: the run ends when messages are no longer received.
            let Some((job, sender, _end_guard)) = taken else { return };
            let worker = Worker::new(timely::WorkerConfig::default(), allocator, None);
            let mut exchange = Exchange::new(worker, cancel.clone(), connections.clone());
            let result = connections.unless_lost(|| {
                let value = job(&mut exchange)?;
                exchange.end()?;
                Ok(value)
            });
            let _ = sender.send(result);
        });
        let result = match &workers {
            // If the thread panicked, the panic was reported.
            Ok(_) => {
                receiver.recv().unwrap_or(Err(ClusterError::Protocol { process: self.process }))
            }
            Err(_) => Err(ClusterError::io("a thread", io::Error::other("cannot be started"))),
        };
        if result.is_err() {
            // An orderly end needs the other processes, which may be lost.
            drop(close_guard);
        }
        join_with_timeout(move || {
            drop(workers.map(WorkerGuards::join));
            drop(network_threads);
        });
        result
    }
}

/// Joins timely's threads, for at most [`JOIN_TIMEOUT`]. Threads that lost their process panic at
/// the end, and so does the thread that joins them.
fn join_with_timeout(join: impl FnOnce() + Send + 'static) {
    let (sender, joined) = mpsc::channel::<()>();
    // If no thread can be started, the threads are left running.
    let join = ManuallyDrop::new(join);
    let joining = std::thread::Builder::new().name(JOIN_THREAD.to_owned()).spawn(move || {
        let _sender = sender;
        ManuallyDrop::into_inner(join)();
    });
    if joining.is_ok() {
        // Nothing is sent; the call returns when the sender is dropped.
        let _ = joined.recv_timeout(JOIN_TIMEOUT);
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test may panic if no thread is available")]
mod tests {
    use super::*;
    use crate::hosts::free_addresses;

    type Job = fn(&mut Exchange, Option<usize>) -> Result<usize, ClusterError>;

    /// Runs a job on three processes, one of which may fail.
    fn run(job: Job, failing: Option<usize>) -> Vec<Result<usize, ClusterError>> {
        let addresses = free_addresses(3).unwrap();
        let member = |process| Member {
            addresses: addresses.clone(),
            process,
            wait: Duration::from_secs(50),
            cancel: Cancel::new(),
        };
        let start = |member: Member| {
            std::thread::spawn(move || member.run("test", move |exchange| job(exchange, failing)))
        };
        [0, 1, 2].map(member).map(start).map(|thread| thread.join().unwrap()).into()
    }

    /// Gathers values twice; a process may fail in between.
    fn gather(exchange: &mut Exchange, failing: Option<usize>) -> Result<usize, ClusterError> {
        let values = exchange.all_gather(&[exchange.process() as u8])?;
        assert_eq!(values, [[0], [1], [2]]);
        if failing == Some(exchange.process()) {
            return Err(ClusterError::Impossible("failed".into()));
        }
        Ok(exchange.all_gather(b"more")?.len())
    }

    #[test]
    fn failing_process_ends_the_run_but_not_the_next() {
        for failing in [0, 2] {
            for (process, result) in run(gather, Some(failing)).into_iter().enumerate() {
                // A process may lose another one that ended because of the failing one.
                let is_expected = match result {
                    Err(ClusterError::Impossible(_)) => process == failing,
                    Err(ClusterError::Lost { process: lost }) => {
                        process != failing && lost != process
                    }
                    _ => false,
                };
                assert!(is_expected, "{process}");
            }
            assert!(run(gather, None).iter().all(|result| matches!(result, Ok(3))));
        }
    }

    /// A process may fail at the start: process 1 permanently, process 2 transiently.
    fn begin(exchange: &mut Exchange, failing: Option<usize>) -> Result<usize, ClusterError> {
        let result = match exchange.process() {
            process if failing != Some(process) => Ok(process),
            1 => Err(ClusterError::Impossible("failed".into())),
            _ => Err(ClusterError::io("disk", io::Error::other("full"))),
        };
        exchange.all_ok(result)
    }

    #[test]
    fn all_ok_reports_the_error_to_every_process() {
        // Repeated, since the process that learns of it last must not find the others gone.
        for _ in 0..4 {
            for (failing, is_transient, message) in [(1, false, "failed"), (2, true, "disk: full")]
            {
                for (process, result) in run(begin, Some(failing)).into_iter().enumerate() {
                    let error = result.unwrap_err();
                    let expected = if process == failing {
                        message.to_owned()
                    } else {
                        format!("process {failing}: {message}")
                    };
                    let found = (error.to_string(), error.is_transient());
                    assert_eq!(found, (expected, is_transient));
                }
            }
        }
        let all: Vec<_> = run(begin, None).into_iter().map(Result::unwrap).collect();
        assert_eq!(all, [0, 1, 2]);
    }
}
