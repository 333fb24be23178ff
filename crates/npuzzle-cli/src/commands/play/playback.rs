//! The automatic playback of moves, at several speeds.

use std::time::Duration;

/// The time of a move at speed 1.
const MOVE: Duration = Duration::from_millis(600);
/// Speeds: names and factors.
const SPEEDS: [(&str, f64); 6] =
    [("½", 0.5), ("1", 1.0), ("2", 2.0), ("4", 4.0), ("10", 10.0), ("40", 40.0)];

#[derive(Clone, Copy, Debug)]
pub(crate) struct Playback {
    speed: usize,
    /// When the next move is made.
    due: Option<Duration>,
}

impl Playback {
    pub(crate) fn new() -> Playback {
        Playback { speed: 2, due: None }
    }

    pub(crate) fn is_running(self) -> bool {
        self.due.is_some()
    }

    pub(crate) fn start(&mut self, now: Duration) {
        self.due = Some(now + self.interval());
    }

    pub(crate) fn stop(&mut self) {
        self.due = None;
    }

    /// `2×`.
    pub(crate) fn speed(self) -> String {
        format!("{}×", SPEEDS[self.speed].0)
    }

    pub(crate) fn faster(&mut self) {
        self.speed = (self.speed + 1).min(SPEEDS.len() - 1);
    }

    pub(crate) fn slower(&mut self) {
        self.speed = self.speed.saturating_sub(1);
    }

    /// The number of moves that are due by now.
    pub(crate) fn take_due(&mut self, now: Duration) -> usize {
        let interval = self.interval();
        let mut n_moves = 0;
        while let Some(due) = self.due.filter(|&due| due <= now) {
            // After a long pause of the whole process, missed moves are not caught up.
            let is_late = now > due + 4 * interval.max(Duration::from_millis(50));
            self.due = Some(if is_late { now + interval } else { due + interval });
            n_moves += 1;
        }
        n_moves
    }

    /// The time until the next move; `None` if paused.
    pub(crate) fn wait(self, now: Duration) -> Option<Duration> {
        self.due.map(|due| due.saturating_sub(now))
    }

    fn interval(self) -> Duration {
        MOVE.div_f64(SPEEDS[self.speed].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_due_at_the_chosen_speed() {
        let ms = Duration::from_millis;
        let mut playback = Playback::new();
        assert_eq!((playback.take_due(ms(5000)), playback.wait(ms(0))), (0, None));
        playback.start(ms(1000));
        assert_eq!(playback.take_due(ms(1299)), 0);
        assert_eq!(playback.wait(ms(1299)), Some(ms(1)));
        assert_eq!(playback.take_due(ms(1950)), 3);
        playback.slower();
        playback.start(ms(2000));
        assert_eq!((playback.take_due(ms(2599)), playback.take_due(ms(2600))), (0, 1));
        for _ in 0..9 {
            playback.faster();
        }
        assert_eq!((playback.speed().as_str(), playback.interval()), ("40×", ms(15)));
        playback.start(ms(3000));
        assert_eq!(playback.take_due(ms(9000)), 1, "missed moves are not caught up");
    }
}
