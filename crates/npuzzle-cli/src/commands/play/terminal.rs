//! Whether the terminal has something to tell, and whether it is still there.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event;

/// Whether there is an event, for which it is waited so long. An error of the kind
/// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if the terminal has gone: whoever asks crossterm then
/// waits for ever, since there is no end to reading nothing.
#[cfg(unix)]
pub(crate) fn has_event(wait: Duration) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    let mut inputs = [PollFd::new(&stdin, PollFlags::IN)];
    let time = Timespec {
        tv_sec: wait.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: wait.subsec_nanos().into(),
    };
    match poll(&mut inputs, Some(&time)) {
        // A signal, perhaps of another size: crossterm knows of it.
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    if inputs[0].revents().intersects(gone) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    event::poll(Duration::ZERO)
}

#[cfg(not(unix))]
pub(crate) fn has_event(wait: Duration) -> io::Result<bool> {
    event::poll(wait)
}

/// Whether there is no terminal any more.
pub(crate) fn is_gone() -> bool {
    has_event(Duration::ZERO).is_err_and(|error| error.kind() == io::ErrorKind::UnexpectedEof)
}
