//! Search algorithms for any problem with invertible actions, and the traits and results that they share.
//!
//! The names follow the textbooks: `g` is the cost of the path to a state, `h` the heuristic
//! estimate of the remaining cost, `f` the key by which the open list is ordered (`g + h` for A*),
//! and `bound` the largest `f` that a round of IDA* searches.
//!
//! A search does not print, read clocks or start threads. Time limits, cancellation and progress
//! reports go through [`Watch`]. Without a watch a search is deterministic, and its node counts can
//! be compared between versions.

mod best_first;
mod bidirectional;
mod chunked_vec;
mod depth_limited;
mod evaluation;
mod idastar;
mod nodes;
mod observer;
mod settings;
mod twin_lockstep;

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;

pub use best_first::{BestFirst, OpenNode, Step};
pub use bidirectional::{SingleGoal, bidirectional};
pub use depth_limited::depth_limited;
pub use evaluation::{Evaluation, Weight};
pub use idastar::idastar;
pub use observer::{Event, ObservedNode, Observer};
pub use settings::{DuplicateCheck, Duplicates, Settings};
pub use twin_lockstep::{LockstepOutcome, twin_lockstep};

/// Costs and estimates, in moves unless the problem sets other costs.
pub type Cost = u32;

/// A search problem with invertible actions, each of cost 1 unless the problem says otherwise.
///
/// The searches know a problem only through this trait, so they are not limited to sliding tiles.
///
/// ```
/// use npuzzle_core::search::{idastar, Budget, Heuristic, Outcome, Problem};
///
/// /// The pancake puzzle: sort a stack by reversing its top part.
/// struct Pancakes(Vec<u8>);
///
/// impl Problem for Pancakes {
///     type State = Vec<u8>;
///     type Action = usize;
///     fn start(&self) -> Vec<u8> { self.0.clone() }
///     fn is_goal(&self, stack: &Vec<u8>) -> bool { stack.is_sorted() }
///     fn actions(&self, stack: &Vec<u8>) -> impl Iterator<Item = usize> { 2..=stack.len() }
///     fn apply(&self, stack: &mut Vec<u8>, n: usize) { stack[..n].reverse() }
///     fn inverse(&self, n: usize) -> usize { n }
/// }
///
/// /// The gap heuristic: every pair of adjacent pancakes whose sizes differ by more than one needs a flip.
/// struct Gap;
///
/// impl Heuristic<Pancakes> for Gap {
///     type Memo = u32;
///     fn eval(&self, stack: &Vec<u8>) -> u32 {
///         let plate = stack.len() as u8 + 1;
///         let below = stack.iter().skip(1).chain([&plate]);
///         stack.iter().zip(below).filter(|(a, b)| a.abs_diff(**b) > 1).count() as u32
///     }
///     fn value(&self, memo: &u32) -> u32 { *memo }
/// }
///
/// let report = idastar(&Pancakes(vec![3, 1, 4, 2]), &Gap, Budget::NONE, &mut ());
/// assert!(matches!(report.outcome, Outcome::Solved(flips) if flips.len() == 4));
/// ```
pub trait Problem {
    /// A state.
    type State: Clone + Eq + Hash;
    /// A transition from one state to another.
    type Action: Copy + Eq;

    /// Returns the start state.
    fn start(&self) -> Self::State;
    /// Whether a state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;
    /// Returns the legal actions of a state, in the order in which children are generated.
    fn actions(&self, state: &Self::State) -> impl Iterator<Item = Self::Action>;
    /// Applies an action, which must be legal in this state.
    fn apply(&self, state: &mut Self::State, action: Self::Action);
    /// Returns the action that undoes this one.
    fn inverse(&self, action: Self::Action) -> Self::Action;

    /// Returns the cost of an action, given the state after it. An action and its inverse cost the same.
    #[inline(always)]
    fn cost(&self, after: &Self::State, action: Self::Action) -> Cost {
        let _ = (after, action);
        1
    }

    /// Bytes that a stored state occupies, for memory limits. Override this if states own heap
    /// memory.
    fn state_bytes(&self) -> usize {
        size_of::<Self::State>()
    }
}

/// An estimate of the cost to the goal, which can be updated incrementally along a path.
///
/// The *memo* is the data from which the next estimate is computed: a sum, a sum with its parts, or
/// the values of several tables. A simple heuristic implements [`eval`](Heuristic::eval) and
/// [`value`](Heuristic::value); a fast one also implements [`step`](Heuristic::step).
///
/// Implementations must ensure `step(eval(s), s·a, a) == eval(s·a)` for every legal action `a`. For
/// searches that promise shortest paths, `value` must never exceed the true cost: the heuristic must
/// be *admissible*.
///
/// ```
/// use npuzzle_core::search::{Budget, Heuristic, Outcome, idastar};
/// use npuzzle_core::{Board, Instance, Sliding, Tile};
///
/// /// Counts the tiles that are not in their goal row.
/// struct Rows(Board);
///
/// impl Heuristic<Sliding<Board>> for Rows {
///     type Memo = u32;
///     fn eval(&self, board: &Board) -> u32 {
///         let is_wrong = |tile: &&Tile, goal: &[Tile]| !tile.is_blank() && !goal.contains(tile);
///         let rows = board.rows().zip(self.0.rows());
///         rows.map(|(row, goal)| row.iter().filter(|tile| is_wrong(tile, goal)).count() as u32).sum()
///     }
///     fn value(&self, memo: &u32) -> u32 { *memo }
/// }
///
/// let puzzle: Instance = "8 1 3/4 0 2/7 6 5".parse()?;
/// let problem = Sliding::<Board>::new(&puzzle).expect("a board is an arrangement");
/// let report = idastar(&problem, &Rows(puzzle.goal().clone()), Budget::NONE, &mut ());
/// assert!(matches!(report.outcome, Outcome::Solved(path) if path.len() == 14));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Heuristic<P: Problem> {
    /// The data that is carried along a path.
    type Memo: Clone;

    /// Whether [`eval`](Heuristic::eval) takes no longer than a fetch from memory. Searches that
    /// store nodes then recompute memos instead of storing them.
    const EVALUATES_FAST: bool = false;

    /// Computes the memo of a state from scratch.
    fn eval(&self, state: &P::State) -> Self::Memo;

    /// Computes the memo after an action from the memo before it. `after` is the state after the
    /// action.
    #[inline]
    fn step(&self, before: &Self::Memo, after: &P::State, action: P::Action) -> Self::Memo {
        let _ = (before, action);
        self.eval(after)
    }

    /// Returns the estimate.
    fn value(&self, memo: &Self::Memo) -> Cost;
}

/// Receives the progress of a search and can stop it.
///
/// `()` ignores all reports and never stops a search.
///
/// ```
/// use std::ops::ControlFlow;
/// use npuzzle_core::search::{Budget, Limit, Outcome, Stats, Watch, idastar};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
///
/// /// Stops a search after a number of rounds.
/// struct MaxRounds(u32);
///
/// impl Watch for MaxRounds {
///     fn round(&mut self, _: u32, _: &Stats) {
///         self.0 = self.0.saturating_sub(1);
///     }
///     fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
///         if self.0 > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(Limit::Interrupted) }
///     }
/// }
///
/// let hard: Instance = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse()?;
/// let problem = Sliding::<Packed>::new(&hard).expect("16 cells fit");
/// let report = idastar(&problem, &Manhattan::new(hard.goal()), Budget::NONE, &mut MaxRounds(2));
/// assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Interrupted, .. }));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
pub trait Watch {
    /// Called when a solver has chosen the algorithm and the heuristic, for this reason, and again if it
    /// has to change them.
    fn planned(
        &mut self,
        algorithm: &dyn fmt::Display,
        heuristic: Option<&dyn fmt::Display>,
        reason: &str,
    ) {
        let _ = (algorithm, heuristic, reason);
    }

    /// Called when a round of iterative deepening with this bound has ended without a solution.
    fn round(&mut self, bound: Cost, stats: &Stats) {
        let _ = (bound, stats);
    }

    /// Called at least every few thousand nodes, more often if states are large. `Break` stops the
    /// search for the given reason.
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        let _ = stats;
        ControlFlow::Continue(())
    }

    /// Called when a solution of this length has been found and the search continues for a shorter
    /// one. No solution is shorter than the lower bound.
    fn improved(&mut self, length: Cost, lower_bound: Cost) {
        let _ = (length, lower_bound);
    }

    /// Called while a table is built, with the completed share from 0 to 1. `Break` stops the build.
    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        let _ = share;
        self.poll(&Stats::default())
    }
}

impl Watch for () {}

impl<W: Watch + ?Sized> Watch for &mut W {
    fn planned(
        &mut self,
        algorithm: &dyn fmt::Display,
        heuristic: Option<&dyn fmt::Display>,
        reason: &str,
    ) {
        (**self).planned(algorithm, heuristic, reason);
    }

    fn round(&mut self, bound: Cost, stats: &Stats) {
        (**self).round(bound, stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        (**self).poll(stats)
    }

    fn improved(&mut self, length: Cost, lower_bound: Cost) {
        (**self).improved(length, lower_bound);
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        (**self).building(share)
    }
}

/// Nodes between two polls of the watch. Reading a clock costs more than expanding a small state, and
/// less than expanding a large one.
fn poll_interval(problem: &impl Problem) -> u64 {
    (1 << 13) / (problem.state_bytes().max(8) as u64) + 1
}

/// Limits on nodes and memory, which a search enforces by itself.
///
/// ```
/// use npuzzle_core::search::{Budget, Limit, Outcome, idastar};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let hard: Instance = "8 6 7/2 5 4/3 0 1".parse()?;
/// let problem = Sliding::<Packed>::new(&hard).expect("nine cells fit");
/// let budget = Budget { nodes: Some(100), ..Budget::NONE };
/// let report = idastar(&problem, &Manhattan::new(hard.goal()), budget, &mut ());
/// assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Nodes, .. }));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// The maximum number of expanded states.
    pub nodes: Option<u64>,
    /// The maximum number of bytes in the open list and the stored nodes.
    pub bytes: Option<u64>,
    /// Iterative deepening stops when every solution is known to cost at least this much. Other
    /// searches ignore it.
    pub bound: Option<Cost>,
}

impl Budget {
    /// No limits.
    pub const NONE: Budget = Budget { nodes: None, bytes: None, bound: None };

    /// Whether this many bytes are within the limit on memory.
    ///
    /// ```
    /// use npuzzle_core::search::Budget;
    /// assert!(Budget { bytes: Some(100), ..Budget::NONE }.has_memory(100));
    /// ```
    pub fn has_memory(&self, n_bytes: u64) -> bool {
        self.bytes.is_none_or(|max_bytes| n_bytes <= max_bytes)
    }

    /// Returns the limit that these figures have reached, if any.
    ///
    /// ```
    /// use npuzzle_core::search::{Budget, Limit};
    /// let budget = Budget { nodes: Some(10), ..Budget::NONE };
    /// assert_eq!([9, 10].map(|n| budget.reached(n, 0)), [None, Some(Limit::Nodes)]);
    /// ```
    #[inline]
    pub fn reached(&self, expanded: u64, bytes: u64) -> Option<Limit> {
        if self.nodes.is_some_and(|max| expanded >= max) {
            Some(Limit::Nodes)
        } else if self.bytes.is_some_and(|max| bytes >= max) {
            Some(Limit::Memory)
        } else {
            None
        }
    }
}

/// The reason why a search stopped before it was complete.
///
/// ```
/// use npuzzle_core::search::Limit;
/// assert_eq!([Limit::Nodes, Limit::Time].map(|limit| limit.to_string()), ["nodes", "time"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// The limit on expanded states.
    Nodes,
    /// The limit on memory.
    Memory,
    /// The limit on time.
    Time,
    /// The caller cancelled the search, or does not need its result any more.
    Interrupted,
    /// The lower bound: every solution is known to cost at least as much as [`Budget::bound`].
    Bound,
}

/// Writes `nodes`, `memory`, `time`, `interrupted` or `bound`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Nodes => "nodes",
            Limit::Memory => "memory",
            Limit::Time => "time",
            Limit::Interrupted => "interrupted",
            Limit::Bound => "bound",
        })
    }
}

/// The counters of a search.
///
/// A *child* is a state produced from its parent by one action. Except with [`Duplicates::None`] and
/// [`DuplicateCheck::OnRemoval`], the child that undoes its parent's action is not produced, and so not
/// counted. IDA* adds up the
/// counts of all rounds.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, Settings};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let h = Manhattan::new(puzzle.goal());
/// let search = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, Settings::ASTAR);
/// let stats = search.run(&mut (), &mut ()).stats;
/// assert_eq!((stats.expanded, stats.generated, stats.dequeued), (1, 3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Expansions: states whose children were produced. A state that is expanded again counts again.
    /// The goal is not expanded.
    pub expanded: u64,
    /// Children produced, before duplicates are discarded. The start is not counted.
    pub generated: u64,
    /// Nodes put into the open list, including the start.
    pub enqueued: u64,
    /// Nodes taken out of the open list, including the goal and the duplicates found on removal.
    pub dequeued: u64,
    /// Nodes discarded as duplicates of a known state: children that were not enqueued, and nodes
    /// that were dropped when they left the open list.
    pub duplicates: u64,
    /// Expansions of a state that had been expanded before, because a shorter path to it was found or
    /// because [`DuplicateCheck::OnInsertion`] allows them. They are included in `expanded`.
    pub reopened: u64,
    /// Current size of the open list.
    pub open: u64,
    /// Largest size of the open list.
    pub max_open: u64,
    /// Largest sum of open and expanded nodes. Only searches with one open list count it.
    pub max_states: u64,
    /// Largest number of bytes in the open list and the stored nodes.
    pub peak_bytes: u64,
}

/// How a search ended.
///
/// ```
/// use npuzzle_core::search::{Budget, Outcome, idastar};
/// use npuzzle_core::{Instance, Packed, Slide, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let h = Manhattan::new(puzzle.goal());
/// let outcome = idastar(&problem, &h, Budget::NONE, &mut ()).outcome;
/// assert_eq!(outcome, Outcome::Solved(vec![Slide::Up]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome<A> {
    /// These actions lead from the start to the goal.
    Solved(Vec<A>),
    /// No goal is reachable: all reachable states were searched.
    Unsolvable,
    /// A limit was reached first.
    Stopped {
        /// The limit.
        limit: Limit,
        /// The largest `f` that the search has reached. If `f` is `g + h` and `h` is admissible, it
        /// is a lower bound on the cost of a solution.
        frontier: Cost,
    },
}

/// The result of a search.
///
/// ```
/// use npuzzle_core::search::{Budget, idastar};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let h = Manhattan::new(puzzle.goal());
/// let report = idastar(&problem, &h, Budget::NONE, &mut ());
/// assert_eq!((report.stats.expanded, report.best), (1, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchReport<A> {
    /// How the search ended.
    pub outcome: Outcome<A>,
    /// The best path known when a limit was reached, if the search had found one but not proved it
    /// shortest.
    pub best: Option<Vec<A>>,
    /// The counters.
    pub stats: Stats,
}

impl<A> SearchReport<A> {
    /// A report without a best path.
    pub fn new(outcome: Outcome<A>, stats: Stats) -> SearchReport<A> {
        SearchReport { outcome, best: None, stats }
    }
}
