//! The tables of a partition, loaded and ready for look-ups.

use std::ops::Range;

use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Cell, Dims};

use crate::build_context::BuildContext;
use crate::pdb::pack::{PackedPdb, Width};
use crate::pdb::partition::Partition;
use crate::pdb::pattern::Pattern;
use crate::store::{Checkpoint, TableBytes};

/// The tables of disjoint patterns, for one size of board and one goal cell of the blank. The values
/// of a board's placements add up to an admissible heuristic (Korf and Felner 2002).
#[derive(Clone, Debug)]
pub struct PdbSet {
    partition: Partition,
    tables: Vec<(Pattern, PackedPdb)>,
}

impl PdbSet {
    /// The maximum number of patterns of a set.
    pub const MAX_PATTERNS: usize = Partition::MAX_PATTERNS;

    /// The largest board.
    pub const MAX_CELLS: usize = Pattern::MAX_CELLS;

    /// The partition.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The size of the board.
    pub fn dims(&self) -> Dims {
        self.partition.dims()
    }

    /// The blank's goal cell.
    pub fn blank(&self) -> Cell {
        self.partition.blank()
    }

    /// The width of the table entries.
    pub fn width(&self) -> Width {
        self.partition.width()
    }

    /// The patterns with their tables.
    pub fn tables(&self) -> &[(Pattern, PackedPdb)] {
        &self.tables
    }

    /// A copy of the bytes of all tables, one after the other.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.partition.n_bytes());
        self.tables.iter().for_each(|(_, table)| bytes.extend_from_slice(table.bytes()));
        bytes
    }
}

impl Partition {
    /// Builds the tables, one after the other, each on `threads` threads.
    pub fn build(&self, threads: usize, watch: &mut dyn Watch) -> Result<PdbSet, Limit> {
        let threads = threads.max(1);
        let context = &mut BuildContext { threads, watch, checkpoint: Checkpoint::none() };
        let bytes = TableBytes::from(self.build_payload(context)?);
        Ok(self.split(&bytes))
    }

    /// The tables from their bytes, one after the other. Returns `None` if there are too few bytes.
    pub fn set(&self, bytes: &TableBytes) -> Option<PdbSet> {
        (bytes.len() >= self.n_bytes()).then(|| self.split(bytes))
    }

    fn split(&self, bytes: &TableBytes) -> PdbSet {
        let table = |(pattern, range): (&Pattern, Range<usize>)| {
            Some((pattern.clone(), PackedPdb::from_bytes(self.width(), bytes.slice(range)?)))
        };
        let tables = self.byte_ranges().filter_map(table).collect();
        PdbSet { partition: self.clone(), tables }
    }
}
