//! What strangers say to a process of a cluster that waits for the others, before anything is agreed
//! on.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Once;
use std::time::Duration;

use npuzzle::{Cancel, Limit};
use npuzzle_cluster::{ClusterError, Member, free_addresses};
use xxhash_rust::xxh3::xxh3_64;

use crate::place::choice;

/// What is mended, one bit each: how a call begins, how many processes there are, the job.
const MAGIC: usize = 1;
const N_PROCESSES: usize = 2;
const JOB: usize = 4;

const MAGIC_WORD: [u8; 8] = *b"npzclus2";
const ABOUT: &str = "nothing at all";

/// The first of two processes is called by somebody, who sends this and nothing more.
pub(super) fn feed(bytes: &[u8]) -> bool {
    static ONCE: Once = Once::new();
    ONCE.call_once(let_workers_panic);
    let Some((mends, rest)) = choice(bytes) else { return false };
    let called = mended(mends, rest);
    let addresses = free_addresses(2).unwrap();
    let address = addresses[0].clone();
    let member =
        Member { addresses, process: 0, wait: Duration::from_secs(20), cancel: Cancel::new() };
    let cancel = member.cancel.clone();
    let wait = move || member.run(ABOUT, |mesh| mesh.has_first_done(true));
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
    // It may be turned away before all is said.
    let _ = stream.write_all(&called).and_then(|()| stream.shutdown(Shutdown::Write));
    let mut heard = Vec::new();
    let _ = stream.read_to_end(&mut heard);
    cancel.cancel();
    // Nobody is told more than who waits here, and what for.
    let greeting = [MAGIC_WORD, said(0), said(2), job()].concat();
    assert!(heard.is_empty() || heard.starts_with(&greeting), "{heard:?}");
    let end = run.join().unwrap();
    match meant(&called) {
        Meant::Nothing => assert!(
            matches!(end, Err(ClusterError::Stopped(Limit::Interrupted))),
            "it did not wait on: {end:?}"
        ),
        Meant::OtherJob => assert!(matches!(end, Err(ClusterError::OtherJob { .. })), "{end:?}"),
        // Who has joined and says nothing more is lost, or makes no sense.
        Meant::Joined => {
            assert!(!matches!(end, Ok(_) | Err(ClusterError::OtherJob { .. })), "{end:?}");
        }
    }
    !matches!(meant(&called), Meant::Nothing)
}

/// Who has joined is trusted: nonsense from there makes the job's thread panic, which is caught.
fn let_workers_panic() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let thread = std::thread::current();
        if !thread.name().is_some_and(|name| name.starts_with("timely:work")) {
            tell(info);
        }
    }));
}

/// What a call comes to, by the plain words of it.
enum Meant {
    Nothing,
    OtherJob,
    Joined,
}

fn meant(called: &[u8]) -> Meant {
    let Some((hello, rest)) = called.split_at_checked(32) else { return Meant::Nothing };
    match hello.as_chunks::<8>().0 {
        [MAGIC_WORD, process, n_processes, about] => match (process, rest.first()) {
            _ if (*n_processes, *about) != (said(2), job()) => Meant::OtherJob,
            (process, Some(1)) if *process == said(1) => Meant::Joined,
            _ => Meant::Nothing,
        },
        _ => Meant::Nothing,
    }
}

fn said(number: u64) -> [u8; 8] {
    number.to_le_bytes()
}

fn job() -> [u8; 8] {
    said(xxh3_64(ABOUT.as_bytes()))
}

/// A call with its fields put right.
fn mended(mends: usize, rest: &[u8]) -> Vec<u8> {
    let mut called = rest.to_vec();
    let mut put = |bit: usize, at: usize, bytes: [u8; 8]| {
        if mends & bit > 0 && called.len() >= at + 8 {
            called[at..at + 8].copy_from_slice(&bytes);
        }
    };
    put(MAGIC, 0, MAGIC_WORD);
    put(N_PROCESSES, 16, said(2));
    put(JOB, 24, job());
    called
}
