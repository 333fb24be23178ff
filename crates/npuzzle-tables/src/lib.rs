//! Pattern databases, tables of all distances, tables of straight runs, the duplicate-path automaton, and
//! the store that keeps large tables.
//!
//! Boards here are *labelled*: a tile's label is the cell where it belongs, so that the goal is the
//! identity whatever the goal was, and the blank's label is the cell where the blank belongs.

// Mapping a file into memory is the one thing that needs it: `store/bytes.rs` says why it is sound.
#![deny(missing_docs)]
#![deny(unsafe_code)]

mod bits;
mod build_context;
mod census;
mod embedded;
pub mod files;
mod full;
mod mtm;
pub mod parallel;
mod pdb;
mod prefetch;
mod pruning;
mod store;
mod table_spec;

pub use crate::build_context::{BuildContext, Progress};
pub use crate::embedded::generate;
pub use crate::mtm::abstraction::{Abstraction, MtmEntry};
pub use crate::mtm::axis::Axis;
pub use crate::mtm::table::{MtmTable, MtmView};
pub use crate::pdb::pack::{PackedPdb, Width};
pub use crate::pdb::partition::Partition;
pub use crate::pdb::pattern::Pattern;
pub use crate::pdb::set::PdbSet;
pub use crate::pdb::table::PatternDatabase;
pub use crate::pdb::verify::Flaw;
pub use crate::pruning::run_automaton::RunAutomaton;
pub use crate::pruning::slide_automaton::Automaton;
pub use census::disk::{DiskCensus, MAX_SHARDS, first_of_last_level};
pub use census::error::CensusError;
pub use census::folder::CensusFolder;
pub use census::shard_census::{ShardCensus, TablePart};
pub use census::shards::Shards;
pub use census::{Counted, count};
pub use full::{BestMoves, DistanceTable, FullSpace, Level, Neighbours, Ranks};
pub use prefetch::prefetch;
pub use store::{
    Checkpoint, Damage, LoadedTable, Store, StoreError, StoreWarning, Stored, TableBytes,
    TableName, TableNameError,
};
pub use table_spec::TableSpec;
