//! Best-first search: one loop whose key decides between A*, weighted A*, greedy, uniform-cost and
//! breadth-first search.
//!
//! ```text
//!     put the start into the open list
//!     while the open list is not empty
//!         take out the node with the smallest key
//!         if it is the goal: done
//!         otherwise put its children into the open list
//! ```
//!
//! The implementation departs from this outline in four ways:
//!
//! 1. *An open node stores a parent and an action, not a state.* The state is recomputed when the
//!    node leaves the queue, which half of the nodes never do. An open node takes five bytes in a
//!    bucket queue, and five bytes and its key in a heap, whatever the size of the board.
//! 2. *The goal test is applied when a node leaves the queue*, not when it enters: only then is the
//!    path known to be shortest.
//! 3. *[`Duplicates`] selects one of three policies for duplicate states.* With `Closed`, several
//!    nodes of the same state may be in the queue. The first to leave is expanded; the others are
//!    dropped when they leave (lazy deletion), so no key changes inside the queue. [`DuplicateCheck`]
//!    selects other places to look for duplicates.
//! 4. *[`BestFirst::step`] is public*, so that two searches can run in lockstep and a front end can
//!    show a search step by step.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::nodes::{NodeRow, Nodes, StateIndex, StateKey};
use super::{
    Cost, DuplicateCheck, Duplicates, Event, Heuristic, Limit, ObservedNode, Observer, Outcome,
    Problem, SearchReport, Settings, Stats, Watch, poll_interval,
};
use crate::chained_hash::{ChainedTable, WordHasher};
use crate::index_table::IndexTable;
use crate::queue::MinQueue;

/// A node in the open list, from which its state can be recomputed.
///
/// ```
/// use npuzzle_core::queue::FifoHeap;
/// use npuzzle_core::search::{BestFirst, Cost, OpenNode, Settings};
/// use npuzzle_core::{Instance, Packed, Slide, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let h = Manhattan::new(puzzle.goal());
/// type Open = FifoHeap<Cost, OpenNode<Slide>>;
/// let search = BestFirst::<_, _, Open>::new(&problem, &h, Settings::ASTAR);
/// assert_eq!(search.run(&mut (), &mut ()).stats.expanded, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OpenNode<A> {
    /// The index of the parent among the expanded nodes; unused for the start. An array of bytes
    /// needs no alignment, which saves three bytes of padding.
    parent: [u8; 4],
    /// The action that led here from the parent; `None` for the start.
    action: Option<A>,
}

impl<A> OpenNode<A> {
    #[inline]
    fn parent(&self) -> u32 {
        u32::from_ne_bytes(self.parent)
    }
}

/// The costs of states.
type CostOfState<S> = HashMap<S, Cost, BuildHasherDefault<WordHasher>>;

/// A child that is about to enter the open list.
struct Child<A> {
    action: A,
    g: Cost,
    h: Cost,
    key: StateKey,
}

/// Calls `f` with the state after an action. `state` is unchanged afterwards.
#[inline]
fn with_child<P: Problem, R>(
    problem: &P,
    state: &mut P::State,
    action: P::Action,
    f: impl FnOnce(&P::State) -> R,
) -> R {
    // Copying a state that owns no memory is faster than undoing an action.
    if !std::mem::needs_drop::<P::State>() {
        let mut child = state.clone();
        problem.apply(&mut child, action);
        return f(&child);
    }
    problem.apply(state, action);
    let result = f(state);
    problem.apply(state, problem.inverse(action));
    result
}

/// The result of one step of a best-first search.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, Settings, Step};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let h = Manhattan::new(puzzle.goal());
/// let mut search = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, Settings::ASTAR);
/// assert_eq!([search.step(&mut ()), search.step(&mut ())], [Step::Expanded, Step::Goal]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A node was expanded.
    Expanded,
    /// A node was dropped because its state had been expanded before.
    Dropped,
    /// The goal left the open list; [`BestFirst::path`] leads to it.
    Goal,
    /// The open list is empty: there is no path.
    Exhausted,
    /// A limit of the budget was reached. The next node remains in the open list, so the search can
    /// continue.
    Stopped(Limit),
}

/// A best-first search in progress.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, Outcome, Settings};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
///
/// let instance: Instance = "8 1 3/4 0 2/7 6 5".parse()?;
/// let problem = Sliding::<Packed>::new(&instance).unwrap();
/// let manhattan = Manhattan::new(instance.goal());
/// let search = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &manhattan, Settings::ASTAR);
/// let report = search.run(&mut (), &mut ());
/// assert!(matches!(report.outcome, Outcome::Solved(path) if path.len() == 14));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
pub struct BestFirst<'a, P: Problem, H: Heuristic<P>, Q> {
    problem: &'a P,
    heuristic: &'a H,
    settings: Settings,
    open: Q,
    /// The expanded nodes in the order of expansion. A parent is an index into them.
    nodes: Nodes<P, H>,
    /// The smallest cost of every state that has entered the open list, for [`DuplicateCheck::Open`].
    entered: Option<CostOfState<P::State>>,
    /// The children of the node being expanded; kept to reuse the allocation.
    children: Vec<Child<P::Action>>,
    goal: Option<OpenNode<P::Action>>,
    frontier: Cost,
    /// Bytes in use.
    bytes: u64,
    /// Nodes that left the open list as duplicates.
    n_dropped: u64,
    stats: Stats,
}

impl<'a, P, H, Q> BestFirst<'a, P, H, Q>
where
    P: Problem,
    H: Heuristic<P>,
    Q: MinQueue<Cost, OpenNode<P::Action>>,
{
    /// A search that has not started.
    pub fn new(problem: &'a P, heuristic: &'a H, settings: Settings) -> Self {
        let index = StateIndex::OpenAddressing(IndexTable::new());
        BestFirst::with_index(problem, heuristic, settings, index)
    }

    /// A search whose closed list uses the given hash table and hash function.
    pub fn with_table(
        problem: &'a P,
        heuristic: &'a H,
        settings: Settings,
        closed: ChainedTable<u32>,
        hash: fn(&P::State) -> u64,
    ) -> Self {
        BestFirst::with_index(problem, heuristic, settings, StateIndex::Chained(closed, hash))
    }

    fn with_index(
        problem: &'a P,
        heuristic: &'a H,
        settings: Settings,
        index: StateIndex<P::State>,
    ) -> Self {
        let has_closed_list = settings.duplicates == Duplicates::Closed;
        let checks_open = has_closed_list && settings.check == DuplicateCheck::Open;
        BestFirst {
            problem,
            heuristic,
            settings,
            open: Q::default(),
            nodes: Nodes::new(if has_closed_list { index } else { StateIndex::None }),
            entered: checks_open.then(CostOfState::default),
            children: Vec::new(),
            goal: None,
            frontier: 0,
            bytes: 0,
            n_dropped: 0,
            stats: Stats::default(),
        }
    }

    /// Runs the search until it ends or is stopped.
    pub fn run(
        mut self,
        watch: &mut impl Watch,
        observer: &mut impl Observer<P>,
    ) -> SearchReport<P::Action> {
        let outcome = loop {
            if self.stats.dequeued.is_multiple_of(self.poll_interval())
                && let Some(limit) = watch.poll(&self.stats).break_value()
            {
                break Outcome::Stopped { limit, frontier: self.frontier };
            }
            match self.step(observer) {
                Step::Expanded | Step::Dropped => {}
                Step::Goal => break Outcome::Solved(self.path()),
                Step::Exhausted => break Outcome::Unsolvable,
                Step::Stopped(limit) => {
                    break Outcome::Stopped { limit, frontier: self.frontier };
                }
            }
        };
        SearchReport::new(outcome, self.stats)
    }

    /// Takes one node out of the open list and processes it. The first call also puts the start in.
    pub fn step(&mut self, observer: &mut impl Observer<P>) -> Step {
        if self.stats.enqueued == 0 {
            self.push_start(observer);
        }
        let Some((f, open_node)) = self.open.pop() else { return Step::Exhausted };
        self.frontier = self.frontier.max(f);
        let node = self.recompute(open_node);
        let key = self.nodes.probe(&node.state);
        let known = self.nodes.find(key, &node.state);
        let is_duplicate = self.settings.check != DuplicateCheck::OnInsertion
            && known.is_some_and(|id| !self.is_better(node.g, id));
        let is_goal = !is_duplicate && self.problem.is_goal(&node.state);
        if !is_duplicate
            && !is_goal
            && let Some(limit) = self.limit()
        {
            self.open.push(f, open_node);
            return Step::Stopped(limit);
        }

        self.stats.dequeued += 1;
        self.stats.open = self.open.len() as u64;
        observer.observe(Event::Pop(self.observed(&node, f)));
        if is_duplicate {
            self.n_dropped += 1;
            self.stats.duplicates += 1;
            observer.observe(Event::Duplicate(self.observed(&node, f)));
            return Step::Dropped;
        }
        if is_goal {
            self.goal = Some(open_node);
            return Step::Goal;
        }
        self.expand(node, known, key, observer);
        self.update_sizes();
        Step::Expanded
    }

    /// Returns the actions from the start to the goal, after [`step`](BestFirst::step) has returned
    /// [`Step::Goal`]; an empty path before.
    pub fn path(&self) -> Vec<P::Action> {
        let Some(OpenNode { action: Some(action), .. }) = self.goal else { return Vec::new() };
        let parent = self.goal.map_or(0, |goal| goal.parent());
        let mut path = self.nodes.path(self.problem, parent);
        path.push(action);
        path
    }

    /// The counters so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The largest key that has left the open list.
    pub fn frontier(&self) -> Cost {
        self.frontier
    }

    /// Nodes between two polls of the watch.
    pub(super) fn poll_interval(&self) -> u64 {
        poll_interval(self.problem)
    }

    fn push_start(&mut self, observer: &mut impl Observer<P>) {
        let start = OpenNode { parent: [0; 4], action: None };
        let node = self.recompute(start);
        let f = self.settings.evaluation.key(0, self.heuristic.value(&node.memo));
        observer.observe(Event::Push(self.observed(&node, f)));
        self.open.push(f, start);
        if let Some(entered) = &mut self.entered {
            entered.insert(node.state, 0);
        }
        self.stats.enqueued = 1;
        self.update_sizes();
    }

    /// Recomputes the state and the memo of an open node.
    #[inline]
    fn recompute(&self, node: OpenNode<P::Action>) -> NodeRow<P, H> {
        if let Some(action) = node.action {
            return self.nodes.child(self.problem, self.heuristic, node.parent(), action);
        }
        let state = self.problem.start();
        let memo = self.heuristic.eval(&state);
        NodeRow { state, memo, g: 0, action: None, parent: 0 }
    }

    /// Whether a path of cost `g` to an expanded node reopens it.
    #[inline]
    fn is_better(&self, g: Cost, id: u32) -> bool {
        self.settings.evaluation.reopens() && g < self.nodes.g(id)
    }

    /// Adds a node to the expanded ones, or updates the known node that it reopens, and puts its
    /// children into the open list.
    #[inline]
    fn expand<O: Observer<P>>(
        &mut self,
        node: NodeRow<P, H>,
        known: Option<u32>,
        key: StateKey,
        observer: &mut O,
    ) {
        // One copy of the state is enough, because every action is undone.
        let (mut state, memo) = (node.state.clone(), node.memo.clone());
        let (g, action) = (node.g, node.action);
        let id = match known {
            Some(id) => {
                self.stats.reopened += 1;
                if g < self.nodes.g(id) {
                    self.nodes.set_path(id, g, action);
                }
                id
            }
            None => self.nodes.push(key, node),
        };
        self.stats.expanded += 1;
        self.generate_children(id, g, &mut state, &memo, action);
        let mut children = std::mem::take(&mut self.children);
        self.stats.generated += children.len() as u64;
        for Child { action, g, h, key } in children.drain(..) {
            let f = self.settings.evaluation.key(g, h);
            let open_node = OpenNode { parent: id.to_ne_bytes(), action: Some(action) };
            let is_known_new = key.is_absent() && O::IGNORES_EVENTS && self.entered.is_none();
            let is_duplicate = !is_known_new
                && with_child(self.problem, &mut state, action, |state| {
                    let is_duplicate = self.is_duplicate_child(key, state, g);
                    let action = Some(action);
                    let node = ObservedNode { state, action, parent: Some(id), g, h, f };
                    observer.observe(if is_duplicate {
                        Event::Duplicate(node)
                    } else {
                        Event::Push(node)
                    });
                    is_duplicate
                });
            if is_duplicate {
                self.stats.duplicates += 1;
            } else {
                self.stats.enqueued += 1;
                self.open.push(f, open_node);
            }
        }
        self.children = children;
    }

    /// Whether a child of this cost is dropped. A child that is not is recorded as entering the open
    /// list.
    #[inline]
    fn is_duplicate_child(&mut self, key: StateKey, state: &P::State, g: Cost) -> bool {
        if self.settings.check == DuplicateCheck::OnRemoval {
            return false;
        }
        let Some(entered) = &mut self.entered else {
            return self.nodes.find(key, state).is_some_and(|id| !self.is_better(g, id));
        };
        let Some(known) = entered.get_mut(state) else {
            entered.insert(state.clone(), g);
            return false;
        };
        let is_duplicate = !self.settings.evaluation.reopens() || *known <= g;
        *known = g.min(*known);
        is_duplicate
    }

    /// Lists the children of a node and probes the closed list for each of them. All probes are
    /// issued before the first child is processed, so that their memory accesses overlap.
    #[inline]
    fn generate_children(
        &mut self,
        id: u32,
        g: Cost,
        state: &mut P::State,
        memo: &H::Memo,
        last_action: Option<P::Action>,
    ) {
        let back = match self.settings.duplicates {
            Duplicates::None => None,
            Duplicates::Closed if self.settings.check == DuplicateCheck::OnRemoval => None,
            Duplicates::Parent | Duplicates::Closed => last_action.map(|a| self.problem.inverse(a)),
        };
        let actions = self.problem.actions(self.nodes.state(id));
        for action in actions.filter(|&action| Some(action) != back) {
            let child = with_child(self.problem, state, action, |state| {
                let memo = self.heuristic.step(memo, state, action);
                let key = self.nodes.probe(state);
                let g = g.saturating_add(self.problem.cost(state, action));
                Child { action, g, h: self.heuristic.value(&memo), key }
            });
            self.children.push(child);
        }
    }

    fn observed<'n>(&self, node: &'n NodeRow<P, H>, f: Cost) -> ObservedNode<'n, P> {
        ObservedNode {
            state: &node.state,
            action: node.action,
            parent: node.action.map(|_| node.parent),
            g: node.g,
            h: self.heuristic.value(&node.memo),
            f,
        }
    }

    /// Updates the counters that measure the open list and the memory.
    fn update_sizes(&mut self) {
        self.stats.open = self.open.len() as u64;
        self.stats.max_open = self.stats.max_open.max(self.stats.open);
        let n_states = self.stats.enqueued - self.n_dropped;
        self.stats.max_states = self.stats.max_states.max(n_states);
        let entry = self.problem.state_bytes() + size_of::<Cost>();
        let entered = self.entered.as_ref().map_or(0, |entered| entered.len() * entry);
        self.bytes = (self.open.bytes() + self.nodes.bytes(self.problem) + entered) as u64;
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes);
    }

    /// Returns the limit that the next expansion would exceed, if any.
    fn limit(&self) -> Option<Limit> {
        // Node indices have 32 bits; running out of them counts as running out of memory.
        let full = self.nodes.len() >= IndexTable::MAX as usize;
        let reached = self.settings.budget.reached(self.stats.expanded, self.bytes);
        reached.or(full.then_some(Limit::Memory))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::slide::Slide;

    #[test]
    fn open_node_takes_5_bytes_and_12_with_its_key() {
        assert_eq!(size_of::<OpenNode<Slide>>(), 5);
        assert_eq!(size_of::<(Cost, OpenNode<Slide>)>(), 12);
    }
}
