//! Additive pattern databases: patterns, partitions, building, packing, verification.

pub(crate) mod build;
pub(crate) mod cell_sets;
pub(crate) mod pack;
pub(crate) mod partition;
pub(crate) mod partition_build;
pub(crate) mod pattern;
pub(crate) mod regions;
pub(crate) mod set;
pub(crate) mod table;
pub(crate) mod verify;
