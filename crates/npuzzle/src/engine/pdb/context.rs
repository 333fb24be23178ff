//! Constant data of a search: the tables, and the effect of slides on boards of one size.

use npuzzle_core::{Cell, Slide};
use npuzzle_tables::{SizeKey, SlideAutomaton, SlotLookup, ZeroAwarePdb, ZeroAwareSet};

use crate::tables::canonical::CanonicalForm;

use super::node::{Label, Labels, MAX_CELLS, PatternState, PdbNode, View};

/// Constant data of one partition that all threads of a search share.
pub(crate) struct Context<'a, S> {
    form: &'a CanonicalForm,
    set: &'a ZeroAwareSet,
    pub(super) automaton: &'a SlideAutomaton,
    /// The bytes of all tables.
    pub(super) bytes: &'a [u8],
    pub(super) slots: &'a S,
    /// The places of the tables, in the order of the patterns.
    places: Vec<TablePlace>,
    /// The pattern of each tile.
    pattern_of: [u8; MAX_CELLS],
    /// The change of the number of the first entry of the permutation, modulo 2^32, when a tile jumps another one
    /// toward higher cells; by tiles.
    pub(super) jumps: [[u32; MAX_CELLS]; MAX_CELLS],
    /// The change of the state of a pattern when one of its tiles slides, by slide and cell of the blank.
    pub(super) swap_masks: [[u64; MAX_CELLS]; 4],
    /// Bit `slide` is set if the slide is legal, by cell of the blank.
    pub(super) legal: [u8; MAX_CELLS],
}

/// The place of a table: the number of its first entry among those of all tables, the number of entries of a
/// permutation, and the keys of its sets.
#[derive(Clone, Copy)]
struct TablePlace {
    first_entry: u32,
    entries_per_perm: u32,
    size_key: SizeKey,
}

impl<'a, S: SlotLookup> Context<'a, S> {
    /// The data of one partition. Every tile belongs to a pattern of the set. `slots` are those of the set.
    pub(crate) fn new(
        form: &'a CanonicalForm,
        set: &'a ZeroAwareSet,
        slots: &'a S,
        automaton: &'a SlideAutomaton,
    ) -> Context<'a, S> {
        let dims = form.dims();
        let places = places(set);
        let (mut pattern_of, mut jumps) = ([0; MAX_CELLS], [[0; MAX_CELLS]; MAX_CELLS]);
        for (index, (table, place)) in set.tables().iter().zip(&places).enumerate() {
            let weights = table.perm_weights();
            let weight = |digit: usize| weights[digit].wrapping_mul(place.entries_per_perm);
            for (i, &tile) in table.pattern().tiles().iter().enumerate() {
                pattern_of[usize::from(tile)] = index as u8;
                for (j, &other) in table.pattern().tiles().iter().enumerate() {
                    // The digit of a tile counts the later tiles of the pattern on lower cells.
                    jumps[usize::from(tile)][usize::from(other)] = match j.cmp(&i) {
                        std::cmp::Ordering::Less => weight(j).wrapping_neg(),
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => weight(i),
                    };
                }
            }
        }
        let (mut legal, mut swap_masks) = ([0; MAX_CELLS], [[0; MAX_CELLS]; 4]);
        for blank in dims.all_cells() {
            for slide in Slide::ALL {
                let Some(from) = dims.source(blank, slide) else { continue };
                legal[blank.index()] |= 1 << slide as u8;
                swap_masks[slide as usize][blank.index()] =
                    PatternState::swap_mask(from.index(), blank.index());
            }
        }
        Context {
            form,
            set,
            automaton,
            bytes: set.bytes(),
            slots,
            places,
            pattern_of,
            jumps,
            swap_masks,
            legal,
        }
    }

    /// The node of a board, from scratch.
    pub(super) fn root(&self, labels: &[u8]) -> PdbNode {
        let (board, h) = self.view(labels);
        let (mirror, mirror_h) = match self.form.is_mirrored() {
            true => self.view(&self.form.transposed(labels)),
            false => (board, h),
        };
        let automaton = SlideAutomaton::START;
        PdbNode { views: [board, mirror], automaton, h: [h, mirror_h] }
    }

    /// A board with its heuristic value.
    fn view(&self, labels: &[u8]) -> (View, i32) {
        let blank = cell_of(labels, self.form.blank().index() as u8).index();
        let label = |&tile: &u8| Label::new(tile, self.pattern_of[usize::from(tile) % MAX_CELLS]);
        let labels_with_patterns = Labels::new(labels.iter().map(label));
        let mut view = View { labels: labels_with_patterns, blank, patterns: Default::default() };
        let mut h = 0;
        let tables = self.set.tables().iter().zip(&self.places);
        for ((table, place), state) in tables.zip(&mut view.patterns) {
            let tiles = table.pattern().tiles();
            let cells: Vec<u8> =
                tiles.iter().map(|&tile| cell_of(labels, tile).index() as u8).collect();
            let cost = table.cost(&cells, blank);
            let set = cells.iter().fold(0, |set, &cell| set | 1 << cell);
            let perm = table.perm(&cells) as u32;
            let first_entry = place.first_entry.wrapping_add(perm * place.entries_per_perm);
            *state = PatternState::new(place.size_key.key(set), first_entry, cost);
            h += cost as i32;
        }
        (view, h)
    }
}

/// The cell of a label.
fn cell_of(labels: &[u8], label: u8) -> Cell {
    Cell::new(labels.iter().position(|&other| other == label).unwrap_or(0) as u16)
}

/// The places of the tables of a set. Each permutation begins with a new byte.
fn places(set: &ZeroAwareSet) -> Vec<TablePlace> {
    let mut first_entry = 0u32;
    let place = |(table, &size_key): (&ZeroAwarePdb, &SizeKey)| {
        let entries_per_perm = 8 * table.bytes_per_perm() as u32;
        // The look-up adds the place of the sets to their columns.
        let columns_at = first_entry.wrapping_sub(size_key.first());
        let place = TablePlace { first_entry: columns_at, entries_per_perm, size_key };
        first_entry += 8 * table.bytes().len() as u32;
        place
    };
    set.tables().iter().zip(set.size_keys()).map(place).collect()
}
