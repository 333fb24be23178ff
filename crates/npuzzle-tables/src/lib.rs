//! Pattern databases, tables of all distances, tables of straight runs, the duplicate-path automaton, and
//! the store that keeps large tables.
//!
//! Boards here are *labelled*: a tile's label is the cell where it belongs, so that the goal is the
//! identity whatever the goal was, and the blank's label is the cell where the blank belongs.

// Mapping a file into memory is the one thing that needs it: `store/bytes.rs` says why it is sound.
#![deny(missing_docs)]
#![deny(unsafe_code)]

mod automaton;
mod build;
mod census;
mod crew;
mod full;
mod grid;
mod orders;
mod pack;
mod partition;
mod pattern;
mod placement;
mod prefetch;
mod recipe;
mod relabelling;
mod run_automaton;
mod run_table;
mod set;
mod store;
mod table;
mod verify;
mod watched;

pub use automaton::Automaton;
pub use build::Progress;
pub use census::disk::{DiskCensus, MAX_SHARDS, first_of_last_level};
pub use census::error::CensusError;
pub use census::folder::CensusFolder;
pub use census::member::{ShardCensus, TablePart};
pub use census::shard::Shards;
pub use census::{Counted, count};
pub use crew::{Post, crew, recruit};
pub use full::{BestMoves, FullSpace, FullTable, Level, Neighbours, Ranks, SharedBytes};
pub use partition::Partition;
pub use pattern::Pattern;
pub use prefetch::prefetch;
pub use recipe::{Recipe, Work};
pub use relabelling::{Axis, Relabelling};
pub use run_automaton::RunAutomaton;
pub use run_table::{RunEntry, RunTable, RunView};
pub use set::{PatternSet, generate};
pub use store::{
    Damage, Draft, Got, Store, StoreError, StoreWarning, Stored, TableBytes, TableName,
    TableNameError,
};
pub use table::{Excess, PatternTable, Width};
pub use verify::Flaw;
pub use watched::{Stop, n_cores, n_threads, watched};
