//! Constant data of a search: the tables, and the effect of slides on boards of one size.

use npuzzle_core::{Dims, Slide};
use npuzzle_tables::{PdbSet, SlideAutomaton};

use super::config::{Config, PerCell};
use super::lookup::Lookup;
use super::packed::PackedBoard;

/// Constant data that all threads of a search share. It is built once per search, not once per subtree;
/// that keeps the code simple and made no search measurably faster.
pub(crate) struct Context<'a, L: Config> {
    pub(crate) dims: Dims,
    pub(crate) lookup: Lookup<'a, L>,
    pub(crate) automaton: &'a SlideAutomaton,
    /// The label of the blank: its goal cell.
    pub(crate) blank_label: usize,
    /// Bit `slide` is set if the slide is legal, by cell of the blank.
    pub(crate) legal: PerCell<L, u8>,
    /// The change of Manhattan distance, 1 or -1, by slide, tile and the cell that the tile leaves.
    pub(crate) manhattan_change: [PerCell<L, PerCell<L, i8>>; 4],
}

impl<'a, L: Config> Context<'a, L> {
    pub(crate) fn new(set: &'a PdbSet, automaton: &'a SlideAutomaton) -> Self {
        let dims = set.dims();
        let mut legal = L::Board::per_cell(0);
        let mut manhattan_change = [L::Board::per_cell(L::Board::per_cell(0)); 4];
        for cell in dims.all_cells() {
            for slide in Slide::ALL {
                let is_legal = dims.source(cell, slide).is_some();
                legal[cell.index()] |= u8::from(is_legal) << slide as u8;
                let Some(to) = dims.source(cell, slide.opposite()) else { continue };
                for tile in dims.all_cells() {
                    let change = dims.distance(to, tile) as i8 - dims.distance(cell, tile) as i8;
                    manhattan_change[slide as usize][tile.index()][cell.index()] = change;
                }
            }
        }
        let blank_label = set.blank().index();
        Context { dims, lookup: Lookup::new(set), automaton, blank_label, legal, manhattan_change }
    }
}
