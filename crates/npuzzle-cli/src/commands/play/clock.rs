//! The playing time, from the first move to the goal. Times are durations since the start of the game.

use std::fmt;
use std::time::Duration;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameClock {
    started: Option<Duration>,
    stopped: Option<Duration>,
}

impl GameClock {
    pub(crate) fn start(&mut self, now: Duration) {
        self.started.get_or_insert(now);
    }

    pub(crate) fn stop(&mut self, now: Duration) {
        if self.started.is_some() {
            self.stopped.get_or_insert(now);
        }
    }

    pub(crate) fn reading(self, now: Duration) -> Reading {
        let end = self.stopped.unwrap_or(now);
        Reading(self.started.map_or(Duration::ZERO, |start| end.saturating_sub(start)))
    }
}

/// Minutes and seconds, as in `3:07`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reading(Duration);

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_spans_first_start_to_first_stop() {
        let at = Duration::from_secs;
        let mut clock = GameClock::default();
        clock.stop(at(1));
        assert_eq!(clock.reading(at(9)).to_string(), "0:00");
        clock.start(at(10));
        clock.start(at(20));
        assert_eq!(clock.reading(at(197)).to_string(), "3:07");
        clock.stop(at(71));
        clock.stop(at(80));
        assert_eq!(clock.reading(at(500)).to_string(), "1:01");
    }
}
