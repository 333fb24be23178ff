//! Finishes a board whose tiles are near their places, line by line, several tiles together.
//!
//! A line is finished from one end to the other under a beam. The front is the first cell of the line
//! that is not right: tiles that belong there or just behind weigh most, those further on less, all
//! others a little, so that what is done for the line does good to the rest as well. The blank is
//! drawn to the front. Where the beam gets stuck, [`construct`](crate::anytime::constructive) does the next tile.

use npuzzle_core::Metric;

use super::Beams;
use super::walk_beam::{Beam, Potential};
use crate::anytime::constructive::line::{Builder, Line};
use crate::anytime::constructive::{Rect, Ways};
use crate::anytime::working_board::WorkingBoard;

/// One slide of a tile at distance one weighs so much.
const UNIT: f64 = 16.0;

/// The distance to this power is what a tile weighs, and what it weighs on top, not being home.
const POWER: f64 = 1.3;
const AWAY: f64 = 0.5;

/// How much more the tiles of the line weigh at the front, and those of the next line beside it.
const FIRST: f64 = 10.0;
const SECOND: f64 = 1.5;

/// So many tiles further on it is an e-th part.
const REACH: f64 = 4.0;

/// What the blank weighs for every step from the front, in slides of a tile that is not in the line.
const PULL: f64 = 6.0;

/// What a turn of the blank weighs where turns count, likewise.
const TURN: f64 = 4.0;

/// How far the walks of a beam are apart at most, and how many slides go by between two looks at them.
const LAG: usize = 40;
const BEAT: usize = 4;

/// The beam is stuck when the front has not moved for so many slides.
const PATIENCE: usize = 80;

/// Tiles just behind the front may be moved again.
const LOOSE: usize = 2;

/// Finishes lines of what is left until there are no more than so many rows and columns or time is up;
/// tells what is left then. Nothing if it was stopped.
pub(crate) fn sweep(
    field: &mut WorkingBoard,
    mut left: Rect,
    n_kept: usize,
    beams: Beams,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Option<Rect> {
    while left.n_rows().max(left.n_cols()) > n_kept
        && let Some((line, rest)) = left.next_line(field, n_kept)
    {
        let from_blank = |cell| field.distance(cell, field.blank());
        let is_far = from_blank(line.first) > from_blank(line.reversed().first);
        let line = if is_far { line.reversed() } else { line };
        let mut n_firm = 0;
        while n_done(&line, |label| field.cell(label)) < line.length {
            if beams.are_over() {
                return Some(left);
            }
            if !advance(field, left, &line, n_firm, beams, stop) {
                return None;
            }
            n_firm = help(field, left, &line);
        }
        left = rest;
    }
    Some(left)
}

/// How many tiles at the beginning of a line are right.
fn n_done(line: &Line, cell_of: impl Fn(usize) -> usize) -> usize {
    let cells = (0..line.length).map(|at| line.cell(at, 0));
    cells.take_while(|&cell| cell_of(cell) == cell).count()
}

/// Moves the front until the line is finished, the beam is stuck or time is up; `false` if it was stopped. The
/// first few tiles are not touched.
fn advance(
    field: &mut WorkingBoard,
    left: Rect,
    line: &Line,
    n_firm: usize,
    beams: Beams,
    stop: &mut dyn FnMut(u64) -> bool,
) -> bool {
    let mut beam = Beam::new(field, beams.seed);
    if beams.metric == Metric::Mtm {
        beam.weigh_turns((TURN * UNIT * UNIT) as i32);
    }
    let mut is_left = vec![false; field.n_cells()];
    left.cells(field).for_each(|cell| is_left[cell] = true);
    (0..field.n_cells()).filter(|&cell| !is_left[cell]).for_each(|cell| beam.wall(cell));
    (0..n_firm).for_each(|at| beam.wall(line.cell(at, 0)));
    let mut front = Front::new(field, *line, n_done(line, |label| field.cell(label)));
    let mut n_idle = 0;
    while front.at < line.length && n_idle < PATIENCE && !beams.are_over() {
        if stop(beam.take_count()) {
            return false;
        }
        if !(0..BEAT).all(|_| beam.grow(&front, beams.width)) {
            break;
        }
        n_idle += BEAT;
        beam.commit(beam.best(), LAG);
        beam.visit(beam.best());
        let at = n_done(line, |label| beam.cell(label));
        if at > front.at {
            (0..at.saturating_sub(LOOSE)).for_each(|at| beam.wall(line.cell(at, 0)));
            front.move_to(at, &mut beam);
            n_idle = 0;
        }
    }
    beam.commit(beam.best(), 0);
    field.follow(beam.slides());
    true
}

/// Brings the next tile of a line home without a beam, and tells how many are right then.
fn help(field: &mut WorkingBoard, left: Rect, line: &Line) -> usize {
    let at = n_done(line, |label| field.cell(label));
    let mut builder = Builder::new(field, left, Ways::Short);
    if at + 2 < line.length {
        (0..at).for_each(|at| builder.keep(line.cell(at, 0)));
        builder.bring(field, line.cell(at, 0), line.cell(at, 0));
    } else if at < line.length {
        builder.finish(field, line);
    }
    n_done(line, |label| field.cell(label))
}

/// What tiles and the blank weigh.
struct Front {
    line: Line,
    /// How many tiles of the line are right.
    at: usize,
    /// Where the blank is wanted.
    focus: usize,
    /// Row and column by cell, and so where a label belongs.
    places: Vec<[u8; 2]>,
    /// By distance.
    powers: Vec<i32>,
    /// By label.
    factors: Vec<i32>,
}

impl Front {
    fn new(field: &WorkingBoard, line: Line, at: usize) -> Front {
        let power = |d: usize| if d == 0 { 0.0 } else { (d as f64).powf(POWER) + AWAY };
        let mut front = Front {
            line,
            at,
            focus: line.cell(at.min(line.length - 1), 0),
            places: (0..field.n_cells())
                .map(|cell| [field.row(cell) as u8, field.col(cell) as u8])
                .collect(),
            powers: (0..field.rows() + field.cols())
                .map(|d| (power(d) * UNIT).round() as i32)
                .collect(),
            factors: vec![UNIT as i32; field.n_cells()],
        };
        front.load();
        front
    }

    /// Gives the tiles of the line and of the next their factors; tells which are new.
    fn load(&mut self) -> Vec<(usize, i32)> {
        let mut changes = Vec::new();
        for (depth, most) in [(0, FIRST), (1, SECOND)] {
            for at in 0..self.line.length {
                let ahead = at as f64 - self.at as f64;
                let steps = if depth == 0 { ahead.max(0.0) } else { ahead.abs() };
                let factor = (UNIT * (1.0 + (most - 1.0) * (-steps / REACH).exp())) as i32;
                let label = self.line.cell(at, depth);
                if self.factors[label] != factor {
                    changes.push((label, factor - self.factors[label]));
                    self.factors[label] = factor;
                }
            }
        }
        changes
    }

    fn move_to(&mut self, at: usize, beam: &mut Beam) {
        let before = self.focus;
        self.at = at;
        self.focus = self.line.cell(at.min(self.line.length - 1), 0);
        let changes = self.load();
        beam.reweigh(|beam| {
            let tiles = changes
                .iter()
                .map(|&(label, more)| more * self.powers[self.distance(label, beam.cell(label))]);
            let blank = self.pull(self.focus, beam.blank()) - self.pull(before, beam.blank());
            tiles.sum::<i32>() + blank
        });
    }

    #[inline]
    fn distance(&self, a: usize, b: usize) -> usize {
        let ([row, col], [other_row, other_col]) = (self.places[a], self.places[b]);
        usize::from(row.abs_diff(other_row)) + usize::from(col.abs_diff(other_col))
    }

    #[inline]
    fn weight(&self, label: usize, cell: usize) -> i32 {
        self.factors[label] * self.powers[self.distance(label, cell)]
    }

    #[inline]
    fn pull(&self, focus: usize, blank: usize) -> i32 {
        (PULL * UNIT * UNIT) as i32 * self.distance(focus, blank) as i32
    }
}

impl Potential for Front {
    #[inline]
    fn rise(&self, _: &Beam, label: usize, from: usize, to: usize) -> i32 {
        self.weight(label, to) - self.weight(label, from) + self.pull(self.focus, from)
            - self.pull(self.focus, to)
    }
}
