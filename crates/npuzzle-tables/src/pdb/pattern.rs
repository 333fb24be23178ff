//! Some tiles of a board, and the rank of where they lie.
//!
//! The rank of a placement is a number in a mixed base: one digit per tile, the cell of the tile
//! less the cells before it that are taken by the pattern's earlier tiles.
//!
//! ```text
//!     tiles a b c on 16 cells:   rank = d(a)·15·14 + d(b)·14 + d(c)
//! ```

/// Some tiles of a labelled board.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    n_cells: usize,
    tiles: Vec<u8>,
    weights: Vec<u32>,
}

impl Pattern {
    /// The most tiles of a pattern.
    pub const MAX_TILES: usize = 8;

    /// The most cells of a board.
    pub const MAX_CELLS: usize = 25;

    /// These tiles (by label) on a board of so many cells; `None` if a tile is not on the board or
    /// there twice, or if there are too many.
    ///
    /// ```
    /// use npuzzle_tables::Pattern;
    /// let corner = Pattern::new(16, &[1, 4, 5]).expect("three tiles of a 15-puzzle");
    /// assert_eq!(corner.n_ranks(), 16 * 15 * 14);
    /// assert_eq!(corner.cells(corner.rank(&[1, 4, 5])), [1, 4, 5]);
    /// ```
    pub fn new(n_cells: usize, tiles: &[u8]) -> Option<Pattern> {
        let legal =
            |at: usize| usize::from(tiles[at]) < n_cells && !tiles[..at].contains(&tiles[at]);
        if n_cells > Pattern::MAX_CELLS
            || tiles.len() > Pattern::MAX_TILES
            || tiles.len() >= n_cells
        {
            return None;
        }
        if !(0..tiles.len()).all(legal) {
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

    /// What each tile's digit counts.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// Number of cells of the board.
    pub fn n_cells(&self) -> usize {
        self.n_cells
    }

    /// Number of placements.
    pub fn n_ranks(&self) -> usize {
        let first = self.weights.first().map_or(0, |&weight| weight as usize);
        if self.tiles.is_empty() { 1 } else { first * self.n_cells }
    }

    /// The rank of a placement, given as the cells of the tiles in order.
    pub fn rank(&self, cells: &[u8]) -> u32 {
        let mut taken = 0u32;
        let digits = cells.iter().zip(&self.weights).map(|(&cell, &weight)| {
            let before = (taken & ((1 << cell) - 1)).count_ones();
            taken |= 1 << cell;
            (u32::from(cell) - before) * weight
        });
        digits.sum()
    }

    /// The rank after one tile (by its place in the order of digits) has moved to a free cell, from
    /// the rank before.
    ///
    /// A tile that moves up in cell numbers gains the cells it passes, less those that tiles with
    /// earlier digits hold among them; each tile with a later digit that it passes gains one, having
    /// it no longer before it. Moving down is the same taken back.
    #[inline]
    pub fn rank_after(&self, rank: u32, cells: &[u8], tile: usize, to: u8) -> u32 {
        let from = cells[tile];
        let (low, high) = (from.min(to), from.max(to));
        let mut gain = u32::from(high - low) * self.weights[tile];
        for (other, &cell) in cells.iter().enumerate() {
            if low < cell && cell < high {
                if other < tile {
                    gain -= self.weights[tile];
                } else {
                    gain += self.weights[other];
                }
            }
        }
        if to > from { rank + gain } else { rank - gain }
    }

    /// The cells of the placement with this rank: the inverse of [`rank`](Pattern::rank).
    pub fn cells(&self, rank: u32) -> Vec<u8> {
        let mut free: Vec<u8> = (0..self.n_cells as u8).collect();
        let mut left = rank;
        let place = |&weight: &u32| {
            let cell = free.remove((left / weight) as usize);
            left %= weight;
            cell
        };
        self.weights.iter().map(place).collect()
    }
}
