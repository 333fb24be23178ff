//! Why a search cannot be traced.

use std::error::Error;
use std::fmt;

use npuzzle_core::search::Limit;

use crate::options::Algorithm;
use crate::plan::PlanError;
use crate::teaching::heuristic_error::HeuristicError;

/// Why a search cannot be traced.
///
/// ```
/// use npuzzle::teaching::{TraceError, Tracer};
/// use npuzzle::{Algorithm, Tables};
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let refused = Tracer::new(Algorithm::Beam).trace(&puzzle, &mut Tables::new(), &mut ());
/// assert_eq!(refused, Err(TraceError::NoQueue(Algorithm::Beam)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TraceError {
    /// The algorithm has no queue.
    NoQueue(Algorithm),
    /// Breadth-first search has only the tie-break [`Fifo`](crate::teaching::TieBreak::Fifo).
    BfsIsFifo,
    /// Iterative deepening has no tie-break and no closed list to choose.
    IdaHasNoQueue,
    /// The heuristic is not available for boards of this size, or the algorithm has no weight.
    Plan(PlanError),
    /// A limit was reached while the heuristic was built.
    Limit(Limit),
    /// The heuristic could not be built as planned: a bug of this library, please report it.
    Internal {
        /// The contradiction.
        reason: &'static str,
    },
}

impl From<HeuristicError> for TraceError {
    fn from(error: HeuristicError) -> TraceError {
        match error {
            HeuristicError::Plan(error) => TraceError::Plan(error),
            HeuristicError::Limit(limit) => TraceError::Limit(limit),
            HeuristicError::Internal { reason } => TraceError::Internal { reason },
        }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::NoQueue(algorithm) => {
                write!(f, "{algorithm} has no queue: use astar, wastar, greedy, uniform, bfs")?;
                // A log of `ida` cannot be matched either; its trace shows rounds instead of a queue.
                if *algorithm != Algorithm::Ida { f.write_str(" or ida") } else { Ok(()) }
            }
            TraceError::BfsIsFifo => f.write_str(
                "bfs always takes the oldest node: use uniform to choose another tie-break",
            ),
            TraceError::IdaHasNoQueue => f.write_str(
                "ida stores only its current path: it has no tie-break and no closed list",
            ),
            TraceError::Plan(error) => error.fmt(f),
            TraceError::Limit(limit) => write!(f, "limit reached: {limit}"),
            TraceError::Internal { reason } => {
                write!(f, "internal error: {reason}; please report it")
            }
        }
    }
}

impl Error for TraceError {}
