//! From costs by set and order to packed excesses by rank.
//!
//! The two are far from each other in memory, so the work goes by *parts*: the placements with the
//! first two tiles on two given cells. They have neighbouring ranks, and for every set of cells
//! neighbouring orders. Parts are shared out to threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::Cell;
use npuzzle_core::search::Limit;

use crate::build_context::Progress;
use crate::parallel::watched::{Stop, watched};
use crate::pdb::pattern::Pattern;
use crate::pdb::regions;
use crate::pdb::table::PatternDatabase;
use crate::store::TableBytes;

/// How many bits an entry of a packed table has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Width {
    /// Values up to 3, four to a byte.
    Two,
    /// Values up to 15, two to a byte.
    Four,
}

impl Width {
    /// Bits of an entry.
    pub const fn bits(self) -> u32 {
        match self {
            Width::Two => 2,
            Width::Four => 4,
        }
    }

    /// The largest value.
    pub const fn max(self) -> u8 {
        (1 << self.bits()) - 1
    }

    /// Bytes that hold so many entries.
    pub const fn n_bytes(self, n_entries: usize) -> usize {
        (n_entries * self.bits() as usize).div_ceil(8)
    }
}

/// Half of what a pattern needs beyond Manhattan distance, in a few bits per placement.
///
/// The cost of a placement has the parity of its Manhattan distance and is not less, so half of the
/// difference is a whole number. It is rarely over 3; holding it down to what the bits can say keeps
/// the bound a bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedPdb {
    width: Width,
    /// The first placement of a byte is in its low bits.
    bytes: TableBytes,
}

impl PackedPdb {
    /// A table from its bytes, which may be part of the program.
    pub fn from_bytes(width: Width, bytes: impl Into<TableBytes>) -> PackedPdb {
        PackedPdb { width, bytes: bytes.into() }
    }

    /// Bits of an entry.
    pub fn width(&self) -> Width {
        self.width
    }

    /// The table as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The value of a placement.
    #[inline]
    pub fn get(&self, rank: u32) -> u8 {
        let per_byte = 8 / self.width.bits();
        let byte = self.bytes[(rank / per_byte) as usize];
        byte >> (self.width.bits() * (rank % per_byte)) & self.width.max()
    }
}

impl PatternDatabase {
    /// What the table knows beyond Manhattan distance.
    pub fn excess(&self, width: Width, threads: usize) -> PackedPdb {
        let mut bytes = vec![0; width.n_bytes(self.pattern.n_ranks())];
        // Nobody stops it.
        let _ = self.pack(width, &mut bytes, threads, &mut |_| ControlFlow::Continue(()));
        PackedPdb::from_bytes(width, bytes)
    }

    /// Puts the entries of [`excess`](PatternDatabase::excess) into bytes that are 0.
    pub(crate) fn pack(
        &self,
        width: Width,
        bytes: &mut [u8],
        threads: usize,
        progress: Progress<'_>,
    ) -> Result<(), Limit> {
        pack(self, width, bytes, threads, progress)
    }
}

/// Puts the excesses of all placements, packed, by rank, into bytes that are 0.
fn pack(
    table: &PatternDatabase,
    width: Width,
    bytes: &mut [u8],
    threads: usize,
    progress: Progress<'_>,
) -> Result<(), Limit> {
    let pattern = &table.pattern;
    let bytes = Mutex::new(bytes);
    let n_prefix = pattern.tiles().len().min(2);
    let n_each = n_prefix.checked_sub(1).map_or(1, |last| pattern.weights()[last] as usize);
    let next = AtomicUsize::new(0);
    let ask = || {
        let done = next.load(Ordering::Relaxed) as f64 / pattern.n_ranks() as f64;
        progress(done.min(1.0))
    };
    watched(threads, ask, |stop| {
        loop {
            let first = next.fetch_add(n_each, Ordering::Relaxed);
            if first >= pattern.n_ranks() || stop.is_up() {
                return;
            }
            let packed = Part::new(table, width, first, n_each).pack(n_prefix, stop);
            let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
            // Two parts may share a byte.
            let first = first * width.bits() as usize / 8;
            for (byte, part) in bytes[first..].iter_mut().zip(packed) {
                *byte |= part;
            }
        }
    })
}

/// The placements with the first tiles on given cells.
struct Part<'a> {
    table: &'a PatternDatabase,
    width: Width,
    /// The first rank.
    first: usize,
    /// How many ranks before it share its byte.
    n_before: usize,
    /// The distance of each cell from each tile's home.
    distances: Vec<[u8; Pattern::MAX_TILES]>,
    packed: Vec<u8>,
}

/// Some tiles that have been placed.
#[derive(Clone, Copy)]
struct Placed {
    /// How many.
    n: usize,
    taken: u32,
    /// What they add to the rank.
    rank: usize,
    manhattan: u8,
}

impl<'a> Part<'a> {
    fn new(table: &'a PatternDatabase, width: Width, first: usize, n_ranks: usize) -> Part<'a> {
        let dims = table.dims;
        let row = |cell: u16| {
            let mut row = [0; Pattern::MAX_TILES];
            for (tile, distance) in table.pattern.tiles().iter().zip(&mut row) {
                *distance = dims.distance(Cell::new(cell), Cell::new(u16::from(*tile))) as u8;
            }
            row
        };
        let distances = (0..dims.cells() as u16).map(row).collect();
        let n_before = first % (8 / width.bits() as usize);
        let packed = vec![0; width.n_bytes(n_before + n_ranks)];
        Part { table, width, first, n_before, distances, packed }
    }

    fn pack(mut self, n_prefix: usize, stop: &Stop<'_>) -> Vec<u8> {
        let PatternDatabase { pattern, placements, costs, .. } = self.table;
        let cells = pattern.cells(self.first as u32);
        let mut prefix = Placed { n: 0, taken: 0, rank: 0, manhattan: 0 };
        for &cell in &cells[..n_prefix] {
            prefix = self.with(prefix, cell.into());
        }
        for (number, &set) in placements.sets.iter().enumerate() {
            if set & prefix.taken != prefix.taken {
                continue;
            }
            if stop.is_up() {
                break;
            }
            // The first order that has these tiles where they are.
            let (mut left, mut n_orders) = (set, placements.n_orders());
            let mut order = 0;
            for &cell in &cells[..n_prefix] {
                n_orders /= left.count_ones() as usize;
                order += n_orders * (left & ((1 << cell) - 1)).count_ones() as usize;
                left &= !(1 << cell);
            }
            let mut costs = costs[number * placements.n_orders() + order..].iter();
            self.place(prefix, left, &mut costs);
        }
        self.packed
    }

    /// One more tile placed.
    #[inline(always)]
    fn with(&self, placed: Placed, cell: usize) -> Placed {
        let before = (placed.taken & ((1 << cell) - 1)).count_ones() as usize;
        let weight = self.table.pattern.weights()[placed.n] as usize;
        Placed {
            n: placed.n + 1,
            taken: placed.taken | 1 << cell,
            rank: placed.rank + (cell - before) * weight,
            manhattan: placed.manhattan + self.distances[cell][placed.n],
        }
    }

    /// Places the other tiles on the cells that are left in all orders, which have the next costs.
    fn place(&mut self, placed: Placed, left: u32, costs: &mut std::slice::Iter<'_, u8>) {
        if left == 0 {
            let cost = costs.next().copied().unwrap_or(0);
            // The cost is no less, and has the same parity, but in a draft that somebody has made up.
            let excess = (cost.saturating_sub(placed.manhattan) / 2).min(self.width.max());
            let at = placed.rank - self.first + self.n_before;
            let per_byte = 8 / self.width.bits() as usize;
            self.packed[at / per_byte] |= excess << (self.width.bits() as usize * (at % per_byte));
            return;
        }
        for cell in regions::cells(left) {
            self.place(self.with(placed, cell), left & !(1 << cell), costs);
        }
    }
}
