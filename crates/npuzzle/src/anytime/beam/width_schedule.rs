//! How wide beams are.
//!
//! Without a limit of time the beams of a round are [`GROWTH`] times as wide as those of the round
//! before, and the same board takes the same beams always. With one the beams of the last round are as
//! wide as the time that is left allows, looked at anew for every layer.

use std::time::{Duration, Instant};

/// How many times wider beams are than those of the round before.
const GROWTH: usize = 4;

/// A round that takes more than this share of the time that is left is the last one.
const LAST_SHARE: f64 = 0.3;

/// What is left of the time after the last round, to be on the safe side and for shortening.
const SPARE_SHARE: f64 = 0.06;

/// On boards of so many cells the last beams are half as wide and go each way twice: there a length is
/// more a matter of luck than of width. (Ten boards each in 2 s, against one beam each way: 11×11 1.5 %
/// shorter and, on ten others in another run, 2 % longer; 12×12 0.2 and 2.6 % shorter; 9×9 0.9 % longer.
/// One board differs by more than that from run to run, so the gain is small if there is one.)
const LARGE: usize = 121;

/// How many boards a beam does in a second, before that is known.
pub(super) const RATE: f64 = 1e6;

/// Beams of one width.
pub(super) struct Round {
    width: usize,
    is_last: bool,
    /// Boards a second, as far as is known.
    rate: f64,
}

impl Round {
    pub(super) fn first(width: usize) -> Round {
        Round { width, is_last: false, rate: RATE }
    }

    /// How many beams are sent, if there are so many ways, on boards of so many cells.
    pub(super) fn n_beams(&self, n_ways: usize, n_cells: usize) -> usize {
        if self.is_last && n_cells >= LARGE { 2 * n_ways } else { n_ways }
    }

    /// The widths of the next of so many beams, when the best solution has this length.
    pub(super) fn pace(
        &self,
        length: Option<usize>,
        time_left: Option<Duration>,
        n_beams: usize,
    ) -> Pace {
        let mut pace = Pace { started: Instant::now(), width: self.width, n_nodes: 0, end: None };
        if let (true, Some(length), Some(left)) = (self.is_last, length, time_left) {
            let time = left.mul_f64((1.0 - SPARE_SHARE) / n_beams as f64);
            pace.width = (time.as_secs_f64() * self.rate / length as f64) as usize;
            let deadline = pace.started.checked_add(time);
            pace.end = deadline.map(|deadline| End { deadline, length, rate: self.rate });
        }
        pace
    }

    /// Takes note of how fast a beam was.
    pub(super) fn learn(&mut self, pace: &Pace) {
        self.rate = pace.n_nodes as f64 / pace.started.elapsed().as_secs_f64().max(1e-6);
    }

    /// The next round of so many beams, if there is to be one.
    pub(super) fn next(
        &self,
        widest: usize,
        n_beams: usize,
        length: Option<usize>,
        time_left: Option<Duration>,
    ) -> Option<Round> {
        if self.width >= widest || self.is_last {
            return None;
        }
        let width = (self.width * GROWTH).min(widest);
        let is_last = match (length, time_left) {
            (Some(length), Some(left)) => {
                let seconds = (n_beams * width * length) as f64 / self.rate;
                seconds > LAST_SHARE * left.as_secs_f64()
            }
            _ => false,
        };
        Some(Round { width, is_last, rate: self.rate })
    }
}

/// The widths of one beam.
pub(super) struct Pace {
    started: Instant,
    width: usize,
    /// Boards of all layers so far, about.
    n_nodes: usize,
    end: Option<End>,
}

/// When a beam is to end, and at which layer that will be about.
struct End {
    deadline: Instant,
    length: usize,
    /// Boards that the beam before took in a second.
    rate: f64,
}

impl Pace {
    /// The width of the layer after so many.
    pub(super) fn width_at(&mut self, depth: usize) -> usize {
        if let Some(end) = &self.end {
            self.width = end.width_at(depth, self);
        }
        self.n_nodes += self.width;
        self.width
    }
}

impl End {
    fn width_at(&self, depth: usize, pace: &Pace) -> usize {
        let spent = pace.started.elapsed().as_secs_f64();
        let left = self.deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        // The rate of this beam counts as soon as there is one.
        const SURE_AFTER: f64 = 0.05;
        let rate = (pace.n_nodes as f64 + SURE_AFTER * self.rate) / (spent + SURE_AFTER);
        let n_layers = self.length.saturating_sub(depth).max(4);
        let width = (left * rate / n_layers as f64) as usize;
        width.clamp(pace.width / 2, pace.width.saturating_mul(2)).max(1)
    }
}
