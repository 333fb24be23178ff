//! Best-first search: one loop, from which A*, weighted A*, greedy search, uniform cost and
//! breadth-first follow by the choice of the key.
//!
//! ```text
//!     put the start into the open list
//!     while the open list is not empty
//!         take out the node with the smallest key
//!         if it is the goal: done
//!         otherwise put its children into the open list
//! ```
//!
//! Departures from the plain picture, and why:
//!
//! 1. *An open node is a parent and an action, not a state.* The state is made again when the node
//!    leaves the queue, which half of the nodes never do: an open node takes five bytes and its key
//!    in a heap, five in a bucket, whatever the size of the board.
//! 2. *The goal is tested when a node leaves the queue*, never when it enters: only then is the
//!    path known to be shortest.
//! 3. *Duplicates are met with one of three policies* ([`Duplicates`]). With `Closed`, copies of a
//!    state may wait in the queue together; the first to leave wins and the others are dropped
//!    when they leave. That is lazy deletion: no key is ever changed inside the queue.
//! 4. *One step at a time*: [`BestFirst::step`] is public, so that two searches can run in lockstep
//!    and a page can show one.

use super::nodes::{Index, Nodes, Row, Sought};
use super::{
    Budget, Cost, Evaluation, Event, Heuristic, Limit, Node, Observer, Outcome, Problem,
    SearchReport, Stats, Watch, poll_interval,
};
use crate::chained_hash::ChainedTable;
use crate::index_table::NumberedTable;
use crate::queue::MinQueue;

/// What is done about states that are met more than once.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, Duplicates, Settings};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 0 5/7 8 6".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let h = Manhattan::new(puzzle.goal());
/// let generated = |duplicates| {
///     let settings = Settings { duplicates, ..Settings::ASTAR };
///     let search = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, settings);
///     search.run(&mut (), &mut ()).stats.enqueued
/// };
/// assert!(generated(Duplicates::Closed) < generated(Duplicates::None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duplicates {
    /// Nothing.
    None,
    /// A state does not generate its own parent.
    Parent,
    /// A state that was expanded is not expanded again, unless a shorter path to it is found.
    Closed,
}

/// Everything that makes one best-first search differ from another, but for its queue.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, Evaluation, Settings};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let h = Manhattan::new(puzzle.goal());
/// let settings = Settings { evaluation: Evaluation::Greedy, ..Settings::ASTAR };
/// let search = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, settings);
/// assert_eq!(search.run(&mut (), &mut ()).stats.expanded, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The key.
    pub evaluation: Evaluation,
    /// What is done about duplicates.
    pub duplicates: Duplicates,
    /// When to give up.
    pub budget: Budget,
}

impl Settings {
    /// A* that expands no state twice, without limits.
    pub const ASTAR: Settings = Settings {
        evaluation: Evaluation::AStar,
        duplicates: Duplicates::Closed,
        budget: Budget::NONE,
    };
}

/// A node in the open list: how to make the state, once its turn comes.
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
    /// Where the parent stands among the expanded nodes; meaningless for the start. In bytes, so
    /// that nothing is lost to alignment.
    parent: [u8; 4],
    /// What led here from the parent; nothing for the start.
    action: Option<A>,
}

impl<A> OpenNode<A> {
    #[inline]
    fn parent(&self) -> u32 {
        u32::from_ne_bytes(self.parent)
    }
}

/// A child that is about to enter the open list.
struct Child<A> {
    action: A,
    h: Cost,
    sought: Sought,
}

/// What `f` tells of the state that an action makes of this one, which is as before in the end.
#[inline]
fn with_child<P: Problem, R>(
    problem: &P,
    state: &mut P::State,
    action: P::Action,
    f: impl FnOnce(&P::State) -> R,
) -> R {
    // A state that owns nothing is copied sooner than an action is taken back.
    if !std::mem::needs_drop::<P::State>() {
        let mut child = state.clone();
        problem.apply(&mut child, action);
        return f(&child);
    }
    problem.apply(state, action);
    let told = f(state);
    problem.apply(state, problem.inverse(action));
    told
}

/// What one step of the loop did.
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
    /// A node was dropped, since its state had been expanded before.
    Dropped,
    /// The goal left the queue; [`BestFirst::path`] leads to it.
    Goal,
    /// The open list is empty: there is no path.
    Exhausted,
    /// A limit of the budget was reached; the node that would have been next is back in the queue.
    Stopped(Limit),
}

/// A best-first search under way.
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
    /// The expanded nodes in the order of expansion; parents are their numbers.
    nodes: Nodes<P, H>,
    /// The children of one node, kept to save the allocation.
    children: Vec<Child<P::Action>>,
    goal: Option<OpenNode<P::Action>>,
    frontier: Cost,
    /// Bytes in use.
    bytes: u64,
    /// Nodes that have left the queue and were not expanded.
    n_dropped: u64,
    stats: Stats,
}

impl<'a, P, H, Q> BestFirst<'a, P, H, Q>
where
    P: Problem,
    H: Heuristic<P>,
    Q: MinQueue<Cost, OpenNode<P::Action>>,
{
    /// A search that has not begun.
    pub fn new(problem: &'a P, heuristic: &'a H, settings: Settings) -> Self {
        BestFirst::with_index(problem, heuristic, settings, Index::Numbered(NumberedTable::new()))
    }

    /// A search whose closed states are kept in the given table under the given hash function.
    pub fn with_table(
        problem: &'a P,
        heuristic: &'a H,
        settings: Settings,
        closed: ChainedTable<u32>,
        hash: fn(&P::State) -> u64,
    ) -> Self {
        BestFirst::with_index(problem, heuristic, settings, Index::Chained(closed, hash))
    }

    fn with_index(
        problem: &'a P,
        heuristic: &'a H,
        settings: Settings,
        index: Index<P::State>,
    ) -> Self {
        let closes = settings.duplicates == Duplicates::Closed;
        BestFirst {
            problem,
            heuristic,
            settings,
            open: Q::default(),
            nodes: Nodes::new(if closes { index } else { Index::None }),
            children: Vec::new(),
            goal: None,
            frontier: 0,
            bytes: 0,
            n_dropped: 0,
            stats: Stats::default(),
        }
    }

    /// Runs to the end.
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

    /// Takes one node out of the queue and deals with it. The first call also puts the start in.
    pub fn step(&mut self, observer: &mut impl Observer<P>) -> Step {
        if self.stats.enqueued == 0 {
            self.push_start(observer);
        }
        let Some((f, from)) = self.open.pop() else { return Step::Exhausted };
        self.frontier = self.frontier.max(f);
        let node = self.make(from);
        let sought = self.nodes.glance(&node.state);
        let known = self.nodes.find(sought, &node.state);
        let is_stale = known.is_some_and(|id| !self.is_better(node.g, id));
        let is_goal = !is_stale && self.problem.is_goal(&node.state);
        if !is_stale
            && !is_goal
            && let Some(limit) = self.limit()
        {
            // Its turn has not come: the search may go on from here.
            self.open.push(f, from);
            return Step::Stopped(limit);
        }

        self.stats.dequeued += 1;
        self.stats.open = self.open.len() as u64;
        observer.see(Event::Pop(self.show(&node, f)));
        if is_stale {
            self.n_dropped += 1;
            self.stats.duplicates += 1;
            observer.see(Event::Refuse(self.show(&node, f)));
            return Step::Dropped;
        }
        if is_goal {
            self.goal = Some(from);
            return Step::Goal;
        }
        self.expand(node, known, sought, observer);
        self.count_open();
        Step::Expanded
    }

    /// The actions from the start to the goal that [`step`](BestFirst::step) has found.
    pub fn path(&self) -> Vec<P::Action> {
        let Some(OpenNode { action: Some(action), .. }) = self.goal else { return Vec::new() };
        let parent = self.goal.map_or(0, |goal| goal.parent());
        let mut path = self.nodes.path(self.problem, parent);
        path.push(action);
        path
    }

    /// What has been counted so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The largest key that has left the queue.
    pub fn frontier(&self) -> Cost {
        self.frontier
    }

    /// How many nodes go by between two looks at the watch.
    pub(super) fn poll_interval(&self) -> u64 {
        poll_interval(self.problem)
    }

    fn push_start(&mut self, observer: &mut impl Observer<P>) {
        let from = OpenNode { parent: [0; 4], action: None };
        let node = self.make(from);
        let f = self.settings.evaluation.key(0, self.heuristic.value(&node.memo));
        observer.see(Event::Push(self.show(&node, f)));
        self.open.push(f, from);
        self.stats.enqueued = 1;
        self.count_open();
    }

    /// The node that an open node stands for.
    #[inline]
    fn make(&self, from: OpenNode<P::Action>) -> Row<P, H> {
        if let Some(action) = from.action {
            return self.nodes.child(self.problem, self.heuristic, from.parent(), action);
        }
        let state = self.problem.start();
        let memo = self.heuristic.eval(&state);
        Row { state, memo, g: 0, action: None, parent: 0 }
    }

    /// Whether a path of cost `g` is worth following to a state that has been expanded.
    #[inline]
    fn is_better(&self, g: Cost, id: u32) -> bool {
        self.settings.evaluation.reopens() && g < self.nodes.g(id)
    }

    /// Puts a node among the expanded ones, in the place of the one it betters, and its children
    /// into the open list.
    #[inline]
    fn expand<O: Observer<P>>(
        &mut self,
        node: Row<P, H>,
        known: Option<u32>,
        sought: Sought,
        observer: &mut O,
    ) {
        // One copy of the state is enough: every action is taken back.
        let (mut state, memo) = (node.state.clone(), node.memo.clone());
        let (g, action) = (node.g + 1, node.action);
        let id = match known {
            Some(id) => {
                self.stats.reopened += 1;
                self.nodes.better(id, node.g, node.action);
                id
            }
            None => self.nodes.push(sought, node),
        };
        self.stats.expanded += 1;
        self.seek_children(id, &mut state, &memo, action);
        let mut children = std::mem::take(&mut self.children);
        self.stats.generated += children.len() as u64;
        for Child { action, h, sought } in children.drain(..) {
            let f = self.settings.evaluation.key(g, h);
            let from = OpenNode { parent: id.to_ne_bytes(), action: Some(action) };
            let is_refused = !(sought.is_absent() && O::LOOKS_AWAY)
                && with_child(self.problem, &mut state, action, |state| {
                    let known = self.nodes.find(sought, state);
                    let is_refused = known.is_some_and(|id| !self.is_better(g, id));
                    let node = Node { state, action: Some(action), parent: Some(id), g, h, f };
                    let event = if is_refused { Event::Refuse(node) } else { Event::Push(node) };
                    observer.see(event);
                    is_refused
                });
            if is_refused {
                self.stats.duplicates += 1;
            } else {
                self.stats.enqueued += 1;
                self.open.push(f, from);
            }
        }
        self.children = children;
    }

    /// Makes the list of children, with a glance at the closed states for each of them. All glances
    /// come before the first child is dealt with, so that they wait for memory together.
    #[inline]
    fn seek_children(
        &mut self,
        id: u32,
        state: &mut P::State,
        memo: &H::Memo,
        from: Option<P::Action>,
    ) {
        let back = match self.settings.duplicates {
            Duplicates::None => None,
            Duplicates::Parent | Duplicates::Closed => from.map(|a| self.problem.inverse(a)),
        };
        let actions = self.problem.actions(self.nodes.state(id));
        for action in actions.filter(|&action| Some(action) != back) {
            let child = with_child(self.problem, state, action, |state| {
                let memo = self.heuristic.step(memo, state, action);
                let sought = self.nodes.glance(state);
                Child { action, h: self.heuristic.value(&memo), sought }
            });
            self.children.push(child);
        }
    }

    fn show<'n>(&self, node: &'n Row<P, H>, f: Cost) -> Node<'n, P> {
        Node {
            state: &node.state,
            action: node.action,
            parent: node.action.map(|_| node.parent),
            g: node.g,
            h: self.heuristic.value(&node.memo),
            f,
        }
    }

    fn count_open(&mut self) {
        self.stats.open = self.open.len() as u64;
        self.stats.max_open = self.stats.max_open.max(self.stats.open);
        let n_states = self.stats.enqueued - self.n_dropped;
        self.stats.max_states = self.stats.max_states.max(n_states);
        self.bytes = (self.open.bytes() + self.nodes.bytes(self.problem)) as u64;
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes);
    }

    /// The limit that the next expansion would break.
    fn limit(&self) -> Option<Limit> {
        // Numbers are 32 bits wide: four thousand million nodes are a matter of memory.
        let full = self.nodes.len() >= NumberedTable::MAX as usize;
        let reached = self.settings.budget.reached(self.stats.expanded, self.bytes);
        reached.or(full.then_some(Limit::Memory))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::slide::Slide;

    #[test]
    fn an_open_node_takes_five_bytes_and_twelve_with_its_key() {
        assert_eq!(size_of::<OpenNode<Slide>>(), 5);
        assert_eq!(size_of::<(Cost, OpenNode<Slide>)>(), 12);
    }
}
