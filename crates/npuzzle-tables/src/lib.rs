//! Precomputed tables for sliding-tile puzzles: heuristics, distances, and the automata that prune
//! duplicate paths.
//!
//! The usual entry points:
//!
//! - [`PdbSet`]: additive pattern databases, the heuristic of the single-tile metric. A set for boards
//!   of up to 25 cells is built in a fraction of a second, and the one of the 15-puzzle is embedded.
//! - [`DistanceTable`]: the distances of all boards of up to 12 cells.
//! - [`MtmTable`]: the heuristic of the multi-tile metric.
//! - [`SlideAutomaton`] and [`RunAutomaton`]: pruning of duplicate paths in depth-first search.
//! - [`Store`] and [`TableSpec`]: tables on disk, built once and mapped into memory afterwards.
//!
//! ```
//! use npuzzle_core::{Cell, Dims};
//! use npuzzle_tables::PdbSet;
//! let set = PdbSet::new(Dims::new(4, 4)?, Cell::new(0)).expect("16 cells are not too many");
//! let cells = |tiles: &[u8]| tiles.iter().map(|&tile| 15 - tile).collect::<Vec<u8>>();
//! // The excess over the Manhattan distance, for the board that is rotated by 180 degrees.
//! let excess: u8 = set
//!     .tables()
//!     .iter()
//!     .map(|(pattern, table)| table.get(pattern.rank(&cells(pattern.tiles()))))
//!     .sum();
//! assert_eq!(2 * excess, 6);
//! # Ok::<(), npuzzle_core::DimsError>(())
//! ```
//!
//! Boards are *labeled* in this crate: the label of a tile is its goal cell, and so is the label of the
//! blank. So the goal is always the identity, and goals with the same goal cell of the blank share
//! their tables.
//!
//! Lower-level parts, which most users can ignore: [`Pattern`], [`PatternDatabase`] and [`Partition`] to
//! build other pattern databases; [`Ranks`], [`Level`], [`count`], [`DiskCensus`] and [`ShardCensus`] to
//! enumerate all boards; [`parallel`] for worker threads; [`files`] for durable files.

#![deny(missing_docs)]
// `store/map.rs` maps files, `prefetch.rs` uses an instruction. Both say why this is sound.
#![deny(unsafe_code)]

mod bits;
mod build_context;
mod census;
pub mod clock;
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

pub use build_context::{BuildContext, Progress};
pub use census::disk::{DiskCensus, MAX_SHARDS, first_of_last_level};
pub use census::error::CensusError;
pub use census::folder::CensusFolder;
pub use census::shard_census::{ShardCensus, TablePart};
pub use census::shards::Shards;
pub use census::{CensusCounts, count};
pub use embedded::{generate, is_embedded};
pub use full::{BestMoves, DistanceTable, FullSpace, Level, Neighbors, Ranks};
pub use mtm::abstraction::{Abstraction, MtmEntry};
pub use mtm::axis::Axis;
pub use mtm::table::{MtmTable, MtmView};
pub use pdb::pack::PackedPdb;
pub use pdb::partition::{Partition, PdbKind};
pub use pdb::pattern::Pattern;
pub use pdb::set::{PdbSet, SetLookup, ZeroAwareSet};
pub use pdb::slot_index::{MAX_SMALL_LOOKUP_CELLS, SlotIndex};
pub use pdb::slot_lookup::{
    FIRST_IGNORED_BIT, LargeSlotLookup, MAX_SIZES, SizeKey, SlotLookup, SmallSlotLookup,
};
pub use pdb::table::PatternDatabase;
pub use pdb::verify::Flaw;
pub use pdb::zero_aware::ZeroAwarePdb;
pub use prefetch::{prefetch, prefetch_value};
pub use pruning::run_automaton::RunAutomaton;
pub use pruning::slide_automaton::{AutomatonRow, SlideAutomaton};
pub use store::{
    Checkpoint, Damage, LoadedTable, Store, StoreError, StoreWarning, StoredTable, TableBytes,
    TableName, TableNameError,
};
pub use table_spec::TableSpec;
