//! Depth-limited search: a depth-first tree search that does not follow paths of more than a number of
//! actions.
//!
//! ```text
//!     put the start on the stack
//!     while the stack is not empty
//!         take the top node; if it is the goal: done
//!         if its depth is below the limit: put its children on the stack, the first one on top
//! ```
//!
//! Repeated with the limits 0, 1, 2, …, this is iterative deepening. There is no closed list, because
//! one can miss solutions within the limit: a state may be reached first on a path that is too deep.
//! Only the current path is in memory, with the actions that remain to be tried.

use super::{
    Budget, Cost, Event, Limit, ObservedNode, Observer, Outcome, Problem, SearchReport, Stats,
    Watch,
};

/// Nodes between two polls of the watch.
const POLL_INTERVAL: u64 = 1 << 12;

/// Searches all paths of up to `max_depth` actions, depth-first, with the children of a node in the order
/// of [`Problem::actions`]. The child that undoes its parent's action is generated, too.
///
/// [`Outcome::Unsolvable`] means that there is no solution within the depth. The counters take the stack
/// as the open list: its size never includes nodes that have left it. Observed nodes have their depth as
/// `g`, no estimate, and no index of a parent: the parent of a node that enters the stack is the node that
/// left it last.
///
/// ```
/// use npuzzle_core::search::{Budget, Outcome, depth_limited};
/// use npuzzle_core::{Instance, Packed, Sliding};
/// let puzzle: Instance = "1 2 3/4 0 5/7 8 6".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let n_moves = |depth| match depth_limited(&problem, depth, Budget::NONE, &mut (), &mut ()).outcome {
///     Outcome::Solved(path) => Some(path.len()),
///     _ => None,
/// };
/// assert_eq!([n_moves(1), n_moves(2)], [None, Some(2)]);
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
pub fn depth_limited<P: Problem>(
    problem: &P,
    max_depth: Cost,
    budget: Budget,
    watch: &mut impl Watch,
    observer: &mut impl Observer<P>,
) -> SearchReport<P::Action> {
    let state = problem.start();
    let mut search = DepthLimited {
        problem,
        state,
        path: Vec::new(),
        pending: Vec::new(),
        stats: Stats { enqueued: 1, open: 1, max_open: 1, ..Stats::default() },
    };
    observer.observe(Event::Push(observed(&search.state, None, 0)));
    let outcome = search.run(max_depth as usize, budget, watch, observer);
    SearchReport::new(outcome, search.stats)
}

/// A node of the stack as it is shown to observers.
fn observed<P: Problem>(
    state: &P::State,
    action: Option<P::Action>,
    depth: usize,
) -> ObservedNode<'_, P> {
    ObservedNode { state, action, parent: None, g: depth as Cost, h: 0, f: 0 }
}

struct DepthLimited<'a, P: Problem> {
    problem: &'a P,
    /// The state at the end of the path.
    state: P::State,
    path: Vec<P::Action>,
    /// The stack: actions to be tried, with the depth of the node that each leads to.
    pending: Vec<(usize, P::Action)>,
    stats: Stats,
}

impl<P: Problem> DepthLimited<'_, P> {
    fn run(
        &mut self,
        max_depth: usize,
        budget: Budget,
        watch: &mut impl Watch,
        observer: &mut impl Observer<P>,
    ) -> Outcome<P::Action> {
        loop {
            let stopped = |limit| Outcome::Stopped { limit, frontier: 0 };
            if self.stats.dequeued.is_multiple_of(POLL_INTERVAL)
                && let Some(limit) = watch.poll(&self.stats).break_value()
            {
                return stopped(limit);
            }
            self.stats.dequeued += 1;
            self.stats.open = self.pending.len() as u64;
            let depth = self.path.len();
            observer.observe(Event::Pop(observed(&self.state, self.path.last().copied(), depth)));
            if self.problem.is_goal(&self.state) {
                return Outcome::Solved(std::mem::take(&mut self.path));
            }
            if self.path.len() < max_depth {
                if let Some(limit) = self.limit(budget) {
                    return stopped(limit);
                }
                self.expand(observer);
            }
            let Some((depth, action)) = self.pending.pop() else { return Outcome::Unsolvable };
            self.enter(depth, action);
        }
    }

    /// Puts the children of the current node on the stack.
    fn expand<O: Observer<P>>(&mut self, observer: &mut O) {
        let (depth, first) = (self.path.len() + 1, self.pending.len());
        let actions = self.problem.actions(&self.state);
        self.pending.extend(actions.map(|action| (depth, action)));
        let n_children = (self.pending.len() - first) as u64;
        self.pending[first..].reverse();
        if !O::IGNORES_EVENTS {
            for &(depth, action) in &self.pending[first..] {
                self.problem.apply(&mut self.state, action);
                observer.observe(Event::Push(observed(&self.state, Some(action), depth)));
                self.problem.apply(&mut self.state, self.problem.inverse(action));
            }
        }
        self.stats.expanded += 1;
        self.stats.generated += n_children;
        self.stats.enqueued += n_children;
        self.stats.open = self.pending.len() as u64;
        self.stats.max_open = self.stats.max_open.max(self.stats.open);
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes());
    }

    /// Backtracks to the parent of a node of this depth, and applies the action that leads to the node.
    fn enter(&mut self, depth: usize, action: P::Action) {
        while self.path.len() >= depth
            && let Some(last) = self.path.pop()
        {
            self.problem.apply(&mut self.state, self.problem.inverse(last));
        }
        self.problem.apply(&mut self.state, action);
        self.path.push(action);
    }

    fn limit(&self, budget: Budget) -> Option<Limit> {
        budget.reached(self.stats.expanded, self.bytes())
    }

    fn bytes(&self) -> u64 {
        let pending = self.pending.len() * size_of::<(usize, P::Action)>();
        (pending + self.path.len() * size_of::<P::Action>()) as u64
    }
}
