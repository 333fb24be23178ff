//! How the processes of a run find each other.
//!
//! Every process listens at its own address and calls those before it, until they answer or the time
//! is over. Both say who they are and what they are about to do, so that a process that was started
//! with other words is told at once. Who calls has the last word: one that has given up on a call,
//! and calls again, is not taken to be there twice.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use npuzzle::Limit;

use crate::error::ClusterError;

/// How every call begins.
const MAGIC: &[u8; 8] = b"npzclus2";
/// How a call is taken up in the end.
const YES: [u8; 1] = [1];
/// How long to wait before calling, or listening, again.
const PAUSE: Duration = Duration::from_millis(20);
/// How long the other side may take to answer, and to say who it is.
const PATIENCE: Duration = Duration::from_secs(2);

/// Who calls, and what for.
struct Hello {
    process: usize,
    n_processes: usize,
    job: u64,
}

impl Hello {
    fn to_bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(MAGIC);
        let numbers = [self.process as u64, self.n_processes as u64, self.job];
        for (place, number) in bytes[8..].chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    fn read(stream: &mut TcpStream) -> io::Result<Option<Hello>> {
        let mut bytes = [0; 32];
        stream.read_exact(&mut bytes)?;
        let number = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(eight)
        };
        let hello = Hello {
            process: number(8) as usize,
            n_processes: number(16) as usize,
            job: number(24),
        };
        Ok(bytes.starts_with(MAGIC).then_some(hello))
    }
}

/// Connects a process with all others, by their numbers; none with itself. The job is a number that
/// is the same for all who do the same.
pub(crate) fn connect(
    addresses: &[String],
    process: usize,
    job: u64,
    wait: Duration,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Option<TcpStream>>, ClusterError> {
    let own = &addresses[process];
    let n_processes = addresses.len();
    let mut streams: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    if n_processes == 1 {
        return Ok(streams);
    }
    let listener = TcpListener::bind(own).map_err(|error| ClusterError::io(own, error))?;
    listener.set_nonblocking(true).map_err(|error| ClusterError::io(own, error))?;
    let deadline = Instant::now() + wait.min(Duration::from_secs(1 << 32)); // Clocks have an end.
    let hello = Hello { process, n_processes, job };
    loop {
        let mut is_quiet = true;
        for other in 0..n_processes {
            // Whoever comes later calls.
            if other < process
                && streams[other].is_none()
                && let Some(stream) = call(&addresses[other], &hello, other)?
            {
                streams[other] = Some(stream);
                is_quiet = false;
            }
            if let Ok((stream, _)) = listener.accept()
                && let Some((other, stream)) = answer(stream, &hello)?
            {
                streams[other] = Some(stream);
                is_quiet = false;
            }
            if is_cancelled() {
                return Err(ClusterError::Stopped(Limit::Interrupted));
            }
            let is_absent = |&other: &usize| other != process && streams[other].is_none();
            let Some(absent) = (0..n_processes).find(is_absent) else { return Ok(streams) };
            if Instant::now() >= deadline {
                let address = addresses[absent].clone();
                return Err(ClusterError::Absent { process: absent, address });
            }
        }
        if is_quiet {
            std::thread::sleep(PAUSE);
        }
    }
}

/// Calls a process; `None` if it is not there yet.
fn call(address: &str, hello: &Hello, other: usize) -> Result<Option<TcpStream>, ClusterError> {
    let places = address.to_socket_addrs().map_err(|error| ClusterError::io(address, error))?;
    for place in places {
        let Ok(mut stream) = TcpStream::connect_timeout(&place, PATIENCE) else { continue };
        let Ok(Some(found)) = shake_hands(&mut stream, hello) else { continue };
        check(&found, hello, other)?;
        if stream.write_all(&YES).and_then(|()| stream.set_read_timeout(None)).is_ok() {
            return Ok(Some(stream));
        }
    }
    Ok(None)
}

/// Answers a call; `None` if it is not from a process of the run.
fn answer(
    mut stream: TcpStream,
    hello: &Hello,
) -> Result<Option<(usize, TcpStream)>, ClusterError> {
    let found = stream.set_nonblocking(false).and_then(|()| shake_hands(&mut stream, hello));
    let Ok(Some(found)) = found else { return Ok(None) };
    let other = found.process;
    check(&found, hello, other)?;
    let mut last = [0];
    let is_meant = stream.read_exact(&mut last).and_then(|()| stream.set_read_timeout(None));
    if is_meant.is_err() || last != YES {
        return Ok(None);
    }
    Ok((hello.process + 1..hello.n_processes).contains(&other).then_some((other, stream)))
}

/// Says who this is and hears who the other one is, which may take so long, and what comes next as
/// well.
fn shake_hands(stream: &mut TcpStream, hello: &Hello) -> io::Result<Option<Hello>> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(&hello.to_bytes())?;
    Hello::read(stream)
}

fn check(found: &Hello, hello: &Hello, other: usize) -> Result<(), ClusterError> {
    let is_same =
        (found.process, found.n_processes, found.job) == (other, hello.n_processes, hello.job);
    if is_same { Ok(()) } else { Err(ClusterError::OtherJob { process: other }) }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test without threads may stop where it is")]
mod tests {
    use super::*;
    use crate::hosts::free_addresses;

    /// Of a process that has given up on a call just when it was answered.
    #[test]
    fn a_call_that_was_given_up_does_not_count() {
        let addresses = free_addresses(2).unwrap();
        let wait = Duration::from_secs(20);
        std::thread::scope(|scope| {
            let connect = |process| connect(&addresses, process, 7, wait, &|| false);
            let first = scope.spawn(move || connect(0));
            let mut given_up = loop {
                match TcpStream::connect(&addresses[0]) {
                    Ok(stream) => break stream,
                    Err(_) => std::thread::sleep(PAUSE),
                }
            };
            let hello = Hello { process: 1, n_processes: 2, job: 7 };
            assert!(shake_hands(&mut given_up, &hello).unwrap().is_some());
            drop(given_up);
            let mut second = connect(1).unwrap();
            let mut first = first.join().unwrap().unwrap();
            let (to_second, to_first) = (first[1].as_mut().unwrap(), second[0].as_mut().unwrap());
            to_second.write_all(b"hello").unwrap();
            let mut heard = [0; 5];
            to_first.read_exact(&mut heard).unwrap();
            assert_eq!(&heard, b"hello");
        });
    }
}
