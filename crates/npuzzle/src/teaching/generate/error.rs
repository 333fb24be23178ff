//! Why a board cannot be generated.

use std::error::Error;
use std::fmt;

use npuzzle_core::search::{Cost, Limit};

use crate::plan::PlanError;
use crate::solver::SolveError;

/// Why a board cannot be generated.
///
/// ```
/// use npuzzle::teaching::{Generator, GenerateSpec, GenerateError};
/// use npuzzle::Random;
/// let spec = GenerateSpec { moves: Some(99..=99), ..GenerateSpec::any("1 2/3 0".parse()?) };
/// let refused = Generator::new(spec)?.generate(&mut Random::new(1), &mut ());
/// assert_eq!(refused.err(), Some(GenerateError::TooLong { length: 99, max_length: 6 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GenerateError {
    /// The specification combines unsolvable boards with a property of solutions.
    NoSolution,
    /// A range is empty.
    EmptyRange,
    /// A number of expanded states is specified without an algorithm.
    NoAlgorithm,
    /// No board has this distance to the goal.
    TooLong {
        /// The length requested.
        length: Cost,
        /// The maximum length of a shortest solution.
        max_length: Cost,
    },
    /// All boards of the length were tried, and none fits the specification.
    NoMatch {
        /// The length requested.
        length: Cost,
        /// The number of boards of that length.
        n_boards: u64,
    },
    /// No board that fits the specification was found.
    NotFound {
        /// The number of boards tried.
        n_tries: usize,
    },
    /// A limit was reached.
    Limit(Limit),
    /// The options of the specification cannot be combined.
    Plan(PlanError),
    /// A solution failed its replay, which is a bug in this library.
    Broken(SolveError),
}

impl From<SolveError> for GenerateError {
    fn from(error: SolveError) -> GenerateError {
        match error {
            SolveError::Plan(error) => GenerateError::Plan(error),
            broken => GenerateError::Broken(broken),
        }
    }
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateError::NoSolution => f.write_str(
                "unsolvable boards have no length, no search effort and no number of solutions",
            ),
            GenerateError::EmptyRange => {
                f.write_str("empty range: the first number must not exceed the second")
            }
            GenerateError::NoAlgorithm => f.write_str(
                "a number of expanded states needs an algorithm: choose one other than auto",
            ),
            GenerateError::TooLong { length, max_length } => write!(
                f,
                "no board of this size takes {length} moves; the hardest take {max_length}"
            ),
            GenerateError::NoMatch { length, n_boards } => {
                write!(f, "none of the {n_boards} boards of {length} moves fits the specification")
            }
            GenerateError::NotFound { n_tries } => {
                write!(f, "no board found in {n_tries} tries: relax the specification")
            }
            GenerateError::Limit(Limit::Interrupted) => f.write_str("interrupted"),
            GenerateError::Limit(limit) => {
                write!(f, "no board was found before the {limit} limit was reached")
            }
            GenerateError::Plan(error) => error.fmt(f),
            GenerateError::Broken(error) => error.fmt(f),
        }
    }
}

impl Error for GenerateError {}
