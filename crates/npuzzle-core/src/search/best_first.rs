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
//!    leaves the queue, which half of the nodes never do: an open node takes 12 bytes with its key
//!    in a heap, whatever the size of the board.
//! 2. *The goal is tested when a node leaves the queue*, never when it enters: only then is the
//!    path known to be shortest.
//! 3. *Duplicates are met with one of three policies* ([`Duplicates`]). With `Closed`, copies of a
//!    state may wait in the queue together; the first to leave wins and the others are dropped
//!    when they leave. That is lazy deletion: no key is ever changed inside the queue.
//! 4. *One step at a time*: [`BestFirst::step`] is public, so that two searches can run in lockstep
//!    and a page can show one.

use std::hash::{BuildHasher, BuildHasherDefault};

use super::{
    Budget, Cost, Evaluation, Heuristic, Limit, Outcome, Problem, SearchReport, Stats, Watch,
};
use crate::chained::{ChainedTable, WordHasher};
use crate::queue::MinQueue;

/// What is done about states that are met more than once.
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
#[derive(Clone, Copy, Debug)]
pub struct OpenNode<A> {
    /// Where the parent stands among the expanded nodes; meaningless for the start.
    parent: u32,
    /// What led here from the parent; nothing for the start.
    action: Option<A>,
}

/// An expanded node.
#[derive(Clone, Debug)]
struct Expanded<S, M, A> {
    state: S,
    memo: M,
    g: Cost,
    from: OpenNode<A>,
}

/// A node as observers see it.
pub struct Node<'a, P: Problem> {
    /// The state.
    pub state: &'a P::State,
    /// What led to it from its parent; nothing for the start.
    pub action: Option<P::Action>,
    /// The number of the parent: how many states were expanded before it was for the first time.
    pub parent: Option<u32>,
    /// Cost of the path.
    pub g: Cost,
    /// The estimate.
    pub h: Cost,
    /// The key.
    pub f: Cost,
}

/// Something that happens in a best-first search.
pub enum Event<'a, P: Problem> {
    /// A node enters the open list.
    Push(Node<'a, P>),
    /// A node leaves the open list.
    Pop(Node<'a, P>),
    /// A child is not put into the open list, or a node that has left it is not expanded, because
    /// its state has been expanded before.
    Refuse(Node<'a, P>),
}

/// Sees every push and pop of a best-first search. `()` looks away, at no cost; so does any
/// `FnMut(Event<P>)` look on.
pub trait Observer<P: Problem> {
    /// Called in the order in which things happen.
    fn see(&mut self, event: Event<'_, P>);
}

impl<P: Problem> Observer<P> for () {
    #[inline]
    fn see(&mut self, _: Event<'_, P>) {}
}

impl<P: Problem, F: FnMut(Event<'_, P>)> Observer<P> for F {
    fn see(&mut self, event: Event<'_, P>) {
        self(event);
    }
}

/// What one step of the loop did.
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
    /// The expanded nodes in the order of expansion; parents are indices into it.
    nodes: Vec<Expanded<P::State, H::Memo, P::Action>>,
    /// Finds the expanded node of a state, for [`Duplicates::Closed`].
    closed: ChainedTable<u32>,
    hash: fn(&P::State) -> u64,
    /// The children of one node, kept to save the allocation.
    actions: Vec<P::Action>,
    goal: Option<OpenNode<P::Action>>,
    frontier: Cost,
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
        let hash = |state: &P::State| BuildHasherDefault::<WordHasher>::new().hash_one(state);
        BestFirst::with_table(problem, heuristic, settings, ChainedTable::new(), hash)
    }

    /// A search whose closed states are kept in the given table under the given hash function.
    pub fn with_table(
        problem: &'a P,
        heuristic: &'a H,
        settings: Settings,
        closed: ChainedTable<u32>,
        hash: fn(&P::State) -> u64,
    ) -> Self {
        BestFirst {
            problem,
            heuristic,
            settings,
            open: Q::default(),
            nodes: Vec::new(),
            closed,
            hash,
            actions: Vec::new(),
            goal: None,
            frontier: 0,
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
        SearchReport { outcome, stats: self.stats }
    }

    /// Takes one node out of the queue and deals with it. The first call also puts the start in.
    pub fn step(&mut self, observer: &mut impl Observer<P>) -> Step {
        if self.stats.enqueued == 0 {
            self.push_start(observer);
        }
        let Some((f, from)) = self.open.pop() else { return Step::Exhausted };
        self.frontier = self.frontier.max(f);
        let node = self.make(from);
        let known = self.find_closed(&node.state);
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
            self.stats.duplicates += 1;
            observer.see(Event::Refuse(self.show(&node, f)));
            return Step::Dropped;
        }
        if is_goal {
            self.goal = Some(from);
            return Step::Goal;
        }
        let id = self.close(node, known);
        self.expand(id, observer);
        self.count_open();
        Step::Expanded
    }

    /// The actions from the start to the goal that [`step`](BestFirst::step) has found.
    pub fn path(&self) -> Vec<P::Action> {
        let mut path = Vec::new();
        let mut at = self.goal;
        while let Some(OpenNode { parent, action: Some(action) }) = at {
            path.push(action);
            at = Some(self.nodes[parent as usize].from);
        }
        path.reverse();
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

    /// How many nodes go by between two looks at the watch. The clock behind it costs more than a
    /// small node, and a large board costs more than a clock.
    pub(super) fn poll_interval(&self) -> u64 {
        (1 << 13) / (self.problem.state_bytes().max(8) as u64) + 1
    }

    fn push_start(&mut self, observer: &mut impl Observer<P>) {
        let from = OpenNode { parent: 0, action: None };
        let node = self.make(from);
        let f = self.settings.evaluation.key(0, self.heuristic.value(&node.memo));
        observer.see(Event::Push(self.show(&node, f)));
        self.open.push(f, from);
        self.stats.enqueued = 1;
        self.count_open();
    }

    /// The node that an open node stands for.
    fn make(&self, from: OpenNode<P::Action>) -> Expanded<P::State, H::Memo, P::Action> {
        let Some(action) = from.action else {
            let state = self.problem.start();
            let memo = self.heuristic.eval(&state);
            return Expanded { state, memo, g: 0, from };
        };
        let parent = &self.nodes[from.parent as usize];
        let mut state = parent.state.clone();
        self.problem.apply(&mut state, action);
        let memo = self.heuristic.step(&parent.memo, &state, action);
        Expanded { state, memo, g: parent.g + 1, from }
    }

    /// The expanded node with this state; none unless duplicates are looked for.
    #[inline]
    fn find_closed(&self, state: &P::State) -> Option<u32> {
        if self.settings.duplicates != Duplicates::Closed {
            return None;
        }
        let same = |&id: &u32| self.nodes[id as usize].state == *state;
        self.closed.find((self.hash)(state), same).copied()
    }

    /// Whether a path of cost `g` is worth following to a state that has been expanded.
    #[inline]
    fn is_better(&self, g: Cost, id: u32) -> bool {
        self.settings.evaluation.reopens() && g < self.nodes[id as usize].g
    }

    /// Puts a node among the expanded ones, in the place of the one it betters.
    fn close(&mut self, node: Expanded<P::State, H::Memo, P::Action>, known: Option<u32>) -> u32 {
        if let Some(id) = known {
            self.stats.reopened += 1;
            self.nodes[id as usize] = node;
            return id;
        }
        let id = self.nodes.len() as u32;
        let hash = (self.hash)(&node.state);
        self.nodes.push(node);
        if self.settings.duplicates == Duplicates::Closed {
            let (nodes, hash_of) = (&self.nodes, self.hash);
            self.closed.insert(hash, id, |&id| hash_of(&nodes[id as usize].state));
        }
        id
    }

    fn expand(&mut self, id: u32, observer: &mut impl Observer<P>) {
        let node = &self.nodes[id as usize];
        let (g, memo) = (node.g + 1, node.memo.clone());
        let back = match self.settings.duplicates {
            Duplicates::None => None,
            Duplicates::Parent | Duplicates::Closed => {
                node.from.action.map(|action| self.problem.inverse(action))
            }
        };
        // One copy of the state is enough: every action is taken back.
        let mut state = node.state.clone();
        let mut actions = std::mem::take(&mut self.actions);
        actions.extend(self.problem.actions(&state));
        self.stats.expanded += 1;
        for action in actions.drain(..).filter(|&action| Some(action) != back) {
            self.problem.apply(&mut state, action);
            self.stats.generated += 1;
            let h = self.heuristic.value(&self.heuristic.step(&memo, &state, action));
            let f = self.settings.evaluation.key(g, h);
            let child = Node { state: &state, action: Some(action), parent: Some(id), g, h, f };
            if self.find_closed(&state).is_some_and(|id| !self.is_better(g, id)) {
                self.stats.duplicates += 1;
                observer.see(Event::Refuse(child));
            } else {
                self.stats.enqueued += 1;
                observer.see(Event::Push(child));
                self.open.push(f, OpenNode { parent: id, action: Some(action) });
            }
            self.problem.apply(&mut state, self.problem.inverse(action));
        }
        self.actions = actions;
    }

    fn show<'n>(&self, node: &'n Expanded<P::State, H::Memo, P::Action>, f: Cost) -> Node<'n, P> {
        Node {
            state: &node.state,
            action: node.from.action,
            parent: node.from.action.map(|_| node.from.parent),
            g: node.g,
            h: self.heuristic.value(&node.memo),
            f,
        }
    }

    fn count_open(&mut self) {
        self.stats.open = self.open.len() as u64;
        self.stats.max_open = self.stats.max_open.max(self.stats.open);
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes());
    }

    /// Bytes in use.
    fn bytes(&self) -> u64 {
        let node = size_of::<Expanded<P::State, H::Memo, P::Action>>() - size_of::<P::State>();
        let nodes = self.nodes.len() * (node + self.problem.state_bytes());
        (self.open.bytes() + nodes + self.closed.bytes()) as u64
    }

    /// The limit that the next expansion would break.
    fn limit(&self) -> Option<Limit> {
        // Parents are 32 bits wide: four thousand million nodes are a matter of memory.
        let full = self.nodes.len() >= u32::MAX as usize;
        let reached = self.settings.budget.reached(self.stats.expanded, self.bytes());
        reached.or(full.then_some(Limit::Memory))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slide::Slide;

    #[test]
    fn an_open_node_takes_at_most_16_bytes_with_its_key() {
        assert!(size_of::<(Cost, OpenNode<Slide>)>() <= 16);
    }
}
