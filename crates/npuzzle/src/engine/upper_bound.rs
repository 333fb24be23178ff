//! The interface between iterative deepening and the best known solution.

use npuzzle_core::search::{Cost, Watch};

/// The length of a known solution, which ends a search without its last round: when all rounds with smaller
/// bounds are complete, the solution is proved shortest.
pub(crate) trait UpperBound {
    /// The length of the best known solution, before a round with this bound. `last_round` is the number of nodes
    /// that the last round expanded. If the round will be long, a shorter solution is worth a search.
    fn before_round(&mut self, bound: Cost, last_round: u64, watch: &mut dyn Watch)
    -> Option<Cost>;
}
