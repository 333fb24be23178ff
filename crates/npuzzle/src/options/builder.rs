//! Builder methods of [`Options`].

use std::num::NonZeroUsize;
use std::time::Duration;

use npuzzle_core::search::{Cost, Weight};
use npuzzle_core::{Metric, MoveOrder};

use super::{Algorithm, Effort, HeuristicChoice, HeuristicKind, Limits, Options, TableSize};

/// ```
/// use npuzzle::{Algorithm, HeuristicKind, Options};
/// let options = Options::default()
///     .with_algorithm(Algorithm::Astar)
///     .with_heuristic(HeuristicKind::Misplaced)
///     .with_nodes(1_000);
/// let report = options.solve(&"8 1 3/4 0 2/7 6 5".parse()?)?;
/// assert_eq!(report.stats.expanded, 256);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Options {
    /// Sets the algorithm.
    pub fn with_algorithm(self, algorithm: Algorithm) -> Options {
        Options { algorithm, ..self }
    }

    /// Sets the heuristic.
    pub fn with_heuristic(self, heuristic: impl Into<HeuristicChoice>) -> Options {
        Options { heuristic: heuristic.into(), ..self }
    }

    /// Sets the order in which textbook searches generate children.
    pub fn with_order(self, order: MoveOrder) -> Options {
        Options { order: Some(order), ..self }
    }

    /// Sets the metric in which solutions are short.
    pub fn with_metric(self, metric: Metric) -> Options {
        Options { metric, ..self }
    }

    /// Sets the weight of the heuristic, for [`Algorithm::Wastar`].
    pub fn with_weight(self, weight: Weight) -> Options {
        Options { weight: Some(weight), ..self }
    }

    /// Counts all shortest solutions, and lists up to `listed` of them.
    pub fn with_all(self, listed: usize) -> Options {
        Options { all: Some(listed), ..self }
    }

    /// Sets the time limit. Boards of more than 16 cells use all of it, unless an
    /// [effort](Options::with_effort) is set as well, before or after.
    ///
    /// ```
    /// use npuzzle::{Effort, Options};
    /// use std::time::Duration;
    /// let minute = Duration::from_secs(60);
    /// assert_eq!(Options::default().with_time(minute).effort, Some(Effort::Best));
    /// let fast = Options::default().with_effort(Effort::Fast);
    /// assert_eq!(fast.with_time(minute).effort, Some(Effort::Fast));
    /// ```
    pub fn with_time(self, time: Duration) -> Options {
        let limits = Limits { time: Some(time), ..self.limits };
        Options { limits, effort: self.effort.or(Some(Effort::Best)), ..self }
    }

    /// Limits the number of expanded states.
    pub fn with_nodes(self, nodes: u64) -> Options {
        let limits = Limits { nodes: Some(nodes), ..self.limits };
        Options { limits, ..self }
    }

    /// Limits the bytes of the states in memory.
    pub fn with_memory(self, memory: u64) -> Options {
        let limits = Limits { memory: Some(memory), ..self.limits };
        Options { limits, ..self }
    }

    /// Removes all limits: a hard board may take days.
    pub fn without_limits(self) -> Options {
        Options { limits: Limits::NONE, ..self }
    }

    /// Sets how long to search for shorter solutions of boards of more than 16 cells.
    pub fn with_effort(self, effort: Effort) -> Options {
        Options { effort: Some(effort), ..self }
    }

    /// Requests proved shortest solutions for boards of more than 16 cells, too.
    pub fn with_proof(self) -> Options {
        Options { optimal: true, ..self }
    }

    /// Sets the pattern databases to use.
    pub fn with_tables(self, tables: TableSize) -> Options {
        Options { tables, ..self }
    }

    /// Sets the number of threads.
    pub fn with_threads(self, threads: NonZeroUsize) -> Options {
        Options { threads: Some(threads), ..self }
    }

    /// Stops iterative deepening once every solution is known to have at least `bound` moves.
    ///
    /// ```
    /// use npuzzle::{Algorithm, Limit, Options};
    /// let options = Options::default().with_algorithm(Algorithm::Ida).with_bound(40);
    /// let report = options.solve(&"7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?)?;
    /// assert_eq!((report.stopped_by(), report.lower_bound), (Some(Limit::Bound), Some(41)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_bound(self, bound: Cost) -> Options {
        Options { bound: Some(bound), ..self }
    }
}

impl From<HeuristicKind> for HeuristicChoice {
    fn from(kind: HeuristicKind) -> HeuristicChoice {
        HeuristicChoice::One(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_a_struct_filled_in() {
        let (time, threads) = (Duration::from_secs(1), NonZeroUsize::MIN);
        let chained = Options::default()
            .without_limits()
            .with_algorithm(Algorithm::Wastar)
            .with_heuristic(HeuristicKind::Walking)
            .with_metric(Metric::Mtm)
            .with_weight(Weight::DEFAULT)
            .with_order("drul".parse().unwrap())
            .with_all(3)
            .with_time(time)
            .with_nodes(1)
            .with_memory(2)
            .with_effort(Effort::Fast)
            .with_proof()
            .with_tables(TableSize::Large)
            .with_threads(threads)
            .with_bound(9);
        let filled = Options {
            algorithm: Algorithm::Wastar,
            heuristic: HeuristicChoice::One(HeuristicKind::Walking),
            metric: Metric::Mtm,
            weight: Some(Weight::DEFAULT),
            order: Some("drul".parse().unwrap()),
            all: Some(3),
            limits: Limits { time: Some(time), nodes: Some(1), memory: Some(2) },
            effort: Some(Effort::Fast),
            optimal: true,
            tables: TableSize::Large,
            threads: Some(threads),
            bound: Some(9),
        };
        assert_eq!(chained, filled);
    }

    #[test]
    fn order_of_builder_calls_does_not_matter() {
        let links: [fn(Options) -> Options; 4] = [
            |options| options.with_time(Duration::from_secs(1)),
            |options| options.with_effort(Effort::Fast),
            |options| options.with_nodes(7),
            |options| options.with_proof(),
        ];
        let chained =
            |order: [usize; 4]| order.iter().fold(Options::default(), |o, &i| links[i](o));
        for order in [[1, 0, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [0, 3, 1, 2]] {
            assert_eq!(chained(order), chained([0, 1, 2, 3]), "{order:?}");
        }
    }
}
