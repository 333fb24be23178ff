//! The tables of a partition, loaded and ready for look-ups.

use std::ops::ControlFlow;
use std::sync::Arc;

use npuzzle_core::search::{Limit, Watch};

use crate::build_context::BuildContext;
use crate::pdb::pack::PackedPdb;
use crate::pdb::partition::{Partition, PdbKind};
use crate::pdb::pattern::Pattern;
use crate::pdb::slot_index::SlotIndex;
use crate::pdb::slot_lookup::{LargeSlotLookup, SizeBits, SlotLookup, SmallSlotLookup};
use crate::pdb::zero_aware::ZeroAwarePdb;
use crate::store::{Checkpoint, TableBytes};

/// The excess tables of disjoint patterns, for one size of board and one goal cell of the blank. The
/// values of a board's placements add up to an admissible heuristic (Korf and Felner 2002).
#[derive(Clone, Debug)]
pub struct PdbSet {
    partition: Partition,
    tables: Vec<(Pattern, PackedPdb)>,
}

impl PdbSet {
    /// The largest board.
    pub const MAX_CELLS: usize = Pattern::MAX_CELLS;

    /// The set from the bytes of its tables, one after the other. Returns `None` if there are too few
    /// bytes, or if the tables of the partition are of another kind.
    pub fn from_bytes(partition: &Partition, bytes: &TableBytes) -> Option<PdbSet> {
        let patterns = partition.patterns().iter().cloned();
        let tables = patterns.zip(partition.split(PdbKind::Excess, bytes)?);
        let tables = tables.map(|(pattern, bytes)| (pattern, PackedPdb::from_bytes(bytes)));
        Some(PdbSet { partition: partition.clone(), tables: tables.collect() })
    }

    /// The partition.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The patterns with their tables.
    pub fn tables(&self) -> &[(Pattern, PackedPdb)] {
        &self.tables
    }
}

/// The zero-aware tables of disjoint patterns, for one size of board and one goal cell of the blank. The
/// costs of a board add up to a consistent heuristic.
#[derive(Clone, Debug)]
pub struct ZeroAwareSet {
    partition: Partition,
    tables: Vec<ZeroAwarePdb>,
    bytes: TableBytes,
    slots: Arc<SetLookup>,
    /// The bits of the keys of `slots` for each pattern.
    size_bits: Vec<SizeBits>,
}

/// The slots of all patterns of a set.
#[derive(Debug)]
pub enum SetLookup {
    /// For boards of up to 16 cells.
    Small(Box<SmallSlotLookup>),
    /// For larger boards.
    Large(Box<LargeSlotLookup>),
}

impl ZeroAwareSet {
    /// The maximum size of all tables in bytes, so that 32 bits are enough for the number of an entry.
    pub const MAX_BYTES: usize = 1 << 29;

    /// The set from the bytes of its tables, one after the other. Returns `None` if there are too few
    /// bytes, more than [`MAX_BYTES`](ZeroAwareSet::MAX_BYTES), or if the tables of the partition are of another kind.
    pub fn from_bytes(partition: &Partition, bytes: &TableBytes) -> Option<ZeroAwareSet> {
        if bytes.len() > Self::MAX_BYTES {
            return None;
        }
        let (dims, blank) = (partition.dims(), partition.blank());
        let mut indices: Vec<(usize, Arc<SlotIndex>)> = Vec::new();
        let mut tables = Vec::new();
        let parts = partition.split(PdbKind::ZeroAware, bytes)?;
        for (pattern, part) in partition.patterns().iter().zip(parts) {
            let n_tiles = pattern.tiles().len();
            let known = indices.iter().find(|(n, _)| *n == n_tiles).map(|(_, index)| index.clone());
            let index = match known {
                Some(index) => index,
                None => {
                    let proceed = &mut |_| ControlFlow::Continue(());
                    let index = Arc::new(SlotIndex::new(dims, n_tiles, proceed).ok()?);
                    indices.push((n_tiles, index.clone()));
                    index
                }
            };
            tables.push(ZeroAwarePdb::new(dims, blank, pattern.clone(), index, part));
        }
        let by_size: Vec<&SlotIndex> = indices.iter().map(|(_, index)| &**index).collect();
        let (slots, bits) = match dims.cells() {
            0..=16 => {
                let (slots, bits) = SmallSlotLookup::new(&by_size)?;
                (SetLookup::Small(slots), bits)
            }
            _ => {
                let (slots, bits) = LargeSlotLookup::new(&by_size)?;
                (SetLookup::Large(slots), bits)
            }
        };
        let bits_of = |pattern: &Pattern| {
            let n_tiles = pattern.tiles().len();
            indices.iter().position(|(n, _)| *n == n_tiles).map(|at| bits[at])
        };
        let size_bits = partition.patterns().iter().map(bits_of).collect::<Option<_>>()?;
        let (partition, bytes, slots) = (partition.clone(), bytes.clone(), Arc::new(slots));
        Some(ZeroAwareSet { partition, tables, bytes, slots, size_bits })
    }

    /// The partition.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The tables, in the order of the patterns.
    pub fn tables(&self) -> &[ZeroAwarePdb] {
        &self.tables
    }

    /// The slots of all patterns.
    pub fn slots(&self) -> &SetLookup {
        &self.slots
    }

    /// The bits of the keys of [`slots`](ZeroAwareSet::slots) for each pattern.
    pub fn size_bits(&self) -> &[SizeBits] {
        &self.size_bits
    }

    /// The bytes of all tables, one after the other.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Partition {
    /// Builds the bytes of the tables, one after the other, each on `threads` threads.
    pub fn build(&self, threads: usize, watch: &mut dyn Watch) -> Result<TableBytes, Limit> {
        let threads = threads.max(1);
        let context = &mut BuildContext { threads, watch, checkpoint: Checkpoint::none() };
        self.build_payload(context).map(TableBytes::from)
    }

    /// The bytes of each table. Returns `None` if there are too few, or if the tables are of another kind.
    fn split(&self, kind: PdbKind, bytes: &TableBytes) -> Option<Vec<TableBytes>> {
        let tables = self.byte_ranges().map(|(_, range)| bytes.slice(range)).collect();
        if kind == self.kind() { tables } else { None }
    }
}
