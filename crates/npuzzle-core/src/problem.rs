//! The puzzle as a search problem, in single slides or in straight runs.

pub(crate) mod run_moves;
pub(crate) mod sliding;
