//! What keeps a count from looking at all boards: lower bounds on the moves to the goal.

use npuzzle_core::heuristic::LinearConflict;
use npuzzle_core::search::{Cost, Heuristic};
use npuzzle_core::{Arrangement, Board, Cell, Metric, Sliding};
use npuzzle_tables::{Pattern, PdbSet};

use crate::tables::additive_pdb::AdditivePdb;
use crate::tables::full::FullTable;

/// A lower bound on the moves to the goal, in the metric of the count.
pub(super) trait Bound<A> {
    /// Whether the goal may be at most so many moves away. May be true of any state, and must be of
    /// those from which it is so.
    fn is_within(&self, state: &A, left: Cost) -> bool;
}

/// A table of all distances.
pub(super) struct Exact<'a> {
    table: &'a FullTable,
}

impl<'a> Exact<'a> {
    /// In the table's metric.
    pub(super) fn new(table: &'a FullTable) -> Exact<'a> {
        Exact { table }
    }
}

impl<A: Arrangement> Bound<A> for Exact<'_> {
    fn is_within(&self, state: &A, left: Cost) -> bool {
        self.table.distance_of(state).is_some_and(|distance| distance <= left)
    }
}

/// Manhattan distance, and what pattern databases know beyond it: the value of [`AdditivePdb`], got
/// without allocations, and given up as soon as it is known to be too much.
pub(super) struct ByPatterns<'a> {
    patterns: &'a AdditivePdb,
    set: &'a PdbSet,
    is_mirrored: bool,
    /// The label of the blank.
    home: usize,
    n_cells: usize,
    /// The distance of a label from its place, by label and cell.
    distances: [[u8; MAX_CELLS]; MAX_CELLS],
    /// The cell, or the label, in the place of another on the transposed board.
    transposed: [u8; MAX_CELLS],
}

const MAX_CELLS: usize = PdbSet::MAX_CELLS;

impl<'a> ByPatterns<'a> {
    /// In the single-tile metric.
    pub(super) fn new(patterns: &'a AdditivePdb) -> ByPatterns<'a> {
        let frame = patterns.form();
        let dims = frame.dims();
        let cells = || (0..dims.cells() as u16).map(Cell::new);
        let mut bound = ByPatterns {
            patterns,
            set: patterns.set(),
            is_mirrored: patterns.is_mirrored(),
            home: frame.blank().index(),
            n_cells: dims.cells(),
            distances: [[0; MAX_CELLS]; MAX_CELLS],
            transposed: [0; MAX_CELLS],
        };
        for label in cells().filter(|&label| label != frame.blank()) {
            for cell in cells() {
                bound.distances[label.index()][cell.index()] = dims.distance(label, cell) as u8;
            }
        }
        if bound.is_mirrored {
            for cell in cells() {
                let across = dims.cell(dims.col(cell), dims.row(cell));
                bound.transposed[cell.index()] = across.index() as u8;
            }
        }
        bound
    }

    /// Whether what the patterns know beyond Manhattan distance is at most `left`.
    fn excess_is_within(&self, cells: &[u8; MAX_CELLS], left: Cost) -> bool {
        let mut excess = 0;
        for (pattern, table) in self.set.tables() {
            let mut of_pattern = [0; Pattern::MAX_TILES];
            let tiles = pattern.tiles();
            for (cell, &tile) in of_pattern.iter_mut().zip(tiles) {
                *cell = cells[usize::from(tile)];
            }
            excess += 2 * Cost::from(table.get(pattern.rank(&of_pattern[..tiles.len()])));
            if excess > left {
                return false;
            }
        }
        true
    }
}

impl<A: Arrangement> Bound<A> for ByPatterns<'_> {
    fn is_within(&self, state: &A, left: Cost) -> bool {
        let mut labels = [0; MAX_CELLS];
        let labels = &mut labels[..self.n_cells];
        self.patterns.form().label_of(state, labels);
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
        let at = |label: usize| usize::from(self.transposed[label]);
        for label in (0..self.n_cells).filter(|&label| label != self.home) {
            mirrored[at(label)] = self.transposed[usize::from(cells[label])];
        }
        self.excess_is_within(&mirrored, left)
    }
}

/// Linear conflict; in the multi-tile metric, as many runs as that many slides take at least.
pub(super) struct Weak {
    slides: LinearConflict,
    /// Slides in the longest move.
    longest: Cost,
}

impl Weak {
    pub(super) fn new(goal: &Board, metric: Metric) -> Weak {
        let dims = goal.dims();
        let longest = match metric {
            Metric::Stm => 1,
            Metric::Mtm => dims.rows().max(dims.cols()) as Cost - 1,
        };
        Weak { slides: LinearConflict::new(goal), longest }
    }
}

impl<A: Arrangement> Bound<A> for Weak {
    fn is_within(&self, state: &A, left: Cost) -> bool {
        let memo = Heuristic::<Sliding<A>>::eval(&self.slides, state);
        let slides = Heuristic::<Sliding<A>>::value(&self.slides, &memo);
        slides.div_ceil(self.longest) <= left
    }
}
