//! The adjacency term of the evaluation: the cost of every pair of neighboring cells.
//!
//! Two neighboring tiles cost a weight that depends on the displacements of both from their goal cells;
//! so does a tile next to the blank. A sum of distances cannot distinguish tiles that block each other
//! from tiles that move side by side; this term can. A slide changes only the pairs around the two
//! cells involved, so the term is updated incrementally.

use super::weights::{DisplacementClass, Weights};

/// The displacement class of the content of a cell, for its neighbors in the row and in the column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Displacement {
    in_row: DisplacementClass,
    in_col: DisplacementClass,
}

impl Displacement {
    pub(crate) const BLANK: Displacement =
        Displacement { in_row: DisplacementClass::BLANK, in_col: DisplacementClass::BLANK };

    /// The displacement of a tile whose goal cell is `right` cells to the right and `down` cells below.
    #[inline]
    pub(crate) fn new(right: isize, down: isize) -> Displacement {
        Displacement {
            in_row: DisplacementClass::new(right, down),
            in_col: DisplacementClass::new(down, right),
        }
    }
}

/// The view of a board that the adjacency term needs.
pub(crate) trait AdjacencyView {
    /// The cells below, above, to the right and to the left of a cell; the cell itself instead of a
    /// neighbor beyond the border.
    fn neighbors(&self, cell: usize) -> [usize; 4];

    /// The displacement of the content of a cell.
    fn displacement(&self, cell: usize) -> Displacement;
}

/// The adjacency term, with the weights of one board size.
#[derive(Clone, Copy)]
pub(crate) struct AdjacencyTerm {
    /// By pair of classes.
    weights: &'static [i16],
}

impl AdjacencyTerm {
    pub(crate) fn new(weights: &'static Weights) -> AdjacencyTerm {
        AdjacencyTerm { weights: weights.pairs() }
    }

    /// The sum over all pairs of neighbors, computed from scratch.
    #[cfg(any(test, feature = "learn"))]
    pub(crate) fn sum(self, board: &impl AdjacencyView, n_cells: usize) -> i32 {
        let pairs = |cell: usize| {
            let ([below, _, right, _], here) = (board.neighbors(cell), board.displacement(cell));
            let in_col =
                if below == cell { 0 } else { self.in_col(here, board.displacement(below)) };
            let in_row =
                if right == cell { 0 } else { self.in_row(here, board.displacement(right)) };
            in_col + in_row
        };
        (0..n_cells).map(pairs).sum()
    }

    /// The change of the sum when the tile in `from` slides to the blank in `to`, where its displacement
    /// will be `after`.
    #[inline(always)]
    pub(crate) fn change(
        self,
        board: &impl AdjacencyView,
        from: usize,
        to: usize,
        after: Displacement,
    ) -> i32 {
        let before = board.displacement(from);
        self.replace(board, to, from, Displacement::BLANK, after)
            + self.replace(board, from, to, before, Displacement::BLANK)
            + self.between(after, to, Displacement::BLANK, from)
            - self.between(before, from, Displacement::BLANK, to)
    }

    /// The cost of two neighbors in a row.
    #[inline(always)]
    fn in_row(self, left: Displacement, right: Displacement) -> i32 {
        i32::from(self.weights[DisplacementClass::pair(left.in_row, right.in_row)])
    }

    /// The cost of two neighbors in a column.
    #[inline(always)]
    fn in_col(self, upper: Displacement, lower: Displacement) -> i32 {
        i32::from(self.weights[DisplacementClass::pair(upper.in_col, lower.in_col)])
    }

    /// The cost of the pair of cells that a slide involves.
    #[inline(always)]
    fn between(self, a: Displacement, at: usize, b: Displacement, other: usize) -> i32 {
        // Boards have at least two columns, so a difference of 1 means the same row.
        match (at < other, at.abs_diff(other) == 1) {
            (true, true) => self.in_row(a, b),
            (false, true) => self.in_row(b, a),
            (true, false) => self.in_col(a, b),
            (false, false) => self.in_col(b, a),
        }
    }

    /// The change of the pairs of a cell with its neighbors other than `except` when its content
    /// changes from `old` to `new`.
    #[inline(always)]
    fn replace(
        self,
        board: &impl AdjacencyView,
        at: usize,
        except: usize,
        old: Displacement,
        new: Displacement,
    ) -> i32 {
        let [below, above, right, left] = board.neighbors(at);
        let is_counted = |cell: usize| cell != at && cell != except;
        let mut change = 0;
        if is_counted(below) {
            let other = board.displacement(below);
            change += self.in_col(new, other) - self.in_col(old, other);
        }
        if is_counted(above) {
            let other = board.displacement(above);
            change += self.in_col(other, new) - self.in_col(other, old);
        }
        if is_counted(right) {
            let other = board.displacement(right);
            change += self.in_row(new, other) - self.in_row(old, other);
        }
        if is_counted(left) {
            let other = board.displacement(left);
            change += self.in_row(other, new) - self.in_row(other, old);
        }
        change
    }
}
