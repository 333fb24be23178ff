//! The reasons for which a request cannot be planned.

use std::error::Error;
use std::fmt;

use crate::anytime::beam;
use crate::options::{Algorithm, HeuristicChoice};
use crate::tables::full::FullTable;

/// Why a request cannot be planned.
///
/// ```
/// use npuzzle::search::{PlanError, plan};
/// use npuzzle::{Algorithm, Options};
/// let fifteen = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?;
/// let refused = plan(&fifteen, &Options::default().with_algorithm(Algorithm::Table));
/// assert!(matches!(refused, Err(PlanError::TableTooLarge { .. })));
/// # Ok::<(), npuzzle::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlanError {
    /// The board is too large for a full table.
    TableTooLarge {
        /// Its number of cells.
        cells: usize,
    },
    /// The tables of walking distance exceed the memory limit.
    WalkingMemory {
        /// The bytes needed to build them.
        needed: u64,
    },
    /// The full table exceeds the memory limit.
    TableMemory {
        /// The bytes needed to build it.
        needed: u64,
    },
    /// The algorithm does not use a heuristic.
    NoHeuristic {
        /// The algorithm.
        algorithm: Algorithm,
        /// The requested heuristic.
        heuristic: HeuristicChoice,
    },
    /// The algorithm does not use a weight.
    Weight(Algorithm),
    /// All shortest solutions were requested, but the algorithm does not prove which are shortest.
    NotAll(Algorithm),
    /// A proof was requested, but the algorithm gives none.
    NoProof(Algorithm),
    /// The board is too large for a beam search.
    BeamTooLarge {
        /// Its number of cells.
        cells: usize,
    },
    /// The board is too large for pattern databases.
    NoPatterns,
    /// The board is too large for walking distance.
    NoWalking,
    /// Bidirectional search cannot use pattern databases, which estimate the distance to the goal only.
    OneEnd,
    /// An order of moves was requested, but the engine of this algorithm has none.
    NoOrder(Algorithm),
    /// The algorithm does not write a journal.
    NoJournal(Algorithm),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let max = FullTable::MAX_CELLS;
        match self {
            PlanError::TableTooLarge { cells } => {
                write!(
                    f,
                    "a full table holds boards of up to {max} cells, and this one has {cells}: use ida"
                )
            }
            PlanError::WalkingMemory { needed } => write!(
                f,
                "walking distance needs {} MB to build, more than the memory limit: raise the limit \
                 or use linear-conflict",
                needed.div_ceil(1_000_000)
            ),
            PlanError::TableMemory { needed } => write!(
                f,
                "the full table needs {} MB to build, more than the memory limit: raise the limit or \
                 use ida",
                needed.div_ceil(1_000_000)
            ),
            PlanError::NoHeuristic { algorithm, heuristic } => {
                write!(f, "{algorithm} uses no heuristic, but {heuristic} was requested")
            }
            PlanError::NotAll(algorithm) => write!(
                f,
                "only proved solutions can be counted, and {algorithm} proves none: use auto"
            ),
            PlanError::NoProof(algorithm) => {
                write!(f, "a proof was requested, but {algorithm} gives none: use auto")
            }
            PlanError::BeamTooLarge { cells } => write!(
                f,
                "beam search takes boards of up to {} cells, and this one has {cells}: use construct",
                beam::MAX_CELLS
            ),
            PlanError::NoPatterns => f.write_str(
                "pattern databases exist for boards of up to 25 cells: use linear-conflict",
            ),
            PlanError::NoWalking => f.write_str(
                "walking distance exists for boards of up to 4x4, 3x5 and 2x6: use linear-conflict",
            ),
            PlanError::OneEnd => f.write_str(
                "pattern databases estimate the distance to the goal only, and bidirectional search needs \
                 the distance to the start as well: use walking or linear-conflict",
            ),
            PlanError::NoJournal(Algorithm::Table) => {
                f.write_str("a full table answers immediately: there is nothing to record in a checkpoint")
            }
            PlanError::NoJournal(algorithm) => write!(
                f,
                "only iterative deepening with pattern databases writes checkpoints, in the single-tile \
                 metric on boards of up to 25 cells: {algorithm} on this board does not"
            ),
            PlanError::NoOrder(algorithm) => write!(
                f,
                "{algorithm} on this board has no order of moves: name astar, wastar, greedy, bfs, uniform, \
                 bidirectional, or ida with a heuristic other than pattern"
            ),
            PlanError::Weight(algorithm) => {
                write!(f, "only wastar takes a weight, not {algorithm}")
            }
        }
    }
}

impl Error for PlanError {}
