//! Search engines, one module each, and what they share.
//!
//! An engine takes an instance and resources and returns an [`EngineResult`](result::EngineResult). It knows
//! neither the plan nor the report; [`dispatch`](crate::dispatch) calls it.

pub(crate) mod full_table;
pub(crate) mod heuristic;
pub(crate) mod ida;
pub(crate) mod lower_bound;
pub(crate) mod mtm;
pub(crate) mod packed_astar;
pub(crate) mod pdb;
pub(crate) mod result;
pub(crate) mod solve_context;
pub(crate) mod textbook;
pub(crate) mod upper_bound;
