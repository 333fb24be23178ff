//! A connection to another process. It records the loss of the other process and counts sent bytes.
//!
//! When a process dies, its connections close. timely's threads would panic at that moment and take
//! the queues of the surviving process with them. Therefore a write to a lost process succeeds and
//! discards its data, and a read from it blocks until the run has ended. That is soon: the connection
//! records the loss, and the job polls for it. Only then do the reading threads panic, which has no
//! effect any more. A machine that stops responding without closing its connections counts as lost
//! after [`SILENCE_TIMEOUT`].

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, Once, PoisonError};
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use timely::communication::allocator::zero_copy::stream::Stream;

use crate::error::ClusterError;

/// The name of the thread that joins timely's threads.
pub(crate) const JOIN_THREAD: &str = "timely:end";

/// The time after which a machine that does not respond counts as lost.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(120);

/// The state that all connections of a run share.
#[derive(Clone, Debug)]
pub(crate) struct Connections(Arc<SharedState>);

#[derive(Debug)]
struct SharedState {
    /// The first process that was lost.
    lost: AtomicUsize,
    n_written: AtomicU64,
    /// Whether the run has ended and no messages are received any more.
    has_ended: Mutex<bool>,
    ended: Condvar,
}

const NONE_LOST: usize = usize::MAX;

impl Connections {
    pub(crate) fn new() -> Connections {
        Connections(Arc::new(SharedState {
            lost: AtomicUsize::new(NONE_LOST),
            n_written: AtomicU64::new(0),
            has_ended: Mutex::new(false),
            ended: Condvar::new(),
        }))
    }

    /// Adds the connection to a process.
    pub(crate) fn add(&self, remote: usize, stream: TcpStream) -> Connection {
        enable_keepalive(&stream);
        Connection { stream, remote, connections: self.clone() }
    }

    /// Returns the first process that was lost.
    pub(crate) fn lost(&self) -> Option<usize> {
        Some(self.0.lost.load(Ordering::Relaxed)).filter(|&process| process != NONE_LOST)
    }

    /// Returns the number of sent bytes.
    pub(crate) fn n_written(&self) -> u64 {
        self.0.n_written.load(Ordering::Relaxed)
    }

    /// Returns a guard that ends the run when it is dropped.
    pub(crate) fn end_guard(&self) -> EndGuard {
        EndGuard(self.clone())
    }

    /// Runs a closure. A panic after a process was lost is a consequence of the loss and becomes an
    /// error.
    pub(crate) fn unless_lost<T>(
        &self,
        work: impl FnOnce() -> Result<T, ClusterError>,
    ) -> Result<T, ClusterError> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(result) => result,
            Err(panic) => match self.lost() {
                None => resume_unwind(panic),
                Some(process) => Err(ClusterError::Lost { process }),
            },
        }
    }

    fn wait_for_end(&self) {
        let has_ended = self.0.has_ended.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.0.ended.wait_while(has_ended, |has_ended| !*has_ended));
    }

    fn record_loss(&self, process: usize) {
        // Only the first one counts: others end because of it.
        let order = Ordering::Relaxed;
        let _ = self.0.lost.compare_exchange(NONE_LOST, process, order, order);
    }
}

/// Ends the run when it is dropped.
pub(crate) struct EndGuard(Connections);

impl Drop for EndGuard {
    fn drop(&mut self) {
        let SharedState { has_ended, ended, .. } = &*self.0.0;
        *has_ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        ended.notify_all();
    }
}

/// Lets the operating system detect that the other machine does not respond. On systems without
/// these options only closed connections are detected.
fn enable_keepalive(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let keepalive = TcpKeepalive::new().with_time(SILENCE_TIMEOUT / 4);
    #[cfg(any(target_os = "linux", target_os = "macos", windows))]
    let keepalive = keepalive.with_interval(SILENCE_TIMEOUT / 8).with_retries(6);
    let _ = socket.set_tcp_keepalive(&keepalive);
    #[cfg(target_os = "linux")]
    let _ = socket.set_tcp_user_timeout(Some(SILENCE_TIMEOUT));
}

/// A connection to one process.
pub(crate) struct Connection {
    stream: TcpStream,
    remote: usize,
    connections: Connections,
}

impl Read for Connection {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let result = loop {
            match self.stream.read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        if matches!(result, Ok(0) | Err(_)) {
            self.connections.record_loss(self.remote);
            self.connections.wait_for_end();
        }
        result
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Ok(n) => {
                self.connections.0.n_written.fetch_add(n as u64, Ordering::Relaxed);
                Ok(n)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(_) => {
                self.connections.record_loss(self.remote);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Connection {
    fn try_clone(&self) -> io::Result<Connection> {
        let stream = TcpStream::try_clone(&self.stream)?;
        Ok(Connection { stream, remote: self.remote, connections: self.connections.clone() })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        TcpStream::set_nonblocking(&self.stream, nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other side may have closed the connection already.
        let _ = TcpStream::shutdown(&self.stream, how);
        Ok(())
    }
}

/// Closes all connections when it is dropped, so that the other processes end as well.
pub(crate) struct CloseGuard(Vec<TcpStream>);

impl CloseGuard {
    pub(crate) fn new(streams: &[Option<TcpStream>]) -> io::Result<CloseGuard> {
        let clones = streams.iter().flatten().map(TcpStream::try_clone);
        clones.collect::<io::Result<_>>().map(CloseGuard)
    }
}

impl Drop for CloseGuard {
    fn drop(&mut self) {
        for stream in &self.0 {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Suppresses the panic messages of timely's reading and writing threads and of the thread that
/// joins them: the connections record what they find. Other panics are reported as usual.
pub(crate) fn silence_timely_panics() {
    const SILENT: [&str; 3] = ["timely:send", "timely:recv", JOIN_THREAD];
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let thread = std::thread::current();
            let name = thread.name().unwrap_or_default();
            if !SILENT.iter().any(|silent| name.starts_with(silent)) {
                report(info);
            }
        }));
    });
}
