//! A board in one machine word.
//!
//! The label of cell 0 is in the low bits, that of cell 1 above it, and so on. A label is the cell where a
//! tile belongs in the goal.

use std::ops::{Index, IndexMut};

/// The labels of a board's cells, packed into a word.
pub(crate) trait PackedBoard:
    Copy + PartialEq + Send + Sync + std::fmt::Debug + 'static
{
    /// Bits of a label.
    const BITS: usize;

    /// The mask of a cell or label: one less than the number of cells for which there is room.
    const MASK: usize;

    /// An array with one entry per cell. An index under [`MASK`](PackedBoard::MASK) is in range.
    type PerCell<T: Copy + Send + Sync>: Copy
        + Send
        + Sync
        + Index<usize, Output = T>
        + IndexMut<usize>;

    /// An array with equal entries.
    fn per_cell<T: Copy + Send + Sync>(value: T) -> Self::PerCell<T>;

    /// Packs labels, given by cell.
    fn pack(labels: &[u8]) -> Self;

    /// The label of a cell.
    fn get(self, cell: usize) -> usize;

    /// The labels from a cell on, its own in the low bits, as many as 64 bits hold.
    fn cells_from(self, cell: usize) -> u64;

    /// The board with two cells exchanged, whose labels differ in the bits of `difference`.
    fn swapped(self, difference: usize, a: usize, b: usize) -> Self;
}

/// Up to 16 cells.
impl PackedBoard for u64 {
    const BITS: usize = 4;
    const MASK: usize = 15;
    type PerCell<T: Copy + Send + Sync> = [T; 16];

    fn per_cell<T: Copy + Send + Sync>(value: T) -> [T; 16] {
        [value; 16]
    }

    fn pack(labels: &[u8]) -> u64 {
        labels.iter().rev().fold(0, |cells, &label| cells << 4 | u64::from(label))
    }

    #[inline(always)]
    fn get(self, cell: usize) -> usize {
        (self >> (4 * cell) & 0xf) as usize
    }

    #[inline(always)]
    fn cells_from(self, cell: usize) -> u64 {
        self >> (4 * cell)
    }

    #[inline(always)]
    fn swapped(self, difference: usize, a: usize, b: usize) -> u64 {
        let difference = difference as u64;
        self ^ (difference << (4 * a) | difference << (4 * b))
    }
}

/// Up to 25 cells.
impl PackedBoard for u128 {
    const BITS: usize = 5;
    const MASK: usize = 31;
    type PerCell<T: Copy + Send + Sync> = [T; 32];

    fn per_cell<T: Copy + Send + Sync>(value: T) -> [T; 32] {
        [value; 32]
    }

    fn pack(labels: &[u8]) -> u128 {
        labels.iter().rev().fold(0, |cells, &label| cells << 5 | u128::from(label))
    }

    #[inline(always)]
    fn get(self, cell: usize) -> usize {
        (self >> (5 * cell)) as usize & 0x1f
    }

    #[inline(always)]
    fn cells_from(self, cell: usize) -> u64 {
        (self >> (5 * cell)) as u64
    }

    #[inline(always)]
    fn swapped(self, difference: usize, a: usize, b: usize) -> u128 {
        let difference = difference as u128;
        self ^ (difference << (5 * a) | difference << (5 * b))
    }
}
