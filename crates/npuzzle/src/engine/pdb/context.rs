//! Constant data of a search: the tables, and the effect of slides on boards of one size.

use npuzzle_core::{Cell, Slide};
use npuzzle_tables::{SizeOffset, SlideAutomaton, SlotLookup, ZeroAwareSet};

use crate::tables::zero_aware::ZeroAwareTables;

use super::node::{Labels, MAX_CELLS, MAX_PATTERNS, PatternState, PdbNode, View};

/// Constant data that all threads of a search share.
pub(crate) struct Context<'a, S> {
    pdb: &'a ZeroAwareTables,
    pub(super) automaton: &'a SlideAutomaton,
    /// The bytes of all tables.
    pub(super) bytes: &'a [u8],
    pub(super) slots: &'a S,
    pub(super) tables: [TablePlace; MAX_PATTERNS],
    /// The pattern of each label. Any byte is an index.
    pub(super) pattern_of: [u8; 256],
    /// The change of the number of the permutation, modulo 2^32, when a tile jumps another one toward higher
    /// cells; by their labels.
    pub(super) jumps: [[u32; MAX_CELLS]; MAX_CELLS],
    /// The change of the state of a pattern when one of its tiles slides, by slide and cell of the blank.
    pub(super) swap_masks: [[u64; MAX_CELLS]; 4],
    /// Bit `slide` is set if the slide is legal, by cell of the blank.
    pub(super) legal: [u8; MAX_CELLS],
}

/// The place of a table.
#[derive(Clone, Copy, Default)]
pub(super) struct TablePlace {
    pub(super) first_byte: u32,
    pub(super) bytes_per_perm: u32,
    pub(super) size: SizeOffset,
}

impl<'a, S: SlotLookup> Context<'a, S> {
    /// Every tile belongs to a pattern of the set. `slots` are those of the set.
    pub(crate) fn new(
        pdb: &'a ZeroAwareTables,
        slots: &'a S,
        automaton: &'a SlideAutomaton,
    ) -> Context<'a, S> {
        let (set, dims) = (pdb.set(), pdb.form().dims());
        let (mut pattern_of, mut jumps) = ([0; 256], [[0; MAX_CELLS]; MAX_CELLS]);
        for (index, table) in set.tables().iter().enumerate() {
            let weights = table.perm_weights();
            for (i, &tile) in table.pattern().tiles().iter().enumerate() {
                pattern_of[usize::from(tile)] = index as u8;
                for (j, &other) in table.pattern().tiles().iter().enumerate() {
                    // The digit of a tile counts the later tiles of the pattern on lower cells.
                    jumps[usize::from(tile)][usize::from(other)] = match j.cmp(&i) {
                        std::cmp::Ordering::Less => weights[j].wrapping_neg(),
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => weights[i],
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
            pdb,
            automaton,
            bytes: set.bytes(),
            slots,
            tables: places(set),
            pattern_of,
            jumps,
            swap_masks,
            legal,
        }
    }

    pub(super) fn tables_name(&self) -> String {
        self.pdb.set().partition().name()
    }

    /// The node of a board, from scratch.
    pub(super) fn root(&self, labels: &[u8]) -> PdbNode {
        let (board, h) = self.view(labels);
        let (mirror, mirror_h) = match self.pdb.form().is_mirrored() {
            true => self.view(&self.pdb.form().transposed(labels)),
            false => (board, h),
        };
        let automaton = SlideAutomaton::START;
        PdbNode { views: [board, mirror], automaton, h: [h, mirror_h] }
    }

    /// A board with its heuristic value.
    fn view(&self, labels: &[u8]) -> (View, i32) {
        let blank = cell_of(labels, self.pdb.form().blank().index() as u8).index();
        let mut view = View { labels: Labels::new(labels), blank, patterns: Default::default() };
        let mut h = 0;
        for (table, state) in self.pdb.set().tables().iter().zip(&mut view.patterns) {
            let tiles = table.pattern().tiles();
            let cells: Vec<u8> =
                tiles.iter().map(|&tile| cell_of(labels, tile).index() as u8).collect();
            let cost = table.cost(&cells, blank);
            let set = cells.iter().fold(0, |set, &cell| set | 1 << cell);
            *state = PatternState::new(set, table.perm(&cells) as u16, cost);
            h += cost as i32;
        }
        (view, h)
    }
}

/// The cell of a label.
fn cell_of(labels: &[u8], label: u8) -> Cell {
    Cell::new(labels.iter().position(|&other| other == label).unwrap_or(0) as u16)
}

/// The places of the tables of a set.
fn places(set: &ZeroAwareSet) -> [TablePlace; MAX_PATTERNS] {
    let mut places = [TablePlace::default(); MAX_PATTERNS];
    let mut first_byte = 0;
    for ((table, &size), place) in set.tables().iter().zip(set.size_offsets()).zip(&mut places) {
        let bytes_per_perm = table.bytes_per_perm() as u32;
        *place = TablePlace { first_byte, bytes_per_perm, size };
        first_byte += table.bytes().len() as u32;
    }
    places
}
