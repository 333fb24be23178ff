//! What strangers say to a process of a cluster that waits for the others, before anything is agreed
//! on.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use npuzzle::{Cancel, Limit};
use npuzzle_cluster::{ClusterError, Member, free_addresses};
use xxhash_rust::xxh3::xxh3_64;

use crate::place::choice;

/// What is mended, one bit each: how a call begins, how many processes there are, the job.
const MAGIC: usize = 1;
const N_PROCESSES: usize = 2;
const JOB: usize = 4;

const ABOUT: &str = "nothing at all";

/// The first of two processes is called by somebody, who sends this and nothing more.
pub(super) fn feed(bytes: &[u8]) -> bool {
    let Some((mends, rest)) = choice(bytes) else { return false };
    let called = mended(mends, rest);
    let addresses = free_addresses(2).unwrap();
    let address = addresses[0].clone();
    let member =
        Member { addresses, process: 0, wait: Duration::from_secs(20), cancel: Cancel::new() };
    let cancel = member.cancel.clone();
    let run = std::thread::spawn(move || member.run(ABOUT, |mesh| mesh.has_first_done(true)));
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
    let _ = stream.read_to_end(&mut Vec::new());
    cancel.cancel();
    match run.join().unwrap() {
        // Not understood, and waited on for somebody else.
        Err(ClusterError::Stopped(Limit::Interrupted)) => false,
        Err(_) => true,
        Ok(_) => panic!("there is nobody to do a job with"),
    }
}

/// A call with its fields put right.
fn mended(mends: usize, rest: &[u8]) -> Vec<u8> {
    let mut called = rest.to_vec();
    let mut put = |bit: usize, at: usize, bytes: [u8; 8]| {
        if mends & bit > 0 && called.len() >= at + 8 {
            called[at..at + 8].copy_from_slice(&bytes);
        }
    };
    put(MAGIC, 0, *b"npzclus2");
    put(N_PROCESSES, 16, 2u64.to_le_bytes());
    put(JOB, 24, xxh3_64(ABOUT.as_bytes()).to_le_bytes());
    called
}
