//! Bidirectional search: from the start and from the goal at once, each side led by an estimate of
//! the way to the other end (*front-to-end*).
//!
//! ```text
//!     bound = what every path costs at least
//!     while the best path known costs more than the bound
//!         take the nodes with f <= bound and the smallest g, one of each side
//!         if the two cost more than the bound together, with the step between them: raise the bound
//!         otherwise expand both; where a side meets a state of the other, there is a path
//! ```
//!
//! This is near-optimal bidirectional search (Chen, Holte, Zilles and Sturtevant, 2017). With
//! consistent estimates it expands, by its authors' proof, at most twice as many states as any search
//! of its kind must.
//!
//! Why the path is shortest. Call a node of the start's side `u`, one of the goal's side `v`. A path
//! that leads from the start to `u` as known, on to `v`, and from there to the goal as known, costs
//! at least
//!
//! ```text
//!     lb(u, v) = max( f(u), f(v), g(u) + g(v) + 1 )        1 for the step from u to v
//! ```
//!
//! Let P be a shortest path that has not been found, and `u` the first of its states, seen from the
//! start, that is not expanded by the cheapest way, `v` the same seen from the goal. The states
//! before them are, so both are in the open lists with the costs they have on P. They are different
//! states and `u` comes before `v`, or the two sides would have met on P. So P costs at least
//! lb(u, v). The bound is raised only to the smallest lb of all pairs; when the best path known costs
//! no more than that, no path is cheaper. That needs estimates that are admissible, no more; if they
//! are consistent too, no state is expanded twice.

use super::nodes::{Index, Nodes, Row};
use super::{
    Budget, Cost, Heuristic, Limit, Outcome, Problem, SearchReport, Stats, Watch, poll_interval,
};
use crate::index_table::NumberedTable;
use crate::queue::{BucketQueue, MinQueue};

/// A problem whose goal is one state that is known beforehand, so that it can be searched from
/// there as well.
///
/// ```
/// use npuzzle_core::heuristic::Zero;
/// use npuzzle_core::search::{Budget, Outcome, Problem, TwoEnded, bidirectional};
///
/// /// From one number to another in steps of one.
/// struct Line(i32, i32);
///
/// impl Problem for Line {
///     type State = i32;
///     type Action = i32;
///     fn start(&self) -> i32 { self.0 }
///     fn is_goal(&self, place: &i32) -> bool { *place == self.1 }
///     fn actions(&self, _: &i32) -> impl Iterator<Item = i32> { [1, -1].into_iter() }
///     fn apply(&self, place: &mut i32, step: i32) { *place += step; }
///     fn inverse(&self, step: i32) -> i32 { -step }
/// }
///
/// impl TwoEnded for Line {
///     fn end(&self) -> i32 { self.1 }
/// }
///
/// let report = bidirectional(&Line(0, 9), &Zero, &Zero, Budget::NONE, &mut ());
/// assert_eq!(report.outcome, Outcome::Solved(vec![1; 9]));
/// ```
pub trait TwoEnded: Problem {
    /// The one state that is a goal.
    fn end(&self) -> Self::State;
}

/// Finds a shortest path from both ends.
///
/// `to_end` estimates the cost from a state to the goal, `to_start` that to the start. Neither may
/// overestimate. If a limit is reached, the best path known goes with the report.
///
/// ```
/// use npuzzle_core::search::{Budget, Outcome, bidirectional};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
///
/// let instance: Instance = "8 1 3/4 0 2/7 6 5".parse()?;
/// let problem = Sliding::<Packed>::new(&instance).unwrap();
/// let to_end = Manhattan::new(instance.goal());
/// let to_start = Manhattan::new(instance.start());
/// let report = bidirectional(&problem, &to_end, &to_start, Budget::NONE, &mut ());
/// assert!(matches!(report.outcome, Outcome::Solved(path) if path.len() == 14));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
pub fn bidirectional<P: TwoEnded, H: Heuristic<P>>(
    problem: &P,
    to_end: &H,
    to_start: &H,
    budget: Budget,
    watch: &mut impl Watch,
) -> SearchReport<P::Action> {
    let mut stats = Stats::default();
    let mut best = None;
    let mut from_start = Side::new(to_end, problem.start(), &mut stats);
    let mut from_end = Side::new(to_start, problem.end(), &mut stats);
    if problem.start() == problem.end() {
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
        match raise(bound, &mut from_start, &mut from_end, &mut stats) {
            Some(raised) => bound = raised,
            // One side has nothing left to expand: every path there is has been found.
            None => bound = Cost::MAX,
        }
        if best.is_some_and(|meeting: Meeting| meeting.cost <= bound) || bound == Cost::MAX {
            break match best {
                Some(meeting) => Outcome::Solved(path(problem, &from_start, &from_end, meeting)),
                None => Outcome::Unsolvable,
            };
        }
        if let Some(limit) = limit(problem, &from_start, &from_end, budget, &mut stats) {
            break Outcome::Stopped { limit, frontier: bound };
        }
        from_start.expand(problem, &from_end, &mut best, &mut stats);
        let is_done = best.is_some_and(|meeting| meeting.cost <= bound);
        if !is_done {
            if let Some(limit) = limit(problem, &from_start, &from_end, budget, &mut stats) {
                break Outcome::Stopped { limit, frontier: bound };
            }
            let mut seen_from_there = best.map(Meeting::turned);
            from_end.expand(problem, &from_start, &mut seen_from_there, &mut stats);
            best = seen_from_there.map(Meeting::turned);
        }
    };
    let best = match outcome {
        Outcome::Stopped { .. } => best.map(|best| path(problem, &from_start, &from_end, best)),
        Outcome::Solved(_) | Outcome::Unsolvable => None,
    };
    SearchReport { outcome, best, stats }
}

/// The smallest bound, at least this one, within which there is a pair to expand; `None` if a side
/// has no node left.
fn raise<P: Problem, H: Heuristic<P>>(
    mut bound: Cost,
    one: &mut Side<'_, P, H>,
    other: &mut Side<'_, P, H>,
    stats: &mut Stats,
) -> Option<Cost> {
    loop {
        one.admit(bound, stats);
        other.admit(bound, stats);
        let both = one.least_g(stats).zip(other.least_g(stats));
        let together = both.map(|(g, h)| g.saturating_add(h).saturating_add(1));
        if together.is_some_and(|together| together <= bound) {
            return Some(bound);
        }
        if one.is_empty() || other.is_empty() {
            return None;
        }
        let waiting = [one.waiting.least_key(), other.waiting.least_key()];
        bound = waiting.into_iter().chain([together]).flatten().min()?;
    }
}

/// A path that is known: the node of one side and that of the other with the state where they meet.
#[derive(Clone, Copy)]
struct Meeting {
    cost: Cost,
    here: u32,
    there: u32,
}

impl Meeting {
    /// As the other side sees it.
    fn turned(self) -> Meeting {
        Meeting { cost: self.cost, here: self.there, there: self.here }
    }
}

/// The search from one end.
struct Side<'a, P: Problem, H: Heuristic<P>> {
    heuristic: &'a H,
    /// All states that were met and may lie on a shorter path, expanded or not.
    nodes: Nodes<P, H>,
    is_expanded: Vec<bool>,
    /// Nodes with f within the bound, by g.
    ready: BucketQueue<u32>,
    /// The others by f, with their g. A node that was bettered is here or in `ready` twice; the copy
    /// with the larger g is dropped when it leaves.
    waiting: BucketQueue<(u32, Cost)>,
}

impl<'a, P: Problem, H: Heuristic<P>> Side<'a, P, H> {
    fn new(heuristic: &'a H, root: P::State, stats: &mut Stats) -> Self {
        let mut side = Side {
            heuristic,
            nodes: Nodes::new(Index::Numbered(NumberedTable::new())),
            is_expanded: Vec::new(),
            ready: BucketQueue::new(),
            waiting: BucketQueue::new(),
        };
        let memo = heuristic.eval(&root);
        let f = heuristic.value(&memo);
        side.add(Row { state: root, memo, g: 0, action: None, parent: 0 }, f);
        stats.enqueued += 1;
        side
    }

    fn add(&mut self, row: Row<P, H>, f: Cost) -> u32 {
        let (sought, g) = (self.nodes.seek(&row.state), row.g);
        let id = self.nodes.push(sought, row);
        self.is_expanded.push(false);
        self.waiting.push(f, (id, g));
        id
    }

    fn is_empty(&self) -> bool {
        self.ready.is_empty() && self.waiting.is_empty()
    }

    fn open(&self) -> u64 {
        (self.ready.len() + self.waiting.len()) as u64
    }

    fn count_bytes(&self, problem: &P) -> usize {
        let queues = self.ready.bytes() + self.waiting.bytes();
        queues + self.nodes.bytes(problem) + self.is_expanded.len()
    }

    /// Makes ready what waits with `f` within the bound.
    fn admit(&mut self, bound: Cost, stats: &mut Stats) {
        while self.waiting.least_key().is_some_and(|f| f <= bound)
            && let Some((_, (id, g))) = self.waiting.pop()
        {
            if self.nodes.g(id) == g {
                self.ready.push(g, id);
            } else {
                drop_one(stats);
            }
        }
    }

    /// The smallest `g` of the nodes that are ready.
    fn least_g(&mut self, stats: &mut Stats) -> Option<Cost> {
        while let Some((g, id)) = self.ready.pop() {
            if self.nodes.g(id) == g {
                self.ready.push(g, id);
                return Some(g);
            }
            drop_one(stats);
        }
        None
    }

    /// Expands the ready node with the smallest `g`, which [`least_g`](Side::least_g) has put on top.
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
            let known = self.nodes.find(self.nodes.seek(&state), &state);
            if known.is_some_and(|known| self.nodes.g(known) <= g + 1) {
                stats.duplicates += 1;
            } else if best.is_none_or(|best| f < best.cost) {
                stats.enqueued += 1;
                let here = match known {
                    Some(known) => {
                        self.nodes.better(known, g + 1, Some(action));
                        self.waiting.push(f, (known, g + 1));
                        known
                    }
                    None => {
                        let (state, action) = (state.clone(), Some(action));
                        self.add(Row { state, memo, g: g + 1, action, parent: id }, f)
                    }
                };
                if let Some(there) = other.nodes.find(other.nodes.seek(&state), &state) {
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

/// Counts a copy that left a queue in vain.
fn drop_one(stats: &mut Stats) {
    stats.dequeued += 1;
    stats.duplicates += 1;
}

/// Counts what is held, and tells the limit that the next expansion would break.
fn limit<P: Problem, H: Heuristic<P>>(
    problem: &P,
    one: &Side<'_, P, H>,
    other: &Side<'_, P, H>,
    budget: Budget,
    stats: &mut Stats,
) -> Option<Limit> {
    stats.open = one.open() + other.open();
    stats.max_open = stats.max_open.max(stats.open);
    let bytes = (one.count_bytes(problem) + other.count_bytes(problem)) as u64;
    stats.peak_bytes = stats.peak_bytes.max(bytes);
    let most = one.nodes.len().max(other.nodes.len());
    // An expansion adds a few nodes; numbers are 32 bits wide.
    let is_full = most >= (NumberedTable::MAX - u32::from(u16::MAX)) as usize;
    budget.reached(stats.expanded, bytes).or(is_full.then_some(Limit::Memory))
}

/// The actions from the start to where the sides meet, and on to the goal.
fn path<P: Problem, H: Heuristic<P>>(
    problem: &P,
    from_start: &Side<'_, P, H>,
    from_end: &Side<'_, P, H>,
    meeting: Meeting,
) -> Vec<P::Action> {
    let mut path = from_start.nodes.path(problem, meeting.here);
    let back = from_end.nodes.path(problem, meeting.there);
    path.extend(back.into_iter().rev().map(|action| problem.inverse(action)));
    path
}
