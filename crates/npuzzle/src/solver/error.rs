//! Errors of a solver.

use std::error::Error;
use std::fmt;

use npuzzle_core::Board;

use crate::plan::PlanError;

/// Why a board has no report.
///
/// ```
/// use npuzzle::search::PlanError;
/// use npuzzle::{Algorithm, Options, SolveError};
/// let options = Options::default().with_algorithm(Algorithm::Table);
/// let refused = options.solve(&"7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?);
/// assert_eq!(refused.err(), Some(SolveError::Plan(PlanError::TableTooLarge { cells: 16 })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SolveError {
    /// The request cannot be planned.
    Plan(PlanError),
    /// A solution failed its replay: a bug of this library, please report it.
    Broken {
        /// The board.
        start: Board,
    },
    /// An engine could not do what was planned: a bug of this library, please report it.
    Internal {
        /// The contradiction.
        reason: &'static str,
    },
}

impl From<PlanError> for SolveError {
    fn from(error: PlanError) -> SolveError {
        SolveError::Plan(error)
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Plan(error) => error.fmt(f),
            SolveError::Broken { start } => write!(
                f,
                "internal error: a solution of {} failed its replay; please report it",
                start.slash()
            ),
            SolveError::Internal { reason } => {
                write!(f, "internal error: {reason}; please report it")
            }
        }
    }
}

impl Error for SolveError {}
