//! Runs an untrusted program isolated and within limits, and kills every process that it started.
//!
//! On Linux, bubblewrap gives the program namespaces of its own (`bwrap.rs`), in which it sees only some files
//! (`view.rs`) and lacks some system calls (`syscalls.rs`). Without bubblewrap, Landlock (`landlock.rs`) and the
//! filter of system calls remain. `isolation.rs` chooses, and `launch.rs` starts the program. Other systems
//! have no isolation.
//!
//! The program gets its own process group. Its output is captured up to a maximum length. A loop checks
//! every few milliseconds whether it has ended, or exceeds its time, memory, output, folder or number of
//! processes. Then the whole group is killed; on Linux also the processes that left the group
//! (`processes.rs`). On systems other than Unix only the program itself is killed. The memory limit
//! works on Linux only.

#[cfg(target_os = "linux")]
mod bwrap;
mod folder;
#[cfg_attr(not(target_os = "linux"), path = "sandbox/elsewhere.rs")]
mod isolation;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod launch;
#[cfg(target_os = "linux")]
mod prepared;
mod processes;
mod protection;
#[cfg(target_os = "linux")]
mod syscalls;
#[cfg(target_os = "linux")]
mod view;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use npuzzle_courses::ProcessEnd;

#[cfg(not(target_os = "linux"))]
use isolation::Prepared;
#[cfg(target_os = "linux")]
use prepared::Prepared;
use processes::Processes;
use protection::{environment, refusal, warning};

pub(crate) use isolation::Isolation;
#[cfg(target_os = "linux")]
pub(crate) use launch::run_launcher;
pub(crate) use protection::{IsolationRequest, Protection, names};

/// The limits of a program and the processes it starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResourceLimits {
    /// Wall-clock time.
    pub(crate) time: Option<Duration>,
    /// Resident memory in bytes.
    pub(crate) memory: Option<u64>,
}

/// The one folder that a program may write to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WritableFolder<'a> {
    pub(crate) path: &'a Path,
    /// Whether it is also the program's current folder. Paths in the command are absolute then.
    pub(crate) is_current: bool,
}

/// The longest standard output in bytes: more than the longest solution of a course, or the numbers of an
/// audit.
const MAX_STDOUT: usize = 16 << 20;
/// The length of standard error that is kept, in bytes.
const MAX_STDERR: usize = 64 << 10;
/// The largest number of processes, not counting threads: more than any course needs.
const MAX_PROCESSES: usize = 256;
/// The time between measurements of memory and processes.
const MEASURE_INTERVAL: Duration = Duration::from_millis(20);
/// How long to wait for the end of the output after everything was killed.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(2);

/// A finished run of a program.
#[derive(Debug)]
pub(crate) struct ProgramRun {
    /// `None` if the run was interrupted.
    pub(crate) ended: Option<ProcessEnd>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) time: Duration,
    /// The largest measured memory of the program and the processes it started, in bytes.
    pub(crate) memory: Option<u64>,
    /// The number of processes it left running, which were killed.
    pub(crate) n_left: usize,
}

impl ProgramRun {
    /// The run of a program that could not be started.
    pub(crate) fn not_started(error: io::ErrorKind) -> ProgramRun {
        ProgramRun {
            ended: Some(ProcessEnd::NotStarted(error)),
            stdout: String::new(),
            stderr: String::new(),
            time: Duration::ZERO,
            memory: None,
            n_left: 0,
        }
    }
}

/// Runs a program until it ends, exceeds a limit, or `is_interrupted` returns true.
pub(crate) fn run(
    isolation: &Isolation,
    command: &[OsString],
    folder: WritableFolder<'_>,
    stdin: File,
    limits: ResourceLimits,
    is_interrupted: &mut dyn FnMut() -> bool,
) -> io::Result<ProgramRun> {
    let mut prepared = isolation.prepare(command, folder)?;
    let command = &mut prepared.command;
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    processes::adopt_orphans();
    let started = Instant::now();
    let mut child = command.spawn()?;
    let mut processes = Processes::of(&child);
    let stdout = child.stdout.take().map(|pipe| Captured::start(pipe, MAX_STDOUT)).transpose();
    let stderr = child.stderr.take().map(|pipe| Captured::start(pipe, MAX_STDERR)).transpose();
    let (stdout, stderr) = match (stdout, stderr) {
        (Ok(stdout), Ok(stderr)) => (stdout, stderr),
        (Err(error), _) | (_, Err(error)) => {
            // Without a thread to read its output, the program might block forever.
            processes.kill_all(&mut child, &prepared);
            return child.wait().and(Err(error));
        }
    };
    let is_flooded = || stdout.as_ref().is_some_and(Captured::is_full);

    let mut excess =
        |processes: &mut Processes| excess(processes, &prepared, folder.path, limits.memory);
    let stop = wait(
        &mut child,
        &mut processes,
        limits.time.map(|time| started + time),
        is_interrupted,
        &is_flooded,
        &mut excess,
    );
    let time = started.elapsed();
    let n_left = processes.kill_all(&mut child, &prepared);
    let status = child.wait()?;
    let is_flooded = is_flooded();
    let (stdout, stderr) = (
        stdout.map_or(String::new(), Captured::text),
        stderr.map_or(String::new(), Captured::text),
    );
    if stop == Stop::Exited {
        prepared.check(&stderr)?;
    }
    let ended = match stop {
        Stop::Interrupted => None,
        Stop::Limit(ended) => Some(ended),
        Stop::Exited if is_flooded => Some(ProcessEnd::Output),
        Stop::Exited => Some(prepared.ended_by(status)),
    };
    Ok(ProgramRun {
        ended,
        stdout,
        stderr,
        time,
        memory: processes.peak_bytes(),
        n_left: if stop == Stop::Exited { n_left } else { 0 },
    })
}

/// Why a run is over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Exited,
    Limit(ProcessEnd),
    Interrupted,
}

/// Waits for the end of the program, or for a reason to stop it.
fn wait(
    child: &mut Child,
    processes: &mut Processes,
    end: Option<Instant>,
    is_interrupted: &mut dyn FnMut() -> bool,
    is_flooded: &dyn Fn() -> bool,
    excess: &mut dyn FnMut(&mut Processes) -> Option<ProcessEnd>,
) -> Stop {
    let mut pause = Duration::from_millis(1);
    let mut measured = None;
    loop {
        if processes.has_ended(child) {
            return Stop::Exited;
        }
        let now = Instant::now();
        if is_interrupted() {
            return Stop::Interrupted;
        }
        if end.is_some_and(|end| now >= end) {
            return Stop::Limit(ProcessEnd::Time);
        }
        if is_flooded() {
            return Stop::Limit(ProcessEnd::Output);
        }
        if measured.is_none_or(|measured| now - measured >= MEASURE_INTERVAL) {
            measured = Some(now);
            if let Some(ended) = excess(processes) {
                return Stop::Limit(ended);
            }
        }
        thread::sleep(pause);
        pause = (pause * 2).min(MEASURE_INTERVAL / 2);
    }
}

/// The limit that the program exceeds, if any.
fn excess(
    processes: &mut Processes,
    prepared: &Prepared,
    folder: &Path,
    max_bytes: Option<u64>,
) -> Option<ProcessEnd> {
    let (n_processes, n_bytes) = processes.measure(prepared);
    if max_bytes.is_some_and(|limit| n_bytes > limit) {
        return Some(ProcessEnd::Memory);
    }
    if n_processes > MAX_PROCESSES {
        return Some(ProcessEnd::Processes);
    }
    folder::is_too_large(folder).then_some(ProcessEnd::Output)
}

fn ended_by(status: ExitStatus) -> ProcessEnd {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return ProcessEnd::Signal(signal);
    }
    ProcessEnd::Code(status.code().unwrap_or(-1))
}

/// The output of a pipe, read to its end by a thread and kept up to a maximum length.
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

    /// The captured text. A process that could not be killed may hold the pipe open, so the wait for its
    /// end is limited.
    fn text(self) -> String {
        let end = Instant::now() + OUTPUT_TIMEOUT;
        while !self.thread.is_finished() && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
