//! Brings the tiles of a large board near their places, all together.
//!
//! A beam over the blank's walks is led by what the tiles and the blank weigh:
//!
//! 1. *A tile weighs its distance to a power above one*, so that far ones go first, and a little more
//!    for not being home. Those that belong far from the blank's place weigh more than others, so
//!    that what is left undone gathers where the board is finished.
//! 2. *The blank makes up for the drift.* Tiles on the left mostly want to go right, which takes the
//!    blank to the left until it is caught there. So what a step brings on the mean, by row and
//!    column, is taken off.
//! 3. *Where the blank has been in vain it gets hot.* When a piece of its walk has brought little, the
//!    cells around it grow heavier for the blank; heat fades. So it leaves parts of the board where
//!    nothing is to be gained. Without heat a beam of a hundred gets nowhere on 32×32.

use super::beam::{Beam, Potential};
use crate::field::Field;

/// One slide of a tile at distance one weighs so much.
const UNIT: f64 = 16.0;

/// Factors are in parts of so many.
const ONE: f64 = 256.0;

/// The distance to this power is what a tile weighs.
const POWER: f64 = 1.6;

/// What it weighs on top, not being home.
const AWAY: f64 = 0.5;

/// By what share tiles weigh more that belong as far from the blank's place as can be.
const SLOPE: f64 = 1.0;

/// How far the walks of a beam are apart at most, and how many slides go by between two looks at them.
const LAG: usize = 24;
const BEAT: usize = 6;

/// A slide should bring so much of a tile's slide nearer home; what it brings less makes heat.
const HOPE: f64 = 0.8;
const HEAT: f64 = 0.2;

/// On a board of 16×16 heat has faded to an e-th part after so many beats; larger boards remember
/// longer, with this power of their cells.
const MEMORY: (f64, f64) = (50.0, 1.7);

/// The flow ends when tiles are as near on average, or when slides bring less: finishing then takes
/// fewer.
const NEAR: f64 = 0.9;
const LEAST_GAIN: f64 = 0.1;

/// Brings tiles near their places; `false` if it was stopped.
pub(crate) fn flow(
    field: &mut Field,
    width: usize,
    seed: u64,
    stop: &mut dyn FnMut() -> bool,
) -> bool {
    let n_cells = field.n_cells();
    let mut beam = Beam::new(field, seed);
    let mut tide = Tide::new(field);
    let n_drift = (n_cells / 8).max(500);
    // Between two looks at how it goes there are so many slides.
    let stretch = 4 * n_cells.max(64);
    let (mut left, mut at_last_look) = (distances(field), f64::INFINITY);
    let (mut n_slides, mut next_look, mut next_drift) = (0, 0, 0);
    for beat in 1.. {
        if n_slides >= next_drift {
            tide.feel_drift(&mut beam);
            next_drift += n_drift;
        }
        let is_stuck = !(0..BEAT).all(|_| beam.grow(&tide, width));
        if stop() {
            return false;
        }
        let leaf = beam.best();
        let n_new = beam.commit(leaf, if is_stuck { 0 } else { LAG });
        let before = left;
        left -= beam.slides_after(n_slides).map(|slide| gain(field, slide)).sum::<i32>();
        n_slides += n_new;
        if beat % tide.n_beats_to_fade == 0 {
            tide.fade();
        }
        // Far tiles weigh more by the slide, and what is to drive the blank away from them does too.
        let mean = f64::max(1.0, f64::from(left) / n_cells as f64);
        let lack = HOPE - f64::from(before - left) / n_new.max(1) as f64;
        tide.warm(&mut beam, n_new, HEAT * lack * POWER * mean.powf(POWER - 1.0) * UNIT);
        if is_stuck || f64::from(left) < NEAR * n_cells as f64 {
            break;
        }
        if n_slides >= next_look {
            if at_last_look - f64::from(left) < LEAST_GAIN * stretch as f64 {
                break;
            }
            at_last_look = f64::from(left);
            next_look = n_slides + stretch;
        }
    }
    true
}

/// Makes a slide and tells how much nearer home the tile is.
fn gain(field: &mut Field, slide: npuzzle_core::Slide) -> i32 {
    let to = field.blank();
    field.follow([slide]);
    let (from, label) = (field.blank(), field.label(to));
    field.distance(from, label) as i32 - field.distance(to, label) as i32
}

fn distances(field: &Field) -> i32 {
    let tiles = (0..field.n_cells()).filter(|&cell| cell != field.blank());
    tiles.map(|cell| field.distance(cell, field.label(cell)) as i32).sum()
}

/// What tiles and the blank weigh.
struct Tide {
    rows: usize,
    cols: usize,
    /// Row and column by cell, and so where a label belongs.
    places: Vec<[u8; 2]>,
    /// By distance.
    powers: Vec<i32>,
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
    fn new(field: &Field) -> Tide {
        let (rows, cols, n_cells) = (field.rows(), field.cols(), field.n_cells());
        let power = |d: usize| if d == 0 { 0.0 } else { (d as f64).powf(POWER) + AWAY };
        let far = |label| field.distance(label, field.home()) as f64 / (rows + cols) as f64;
        Tide {
            rows,
            cols,
            places: (0..n_cells)
                .map(|cell| [field.row(cell) as u8, field.col(cell) as u8])
                .collect(),
            powers: (0..rows + cols).map(|d| (power(d) * UNIT).round() as i32).collect(),
            factors: (0..n_cells).map(|label| (ONE * (1.0 + SLOPE * far(label))) as i32).collect(),
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
        let distance = usize::from(row.abs_diff(home_row)) + usize::from(col.abs_diff(home_col));
        (self.powers[distance] * self.factors[label]) / ONE as i32
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
    fn rise(&self, label: usize, from: usize, to: usize) -> i32 {
        self.weight(label, to) - self.weight(label, from) + self.blank[from] - self.blank[to]
    }
}
