//! Signals: requests to end, and writes beyond the file size limit.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use npuzzle::Cancel;

use crate::exit::{Exit, Failure};

/// A [`Cancel`] that is set by Ctrl-C or a request to end. The second signal ends the process
/// immediately. No thread is needed, so this works where the system refuses threads.
pub(crate) fn cancel() -> Result<Cancel, Failure> {
    cancel_on(register_then_exit)
}

/// The same, but no signal ends the process: the caller has child processes to end first, which takes
/// milliseconds.
pub(crate) fn cancel_gently() -> Result<Cancel, Failure> {
    cancel_on(register)
}

/// Lets the next signal end the process immediately, for a program that waits for its user.
pub(crate) fn exit_on_next() -> Result<(), Failure> {
    register_exit().map_err(|error| Failure::io("signal handler", &error))
}

fn cancel_on(register: fn(&Arc<AtomicBool>) -> io::Result<()>) -> Result<Cancel, Failure> {
    let flag = Arc::default();
    register(&flag).map_err(|error| Failure::io("signal handler", &error))?;
    Ok(Cancel::from(flag))
}

/// Sets the flag on each signal.
#[cfg(unix)]
fn register(flag: &Arc<AtomicBool>) -> io::Result<()> {
    for_each_signal(|signal| signal_hook::flag::register(signal, Arc::clone(flag)))
}

/// Sets the flag on the first signal, and exits on the next.
#[cfg(unix)]
fn register_then_exit(flag: &Arc<AtomicBool>) -> io::Result<()> {
    let code = Exit::Interrupted as i32;
    // Handlers run in the order of registration, so the first signal does not exit.
    for_each_signal(|signal| {
        signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(flag))?;
        signal_hook::flag::register(signal, Arc::clone(flag))
    })
}

/// Exits on the first signal.
#[cfg(unix)]
fn register_exit() -> io::Result<()> {
    let always = Arc::new(AtomicBool::new(true));
    for_each_signal(|signal| {
        let code = Exit::Interrupted as i32;
        signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(&always))
    })
}

/// Does nothing: these systems allow one handler, which exits on the second signal.
#[cfg(not(unix))]
fn register_exit() -> io::Result<()> {
    Ok(())
}

/// Calls `act` for each signal that requests the process to end.
#[cfg(unix)]
fn for_each_signal(mut act: impl FnMut(i32) -> io::Result<signal_hook::SigId>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let hang_up = (!is_hang_up_ignored()).then_some(SIGHUP);
    [SIGINT, SIGTERM].into_iter().chain(hang_up).try_for_each(|signal| act(signal).map(drop))
}

#[cfg(not(unix))]
fn register(flag: &Arc<AtomicBool>) -> io::Result<()> {
    let flag = Arc::clone(flag);
    let set = move || flag.store(true, std::sync::atomic::Ordering::Relaxed);
    ctrlc::set_handler(set).map_err(io::Error::other)
}

#[cfg(not(unix))]
fn register_then_exit(flag: &Arc<AtomicBool>) -> io::Result<()> {
    let flag = Arc::clone(flag);
    let set_or_exit = move || {
        if flag.swap(true, std::sync::atomic::Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
    };
    ctrlc::set_handler(set_or_exit).map_err(io::Error::other)
}

/// Whether the process was started to outlive its terminal, as by `nohup`. Known on Linux only.
pub(crate) fn is_hang_up_ignored() -> bool {
    /// SIGHUP is signal 1, the lowest bit of the mask.
    const HANG_UP: u64 = 1;
    let status = read_status().unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & HANG_UP != 0)
}

/// The state of the process, usually read in one call: `fs::read`, which does not know the size of such
/// a file, makes ten.
fn read_status() -> io::Result<Vec<u8>> {
    let mut status = Vec::with_capacity(4096);
    File::open("/proc/self/status")?.take(u64::MAX).read_to_end(&mut status)?;
    Ok(status)
}

/// Makes a write beyond the file size limit an ordinary error instead of the end of the process. A
/// handler is installed, and the signal is not ignored, because child processes would inherit that.
pub(crate) fn ignore_file_size_signal() {
    // Without the handler, such a write ends the process, as it does by default.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}
