//! The puzzle as a search problem: in single slides, in straight runs, or with several blanks.

pub(crate) mod multi_blank;
pub(crate) mod run_moves;
pub(crate) mod sliding;
