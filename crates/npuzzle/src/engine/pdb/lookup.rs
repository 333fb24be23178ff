//! Look-ups of the entries that a slide leads to.

use npuzzle_tables::SlotLookup;

use super::context::Context;
use super::node::{
    DOWN, EntryIndex, LOWER_BIT, MAX_CELLS, MAX_PATTERNS, PERM_BIT, PatternState, UP, View, offset,
};

impl<S: SlotLookup> Context<'_, S> {
    /// The entry of the pattern that a slide changes.
    #[inline(always)]
    pub(super) fn entry_index<const COLS: usize>(
        &self,
        view: &View,
        slide: usize,
        blank: usize,
    ) -> EntryIndex {
        let offset = offset::<COLS>(slide);
        let label = usize::from(view.labels.near(blank, offset));
        let pattern = usize::from(self.pattern_of[label]) % MAX_PATTERNS;
        let mut state = view.patterns[pattern].0 ^ self.swap_masks[slide][blank % MAX_CELLS];
        if slide == UP || slide == DOWN {
            // The tile jumps those in the cells between. Tiles of other patterns do not count.
            let jumps = &self.jumps[label % MAX_CELLS];
            let lower = if slide == DOWN { offset } else { 0 };
            let jumped = (1..COLS as isize).map(|i| view.labels.near(blank, lower + i));
            let jump = jumped
                .map(|label| jumps[usize::from(label) % MAX_CELLS])
                .fold(0, u32::wrapping_add);
            let jump = u64::from(jump) << PERM_BIT;
            state = if slide == DOWN { state.wrapping_add(jump) } else { state.wrapping_sub(jump) };
        }
        let (state, table) = (PatternState(state), &self.tables[pattern]);
        // The blank is now where the tile was.
        let from = blank.wrapping_add_signed(offset);
        let slot = self.slots.slot(table.size, state.set(), from);
        let byte = table.first_byte + state.perm() as u32 * table.bytes_per_perm + slot as u32 / 8;
        EntryIndex { state, byte, bit: slot as u8 % 8, pattern: pattern as u8 }
    }

    /// Whether the slide to an entry raises the cost of its pattern: 1 if it does, and 0 if it lowers it.
    #[inline(always)]
    pub(super) fn rise(&self, index: EntryIndex) -> u64 {
        let entry = u64::from(self.bytes[index.byte as usize] >> (index.bit % 8));
        (entry ^ index.state.0 >> LOWER_BIT) & 1
    }

    /// Prefetches an entry into the cache.
    #[inline(always)]
    pub(super) fn prefetch(&self, index: EntryIndex) {
        npuzzle_tables::prefetch(self.bytes, index.byte as usize);
    }
}
