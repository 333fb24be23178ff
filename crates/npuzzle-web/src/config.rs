//! Where the server listens, and what it grants.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use npuzzle::tables::Store;

/// Where the server listens, whom it answers, what it grants.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address; loopback unless given.
    pub host: IpAddr,
    /// The port; 0 for one that is free.
    pub port: u16,
    /// Names by which the server may be called, besides loopback ones and its address.
    pub allowed_hosts: Vec<String>,
    /// Where tables are looked for, and kept.
    pub store: Store,
    /// What it grants.
    pub limits: Limits,
}

impl Config {
    /// The port unless another is given.
    pub const PORT: u16 = 8080;
}

impl Default for Config {
    fn default() -> Config {
        Config {
            host: Ipv4Addr::LOCALHOST.into(),
            port: Config::PORT,
            allowed_hosts: Vec::new(),
            store: Store::none(),
            limits: Limits::default(),
        }
    }
}

/// What questions may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The longest body, in bytes.
    pub body: usize,
    /// The most bytes of all bodies that are not answered yet, but for a few KiB of each.
    pub bodies: usize,
    /// The most bytes of all answers that are made and not taken yet, but for a few KiB of each.
    pub answers: usize,
    /// The largest board, in cells.
    pub cells: usize,
    /// The longest time of a job.
    pub time: Duration,
    /// The most bytes for the states of a job.
    pub memory: u64,
    /// How many searches run at once; as many more may look things up.
    pub jobs: usize,
    /// How many more may run that have taken longer than [`Limits::short`].
    pub long_jobs: usize,
    /// How long a job is a short one.
    pub short: Duration,
    /// How many jobs may wait for a place.
    pub waiting: usize,
    /// How long they wait.
    pub wait: Duration,
    /// How many connections are open at once.
    pub connections: usize,
    /// How long the head of a question may take, and then its body.
    pub patience: Duration,
    /// How long an answer may wait for somebody to take a byte of it.
    pub stall: Duration,
    /// How long it may take to take all of it.
    pub taking: Duration,
}

impl Limits {
    /// How many jobs there are at once, each on a thread of its own: as many quick ones as searches, and
    /// the long ones.
    pub(crate) fn threads(&self) -> usize {
        2 * self.jobs + self.long_jobs
    }
}

impl Default for Limits {
    fn default() -> Limits {
        let n_cores = npuzzle::tables::n_cores();
        Limits {
            body: 1 << 20,
            bodies: 64 << 20,
            answers: 256 << 20,
            cells: 127 * 127,
            time: Duration::from_secs(60),
            memory: 512 << 20,
            jobs: n_cores.max(2),
            long_jobs: 4,
            // What a large board takes unless more is asked for, and some.
            short: Duration::from_secs(3),
            waiting: 1000,
            wait: Duration::from_secs(30),
            connections: open_files().saturating_sub(100).clamp(100, 2000),
            patience: Duration::from_secs(10),
            stall: Duration::from_secs(10),
            taking: Duration::from_secs(300),
        }
    }
}

/// How many files and connections the system lets us have open.
#[cfg(unix)]
fn open_files() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    limit.map_or(usize::MAX, |limit| limit as usize)
}

#[cfg(not(unix))]
fn open_files() -> usize {
    usize::MAX
}
