//! The set of boards that a full table covers.

use std::fmt;

use npuzzle_core::{Cell, Dims, Metric};

use super::perm_rank::PermRanker;

/// An exclusive upper bound on all distances: no board of up to 12 cells needs more than 80 moves.
pub(crate) const MAX_MOVES: usize = 100;

/// The boards of one size that can reach a goal, with the blank's goal cell and the metric of the
/// distances. Goals that differ only in the order of the tiles share a space, since tiles are labeled
/// by their goal cells.
///
/// ```
/// use npuzzle_core::{Cell, Dims, Metric};
/// use npuzzle_tables::FullSpace;
/// let space = FullSpace::new(Dims::new(3, 3)?, Cell::new(8), Metric::Stm).expect("nine cells fit");
/// assert_eq!(space.n_boards(), 181_440);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FullSpace {
    pub(crate) dims: Dims,
    pub(crate) blank: Cell,
    pub(crate) metric: Metric,
}

impl FullSpace {
    /// The largest board.
    pub const MAX_CELLS: usize = 12;

    /// Returns `None` if the board has more than 12 cells, or if `blank`, the blank's goal cell, is
    /// not on the board.
    pub fn new(dims: Dims, blank: Cell, metric: Metric) -> Option<FullSpace> {
        let fits = dims.cells() <= FullSpace::MAX_CELLS && blank.index() < dims.cells();
        fits.then_some(FullSpace { dims, blank, metric })
    }

    /// The number of boards that can reach the goal: half of all.
    pub fn n_boards(&self) -> usize {
        self.dims.cells() * self.n_perms()
    }

    /// The size of a [`DistanceTable`](crate::DistanceTable) in bytes, without its census.
    pub fn table_bytes(&self) -> usize {
        (self.n_boards() * self.bits_per_board()).div_ceil(8)
    }

    /// The size of a [`DistanceTable`](crate::DistanceTable) in bytes, with its census.
    pub fn n_bytes(&self) -> usize {
        self.table_bytes() + 8 * MAX_MOVES
    }

    /// The memory in bytes that a build on `n_threads` threads needs.
    pub fn build_bytes(&self, n_threads: usize) -> usize {
        // Words hold 60 bits. Each board has two bits, in the multi-tile metric three. Each thread
        // has one plane of its own, in the multi-tile metric two.
        let (n_bits, n_own) = match self.metric {
            Metric::Stm => (2, 1),
            Metric::Mtm => (3, 2),
        };
        let n_planes = n_bits * self.dims.cells() + n_own * n_threads.min(self.dims.cells());
        self.plane_bytes() * n_planes
    }

    /// The size of a [`Level`](crate::Level) in bytes: one bit for each board, 60 to a word.
    pub fn level_bytes(&self) -> usize {
        self.plane_bytes() * self.dims.cells()
    }

    /// The bits that a table stores for a distance.
    pub(crate) fn entry(&self, distance: usize) -> u8 {
        match self.metric {
            Metric::Stm => (distance >> 1 & 1) as u8,
            Metric::Mtm => (distance % 3 + 1) as u8,
        }
    }

    /// The number of bits that a table stores for each board.
    pub(crate) fn bits_per_board(&self) -> usize {
        match self.metric {
            Metric::Stm => 1,
            Metric::Mtm => 2,
        }
    }

    fn n_perms(&self) -> usize {
        PermRanker::new(self.dims.cells() - 1).n_ranks() as usize
    }

    /// The size in bytes of one bit for each permutation.
    fn plane_bytes(&self) -> usize {
        self.n_perms().div_ceil(60) * 8
    }
}

/// A stable name, such as `full-3x4-0-stm`.
impl fmt::Display for FullSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "full-{}-{}-{}", self.dims, self.blank.index(), self.metric)
    }
}
