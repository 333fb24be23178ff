//! What neighbours weigh: the terms of a key that tell a jam from tiles that flow side by side.
//!
//! Two tiles side by side weigh something by where each of them wants to go; so does a tile beside the
//! blank. A slide changes the pairs around the two cells that it touches, and no others.

use super::weights::{Class, Weights};

/// Where what lies in a cell wants to go, as seen by its neighbours in the row and in the column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Want {
    in_row: Class,
    in_col: Class,
}

impl Want {
    pub(crate) const BLANK: Want = Want { in_row: Class::BLANK, in_col: Class::BLANK };

    /// Of a tile whose home is so many cells to the right and so many down.
    #[inline]
    pub(crate) fn new(right: isize, down: isize) -> Want {
        Want { in_row: Class::new(right, down), in_col: Class::new(down, right) }
    }
}

/// A board, as far as neighbours are concerned.
pub(crate) trait Crowd {
    /// The cells below, above, right and left of one; beyond the border, the cell itself.
    fn near(&self, cell: usize) -> [usize; 4];

    /// What lies in a cell wants this.
    fn want(&self, cell: usize) -> Want;
}

/// What neighbours weigh.
#[derive(Clone, Copy)]
pub(crate) struct Strife {
    /// By pair of classes.
    weights: &'static [i16],
}

impl Strife {
    pub(crate) fn new(weights: &'static Weights) -> Strife {
        Strife { weights: weights.strife() }
    }

    /// All pairs, from scratch.
    pub(crate) fn sum(self, crowd: &impl Crowd, n_cells: usize) -> i32 {
        let pairs = |cell: usize| {
            let ([below, _, right, _], want) = (crowd.near(cell), crowd.want(cell));
            let in_col = if below == cell { 0 } else { self.in_col(want, crowd.want(below)) };
            let in_row = if right == cell { 0 } else { self.in_row(want, crowd.want(right)) };
            in_col + in_row
        };
        (0..n_cells).map(pairs).sum()
    }

    /// What a slide adds: of the tile at `from`, which wants this once it is at `to`, where the blank
    /// was.
    #[inline(always)]
    pub(crate) fn rise(self, crowd: &impl Crowd, from: usize, to: usize, then: Want) -> i32 {
        let now = crowd.want(from);
        self.exchange(crowd, to, from, Want::BLANK, then)
            + self.exchange(crowd, from, to, now, Want::BLANK)
            + self.between(then, to, Want::BLANK, from)
            - self.between(now, from, Want::BLANK, to)
    }

    /// What two neighbours in a row weigh, the left one first.
    #[inline(always)]
    fn in_row(self, left: Want, right: Want) -> i32 {
        i32::from(self.weights[Class::pair(left.in_row, right.in_row)])
    }

    /// What two neighbours in a column weigh, the upper one first.
    #[inline(always)]
    fn in_col(self, upper: Want, lower: Want) -> i32 {
        i32::from(self.weights[Class::pair(upper.in_col, lower.in_col)])
    }

    /// What the two cells of a slide weigh together.
    #[inline(always)]
    fn between(self, a: Want, at: usize, b: Want, other: usize) -> i32 {
        // Boards are at least two cells wide.
        match (at < other, at.abs_diff(other) == 1) {
            (true, true) => self.in_row(a, b),
            (false, true) => self.in_row(b, a),
            (true, false) => self.in_col(a, b),
            (false, false) => self.in_col(b, a),
        }
    }

    /// What changes between a cell and its neighbours, but for one, when `old` there becomes `new`.
    #[inline(always)]
    fn exchange(self, crowd: &impl Crowd, at: usize, except: usize, old: Want, new: Want) -> i32 {
        let [below, above, right, left] = crowd.near(at);
        let is_other = |cell: usize| cell != at && cell != except;
        let mut change = 0;
        if is_other(below) {
            let other = crowd.want(below);
            change += self.in_col(new, other) - self.in_col(old, other);
        }
        if is_other(above) {
            let other = crowd.want(above);
            change += self.in_col(other, new) - self.in_col(other, old);
        }
        if is_other(right) {
            let other = crowd.want(right);
            change += self.in_row(new, other) - self.in_row(old, other);
        }
        if is_other(left) {
            let other = crowd.want(left);
            change += self.in_row(other, new) - self.in_row(other, old);
        }
        change
    }
}
