//! How the length of a solution is counted.

crate::named_enum! {
    "a metric"
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
        Stm = "stm",
        /// Multi-tile metric: a straight run of slides in the same direction costs 1.
        Mtm = "mtm",
    }
}
