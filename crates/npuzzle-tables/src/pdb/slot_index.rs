//! The numbering of slots: sets of cells with one of their regions.
//!
//! ```text
//!     a  .  .          The cells 0, 4 and 6 leave the regions {1, 2, 5, 7, 8} and {3}, so this set has two
//!     .  b  .          slots. A slot is found by its set and any cell of its region, usually that of the
//!     c  .  .          blank.
//! ```
//!
//! Slots are numbered by set, so that the slots of a set are neighbors. The rows of the stored tables of larger boards have
//! another order, the *columns*: first the largest region of each set, in the order of the sets, then all other regions.
//! The blank is almost always in the largest region, and the column is then the number of the set.

use npuzzle_core::Dims;
use npuzzle_core::search::Limit;

use crate::bits::ones;
use crate::build_context::{Progress, proceed};
use crate::pdb::cell_sets::{CellSets, all_sets};
use crate::pdb::pattern::Pattern;
use crate::pdb::regions::Grid;

/// The maximum number of cells of boards with a [`SetLookup::Small`](crate::SetLookup::Small).
pub const MAX_SMALL_LOOKUP_CELLS: usize = 16;

/// The number of cell sets whose regions are found between two polls.
const SETS_PER_POLL: usize = 1 << 12;

/// The bits of the number of a region within its set. No set of [`Pattern::MAX_TILES`] cells leaves more than
/// eight regions.
pub(crate) const REGION_BITS: usize = 4;

/// The number of cells whose regions are in one word.
pub(crate) const CELLS_PER_WORD: usize = 32 / REGION_BITS;

/// The slots of one set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SetSlots {
    pub(crate) first: u32,
    /// The number of the region of each cell, [`REGION_BITS`] each; 0 for the cells of the set.
    pub(crate) regions: [u32; 32 / CELLS_PER_WORD],
}

impl SetSlots {
    /// The number of the region of a cell.
    #[inline]
    pub(crate) fn region(&self, cell: usize) -> u32 {
        let word = self.regions[cell % 32 / CELLS_PER_WORD];
        word >> (REGION_BITS * (cell % CELLS_PER_WORD)) & ((1 << REGION_BITS) - 1)
    }

    #[inline]
    pub(crate) fn slot(&self, blank: usize) -> usize {
        (self.first + self.region(blank)) as usize
    }
}

/// The slots of all patterns with the same number of tiles on boards of one size.
#[derive(Clone, Debug)]
pub struct SlotIndex {
    pub(crate) cell_sets: CellSets,
    pub(crate) grid: Grid,
    sets: Vec<SetSlots>,
    n_slots: usize,
    order: ColumnOrder,
}

/// The order of the slots in the rows of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColumnOrder {
    /// By set, then by the lowest cell of the region.
    BySet,
    /// The largest region of each set first.
    LargestFirst,
}

impl ColumnOrder {
    /// The order for boards of a size.
    pub(crate) fn new(dims: Dims) -> ColumnOrder {
        match dims.cells() {
            0..=MAX_SMALL_LOOKUP_CELLS => ColumnOrder::BySet,
            _ => ColumnOrder::LargestFirst,
        }
    }

    /// The regions of a set, in the order of its slots.
    fn regions(self, grid: &Grid, set: u32) -> impl Iterator<Item = u32> {
        let mut regions = [0u32; 1 << REGION_BITS];
        regions.iter_mut().zip(grid.regions(set)).for_each(|(to, region)| *to = region);
        if self == ColumnOrder::LargestFirst {
            regions.sort_by_key(|region| std::cmp::Reverse(region.count_ones()));
        }
        regions.into_iter().take_while(|&region| region != 0)
    }
}

/// The number of slots of usual boards, by rows, columns and tiles. Counting them takes milliseconds.
const KNOWN_SLOTS: [(usize, usize, usize, usize); 6] = [
    (4, 4, 3, 632),
    (4, 4, 6, 16_412),
    (4, 4, 7, 27_748),
    (4, 4, 8, 35_347),
    (5, 5, 4, 14_127),
    (5, 5, 6, 251_400),
];

/// The number of slots of all patterns with this number of tiles.
pub(crate) fn n_slots(dims: Dims, n_tiles: usize) -> usize {
    let is_known = |known: &&(usize, usize, usize, usize)| {
        (known.0, known.1, known.2) == (dims.rows(), dims.cols(), n_tiles)
    };
    KNOWN_SLOTS.iter().find(is_known).map_or_else(|| count_slots(dims, n_tiles), |known| known.3)
}

fn count_slots(dims: Dims, n_tiles: usize) -> usize {
    let grid = Grid::new(dims);
    let sets = all_sets(dims.cells(), n_tiles);
    sets.map(|set| grid.regions(set).count()).sum()
}

impl SlotIndex {
    pub(crate) fn new(
        dims: Dims,
        n_tiles: usize,
        progress: Progress<'_>,
    ) -> Result<SlotIndex, Limit> {
        debug_assert!(n_tiles <= Pattern::MAX_TILES);
        let cell_sets = CellSets::new(dims.cells(), n_tiles);
        let (grid, order) = (Grid::new(dims), ColumnOrder::new(dims));
        let mut sets = Vec::with_capacity(cell_sets.n_sets());
        let mut n_slots = 0;
        for cells in cell_sets.sets.chunks(SETS_PER_POLL) {
            proceed(progress(0.0))?;
            for &set in cells {
                let mut slots = SetSlots { first: n_slots, ..SetSlots::default() };
                for (number, region) in order.regions(&grid, set).enumerate() {
                    // Most cells are in region 0, whose number has no bits.
                    for cell in ones(region).filter(|_| number > 0) {
                        let shift = REGION_BITS * (cell % CELLS_PER_WORD);
                        slots.regions[cell / CELLS_PER_WORD] |= (number as u32) << shift;
                    }
                    n_slots += 1;
                }
                sets.push(slots);
            }
        }
        Ok(SlotIndex { cell_sets, grid, sets, n_slots: n_slots as usize, order })
    }

    /// The number of slots.
    pub fn n_slots(&self) -> usize {
        self.n_slots
    }

    /// The number of permutations of the tiles on the cells of a slot.
    pub fn n_perms(&self) -> usize {
        self.cell_sets.n_perms()
    }

    /// The regions of a set, in the order of its slots.
    pub(crate) fn regions(&self, set: u32) -> impl Iterator<Item = u32> {
        self.order.regions(&self.grid, set)
    }

    /// The slot of a set whose region contains the blank's cell, which must be free. Sets are the bits of a
    /// word.
    #[inline]
    pub fn slot(&self, set: u32, blank: usize) -> usize {
        self.sets[self.cell_sets.set_number(set)].slot(blank)
    }

    /// The column of the slot of a set whose region contains the blank's cell, which must be free.
    pub fn column(&self, set: u32, blank: usize) -> usize {
        let number = self.cell_sets.set_number(set);
        match (self.order, self.sets[number].region(blank)) {
            (ColumnOrder::BySet, _) => self.sets[number].slot(blank),
            (ColumnOrder::LargestFirst, 0) => number,
            (ColumnOrder::LargestFirst, _) => self.other_columns(number).slot(blank),
        }
    }

    /// The slots of each set, in the order of the sets.
    pub(crate) fn set_slots(&self) -> &[SetSlots] {
        &self.sets
    }

    /// The columns of all regions but the largest one of a set, if that is first. Its column is the number of the set.
    pub(crate) fn other_columns(&self, set_number: usize) -> SetSlots {
        // Every set before this one has one region among the first columns. The other regions have the numbers 1, 2, ….
        let SetSlots { first, regions } = self.sets[set_number];
        let n_others_before = first - set_number as u32;
        SetSlots { first: self.sets.len() as u32 + n_others_before - 1, regions }
    }

    /// The slots in the order of their columns.
    pub(crate) fn slots_by_column(&self) -> Vec<u32> {
        if self.order == ColumnOrder::BySet {
            return (0..self.n_slots as u32).collect();
        }
        let first = |set: usize| self.slots_of(set..set + 1).start as u32;
        let largest = (0..self.sets.len()).map(first);
        let others = (0..self.sets.len()).flat_map(|set| {
            let slots = self.slots_of(set..set + 1);
            slots.skip(1).map(|slot| slot as u32)
        });
        largest.chain(others).collect()
    }

    /// The cells outside the first region of each set, as bits of a word, in the order of the sets.
    pub(crate) fn outside_first(&self) -> impl Iterator<Item = u32> {
        let outside = |&set: &u32| self.regions(set).skip(1).fold(0, |outside, it| outside | it);
        self.cell_sets.sets.iter().map(outside)
    }

    /// The slots of the sets with these numbers.
    pub(crate) fn slots_of(&self, sets: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let first = |set: usize| self.sets.get(set).map_or(self.n_slots, |set| set.first as usize);
        first(sets.start)..first(sets.end)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    #[test]
    fn known_numbers_of_slots_are_right() {
        for (rows, cols, n_tiles, n_slots) in KNOWN_SLOTS {
            assert_eq!(count_slots(Dims::new(rows, cols).unwrap(), n_tiles), n_slots);
        }
    }

    /// Every free cell of every set leads to the slot of its region, and slots are numbered without gaps.
    #[test]
    fn slots_are_the_regions_of_the_sets() {
        let sizes = [(2, 2, 2), (3, 3, 4), (2, 8, 8), (4, 4, 6), (5, 5, 5), (2, 12, 6), (3, 8, 6)];
        for (rows, cols, n_tiles) in sizes {
            let dims = Dims::new(rows, cols).unwrap();
            let index = SlotIndex::new(dims, n_tiles, &mut |_| ControlFlow::Continue(())).unwrap();
            let slots_by_column = index.slots_by_column();
            let mut n_slots = 0;
            for (number, &set) in index.cell_sets.sets.iter().enumerate() {
                assert_eq!(index.slots_of(number..number + 1).start, n_slots);
                for (nth, region) in index.regions(set).enumerate() {
                    assert!(ones(region).all(|cell| index.slot(set, cell) == n_slots), "{set:b}");
                    let column = index.column(set, ones(region).next().unwrap());
                    assert!(ones(region).all(|cell| index.column(set, cell) == column), "{set:b}");
                    match index.order {
                        ColumnOrder::BySet => assert_eq!(column, n_slots, "{set:b}"),
                        ColumnOrder::LargestFirst => assert_eq!(column == number, nth == 0),
                    }
                    assert_eq!(slots_by_column[column] as usize, n_slots, "{set:b}");
                    n_slots += 1;
                }
            }
            assert_eq!((index.n_slots(), slots_by_column.len()), (n_slots, n_slots));
        }
    }
}
