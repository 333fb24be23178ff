//! The rank of a board: the cell of the blank, and the permutation of the other tiles.
//!
//! ```text
//!     rank = cell of the blank · n_perms + rank of the permutation
//! ```
//!
//! A slide along a column moves one tile past `cols - 1` others, and a slide along a row past none.
//! So the parity of a solvable board's permutation depends only on the blank's row. Permutations are
//! ranked within one parity, and every rank below `n_cells · (n_cells - 1)!/2` belongs to exactly one
//! solvable board.

use npuzzle_core::{Cell, Dims};

use super::perm_rank::{Perm, PermRanker};

/// The two parts of a board's rank.
#[derive(Clone, Copy)]
pub(crate) struct BoardRank {
    /// The cell of the blank.
    pub(crate) blank: usize,
    pub(crate) perm: Perm,
}

/// Ranks the boards of one size, up to 16 cells, that can reach a goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranker {
    pub(crate) n_cells: usize,
    /// The blank's label, which is its goal cell.
    pub(crate) blank_label: u8,
    pub(crate) perms: PermRanker,
    /// The number of permutations of one parity.
    pub(crate) n_perms: u64,
    /// The cells of the blank, as a bit set, for which permutations are odd.
    odd_perms: u32,
    /// The cells of the blank, as a bit set, for which distances in slides are odd.
    odd_distances: u32,
}

impl Ranker {
    pub(crate) fn new(dims: Dims, goal_blank: Cell) -> Ranker {
        let perms = PermRanker::new(dims.cells() - 1);
        let cells_where = |is_odd: &dyn Fn(Cell) -> bool| {
            let cells = dims.all_cells().filter(|&cell| is_odd(cell));
            cells.fold(0, |cells, cell| cells | 1 << cell.index())
        };
        let n_rows = |cell| dims.row(cell).abs_diff(dims.row(goal_blank));
        Ranker {
            n_cells: dims.cells(),
            blank_label: goal_blank.index() as u8,
            perms,
            n_perms: perms.n_ranks(),
            // A slide along a column moves a tile past `cols - 1` others.
            odd_perms: cells_where(&|cell| n_rows(cell) * (dims.cols() - 1) % 2 == 1),
            odd_distances: cells_where(&|cell| dims.distance(cell, goal_blank) % 2 == 1),
        }
    }

    /// Whether the permutations of solvable boards with the blank in this cell are odd.
    #[inline]
    pub(crate) fn is_odd_perm(&self, blank: usize) -> bool {
        self.odd_perms >> blank & 1 == 1
    }

    /// The parity, 0 or 1, of the distances in slides of boards with the blank in this cell.
    #[inline]
    pub(crate) fn distance_parity(&self, blank: usize) -> u8 {
        (self.odd_distances >> blank & 1) as u8
    }

    /// Ranks the board with these labels by cell. Returns `None` if it cannot reach the goal.
    #[inline]
    pub(crate) fn rank(&self, labels: &[u8]) -> Option<BoardRank> {
        let all = labels.iter().fold(0u64, |all, &label| all | 1 << (label & 63));
        if labels.len() != self.n_cells || all != (1 << self.n_cells) - 1 {
            return None;
        }
        let blank_label = self.blank_label;
        let blank = labels.iter().position(|&label| label == blank_label)?;
        // Tiles are numbered by their labels, without the blank's.
        let tiles = labels.iter().filter(|&&label| label != blank_label);
        let perm = self.perms.rank(tiles.map(|&label| label - u8::from(label > blank_label)));
        (perm.is_odd() == self.is_odd_perm(blank)).then_some(BoardRank { blank, perm })
    }

    /// Returns the labels by cell of the board with these parts of its rank.
    pub(crate) fn unrank(&self, blank: usize, perm_rank: u64) -> Vec<u8> {
        let tiles = self.perms.unrank(perm_rank, self.is_odd_perm(blank));
        let label = |tile: u8| tile + u8::from(tile >= self.blank_label);
        let mut labels: Vec<u8> = tiles.into_iter().map(label).collect();
        labels.insert(blank, self.blank_label);
        labels
    }
}
