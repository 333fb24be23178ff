//! How many moves the tiles of a pattern need.
//!
//! Only moves of the pattern's own tiles are counted, so the tables of disjoint patterns add up to
//! a lower bound of the whole board. The other tiles are all alike: the blank passes through them
//! at no cost. Where the blank is matters to what can move next but is forgotten in the end: a
//! placement's value is the smallest over all places of the blank.

use std::ops::ControlFlow;

use npuzzle_core::search::Limit;
use npuzzle_core::{Cell, Dims};

use crate::build_context::Progress;
use crate::parallel::watched::give_back;
use crate::pdb::build::{self, Keep};
use crate::pdb::cell_sets::CellSets;
use crate::pdb::pattern::Pattern;

/// The least number of moves of a pattern's tiles for every placement.
#[derive(Clone, Debug)]
pub struct PatternDatabase {
    pub(crate) pattern: Pattern,
    pub(crate) dims: Dims,
    pub(crate) placements: CellSets,
    /// By set of cells and order of tiles.
    pub(crate) costs: Vec<u8>,
}

impl PatternDatabase {
    /// Builds the table of a pattern on a board of this size whose blank belongs at `blank`.
    /// `None` if the pattern is of another size or holds the blank.
    pub fn build(dims: Dims, blank: Cell, pattern: &Pattern) -> Option<PatternDatabase> {
        let built =
            PatternDatabase::build_on(1, dims, blank, pattern, &mut |_| ControlFlow::Continue(()));
        built?.ok()
    }

    /// [`build`](PatternDatabase::build) on so many threads, telling how far it is.
    pub fn build_on(
        threads: usize,
        dims: Dims,
        blank: Cell,
        pattern: &Pattern,
        progress: Progress<'_>,
    ) -> Option<Result<PatternDatabase, Limit>> {
        if pattern.n_cells() != dims.cells() || pattern.tiles().contains(&(blank.index() as u8)) {
            return None;
        }
        let placements = CellSets::new(dims.cells(), pattern.tiles().len());
        let costs =
            build::build(dims, blank, pattern, &placements, Keep::Least, threads.max(1), progress);
        Some(costs.map(|costs| PatternDatabase {
            pattern: pattern.clone(),
            dims,
            placements,
            costs,
        }))
    }

    /// Drops the table without making the caller wait for the system to free its memory.
    pub(crate) fn drop_in_background(self) {
        let n_bytes = self.costs.len();
        give_back(self, n_bytes);
    }

    /// The pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The least number of moves for a placement, given as the cells of the tiles in order.
    pub fn cost(&self, cells: &[u8]) -> u8 {
        let set = cells.iter().fold(0, |set, &cell| set | 1 << cell);
        let order = self.placements.order_number(cells);
        self.cost_at(self.placements.set_number(set), order)
    }

    /// The size of the board.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// The cost of a placement, by the numbers of its set and order.
    pub(crate) fn cost_at(&self, set: usize, order: usize) -> u8 {
        self.costs[set * self.placements.n_orders() + order]
    }

    /// How many placements need each number of moves.
    pub fn histogram(&self) -> Vec<u64> {
        let most = self.costs.iter().copied().max().unwrap_or(0);
        let mut counts = vec![0; usize::from(most) + 1];
        for &cost in &self.costs {
            counts[usize::from(cost)] += 1;
        }
        counts
    }
}
