//! Additive pattern databases as a heuristic.
//!
//! Every board is ranked from scratch. This serves searches on explicit queues and the count of all optimal
//! solutions; iterative deepening has [`zero_aware`](crate::tables::zero_aware) tables.

use std::sync::Arc;

use npuzzle_core::search::{Cost, Heuristic};
use npuzzle_core::{Arrangement, Cell, Sliding};
use npuzzle_tables::PdbSet;

use crate::tables::canonical::CanonicalForm;

/// Manhattan distance plus the additions of disjoint patterns. Where the goal permits, the transposed
/// board is looked up as well, and the larger value counts.
#[derive(Clone, Debug)]
pub(crate) struct AdditivePdb {
    form: CanonicalForm,
    set: Arc<PdbSet>,
}

impl AdditivePdb {
    /// The heuristic for the goal of a canonical form, with the set for that form.
    pub(crate) fn new(form: CanonicalForm, set: Arc<PdbSet>) -> AdditivePdb {
        AdditivePdb { form, set }
    }

    pub(crate) fn form(&self) -> &CanonicalForm {
        &self.form
    }

    pub(crate) fn set(&self) -> &PdbSet {
        &self.set
    }

    /// The size of the tables in bytes.
    pub(crate) fn n_bytes(&self) -> usize {
        self.set.partition().n_bytes()
    }

    /// The sum of what the patterns need beyond Manhattan distance, for labels given by cell.
    fn addition(&self, labels: &[u8]) -> Cost {
        let cell_of =
            |&tile: &u8| labels.iter().position(|&label| label == tile).unwrap_or(0) as u8;
        let value = |(pattern, excess): &(npuzzle_tables::Pattern, npuzzle_tables::PackedPdb)| {
            let cells: Vec<u8> = pattern.tiles().iter().map(cell_of).collect();
            2 * Cost::from(excess.get(pattern.rank(&cells)))
        };
        self.set.tables().iter().map(value).sum()
    }
}

impl<A: Arrangement> Heuristic<Sliding<A>> for AdditivePdb {
    type Memo = Cost;

    fn eval(&self, state: &A) -> Cost {
        let dims = self.form.dims();
        let labels = self.form.labels(&state.to_board(dims));
        let blank = self.form.blank();
        let steps = labels.iter().enumerate().map(|(cell, &label)| {
            let (cell, label) = (Cell::new(cell as u16), Cell::new(label.into()));
            if label == blank { 0 } else { dims.distance(cell, label) as Cost }
        });
        let manhattan: Cost = steps.sum();
        let transposed = || self.addition(&self.form.transposed(&labels));
        let mirrored = self.form.is_mirrored().then(transposed);
        manhattan + self.addition(&labels).max(mirrored.unwrap_or(0))
    }

    fn value(&self, &memo: &Cost) -> Cost {
        memo
    }
}
