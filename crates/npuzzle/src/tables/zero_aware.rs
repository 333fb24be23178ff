//! Zero-aware pattern databases as seen from a goal.
//!
//! The heuristic is the plain twin of the incremental lookup in [`engine::pdb`](crate::engine::pdb): every board
//! is looked up from scratch, by a walk to the goal for each pattern.

use std::sync::Arc;

use npuzzle_core::search::{Cost, Heuristic};
use npuzzle_core::{Arrangement, Sliding};
use npuzzle_tables::{Partition, ZeroAwarePdb, ZeroAwareSet};

use crate::tables::canonical::CanonicalForm;

/// The tables of a goal, in its canonical form, for one partition or several; as a heuristic, the sum of the costs of
/// the patterns of a partition. Where the goal permits, the transposed board is looked up as well. The largest value
/// counts.
#[derive(Clone, Debug)]
pub(crate) struct ZeroAwareTables {
    form: CanonicalForm,
    /// One set for each partition; at least one.
    sets: Vec<Arc<ZeroAwareSet>>,
}

impl ZeroAwareTables {
    /// The tables for the goal of a canonical form, with one set or several for that form.
    pub(crate) fn new(form: CanonicalForm, sets: Vec<Arc<ZeroAwareSet>>) -> ZeroAwareTables {
        ZeroAwareTables { form, sets }
    }

    pub(crate) fn form(&self) -> &CanonicalForm {
        &self.form
    }

    pub(crate) fn sets(&self) -> impl Iterator<Item = &ZeroAwareSet> {
        self.sets.iter().map(|set| &**set)
    }

    /// The names of the partitions.
    pub(crate) fn names(&self) -> Vec<String> {
        self.sets().map(|set| set.partition().name()).collect()
    }

    /// The name of all partitions together.
    pub(crate) fn name(&self) -> String {
        joined_name(self.sets().map(ZeroAwareSet::partition))
    }

    /// The size of all tables in bytes.
    pub(crate) fn n_bytes(&self) -> usize {
        self.sets().map(|set| set.partition().n_bytes()).sum()
    }

    /// The largest sum of the costs of the patterns of a partition, for labels given by cell.
    fn cost(&self, labels: &[u8]) -> Cost {
        let cell_of = |label: u8| labels.iter().position(|&other| other == label).unwrap_or(0);
        let blank = cell_of(self.form.blank().index() as u8);
        let cost = |table: &ZeroAwarePdb| {
            let tiles = table.pattern().tiles();
            let cells: Vec<u8> = tiles.iter().map(|&tile| cell_of(tile) as u8).collect();
            table.cost(&cells, blank) as Cost
        };
        let sum = |set: &ZeroAwareSet| set.tables().iter().map(cost).sum();
        self.sets().map(sum).max().unwrap_or(0)
    }
}

/// The name of several partitions together.
pub(crate) fn joined_name<'a>(partitions: impl Iterator<Item = &'a Partition>) -> String {
    partitions.map(Partition::name).collect::<Vec<_>>().join("+")
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
