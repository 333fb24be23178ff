//! Tools for courses and research: check, trace, compare, audit, generate.

pub(crate) mod analysis;
pub(crate) mod audit;
pub(crate) mod buggy_heuristics;
pub(crate) mod census;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod generate;
pub(crate) mod korf100;
pub(crate) mod move_text;
pub(crate) mod named_heuristic;
pub(crate) mod princeton;
pub(crate) mod trace;
