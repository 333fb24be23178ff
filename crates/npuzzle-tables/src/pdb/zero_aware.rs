//! Zero-aware pattern databases in one bit for each state (Clausecker and Reinefeld 2019).
//!
//! A state is a placement of the pattern's tiles and the region of the blank. A slide of one of these tiles
//! changes the cost by exactly one: by at most one, because the cost is a distance; and not by zero, because
//! it has the parity of the Manhattan distance. Slides of other tiles do not change it at all. So two bits
//! tell the costs of neighbors apart, and the lower one is the parity, which alternates along a path. The
//! table holds the other one: bit 1 of the cost.
//!
//! A search carries the cost modulo 4 along its path. The cost of the first state is found by a walk to the
//! goal that takes any slide to a smaller cost.

use std::sync::Arc;

use npuzzle_core::{Cell, Dims};

use crate::bits::ones;
use crate::pdb::pattern::Pattern;
use crate::pdb::slot_index::SlotIndex;
use crate::store::TableBytes;

/// Bit 1 of the cost of each placement and region of a pattern.
#[derive(Clone, Debug)]
pub struct ZeroAwarePdb {
    dims: Dims,
    blank: Cell,
    pattern: Pattern,
    index: Arc<SlotIndex>,
    /// By permutation, then by column. The first column of a byte is in its lowest bit, and each permutation begins
    /// with a new byte. Most slides keep the permutation, so a search stays within a few kilobytes for a
    /// while.
    bytes: TableBytes,
}

/// More than any cost. A walk that is longer goes in circles.
const MAX_COST: usize = 255;

/// A placement of the pattern's tiles, with the blank's cell.
struct State {
    cells: Vec<u8>,
    blank: usize,
}

impl ZeroAwarePdb {
    /// The table with these bytes. `blank` is the blank's goal cell.
    pub(crate) fn new(
        dims: Dims,
        blank: Cell,
        pattern: Pattern,
        index: Arc<SlotIndex>,
        bytes: TableBytes,
    ) -> ZeroAwarePdb {
        ZeroAwarePdb { dims, blank, pattern, index, bytes }
    }

    /// The pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The numbering of the slots.
    pub fn index(&self) -> &Arc<SlotIndex> {
        &self.index
    }

    /// The table as bytes: by permutation, [`bytes_per_perm`](ZeroAwarePdb::bytes_per_perm) for each, then by
    /// [column](SlotIndex::column), the first one in the lowest bit.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of bytes of a permutation.
    pub fn bytes_per_perm(&self) -> usize {
        self.index.n_slots().div_ceil(8)
    }

    /// The weights of the digits of a permutation's number: the digit of a tile counts the later tiles of the
    /// pattern that are on lower cells.
    pub fn perm_weights(&self) -> Vec<u32> {
        let n_tiles = self.pattern.tiles().len() as u32;
        (0..n_tiles).map(|tile| (1..n_tiles - tile).product()).collect()
    }

    /// The number of the permutation of the tiles on these cells.
    pub fn perm(&self, cells: &[u8]) -> usize {
        self.index.cell_sets.perm_number(cells)
    }

    /// The minimum number of moves of the pattern's tiles, given their cells and that of the blank. Takes
    /// some microseconds. If the table is not one of costs, the result is the Manhattan distance.
    pub fn cost(&self, cells: &[u8], blank: usize) -> usize {
        let start = State { cells: cells.to_vec(), blank };
        let manhattan = self.manhattan(&start);
        self.walk(start).unwrap_or(manhattan)
    }

    /// The length of a walk to the goal. `None` if there is none.
    fn walk(&self, mut state: State) -> Option<usize> {
        let goal_column = self.index.column(self.pattern.goal_cells(), self.blank.index());
        let mut n_moves = 0;
        while state.cells != self.pattern.tiles() || self.column(&state) != goal_column {
            self.descend(&mut state)?;
            n_moves += 1;
            if n_moves > MAX_COST {
                return None;
            }
        }
        Some(n_moves)
    }

    fn column(&self, state: &State) -> usize {
        self.index.column(set_of(&state.cells), state.blank)
    }

    /// Bit 1 of the cost of a state.
    fn bit(&self, state: &State) -> u8 {
        let (column, perm) = (self.column(state), self.perm(&state.cells));
        self.bytes[perm * self.bytes_per_perm() + column / 8] >> (column % 8) & 1
    }

    /// The cost of a state modulo 4.
    fn cost_mod_4(&self, state: &State) -> u8 {
        2 * self.bit(state) + (self.manhattan(state) % 2) as u8
    }

    fn manhattan(&self, state: &State) -> usize {
        let distances = state.cells.iter().zip(self.pattern.tiles()).map(|(&cell, &tile)| {
            self.dims.distance(Cell::new(cell.into()), Cell::new(tile.into()))
        });
        distances.sum()
    }

    /// Slides a tile of the pattern to a state of smaller cost. Returns `None` if there is none.
    fn descend(&self, state: &mut State) -> Option<()> {
        let set = set_of(&state.cells);
        let region = self.index.grid.fill(1 << state.blank, !set);
        let smaller = (self.cost_mod_4(state) + 3) % 4;
        let old_blank = state.blank;
        for tile in 0..state.cells.len() {
            let from = state.cells[tile];
            state.blank = from.into();
            for to in ones(region).filter(|&to| self.index.grid.are_adjacent(from.into(), to)) {
                state.cells[tile] = to as u8;
                if self.cost_mod_4(state) == smaller {
                    return Some(());
                }
            }
            state.cells[tile] = from;
        }
        state.blank = old_blank;
        None
    }
}

fn set_of(cells: &[u8]) -> u32 {
    cells.iter().fold(0, |set, &cell| set | 1 << cell)
}
