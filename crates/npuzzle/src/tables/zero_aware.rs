//! Zero-aware pattern databases as seen from a goal.
//!
//! The heuristic is the plain twin of the incremental lookup in [`engine::pdb`](crate::engine::pdb): every board
//! is looked up from scratch, by a walk to the goal for each pattern.

use std::sync::Arc;

use npuzzle_core::search::{Cost, Heuristic};
use npuzzle_core::{Arrangement, Sliding};
use npuzzle_tables::{ZeroAwarePdb, ZeroAwareSet};

use crate::tables::canonical::CanonicalForm;

/// The tables of a goal, in its canonical form; as a heuristic, the sum of the costs of the patterns. Where the
/// goal permits, the transposed board is looked up as well, and the larger value counts.
#[derive(Clone, Debug)]
pub(crate) struct ZeroAwareTables {
    form: CanonicalForm,
    set: Arc<ZeroAwareSet>,
}

impl ZeroAwareTables {
    /// The tables for the goal of a canonical form, with the set for that form.
    pub(crate) fn new(form: CanonicalForm, set: Arc<ZeroAwareSet>) -> ZeroAwareTables {
        ZeroAwareTables { form, set }
    }

    pub(crate) fn form(&self) -> &CanonicalForm {
        &self.form
    }

    pub(crate) fn set(&self) -> &ZeroAwareSet {
        &self.set
    }

    /// The sum of the costs of the patterns, for labels given by cell.
    fn cost(&self, labels: &[u8]) -> Cost {
        let cell_of = |label: u8| labels.iter().position(|&other| other == label).unwrap_or(0);
        let blank = cell_of(self.form.blank().index() as u8);
        let cost = |table: &ZeroAwarePdb| {
            let tiles = table.pattern().tiles();
            let cells: Vec<u8> = tiles.iter().map(|&tile| cell_of(tile) as u8).collect();
            table.cost(&cells, blank) as Cost
        };
        self.set.tables().iter().map(cost).sum()
    }
}

impl<A: Arrangement> Heuristic<Sliding<A>> for ZeroAwareTables {
    type Memo = Cost;

    fn eval(&self, state: &A) -> Cost {
        let labels = self.form.labels(&state.to_board(self.form.dims()));
        let mirrored = self.form.is_mirrored().then(|| self.cost(&self.form.transposed(&labels)));
        self.cost(&labels).max(mirrored.unwrap_or(0))
    }

    fn value(&self, &memo: &Cost) -> Cost {
        memo
    }
}
