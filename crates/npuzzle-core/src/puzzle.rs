//! The puzzle: sizes, boards, slides, moves, goals, instances and their solvability.

pub(crate) mod board;
pub(crate) mod dims;
pub(crate) mod goal;
pub(crate) mod instance;
pub(crate) mod metric;
pub(crate) mod move_order;
pub(crate) mod moves;
pub(crate) mod packed;
pub(crate) mod random;
pub(crate) mod slide;
pub(crate) mod solvability;
