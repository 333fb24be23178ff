//! Search engines, one module each, and what they share.

pub(crate) mod dyn_heuristic;
pub(crate) mod ida;
pub(crate) mod lower_bound;
pub(crate) mod mtm;
pub(crate) mod pdb;
