//! Why a search cannot be traced.

use std::error::Error;
use std::fmt;

use npuzzle_core::search::Limit;

use crate::plan::PlanError;
use crate::teaching::heuristic_error::HeuristicError;

use super::TraceAlgorithm;

/// Why a search cannot be traced.
///
/// ```
/// use npuzzle::Tables;
/// use npuzzle::teaching::{TraceAlgorithm, TraceError, Tracer};
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let tracer = Tracer { depth_limit: Some(5), ..Tracer::new(TraceAlgorithm::Astar) };
/// let refused = tracer.trace(&puzzle, &mut Tables::new(), &mut ());
/// assert_eq!(refused, Err(TraceError::DepthLimit(TraceAlgorithm::Astar)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TraceError {
    /// The log of this algorithm cannot be explained, because it has no queue that is ordered by keys.
    NoQueue(TraceAlgorithm),
    /// Breadth-first search has only the tie-break [`Fifo`](crate::teaching::TieBreak::Fifo).
    BfsIsFifo,
    /// Depth-first search has only the tie-break [`Lifo`](crate::teaching::TieBreak::Lifo).
    DfsIsLifo,
    /// Iterative deepening has no tie-break and no closed list to choose.
    OnlyPath(TraceAlgorithm),
    /// Iterative deepening tests a node when it visits it.
    GoalTest(TraceAlgorithm),
    /// The algorithm has no depth limit.
    DepthLimit(TraceAlgorithm),
    /// The algorithm has no weight.
    Weight(TraceAlgorithm),
    /// The heuristic is not available for boards of this size.
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
            TraceError::NoQueue(algorithm) => write!(
                f,
                "{algorithm} has no queue that is ordered by keys: use astar, wastar, greedy, uniform \
                 or bfs"
            ),
            TraceError::BfsIsFifo => f.write_str(
                "bfs always takes the oldest node: use uniform to choose another tie-break",
            ),
            TraceError::DfsIsLifo => f.write_str("dfs always takes the newest node"),
            TraceError::OnlyPath(algorithm) => write!(
                f,
                "{algorithm} stores only its current path: it has no tie-break and no closed list"
            ),
            TraceError::GoalTest(algorithm) => {
                write!(f, "{algorithm} tests a node when it visits it: it has no other goal test")
            }
            TraceError::DepthLimit(algorithm) => {
                write!(f, "only bfs, dfs and iddfs have a depth limit, not {algorithm}")
            }
            TraceError::Weight(algorithm) => {
                write!(f, "only wastar takes a weight, not {algorithm}")
            }
            TraceError::Plan(error) => error.fmt(f),
            TraceError::Limit(limit) => write!(f, "limit reached: {limit}"),
            TraceError::Internal { reason } => {
                write!(f, "internal error: {reason}; please report it")
            }
        }
    }
}

impl Error for TraceError {}
