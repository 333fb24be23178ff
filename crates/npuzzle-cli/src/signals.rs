//! What the system has to say while the program runs: that it shall end, or that a file is too large.

use std::io;

use npuzzle::Cancel;

use crate::exit::{Exit, Failure};

/// Asks running searches to stop on Ctrl-C or a request to end; a second one ends at once.
pub(crate) fn cancel() -> Result<Cancel, Failure> {
    cancelled_by(|cancel| {
        if cancel.is_cancelled() {
            std::process::exit(Exit::Interrupted as i32);
        }
        cancel.cancel();
    })
}

/// The same without ending at once: there is a program to be ended first, which takes milliseconds.
pub(crate) fn cancel_gently() -> Result<Cancel, Failure> {
    cancelled_by(Cancel::cancel)
}

fn cancelled_by(heard: impl Fn(&Cancel) + Send + 'static) -> Result<Cancel, Failure> {
    let cancel = Cancel::new();
    let asked = cancel.clone();
    listen(move || heard(&asked)).map_err(|error| Failure::io("signal handler", &error))?;
    Ok(cancel)
}

#[cfg(unix)]
fn listen(heard: impl Fn() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let hang_up = (!is_hang_up_ignored()).then_some(SIGHUP);
    let mut signals =
        signal_hook::iterator::Signals::new([SIGINT, SIGTERM].into_iter().chain(hang_up))?;
    let listener = std::thread::Builder::new().name("signals".into());
    listener.spawn(move || signals.forever().for_each(|_| heard()))?;
    Ok(())
}

#[cfg(not(unix))]
fn listen(heard: impl Fn() + Send + 'static) -> io::Result<()> {
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
