//! A node of the search tree, and the effect of a slide on it.
//!
//! The board and its transpose are two *views* of the same node. Each keeps, for every pattern, the cells of
//! its tiles, their permutation, and what is needed of their cost. A slide changes one pattern of each view.

use npuzzle_tables::{FIRST_IGNORED_BIT, Partition};

/// Room for the cells of any board, and for any tile. An index modulo this number is in range.
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

/// A tile with its pattern, in one byte, so that finding the pattern of a tile takes no look-up.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Label(u8);

impl Label {
    const TILE_BITS: u32 = MAX_CELLS.ilog2();

    /// The label of a tile, which is less than [`MAX_CELLS`], in a pattern, which is less than [`MAX_PATTERNS`].
    pub(super) fn new(tile: u8, pattern: u8) -> Label {
        Label(tile | pattern << Self::TILE_BITS)
    }

    #[inline(always)]
    pub(super) fn tile(self) -> usize {
        usize::from(self.0) % MAX_CELLS
    }

    #[inline(always)]
    pub(super) fn pattern(self) -> usize {
        usize::from(self.0 >> Self::TILE_BITS) % MAX_PATTERNS
    }
}

/// The label of each cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Labels([Label; MARGIN + MAX_CELLS + 2 * MARGIN]);

impl Labels {
    /// The labels of the cells of a board, in order.
    pub(super) fn new(labels: impl Iterator<Item = Label>) -> Labels {
        let mut all = [Label::default(); MARGIN + MAX_CELLS + 2 * MARGIN];
        all[MARGIN..][..MAX_CELLS].iter_mut().zip(labels).for_each(|(to, label)| *to = label);
        Labels(all)
    }

    /// The label `offset` cells after a cell, or before it; at most the length of a row and one more.
    #[inline(always)]
    pub(super) fn near(&self, cell: usize, offset: isize) -> Label {
        self.0[(cell % MAX_CELLS + MARGIN).wrapping_add_signed(offset)]
    }

    /// Copies the label of the cell `offset` cells after a cell, or before it.
    #[inline(always)]
    pub(super) fn copy_from(&mut self, cell: usize, offset: isize) {
        self.0[cell % MAX_CELLS + MARGIN] = self.near(cell, offset);
    }

    pub(super) fn set(&mut self, cell: usize, label: Label) {
        self.0[cell % MAX_CELLS + MARGIN] = label;
    }
}

/// The tiles of one pattern, in one word, so that a slide changes it with few instructions.
///
/// ```text
///     bits 0 to 29     the key of the set of cells (`SlotLookup`)
///     bit 30           the parity of the cost
///     bit 31           the entry of a neighbour whose cost is lower by one; that of one whose cost is higher
///                      is the opposite
///     bits 32 to 63    the number of the first entry of the permutation, among the entries of all tables
/// ```
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct PatternState(pub(super) u64);

const PARITY_BIT: u32 = 30;
pub(super) const LOWER_BIT: u32 = 31;
pub(super) const FIRST_ENTRY_BIT: u32 = 32;

// The look-up of a set ignores the cost.
const _: () = assert!(FIRST_IGNORED_BIT <= PARITY_BIT);

impl PatternState {
    pub(super) fn new(key: u32, first_entry: u32, cost: usize) -> PatternState {
        // The entry of a state is bit 1 of its cost.
        let (parity, lower) = (cost as u64 % 2, (cost as u64 + 3) / 2 % 2);
        let cost = parity << PARITY_BIT | lower << LOWER_BIT;
        PatternState(u64::from(key) | cost | u64::from(first_entry) << FIRST_ENTRY_BIT)
    }

    /// The change of a state when a tile moves between two cells: of the cells, and of the parity of the cost.
    pub(super) fn swap_mask(from: usize, to: usize) -> u64 {
        1 << from | 1 << to | 1 << PARITY_BIT
    }

    /// The key of the set of cells, and bits that its look-up ignores.
    #[inline(always)]
    pub(super) fn key(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    pub(super) fn first_entry(self) -> u32 {
        (self.0 >> FIRST_ENTRY_BIT) as u32
    }
}

/// A pattern that a slide changes, its state but for the cost, and the number of its entry.
#[derive(Clone, Copy, Default)]
pub(super) struct EntryIndex {
    pub(super) state: PatternState,
    pub(super) entry: u32,
    pub(super) pattern: u32,
}

impl EntryIndex {
    /// The number of the pattern.
    #[inline(always)]
    pub(super) fn pattern(self) -> usize {
        self.pattern as usize % MAX_PATTERNS
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
