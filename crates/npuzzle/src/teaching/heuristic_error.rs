//! Why a heuristic cannot be built.

use std::error::Error;
use std::fmt;

use npuzzle_core::search::Limit;

use crate::plan::PlanError;

/// Why a [`NamedHeuristic`](crate::teaching::NamedHeuristic) cannot be built for a goal.
///
/// ```
/// use npuzzle::search::PlanError;
/// use npuzzle::teaching::{HeuristicError, NamedHeuristic};
/// use npuzzle::{Goal, Instance, Tables};
/// let walking: NamedHeuristic = "walking".parse()?;
/// let goal = Goal::Last.board("6x6".parse()?).expect("a named goal fits every size");
/// let refused = walking.estimate(&Instance::from(goal), &mut Tables::new(), &mut ());
/// assert_eq!(refused, Err(HeuristicError::Plan(PlanError::NoWalking)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HeuristicError {
    /// The heuristic is not available for boards of this size.
    Plan(PlanError),
    /// A limit was reached while the tables of the heuristic were built.
    Limit(Limit),
    /// The heuristic could not be built as planned: a bug of this library, please report it.
    Internal {
        /// The contradiction.
        reason: &'static str,
    },
}

impl fmt::Display for HeuristicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeuristicError::Plan(error) => error.fmt(f),
            HeuristicError::Limit(limit) => write!(f, "limit reached: {limit}"),
            HeuristicError::Internal { reason } => {
                write!(f, "internal error: {reason}; please report it")
            }
        }
    }
}

impl Error for HeuristicError {}
