//! Waiting for terminal events, and the detection of a closed terminal.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event;

/// Waits for an event, at most for `wait`. Fails with
/// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if the terminal was closed; crossterm would wait forever.
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
        // The signal may be a resize, which crossterm reports as an event.
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let closed = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    if inputs[0].revents().intersects(closed) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    event::poll(Duration::ZERO)
}

#[cfg(not(unix))]
pub(crate) fn has_event(wait: Duration) -> io::Result<bool> {
    event::poll(wait)
}

/// Whether the terminal was closed.
pub(crate) fn is_closed() -> bool {
    has_event(Duration::ZERO).is_err_and(|error| error.kind() == io::ErrorKind::UnexpectedEof)
}
