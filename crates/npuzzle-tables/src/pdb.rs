//! Additive pattern databases for the single-tile metric.
//!
//! A pattern database stores, for each placement of a few tiles, the minimum number of moves that bring
//! them to their goal cells (Culberson and Schaeffer 1998). If only the moves of these tiles are counted,
//! the values of disjoint patterns add up to a lower bound (Korf and Felner 2002; Felner, Korf and Hanan
//! 2004).
//!
//! ```text
//!     Pattern           some tiles                        rank of a placement     pattern
//!     Partition         disjoint patterns of a board                              partition
//!     PatternDatabase   a cost for each placement         by set and permutation  table, build, verify
//!     PackedPdb         2 bits for each placement         by rank                 pack
//!     ZeroAwarePdb      1 bit for each state              by permutation, column   zero_aware
//!     PdbSet            the packed tables of a partition                          set, partition_build
//!     ZeroAwareSet      the zero-aware ones                                       set, partition_build
//! ```
//!
//! A placement is a set of cells and a permutation ([`cell_sets`]). The cells that it leaves are divided into
//! [`regions`]. A set of cells with one of its regions is a slot; [`slot_index`] numbers the slots, and
//! [`slot_lookup`] finds them in the innermost loop of a search.

pub(crate) mod build;
pub(crate) mod cell_sets;
pub(crate) mod pack;
pub(crate) mod partition;
pub(crate) mod partition_build;
pub(crate) mod pattern;
pub(crate) mod regions;
pub(crate) mod set;
pub(crate) mod slot_index;
pub(crate) mod slot_lookup;
pub(crate) mod table;
pub(crate) mod verify;
pub(crate) mod zero_aware;
