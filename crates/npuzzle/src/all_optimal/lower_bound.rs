//! Lower bounds on the moves to the goal, which keep a count from visiting all boards.

use npuzzle_core::heuristic::LinearConflict;
use npuzzle_core::search::{Cost, Heuristic};
use npuzzle_core::{Arrangement, Board, Metric, Sliding};
use npuzzle_tables::{Pattern, PdbSet};

use crate::tables::additive_pdb::AdditivePdb;
use crate::tables::full::FullTable;

/// An admissible lower bound on the moves to the goal, in the metric of the count.
pub(super) trait LowerBound<A> {
    /// Whether the bound is at most `left`. It must be true for every state whose distance to the goal
    /// is at most `left`, and may be true for others.
    fn is_within(&self, state: &A, left: Cost) -> bool;

    /// The size of its tables in bytes, if the count has to fit into memory next to them.
    fn n_table_bytes(&self) -> usize {
        0
    }
}

/// The exact distance, from a table of all distances in the metric of the table.
pub(super) struct FullTableBound<'a> {
    table: &'a FullTable,
}

impl<'a> FullTableBound<'a> {
    pub(super) fn new(table: &'a FullTable) -> FullTableBound<'a> {
        FullTableBound { table }
    }
}

impl<A: Arrangement> LowerBound<A> for FullTableBound<'_> {
    fn is_within(&self, state: &A, left: Cost) -> bool {
        self.table.distance_of(state).is_some_and(|distance| distance <= left)
    }
}

/// The value of additive pattern databases (Felner, Korf and Hanan 2004) in the single-tile metric. It
/// equals the heuristic [`AdditivePdb`], but needs no allocation and stops as soon as the value is known
/// to be too large.
pub(super) struct PdbBound<'a> {
    patterns: &'a AdditivePdb,
    set: &'a PdbSet,
    is_mirrored: bool,
    /// The label of the blank.
    blank_label: usize,
    n_cells: usize,
    /// The distance of a tile from its goal cell, by label and cell.
    distances: [[u8; MAX_CELLS]; MAX_CELLS],
    /// The image of each cell, and so of each label, on the transposed board.
    transposed: [u8; MAX_CELLS],
}

const MAX_CELLS: usize = PdbSet::MAX_CELLS;

impl<'a> PdbBound<'a> {
    pub(super) fn new(patterns: &'a AdditivePdb) -> PdbBound<'a> {
        let form = patterns.form();
        let dims = form.dims();
        let mut bound = PdbBound {
            patterns,
            set: patterns.set(),
            is_mirrored: patterns.form().is_mirrored(),
            blank_label: form.blank().index(),
            n_cells: dims.cells(),
            distances: [[0; MAX_CELLS]; MAX_CELLS],
            transposed: [0; MAX_CELLS],
        };
        for label in dims.all_cells().filter(|&label| label != form.blank()) {
            for cell in dims.all_cells() {
                bound.distances[label.index()][cell.index()] = dims.distance(label, cell) as u8;
            }
        }
        if bound.is_mirrored {
            for cell in dims.all_cells() {
                let image = dims.cell(dims.col(cell), dims.row(cell));
                bound.transposed[cell.index()] = image.index() as u8;
            }
        }
        bound
    }

    /// Whether the excess of the patterns over Manhattan distance is at most `left`.
    fn excess_is_within(&self, cells: &[u8; MAX_CELLS], left: Cost) -> bool {
        let mut excess = 0;
        for (pattern, table) in self.set.tables() {
            let mut pattern_cells = [0; Pattern::MAX_TILES];
            let tiles = pattern.tiles();
            for (cell, &tile) in pattern_cells.iter_mut().zip(tiles) {
                *cell = cells[usize::from(tile)];
            }
            excess += 2 * Cost::from(table.get(pattern.rank(&pattern_cells[..tiles.len()])));
            if excess > left {
                return false;
            }
        }
        true
    }
}

impl<A: Arrangement> LowerBound<A> for PdbBound<'_> {
    fn n_table_bytes(&self) -> usize {
        self.patterns.n_bytes()
    }

    fn is_within(&self, state: &A, left: Cost) -> bool {
        let mut labels = [0; MAX_CELLS];
        let labels = &mut labels[..self.n_cells];
        self.patterns.form().label(state, labels);
        let mut cells = [0; MAX_CELLS];
        let mut manhattan = 0;
        for (cell, &label) in labels.iter().enumerate() {
            let label = usize::from(label);
            cells[label] = cell as u8;
            manhattan += Cost::from(self.distances[label][cell]);
        }
        let Some(left) = left.checked_sub(manhattan) else { return false };
        if !self.excess_is_within(&cells, left) {
            return false;
        }
        if !self.is_mirrored {
            return true;
        }
        let mut mirrored = [0; MAX_CELLS];
        let image = |label: usize| usize::from(self.transposed[label]);
        for label in (0..self.n_cells).filter(|&label| label != self.blank_label) {
            mirrored[image(label)] = self.transposed[usize::from(cells[label])];
        }
        self.excess_is_within(&mirrored, left)
    }
}

/// Linear conflict (Hansson, Mayer and Yung 1992). In the multi-tile metric, the minimum number of runs
/// with that many slides.
pub(super) struct ConflictBound {
    slides: LinearConflict,
    /// The number of slides in the longest move.
    max_slides: Cost,
}

impl ConflictBound {
    pub(super) fn new(goal: &Board, metric: Metric) -> ConflictBound {
        let max_slides = super::max_slides_per_move(goal.dims(), metric) as Cost;
        ConflictBound { slides: LinearConflict::new(goal), max_slides }
    }
}

impl<A: Arrangement> LowerBound<A> for ConflictBound {
    fn is_within(&self, state: &A, left: Cost) -> bool {
        let memo = Heuristic::<Sliding<A>>::eval(&self.slides, state);
        let slides = Heuristic::<Sliding<A>>::value(&self.slides, &memo);
        slides.div_ceil(self.max_slides) <= left
    }
}
