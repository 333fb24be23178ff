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
    /// The number of searches of easy boards that may run at once, and also of jobs without a search.
    pub jobs: usize,
    /// The number of other searches that may run at once.
    pub long_jobs: usize,
    /// The number of them that a client may have, so that no client occupies all slots.
    pub long_jobs_per_client: usize,
    /// The processor time after which a search of an easy board counts as long if others wait for its slot.
    pub short_time: Duration,
    /// The maximum number of such searches that are paused until a slot for a long search is free.
    pub max_paused: usize,
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
    /// The maximum number of job threads: jobs without a search, short searches, paused ones and long ones.
    pub(crate) fn threads(&self) -> usize {
        2 * self.jobs + self.max_paused + self.long_jobs
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
            long_jobs: n_cores.max(2) + 2,
            long_jobs_per_client: n_cores.max(2) + 1,
            short_time: Duration::from_millis(500),
            max_paused: 32,
            max_waiting: 1000,
            slot_timeout: Duration::from_secs(30),
            max_connections: max_connections(max_open_files()),
            read_timeout: Duration::from_secs(10),
            stall_timeout: Duration::from_secs(10),
            write_timeout: Duration::from_secs(300),
        }
    }
}

/// The number of connections for a limit of open files, some of which are left to tables and to the runtime.
fn max_connections(max_open_files: usize) -> usize {
    max_open_files.saturating_sub((max_open_files / 2).min(100)).clamp(1, 2000)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_file_descriptors_free() {
        assert_eq!([16, 64, 1024, usize::MAX].map(max_connections), [8, 32, 924, 2000]);
    }
}
