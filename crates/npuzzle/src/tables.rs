//! Tables for the engines: built, loaded, cached and shared between boards.

pub(crate) mod additive_pdb;
pub(crate) mod cache;
pub(crate) mod canonical;
pub(crate) mod catalogue;
pub(crate) mod full;
