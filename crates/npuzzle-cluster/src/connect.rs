//! Connects the processes of a run with each other.
//!
//! Every process listens at its own address and calls the processes with smaller numbers, until they
//! answer or the time is over. Both sides send a handshake with their number and their job, so that
//! a process with different arguments is detected immediately. The caller confirms the connection
//! last: a call that timed out just as it was answered is not counted, and the caller can call again.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use npuzzle::Limit;

use crate::error::ClusterError;

/// The first bytes of every handshake.
const MAGIC: &[u8; 8] = b"npzclus2";
/// The caller's confirmation.
const CONFIRMED: [u8; 1] = [1];
/// The pause between two attempts to call or to accept.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);
/// The time limit for a connection attempt and for each message of the handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(2);
/// The longest wait that is added to the clock, whose range is limited.
const MAX_WAIT: Duration = Duration::from_secs(1 << 32);

/// The handshake: a process and its job.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Handshake {
    process: usize,
    n_processes: usize,
    job: u64,
}

impl Handshake {
    fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(MAGIC);
        let numbers = [self.process as u64, self.n_processes as u64, self.job];
        for (target, number) in bytes[8..].chunks_exact_mut(8).zip(numbers) {
            target.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// Reads a handshake; `None` if the magic is wrong.
    fn read(stream: &mut TcpStream) -> io::Result<Option<Handshake>> {
        let mut bytes = [0; 32];
        stream.read_exact(&mut bytes)?;
        let number = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(eight)
        };
        let handshake = Handshake {
            process: number(8) as usize,
            n_processes: number(16) as usize,
            job: number(24),
        };
        Ok(bytes.starts_with(MAGIC).then_some(handshake))
    }

    /// Fails unless the other side is process `other` of the same run.
    fn check(&self, received: Handshake, other: usize) -> Result<(), ClusterError> {
        if received == (Handshake { process: other, ..*self }) {
            Ok(())
        } else {
            Err(ClusterError::OtherJob { process: other })
        }
    }
}

/// Connects a process with all others. Returns the connections by process number, `None` for the
/// process itself. `job` is a number that identifies the job.
pub(crate) fn connect(
    addresses: &[String],
    process: usize,
    job: u64,
    wait: Duration,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Option<TcpStream>>, ClusterError> {
    let own_address = &addresses[process];
    let n_processes = addresses.len();
    let mut streams: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    if n_processes == 1 {
        return Ok(streams);
    }
    let failed = |error| ClusterError::io(own_address, error);
    let listener = TcpListener::bind(own_address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let deadline = Instant::now() + wait.min(MAX_WAIT);
    let own = Handshake { process, n_processes, job };
    loop {
        let mut has_connected = false;
        for other in 0..n_processes {
            if other < process
                && streams[other].is_none()
                && let Some(stream) = call(&addresses[other], &own, other)?
            {
                streams[other] = Some(stream);
                has_connected = true;
            }
            if let Ok((stream, _)) = listener.accept()
                && let Some((caller, stream)) = answer(stream, &own)?
            {
                streams[caller] = Some(stream);
                has_connected = true;
            }
            if is_cancelled() {
                return Err(ClusterError::Stopped(Limit::Interrupted));
            }
            let is_missing = |&other: &usize| other != process && streams[other].is_none();
            let Some(missing) = (0..n_processes).find(is_missing) else { return Ok(streams) };
            if Instant::now() >= deadline {
                let address = addresses[missing].clone();
                return Err(ClusterError::Unreachable { process: missing, address });
            }
        }
        if !has_connected {
            std::thread::sleep(RETRY_INTERVAL);
        }
    }
}

/// Calls a process; `None` if it does not answer yet.
fn call(address: &str, own: &Handshake, other: usize) -> Result<Option<TcpStream>, ClusterError> {
    let addresses = address.to_socket_addrs().map_err(|error| ClusterError::io(address, error))?;
    for address in addresses {
        let Ok(mut stream) = TcpStream::connect_timeout(&address, HANDSHAKE_TIMEOUT) else {
            continue;
        };
        let Ok(Some(received)) = shake_hands(&mut stream, own) else { continue };
        own.check(received, other)?;
        if stream.write_all(&CONFIRMED).and_then(|()| stream.set_read_timeout(None)).is_ok() {
            return Ok(Some(stream));
        }
    }
    Ok(None)
}

/// Answers a call; `None` if the caller is not a process of the run that has to call this one.
fn answer(
    mut stream: TcpStream,
    own: &Handshake,
) -> Result<Option<(usize, TcpStream)>, ClusterError> {
    let received = stream.set_nonblocking(false).and_then(|()| shake_hands(&mut stream, own));
    let Ok(Some(received)) = received else { return Ok(None) };
    let caller = received.process;
    own.check(received, caller)?;
    let mut confirmation = [0];
    let read = stream.read_exact(&mut confirmation).and_then(|()| stream.set_read_timeout(None));
    if read.is_err() || confirmation != CONFIRMED {
        return Ok(None);
    }
    Ok((own.process + 1..own.n_processes).contains(&caller).then_some((caller, stream)))
}

/// Sends the own handshake and receives the other one. The read timeout stays set for the
/// confirmation.
fn shake_hands(stream: &mut TcpStream, own: &Handshake) -> io::Result<Option<Handshake>> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(HANDSHAKE_TIMEOUT))?;
    stream.write_all(&own.to_bytes())?;
    Handshake::read(stream)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test may panic if no thread is available")]
mod tests {
    use super::*;
    use crate::hosts::free_addresses;

    #[test]
    fn abandoned_call_is_not_counted() {
        let addresses = free_addresses(2).unwrap();
        let wait = Duration::from_secs(20);
        std::thread::scope(|scope| {
            let connect = |process| connect(&addresses, process, 7, wait, &|| false);
            let first = scope.spawn(move || connect(0));
            let mut abandoned = loop {
                match TcpStream::connect(&addresses[0]) {
                    Ok(stream) => break stream,
                    Err(_) => std::thread::sleep(RETRY_INTERVAL),
                }
            };
            let own = Handshake { process: 1, n_processes: 2, job: 7 };
            assert!(shake_hands(&mut abandoned, &own).unwrap().is_some());
            drop(abandoned);
            let mut second = connect(1).unwrap();
            let mut first = first.join().unwrap().unwrap();
            let (to_second, to_first) = (first[1].as_mut().unwrap(), second[0].as_mut().unwrap());
            to_second.write_all(b"hello").unwrap();
            let mut received = [0; 5];
            to_first.read_exact(&mut received).unwrap();
            assert_eq!(&received, b"hello");
        });
    }
}
