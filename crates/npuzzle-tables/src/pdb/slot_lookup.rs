//! Slots for the innermost loop of a search: one index for all patterns, as small as possible.
//!
//! The number of a set is a sum of a term for its low cells and one for its high cells, as in
//! [`CellSets`](crate::pdb::cell_sets::CellSets). The terms of the low cells do not depend on the number of
//! tiles. Those of the high cells do; and since they are different for each number of tiles, they can include
//! the place of its sets in the common array.
//!
//! Boards of up to 16 cells have their own form. It is smaller by a factor of two, which keeps it in the caches:
//! with the other one, a search of the 15-puzzle has four times as many cache misses.

use crate::bits::ones;
use crate::pdb::pattern::Pattern;
use crate::pdb::slot_index::SlotIndex;

/// The most different numbers of tiles in a partition.
pub const MAX_SIZES: usize = 4;

/// The place of one number of tiles in a [`SlotLookup`].
#[derive(Clone, Copy, Default, Debug)]
pub struct SizeOffset(usize);

/// Slots by set and blank.
pub trait SlotLookup: Send + Sync {
    /// A look-up for at most [`MAX_SIZES`] indices, and the place of each. Returns `None` if there are more, or if
    /// the board is too large.
    fn new(indices: &[&SlotIndex]) -> Option<(Box<Self>, Vec<SizeOffset>)>;

    /// [`SlotIndex::slot`].
    fn slot(&self, offset: SizeOffset, set: u32, blank: usize) -> usize;
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
    fn new(indices: &[&SlotIndex]) -> Option<(Box<Self>, Vec<SizeOffset>)> {
        let mut lookup = Box::new(SmallSlotLookup {
            low: [0; 1 << Self::LOW_CELLS],
            high: [0; MAX_SIZES << Self::LOW_CELLS],
            sets: Vec::new(),
        });
        let mut offsets = Vec::new();
        for (number, index) in indices.iter().enumerate() {
            let offset = number << Self::LOW_CELLS;
            let high = lookup.high.get_mut(offset..offset + (1 << Self::LOW_CELLS))?;
            let terms = SetTerms { index, low_cells: Self::LOW_CELLS, first: lookup.sets.len() };
            terms.fill(&mut lookup.low, high)?;
            for (set, first) in index.first_slots() {
                let mut word = u64::from(u16::try_from(first).ok()?) << Self::FIRST_BIT;
                // Region 0 has no bits, and no set has more regions than there are numbers.
                let numbers = 1..1 << Self::REGION_BITS;
                for (number, region) in numbers.zip(index.grid.regions(set).skip(1)) {
                    ones(region).for_each(|cell| word |= number << (Self::REGION_BITS * cell));
                }
                lookup.sets.push(word);
            }
            offsets.push(SizeOffset(offset));
        }
        Some((lookup, offsets))
    }

    #[inline(always)]
    fn slot(&self, offset: SizeOffset, set: u32, blank: usize) -> usize {
        let high = (offset.0 + (set >> Self::LOW_CELLS) as usize) % self.high.len();
        let number = self.low[set as usize % self.low.len()] + self.high[high];
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
    sets: Vec<LargeSet>,
}

/// The slots of a set.
#[derive(Clone, Copy, Debug)]
struct LargeSet {
    first: u32,
    /// The number of the region of each cell.
    regions: [u32; 32 / LargeSlotLookup::CELLS_PER_WORD],
}

impl LargeSlotLookup {
    const LOW_CELLS: usize = 12;
    const HIGH_CELLS: usize = Pattern::MAX_CELLS - Self::LOW_CELLS;
    const REGION_BITS: usize = 4;
    const CELLS_PER_WORD: usize = 32 / Self::REGION_BITS;
}

impl SlotLookup for LargeSlotLookup {
    fn new(indices: &[&SlotIndex]) -> Option<(Box<Self>, Vec<SizeOffset>)> {
        let mut lookup = Box::new(LargeSlotLookup {
            low: [0; 1 << Self::LOW_CELLS],
            high: [0; MAX_SIZES << Self::HIGH_CELLS],
            sets: Vec::new(),
        });
        let mut offsets = Vec::new();
        for (number, index) in indices.iter().enumerate() {
            let offset = number << Self::HIGH_CELLS;
            let high = lookup.high.get_mut(offset..offset + (1 << Self::HIGH_CELLS))?;
            let terms = SetTerms { index, low_cells: Self::LOW_CELLS, first: lookup.sets.len() };
            terms.fill(&mut lookup.low, high)?;
            for (set, first) in index.first_slots() {
                let mut slots = LargeSet { first, regions: [0; 32 / Self::CELLS_PER_WORD] };
                for (number, region) in (1..).zip(index.grid.regions(set).skip(1)) {
                    for cell in ones(region) {
                        let shift = Self::REGION_BITS * (cell % Self::CELLS_PER_WORD);
                        slots.regions[cell / Self::CELLS_PER_WORD] |= number << shift;
                    }
                }
                lookup.sets.push(slots);
            }
            offsets.push(SizeOffset(offset));
        }
        Some((lookup, offsets))
    }

    #[inline(always)]
    fn slot(&self, offset: SizeOffset, set: u32, blank: usize) -> usize {
        let high = (offset.0 + (set >> Self::LOW_CELLS) as usize) % self.high.len();
        let number = u32::from(self.low[set as usize % self.low.len()]) + self.high[high];
        let LargeSet { first, regions } = &self.sets[number as usize];
        let word = regions[blank % 32 / Self::CELLS_PER_WORD];
        let shift = Self::REGION_BITS * (blank % Self::CELLS_PER_WORD);
        (first + (word >> shift & ((1 << Self::REGION_BITS) - 1))) as usize
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
