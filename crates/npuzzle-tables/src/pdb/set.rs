//! The tables of a partition, loaded and ready for look-ups.

use std::ops::ControlFlow;
use std::sync::Arc;

use npuzzle_core::search::{Limit, Watch};

use crate::build_context::BuildContext;
use crate::pdb::pack::PackedPdb;
use crate::pdb::partition::{Partition, PdbKind};
use crate::pdb::pattern::Pattern;
use crate::pdb::slot_index::{MAX_SMALL_LOOKUP_CELLS, SlotIndex};
use crate::pdb::slot_lookup::{LargeSlotLookup, SizeKey, SlotLookup, SmallSlotLookup};
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
    indices: Arc<SetIndices>,
}

/// The numbering of the slots of a set. It depends on the size of the board and the numbers of tiles only.
#[derive(Debug)]
struct SetIndices {
    by_pattern: Vec<Arc<SlotIndex>>,
    slots: SetLookup,
    /// The keys of `slots` for each pattern.
    size_keys: Vec<SizeKey>,
}

impl SetIndices {
    fn new(partition: &Partition) -> Option<Arc<SetIndices>> {
        let dims = partition.dims();
        let mut sizes: Vec<usize> = Vec::new();
        for n_tiles in partition.pattern_sizes() {
            if !sizes.contains(&n_tiles) {
                sizes.push(n_tiles);
            }
        }
        let proceed = &mut |_| ControlFlow::Continue(());
        let index = |&n_tiles: &usize| SlotIndex::new(dims, n_tiles, proceed).ok().map(Arc::new);
        let indices: Vec<Arc<SlotIndex>> = sizes.iter().map(index).collect::<Option<_>>()?;
        let by_size: Vec<&SlotIndex> = indices.iter().map(|index| &**index).collect();
        let (slots, keys) = match dims.cells() {
            0..=MAX_SMALL_LOOKUP_CELLS => {
                let (slots, keys) = SmallSlotLookup::new(&by_size)?;
                (SetLookup::Small(slots), keys)
            }
            _ => {
                let (slots, keys) = LargeSlotLookup::new(&by_size)?;
                (SetLookup::Large(slots), keys)
            }
        };
        let place = |n_tiles| sizes.iter().position(|&size| size == n_tiles);
        let places = partition.pattern_sizes().map(place).collect::<Option<Vec<usize>>>()?;
        let by_pattern = places.iter().map(|&at| indices[at].clone()).collect();
        let size_keys = places.iter().map(|&at| keys[at]).collect();
        Some(Arc::new(SetIndices { by_pattern, slots, size_keys }))
    }
}

/// The slots of all patterns of a set.
#[derive(Debug)]
pub enum SetLookup {
    /// For boards of up to [`MAX_SMALL_LOOKUP_CELLS`] cells.
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
        ZeroAwareSet::with_indices(partition, bytes, SetIndices::new(partition)?)
    }

    /// The set of another partition, as [`from_bytes`](ZeroAwareSet::from_bytes) returns it. If it is for the same boards
    /// and its patterns have the same numbers of tiles, both sets share the numbering of slots, so that a search with both
    /// needs less of the caches.
    pub fn from_bytes_sharing_slots(
        &self,
        partition: &Partition,
        bytes: &TableBytes,
    ) -> Option<ZeroAwareSet> {
        let is_same = self.partition.is_for_same_boards(partition)
            && self.partition.pattern_sizes().eq(partition.pattern_sizes());
        match is_same {
            true => ZeroAwareSet::with_indices(partition, bytes, self.indices.clone()),
            false => ZeroAwareSet::from_bytes(partition, bytes),
        }
    }

    fn with_indices(
        partition: &Partition,
        bytes: &TableBytes,
        indices: Arc<SetIndices>,
    ) -> Option<ZeroAwareSet> {
        if bytes.len() > Self::MAX_BYTES {
            return None;
        }
        let (dims, blank) = (partition.dims(), partition.blank());
        let parts = partition.split(PdbKind::ZeroAware, bytes)?;
        let patterns = partition.patterns().iter().zip(&indices.by_pattern);
        let tables = patterns.zip(parts).map(|((pattern, index), part)| {
            ZeroAwarePdb::new(dims, blank, pattern.clone(), index.clone(), part)
        });
        let tables = tables.collect();
        Some(ZeroAwareSet { partition: partition.clone(), tables, bytes: bytes.clone(), indices })
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
        &self.indices.slots
    }

    /// The keys of [`slots`](ZeroAwareSet::slots) for each pattern.
    pub fn size_keys(&self) -> &[SizeKey] {
        &self.indices.size_keys
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
