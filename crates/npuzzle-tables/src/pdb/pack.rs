//! Packed pattern databases: two bits for each placement, by rank.
//!
//! The cost of a placement is at least its Manhattan distance and has the same parity. So half of the
//! difference, the *excess*, is a whole number. It is rarely more than 3. A packed table stores the
//! excess, capped at 3: a smaller value is still a lower bound.
//!
//! Costs are stored by cell set and permutation, excesses by rank. The two are far apart in memory, so
//! the conversion goes by *parts*: the placements with the first two tiles on two given cells. These
//! have consecutive ranks, and for each cell set consecutive permutations. Each part is a job.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::Cell;
use npuzzle_core::search::Limit;

use crate::bits::ones;
use crate::build_context::Progress;
use crate::parallel::{StopFlag, for_each_job};
use crate::pdb::pattern::Pattern;
use crate::pdb::table::PatternDatabase;
use crate::store::TableBytes;

/// The number of cell sets between two checks of the stop flag. Few of them are part of a job.
const SETS_PER_CHECK: usize = 256;

/// The number of bits of an entry.
const BITS: usize = 2;

/// The number of entries in a byte.
const PER_BYTE: usize = 8 / BITS;

/// The largest entry.
const MAX: u8 = (1 << BITS) - 1;

/// The excess of each placement over its Manhattan distance, divided by two and at most 3, by rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedPdb {
    /// The first placement of a byte is in its low bits.
    bytes: TableBytes,
}

impl PackedPdb {
    /// Creates a table from its bytes.
    pub fn from_bytes(bytes: impl Into<TableBytes>) -> PackedPdb {
        PackedPdb { bytes: bytes.into() }
    }

    /// The number of bytes of the table of a pattern.
    pub(crate) fn n_bytes(pattern: &Pattern) -> usize {
        pattern.n_ranks().div_ceil(PER_BYTE)
    }

    /// The rank of the first entry of a byte.
    pub(crate) fn first_rank(byte: usize) -> u32 {
        (byte * PER_BYTE) as u32
    }

    /// The table as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The entry of a placement.
    #[inline]
    pub fn get(&self, rank: u32) -> u8 {
        let rank = rank as usize;
        self.bytes[rank / PER_BYTE] >> (BITS * (rank % PER_BYTE)) & MAX
    }
}

impl PatternDatabase {
    /// The packed table.
    pub fn to_packed(&self, threads: usize) -> PackedPdb {
        let mut bytes = vec![0; PackedPdb::n_bytes(&self.pattern)];
        // Nothing stops it.
        let _ = self.pack(&mut bytes, threads, &mut |_| ControlFlow::Continue(()));
        PackedPdb::from_bytes(bytes)
    }

    /// Writes the packed table into `bytes`, which must be 0.
    pub(crate) fn pack(
        &self,
        bytes: &mut [u8],
        threads: usize,
        progress: Progress<'_>,
    ) -> Result<(), Limit> {
        let pattern = &self.pattern;
        let n_ranks = pattern.n_ranks();
        let n_prefix = pattern.tiles().len().min(2);
        let n_each = n_prefix.checked_sub(1).map_or(1, |last| pattern.weights()[last] as usize);
        let (bytes, n_done) = (Mutex::new(bytes), AtomicUsize::new(0));
        let poll = || progress(n_done.load(Ordering::Relaxed) as f64 / n_ranks as f64);
        for_each_job(threads, (0..n_ranks).step_by(n_each), poll, |first, stop| {
            let packed = Part::new(self, first, n_each).pack(n_prefix, stop);
            let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
            // Two parts may share a byte.
            let first_byte = first / PER_BYTE;
            for (byte, part) in bytes[first_byte..].iter_mut().zip(packed) {
                *byte |= part;
            }
            n_done.fetch_add(n_each, Ordering::Relaxed);
        })
    }
}

/// The placements with the first tiles on given cells.
struct Part<'a> {
    table: &'a PatternDatabase,
    /// The first rank.
    first: usize,
    /// The number of earlier ranks that share its byte.
    n_before: usize,
    /// The distance of each cell from the goal cell of each tile.
    distances: Vec<[u8; Pattern::MAX_TILES]>,
    packed: Vec<u8>,
}

/// A placement of the first tiles of the pattern.
#[derive(Clone, Copy)]
struct Prefix {
    n_tiles: usize,
    taken: u32,
    /// The contribution of these tiles to the rank.
    rank: usize,
    manhattan: u8,
}

impl<'a> Part<'a> {
    fn new(table: &'a PatternDatabase, first: usize, n_ranks: usize) -> Part<'a> {
        let dims = table.dims;
        let row = |cell: Cell| {
            let mut row = [0; Pattern::MAX_TILES];
            for (tile, distance) in table.pattern.tiles().iter().zip(&mut row) {
                *distance = dims.distance(cell, Cell::new(u16::from(*tile))) as u8;
            }
            row
        };
        let distances = dims.all_cells().map(row).collect();
        let n_before = first % PER_BYTE;
        let packed = vec![0; (n_before + n_ranks).div_ceil(PER_BYTE)];
        Part { table, first, n_before, distances, packed }
    }

    fn pack(mut self, n_prefix: usize, stop: &StopFlag<'_>) -> Vec<u8> {
        let PatternDatabase { pattern, cell_sets, costs, .. } = self.table;
        let cells = pattern.cells(self.first as u32);
        let mut prefix = Prefix { n_tiles: 0, taken: 0, rank: 0, manhattan: 0 };
        for &cell in &cells[..n_prefix] {
            prefix = self.with(prefix, cell.into());
        }
        for (number, &set) in cell_sets.sets.iter().enumerate() {
            if number % SETS_PER_CHECK == 0 && stop.is_set() {
                break;
            }
            if set & prefix.taken != prefix.taken {
                continue;
            }
            // The first permutation that has these tiles on these cells.
            let (mut rest, mut n_perms) = (set, cell_sets.n_perms());
            let mut perm = 0;
            for &cell in &cells[..n_prefix] {
                n_perms /= rest.count_ones() as usize;
                perm += n_perms * (rest & ((1 << cell) - 1)).count_ones() as usize;
                rest &= !(1 << cell);
            }
            let mut costs = costs[number * cell_sets.n_perms() + perm..].iter();
            self.place(prefix, rest, &mut costs);
        }
        self.packed
    }

    /// The prefix with one more tile.
    #[inline(always)]
    fn with(&self, prefix: Prefix, cell: usize) -> Prefix {
        let n_lower = (prefix.taken & ((1 << cell) - 1)).count_ones() as usize;
        let weight = self.table.pattern.weights()[prefix.n_tiles] as usize;
        Prefix {
            n_tiles: prefix.n_tiles + 1,
            taken: prefix.taken | 1 << cell,
            rank: prefix.rank + (cell - n_lower) * weight,
            manhattan: prefix.manhattan + self.distances[cell][prefix.n_tiles],
        }
    }

    /// Places the other tiles on the remaining cells, in the order of the permutations, and packs the
    /// next costs.
    fn place(&mut self, prefix: Prefix, rest: u32, costs: &mut std::slice::Iter<'_, u8>) {
        if rest == 0 {
            let cost = costs.next().copied().unwrap_or(0);
            // The cost is not smaller than the Manhattan distance, unless a checkpoint was forged.
            let excess = (cost.saturating_sub(prefix.manhattan) / 2).min(MAX);
            let at = prefix.rank - self.first + self.n_before;
            self.packed[at / PER_BYTE] |= excess << (BITS * (at % PER_BYTE));
            return;
        }
        for cell in ones(rest) {
            self.place(self.with(prefix, cell), rest & !(1 << cell), costs);
        }
    }
}
