//! The n-tuple network as a term of the evaluation of boards of up to 256 cells.

use npuzzle_core::Dims;

use super::offset_index::OffsetIndex;
use super::tuple_change::{AROUND, Content, N_AROUND, Surroundings};
use super::tuple_weights::{
    BLOCK, CROSS, FIRST_CROSS, PAIR, PAIR_OFFSETS, TupleWeights, first_pair,
};

/// Marks a cell beyond the border.
const NO_CELL: u16 = u16::MAX;

/// The term for one goal.
pub(crate) struct TupleTerm {
    weights: &'static TupleWeights,
    dims: Dims,
    blank_label: u8,
    offsets: OffsetIndex,
    /// By the offset of a tile from its cell to its goal cell.
    contents: Vec<Content>,
    /// By cell of the blank: the cells around it, in the order of [`AROUND`].
    around: Vec<[u16; N_AROUND]>,
}

impl TupleTerm {
    pub(crate) fn new(dims: Dims, blank_label: u8, weights: &'static TupleWeights) -> TupleTerm {
        let around = |blank: usize| {
            let (row, col) = ((blank / dims.cols()) as isize, (blank % dims.cols()) as isize);
            AROUND.map(|(down, right)| {
                cell_at(dims, row + down, col + right).map_or(NO_CELL, |cell| cell as u16)
            })
        };
        let offsets = OffsetIndex::new(dims);
        TupleTerm {
            weights,
            dims,
            blank_label,
            contents: offsets.offsets().map(Content::tile).collect(),
            offsets,
            around: (0..dims.cells()).map(around).collect(),
        }
    }

    /// The content of a cell with a tile.
    #[inline(always)]
    fn content(&self, label: u8, cell: usize) -> Content {
        self.contents[self.offsets.get(cell as u8, label)]
    }

    /// The sum over all tuples, computed from scratch.
    pub(crate) fn sum(&self, labels: &[u8]) -> i32 {
        let mut sum = 0;
        self.visit(labels, |tuple| sum += self.weights.get(tuple));
        sum
    }

    /// Visits the indices of all tuples of a board: blocks and crosses, also those that reach beyond the border, and pairs of
    /// tiles.
    pub(super) fn visit(&self, labels: &[u8], mut visit: impl FnMut(usize)) {
        let (rows, cols) = (self.dims.rows() as isize, self.dims.cols() as isize);
        let at = |row: isize, col: isize| match cell_at(self.dims, row, col) {
            None => Content::BORDER,
            Some(cell) if labels[cell] == self.blank_label => Content::BLANK,
            Some(cell) => self.content(labels[cell], cell),
        };
        for row in -1..=rows {
            for col in -1..=cols {
                let cells = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
                if row < rows && col < cols {
                    visit(BLOCK.contents.index(cells.map(|(row, col)| at(row, col).block)));
                }
                let cells =
                    [(row - 1, col), (row, col - 1), (row, col), (row, col + 1), (row + 1, col)];
                let cross = cells.map(|(row, col)| at(row, col).cross);
                visit(FIRST_CROSS + CROSS.contents.index(cross));
                for (offset, (down, right)) in PAIR_OFFSETS.into_iter().enumerate() {
                    let (first, second) = (at(row, col).pair, at(row + down, col + right).pair);
                    if first < PAIR.blank() && second < PAIR.blank() {
                        visit(first_pair(offset, first) + usize::from(second));
                    }
                }
            }
        }
    }

    /// The contents of the cells around the blank.
    #[inline(always)]
    pub(super) fn surroundings(&self, labels: &[u8], blank: u8) -> Surroundings {
        let around = &self.around[usize::from(blank)];
        Surroundings::new(|at| {
            let cell = usize::from(around[at]);
            labels.get(cell).map_or(Content::BORDER, |&label| self.content(label, cell))
        })
    }

    /// The change of the sum by a slide, given by its index in [`Slide::ALL`](npuzzle_core::Slide::ALL), of the tile with
    /// this label to the blank in `to`.
    #[inline(always)]
    pub(super) fn change(
        &self,
        surroundings: &Surroundings,
        slide: usize,
        label: u8,
        to: usize,
    ) -> i32 {
        self.weights.change(surroundings, slide, self.content(label, to))
    }
}

/// The cell in a row and a column; `None` beyond the border.
fn cell_at(dims: Dims, row: isize, col: isize) -> Option<usize> {
    let is_inside =
        (0..dims.rows() as isize).contains(&row) && (0..dims.cols() as isize).contains(&col);
    is_inside.then_some((row * dims.cols() as isize + col) as usize)
}
