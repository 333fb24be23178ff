//! Iterative deepening with additive pattern databases, for boards of up to 25 cells.

pub(crate) mod context;
pub(crate) mod expand;
pub(crate) mod iterations;
pub(crate) mod lookup;
pub(crate) mod packed;
pub(crate) mod parallel;
pub(crate) mod search;
