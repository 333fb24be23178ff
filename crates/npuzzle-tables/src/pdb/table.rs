//! A pattern database: the minimum number of moves of a pattern's tiles, for each placement.
//!
//! Pattern databases are due to Culberson and Schaeffer (1998). Here only moves of the pattern's own
//! tiles are counted, so the values of disjoint patterns add up to a lower bound (Korf and Felner 2002).
//! The other tiles are indistinguishable, and the blank passes through them at no cost. The blank's
//! cell restricts the next moves, but the table does not distinguish it: the value of a placement is
//! the minimum over all cells of the blank.

use std::ops::ControlFlow;

use npuzzle_core::search::Limit;
use npuzzle_core::{Cell, Dims};

use crate::build_context::Progress;
use crate::parallel::drop_in_background;
use crate::pdb::build::{self, Keep};
use crate::pdb::cell_sets::CellSets;
use crate::pdb::pattern::Pattern;
use crate::pdb::slot_index::SlotIndex;

/// The minimum number of moves of a pattern's tiles, for each placement, in one byte each.
#[derive(Clone, Debug)]
pub struct PatternDatabase {
    pub(crate) pattern: Pattern,
    pub(crate) dims: Dims,
    pub(crate) cell_sets: CellSets,
    /// By cell set, then by permutation.
    pub(crate) costs: Vec<u8>,
}

impl PatternDatabase {
    /// Builds the table of a pattern on a board of this size. `blank` is the blank's goal cell. Returns
    /// `None` if the pattern is for another number of cells or contains the blank.
    pub fn build(dims: Dims, blank: Cell, pattern: &Pattern) -> Option<PatternDatabase> {
        let proceed = &mut |_| ControlFlow::Continue(());
        PatternDatabase::build_on(1, dims, blank, pattern, proceed)?.ok()
    }

    /// [`build`](PatternDatabase::build) on `threads` threads, with a progress callback.
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
        let (keep, threads) = (Keep::Minimum, threads.max(1));
        let mut build = || {
            let index = SlotIndex::new(dims, pattern.tiles().len(), progress)?;
            let costs = build::build(blank, pattern, &index, keep, threads, progress)?;
            let (pattern, cell_sets) = (pattern.clone(), index.cell_sets);
            Ok(PatternDatabase { pattern, dims, cell_sets, costs })
        };
        Some(build())
    }

    /// Drops the table without making the caller wait until the system has freed its memory.
    pub(crate) fn drop_in_background(self) {
        let n_bytes = self.costs.len();
        drop_in_background(self, n_bytes);
    }

    /// The pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The size of the board.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// The minimum number of moves for a placement, given as the cells of the tiles.
    pub fn cost(&self, cells: &[u8]) -> u8 {
        let set = cells.iter().fold(0, |set, &cell| set | 1 << cell);
        let perm = self.cell_sets.perm_number(cells);
        self.costs[self.cell_sets.set_number(set) * self.cell_sets.n_perms() + perm]
    }

    /// The number of placements with each cost.
    pub fn histogram(&self) -> Vec<u64> {
        let max = self.costs.iter().copied().max().unwrap_or(0);
        let mut counts = vec![0; usize::from(max) + 1];
        for &cost in &self.costs {
            counts[usize::from(cost)] += 1;
        }
        counts
    }
}
