//! The courses, one file each.

pub mod auc;
pub mod bu;
pub mod cuhk;
pub mod fortytwo;
pub mod princeton;
pub mod umbc;
