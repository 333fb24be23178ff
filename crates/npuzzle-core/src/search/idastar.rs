//! Iterative-deepening A* (Korf 1985): depth-first searches with an increasing bound on `f = g + h`.
//!
//! ```text
//!     bound = h(start)
//!     repeat
//!         search depth-first through the states with f <= bound; stop if a goal is found
//!         bound = the smallest f above the bound that was generated
//! ```
//!
//! Only the current path is in memory: one state, to which actions are applied and then undone, and
//! stacks of actions and memos. Explicit stacks replace the recursion, because a path on a large board
//! would overflow the stack of a thread.

use std::ops::ControlFlow;

use super::{Budget, Cost, Heuristic, Limit, Outcome, Problem, SearchReport, Stats, Watch};

/// Finds a shortest path by iterative deepening; `h` must be admissible.
///
/// The search remembers no states: it only avoids generating the parent of a state. On a problem
/// without a solution it does not terminate unless the budget or the watch stops it.
///
/// ```
/// use npuzzle_core::search::{idastar, Budget, Outcome};
/// use npuzzle_core::{heuristic::LinearConflict, Instance, Packed, Sliding};
///
/// let instance: Instance = "8 1 3/4 0 2/7 6 5".parse()?;
/// let problem = Sliding::<Packed>::new(&instance).unwrap();
/// let h = LinearConflict::new(instance.goal());
/// let report = idastar(&problem, &h, Budget::NONE, &mut ());
/// assert!(matches!(report.outcome, Outcome::Solved(path) if path.len() == 14));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
pub fn idastar<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    budget: Budget,
    watch: &mut impl Watch,
) -> SearchReport<P::Action> {
    let start = problem.start();
    let memo = heuristic.eval(&start);
    let mut bound = heuristic.value(&memo);
    if problem.is_goal(&start) {
        return SearchReport::new(Outcome::Solved(Vec::new()), Stats::default());
    }
    let mut dfs = DepthFirst {
        problem,
        heuristic,
        budget,
        state: start,
        memos: vec![memo],
        path: Vec::new(),
        g: 0,
        pending: Vec::new(),
        marks: Vec::new(),
        stats: Stats::default(),
        next_poll: 0,
    };
    let outcome = loop {
        if budget.bound.is_some_and(|target| bound >= target) {
            break Outcome::Stopped { limit: Limit::Bound, frontier: bound };
        }
        match dfs.search(bound, watch) {
            ControlFlow::Break(EarlyEnd::Goal) => break Outcome::Solved(dfs.path),
            ControlFlow::Break(EarlyEnd::Stopped(limit)) => {
                break Outcome::Stopped { limit, frontier: bound };
            }
            ControlFlow::Continue(Cost::MAX) => break Outcome::Unsolvable,
            ControlFlow::Continue(next) => {
                watch.round(bound, &dfs.stats);
                bound = next;
            }
        }
    };
    SearchReport::new(outcome, dfs.stats)
}

/// Why a depth-first search ended before its bound was exhausted.
enum EarlyEnd {
    Goal,
    Stopped(Limit),
}

/// The depth-first search of a round; stacks and counters are kept between rounds.
struct DepthFirst<'a, P: Problem, H: Heuristic<P>> {
    problem: &'a P,
    heuristic: &'a H,
    budget: Budget,
    /// The state at the end of the path.
    state: P::State,
    path: Vec<P::Action>,
    /// The cost of the path.
    g: Cost,
    /// The memos of the states on the path, beginning with the start.
    memos: Vec<H::Memo>,
    /// The actions still to be tried, those of the deepest state last.
    pending: Vec<P::Action>,
    /// For every expanded state on the path, the index in `pending` of its first action.
    marks: Vec<usize>,
    stats: Stats,
    /// The sum of expanded and generated states at which the watch is polled next.
    next_poll: u64,
}

/// Expanded and generated states between two polls of the watch.
const POLL_INTERVAL: u64 = 1 << 12;

impl<P: Problem, H: Heuristic<P>> DepthFirst<'_, P, H> {
    /// Searches the states with `f` within the bound. `Continue` holds the smallest `f` above the
    /// bound, or `Cost::MAX` if there is none.
    fn search(&mut self, bound: Cost, watch: &mut impl Watch) -> ControlFlow<EarlyEnd, Cost> {
        let mut next = Cost::MAX;
        self.expand(watch)?;
        loop {
            if self.pending.len() > self.marks.last().copied().unwrap_or(0) {
                let Some(action) = self.pending.pop() else { unreachable!() };
                let f = self.enter(action);
                if f > bound {
                    next = next.min(f);
                    self.leave();
                } else if self.is_goal() {
                    return ControlFlow::Break(EarlyEnd::Goal);
                } else {
                    self.expand(watch)?;
                }
            } else {
                self.marks.pop();
                if self.path.is_empty() {
                    return ControlFlow::Continue(next);
                }
                self.leave();
            }
        }
    }

    /// Makes the actions of the deepest state pending.
    #[inline]
    fn expand(&mut self, watch: &mut impl Watch) -> ControlFlow<EarlyEnd> {
        // Children count too: in the multi-tile metric a large board has hundreds of them.
        let n_visited = self.stats.expanded + self.stats.generated;
        if n_visited >= self.next_poll {
            self.next_poll = n_visited + POLL_INTERVAL;
            watch.poll(&self.stats).map_break(EarlyEnd::Stopped)?;
        }
        if let Some(limit) = self.budget.reached(self.stats.expanded, 0) {
            return ControlFlow::Break(EarlyEnd::Stopped(limit));
        }
        self.stats.expanded += 1;
        let back = self.path.last().map(|&action| self.problem.inverse(action));
        let mark = self.pending.len();
        self.marks.push(mark);
        let actions = self.problem.actions(&self.state);
        self.pending.extend(actions.filter(|&action| Some(action) != back));
        // The last action of the stack is tried first.
        self.pending[mark..].reverse();
        ControlFlow::Continue(())
    }

    /// Applies an action and returns the `f` of the new state.
    #[inline]
    fn enter(&mut self, action: P::Action) -> Cost {
        self.stats.generated += 1;
        self.problem.apply(&mut self.state, action);
        let before = &self.memos[self.memos.len() - 1];
        let memo = self.heuristic.step(before, &self.state, action);
        let h = self.heuristic.value(&memo);
        self.memos.push(memo);
        self.path.push(action);
        self.g += self.problem.cost(&self.state, action);
        self.g.saturating_add(h)
    }

    /// Undoes the last action.
    #[inline]
    fn leave(&mut self) {
        self.memos.pop();
        if let Some(action) = self.path.pop() {
            self.g -= self.problem.cost(&self.state, action);
            self.problem.apply(&mut self.state, self.problem.inverse(action));
        }
    }

    #[inline]
    fn is_goal(&self) -> bool {
        // An admissible estimate above 0 excludes the goal and is cheaper to test.
        let h = self.heuristic.value(&self.memos[self.memos.len() - 1]);
        h == 0 && self.problem.is_goal(&self.state)
    }
}
