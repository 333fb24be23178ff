//! The interface between iterative deepening and the best known solution.

use npuzzle_core::Moves;
use npuzzle_core::search::{Cost, Watch};

/// The length of a known solution, which ends a search without its last round: when all rounds with smaller
/// bounds are complete, the solution is proved shortest.
pub(crate) trait UpperBound {
    /// The length of the best known solution, before a round with this bound. `last_round` is the number of nodes
    /// that the last round expanded. If the round will be long, a shorter solution is worth a search.
    fn before_round(&mut self, bound: Cost, last_round: u64, watch: &mut dyn Watch)
    -> Option<Cost>;

    /// The best known solution, for a journal.
    fn known(&self) -> &KnownSolution;
}

/// The best known solution, and the width of the widest beam search so far. A search that continues with it does not
/// repeat that beam search.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KnownSolution {
    /// The solution, if one is known.
    pub moves: Option<Moves>,
    /// The width; 0 before the first beam search.
    pub width: usize,
}
