//! The first phase of a pass: brings all tiles of a large board close to their goal cells, and often to them.
//!
//! A beam over walks of the blank minimizes the [potential](GlobalPotential).
//!
//! ```text
//! repeat:
//!     add some layers to the beam; if one contains the goal, stop
//!     commit to the beginning of the best walk
//!     penalize the committed cells if the gain was below expectation
//!     if nothing was gained for a long time:
//!         if the tiles are close, or the width is eight times the initial one, stop
//!         clear the penalty and double the width
//! take the prefix of the walk with the smallest estimated total length, unless the goal was reached
//! ```

use npuzzle_core::{Metric, Slide};

use super::global_potential::{GlobalPotential, LocalTerm};
use super::walk_beam::{WalkBeam, WalkBeamConfig};
use crate::anytime::working_board::WorkingBoard;

/// How the phase searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct GlobalTuning {
    local_term: LocalTerm,
    /// Beyond the learned distances, the cost of a tile is this power of its vertical and horizontal distance.
    power: f64,
    /// The relative weight that a tile gains if its goal cell is as far from that of the blank as possible.
    far_goal_bonus: f64,
    /// The depth of the tree after a commit, and the number of layers between two commits.
    commit_lag: usize,
    layers_per_step: usize,
    /// The phase has stalled after this many slides per cell, and this many in addition, without progress.
    patience_per_cell: f64,
    min_patience: usize,
}

impl GlobalTuning {
    /// If there is no time to move all tiles, so that only the first slides count.
    pub(super) const PARTIAL: GlobalTuning = GlobalTuning {
        local_term: LocalTerm::Neighbors,
        power: 1.6,
        far_goal_bonus: 0.3,
        commit_lag: 24,
        layers_per_step: 6,
        patience_per_cell: 1.0,
        min_patience: 500,
    };

    /// For beams of a few walks. They bring distant tiles closer only if those weigh much more than others.
    pub(super) const NARROW: GlobalTuning = GlobalTuning { power: 2.0, ..GlobalTuning::PARTIAL };

    /// For beams of tens of walks.
    pub(super) const MEDIUM: GlobalTuning =
        GlobalTuning { local_term: LocalTerm::Network, ..GlobalTuning::NARROW };

    /// For beams of a hundred walks or more, and without a time limit. Their walks diverge earlier, so that it pays to commit
    /// later.
    pub(super) const WIDE: GlobalTuning = GlobalTuning {
        local_term: LocalTerm::Network,
        power: 1.6,
        far_goal_bonus: 0.1,
        commit_lag: 150,
        layers_per_step: 24,
        patience_per_cell: 0.25,
        min_patience: 150,
    };
}

/// The cost of a turn in the multi-tile metric, relative to a slide of a distant tile.
const TURN_FACTOR: f64 = 1.5;

/// The estimated number of slides that the line phase needs for each unit of the remaining total
/// distance.
const LINE_PHASE_SLIDES: f64 = 5.0;

/// A stalled phase continues with a wider beam while the mean distance of the tiles is at least this,
/// up to this multiple of the initial width.
const CLOSE_DISTANCE: f64 = 1.5;
const MAX_WIDENING: usize = 8;

impl GlobalTuning {
    /// The memory of the tree of a phase for each unit of its initial width, in bytes.
    pub(super) fn bytes_per_width(self) -> u64 {
        MAX_WIDENING as u64 * WalkBeam::bytes_per_width(self.commit_lag + self.layers_per_step)
    }
}

/// Moves the tiles to their goal cells or close to them. The phase ends at the goal, when further slides do not pay off, or
/// when the time is up. Returns `false` if `stop` ended the pass.
pub(super) fn run(
    board: &mut WorkingBoard,
    tuning: GlobalTuning,
    config: WalkBeamConfig,
    stop: &mut dyn FnMut(u64) -> bool,
) -> bool {
    let GlobalTuning { local_term, power, far_goal_bonus, .. } = tuning;
    let GlobalTuning { commit_lag, layers_per_step, patience_per_cell, min_patience, .. } = tuning;
    let n_cells = board.n_cells();
    let patience = (patience_per_cell * n_cells as f64) as usize + min_patience;
    let mut beam = WalkBeam::new(board, config.seed);
    let mut potential = GlobalPotential::new(board, local_term, power, far_goal_bonus);
    if config.metric == Metric::Mtm {
        beam.set_turn_cost((TURN_FACTOR * potential.slide_cost) as i32);
    }
    let mut walked = board.clone();
    let (mut width, mut distance) = (config.width, total_distance(board));
    let (mut n_slides, mut next_bias_update) = (0, 0);
    let mut best = Endpoint { n_slides, estimate: f64::INFINITY };
    let mut is_last = false;
    for step in 1.. {
        if n_slides >= next_bias_update {
            potential.update_bias(&mut beam);
            next_bias_update += (n_cells / 8).max(500);
        }
        for _ in 0..layers_per_step {
            let has_children = beam.add_layer(&potential, width);
            if let Some(goal) = beam.goal_leaf() {
                beam.commit(goal, 0);
                board.apply(beam.committed_slides());
                return true;
            }
            if stop(beam.take_expanded()) {
                return false;
            }
            if !has_children || config.is_time_up() {
                is_last = true;
                break;
            }
        }
        let n_new = beam.commit(beam.best_leaf(), if is_last { 0 } else { commit_lag });
        let new_slides = beam.committed_slides_after(n_slides);
        let gain: i32 = new_slides.map(|slide| slide_gain(&mut walked, slide)).sum();
        distance -= gain;
        n_slides += n_new;
        let estimate = n_slides as f64 + LINE_PHASE_SLIDES * f64::from(distance);
        let here = Endpoint { n_slides, estimate };
        if here.estimate < best.estimate {
            best = here;
        }
        if is_last {
            break;
        }
        let mean_distance = f64::from(distance) / n_cells as f64;
        potential.update_penalty(&mut beam, step, n_new, gain, mean_distance);
        if n_slides > best.n_slides + patience {
            if mean_distance < CLOSE_DISTANCE || width >= MAX_WIDENING * config.width {
                is_last = true;
                continue;
            }
            width *= 2;
            potential.clear_penalty(&mut beam);
            best = here;
        }
    }
    board.apply(beam.committed_slides().take(best.n_slides));
    true
}

/// A prefix of the walk at which the phase may end, with an estimate of the total solution length.
#[derive(Clone, Copy)]
struct Endpoint {
    n_slides: usize,
    estimate: f64,
}

/// Makes a slide without recording it. Returns the decrease of the tile's distance to its goal cell.
fn slide_gain(board: &mut WorkingBoard, slide: Slide) -> i32 {
    let to = board.blank();
    board.slide_unrecorded(board.blank_after(slide));
    let (from, label) = (board.blank(), board.label(to));
    board.distance(from, label) as i32 - board.distance(to, label) as i32
}

/// The sum of the Manhattan distances of all tiles.
pub(super) fn total_distance(board: &WorkingBoard) -> i32 {
    let tiles = (0..board.n_cells()).filter(|&cell| cell != board.blank());
    tiles.map(|cell| board.distance(cell, board.label(cell)) as i32).sum()
}
