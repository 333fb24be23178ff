//! The searches that can be traced.

use npuzzle_core::named_enum;

named_enum! {
    "a traced algorithm"
    /// A search that can be traced. The solver has them, too, except depth-first search, whose solutions
    /// are as long as its depth limit allows. [`Iddfs`](TraceAlgorithm::Iddfs) is the solver's IDA* with
    /// the heuristic `zero`.
    ///
    /// ```
    /// use npuzzle::Tables;
    /// use npuzzle::teaching::{TraceAlgorithm, TraceEnd, Tracer};
    /// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
    /// for algorithm in TraceAlgorithm::ALL {
    ///     let tracer = Tracer { max_steps: 100_000, ..Tracer::new(algorithm) };
    ///     let trace = tracer.trace(&puzzle, &mut Tables::new(), &mut ())?;
    ///     assert_eq!(trace.end, TraceEnd::Goal);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum TraceAlgorithm {
        /// A*: a priority queue with the key `g + h`.
        Astar = "astar",
        /// Weighted A*: a priority queue with the key `g + ⌊w·h⌋`.
        Wastar = "wastar",
        /// Greedy best-first search: a priority queue with the key `h`.
        Greedy = "greedy",
        /// Uniform-cost search: a priority queue with the key `g`.
        Uniform = "uniform",
        /// Breadth-first search: a queue, first in, first out.
        Bfs = "bfs",
        /// Depth-first search: a stack, and a depth limit.
        Dfs = "dfs",
        /// Iterative-deepening depth-first search: rounds with depth limits 0, 1, 2 and so on. A node
        /// does not generate its parent.
        Iddfs = "iddfs",
        /// IDA*: rounds that are limited by `g + h`. A node does not generate its parent.
        Ida = "ida",
    }
    aliases {
        "a*" = Astar,
        "wa*" = Wastar,
        "ida*" = Ida,
        "dijkstra" = Uniform,
        "ucs" = Uniform,
        "ids" = Iddfs
    }
}

impl TraceAlgorithm {
    /// Returns whether the search works in rounds and stores only its current path.
    ///
    /// ```
    /// use npuzzle::teaching::TraceAlgorithm;
    /// assert!(TraceAlgorithm::Iddfs.is_deepening() && !TraceAlgorithm::Dfs.is_deepening());
    /// ```
    pub fn is_deepening(self) -> bool {
        matches!(self, TraceAlgorithm::Iddfs | TraceAlgorithm::Ida)
    }

    /// Returns whether the heuristic has an influence on the search.
    ///
    /// ```
    /// use npuzzle::teaching::TraceAlgorithm;
    /// assert!(TraceAlgorithm::Ida.uses_heuristic() && !TraceAlgorithm::Bfs.uses_heuristic());
    /// ```
    pub fn uses_heuristic(self) -> bool {
        use TraceAlgorithm::{Bfs, Dfs, Iddfs, Uniform};
        !matches!(self, Uniform | Bfs | Dfs | Iddfs)
    }
}
