//! The processor time of a piece of work.

use std::time::{Duration, Instant};

/// Measures the processor time of this thread, which other programs hardly change. Where the system does not
/// report it, measures the time that passes.
pub(crate) struct Stopwatch {
    started: Instant,
    processor_time: Option<Duration>,
}

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch { started: Instant::now(), processor_time: processor_time() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match (self.processor_time, processor_time()) {
            (Some(before), Some(now)) => now - before,
            _ => self.started.elapsed(),
        }
    }
}

/// Returns the processor time of this thread since it was started.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
