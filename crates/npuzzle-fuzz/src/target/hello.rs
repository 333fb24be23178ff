//! Handshakes of unknown callers with a cluster process that waits for the other processes.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Once;
use std::time::Duration;

use npuzzle::{Cancel, Limit};
use npuzzle_cluster::{ClusterError, Member, free_addresses};
use xxhash_rust::xxh3::xxh3_64;

use crate::assertions::selector;

/// Repairs, one bit each: the magic, the number of processes, the job.
const MAGIC: usize = 1;
const N_PROCESSES: usize = 2;
const JOB: usize = 4;

const MAGIC_BYTES: [u8; 8] = *b"npzclus2";
const ABOUT: &str = "nothing at all";

/// A caller connects to the first of two processes, sends the input and closes its side.
pub(super) fn run(bytes: &[u8]) -> bool {
    static ONCE: Once = Once::new();
    ONCE.call_once(silence_worker_panics);
    let Some((repairs, rest)) = selector(bytes) else { return false };
    let sent = repaired(repairs, rest);
    let addresses = free_addresses(2).unwrap();
    let address = addresses[0].clone();
    let member =
        Member { addresses, process: 0, wait: Duration::from_secs(20), cancel: Cancel::new() };
    let cancel = member.cancel.clone();
    let wait = move || member.run(ABOUT, |exchange| exchange.broadcast_flag(true));
    let run = std::thread::Builder::new().spawn(wait).unwrap();
    let stream = (0..1000).find_map(|_| {
        let stream = TcpStream::connect(&address);
        if stream.is_err() {
            std::thread::sleep(Duration::from_millis(2));
        }
        stream.ok()
    });
    let mut stream = stream.unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    // The process may close the connection before everything is sent.
    let _ = stream.write_all(&sent).and_then(|()| stream.shutdown(Shutdown::Write));
    let mut received = Vec::new();
    let _ = stream.read_to_end(&mut received);
    cancel.cancel();
    // The process sends nothing but its own handshake.
    let handshake = [MAGIC_BYTES, number(0), number(2), job()].concat();
    assert!(received.is_empty() || received.starts_with(&handshake), "{received:?}");
    let end = run.join().unwrap();
    match meaning(&sent) {
        Meaning::Nothing => assert!(
            matches!(end, Err(ClusterError::Stopped(Limit::Interrupted))),
            "the process did not continue to wait: {end:?}"
        ),
        Meaning::OtherJob => assert!(matches!(end, Err(ClusterError::OtherJob { .. })), "{end:?}"),
        // A caller that joins and sends nothing more is lost or violates the protocol.
        Meaning::Joined => {
            assert!(!matches!(end, Ok(_) | Err(ClusterError::OtherJob { .. })), "{end:?}");
        }
    }
    !matches!(meaning(&sent), Meaning::Nothing)
}

/// A caller that has joined is trusted: invalid data from it makes the job's thread panic, which is
/// caught.
fn silence_worker_panics() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let thread = std::thread::current();
        if !thread.name().is_some_and(|name| name.starts_with("timely:work")) {
            report(info);
        }
    }));
}

/// The expected effect of a handshake.
enum Meaning {
    Nothing,
    OtherJob,
    Joined,
}

fn meaning(sent: &[u8]) -> Meaning {
    let Some((hello, rest)) = sent.split_at_checked(32) else { return Meaning::Nothing };
    match hello.as_chunks::<8>().0 {
        [MAGIC_BYTES, process, n_processes, about] => match (process, rest.first()) {
            _ if (*n_processes, *about) != (number(2), job()) => Meaning::OtherJob,
            (process, Some(1)) if *process == number(1) => Meaning::Joined,
            _ => Meaning::Nothing,
        },
        _ => Meaning::Nothing,
    }
}

fn number(number: u64) -> [u8; 8] {
    number.to_le_bytes()
}

fn job() -> [u8; 8] {
    number(xxh3_64(ABOUT.as_bytes()))
}

/// The input with the selected fields repaired.
fn repaired(repairs: usize, rest: &[u8]) -> Vec<u8> {
    let mut sent = rest.to_vec();
    let mut put = |bit: usize, at: usize, bytes: [u8; 8]| {
        if repairs & bit > 0 && sent.len() >= at + 8 {
            sent[at..at + 8].copy_from_slice(&bytes);
        }
    };
    put(MAGIC, 0, MAGIC_BYTES);
    put(N_PROCESSES, 16, number(2));
    put(JOB, 24, job());
    sent
}
