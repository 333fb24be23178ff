//! What the system has to say while the program runs: that it shall end, or that a file is too large.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use npuzzle::Cancel;

use crate::exit::{Exit, Failure};

/// Asks running searches to stop on Ctrl-C or a request to end; a second one ends at once. There is no
/// thread for it, which the system might refuse.
pub(crate) fn cancel() -> Result<Cancel, Failure> {
    cancelled_by(listen_twice)
}

/// The same without ending at once: there is a program to be ended first, which takes milliseconds.
pub(crate) fn cancel_gently() -> Result<Cancel, Failure> {
    cancelled_by(listen)
}

fn cancelled_by(listen: fn(&Arc<AtomicBool>) -> io::Result<()>) -> Result<Cancel, Failure> {
    let flag = Arc::default();
    listen(&flag).map_err(|error| Failure::io("signal handler", &error))?;
    Ok(Cancel::from(flag))
}

/// Raises the flag when a signal comes.
#[cfg(unix)]
fn listen(flag: &Arc<AtomicBool>) -> io::Result<()> {
    on_each(|signal| signal_hook::flag::register(signal, Arc::clone(flag)))
}

/// The same, and ends the program if the flag is up by then.
#[cfg(unix)]
fn listen_twice(flag: &Arc<AtomicBool>) -> io::Result<()> {
    let code = Exit::Interrupted as i32;
    // What is registered first is done first.
    on_each(|signal| {
        signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(flag))?;
        signal_hook::flag::register(signal, Arc::clone(flag))
    })
}

/// Does something about each of the signals that say that the program shall end.
#[cfg(unix)]
fn on_each(mut act: impl FnMut(i32) -> io::Result<signal_hook::SigId>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let hang_up = (!is_hang_up_ignored()).then_some(SIGHUP);
    [SIGINT, SIGTERM].into_iter().chain(hang_up).try_for_each(|signal| act(signal).map(drop))
}

#[cfg(not(unix))]
fn listen(flag: &Arc<AtomicBool>) -> io::Result<()> {
    let flag = Arc::clone(flag);
    let raise = move || flag.store(true, std::sync::atomic::Ordering::Relaxed);
    ctrlc::set_handler(raise).map_err(io::Error::other)
}

#[cfg(not(unix))]
fn listen_twice(flag: &Arc<AtomicBool>) -> io::Result<()> {
    let flag = Arc::clone(flag);
    let heard = move || {
        if flag.swap(true, std::sync::atomic::Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
    };
    ctrlc::set_handler(heard).map_err(io::Error::other)
}

/// Whether the program was started to outlive its terminal, as `nohup` starts one. Only Linux tells.
pub(crate) fn is_hang_up_ignored() -> bool {
    /// Signals are bits of a number, from the first on.
    const HANG_UP: u64 = 1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & HANG_UP != 0)
}

/// A write beyond the limit on the size of files is to be an error like any other, not the end. There
/// is a handler instead of no signal at all: programs that we start have the signal as they know it.
pub(crate) fn survive_large_files() {
    // Without it all is as it was.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}
