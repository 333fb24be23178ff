//! Columns of slots for the innermost loop of a search: one look-up for all patterns, as small as possible.
//!
//! The number of a set is a sum of a term for its low cells and one for its high cells, as in
//! [`CellSets`](crate::pdb::cell_sets::CellSets). The terms of the low cells do not depend on the number of
//! tiles. Those of the high cells do; and since they are different for each number of tiles, they can include
//! the place of its sets in the common array. A *key* is a set with the number of tiles in the bits above the cells, so
//! that nothing has to be added to it. Bits above those are ignored.
//!
//! Boards of up to 16 cells have one word for each set, with the first slot and the region of each cell. It stays in the
//! caches.
//!
//! The sets of larger boards are too many for that. But the column is the number of the set if the blank is in its
//! largest region. This is the usual case. The processor predicts it, and does not wait for the bit that says whether it
//! is so. Each set has one byte of these bits, in which several cells share a bit. An array of four bytes for each set, or
//! of words as above, would not fit into the second-level cache. On boards of up to 16 cells the prediction fails more
//! often, and a search would take 1.3 times as long.

use crate::pdb::pattern::Pattern;
use crate::pdb::slot_index::{CELLS_PER_WORD, SetSlots, SlotIndex};

/// The most different numbers of tiles in a partition.
pub const MAX_SIZES: usize = 4;

/// The first bit of a key that all look-ups ignore.
pub const FIRST_IGNORED_BIT: u32 = Pattern::MAX_CELLS as u32 + MAX_SIZES.ilog2();

/// The sets of one number of tiles in a [`SlotLookup`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SizeKey {
    bits: u32,
    first: u32,
}

impl SizeKey {
    /// The key of a set of cells.
    #[inline]
    pub fn key(self, set: u32) -> u32 {
        set | self.bits
    }

    /// The number that the look-up adds to the columns of these sets.
    pub fn first(self) -> u32 {
        self.first
    }
}

/// Columns by set and blank.
pub trait SlotLookup: Send + Sync {
    /// A look-up for at most [`MAX_SIZES`] indices, and the keys of each. Returns `None` if there are more, or if
    /// the board is too large.
    fn new(indices: &[&SlotIndex]) -> Option<(Box<Self>, Vec<SizeKey>)>;

    /// [`SlotIndex::column`] of the set with this key, plus [`SizeKey::first`]. The bits of the key from
    /// [`FIRST_IGNORED_BIT`] on are ignored.
    fn column(&self, key: u32, blank: usize) -> usize;
}

/// The look-up for boards of up to 16 cells.
#[derive(Debug)]
pub struct SmallSlotLookup {
    low: [u16; 1 << SmallSlotLookup::LOW_CELLS],
    high: [u16; MAX_SIZES << SmallSlotLookup::LOW_CELLS],
    /// The number of the region of each cell, and the first slot above them.
    sets: Vec<u64>,
}

impl SmallSlotLookup {
    const LOW_CELLS: usize = 8;
    const REGION_BITS: usize = 3;
    const FIRST_BIT: usize = 2 * Self::LOW_CELLS * Self::REGION_BITS;
}

impl SlotLookup for SmallSlotLookup {
    fn new(indices: &[&SlotIndex]) -> Option<(Box<Self>, Vec<SizeKey>)> {
        let mut lookup = Box::new(SmallSlotLookup {
            low: [0; 1 << Self::LOW_CELLS],
            high: [0; MAX_SIZES << Self::LOW_CELLS],
            sets: Vec::new(),
        });
        let mut keys = Vec::new();
        for (number, index) in indices.iter().enumerate() {
            let offset = number << Self::LOW_CELLS;
            let high = lookup.high.get_mut(offset..offset + (1 << Self::LOW_CELLS))?;
            let terms = SetTerms { index, low_cells: Self::LOW_CELLS, first: lookup.sets.len() };
            terms.fill(&mut lookup.low, high)?;
            lookup.sets.reserve(index.set_slots().len());
            for SetSlots { first, regions } in index.set_slots() {
                let first = u64::from(u16::try_from(*first).ok()?);
                let low = u64::from(three_bits_each(regions[0]));
                let high = u64::from(three_bits_each(regions[1]));
                let word = low | high << (Self::REGION_BITS * CELLS_PER_WORD);
                lookup.sets.push(word | first << Self::FIRST_BIT);
            }
            keys.push(SizeKey { bits: (offset << Self::LOW_CELLS) as u32, first: 0 });
        }
        Some((lookup, keys))
    }

    #[inline(always)]
    fn column(&self, key: u32, blank: usize) -> usize {
        let high = (key >> Self::LOW_CELLS) as usize % self.high.len();
        let number = self.low[key as usize % self.low.len()] + self.high[high];
        let word = self.sets[usize::from(number)];
        let region = word >> (Self::REGION_BITS * blank % 64) & ((1 << Self::REGION_BITS) - 1);
        ((word >> Self::FIRST_BIT) + region) as usize
    }
}

/// The look-up for boards of up to 25 cells.
#[derive(Debug)]
pub struct LargeSlotLookup {
    low: [u16; 1 << LargeSlotLookup::LOW_CELLS],
    high: [u32; MAX_SIZES << LargeSlotLookup::HIGH_CELLS],
    /// The cells outside the largest region of each set, modulo 8. A set bit may stand for another cell.
    outside: Vec<u8>,
    all: AllColumns,
}

impl LargeSlotLookup {
    const LOW_CELLS: usize = 12;
    const HIGH_CELLS: usize = Pattern::MAX_CELLS - Self::LOW_CELLS;
}

impl SlotLookup for LargeSlotLookup {
    fn new(indices: &[&SlotIndex]) -> Option<(Box<Self>, Vec<SizeKey>)> {
        let mut lookup = Box::new(LargeSlotLookup {
            low: [0; 1 << Self::LOW_CELLS],
            high: [0; MAX_SIZES << Self::HIGH_CELLS],
            outside: Vec::new(),
            all: AllColumns::default(),
        });
        let mut keys = Vec::new();
        for (number, index) in indices.iter().enumerate() {
            let offset = number << Self::HIGH_CELLS;
            let high = lookup.high.get_mut(offset..offset + (1 << Self::HIGH_CELLS))?;
            let first = lookup.outside.len();
            let terms = SetTerms { index, low_cells: Self::LOW_CELLS, first };
            terms.fill(&mut lookup.low, high)?;
            lookup.outside.extend(index.outside_first().map(modulo_8));
            lookup.all.add(index);
            keys.push(SizeKey { bits: (offset << Self::LOW_CELLS) as u32, first: first as u32 });
        }
        Some((lookup, keys))
    }

    #[inline(always)]
    fn column(&self, key: u32, blank: usize) -> usize {
        let high = (key >> Self::LOW_CELLS) as usize % self.high.len();
        let number = u32::from(self.low[key as usize % self.low.len()]) + self.high[high];
        let number = number as usize;
        match self.outside[number] >> (blank % 8) & 1 {
            0 => number,
            _ => self.all.column(number, blank),
        }
    }
}

/// Packs numbers of four bits, all less than eight, into three bits each.
fn three_bits_each(fours: u32) -> u32 {
    let pairs = fours & 0x0707_0707 | (fours & 0x7070_7070) >> 1;
    let quads = pairs & 0x003f_003f | (pairs & 0x3f00_3f00) >> 2;
    quads & 0x0fff | (quads & 0x0fff_0000) >> 4
}

/// Bit `n` of the result is set if any bit is whose number is `n` modulo 8.
fn modulo_8(cells: u32) -> u8 {
    cells.to_le_bytes().into_iter().fold(0, |folded, byte| folded | byte)
}

/// The columns of all regions, by the number of the set.
#[derive(Debug, Default)]
struct AllColumns(Vec<SetSlots>);

impl AllColumns {
    /// Adds the sets of an index after those of other indices.
    fn add(&mut self, index: &SlotIndex) {
        let offset = self.0.len() as u32;
        let columns = (0..index.cell_sets.n_sets()).map(|set| {
            let SetSlots { first, regions } = index.other_columns(set);
            SetSlots { first: first + offset, regions }
        });
        self.0.extend(columns);
    }

    #[cold]
    #[inline(never)]
    fn column(&self, set_number: usize, blank: usize) -> usize {
        let columns = self.0[set_number];
        if columns.region(blank) == 0 { set_number } else { columns.slot(blank) }
    }
}

/// The terms of the numbers of the sets of one size.
struct SetTerms<'a> {
    index: &'a SlotIndex,
    low_cells: usize,
    /// The number of sets before them.
    first: usize,
}

impl SetTerms<'_> {
    /// Fills in the terms of the low and of the high cells. `None` if they are too large.
    fn fill<L: TryFrom<usize>, H: TryFrom<usize>>(
        &self,
        low: &mut [L],
        high: &mut [H],
    ) -> Option<()> {
        let cell_sets = &self.index.cell_sets;
        let low_mask = (1u32 << self.low_cells) - 1;
        for &set in &cell_sets.sets {
            let (low_set, high_set) = (set & low_mask, set >> self.low_cells);
            // The number of the set with the same high cells and the lowest cells below them.
            let lowest = (1 << low_set.count_ones()) - 1;
            let term = cell_sets.set_number(high_set << self.low_cells | lowest);
            low[low_set as usize] = L::try_from(cell_sets.set_number(set) - term).ok()?;
            *high.get_mut(high_set as usize)? = H::try_from(self.first + term).ok()?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use npuzzle_core::Dims;

    use super::*;
    use crate::bits::ones;

    /// Both forms have the columns of the indices, for every set and every free cell.
    fn check<L: SlotLookup>(rows: usize, cols: usize, sizes: &[usize]) {
        let dims = Dims::new(rows, cols).unwrap();
        let proceed = |_| ControlFlow::Continue(());
        let indices: Vec<SlotIndex> = (sizes.iter())
            .map(|&n_tiles| SlotIndex::new(dims, n_tiles, &mut { proceed }).unwrap())
            .collect();
        let (lookup, sizes) = L::new(&indices.iter().collect::<Vec<_>>()).unwrap();
        for (index, &size) in indices.iter().zip(&sizes) {
            for &set in &index.cell_sets.sets {
                for blank in ones(!set & ((1 << dims.cells()) - 1)) {
                    let expected = index.column(set, blank) + size.first() as usize;
                    let key = size.key(set);
                    assert_eq!(lookup.column(key, blank), expected, "{set:b} {blank}");
                    let ignored = u32::MAX << FIRST_IGNORED_BIT;
                    assert_eq!(lookup.column(key | ignored, blank), expected, "{set:b} {blank}");
                }
            }
        }
    }

    #[test]
    fn slot_lookups_agree_with_their_indices() {
        check::<SmallSlotLookup>(2, 2, &[1, 2]);
        check::<SmallSlotLookup>(4, 4, &[6, 3, 7, 8]);
        check::<SmallSlotLookup>(2, 8, &[7]);
        check::<LargeSlotLookup>(4, 5, &[5, 4]);
        check::<LargeSlotLookup>(5, 5, &[5]);
    }
}
