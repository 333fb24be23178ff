//! The rounds of a search one by one.

use npuzzle_core::Board;
use npuzzle_core::search::{Cost, Watch};
use npuzzle_tables::Automaton;

use crate::engine::ida::subtree_split::Searched;
use crate::engine::pdb::search::{Compiled, LONG_ROUND, Sliced, instantiation};
use crate::tables::additive_pdb::AdditivePdb;

/// The rounds of a search one by one, for whoever deals out their slices.
pub(crate) struct Rounds<'a> {
    patterns: &'a AdditivePdb,
    automaton: &'a Automaton,
    compiled: Compiled,
    labels: Vec<u8>,
}

impl<'a> Rounds<'a> {
    pub(crate) fn new(start: &Board, patterns: &'a AdditivePdb, automaton: &'a Automaton) -> Self {
        let (compiled, labels) = (instantiation(patterns), patterns.frame().labels(start));
        Rounds { patterns, automaton, compiled, labels }
    }

    pub(crate) fn first_bound(&self) -> Cost {
        (self.compiled.first_bound)(self.patterns.set(), self.automaton, &self.labels)
    }

    /// A whole round, on this thread.
    pub(crate) fn round(&self, bound: Cost, watch: &mut dyn Watch) -> Searched {
        (self.compiled.round)(self.patterns.set(), self.automaton, &self.labels, bound, watch)
    }

    /// A round in slices, after one of so many nodes; `None` if the goal is above them.
    pub(crate) fn cut(&self, bound: Cost, last_round: u64) -> Option<Box<dyn Sliced + 'a>> {
        (self.compiled.cut)(self.patterns.set(), self.automaton, &self.labels, bound, last_round)
    }

    /// Whether a round is worth being cut, after one of so many nodes.
    pub(crate) fn is_worth_cutting(last_round: u64) -> bool {
        last_round >= LONG_ROUND
    }
}
