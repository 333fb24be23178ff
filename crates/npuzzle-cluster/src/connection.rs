//! A connection to another process, which notes when the other side is gone and counts what is sent.
//!
//! **When a process dies** its connections close, and timely's threads would panic, and whoever is left
//! with half a queue after them. So what is written to a process that is gone goes nowhere and is no
//! error, and whoever reads from it waits until the job is over, which is soon: the connection has
//! noted the loss, and the job looks for that. Only then do the threads that read panic, which says
//! nothing new. A machine that goes without a word, or cannot be reached any more,
//! counts as gone after [`SILENCE`].

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, Once, PoisonError};
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use timely::communication::allocator::zero_copy::stream::Stream;

/// The name of a thread that waits for timely's.
pub(crate) const END: &str = "timely:end";

/// How long a machine may say nothing at all.
const SILENCE: Duration = Duration::from_secs(120);

/// What the connections of a run know.
#[derive(Clone, Debug)]
pub(crate) struct Lines(Arc<Known>);

#[derive(Debug)]
struct Known {
    /// The first process that was gone.
    lost: AtomicUsize,
    n_written: AtomicU64,
    /// Whether nobody takes messages any more.
    is_over: Mutex<bool>,
    ending: Condvar,
}

const NOBODY: usize = usize::MAX;

impl Lines {
    pub(crate) fn new() -> Lines {
        Lines(Arc::new(Known {
            lost: AtomicUsize::new(NOBODY),
            n_written: AtomicU64::new(0),
            is_over: Mutex::new(false),
            ending: Condvar::new(),
        }))
    }

    /// The connection with a process.
    pub(crate) fn line(&self, remote: usize, stream: TcpStream) -> Line {
        listen_for_silence(&stream);
        Line { stream, remote, lines: self.clone() }
    }

    /// The first process that was gone, if any is.
    pub(crate) fn lost(&self) -> Option<usize> {
        Some(self.0.lost.load(Ordering::Relaxed)).filter(|&process| process != NOBODY)
    }

    /// Bytes that were sent.
    pub(crate) fn n_written(&self) -> u64 {
        self.0.n_written.load(Ordering::Relaxed)
    }

    /// Says, when it is dropped, that nobody takes messages any more.
    pub(crate) fn over(&self) -> Over {
        Over(self.clone())
    }

    fn wait_until_over(&self) {
        let is_over = self.0.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.0.ending.wait_while(is_over, |is_over| !*is_over));
    }

    fn note_lost(&self, process: usize) {
        // The first one counts: others end because of it.
        let order = Ordering::Relaxed;
        let _ = self.0.lost.compare_exchange(NOBODY, process, order, order);
    }
}

pub(crate) struct Over(Lines);

impl Drop for Over {
    fn drop(&mut self) {
        let Known { is_over, ending, .. } = &*self.0.0;
        *is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        ending.notify_all();
    }
}

/// Has the system find out by itself whether the other machine is still there. Where it cannot, only
/// processes that end are noticed.
fn listen_for_silence(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let keepalive = TcpKeepalive::new().with_time(SILENCE / 4);
    #[cfg(any(target_os = "linux", target_os = "macos", windows))]
    let keepalive = keepalive.with_interval(SILENCE / 8).with_retries(6);
    let _ = socket.set_tcp_keepalive(&keepalive);
    #[cfg(target_os = "linux")]
    let _ = socket.set_tcp_user_timeout(Some(SILENCE));
}

/// A connection with one process.
pub(crate) struct Line {
    stream: TcpStream,
    remote: usize,
    lines: Lines,
}

impl Read for Line {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let result = loop {
            match self.stream.read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        if matches!(result, Ok(0) | Err(_)) {
            self.lines.note_lost(self.remote);
            self.lines.wait_until_over();
        }
        result
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Ok(n) => {
                self.lines.0.n_written.fetch_add(n as u64, Ordering::Relaxed);
                Ok(n)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(_) => {
                self.lines.note_lost(self.remote);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Line {
    fn try_clone(&self) -> io::Result<Line> {
        let stream = TcpStream::try_clone(&self.stream)?;
        Ok(Line { stream, remote: self.remote, lines: self.lines.clone() })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        TcpStream::set_nonblocking(&self.stream, nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Who is gone needs no goodbye.
        let _ = TcpStream::shutdown(&self.stream, how);
        Ok(())
    }
}

/// Closes connections when it is dropped, so that the other processes end as well.
pub(crate) struct HangUp(Vec<TcpStream>);

impl HangUp {
    pub(crate) fn new(streams: &[Option<TcpStream>]) -> io::Result<HangUp> {
        streams.iter().flatten().map(TcpStream::try_clone).collect::<io::Result<_>>().map(HangUp)
    }
}

impl Drop for HangUp {
    fn drop(&mut self) {
        for stream in &self.0 {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Keeps panics quiet of timely's threads that read and write, and of who waits for them: what they
/// find wrong is noted by the connections. Others are told as ever.
pub(crate) fn keep_timely_quiet() {
    const QUIET: [&str; 3] = ["timely:send", "timely:recv", END];
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let thread = std::thread::current();
            let name = thread.name().unwrap_or_default();
            if !QUIET.iter().any(|quiet| name.starts_with(quiet)) {
                tell(info);
            }
        }));
    });
}
