//! The puzzle as a search problem, by single slides or by straight runs.

pub(crate) mod run_moves;
pub(crate) mod sliding;
