//! The objective of the global phase, the sum of three terms:
//!
//! 1. *Tiles.* Their distances have the learned weights of the beam search ([`Weights`]). Beyond the learned distances,
//!    the weight is a power greater than 1 of the vertical and horizontal distance, so that distant tiles move first.
//!    Tiles with goal cells far from that of the blank weigh a little more, so that the remaining disorder ends up where
//!    the board is finished last. Tiles that are close to each other have the weights of the n-tuple network or, in
//!    narrow beams, those of pairs of neighbors, which take half the time.
//! 2. *Bias of the blank.* Tiles on the left mostly have to move right, which moves the blank to the left
//!    until it is trapped there. So the average gain of a step, by row and column, is subtracted.
//! 3. *Visit penalty.* When a piece of the walk has gained little, the cells around it become expensive
//!    for the blank. The penalty decays exponentially. So the blank leaves regions where nothing is left
//!    to gain. Without the penalty, a beam of width 100 makes no progress on 32×32.

use super::walk_beam::{Potential, WalkBeam};
use super::walk_board::WalkBoard;
use crate::anytime::beam::adjacency::AdjacencyTerm;
use crate::anytime::beam::tuple_change::Surroundings;
use crate::anytime::beam::tuple_weights::TupleWeights;
use crate::anytime::beam::weights::Weights;
use crate::anytime::working_board::WorkingBoard;

/// The fixed-point representation of the factor 1.
const FACTOR_ONE: i64 = 256;

/// Up to this vertical and horizontal distance the weight of a tile is the learned one, beyond it a
/// power of the distance.
const LEARNED_DISTANCE: usize = 8;

/// The expected reduction of the total distance per slide, and the visit penalty for each unit below it.
const EXPECTED_GAIN: f64 = 0.8;
const PENALTY_FACTOR: f64 = 0.1;

/// On a board of 16×16 cells or less, the visit penalty decays by a factor of e in this many steps: between two commits, so
/// that it lasts for more slides in wide passes. On larger boards the time grows with this power of the number of cells.
const PENALTY_MEMORY: f64 = 50.0;
const PENALTY_MEMORY_POWER: f64 = 1.7;

/// The term of tiles that are close to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LocalTerm {
    /// A weight for each pair of neighboring cells.
    Neighbors,
    /// The n-tuple network.
    Network,
}

/// The objective of the phase.
pub(super) struct GlobalPotential {
    rows: usize,
    cols: usize,
    /// Row and column by cell. Indexed by label, it holds the goal position of a tile.
    positions: Vec<[u8; 2]>,
    /// The cost of a tile, by its vertical and horizontal distance.
    costs: Vec<i32>,
    /// The cost of a tile at large distances is this power of the distance.
    power: f64,
    /// The cost of a slide at the last learned distances.
    pub(super) slide_cost: f64,
    local_term: LocalTerm,
    adjacency: AdjacencyTerm,
    network: &'static TupleWeights,
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
    /// The cost of a tile at large distances is this `power` of the distance. `far_goal_bonus` is the relative weight that
    /// a tile gains if its goal cell is as far from that of the blank as possible.
    pub(super) fn new(
        board: &WorkingBoard,
        local_term: LocalTerm,
        power: f64,
        far_goal_bonus: f64,
    ) -> GlobalPotential {
        let (rows, cols, n_cells) = (board.rows(), board.cols(), board.n_cells());
        let learned = Weights::for_size(n_cells);
        let slide_cost =
            f64::from(learned.cost(LEARNED_DISTANCE, 0) - learned.cost(LEARNED_DISTANCE - 2, 0))
                / 2.0;
        let beyond = |distance: usize| {
            let ratio = f64::max(1.0, distance as f64 / LEARNED_DISTANCE as f64);
            slide_cost * LEARNED_DISTANCE as f64 / power * (ratio.powf(power) - 1.0)
        };
        let cost = |(a, b): (usize, usize)| {
            let known = learned.cost(a.min(LEARNED_DISTANCE), b.min(LEARNED_DISTANCE));
            known - learned.cost(0, 0) + (beyond(a) + beyond(b)) as i32
        };
        let distances = (0..rows).flat_map(|a| (0..cols).map(move |b| (a, b)));
        let factor = |label| {
            let from_blank = board.distance(label, board.blank_goal()) as f64;
            let bonus = far_goal_bonus * (from_blank / (rows + cols) as f64);
            (FACTOR_ONE as f64 * (1.0 + bonus)) as i32
        };
        let size_ratio = f64::max(1.0, n_cells as f64 / 256.0);
        GlobalPotential {
            rows,
            cols,
            positions: board.positions().to_vec(),
            costs: distances.map(cost).collect(),
            power,
            slide_cost,
            local_term,
            adjacency: AdjacencyTerm::new(learned),
            network: TupleWeights::for_size(n_cells),
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
        self.slide_cost * (distance / LEARNED_DISTANCE as f64).powf(self.power - 1.0)
    }

    /// Computes the bias of the blank from the current board.
    pub(super) fn update_bias(&mut self, beam: &mut WalkBeam) {
        let board = beam.board();
        for (axis, n_lines, offset) in [(0, self.rows, self.cols), (1, self.cols, 1)] {
            // By line: the total cost change if all its tiles moved forward, the same for backward, and
            // the number of tiles.
            let mut sums = vec![[0.0; 3]; n_lines];
            for cell in (0..self.positions.len()).filter(|&cell| cell != board.blank()) {
                let (label, line) = (board.label(cell), usize::from(self.positions[cell][axis]));
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
    pub(super) fn update_penalty(
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
    pub(super) fn clear_penalty(&mut self, beam: &mut WalkBeam) {
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
        beam.adjust_weights(|board| new[board.blank()] - old[board.blank()]);
        self.applied_blank_cost.copy_from_slice(&self.blank_cost);
    }
}

impl Potential for GlobalPotential {
    type Common = Option<Surroundings>;

    #[inline]
    fn common(&self, board: &WalkBoard) -> Option<Surroundings> {
        (self.local_term == LocalTerm::Network).then(|| board.surroundings())
    }

    #[inline]
    fn change(
        &self,
        board: &WalkBoard,
        surroundings: &Option<Surroundings>,
        slide: usize,
        label: usize,
        from: usize,
        to: usize,
    ) -> i32 {
        let after = board.content_at(label, to);
        let local_change = match surroundings {
            Some(surroundings) => self.network.change(surroundings, slide, after),
            None => self.adjacency.change(board, from, to, board.displacement_of(after)),
        };
        self.tile_cost(label, to) - self.tile_cost(label, from) + self.blank_cost[from]
            - self.blank_cost[to]
            + local_change
    }
}
