//! The widths of successive beams.
//!
//! A *round* sends beams of one width in every direction. The next round is [`GROWTH`] times as wide.
//!
//! * Without a time limit the widths depend only on the board, so results are reproducible.
//! * With a time limit, the first round that would take more than [`LAST_ROUND_SHARE`] of the remaining
//!   time is the last one. Its beams use all of that time: before every layer, the width is chosen so
//!   that the beam reaches the goal at the deadline, given its measured speed and the length of the best
//!   solution so far.

use npuzzle_tables::clock::Instant;
use std::time::Duration;

/// The factor between the widths of consecutive rounds.
const GROWTH: usize = 4;

/// A round that needs more than this share of the remaining time is the last one.
const LAST_ROUND_SHARE: f64 = 0.3;

/// The share of the time that the last round leaves, as a reserve and for improving windows.
const RESERVE_SHARE: f64 = 0.06;

/// On boards with this many cells or more, the last round sends two beams of half the width in each
/// direction, because the length of a solution there depends more on chance than on width.
///
/// Measured on ten boards each in 2 s, against one beam in each direction: 11×11 1.5 % shorter and, on
/// ten others in another run, 2 % longer; 12×12 0.2 and 2.6 % shorter; 9×9 0.9 % longer. A single board
/// varies by more than that from run to run, so the gain is small if there is one.
const LARGE_BOARD_CELLS: usize = 121;

/// The assumed speed in boards per second, before it is measured.
pub(super) const INITIAL_RATE: f64 = 1e6;

/// The state of the schedule: the width of the current round.
pub(super) struct WidthSchedule {
    width: usize,
    is_last_round: bool,
    /// The speed of the last beam, in boards per second.
    rate: f64,
}

impl WidthSchedule {
    pub(super) fn new(first_width: usize) -> WidthSchedule {
        WidthSchedule { width: first_width, is_last_round: false, rate: INITIAL_RATE }
    }

    /// The number of beams in this round.
    pub(super) fn n_beams(&self, n_directions: usize, n_cells: usize) -> usize {
        let is_doubled = self.is_last_round && n_cells >= LARGE_BOARD_CELLS;
        if is_doubled { 2 * n_directions } else { n_directions }
    }

    /// The widths of the next beam. `length` is the number of slides of the best solution;
    /// `n_beams_left` beams, including this one, share the remaining time.
    pub(super) fn layer_widths(
        &self,
        length: Option<usize>,
        time_left: Option<Duration>,
        n_beams_left: usize,
    ) -> LayerWidths {
        let started = Instant::now();
        let mut widths = LayerWidths { started, width: self.width, n_boards: 0, deadline: None };
        if let (true, Some(length), Some(left)) = (self.is_last_round, length, time_left) {
            let time = left.mul_f64((1.0 - RESERVE_SHARE) / n_beams_left as f64);
            widths.width = (time.as_secs_f64() * self.rate / length as f64) as usize;
            let at = widths.started.checked_add(time);
            widths.deadline = at.map(|at| BeamDeadline { at, length, rate: self.rate });
        }
        widths
    }

    /// Records the speed of a beam that has ended.
    pub(super) fn record_rate(&mut self, widths: &LayerWidths) {
        self.rate = widths.n_boards as f64 / widths.started.elapsed().as_secs_f64().max(1e-6);
    }

    /// The next round of `n_beams` beams; `None` if this round was the last.
    pub(super) fn next_round(
        &self,
        max_width: usize,
        n_beams: usize,
        length: Option<usize>,
        time_left: Option<Duration>,
    ) -> Option<WidthSchedule> {
        if self.width >= max_width || self.is_last_round {
            return None;
        }
        let width = (self.width * GROWTH).min(max_width);
        let is_last_round = match (length, time_left) {
            (Some(length), Some(left)) => {
                let seconds = (n_beams * width * length) as f64 / self.rate;
                seconds > LAST_ROUND_SHARE * left.as_secs_f64()
            }
            _ => false,
        };
        Some(WidthSchedule { width, is_last_round, rate: self.rate })
    }
}

/// The widths of the layers of one beam.
pub(super) struct LayerWidths {
    started: Instant,
    width: usize,
    /// The sum of the widths so far, about the number of boards of all layers.
    n_boards: usize,
    deadline: Option<BeamDeadline>,
}

/// The time at which a beam should reach the goal.
struct BeamDeadline {
    at: Instant,
    /// The expected number of layers.
    length: usize,
    /// The speed of the beam before, in boards per second.
    rate: f64,
}

impl LayerWidths {
    /// The width of the layer at this depth.
    pub(super) fn width_at(&mut self, depth: usize) -> usize {
        if let Some(deadline) = &self.deadline {
            self.width = deadline.width_at(depth, self);
        }
        self.n_boards += self.width;
        self.width
    }
}

impl BeamDeadline {
    /// The width that uses the remaining time evenly. It changes by at most a factor of 2 per layer.
    fn width_at(&self, depth: usize, widths: &LayerWidths) -> usize {
        let elapsed = widths.started.elapsed().as_secs_f64();
        let left = self.at.saturating_duration_since(Instant::now()).as_secs_f64();
        // The speed of the beam before counts as a measurement of this many seconds.
        const PRIOR_SECONDS: f64 = 0.05;
        let rate = (widths.n_boards as f64 + PRIOR_SECONDS * self.rate) / (elapsed + PRIOR_SECONDS);
        let n_layers = self.length.saturating_sub(depth).max(4);
        let width = (left * rate / n_layers as f64) as usize;
        width.clamp(widths.width / 2, widths.width.saturating_mul(2)).max(1)
    }
}
