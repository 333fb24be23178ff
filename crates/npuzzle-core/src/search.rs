//! Searches over any problem, and what they share.
//!
//! The names are the textbooks': `g` is the cost of the path to a state, `h` the heuristic's
//! estimate of the cost still to come, `f` the key by which a state waits in the open list
//! (`g + h` for A*), and `bound` the largest `f` that an iteration of IDA* looks at.
//!
//! A search computes; it does not print, read clocks or start threads. Time limits, Ctrl-C and
//! progress reach it through [`Watch`], so that a run without them is deterministic and its node
//! counts are a signature.

mod best_first;
mod bidirectional;
mod chunked_vec;
mod evaluation;
mod idastar;
mod nodes;
mod observer;
mod twin_lockstep;

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;

pub use best_first::{BestFirst, Duplicates, OpenNode, Settings, Step};
pub use bidirectional::{TwoEnded, bidirectional};
pub use evaluation::{Evaluation, Weight};
pub use idastar::idastar;
pub use observer::{Event, Node, Observer};
pub use twin_lockstep::{Lockstep, lockstep};

/// Costs and estimates: whole numbers of moves.
pub type Cost = u32;

/// A search problem with unit costs whose actions can be taken back.
///
/// The searches are not bound to tiles; this is all they know.
///
/// ```
/// use npuzzle_core::search::{idastar, Budget, Heuristic, Outcome, Problem};
///
/// /// The pancake puzzle: sort by flipping the top of the stack.
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
/// /// Every gap between neighbours that are no neighbours by size needs a flip of its own.
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
    /// A step from one state to another, at the cost of 1.
    type Action: Copy + Eq;

    /// Where the search begins.
    fn start(&self) -> Self::State;
    /// Whether the search ends here.
    fn is_goal(&self, state: &Self::State) -> bool;
    /// The actions that are legal in a state, in the order children are to be generated.
    fn actions(&self, state: &Self::State) -> impl Iterator<Item = Self::Action>;
    /// Takes an action that is legal in this state.
    fn apply(&self, state: &mut Self::State, action: Self::Action);
    /// The action that takes this one back.
    fn inverse(&self, action: Self::Action) -> Self::Action;

    /// Bytes that a stored state takes, for memory limits; to be given by states that own memory
    /// beyond their size.
    fn state_bytes(&self) -> usize {
        size_of::<Self::State>()
    }
}

/// An estimate of the cost to the goal, which may be carried along a path.
///
/// The *memo* is what a path carries: a sum, a sum and its parts, the values of several tables.
/// A simple heuristic gives [`eval`](Heuristic::eval) and [`value`](Heuristic::value); a fast one
/// adds [`step`](Heuristic::step).
///
/// Obligations: `step(eval(s), s·a, a) == eval(s·a)` for every legal action `a`; for searches that
/// promise shortest paths, `value` must never be more than the true cost (*admissible*).
///
/// ```
/// use npuzzle_core::search::{Budget, Heuristic, Outcome, idastar};
/// use npuzzle_core::{Board, Instance, Sliding, Tile};
///
/// /// Tiles that are in a wrong row.
/// struct Rows(Board);
///
/// impl Heuristic<Sliding<Board>> for Rows {
///     type Memo = u32;
///     fn eval(&self, board: &Board) -> u32 {
///         let is_wrong = |tile: &&Tile, home: &[Tile]| !tile.is_blank() && !home.contains(tile);
///         let rows = board.rows().zip(self.0.rows());
///         rows.map(|(row, home)| row.iter().filter(|tile| is_wrong(tile, home)).count() as u32).sum()
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
    /// What a path carries.
    type Memo: Clone;

    /// Whether [`eval`](Heuristic::eval) takes no longer than a fetch from memory. Searches that
    /// store nodes then do without stored memos.
    const EVALUATES_FAST: bool = false;

    /// The memo of a state, from scratch.
    fn eval(&self, state: &P::State) -> Self::Memo;

    /// The memo after an action, from the memo before it.
    #[inline]
    fn step(&self, before: &Self::Memo, after: &P::State, action: P::Action) -> Self::Memo {
        let _ = (before, action);
        self.eval(after)
    }

    /// The estimate.
    fn value(&self, memo: &Self::Memo) -> Cost;
}

/// Progress and cancellation: how a search talks to the world while it runs.
///
/// `()` watches nothing and never stops.
///
/// ```
/// use std::ops::ControlFlow;
/// use npuzzle_core::search::{Budget, Limit, Outcome, Stats, Watch, idastar};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
///
/// /// Has enough of a search after so many rounds.
/// struct Rounds(u32);
///
/// impl Watch for Rounds {
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
/// let report = idastar(&problem, &Manhattan::new(hard.goal()), Budget::NONE, &mut Rounds(2));
/// assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Interrupted, .. }));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
pub trait Watch {
    /// A round of iterative deepening with this bound has ended without a solution.
    fn round(&mut self, bound: Cost, stats: &Stats) {
        let _ = (bound, stats);
    }

    /// Called every few thousand nodes, more often when nodes are large; breaking stops the search
    /// for the given reason.
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        let _ = stats;
        ControlFlow::Continue(())
    }

    /// A solution of this length has been found, and none is shorter than the bound; the search goes
    /// on for a shorter one.
    fn better(&mut self, length: Cost, lower_bound: Cost) {
        let _ = (length, lower_bound);
    }

    /// A table is being built, of which this share is done, from 0 to 1; breaking stops it.
    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        let _ = share;
        self.poll(&Stats::default())
    }
}

impl Watch for () {}

impl<W: Watch + ?Sized> Watch for &mut W {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        (**self).round(bound, stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        (**self).poll(stats)
    }

    fn better(&mut self, length: Cost, lower_bound: Cost) {
        (**self).better(length, lower_bound);
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        (**self).building(share)
    }
}

/// How many nodes go by between two looks at the watch. The clock behind it costs more than a small
/// node, and a large board costs more than a clock.
fn poll_interval(problem: &impl Problem) -> u64 {
    (1 << 13) / (problem.state_bytes().max(8) as u64) + 1
}

/// Limits that a search counts by itself.
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
    /// The most states to expand.
    pub nodes: Option<u64>,
    /// The most bytes to hold in the open list and the nodes.
    pub bytes: Option<u64>,
    /// Iterative deepening stops when every solution is known to cost at least this much. Other
    /// searches ignore it.
    pub bound: Option<Cost>,
}

impl Budget {
    /// No limits.
    pub const NONE: Budget = Budget { nodes: None, bytes: None, bound: None };

    /// The limit that these figures have reached, if any.
    #[inline]
    pub(crate) fn reached(&self, expanded: u64, bytes: u64) -> Option<Limit> {
        if self.nodes.is_some_and(|most| expanded >= most) {
            Some(Limit::Nodes)
        } else if self.bytes.is_some_and(|most| bytes >= most) {
            Some(Limit::Memory)
        } else {
            None
        }
    }
}

/// Why a search stopped before it knew the answer.
///
/// ```
/// use npuzzle_core::search::Limit;
/// assert_eq!([Limit::Nodes, Limit::Time].map(|limit| limit.to_string()), ["nodes", "time"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// The number of expanded states.
    Nodes,
    /// The memory.
    Memory,
    /// The time.
    Time,
    /// Somebody asked it to stop.
    Interrupted,
    /// The lower bound: every solution is known to cost at least as much as [`Budget::bound`].
    Bound,
}

/// `nodes`, `memory`, `time`, `interrupted` or `bound`.
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

/// What a search counted.
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
    /// States whose children were produced. The goal is not expanded.
    pub expanded: u64,
    /// States produced from a parent; the start is not counted, nor a step straight back.
    pub generated: u64,
    /// States put into the open list, the start included.
    pub enqueued: u64,
    /// States taken out of the open list, the goal included.
    pub dequeued: u64,
    /// States thrown away because they had been expanded before.
    pub duplicates: u64,
    /// States expanded again because a shorter path to them was found.
    pub reopened: u64,
    /// Size of the open list now.
    pub open: u64,
    /// Largest size of the open list.
    pub max_open: u64,
    /// Most states held at once, open and closed, by searches with one open list.
    pub max_states: u64,
    /// Most bytes held in the open list and the nodes.
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
    /// The goal was reached by these actions.
    Solved(Vec<A>),
    /// Every reachable state was looked at; the goal is none of them.
    Unsolvable,
    /// A limit was reached first.
    Stopped {
        /// Which one.
        limit: Limit,
        /// The largest `f` that the search has got to: a lower bound of the cost if `f` is `g + h`
        /// with an admissible `h`.
        frontier: Cost,
    },
}

/// What a search returns.
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
    /// How it ended.
    pub outcome: Outcome<A>,
    /// The best path known when a limit was reached, by searches that have one before it is proved
    /// shortest.
    pub best: Option<Vec<A>>,
    /// What it counted.
    pub stats: Stats,
}

impl<A> SearchReport<A> {
    /// Of a search that has nothing to tell but its outcome.
    pub fn new(outcome: Outcome<A>, stats: Stats) -> SearchReport<A> {
        SearchReport { outcome, best: None, stats }
    }
}
