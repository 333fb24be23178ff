//! How wide beams are.
//!
//! Without a limit of time each is [`GROWTH`] times as wide as the one before, and the same board
//! takes the same beams always. With one the last beam is as wide as the time that is left allows,
//! looked at anew for every layer.

use std::time::{Duration, Instant};

/// How many times wider a beam is than the one before.
const GROWTH: usize = 4;

/// A beam that takes more than this share of the time that is left is the last one.
const LAST_SHARE: f64 = 0.3;

/// What is left of the time after the last beam, to be on the safe side.
const SPARE_SHARE: f64 = 0.03;

/// The widths of one beam.
pub(super) struct Pace {
    started: Instant,
    width: usize,
    /// Boards of all layers so far.
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
    pub(super) fn first(width: usize) -> Pace {
        Pace { started: Instant::now(), width, n_nodes: 0, end: None }
    }

    /// The width of the layer after so many.
    pub(super) fn width_at(&mut self, depth: usize) -> usize {
        if let Some(end) = &self.end {
            self.width = end.width_at(depth, self);
        }
        self.n_nodes += self.width;
        self.width
    }

    /// The next beam, if there is to be one, when the best solution has this length.
    pub(super) fn next(
        &self,
        widest: usize,
        length: Option<usize>,
        time_left: Option<Duration>,
    ) -> Option<Pace> {
        if self.width >= widest || self.end.is_some() {
            return None;
        }
        let width = (self.width * GROWTH).min(widest);
        let next = Pace::first(width);
        let (Some(length), Some(left)) = (length, time_left) else { return Some(next) };
        let rate = self.n_nodes as f64 / self.started.elapsed().as_secs_f64().max(1e-6);
        let seconds = width as f64 * length as f64 / rate;
        if seconds < LAST_SHARE * left.as_secs_f64() {
            return Some(next);
        }
        let deadline = Instant::now() + left.mul_f64(1.0 - SPARE_SHARE);
        let width = (left.as_secs_f64() * rate / length as f64) as usize;
        Some(Pace { width, end: Some(End { deadline, length, rate }), ..next })
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
        width.clamp(pace.width / 2, pace.width * 2).max(1)
    }
}
