//! Iterative deepening A*: depth-first searches with a growing bound on `f = g + h`.
//!
//! ```text
//!     bound = h(start)
//!     repeat
//!         search depth-first, not beyond states with f > bound; done if the goal turns up
//!         bound = the smallest f that was beyond it
//! ```
//!
//! It holds one path and nothing else. The recursion is written out with explicit stacks, since a
//! path on a large board is longer than a thread's stack would bear; the state is one value that
//! actions are applied to and taken back from.

use std::ops::ControlFlow;

use super::{Budget, Cost, Heuristic, Limit, Outcome, Problem, SearchReport, Stats, Watch};

/// A shortest path by iterative deepening; `h` must never overestimate.
///
/// No state generates its own parent, and that is all the memory it has of states: on a problem
/// without a solution it goes on for ever unless the budget or the watch ends it.
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
    let mut dive = Dive {
        problem,
        heuristic,
        budget,
        state: start,
        memos: vec![memo],
        path: Vec::new(),
        pending: Vec::new(),
        marks: Vec::new(),
        stats: Stats::default(),
        next_look: 0,
    };
    let outcome = loop {
        if budget.bound.is_some_and(|target| bound >= target) {
            break Outcome::Stopped { limit: Limit::Bound, frontier: bound };
        }
        match dive.search(bound, watch) {
            ControlFlow::Break(End::Goal) => break Outcome::Solved(dive.path),
            ControlFlow::Break(End::Stopped(limit)) => {
                break Outcome::Stopped { limit, frontier: bound };
            }
            ControlFlow::Continue(Cost::MAX) => break Outcome::Unsolvable,
            ControlFlow::Continue(next) => {
                watch.round(bound, &dive.stats);
                bound = next;
            }
        }
    };
    SearchReport::new(outcome, dive.stats)
}

enum End {
    Goal,
    Stopped(Limit),
}

/// One depth-first search, and what is kept between them.
struct Dive<'a, P: Problem, H: Heuristic<P>> {
    problem: &'a P,
    heuristic: &'a H,
    budget: Budget,
    /// The state at the end of the path.
    state: P::State,
    path: Vec<P::Action>,
    /// The memo of every state on the path, the start's first.
    memos: Vec<H::Memo>,
    /// Actions still to be tried, those of the deepest state last.
    pending: Vec<P::Action>,
    /// For every state on the path, where its own actions begin in `pending`.
    marks: Vec<usize>,
    stats: Stats,
    /// When to look at the watch: at so many states, expanded or generated.
    next_look: u64,
}

/// How many states go by between two looks at the watch.
const POLL_INTERVAL: u64 = 1 << 12;

impl<P: Problem, H: Heuristic<P>> Dive<'_, P, H> {
    /// Searches within the bound; goes on with the smallest `f` beyond it.
    fn search(&mut self, bound: Cost, watch: &mut impl Watch) -> ControlFlow<End, Cost> {
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
                    return ControlFlow::Break(End::Goal);
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
    fn expand(&mut self, watch: &mut impl Watch) -> ControlFlow<End> {
        // By children too, of which a large board has hundreds where many tiles slide at once.
        let n_done = self.stats.expanded + self.stats.generated;
        if n_done >= self.next_look {
            self.next_look = n_done + POLL_INTERVAL;
            watch.poll(&self.stats).map_break(End::Stopped)?;
        }
        if let Some(limit) = self.budget.reached(self.stats.expanded, 0) {
            return ControlFlow::Break(End::Stopped(limit));
        }
        self.stats.expanded += 1;
        let back = self.path.last().map(|&action| self.problem.inverse(action));
        let mark = self.pending.len();
        self.marks.push(mark);
        let actions = self.problem.actions(&self.state);
        self.pending.extend(actions.filter(|&action| Some(action) != back));
        // The last is tried first.
        self.pending[mark..].reverse();
        ControlFlow::Continue(())
    }

    /// Takes an action; the `f` of the state it leads to.
    #[inline]
    fn enter(&mut self, action: P::Action) -> Cost {
        self.stats.generated += 1;
        self.problem.apply(&mut self.state, action);
        let before = &self.memos[self.memos.len() - 1];
        let memo = self.heuristic.step(before, &self.state, action);
        let h = self.heuristic.value(&memo);
        self.memos.push(memo);
        self.path.push(action);
        (self.path.len() as Cost).saturating_add(h)
    }

    /// Takes the last action back.
    #[inline]
    fn leave(&mut self) {
        self.memos.pop();
        if let Some(action) = self.path.pop() {
            self.problem.apply(&mut self.state, self.problem.inverse(action));
        }
    }

    #[inline]
    fn is_goal(&self) -> bool {
        // An estimate above 0 that never overestimates excludes the goal, and is cheaper to test.
        let h = self.heuristic.value(&self.memos[self.memos.len() - 1]);
        h == 0 && self.problem.is_goal(&self.state)
    }
}
