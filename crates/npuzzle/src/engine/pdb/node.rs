//! A node of the search tree, and the effect of a slide on it.
//!
//! The board and its transpose are two *views* of the same node. Each keeps, for every pattern, the cells of
//! its tiles, their permutation, and what is needed of their cost. A slide changes one pattern of each view.

use npuzzle_tables::Partition;

/// Room for the cells of any board, and for any label. An index modulo this number is in range.
pub(super) const MAX_CELLS: usize = 32;

/// Room for any pattern.
pub(super) const MAX_PATTERNS: usize = Partition::MAX_PATTERNS;

/// The slides, as in [`Slide`](npuzzle_core::Slide).
pub(super) const UP: usize = 0;
pub(super) const DOWN: usize = 1;
pub(super) const LEFT: usize = 2;
pub(super) const RIGHT: usize = 3;

/// The same slides on the transposed board.
pub(super) const TRANSPOSED: [usize; 4] = [LEFT, RIGHT, UP, DOWN];

/// A node of the search tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PdbNode {
    /// The board and its transpose. Where the transpose has another goal, it equals the board and is not used.
    pub(super) views: [View; 2],
    /// The state of the automaton that prunes duplicate paths.
    pub(super) automaton: u16,
    /// The heuristic value of each view.
    pub(super) h: [i32; 2],
}

impl PdbNode {
    /// The heuristic value.
    pub(super) fn max_h(&self) -> i32 {
        self.h[0].max(self.h[1])
    }
}

/// A board with the states of its patterns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct View {
    pub(super) labels: Labels,
    pub(super) blank: usize,
    pub(super) patterns: [PatternState; MAX_PATTERNS],
}

/// Room before the first cell, so that no index of a neighbouring cell is out of range.
const MARGIN: usize = 8;

/// The label of each cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Labels([u8; MARGIN + MAX_CELLS + 2 * MARGIN]);

impl Labels {
    pub(super) fn new(labels: &[u8]) -> Labels {
        let mut all = [0; MARGIN + MAX_CELLS + 2 * MARGIN];
        all[MARGIN..][..labels.len()].copy_from_slice(labels);
        Labels(all)
    }

    /// The label `offset` cells after a cell, or before it; at most the length of a row and one more.
    #[inline(always)]
    pub(super) fn near(&self, cell: usize, offset: isize) -> u8 {
        self.0[(cell % MAX_CELLS + MARGIN).wrapping_add_signed(offset)]
    }

    /// Copies the label of the cell `offset` cells after a cell, or before it.
    #[inline(always)]
    pub(super) fn copy_from(&mut self, cell: usize, offset: isize) {
        self.0[cell % MAX_CELLS + MARGIN] = self.near(cell, offset);
    }

    pub(super) fn set(&mut self, cell: usize, label: u8) {
        self.0[cell % MAX_CELLS + MARGIN] = label;
    }
}

/// The tiles of one pattern, in one word, so that a slide changes it with few instructions.
///
/// ```text
///     bits 0 to 31     the cells of the tiles
///     bit 32           the parity of the cost
///     bit 33           the entry of a neighbour whose cost is lower by one; that of one whose cost is higher
///                      is the opposite
///     bits 48 to 63    the number of the permutation of the tiles on these cells
/// ```
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct PatternState(pub(super) u64);

const PARITY_BIT: u32 = 32;
pub(super) const LOWER_BIT: u32 = 33;
pub(super) const PERM_BIT: u32 = 48;

impl PatternState {
    pub(super) fn new(set: u32, perm: u16, cost: usize) -> PatternState {
        // The entry of a state is bit 1 of its cost.
        let (parity, lower) = (cost as u64 % 2, (cost as u64 + 3) / 2 % 2);
        let cost = parity << PARITY_BIT | lower << LOWER_BIT;
        PatternState(u64::from(set) | cost | u64::from(perm) << PERM_BIT)
    }

    /// The change of a state when a tile moves between two cells: of the cells, and of the parity of the cost.
    pub(super) fn swap_mask(from: usize, to: usize) -> u64 {
        1 << from | 1 << to | 1 << PARITY_BIT
    }

    #[inline(always)]
    pub(super) fn set(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    pub(super) fn perm(self) -> usize {
        (self.0 >> PERM_BIT) as usize
    }
}

/// A pattern that a slide changes, its state but for the cost, and the place of its entry in the table.
#[derive(Clone, Copy, Default)]
pub(super) struct EntryIndex {
    pub(super) state: PatternState,
    pub(super) byte: u32,
    pub(super) bit: u8,
    pub(super) pattern: u8,
}

impl EntryIndex {
    /// The number of the pattern.
    #[inline(always)]
    pub(super) fn pattern(self) -> usize {
        usize::from(self.pattern) % MAX_PATTERNS
    }

    /// The state of the pattern, given whether its cost rises.
    ///
    /// With the new parity `p` and the new second bit `b` of the cost, the entry of a lower neighbour is
    /// `b ^ p ^ 1`. Before, it was `b` if the cost has fallen, and `b ^ 1` if it has risen. So it changes by
    /// `rise ^ p ^ 1`.
    #[inline(always)]
    pub(super) fn state_after(self, rise: u64) -> PatternState {
        let parity = self.state.0 >> PARITY_BIT & 1;
        PatternState(self.state.0 ^ (rise ^ parity ^ 1) << LOWER_BIT)
    }
}

/// The distance from the blank to the tile that a slide moves.
#[inline(always)]
pub(super) const fn offset<const COLS: usize>(slide: usize) -> isize {
    match slide {
        UP => COLS as isize,
        DOWN => -(COLS as isize),
        LEFT => 1,
        _ => -1,
    }
}
