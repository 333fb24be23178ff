//! How the length of a solution is counted.

use crate::names::named_values;

/// How the length of a solution is counted.
///
/// ```
/// use npuzzle_core::{Metric, Moves};
/// let moves: Moves = "U L2 D".parse()?;
/// assert_eq!(Metric::ALL.map(|metric| moves.len(metric)), [4, 3]);
/// # Ok::<(), npuzzle_core::MovesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Metric {
    /// Single-tile metric: every slide costs 1.
    #[default]
    Stm,
    /// Multi-tile metric: a straight run of slides in the same direction costs 1.
    Mtm,
}

named_values! {
    Metric is a "metric": Stm => "stm", Mtm => "mtm";
    /// The error for a name that is not a [`Metric`].
    ///
    /// ```
    /// let error = "qtm".parse::<npuzzle_core::Metric>().unwrap_err();
    /// assert_eq!(error.to_string(), r#""qtm" is not a metric: expected one of stm, mtm"#);
    /// ```
    MetricError
}
