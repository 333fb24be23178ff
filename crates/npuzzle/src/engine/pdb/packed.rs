//! A labelled board in one word.

/// The labels of a board's cells, packed.
pub(crate) trait PackedCells:
    Copy + PartialEq + Send + Sync + std::fmt::Debug + 'static
{
    /// Packs labels by cells.
    fn pack(labels: &[u8]) -> Self;

    /// The label of a cell.
    fn get(self, cell: usize) -> usize;

    /// The cells from this one on, the first of them in the low bits, as many as a word holds.
    fn cells_from(self, cell: usize) -> u64;

    /// Bits of a label.
    const BITS: usize;

    /// The board with two cells exchanged whose labels differ in the bits of `difference`.
    fn swapped(self, difference: usize, a: usize, b: usize) -> Self;
}

/// Up to 16 cells.
impl PackedCells for u64 {
    const BITS: usize = 4;

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
impl PackedCells for u128 {
    const BITS: usize = 5;

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
