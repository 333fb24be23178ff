//! The verbs, one file each.

pub(crate) mod audit;
pub(crate) mod census;
pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod course;
pub(crate) mod generate;
pub(crate) mod grade;
pub(crate) mod play;
pub(crate) mod render;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod tables;
pub(crate) mod trace;
