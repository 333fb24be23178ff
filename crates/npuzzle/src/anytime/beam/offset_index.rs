//! Indices of offsets between cells, for tables that depend on where a tile is relative to its goal cell.
//!
//! There are far fewer offsets than pairs of cells, so that tables by offset stay in the cache.

use npuzzle_core::Dims;

/// The offsets between the cells of a board, numbered.
pub(super) struct OffsetIndex {
    /// By cell: its index in a board of `2 * cols - 1` columns, where the difference of two indices determines the offset.
    places: [u16; OffsetIndex::MAX_CELLS],
    /// The index of the offset from a cell to itself.
    center: u16,
    dims: Dims,
}

impl OffsetIndex {
    /// The size of the largest boards, whose cells fit into bytes.
    pub(super) const MAX_CELLS: usize = 256;

    pub(super) fn new(dims: Dims) -> OffsetIndex {
        let mut places = [0; OffsetIndex::MAX_CELLS];
        let place = |row: usize, col: usize| (row * (2 * dims.cols() - 1) + col) as u16;
        for (cell, it) in places.iter_mut().enumerate().take(dims.cells()) {
            *it = place(cell / dims.cols(), cell % dims.cols());
        }
        OffsetIndex { places, center: place(dims.rows() - 1, dims.cols() - 1), dims }
    }

    /// The index of the offset from a cell to another one.
    #[inline(always)]
    pub(super) fn get(&self, cell: u8, other: u8) -> usize {
        usize::from(self.center + self.places[usize::from(other)] - self.places[usize::from(cell)])
    }

    /// All offsets in the order of their indices, as steps down and to the right.
    pub(super) fn offsets(&self) -> impl Iterator<Item = (isize, isize)> + use<> {
        let (rows, cols) = (self.dims.rows() as isize, self.dims.cols() as isize);
        (1 - rows..rows).flat_map(move |down| (1 - cols..cols).map(move |right| (down, right)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_testkit::dims;

    #[test]
    fn index_is_the_position_in_the_list_of_offsets() {
        for dims in ["2x2", "3x5", "7x2", "16x16", "2x127", "127x2"].map(dims) {
            let index = OffsetIndex::new(dims);
            let offsets: Vec<(isize, isize)> = index.offsets().collect();
            let position = |cell: usize| (cell / dims.cols(), cell % dims.cols());
            for (cell, other) in
                (0..dims.cells()).flat_map(|a| (0..dims.cells()).map(move |b| (a, b)))
            {
                let ((row, col), (other_row, other_col)) = (position(cell), position(other));
                let steps = (other_row as isize - row as isize, other_col as isize - col as isize);
                assert_eq!(offsets[index.get(cell as u8, other as u8)], steps);
            }
        }
    }
}
