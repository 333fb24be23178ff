//! The second phase of a pass: solves a board whose tiles are close to their goal cells, line by line.
//!
//! A line is solved from one end to the other by a beam over walks of the blank. The *front* is the
//! first cell of the line that is not correct. Tiles with goal cells at the front or just after it weigh
//! most, those further along the line less, and all others a little, so that the slides made for the
//! line also improve the rest of the board. The blank is attracted to the front. Where the beam does not
//! advance, its last slides are dropped and a wider beam tries again; where that does not advance either, the
//! [constructive solver](crate::anytime::constructive) places the next tile.
//!
//! The gain over the constructive solver: several tiles move at once instead of one after the other.

use npuzzle_core::Metric;

use super::walk_beam::{Potential, WalkBeam, WalkBeamConfig};
use super::walk_board::WalkBoard;
use crate::anytime::constructive::Routing;
use crate::anytime::constructive::line::Line;
use crate::anytime::constructive::line_solver::LineSolver;
use crate::anytime::rect::Rect;
use crate::anytime::working_board::WorkingBoard;

/// The fixed-point representation of 1, for factors and for powers of distances.
const UNIT: f64 = 16.0;

/// The weight of a tile is this power of its distance, plus a constant if it is not at its goal cell.
const POWER: f64 = 1.3;
const DISPLACED: f64 = 0.5;

/// The factors of the tiles at the front: those of the line, and those of the next line.
const LINE_FACTOR: f64 = 5.0;
const NEXT_LINE_FACTOR: f64 = 1.5;

/// The factors decay by a factor of e over this many cells.
const REACH: f64 = 4.0;

/// The cost of each step between the blank and the front, relative to a slide of a tile outside of the
/// line.
const PULL: f64 = 6.0;

/// The cost of a turn of the blank in the multi-tile metric, relative to the same.
const TURN_FACTOR: f64 = 4.0;

/// The depth of the tree after a commit, and the number of layers between two commits.
const COMMIT_LAG: usize = 40;
const LAYERS_PER_STEP: usize = 4;

/// The beam has stalled when neither the front nor the smallest weight has improved for this many layers.
const PATIENCE: usize = 40;

/// The width of the second beam relative to the first, if the first one has stalled without progress.
const WIDENING: usize = 4;

/// The number of tiles just before the front that may move again.
const N_LOOSE: usize = 2;

/// The memory of the phase for each unit of its width, in bytes.
pub(super) fn bytes_per_width() -> u64 {
    WIDENING as u64 * WalkBeam::bytes_per_width(COMMIT_LAG + LAYERS_PER_STEP)
}

/// Solves lines until at most `max_side` rows and columns are left or the time is up. Returns the
/// unsolved rectangle; `None` if `stop` ended the pass.
pub(super) fn run(
    board: &mut WorkingBoard,
    mut unsolved: Rect,
    max_side: usize,
    config: WalkBeamConfig,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Option<Rect> {
    while unsolved.n_rows().max(unsolved.n_cols()) > max_side
        && let Some((line, rest)) = Line::next(unsolved, board, max_side)
    {
        let from_blank = |cell| board.distance(cell, board.blank());
        let is_far = from_blank(line.first) > from_blank(line.reversed().first);
        let line = if is_far { line.reversed() } else { line };
        if !solve_line(board, unsolved, &line, config, stop)? {
            return Some(unsolved);
        }
        unsolved = rest;
    }
    Some(unsolved)
}

/// Solves a line. Returns `false` if the time was up before, `None` if `stop` ended the pass.
fn solve_line(
    board: &mut WorkingBoard,
    unsolved: Rect,
    line: &Line,
    config: WalkBeamConfig,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Option<bool> {
    let first_width = config.width;
    let (mut n_fixed, mut width) = (0, first_width);
    let mut front = n_correct(line, |label| board.cell(label));
    while front < line.length {
        if config.is_time_up() {
            return Some(false);
        }
        let config = WalkBeamConfig { width, ..config };
        let advanced = advance_front(board, unsolved, line, n_fixed, config, stop)?;
        (n_fixed, width) = if advanced > front {
            (n_fixed.max(advanced.saturating_sub(N_LOOSE)), first_width)
        } else if width == first_width {
            (n_fixed, WIDENING * first_width)
        } else {
            (place_next_tile(board, unsolved, line), first_width)
        };
        front = n_correct(line, |label| board.cell(label));
    }
    Some(true)
}

/// The number of correct tiles at the beginning of a line.
fn n_correct(line: &Line, cell_of: impl Fn(usize) -> usize) -> usize {
    let cells = (0..line.length).map(|at| line.cell(at, 0));
    cells.take_while(|&cell| cell_of(cell) == cell).count()
}

/// Moves the front by a beam until the line is solved, the beam stalls or the time is up. The first `n_fixed` tiles of the
/// line do not move. Slides after the last advance of the front are dropped. Returns the number of correct tiles at the
/// beginning of the line; `None` if `stop` ended the pass.
fn advance_front(
    board: &mut WorkingBoard,
    unsolved: Rect,
    line: &Line,
    n_fixed: usize,
    config: WalkBeamConfig,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Option<usize> {
    let mut beam = WalkBeam::new(board, config.seed);
    if config.metric == Metric::Mtm {
        beam.set_turn_cost((TURN_FACTOR * UNIT * UNIT) as i32);
    }
    let mut is_unsolved = vec![false; board.n_cells()];
    unsolved.cells(board.cols()).for_each(|cell| is_unsolved[cell] = true);
    (0..board.n_cells()).filter(|&cell| !is_unsolved[cell]).for_each(|cell| beam.block(cell));
    (0..n_fixed).for_each(|at| beam.block(line.cell(at, 0)));
    let front = n_correct(line, |label| board.cell(label));
    let mut potential = FrontPotential::new(board, *line, front);
    // The walk to the last advance: the number of slides to the root, and the slides after it.
    let mut advance = (0, Vec::new());
    let (mut n_stalled, mut best_weight) = (0, i32::MAX);
    while potential.front < line.length && n_stalled < PATIENCE && !config.is_time_up() {
        if stop(beam.take_expanded()) {
            return None;
        }
        if !(0..LAYERS_PER_STEP).all(|_| beam.add_layer(&potential, config.width)) {
            break;
        }
        let best = beam.best_leaf();
        n_stalled = if beam.weight(best) < best_weight { 0 } else { n_stalled + LAYERS_PER_STEP };
        best_weight = best_weight.min(beam.weight(best));
        beam.commit(best, COMMIT_LAG);
        let best = beam.best_leaf();
        beam.go_to_leaf(best);
        let front = n_correct(line, |label| beam.board().cell(label));
        if front > potential.front {
            (0..front.saturating_sub(N_LOOSE)).for_each(|at| beam.block(line.cell(at, 0)));
            advance = (beam.n_committed(), beam.slides_to(best));
            potential.move_front(front, &mut beam);
            (n_stalled, best_weight) = (0, i32::MAX);
        }
    }
    let (n_committed, slides) = advance;
    board.apply(beam.committed_slides().take(n_committed).chain(slides));
    Some(potential.front)
}

/// Places the next tile of a line with the constructive solver. Returns the number of correct tiles at
/// the beginning of the line.
fn place_next_tile(board: &mut WorkingBoard, unsolved: Rect, line: &Line) -> usize {
    let front = n_correct(line, |label| board.cell(label));
    let mut line_solver = LineSolver::new(board, unsolved, Routing::Shortest);
    if front + 2 < line.length {
        (0..front).for_each(|at| line_solver.fix(line.cell(at, 0)));
        line_solver.move_tile(board, line.cell(front, 0), line.cell(front, 0));
    } else if front < line.length {
        line_solver.solve(board, line);
    }
    n_correct(line, |label| board.cell(label))
}

/// The objective of the phase.
struct FrontPotential {
    line: Line,
    /// The number of correct tiles at the beginning of the line.
    front: usize,
    /// The cell that attracts the blank.
    target: usize,
    /// Row and column by cell. Indexed by label, it holds the goal position of a tile.
    positions: Vec<[u8; 2]>,
    /// The weight of a tile by its distance, in fixed point.
    powers: Vec<i32>,
    /// The factor of a tile by label, in fixed point.
    factors: Vec<i32>,
}

impl FrontPotential {
    fn new(board: &WorkingBoard, line: Line, front: usize) -> FrontPotential {
        let power = |d: usize| if d == 0 { 0.0 } else { (d as f64).powf(POWER) + DISPLACED };
        let mut potential = FrontPotential {
            line,
            front,
            target: line.cell(front.min(line.length - 1), 0),
            positions: board.positions().to_vec(),
            powers: (0..board.rows() + board.cols())
                .map(|d| (power(d) * UNIT).round() as i32)
                .collect(),
            factors: vec![UNIT as i32; board.n_cells()],
        };
        potential.update_factors();
        potential
    }

    /// Updates the factors of the tiles of the line and of the next one. Returns the labels whose factor
    /// has changed, with the change.
    fn update_factors(&mut self) -> Vec<(usize, i32)> {
        let mut changes = Vec::new();
        for (depth, max_factor) in [(0, LINE_FACTOR), (1, NEXT_LINE_FACTOR)] {
            for at in 0..self.line.length {
                let offset = at as f64 - self.front as f64;
                let steps = if depth == 0 { offset.max(0.0) } else { offset.abs() };
                let factor = (UNIT * (1.0 + (max_factor - 1.0) * (-steps / REACH).exp())) as i32;
                let label = self.line.cell(at, depth);
                if self.factors[label] != factor {
                    changes.push((label, factor - self.factors[label]));
                    self.factors[label] = factor;
                }
            }
        }
        changes
    }

    /// Moves the front, and updates the weights of the leaves.
    fn move_front(&mut self, front: usize, beam: &mut WalkBeam) {
        let old_target = self.target;
        self.front = front;
        self.target = self.line.cell(front.min(self.line.length - 1), 0);
        let changes = self.update_factors();
        beam.adjust_weights(|board| {
            let tiles = changes.iter().map(|&(label, change)| {
                change * self.powers[self.distance(label, board.cell(label))]
            });
            let blank =
                self.pull(self.target, board.blank()) - self.pull(old_target, board.blank());
            tiles.sum::<i32>() + blank
        });
    }

    #[inline]
    fn distance(&self, a: usize, b: usize) -> usize {
        let ([row, col], [other_row, other_col]) = (self.positions[a], self.positions[b]);
        usize::from(row.abs_diff(other_row)) + usize::from(col.abs_diff(other_col))
    }

    /// The cost of a tile in a cell.
    #[inline]
    fn tile_cost(&self, label: usize, cell: usize) -> i32 {
        self.factors[label] * self.powers[self.distance(label, cell)]
    }

    /// The cost of the distance between the blank and its target.
    #[inline]
    fn pull(&self, target: usize, blank: usize) -> i32 {
        (PULL * UNIT * UNIT) as i32 * self.distance(target, blank) as i32
    }
}

impl Potential for FrontPotential {
    type Common = ();

    fn common(&self, _: &WalkBoard) {}

    #[inline]
    fn change(
        &self,
        _: &WalkBoard,
        (): &(),
        _: usize,
        label: usize,
        from: usize,
        to: usize,
    ) -> i32 {
        self.tile_cost(label, to) - self.tile_cost(label, from) + self.pull(self.target, from)
            - self.pull(self.target, to)
    }
}
