//! Traces a search step by step: which node leaves the queue, which enter it and which are refused.
//! For iterative deepening, the trace has the nodes of each round. A search of an unsolvable board is
//! not started.
//!
//! A trace is a list of nodes and a list of steps that refer to nodes by number. It does not store the
//! queue, which would be as large again at every step; [`Trace::replay`] reconstructs it before and after
//! each step.

mod algorithm;
mod deepening;
mod error;
mod log_match;
mod node_queue;
mod queue_search;
mod replay;
mod step;

use npuzzle_core::search::{
    Cost, DuplicateCheck, Duplicates, Evaluation, Heuristic, Limit, Stats, Watch, Weight,
};
use npuzzle_core::{Board, Instance, MoveOrder, Sliding, named_enum};

use crate::options::Options;
use crate::tables::cache::Tables;
use crate::teaching::named_heuristic::NamedHeuristic;

pub use algorithm::TraceAlgorithm;
pub use deepening::TraceRound;
pub use error::TraceError;
pub use log_match::{LogMatch, LogMismatch, LogStep, MismatchReason, parse_log};
pub use replay::{ReplayState, Replayer};
pub use step::{NodeOutcome, TraceEnd, TraceNode, TraceStep};

named_enum! {
    "a tie-break"
    /// Which of two nodes with the same key leaves the queue first.
    ///
    /// ```
    /// use npuzzle::teaching::{TieBreak, TraceAlgorithm, Tracer};
    /// use npuzzle::Tables;
    /// assert_eq!("fifo".parse(), Ok(TieBreak::Fifo));
    /// let tracer = Tracer { tie_break: TieBreak::Heap, ..Tracer::new(TraceAlgorithm::Astar) };
    /// let trace = tracer.trace(&"1 2 3/4 5 0/7 8 6".parse()?, &mut Tables::new(), &mut ())?;
    /// assert_eq!(trace.tie_break, TieBreak::Heap);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum TieBreak {
        /// The node that entered first.
        Fifo = "fifo",
        /// The node that entered last.
        Lifo = "lifo",
        /// The order of a textbook binary heap in an array.
        Heap = "heap",
    }
}

named_enum! {
    "a goal test"
    /// When a search recognizes the goal.
    ///
    /// ```
    /// use npuzzle::teaching::{GoalTest, TraceAlgorithm, Tracer};
    /// use npuzzle::Tables;
    /// let tracer = Tracer { goal_test: GoalTest::Generation, ..Tracer::new(TraceAlgorithm::Bfs) };
    /// let trace = tracer.trace(&"1 2 3/4 5 0/7 8 6".parse()?, &mut Tables::new(), &mut ())?;
    /// assert_eq!(trace.steps.len(), 1); // the goal is a child of the start
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum GoalTest {
        /// When a child is generated. A* may then return a path that is not shortest.
        Generation = "generation",
        /// When a node leaves the queue.
        Expansion = "expansion",
    }
}

/// The settings of a trace: the search to run, and the limits of the trace.
///
/// ```
/// use npuzzle::teaching::{TraceAlgorithm, Tracer};
/// use npuzzle::Tables;
/// let instance = "1 2 3/4 0 5/7 8 6".parse()?;
/// let trace = Tracer::new(TraceAlgorithm::Astar).trace(&instance, &mut Tables::new(), &mut ())?;
/// assert_eq!(trace.solution().map(|path| path.len()), Some(3)); // boards
/// assert_eq!(trace.steps[0].pushed.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tracer {
    /// The algorithm.
    pub algorithm: TraceAlgorithm,
    /// The weight of the estimate for [`TraceAlgorithm::Wastar`], by default 1.5. It must be `None` for all
    /// other algorithms.
    pub weight: Option<Weight>,
    /// The heuristic. Algorithms without one ignore it, but the nodes still have its estimate `h`.
    pub heuristic: NamedHeuristic,
    /// Which of two nodes with the same key leaves the queue first.
    pub tie_break: TieBreak,
    /// The order in which children are generated.
    pub order: MoveOrder,
    /// How duplicate states are handled.
    pub duplicates: Duplicates,
    /// Where a closed list looks for duplicates: [`DuplicateCheck::Closed`], or
    /// [`DuplicateCheck::Open`], with which no state enters the queue again unless by a shorter path.
    /// Depth-first search then refuses shorter paths, too. Other checks are traced like `Closed`.
    pub check: DuplicateCheck,
    /// When the goal is recognized. It must be [`GoalTest::Expansion`] for iterative deepening, which
    /// tests a node when it visits it.
    pub goal_test: GoalTest,
    /// The largest depth whose nodes are visited; nodes at this depth are not expanded. It must be
    /// `None` except for [`Bfs`](TraceAlgorithm::Bfs), [`Dfs`](TraceAlgorithm::Dfs) and
    /// [`Iddfs`](TraceAlgorithm::Iddfs).
    pub depth_limit: Option<Cost>,
    /// The maximum number of steps.
    pub max_steps: usize,
    /// The approximate memory limit in bytes, for the trace and the search together.
    pub max_bytes: u64,
}

impl Tracer {
    /// The default of [`max_steps`](Tracer::max_steps).
    pub const MAX_STEPS: usize = 100;

    /// The default of [`max_bytes`](Tracer::max_bytes): 2 GiB, as for a search.
    pub const MAX_BYTES: u64 = 2 << 30;

    /// The default of [`depth_limit`](Tracer::depth_limit) for depth-first search. Without a limit, its
    /// first path visits most of the states before it turns back.
    pub const DFS_DEPTH_LIMIT: Cost = 20;

    /// Returns a tracer of an algorithm with Manhattan distance and the solver's own tie-break and
    /// duplicate handling. The goal test is at expansion, and depth-first search has a depth limit.
    pub fn new(algorithm: TraceAlgorithm) -> Tracer {
        let is_breadth_first = algorithm == TraceAlgorithm::Bfs;
        Tracer {
            algorithm,
            weight: None,
            heuristic: NamedHeuristic::Sound(Default::default()),
            tie_break: if is_breadth_first { TieBreak::Fifo } else { TieBreak::Lifo },
            order: MoveOrder::default(),
            duplicates: if algorithm.is_deepening() {
                Duplicates::Parent
            } else {
                Duplicates::Closed
            },
            check: DuplicateCheck::Closed,
            goal_test: GoalTest::Expansion,
            depth_limit: (algorithm == TraceAlgorithm::Dfs).then_some(Tracer::DFS_DEPTH_LIMIT),
            max_steps: Tracer::MAX_STEPS,
            max_bytes: Tracer::MAX_BYTES,
        }
    }

    /// Runs the search and records its steps.
    ///
    /// `tables` receives the tables that the heuristic needs. `watch` can stop the trace, which then
    /// ends with [`TraceEnd::Stopped`].
    ///
    /// # Errors
    ///
    /// The settings cannot be combined, or `watch` stopped the construction of the heuristic.
    pub fn trace(
        &self,
        instance: &Instance,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Trace, TraceError> {
        self.check()?;
        if !instance.is_solvable() {
            let end = TraceEnd::Unsolvable;
            return Ok(Trace { end, ..Trace::empty(instance.clone(), self) });
        }
        let heuristic = self.build_heuristic(instance, tables, watch)?;
        let Some(problem) = Sliding::<Board>::with_order(instance, self.order) else {
            unreachable!("a board of any size is an arrangement")
        };
        let trace = Trace::empty(instance.clone(), self);
        Ok(if self.algorithm.is_deepening() {
            deepening::trace(self, &problem, &heuristic, trace, watch)
        } else {
            queue_search::trace(self, &problem, &heuristic, trace, watch)
        })
    }

    /// Returns an error if the settings cannot be combined.
    fn check(&self) -> Result<(), TraceError> {
        use TraceAlgorithm::{Bfs, Dfs, Iddfs, Wastar};
        let algorithm = self.algorithm;
        let is_deepening = algorithm.is_deepening();
        let path_only = (TieBreak::Lifo, Duplicates::Parent);
        if algorithm == Bfs && self.tie_break != TieBreak::Fifo {
            Err(TraceError::BfsIsFifo)
        } else if algorithm == Dfs && self.tie_break != TieBreak::Lifo {
            Err(TraceError::DfsIsLifo)
        } else if is_deepening && (self.tie_break, self.duplicates) != path_only {
            Err(TraceError::OnlyPath(algorithm))
        } else if is_deepening && self.goal_test == GoalTest::Generation {
            Err(TraceError::GoalTest(algorithm))
        } else if self.depth_limit.is_some() && !matches!(algorithm, Bfs | Dfs | Iddfs) {
            Err(TraceError::DepthLimit(algorithm))
        } else if self.weight.is_some() && algorithm != Wastar {
            Err(TraceError::Weight(algorithm))
        } else {
            Ok(())
        }
    }

    /// Returns the key of the priority queue. The queue of breadth-first search has the same order as a
    /// priority queue with the key `g`. `None` for depth-first searches.
    fn evaluation(&self) -> Option<Evaluation> {
        match self.algorithm {
            TraceAlgorithm::Astar => Some(Evaluation::AStar),
            TraceAlgorithm::Wastar => {
                Some(Evaluation::Weighted(self.weight.unwrap_or(Weight::DEFAULT)))
            }
            TraceAlgorithm::Greedy => Some(Evaluation::Greedy),
            TraceAlgorithm::Uniform | TraceAlgorithm::Bfs => Some(Evaluation::Uniform),
            TraceAlgorithm::Dfs | TraceAlgorithm::Iddfs | TraceAlgorithm::Ida => None,
        }
    }

    /// Returns how the trace ends if it may not have another step. `stats` are the counts of the search.
    fn limit_reached(
        &self,
        trace: &Trace,
        stats: &Stats,
        watch: &mut dyn Watch,
    ) -> Option<TraceEnd> {
        if trace.steps.len() == self.max_steps {
            Some(TraceEnd::StepLimit)
        } else if trace.bytes() + stats.peak_bytes > self.max_bytes {
            Some(TraceEnd::Stopped(Limit::Memory))
        } else {
            watch.poll(stats).break_value().map(TraceEnd::Stopped)
        }
    }

    fn build_heuristic(
        &self,
        instance: &Instance,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<impl Heuristic<Sliding<Board>> + use<>, TraceError> {
        let resources = Options::default().resources();
        Ok(self.heuristic.build(instance.goal(), tables, resources, watch)?)
    }
}

/// A recorded search.
///
/// ```
/// use npuzzle::teaching::{TraceAlgorithm, TraceEnd, Tracer};
/// use npuzzle::Tables;
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(TraceAlgorithm::Bfs).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// assert_eq!(trace.end, TraceEnd::Goal);
/// assert!(trace.nodes.iter().all(|node| node.g <= 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Trace {
    /// The puzzle.
    pub instance: Instance,
    /// The algorithm.
    pub algorithm: TraceAlgorithm,
    /// Which of two nodes with the same key leaves the queue first.
    pub tie_break: TieBreak,
    /// Every node that entered the queue or was refused, in the order of generation. The start is the
    /// first.
    pub nodes: Vec<TraceNode>,
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// The rounds of iterative deepening; empty for searches with a queue.
    pub rounds: Vec<TraceRound>,
    /// How the trace ended.
    pub end: TraceEnd,
    /// The counts of the search up to the end of the trace.
    pub stats: Stats,
}

impl Trace {
    /// Returns the approximate size in bytes.
    fn bytes(&self) -> u64 {
        // Vectors grow by doubling, and every board and list of children is an allocation.
        let per_node = 2 * size_of::<TraceNode>() + 2 * self.instance.dims().cells() + 32;
        let per_step = 2 * size_of::<TraceStep>() + 64;
        (self.nodes.len() * per_node + self.steps.len() * per_step) as u64
    }

    /// Returns the numbers of the nodes from the start to the goal, or `None` if the goal was not
    /// reached.
    pub fn solution(&self) -> Option<Vec<usize>> {
        let last = self.steps.last()?;
        let popped = (last.outcome == NodeOutcome::Goal).then_some(last.popped);
        Some(self.path_to(Some(last.goal.or(popped)?)))
    }

    /// Returns the numbers of the nodes from the start to `node`.
    fn path_to(&self, node: Option<usize>) -> Vec<usize> {
        let mut path: Vec<usize> =
            std::iter::successors(node, |&node| self.nodes[node].parent).collect();
        path.reverse();
        path
    }

    /// Iterates over the steps, each with the queue before and after it.
    ///
    /// ```
    /// use npuzzle::teaching::{TraceAlgorithm, Tracer};
    /// use npuzzle::Tables;
    /// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
    /// let trace = Tracer::new(TraceAlgorithm::Astar).trace(&puzzle, &mut Tables::new(), &mut ())?;
    /// let queues: Vec<usize> = trace.replay().map(|state| state.after.len()).collect();
    /// assert_eq!(queues, [3, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay(&self) -> impl Iterator<Item = ReplayState<'_>> {
        let mut replayer = self.replayer();
        std::iter::from_fn(move || replayer.step(self))
    }

    /// Returns a replayer of this trace that does not borrow it. Every call of
    /// [`Replayer::step`] takes the trace again.
    ///
    /// ```
    /// use npuzzle::teaching::{TraceAlgorithm, Tracer};
    /// use npuzzle::Tables;
    /// let instance = "1 2 3/4 5 0/7 8 6".parse()?;
    /// let trace = Tracer::new(TraceAlgorithm::Astar).trace(&instance, &mut Tables::new(), &mut ())?;
    /// let mut replayer = trace.replayer();
    /// assert_eq!(replayer.step(&trace).map(|state| state.before), Some(vec![0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replayer(&self) -> Replayer {
        Replayer::new(self)
    }

    /// Returns a trace without nodes and steps.
    fn empty(instance: Instance, tracer: &Tracer) -> Trace {
        Trace {
            instance,
            algorithm: tracer.algorithm,
            tie_break: tracer.tie_break,
            nodes: Vec::new(),
            steps: Vec::new(),
            rounds: Vec::new(),
            end: TraceEnd::StepLimit,
            stats: Stats::default(),
        }
    }
}
