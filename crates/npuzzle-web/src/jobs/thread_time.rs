//! The processor time of the current thread.

use std::time::Duration;

/// Returns the processor time of the current thread, which does not grow while other threads have the processor.
#[cfg(unix)]
pub(super) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns the time since the first call: this system has no clock for the processor time of a thread.
#[cfg(not(unix))]
pub(super) fn thread_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
