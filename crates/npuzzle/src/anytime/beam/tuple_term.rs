//! The n-tuple network as a term of the evaluation, updated incrementally from slide to slide.
//!
//! A slide exchanges the contents of two neighboring cells. Only the tuples around them change: six blocks, four
//! lines along the slide, and three lines across it through each of the two cells. Tuples are invariant under
//! transposition, so a vertical slide is treated as a horizontal one on the transposed board.

use npuzzle_core::Dims;

use super::tuple_weights::{BLOCK, LINE, TupleWeights};

/// The content of a cell as the tuples around it see it.
#[derive(Clone, Copy)]
struct CellView {
    block: u8,
    /// As a cell of a line along the slide, and across it.
    along: u8,
    across: u8,
}

const BORDER: CellView =
    CellView { block: BLOCK.border(), along: LINE.border(), across: LINE.border() };

const BLANK: CellView =
    CellView { block: BLOCK.blank(), along: LINE.blank(), across: LINE.blank() };

/// Two neighboring cells and the cells around them. In the frame of the pair, the pair has the coordinates (0, 0) and
/// (1, 0); the cells around it are those of [`AROUND`].
struct Pair {
    around: [u16; AROUND.len()],
    is_vertical: bool,
}

/// Marks a cell beyond the border.
const NO_CELL: u16 = u16::MAX;

/// The coordinates along and across the pair, of all cells that share a tuple with it.
const AROUND: [(isize, isize); 16] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (2, -1),
    (-1, 0),
    (2, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
    (2, 1),
    (-2, 0),
    (3, 0),
    (0, -2),
    (0, 2),
    (1, -2),
    (1, 2),
];

/// The contents of the cells of a tuple.
pub(super) enum Tuple {
    /// In the order of reading.
    Block([u8; 4]),
    Line([u8; 3]),
}

/// The term for one goal.
pub(super) struct TupleTerm {
    weights: &'static TupleWeights,
    dims: Dims,
    /// By label and cell: seen by horizontal slides, then by vertical ones.
    views: Vec<[CellView; 2]>,
    /// By the upper or left cell of the pair: the horizontal pair and the vertical one.
    pairs: Vec<[Pair; 2]>,
}

impl TupleTerm {
    pub(super) fn new(dims: Dims, blank_label: usize, weights: &'static TupleWeights) -> TupleTerm {
        let n = dims.cells();
        let position = |cell: usize| ((cell / dims.cols()) as isize, (cell % dims.cols()) as isize);
        let view = |label: usize, cell: usize| {
            if label == blank_label {
                return [BLANK; 2];
            }
            let ((goal_row, goal_col), (row, col)) = (position(label), position(cell));
            let (right, down) = (goal_col - col, goal_row - row);
            [(right, down), (down, right)].map(|(right, down)| CellView {
                block: BLOCK.tile(right, down),
                along: LINE.tile(right, down),
                across: LINE.tile(down, right),
            })
        };
        let pair = |cell: usize, is_vertical: bool| {
            let (row, col) = position(cell);
            let cell_at = |(along, across): (isize, isize)| {
                let (down, right) = if is_vertical { (along, across) } else { (across, along) };
                let (row, col) = (row + down, col + right);
                let is_inside = (0..dims.rows() as isize).contains(&row)
                    && (0..dims.cols() as isize).contains(&col);
                if is_inside { (row * dims.cols() as isize + col) as u16 } else { NO_CELL }
            };
            Pair { around: AROUND.map(cell_at), is_vertical }
        };
        TupleTerm {
            weights,
            dims,
            views: (0..n).flat_map(|label| (0..n).map(move |cell| view(label, cell))).collect(),
            pairs: (0..n).map(|cell| [false, true].map(|vertical| pair(cell, vertical))).collect(),
        }
    }

    /// The sum over all tuples, computed from scratch.
    pub(super) fn sum(&self, labels: &[u8]) -> i32 {
        let mut sum = 0;
        self.visit(labels, |tuple| {
            sum += match tuple {
                Tuple::Block(block) => self.weights.block(block),
                Tuple::Line(line) => self.weights.line(line),
            }
        });
        sum
    }

    /// Visits all tuples of a board, also those that are partly beyond the border.
    pub(super) fn visit(&self, labels: &[u8], mut visit: impl FnMut(Tuple)) {
        let (rows, cols) = (self.dims.rows() as isize, self.dims.cols() as isize);
        let at = |row: isize, col: isize| {
            let is_inside = (0..rows).contains(&row) && (0..cols).contains(&col);
            let cell = (row * cols + col) as usize;
            let view = |label: u8| self.views[usize::from(label) * labels.len() + cell][0];
            if is_inside { view(labels[cell]) } else { BORDER }
        };
        for row in -1..rows {
            for col in -1..cols {
                let cells = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
                visit(Tuple::Block(cells.map(|(row, col)| at(row, col).block)));
            }
        }
        for row in 0..rows {
            for col in -2..cols {
                visit(Tuple::Line([0, 1, 2].map(|step| at(row, col + step).along)));
            }
        }
        for col in 0..cols {
            for row in -2..rows {
                visit(Tuple::Line([0, 1, 2].map(|step| at(row + step, col).across)));
            }
        }
    }

    /// The change of the sum when the tile in `from` slides to the blank in `to`.
    #[inline(always)]
    pub(super) fn change(&self, labels: &[u8], from: usize, to: usize) -> i32 {
        let (first, second) = (from.min(to), from.max(to));
        // Boards have at least two columns, so a difference of 1 means the same row.
        let pair = &self.pairs[first][usize::from(second - first != 1)];
        let frame = usize::from(pair.is_vertical);
        let n = self.pairs.len();
        let view = |label: u8, cell: usize| self.views[usize::from(label) * n + cell][frame];
        let around = pair.around.map(|cell| match cell {
            NO_CELL => BORDER,
            cell => view(labels[usize::from(cell)], usize::from(cell)),
        });
        let label = labels[from];
        let (before, after) = (view(label, from), view(label, to));
        match from < to {
            true => {
                self.around_pair(&around, BLANK, after) - self.around_pair(&around, before, BLANK)
            }
            false => {
                self.around_pair(&around, after, BLANK) - self.around_pair(&around, BLANK, before)
            }
        }
    }

    /// The sum over the tuples that contain a cell of a pair, with these contents of its first and second cell.
    #[inline(always)]
    fn around_pair(&self, around: &[CellView; AROUND.len()], p: CellView, q: CellView) -> i32 {
        let [a, b, c, d, e, f, g, h, i, j, far_left, far_right, up, down, up_q, down_q] = *around;
        let block = |cells: [CellView; 4]| self.weights.block(cells.map(|cell| cell.block));
        let along = |cells: [CellView; 3]| self.weights.line(cells.map(|cell| cell.along));
        let across = |cells: [CellView; 3]| self.weights.line(cells.map(|cell| cell.across));
        block([a, b, e, p])
            + block([b, c, p, q])
            + block([c, d, q, f])
            + block([e, p, g, h])
            + block([p, q, h, i])
            + block([q, f, i, j])
            + along([far_left, e, p])
            + along([e, p, q])
            + along([p, q, f])
            + along([q, f, far_right])
            + across([up, b, p])
            + across([b, p, h])
            + across([p, h, down])
            + across([up_q, c, q])
            + across([c, q, i])
            + across([q, i, down_q])
    }
}
