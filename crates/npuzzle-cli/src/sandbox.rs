//! Runs somebody's program within limits, and ends everything that it started.
//!
//! The program gets a process group of its own. Its output is read with a cap, and a loop looks every
//! few milliseconds whether it has ended, its time is up, or it has taken too much. Then the whole
//! group is killed, and on Linux also what has left the group (`processes.rs`). On systems that are
//! not Unix only the program itself is ended, and memory is limited on Linux alone.

mod processes;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use npuzzle_courses::Ended;

use processes::Processes;

/// What a program may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    pub(crate) time: Option<Duration>,
    pub(crate) memory: Option<u64>,
}

/// More than the longest solution of a course takes, or a number for each board of an audit.
const MAX_STDOUT: usize = 16 << 20;
/// What is kept of messages.
const MAX_STDERR: usize = 64 << 10;
/// More than any course needs; threads do not count.
const MAX_PROCESSES: usize = 256;
/// How often memory and processes are counted.
const LOOK: Duration = Duration::from_millis(20);
/// How long is waited for output once everything has been ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What a program has come to.
#[derive(Debug)]
pub(crate) struct Ran {
    /// `None` if somebody interrupted.
    pub(crate) ended: Option<Ended>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) time: Duration,
    /// The most that it and what it started were seen to hold.
    pub(crate) memory: Option<u64>,
    /// How many processes it left running; they were ended.
    pub(crate) n_left: usize,
}

impl Ran {
    /// A program that could not be run at all.
    pub(crate) fn not_started(program: &str, error: &io::Error) -> Ran {
        Ran {
            ended: Some(Ended::NotStarted(error.kind())),
            stdout: String::new(),
            stderr: format!("{program}: {error}\n"),
            time: Duration::ZERO,
            memory: None,
            n_left: 0,
        }
    }
}

/// Runs a program to its end, to the first limit, or until somebody interrupts.
pub(crate) fn run(
    command: &[OsString],
    stdin: File,
    allowance: Allowance,
    is_interrupted: &mut dyn FnMut() -> bool,
) -> io::Result<Ran> {
    let Some((program, args)) = command.split_first() else {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    };
    let mut command = Command::new(program);
    command.args(args).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    processes::adopt_orphans();
    let started = Instant::now();
    let mut child = command.spawn()?;
    let mut processes = Processes::of(&child);
    let stdout = child.stdout.take().map(|pipe| Captured::start(pipe, MAX_STDOUT)).transpose();
    let stderr = child.stderr.take().map(|pipe| Captured::start(pipe, MAX_STDERR)).transpose();
    let (stdout, stderr) = match (stdout, stderr) {
        (Ok(stdout), Ok(stderr)) => (stdout, stderr),
        (Err(error), _) | (_, Err(error)) => {
            // Nobody would read what it prints.
            processes.end_all(&mut child);
            return child.wait().and(Err(error));
        }
    };
    let floods = || stdout.as_ref().is_some_and(Captured::is_full);

    let stop = watch(&mut child, &mut processes, allowance, started, is_interrupted, &floods);
    let time = started.elapsed();
    let n_left = processes.end_all(&mut child);
    let status = child.wait()?;
    let ended = match stop {
        Stop::Interrupted => None,
        Stop::Limit(ended) => Some(ended),
        Stop::Itself if floods() => Some(Ended::Flood),
        Stop::Itself => Some(how(status)),
    };
    Ok(Ran {
        ended,
        stdout: stdout.map_or(String::new(), Captured::text),
        stderr: stderr.map_or(String::new(), Captured::text),
        time,
        memory: processes.most_bytes(),
        n_left: if stop == Stop::Itself { n_left } else { 0 },
    })
}

/// Why nobody waits any longer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// It has ended.
    Itself,
    Limit(Ended),
    Interrupted,
}

fn watch(
    child: &mut Child,
    processes: &mut Processes,
    allowance: Allowance,
    started: Instant,
    is_interrupted: &mut dyn FnMut() -> bool,
    floods: &dyn Fn() -> bool,
) -> Stop {
    let mut nap = Duration::from_millis(1);
    let mut looked = started;
    loop {
        if processes.has_ended(child) {
            return Stop::Itself;
        }
        let now = Instant::now();
        if is_interrupted() {
            return Stop::Interrupted;
        }
        if allowance.time.is_some_and(|limit| now - started >= limit) {
            return Stop::Limit(Ended::Time);
        }
        if floods() {
            return Stop::Limit(Ended::Flood);
        }
        if now - looked >= LOOK || looked == started {
            looked = now;
            let (n_processes, n_bytes) = processes.count();
            if allowance.memory.is_some_and(|limit| n_bytes > limit) {
                return Stop::Limit(Ended::Memory);
            }
            if n_processes > MAX_PROCESSES {
                return Stop::Limit(Ended::Processes);
            }
        }
        thread::sleep(nap);
        nap = (nap * 2).min(LOOK / 2);
    }
}

fn how(status: ExitStatus) -> Ended {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Ended::Signal(signal);
    }
    Ended::Code(status.code().unwrap_or(-1))
}

/// A pipe that is read to its end by a thread, and kept up to a cap.
struct Captured {
    bytes: Arc<Mutex<Vec<u8>>>,
    is_full: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Captured {
    fn start(mut pipe: impl Read + Send + 'static, max_bytes: usize) -> io::Result<Captured> {
        let (bytes, is_full) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (kept, full) = (Arc::clone(&bytes), Arc::clone(&is_full));
        let read = move || {
            let mut chunk = vec![0; 64 << 10];
            loop {
                let n = match pipe.read(&mut chunk) {
                    Ok(0) => return,
                    Ok(n) => n,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(_) => return,
                };
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let n_kept = n.min(max_bytes - kept.len());
                kept.extend_from_slice(&chunk[..n_kept]);
                if n_kept < n {
                    full.store(true, Ordering::Relaxed);
                }
            }
        };
        let thread = thread::Builder::new().spawn(read)?;
        Ok(Captured { bytes, is_full, thread })
    }

    fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// All that came. A pipe that somebody out of reach still holds is not waited for.
    fn text(self) -> String {
        let end = Instant::now() + LAST_WORDS;
        while !self.thread.is_finished() && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
