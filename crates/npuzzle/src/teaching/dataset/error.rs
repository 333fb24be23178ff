//! Why a dataset cannot be made.

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};

use crate::limits::Clock;
use crate::teaching::generate::GenerateError;

/// The reason why a dataset cannot be made.
///
/// ```
/// use npuzzle::teaching::{Dataset, DatasetError, DatasetSpec};
/// let spec = DatasetSpec { splits: vec!["test=99".parse()?], ..DatasetSpec::new("1 2/3 0".parse()?) };
/// let error = Dataset::new(spec)?.next_task(&mut ()).unwrap_err();
/// assert_eq!(error.to_string(), "test: 99 boards requested, but only 11 are available at these distances");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DatasetError {
    /// There is no split.
    NoSplits,
    /// Two splits have the same name.
    SameName {
        /// The name.
        name: String,
    },
    /// A range of distances is empty.
    EmptyRange,
    /// The earlier splits leave too few boards for a split.
    TooFew {
        /// The name of the split.
        split: String,
        /// The number of boards requested.
        requested: u64,
        /// The number of boards available.
        available: u64,
    },
    /// No further board of a distance was found.
    Exhausted {
        /// The distance.
        distance: Cost,
        /// The number of boards found.
        n_found: u64,
    },
    /// A limit was reached.
    Limit(Limit),
    /// A board could not be generated.
    Generate(GenerateError),
}

impl DatasetError {
    /// The error after a search that did not end: the limit that stopped it.
    pub(super) fn stopped(clock: &mut Clock<'_>) -> DatasetError {
        match clock.poll(&Stats::default()) {
            ControlFlow::Break(limit) => DatasetError::Limit(limit),
            ControlFlow::Continue(()) => DatasetError::Limit(Limit::Memory),
        }
    }
}

impl From<GenerateError> for DatasetError {
    fn from(error: GenerateError) -> DatasetError {
        match error {
            GenerateError::Limit(limit) => DatasetError::Limit(limit),
            error => DatasetError::Generate(error),
        }
    }
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatasetError::NoSplits => f.write_str("a dataset needs at least one split"),
            DatasetError::SameName { name } => write!(f, "two splits have the name {name}"),
            DatasetError::EmptyRange => {
                f.write_str("empty range: the first distance must not exceed the second")
            }
            DatasetError::TooFew { split, requested, available } => write!(
                f,
                "{split}: {requested} boards requested, but only {available} are available at these distances"
            ),
            DatasetError::Exhausted { distance, n_found } => write!(
                f,
                "no further board of distance {distance} was found after {n_found}: request fewer boards \
                 or other distances"
            ),
            DatasetError::Limit(Limit::Interrupted) => f.write_str("interrupted"),
            DatasetError::Limit(limit) => {
                write!(f, "the {limit} limit was reached before a board was found and solved")
            }
            DatasetError::Generate(error) => error.fmt(f),
        }
    }
}

impl Error for DatasetError {}
