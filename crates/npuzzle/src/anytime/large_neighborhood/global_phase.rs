//! The first phase of a pass: brings all tiles of a large board close to their goal cells.
//!
//! A beam over walks of the blank minimizes the sum of three terms ([`GlobalPotential`]):
//!
//! 1. *Tiles.* Their distances and pairs of neighbors have the learned weights of the beam search
//!    ([`Weights`]). Beyond the learned distances, the weight is a power greater than 1 of the vertical
//!    and horizontal distance, so that distant tiles move first. Tiles with goal cells far from that of
//!    the blank weigh a little more, so that the remaining disorder ends up where the board is finished
//!    last.
//! 2. *Bias of the blank.* Tiles on the left mostly have to move right, which moves the blank to the left
//!    until it is trapped there. So the average gain of a step, by row and column, is subtracted.
//! 3. *Visit penalty.* When a piece of the walk has gained little, the cells around it become expensive
//!    for the blank. The penalty decays exponentially. So the blank leaves regions where nothing is left
//!    to gain. Without the penalty, a beam of width 100 makes no progress on 32×32.
//!
//! ```text
//! repeat:
//!     add a few layers to the beam, commit to the beginning of the best walk
//!     penalize the committed cells if the gain was below expectation
//!     if nothing was gained for a long time:
//!         if the tiles are close or the beam is wide, stop
//!         clear the penalty and double the width
//! take the prefix of the walk with the smallest estimated total length
//! ```
//!
//! The beam starts narrow because a narrow one is sufficient while tiles are distant.

use npuzzle_core::{Metric, Slide};

use super::walk_beam::{Potential, WalkBeam, WalkBeamConfig};
use crate::anytime::beam::adjacency::AdjacencyTerm;
use crate::anytime::beam::weights::Weights;
use crate::anytime::working_board::WorkingBoard;

/// The fixed-point representation of the factor 1.
const FACTOR_ONE: i64 = 256;

/// Up to this vertical and horizontal distance the weight of a tile is the learned one, beyond it a
/// power of the distance.
const LEARNED_DISTANCE: usize = 8;
const POWER: f64 = 1.6;

/// The relative weight that a tile gains if its goal cell is as far from that of the blank as possible.
const FAR_GOAL_BONUS: f64 = 0.3;

/// The depth of the tree after a commit, and the number of layers between two commits.
const COMMIT_LAG: usize = 24;
const LAYERS_PER_STEP: usize = 6;

/// The expected reduction of the total distance per slide, and the visit penalty for each unit below it.
const EXPECTED_GAIN: f64 = 0.8;
const PENALTY_FACTOR: f64 = 0.1;

/// On a board of 16×16 cells or less, the visit penalty decays by a factor of e in this many steps. On
/// larger boards the time grows with this power of the number of cells.
const PENALTY_MEMORY: f64 = 50.0;
const PENALTY_MEMORY_POWER: f64 = 1.7;

/// The cost of a turn in the multi-tile metric, relative to a slide of a distant tile.
const TURN_FACTOR: f64 = 1.5;

/// The estimated number of slides that the line phase needs for each unit of the remaining total
/// distance.
const LINE_PHASE_SLIDES: f64 = 5.0;

/// The phase has stalled after this many slides per cell, and this many in addition, without progress.
const PATIENCE_PER_CELL: usize = 1;
const MIN_PATIENCE: usize = 500;

/// A stalled phase continues with a wider beam while the mean distance of the tiles is at least this,
/// up to this multiple of the initial width.
const CLOSE_DISTANCE: f64 = 1.5;
const MAX_WIDENING: usize = 8;

/// Moves all tiles close to their goal cells, until that stops paying off or, approximately, until the
/// time is up. Returns `false` if `stop` ended the pass.
pub(super) fn run(
    board: &mut WorkingBoard,
    config: WalkBeamConfig,
    stop: &mut dyn FnMut(u64) -> bool,
) -> bool {
    let n_cells = board.n_cells();
    let patience = PATIENCE_PER_CELL * n_cells + MIN_PATIENCE;
    let mut beam = WalkBeam::new(board, config.seed);
    let mut potential = GlobalPotential::new(board);
    if config.metric == Metric::Mtm {
        beam.set_turn_cost((TURN_FACTOR * potential.slide_cost) as i32);
    }
    let mut walked = board.clone();
    let (mut width, mut distance) = (config.width, total_distance(board));
    let (mut n_slides, mut next_bias_update) = (0, 0);
    let mut best = Endpoint { n_slides, estimate: f64::INFINITY };
    for step in 1.. {
        if n_slides >= next_bias_update {
            potential.update_bias(&mut beam);
            next_bias_update += (n_cells / 8).max(500);
        }
        let is_stuck = !(0..LAYERS_PER_STEP).all(|_| beam.add_layer(&potential, width));
        if stop(beam.take_expanded()) {
            return false;
        }
        let n_new = beam.commit(beam.best_leaf(), if is_stuck { 0 } else { COMMIT_LAG });
        let new_slides = beam.committed_slides_after(n_slides);
        let gain: i32 = new_slides.map(|slide| slide_gain(&mut walked, slide)).sum();
        distance -= gain;
        n_slides += n_new;
        let mean_distance = f64::from(distance) / n_cells as f64;
        potential.update_penalty(&mut beam, step, n_new, gain, mean_distance);
        let estimate = n_slides as f64 + LINE_PHASE_SLIDES * f64::from(distance);
        let here = Endpoint { n_slides, estimate };
        if here.estimate < best.estimate {
            best = here;
        }
        if is_stuck || config.is_time_up() {
            break;
        }
        if n_slides > best.n_slides + patience {
            if mean_distance < CLOSE_DISTANCE || width >= MAX_WIDENING * config.width {
                break;
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

/// The objective of the phase.
struct GlobalPotential {
    rows: usize,
    cols: usize,
    /// Row and column by cell. Indexed by label, it holds the goal position of a tile.
    positions: Vec<[u8; 2]>,
    /// The cost of a tile, by its vertical and horizontal distance.
    costs: Vec<i32>,
    /// The cost of a slide at the last learned distances.
    slide_cost: f64,
    adjacency: AdjacencyTerm,
    /// The factor of a tile's cost by label, in fixed point.
    factors: Vec<i32>,
    /// The bias of the blank, by row and by column.
    bias: [Vec<f64>; 2],
    /// By cell.
    visit_penalty: Vec<f32>,
    /// By cell of the blank: bias plus visit penalty.
    blank_cost: Vec<i32>,
    /// The costs of the blank that the weights of the leaves contain.
    applied_blank_cost: Vec<i32>,
    /// The penalty decays only every few steps, because decay takes time proportional to the board.
    steps_per_decay: usize,
    /// The number of steps in which the penalty decays by a factor of e.
    penalty_memory: f64,
}

impl GlobalPotential {
    fn new(board: &WorkingBoard) -> GlobalPotential {
        let (rows, cols, n_cells) = (board.rows(), board.cols(), board.n_cells());
        let learned = Weights::for_size(n_cells);
        let slide_cost =
            f64::from(learned.cost(LEARNED_DISTANCE, 0) - learned.cost(LEARNED_DISTANCE - 2, 0))
                / 2.0;
        let beyond = |distance: usize| {
            let ratio = f64::max(1.0, distance as f64 / LEARNED_DISTANCE as f64);
            slide_cost * LEARNED_DISTANCE as f64 / POWER * (ratio.powf(POWER) - 1.0)
        };
        let cost = |(a, b): (usize, usize)| {
            let known = learned.cost(a.min(LEARNED_DISTANCE), b.min(LEARNED_DISTANCE));
            known - learned.cost(0, 0) + (beyond(a) + beyond(b)) as i32
        };
        let distances = (0..rows).flat_map(|a| (0..cols).map(move |b| (a, b)));
        let factor = |label| {
            let from_blank = board.distance(label, board.blank_goal()) as f64;
            let bonus = FAR_GOAL_BONUS * (from_blank / (rows + cols) as f64);
            (FACTOR_ONE as f64 * (1.0 + bonus)) as i32
        };
        let size_ratio = f64::max(1.0, n_cells as f64 / 256.0);
        GlobalPotential {
            rows,
            cols,
            positions: board.positions().to_vec(),
            costs: distances.map(cost).collect(),
            slide_cost,
            adjacency: AdjacencyTerm::new(learned),
            factors: (0..n_cells).map(factor).collect(),
            bias: [vec![0.0; rows], vec![0.0; cols]],
            visit_penalty: vec![0.0; n_cells],
            blank_cost: vec![0; n_cells],
            applied_blank_cost: vec![0; n_cells],
            steps_per_decay: (n_cells / 256).max(1),
            penalty_memory: PENALTY_MEMORY * size_ratio.powf(PENALTY_MEMORY_POWER),
        }
    }

    /// The cost of a tile in a cell.
    #[inline]
    fn tile_cost(&self, label: usize, cell: usize) -> i32 {
        let ([row, col], [goal_row, goal_col]) = (self.positions[cell], self.positions[label]);
        let (vertical, horizontal) = (row.abs_diff(goal_row), col.abs_diff(goal_col));
        let cost = self.costs[usize::from(vertical) * self.cols + usize::from(horizontal)];
        (i64::from(cost) * i64::from(self.factors[label]) / FACTOR_ONE) as i32
    }

    /// The cost of a slide of a tile at this distance.
    fn slide_cost_at(&self, distance: f64) -> f64 {
        self.slide_cost * (distance / LEARNED_DISTANCE as f64).powf(POWER - 1.0)
    }

    /// Computes the bias of the blank from the current board.
    fn update_bias(&mut self, beam: &mut WalkBeam) {
        for (axis, n_lines, offset) in [(0, self.rows, self.cols), (1, self.cols, 1)] {
            // By line: the total cost change if all its tiles moved forward, the same for backward, and
            // the number of tiles.
            let mut sums = vec![[0.0; 3]; n_lines];
            for cell in (0..self.positions.len()).filter(|&cell| cell != beam.blank()) {
                let (label, line) = (beam.label(cell), usize::from(self.positions[cell][axis]));
                let here = self.tile_cost(label, cell);
                let change = |there| f64::from(self.tile_cost(label, there) - here);
                sums[line][0] += if line + 1 < n_lines { change(cell + offset) } else { 0.0 };
                sums[line][1] += if line > 0 { change(cell - offset) } else { 0.0 };
                sums[line][2] += 1.0;
            }
            let mut level = 0.0;
            for line in 1..n_lines {
                let [forward, _, n_before] = sums[line - 1];
                let [_, backward, n_here] = sums[line];
                level +=
                    (forward / f64::max(n_before, 1.0) - backward / f64::max(n_here, 1.0)) / 2.0;
                self.bias[axis][line] = level;
            }
        }
        self.refresh_blank_costs();
        self.apply_blank_costs(beam);
    }

    /// Decays the visit penalty, and adds to it around the last `n_slides` committed slides if they have
    /// gained less than expected.
    fn update_penalty(
        &mut self,
        beam: &mut WalkBeam,
        step: usize,
        n_slides: usize,
        gain: i32,
        mean_distance: f64,
    ) {
        if step.is_multiple_of(self.steps_per_decay) {
            self.decay_penalty();
        }
        let missing_gain = EXPECTED_GAIN - f64::from(gain) / n_slides.max(1) as f64;
        let penalty = PENALTY_FACTOR * missing_gain * self.slide_cost_at(mean_distance);
        if penalty > 0.0 {
            self.penalize_visits(beam, n_slides, penalty);
        }
        self.apply_blank_costs(beam);
    }

    fn decay_penalty(&mut self) {
        let factor = (-(self.steps_per_decay as f64) / self.penalty_memory).exp();
        self.visit_penalty.iter_mut().for_each(|penalty| *penalty *= factor as f32);
        self.refresh_blank_costs();
    }

    /// Penalizes the 5×5 cells around each cell that the blank left by the last slides.
    fn penalize_visits(&mut self, beam: &mut WalkBeam, n_slides: usize, penalty: f64) {
        let (rows, cols) = (self.rows, self.cols);
        for cell in beam.last_visited_cells(n_slides) {
            let [row, col] = self.positions[cell].map(usize::from);
            for row in row.saturating_sub(2)..(row + 3).min(rows) {
                for col in col.saturating_sub(2)..(col + 3).min(cols) {
                    self.visit_penalty[row * cols + col] += penalty as f32;
                    self.refresh_blank_cost(row * cols + col);
                }
            }
        }
    }

    /// Sets the visit penalty to zero.
    fn clear_penalty(&mut self, beam: &mut WalkBeam) {
        self.visit_penalty.fill(0.0);
        self.refresh_blank_costs();
        self.apply_blank_costs(beam);
    }

    fn refresh_blank_costs(&mut self) {
        (0..self.blank_cost.len()).for_each(|cell| self.refresh_blank_cost(cell));
    }

    fn refresh_blank_cost(&mut self, cell: usize) {
        let [row, col] = self.positions[cell].map(usize::from);
        let bias = self.bias[0][row] + self.bias[1][col];
        self.blank_cost[cell] = (bias + f64::from(self.visit_penalty[cell])) as i32;
    }

    /// Updates the weights of the leaves to the current costs of the blank.
    fn apply_blank_costs(&mut self, beam: &mut WalkBeam) {
        let (new, old) = (&self.blank_cost, &self.applied_blank_cost);
        beam.adjust_weights(|beam| new[beam.blank()] - old[beam.blank()]);
        self.applied_blank_cost.copy_from_slice(&self.blank_cost);
    }
}

impl Potential for GlobalPotential {
    #[inline]
    fn change(&self, board: &WalkBeam, label: usize, from: usize, to: usize) -> i32 {
        self.tile_cost(label, to) - self.tile_cost(label, from) + self.blank_cost[from]
            - self.blank_cost[to]
            + self.adjacency.change(board, from, to, board.displacement_at(label, to))
    }
}
