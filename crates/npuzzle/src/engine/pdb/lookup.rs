//! Look-ups of the entries that a slide leads to.

use npuzzle_tables::SlotLookup;

use super::context::Context;
use super::node::{
    DOWN, EntryIndex, FIRST_ENTRY_BIT, LOWER_BIT, MAX_CELLS, PatternState, UP, View, offset,
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
        let label = view.labels.near(blank, offset);
        let pattern = label.pattern();
        let mut state = view.patterns[pattern].0 ^ self.swap_masks[slide][blank % MAX_CELLS];
        if slide == UP || slide == DOWN {
            // The tile jumps those in the cells between. Tiles of other patterns do not count.
            let jumps = &self.jumps[label.tile()];
            let lower = if slide == DOWN { offset } else { 0 };
            let jumped = (1..COLS as isize).map(|i| view.labels.near(blank, lower + i));
            let jump = jumped.map(|label| jumps[label.tile()]).fold(0, u32::wrapping_add);
            let jump = u64::from(jump) << FIRST_ENTRY_BIT;
            state = if slide == DOWN { state.wrapping_add(jump) } else { state.wrapping_sub(jump) };
        }
        let state = PatternState(state);
        // The blank is now where the tile was.
        let from = blank.wrapping_add_signed(offset);
        let entry = state.first_entry().wrapping_add(self.slots.column(state.key(), from) as u32);
        EntryIndex { state, entry, pattern: pattern as u32 }
    }

    /// Whether the slide to an entry raises the cost of its pattern: 1 if it does, and 0 if it lowers it.
    #[inline(always)]
    pub(super) fn rise(&self, index: EntryIndex) -> u64 {
        let bits = u64::from(self.bytes[index.entry as usize / 8] >> (index.entry % 8));
        (bits ^ index.state.0 >> LOWER_BIT) & 1
    }

    /// Prefetches an entry into the cache.
    #[inline(always)]
    pub(super) fn prefetch(&self, index: EntryIndex) {
        npuzzle_tables::prefetch(self.bytes, index.entry as usize / 8);
    }
}
