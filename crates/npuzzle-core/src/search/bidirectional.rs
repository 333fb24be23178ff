//! Bidirectional search: from the start and from the goal at once. Each side uses an estimate of the
//! distance to the other end (*front-to-end*).
//!
//! ```text
//!     bound = a lower bound on the cost of every path
//!     while the best known path costs more than the bound
//!         on each side, take the node with the smallest g among those with f <= bound
//!         if both paths and one step between them cost more than the bound: raise the bound
//!         otherwise expand both nodes; if a child is known to the other side, there is a path
//! ```
//!
//! This is near-optimal bidirectional search, NBS (Chen, Holte, Zilles and Sturtevant 2017). The
//! authors prove that with consistent heuristics it expands at most twice as many states as are necessary
//! to cover all pairs whose bound is below the optimal cost.
//!
//! Why the path is shortest: let `u` be a node of the start side and `v` a node of the goal side. A
//! path that follows the known path from the start to `u`, continues to `v`, and follows the known
//! path from there to the goal costs at least
//!
//! ```text
//!     lb(u, v) = max( f(u), f(v), g(u) + g(v) + 1 )        1 for the step from u to v
//! ```
//!
//! The bound of the paper has no `+ 1`. It is the cost of the cheapest step (Siag, Shperberg, Felner and
//! Sturtevant 2023).
//!
//! Let P be a shortest path that has not been found. Let `u` be the first state of P, seen from the
//! start, that has not been expanded with its smallest cost, and `v` the first such state seen from
//! the goal. The states before them have been expanded, so both are in the open lists with the costs
//! that they have on P. They are different states and `u` comes before `v`, because otherwise the two
//! sides would have met on P. So P costs at least lb(u, v). The bound is only raised to the smallest
//! lb of all pairs. When the best known path costs no more than the bound, no path is cheaper. This
//! requires admissible estimates. If they are also consistent, no state is expanded twice.

use super::nodes::{NodeRow, Nodes, StateIndex};
use super::{
    Budget, Cost, Heuristic, Limit, Outcome, Problem, SearchReport, Stats, Watch, poll_interval,
};
use crate::index_table::IndexTable;
use crate::queue::{BucketQueue, MinQueue};

/// A problem with unit costs and exactly one goal state, which is known in advance, so that the problem
/// can be searched from both ends.
///
/// ```
/// use npuzzle_core::heuristic::Zero;
/// use npuzzle_core::search::{Budget, Outcome, Problem, SingleGoal, bidirectional};
///
/// /// The path from one number to another in steps of one.
/// struct Line(i32, i32);
///
/// impl Problem for Line {
///     type State = i32;
///     type Action = i32;
///     fn start(&self) -> i32 { self.0 }
///     fn is_goal(&self, number: &i32) -> bool { *number == self.1 }
///     fn actions(&self, _: &i32) -> impl Iterator<Item = i32> { [1, -1].into_iter() }
///     fn apply(&self, number: &mut i32, step: i32) { *number += step; }
///     fn inverse(&self, step: i32) -> i32 { -step }
/// }
///
/// impl SingleGoal for Line {
///     fn goal_state(&self) -> i32 { self.1 }
/// }
///
/// let report = bidirectional(&Line(0, 9), &Zero, &Zero, Budget::NONE, &mut ());
/// assert_eq!(report.outcome, Outcome::Solved(vec![1; 9]));
/// ```
pub trait SingleGoal: Problem {
    /// Returns the goal state.
    fn goal_state(&self) -> Self::State;
}

/// Finds a shortest path by searching from both ends.
///
/// `to_goal` estimates the cost from a state to the goal, `to_start` the cost to the start. Both must
/// be admissible. If a limit is reached, [`SearchReport::best`] holds the best known path.
///
/// ```
/// use npuzzle_core::search::{Budget, Outcome, bidirectional};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
///
/// let instance: Instance = "8 1 3/4 0 2/7 6 5".parse()?;
/// let problem = Sliding::<Packed>::new(&instance).unwrap();
/// let to_goal = Manhattan::new(instance.goal());
/// let to_start = Manhattan::new(instance.start());
/// let report = bidirectional(&problem, &to_goal, &to_start, Budget::NONE, &mut ());
/// assert!(matches!(report.outcome, Outcome::Solved(path) if path.len() == 14));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
pub fn bidirectional<P: SingleGoal, H: Heuristic<P>>(
    problem: &P,
    to_goal: &H,
    to_start: &H,
    budget: Budget,
    watch: &mut impl Watch,
) -> SearchReport<P::Action> {
    let mut stats = Stats::default();
    let mut best = None;
    let mut from_start = Side::new(to_goal, problem.start(), &mut stats);
    let mut from_goal = Side::new(to_start, problem.goal_state(), &mut stats);
    if problem.start() == problem.goal_state() {
        best = Some(Meeting { cost: 0, here: 0, there: 0 });
    }
    let mut bound = 0;
    let interval = poll_interval(problem);
    let mut n_pairs = 0u64;
    let outcome = loop {
        if n_pairs.is_multiple_of(interval)
            && let Some(limit) = watch.poll(&stats).break_value()
        {
            break Outcome::Stopped { limit, frontier: bound };
        }
        n_pairs += 1;
        // If a side has no node left to expand, all paths have been found.
        bound = raise(bound, &mut from_start, &mut from_goal, &mut stats).unwrap_or(Cost::MAX);
        if best.is_some_and(|meeting: Meeting| meeting.cost <= bound) || bound == Cost::MAX {
            break match best {
                Some(meeting) => Outcome::Solved(path(problem, &from_start, &from_goal, meeting)),
                None => Outcome::Unsolvable,
            };
        }
        if let Some(limit) = limit(problem, &from_start, &from_goal, budget, &mut stats) {
            break Outcome::Stopped { limit, frontier: bound };
        }
        from_start.expand(problem, &from_goal, &mut best, &mut stats);
        let is_done = best.is_some_and(|meeting| meeting.cost <= bound);
        if !is_done {
            if let Some(limit) = limit(problem, &from_start, &from_goal, budget, &mut stats) {
                break Outcome::Stopped { limit, frontier: bound };
            }
            let mut best_reversed = best.map(Meeting::reversed);
            from_goal.expand(problem, &from_start, &mut best_reversed, &mut stats);
            best = best_reversed.map(Meeting::reversed);
        }
    };
    let best = match outcome {
        Outcome::Stopped { .. } => best.map(|best| path(problem, &from_start, &from_goal, best)),
        Outcome::Solved(_) | Outcome::Unsolvable => None,
    };
    SearchReport { outcome, best, stats }
}

/// Returns the smallest bound, at least the given one, within which there is a pair to expand;
/// `None` if a side has no node left.
fn raise<P: Problem, H: Heuristic<P>>(
    mut bound: Cost,
    one: &mut Side<'_, P, H>,
    other: &mut Side<'_, P, H>,
    stats: &mut Stats,
) -> Option<Cost> {
    loop {
        one.admit(bound, stats);
        other.admit(bound, stats);
        let both = one.min_g(stats).zip(other.min_g(stats));
        let pair_cost = both.map(|(g, other_g)| g.saturating_add(other_g).saturating_add(1));
        if pair_cost.is_some_and(|cost| cost <= bound) {
            return Some(bound);
        }
        if one.is_empty() || other.is_empty() {
            return None;
        }
        let waiting = [one.waiting.min_key(), other.waiting.min_key()];
        bound = waiting.into_iter().chain([pair_cost]).flatten().min()?;
    }
}

/// A known path: the nodes of the two sides whose state is the same.
#[derive(Clone, Copy)]
struct Meeting {
    cost: Cost,
    /// The node of the side that is being expanded.
    here: u32,
    /// The node of the other side.
    there: u32,
}

impl Meeting {
    /// The meeting from the viewpoint of the other side.
    fn reversed(self) -> Meeting {
        Meeting { cost: self.cost, here: self.there, there: self.here }
    }
}

/// The search from one end.
struct Side<'a, P: Problem, H: Heuristic<P>> {
    heuristic: &'a H,
    /// All generated states that may be on a shorter path, expanded or not.
    nodes: Nodes<P, H>,
    /// By node.
    is_expanded: Vec<bool>,
    /// The open nodes with f within the bound, ordered by g.
    ready: BucketQueue<u32>,
    /// The other open nodes with their g, ordered by f. A node whose path was shortened has two
    /// entries in the queues; the one with the larger g is dropped when it leaves.
    waiting: BucketQueue<(u32, Cost)>,
}

impl<'a, P: Problem, H: Heuristic<P>> Side<'a, P, H> {
    fn new(heuristic: &'a H, root: P::State, stats: &mut Stats) -> Self {
        let mut side = Side {
            heuristic,
            nodes: Nodes::new(StateIndex::OpenAddressing(IndexTable::new())),
            is_expanded: Vec::new(),
            ready: BucketQueue::new(),
            waiting: BucketQueue::new(),
        };
        let memo = heuristic.eval(&root);
        let f = heuristic.value(&memo);
        side.add(NodeRow { state: root, memo, g: 0, action: None, parent: 0 }, f);
        stats.enqueued += 1;
        side
    }

    fn add(&mut self, row: NodeRow<P, H>, f: Cost) -> u32 {
        let (key, g) = (self.nodes.key(&row.state), row.g);
        let id = self.nodes.push(key, row);
        self.is_expanded.push(false);
        self.waiting.push(f, (id, g));
        id
    }

    fn is_empty(&self) -> bool {
        self.ready.is_empty() && self.waiting.is_empty()
    }

    fn n_open(&self) -> u64 {
        (self.ready.len() + self.waiting.len()) as u64
    }

    fn bytes(&self, problem: &P) -> usize {
        let queues = self.ready.bytes() + self.waiting.bytes();
        queues + self.nodes.bytes(problem) + self.is_expanded.len()
    }

    /// Moves the waiting nodes with `f` within the bound to the ready ones.
    fn admit(&mut self, bound: Cost, stats: &mut Stats) {
        while self.waiting.min_key().is_some_and(|f| f <= bound)
            && let Some((_, (id, g))) = self.waiting.pop()
        {
            if self.nodes.g(id) == g {
                self.ready.push(g, id);
            } else {
                count_dropped(stats);
            }
        }
    }

    /// Returns the smallest `g` of the ready nodes.
    fn min_g(&mut self, stats: &mut Stats) -> Option<Cost> {
        while let Some((g, id)) = self.ready.pop() {
            if self.nodes.g(id) == g {
                self.ready.push(g, id);
                return Some(g);
            }
            count_dropped(stats);
        }
        None
    }

    /// Expands the ready node with the smallest `g`. [`min_g`](Side::min_g) must have removed
    /// outdated entries before.
    fn expand(
        &mut self,
        problem: &P,
        other: &Side<'_, P, H>,
        best: &mut Option<Meeting>,
        stats: &mut Stats,
    ) {
        let Some((g, id)) = self.ready.pop() else { return };
        stats.dequeued += 1;
        stats.expanded += 1;
        stats.reopened += u64::from(self.is_expanded[id as usize]);
        self.is_expanded[id as usize] = true;
        let memo = self.nodes.memo(self.heuristic, id);
        let mut state = self.nodes.state(id).clone();
        let back = self.nodes.action(id).map(|action| problem.inverse(action));
        let actions: Vec<P::Action> = problem.actions(&state).collect();
        for action in actions.into_iter().filter(|&action| Some(action) != back) {
            problem.apply(&mut state, action);
            stats.generated += 1;
            let memo = self.heuristic.step(&memo, &state, action);
            let f = self.heuristic.value(&memo).saturating_add(g + 1);
            let known = self.nodes.find(self.nodes.key(&state), &state);
            if known.is_some_and(|known| self.nodes.g(known) <= g + 1) {
                stats.duplicates += 1;
            } else if best.is_none_or(|best| f < best.cost) {
                stats.enqueued += 1;
                let here = match known {
                    Some(known) => {
                        self.nodes.set_path(known, g + 1, Some(action));
                        self.waiting.push(f, (known, g + 1));
                        known
                    }
                    None => {
                        let (state, action) = (state.clone(), Some(action));
                        self.add(NodeRow { state, memo, g: g + 1, action, parent: id }, f)
                    }
                };
                if let Some(there) = other.nodes.find(other.nodes.key(&state), &state) {
                    let cost = g + 1 + other.nodes.g(there);
                    if best.is_none_or(|best| cost < best.cost) {
                        *best = Some(Meeting { cost, here, there });
                    }
                }
            }
            problem.apply(&mut state, problem.inverse(action));
        }
    }
}

/// Counts an outdated entry that left a queue.
fn count_dropped(stats: &mut Stats) {
    stats.dequeued += 1;
    stats.duplicates += 1;
}

/// Updates the counters of open nodes and memory, and returns the limit that the next expansion would
/// exceed, if any.
fn limit<P: Problem, H: Heuristic<P>>(
    problem: &P,
    one: &Side<'_, P, H>,
    other: &Side<'_, P, H>,
    budget: Budget,
    stats: &mut Stats,
) -> Option<Limit> {
    stats.open = one.n_open() + other.n_open();
    stats.max_open = stats.max_open.max(stats.open);
    let bytes = (one.bytes(problem) + other.bytes(problem)) as u64;
    stats.peak_bytes = stats.peak_bytes.max(bytes);
    let max_nodes = one.nodes.len().max(other.nodes.len());
    // Node indices have 32 bits, and an expansion adds only a few nodes.
    let is_full = max_nodes >= (IndexTable::MAX - u32::from(u16::MAX)) as usize;
    budget.reached(stats.expanded, bytes).or(is_full.then_some(Limit::Memory))
}

/// Returns the actions from the start to the meeting and from there to the goal.
fn path<P: Problem, H: Heuristic<P>>(
    problem: &P,
    from_start: &Side<'_, P, H>,
    from_goal: &Side<'_, P, H>,
    meeting: Meeting,
) -> Vec<P::Action> {
    let mut path = from_start.nodes.path(problem, meeting.here);
    let goal_side = from_goal.nodes.path(problem, meeting.there);
    path.extend(goal_side.into_iter().rev().map(|action| problem.inverse(action)));
    path
}
