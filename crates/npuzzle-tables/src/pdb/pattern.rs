//! A pattern and the rank of its placements.
//!
//! A *pattern* is a list of tiles, given by their labels, which are their goal cells. A *placement* is
//! a list of as many different cells, in the order of the tiles. Its rank is a number in a mixed base
//! with one digit for each tile: the cell of the tile, minus the number of lower cells that earlier
//! tiles of the pattern occupy.
//!
//! ```text
//!     tiles a b c on 16 cells:   rank = d(a)·15·14 + d(b)·14 + d(c)
//! ```
//!
//! Ranks are dense: n tiles have 16·15·…·(17 - n) placements, and as many ranks.

/// Some tiles of a labeled board.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    n_cells: usize,
    tiles: Vec<u8>,
    weights: Vec<u32>,
}

impl Pattern {
    /// The maximum number of tiles.
    pub const MAX_TILES: usize = 8;

    /// The largest board.
    pub const MAX_CELLS: usize = 25;

    /// Creates a pattern of these tiles, by label, on a board of `n_cells` cells. Returns `None` if a
    /// tile is not on the board or occurs twice, or if there are too many tiles or cells.
    ///
    /// ```
    /// use npuzzle_tables::Pattern;
    /// let corner = Pattern::new(16, &[1, 4, 5]).expect("three tiles of a 15-puzzle");
    /// assert_eq!(corner.n_ranks(), 16 * 15 * 14);
    /// assert_eq!(corner.cells(corner.rank(&[1, 4, 5])), [1, 4, 5]);
    /// ```
    pub fn new(n_cells: usize, tiles: &[u8]) -> Option<Pattern> {
        let is_valid =
            |at: usize| usize::from(tiles[at]) < n_cells && !tiles[..at].contains(&tiles[at]);
        if n_cells > Pattern::MAX_CELLS
            || tiles.len() > Pattern::MAX_TILES
            || tiles.len() >= n_cells
        {
            return None;
        }
        if !(0..tiles.len()).all(is_valid) {
            return None;
        }
        let mut weights = vec![1; tiles.len()];
        for at in (0..tiles.len().saturating_sub(1)).rev() {
            weights[at] = weights[at + 1] * (n_cells - at - 1) as u32;
        }
        Some(Pattern { n_cells, tiles: tiles.to_vec(), weights })
    }

    /// The labels of the tiles, in the order of their digits.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// The goal cells of the tiles, as bits of a word.
    pub(crate) fn goal_cells(&self) -> u32 {
        self.tiles.iter().fold(0, |set, &tile| set | 1 << tile)
    }

    /// The weight of each tile's digit in the rank.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// The number of cells of the board.
    pub fn n_cells(&self) -> usize {
        self.n_cells
    }

    /// The number of placements.
    pub fn n_ranks(&self) -> usize {
        let first = self.weights.first().map_or(0, |&weight| weight as usize);
        if self.tiles.is_empty() { 1 } else { first * self.n_cells }
    }

    /// The rank of a placement, given as the cells of the tiles.
    pub fn rank(&self, cells: &[u8]) -> u32 {
        let mut taken = 0u32;
        let terms = cells.iter().zip(&self.weights).map(|(&cell, &weight)| {
            let n_lower = (taken & ((1 << cell) - 1)).count_ones();
            taken |= 1 << cell;
            (u32::from(cell) - n_lower) * weight
        });
        terms.sum()
    }

    /// The cells of the placement with this rank: the inverse of [`rank`](Pattern::rank).
    pub fn cells(&self, rank: u32) -> Vec<u8> {
        let mut free: Vec<u8> = (0..self.n_cells as u8).collect();
        let mut rest = rank;
        let cell = |&weight: &u32| {
            let cell = free.remove((rest / weight) as usize);
            rest %= weight;
            cell
        };
        self.weights.iter().map(cell).collect()
    }
}
