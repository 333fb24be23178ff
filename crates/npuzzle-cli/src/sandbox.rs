//! Runs an untrusted program within limits, and kills every process that it started.
//!
//! The program gets its own process group. Its output is captured up to a maximum length. A loop checks
//! every few milliseconds whether it has ended, or exceeds its time, memory, output or number of
//! processes. Then the whole group is killed; on Linux also the processes that left the group
//! (`processes.rs`). On systems other than Unix only the program itself is killed. The memory limit
//! works on Linux only.

mod processes;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use npuzzle_courses::ProcessEnd;

use processes::Processes;

/// The limits of a program and the processes it starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResourceLimits {
    /// Wall-clock time.
    pub(crate) time: Option<Duration>,
    /// Resident memory in bytes.
    pub(crate) memory: Option<u64>,
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

/// Runs a program, in a working folder if one is given, until it ends, exceeds a limit, or `is_interrupted` returns true.
pub(crate) fn run(
    command: &[OsString],
    working_folder: Option<&Path>,
    stdin: File,
    limits: ResourceLimits,
    is_interrupted: &mut dyn FnMut() -> bool,
) -> io::Result<ProgramRun> {
    let Some((program, args)) = command.split_first() else {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    };
    let mut command = Command::new(program);
    command.args(args).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(folder) = working_folder {
        command.current_dir(folder);
    }
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
            // Without a thread to read its output, the program might block forever.
            processes.kill_all(&mut child);
            return child.wait().and(Err(error));
        }
    };
    let is_flooded = || stdout.as_ref().is_some_and(Captured::is_full);

    let stop = wait(&mut child, &mut processes, limits, started, is_interrupted, &is_flooded);
    let time = started.elapsed();
    let n_left = processes.kill_all(&mut child);
    let status = child.wait()?;
    let ended = match stop {
        Stop::Interrupted => None,
        Stop::Limit(ended) => Some(ended),
        Stop::Exited if is_flooded() => Some(ProcessEnd::Output),
        Stop::Exited => Some(ended_by(status)),
    };
    Ok(ProgramRun {
        ended,
        stdout: stdout.map_or(String::new(), Captured::text),
        stderr: stderr.map_or(String::new(), Captured::text),
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

fn wait(
    child: &mut Child,
    processes: &mut Processes,
    limits: ResourceLimits,
    started: Instant,
    is_interrupted: &mut dyn FnMut() -> bool,
    is_flooded: &dyn Fn() -> bool,
) -> Stop {
    let mut pause = Duration::from_millis(1);
    let mut measured = started;
    loop {
        if processes.has_ended(child) {
            return Stop::Exited;
        }
        let now = Instant::now();
        if is_interrupted() {
            return Stop::Interrupted;
        }
        if limits.time.is_some_and(|limit| now - started >= limit) {
            return Stop::Limit(ProcessEnd::Time);
        }
        if is_flooded() {
            return Stop::Limit(ProcessEnd::Output);
        }
        if now - measured >= MEASURE_INTERVAL || measured == started {
            measured = now;
            let (n_processes, n_bytes) = processes.measure();
            if limits.memory.is_some_and(|limit| n_bytes > limit) {
                return Stop::Limit(ProcessEnd::Memory);
            }
            if n_processes > MAX_PROCESSES {
                return Stop::Limit(ProcessEnd::Processes);
            }
        }
        thread::sleep(pause);
        pause = (pause * 2).min(MEASURE_INTERVAL / 2);
    }
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
