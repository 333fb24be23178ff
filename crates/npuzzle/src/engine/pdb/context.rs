//! What all threads of a search know: the tables, and what slides do on boards of this size.

use npuzzle_core::{Cell, Dims, Slide};
use npuzzle_tables::{Automaton, PdbSet};

use crate::engine::pdb::lookup::Lookup;

/// For boards of up to `N` cells and `C` columns, with tables of `BITS` bits an entry. All slices
/// of a search see the same, so it is made once and not for each; that makes the code plainer, and no
/// search measurably faster.
pub(crate) struct Context<'a, const N: usize, const C: usize, const BITS: usize> {
    pub(crate) set: &'a PdbSet,
    pub(crate) dims: Dims,
    pub(crate) view: Lookup<'a, N, C, BITS>,
    pub(crate) automaton: &'a Automaton,
    /// The label of the blank.
    pub(crate) home: usize,
    /// Bit `slide` is set if the slide is legal, for every place of the blank.
    pub(crate) legal: [u8; N],
    /// What a slide of a tile from a cell adds to Manhattan distance, 1 or -1.
    pub(crate) nearer: [[[i8; N]; N]; 4],
}

impl<'a, const N: usize, const C: usize, const BITS: usize> Context<'a, N, C, BITS> {
    pub(crate) fn new(set: &'a PdbSet, automaton: &'a Automaton) -> Self {
        let dims = set.dims();
        let (mut legal, mut nearer) = ([0; N], [[[0; N]; N]; 4]);
        for cell in (0..dims.cells() as u16).map(Cell::new) {
            for slide in Slide::ALL {
                let is_legal = dims.source(cell, slide).is_some();
                legal[cell.index()] |= u8::from(is_legal) << slide as u8;
                let Some(to) = dims.source(cell, slide.opposite()) else { continue };
                for tile in (0..dims.cells() as u16).map(Cell::new) {
                    let change = dims.distance(to, tile) as i8 - dims.distance(cell, tile) as i8;
                    nearer[slide as usize][tile.index()][cell.index()] = change;
                }
            }
        }
        let home = set.blank().index();
        Context { set, dims, view: Lookup::new(set), automaton, home, legal, nearer }
    }
}
