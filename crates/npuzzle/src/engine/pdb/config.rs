//! The compile-time parameters of the engine.

use std::marker::PhantomData;

use super::packed::PackedBoard;

/// One instantiation of the engine.
pub(crate) trait Config: Send + Sync + 'static {
    /// The word that holds a board.
    type Board: PackedBoard;
    /// Columns of the board.
    const COLS: usize;
    /// Bits of a table entry.
    const BITS: usize;
    /// Whether the transposed board has the same goal, so that it is looked up as well.
    const MIRROR: bool;
    /// Whether the tables are too large for the caches. Then the entries of all children are prefetched
    /// before the first one is used.
    const PREFETCH: bool;
}

/// The [`Config`] that its parameters spell out.
pub(crate) struct Layout<
    B,
    const COLS: usize,
    const BITS: usize,
    const MIRROR: bool,
    const PREFETCH: bool,
>(PhantomData<fn() -> B>);

impl<B: PackedBoard, const COLS: usize, const BITS: usize, const MIRROR: bool, const PREFETCH: bool>
    Config for Layout<B, COLS, BITS, MIRROR, PREFETCH>
{
    type Board = B;
    const COLS: usize = COLS;
    const BITS: usize = BITS;
    const MIRROR: bool = MIRROR;
    const PREFETCH: bool = PREFETCH;
}

/// An array with one entry per cell.
pub(crate) type PerCell<L, T> = <<L as Config>::Board as PackedBoard>::PerCell<T>;

/// The cell, or the label, that takes the place of another on the transposed board.
#[inline(always)]
pub(crate) fn transpose<L: Config>(cell: usize) -> usize {
    cell % L::COLS * L::COLS + cell / L::COLS
}
