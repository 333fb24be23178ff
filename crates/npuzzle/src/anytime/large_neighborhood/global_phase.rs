//! Brings the tiles of a large board near their places, all together.
//!
//! A beam over the blank's walks is led by what the tiles and the blank weigh:
//!
//! 1. *Tiles weigh what beams have learnt* ([`Weights`]): for their distances along rows and columns,
//!    and for what their neighbours want. Beyond what was learnt the weight is a power of either
//!    distance, above one, so that far tiles go first. Those that belong far from the blank's place
//!    weigh a little more than others, so that what is left undone gathers where the board is finished.
//! 2. *The blank makes up for the drift.* Tiles on the left mostly want to go right, which takes the
//!    blank to the left until it is caught there. So what a step brings on the mean, by row and
//!    column, is taken off.
//! 3. *Where the blank has been in vain it gets hot.* When a piece of its walk has brought little, the
//!    cells around it grow heavier for the blank; heat fades. So it leaves parts of the board where
//!    nothing is to be gained. Without heat a beam of a hundred gets nowhere on 32×32.
//!
//! When nothing is gained any more though tiles are far from home, all heat is taken away and the beam
//! goes on twice as wide. A narrow one is good enough as long as tiles are far.

use npuzzle_core::{Metric, Slide};

use super::Beams;
use super::walk_beam::{Beam, Potential};
use crate::anytime::beam::adjacency::Strife;
use crate::anytime::beam::weights::Weights;
use crate::anytime::working_board::WorkingBoard;

/// Factors are in parts of so many.
const ONE: i64 = 256;

/// Up to this distance along rows and along columns a tile weighs what was learnt, then a power.
const LEARNT: usize = 8;
const POWER: f64 = 1.6;

/// By what share tiles weigh more that belong as far from the blank's place as can be.
const SLOPE: f64 = 0.3;

/// How far the walks of a beam are apart at most, and how many slides go by between two looks at them.
const LAG: usize = 24;
const BEAT: usize = 6;

/// A slide should bring so much of a tile's slide nearer home; what it brings less makes heat.
const HOPE: f64 = 0.8;
const HEAT: f64 = 0.1;

/// On a board of 16×16 heat has faded to an e-th part after so many beats; larger boards remember
/// longer, with this power of their cells.
const MEMORY: (f64, f64) = (50.0, 1.7);

/// What a turn of the blank weighs where turns count, in slides of a far tile.
const TURN: f64 = 1.5;

/// One slide of a tile is left to the sweep if it takes more slides than this to gain it here.
const WORTH: f64 = 5.0;

/// The flow has come to a stand when so many slides, by the cell and in any case, have not paid.
const PATIENCE: (usize, usize) = (1, 500);

/// While tiles are as far from home on average, it then goes on with a wider beam, up to so many times
/// as wide as the first.
const FAR: f64 = 1.5;
const WIDEST: usize = 8;

/// Brings tiles near their places, until it does not pay any more or, about, until time is up; `false`
/// if it was stopped.
pub(super) fn flow(
    field: &mut WorkingBoard,
    beams: Beams,
    stop: &mut dyn FnMut(u64) -> bool,
) -> bool {
    let n_cells = field.n_cells();
    let patience = PATIENCE.0 * n_cells + PATIENCE.1;
    let mut beam = Beam::new(field, beams.seed);
    let mut tide = Tide::new(field);
    if beams.metric == Metric::Mtm {
        beam.weigh_turns((TURN * tide.step) as i32);
    }
    let mut walked = field.clone();
    let (mut width, mut left) = (beams.width, distances(field));
    let (mut n_slides, mut next_drift) = (0, 0);
    let mut best = Point { n_slides, cost: f64::INFINITY };
    for beat in 1.. {
        if n_slides >= next_drift {
            tide.feel_drift(&mut beam);
            next_drift += (n_cells / 8).max(500);
        }
        let is_stuck = !(0..BEAT).all(|_| beam.grow(&tide, width));
        if stop(beam.take_count()) {
            return false;
        }
        let n_new = beam.commit(beam.best(), if is_stuck { 0 } else { LAG });
        let gained: i32 = beam.slides_after(n_slides).map(|slide| gain(&mut walked, slide)).sum();
        left -= gained;
        n_slides += n_new;
        if beat % tide.n_beats_to_fade == 0 {
            tide.fade();
        }
        let mean = f64::from(left) / n_cells as f64;
        let lack = HOPE - f64::from(gained) / n_new.max(1) as f64;
        tide.warm(&mut beam, n_new, HEAT * lack * tide.steepness(mean));
        let here = Point { n_slides, cost: n_slides as f64 + WORTH * f64::from(left) };
        if here.cost < best.cost {
            best = here;
        }
        if is_stuck || beams.are_over() {
            break;
        }
        if n_slides > best.n_slides + patience {
            if mean < FAR || width >= WIDEST * beams.width {
                break;
            }
            width *= 2;
            tide.cool();
            tide.reweigh(&mut beam);
            best = here;
        }
    }
    field.follow(beam.slides().take(best.n_slides));
    true
}

/// Where a flow may end, and what the whole solution will cost then, about.
#[derive(Clone, Copy)]
struct Point {
    n_slides: usize,
    cost: f64,
}

/// Makes a slide, unrecorded, and tells how much nearer home the tile is.
fn gain(field: &mut WorkingBoard, slide: Slide) -> i32 {
    let to = field.blank();
    field.shift(field.source(slide));
    let (from, label) = (field.blank(), field.label(to));
    field.distance(from, label) as i32 - field.distance(to, label) as i32
}

/// How far all tiles together are from home.
pub(super) fn distances(field: &WorkingBoard) -> i32 {
    let tiles = (0..field.n_cells()).filter(|&cell| cell != field.blank());
    tiles.map(|cell| field.distance(cell, field.label(cell)) as i32).sum()
}

/// What tiles and the blank weigh.
struct Tide {
    rows: usize,
    cols: usize,
    /// Row and column by cell, and so where a label belongs.
    places: Vec<[u8; 2]>,
    /// By the distances in rows and columns.
    costs: Vec<i32>,
    /// What a slide weighs at some distance.
    step: f64,
    strife: Strife,
    /// By label.
    factors: Vec<i32>,
    /// By row and by column.
    drift: [Vec<f64>; 2],
    /// By cell.
    heat: Vec<f32>,
    /// What the blank weighs for both, by cell.
    blank: Vec<i32>,
    /// What it weighed when the leaves were weighed.
    weighed: Vec<i32>,
    /// Heat fades from time to time, so that large boards are not looked at all over in every beat.
    n_beats_to_fade: usize,
    /// In beats.
    memory: f64,
}

impl Tide {
    fn new(field: &WorkingBoard) -> Tide {
        let (rows, cols, n_cells) = (field.rows(), field.cols(), field.n_cells());
        let far = |label| field.distance(label, field.home()) as f64 / (rows + cols) as f64;
        let learnt = Weights::of(n_cells);
        let step = f64::from(learnt.cost(LEARNT, 0) - learnt.cost(LEARNT - 2, 0)) / 2.0;
        let beyond = |d: usize| {
            let times = f64::max(1.0, d as f64 / LEARNT as f64);
            step * LEARNT as f64 / POWER * (times.powf(POWER) - 1.0)
        };
        let cost = |(a, b): (usize, usize)| {
            let known = learnt.cost(a.min(LEARNT), b.min(LEARNT)) - learnt.cost(0, 0);
            known + (beyond(a) + beyond(b)) as i32
        };
        let distances = (0..rows).flat_map(|a| (0..cols).map(move |b| (a, b)));
        Tide {
            rows,
            cols,
            places: (0..n_cells)
                .map(|cell| [field.row(cell) as u8, field.col(cell) as u8])
                .collect(),
            costs: distances.map(cost).collect(),
            step,
            strife: Strife::new(learnt),
            factors: (0..n_cells)
                .map(|label| (ONE as f64 * (1.0 + SLOPE * far(label))) as i32)
                .collect(),
            drift: [vec![0.0; rows], vec![0.0; cols]],
            heat: vec![0.0; n_cells],
            blank: vec![0; n_cells],
            weighed: vec![0; n_cells],
            n_beats_to_fade: (n_cells / 256).max(1),
            memory: MEMORY.0 * f64::max(1.0, n_cells as f64 / 256.0).powf(MEMORY.1),
        }
    }

    #[inline]
    fn weight(&self, label: usize, cell: usize) -> i32 {
        let ([row, col], [home_row, home_col]) = (self.places[cell], self.places[label]);
        let (down, across) = (row.abs_diff(home_row), col.abs_diff(home_col));
        let cost = self.costs[usize::from(down) * self.cols + usize::from(across)];
        (i64::from(cost) * i64::from(self.factors[label]) / ONE) as i32
    }

    /// What a slide weighs when tiles are as far from home.
    fn steepness(&self, distance: f64) -> f64 {
        self.step * (distance / LEARNT as f64).powf(POWER - 1.0)
    }

    /// Takes the drift from the board.
    fn feel_drift(&mut self, beam: &mut Beam) {
        for (axis, n, step) in [(0, self.rows, self.cols), (1, self.cols, 1)] {
            // By line: what a step forth and a step back would make of the weight, and of how many.
            let mut sums = vec![[0.0; 3]; n];
            for cell in (0..self.places.len()).filter(|&cell| cell != beam.blank()) {
                let (label, at) = (beam.label(cell), usize::from(self.places[cell][axis]));
                let here = self.weight(label, cell);
                let rise = |there| f64::from(self.weight(label, there) - here);
                sums[at][0] += if at + 1 < n { rise(cell + step) } else { 0.0 };
                sums[at][1] += if at > 0 { rise(cell - step) } else { 0.0 };
                sums[at][2] += 1.0;
            }
            let mut level = 0.0;
            for at in 1..n {
                let [forth, _, n_before] = sums[at - 1];
                let [_, back, n_here] = sums[at];
                level += (forth / f64::max(n_before, 1.0) - back / f64::max(n_here, 1.0)) / 2.0;
                self.drift[axis][at] = level;
            }
        }
        (0..self.blank.len()).for_each(|cell| self.weigh(cell));
        self.reweigh(beam);
    }

    fn fade(&mut self) {
        let left = (-(self.n_beats_to_fade as f64) / self.memory).exp();
        self.heat.iter_mut().for_each(|heat| *heat *= left as f32);
        (0..self.blank.len()).for_each(|cell| self.weigh(cell));
    }

    /// Takes all heat away.
    fn cool(&mut self) {
        self.heat.fill(0.0);
        (0..self.blank.len()).for_each(|cell| self.weigh(cell));
    }

    /// Heats the cells around the last slides, if the heat is above nothing.
    fn warm(&mut self, beam: &mut Beam, n_slides: usize, heat: f64) {
        let (rows, cols) = (self.rows, self.cols);
        if heat > 0.0 {
            for cell in beam.walked(n_slides) {
                let [row, col] = self.places[cell].map(usize::from);
                for row in row.saturating_sub(2)..(row + 3).min(rows) {
                    for col in col.saturating_sub(2)..(col + 3).min(cols) {
                        self.heat[row * cols + col] += heat as f32;
                        self.weigh(row * cols + col);
                    }
                }
            }
        }
        self.reweigh(beam);
    }

    fn weigh(&mut self, cell: usize) {
        let [row, col] = self.places[cell].map(usize::from);
        let drift = self.drift[0][row] + self.drift[1][col];
        self.blank[cell] = (drift + f64::from(self.heat[cell])) as i32;
    }

    /// Tells the leaves what the blank weighs now.
    fn reweigh(&mut self, beam: &mut Beam) {
        let (blank, weighed) = (&self.blank, &self.weighed);
        beam.reweigh(|beam| blank[beam.blank()] - weighed[beam.blank()]);
        self.weighed.copy_from_slice(&self.blank);
    }
}

impl Potential for Tide {
    #[inline]
    fn rise(&self, board: &Beam, label: usize, from: usize, to: usize) -> i32 {
        self.weight(label, to) - self.weight(label, from) + self.blank[from] - self.blank[to]
            + self.strife.rise(board, from, to, board.want_at(label, to))
    }
}
