//! Distance tables for the multi-tile metric.

pub(crate) mod abstraction;
pub(crate) mod axis;
pub(crate) mod bit_permute;
pub(crate) mod build;
pub(crate) mod multiset_rank;
pub(crate) mod table;
