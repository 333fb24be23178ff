//! The server's address and limits.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use npuzzle::tables::Store;
use npuzzle_api::RequestLimits;

use crate::site_address::{PageAddress, SiteOrigin};

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on. The default is the IPv4 loopback address.
    pub host: IpAddr,
    /// The port to listen on; 0 selects a free port.
    pub port: u16,
    /// Host names that the server accepts in addition to loopback names and its own address.
    pub allowed_hosts: Vec<String>,
    /// Sites whose pages may send requests and embed the page.
    pub allowed_origins: Vec<SiteOrigin>,
    /// The address of the static page, for links that other people can open.
    pub public_address: Option<PageAddress>,
    /// The store that tables are loaded from and saved to.
    pub store: Store,
    /// The limits of requests, jobs and connections.
    pub limits: ServerLimits,
}

impl Config {
    /// The default port.
    pub const PORT: u16 = 8080;
}

impl Default for Config {
    fn default() -> Config {
        Config {
            host: Ipv4Addr::LOCALHOST.into(),
            port: Config::PORT,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            public_address: None,
            store: Store::none(),
            limits: ServerLimits::default(),
        }
    }
}

/// The limits of requests, jobs and connections.
#[derive(Clone, Debug)]
pub struct ServerLimits {
    /// The maximum size of a request body, in bytes.
    pub max_body_bytes: usize,
    /// The maximum total size of the bodies of unanswered requests, in bytes. A few KiB of each
    /// body are not counted.
    pub max_buffered_bodies: usize,
    /// The maximum total size of the responses that clients have not read yet, in bytes. A few KiB
    /// of each response are not counted.
    pub max_buffered_responses: usize,
    /// The limits of boards, and of the time and the memory of a job.
    pub request: RequestLimits,
    /// The number of searches that may run at once, and also of quick jobs.
    pub jobs: usize,
    /// The number of searches that may run in addition once they exceed [`ServerLimits::short_time`].
    pub long_jobs: usize,
    /// The running time after which a job counts as long.
    pub short_time: Duration,
    /// The maximum number of jobs that wait for a slot.
    pub max_waiting: usize,
    /// The maximum time that a job waits for a slot.
    pub slot_timeout: Duration,
    /// The maximum number of open connections.
    pub max_connections: usize,
    /// The maximum time to receive the head of a request, and again to receive its body.
    pub read_timeout: Duration,
    /// The maximum time during which a client reads no byte of a response.
    pub stall_timeout: Duration,
    /// The maximum time to send a whole response.
    pub write_timeout: Duration,
}

impl ServerLimits {
    /// The maximum number of job threads: quick jobs, short searches and long searches.
    pub(crate) fn threads(&self) -> usize {
        2 * self.jobs + self.long_jobs
    }
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        let n_cores = npuzzle::tables::n_cores();
        ServerLimits {
            max_body_bytes: 1 << 20,
            max_buffered_bodies: 64 << 20,
            max_buffered_responses: 256 << 20,
            request: RequestLimits::default(),
            jobs: n_cores.max(2),
            long_jobs: 4,
            // A little more than the default time limit of a large board.
            short_time: Duration::from_secs(3),
            max_waiting: 1000,
            slot_timeout: Duration::from_secs(30),
            max_connections: max_open_files().saturating_sub(100).clamp(100, 2000),
            read_timeout: Duration::from_secs(10),
            stall_timeout: Duration::from_secs(10),
            write_timeout: Duration::from_secs(300),
        }
    }
}

/// The number of files and sockets that this process may have open.
#[cfg(unix)]
fn max_open_files() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    limit.map_or(usize::MAX, |limit| limit as usize)
}

#[cfg(not(unix))]
fn max_open_files() -> usize {
    usize::MAX
}
