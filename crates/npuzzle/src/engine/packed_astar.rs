//! A* on boards of up to 16 cells, at the speed of the memory.
//!
//! This is the twin of [`BestFirst`](npuzzle_core::search::BestFirst) with a bucket queue, a closed list and the key `g + h`:
//! it expands the same nodes in the same order, with the same counters and the same solution. It takes
//! less time, because
//!
//! 1. *a node is one word*: the board and the slide that led to it (`node`). The closed list is a hash table
//!    of these words, and the open list stacks of them. No node refers to another; the solution is
//!    found by undoing slides from the goal;
//! 2. *`g` is not stored*: the change of `h` gives the `f` of a child. An expanded node is never reopened,
//!    which requires a consistent heuristic;
//! 3. *expansions are computed ahead* (`lookahead`), so that the lines of the closed list have been prefetched when they
//!    are needed.

mod closed;
mod expansion;
mod hash_distributed;
mod lookahead;
mod node;
mod open;
mod shard;
mod slid_board;
#[cfg(test)]
mod tests;

use npuzzle_core::search::{
    Budget, Cost, Heuristic, Limit, Outcome, Problem, SearchReport, Stats, Watch,
};
use npuzzle_core::{Packed, Slide, Sliding};

use closed::ClosedList;
use expansion::Expander;
use lookahead::Lookahead;
use node::PackedNode;
use open::OpenList;

pub(crate) use hash_distributed::hash_distributed_astar;
pub(crate) use slid_board::SlidBoard;

/// Nodes between two polls of the watch, as in the twin.
const POLL_INTERVAL: u64 = 1025;

/// Solves a problem with a consistent heuristic: no slide may reduce its value by more than 1.
pub(crate) fn packed_astar<H>(
    problem: &Sliding<Packed>,
    heuristic: &H,
    budget: Budget,
    watch: &mut impl Watch,
) -> SearchReport<Slide>
where
    H: Heuristic<Sliding<SlidBoard>, Memo: Copy>,
{
    PackedAStar::<H>::new(problem, heuristic, budget).run(watch)
}

struct PackedAStar<'a, H: Heuristic<Sliding<SlidBoard>>> {
    problem: &'a Sliding<Packed>,
    heuristic: &'a H,
    goal: PackedNode,
    expander: Expander<'a, H>,
    budget: Budget,
    open: OpenList<H>,
    closed: ClosedList,
    lookahead: Lookahead<H::Memo>,
    /// The largest `f` that has left the open list.
    frontier: Cost,
    /// Nodes that left the open list as duplicates.
    n_dropped: u64,
    /// Bytes in use.
    bytes: u64,
    stats: Stats,
}

/// The result of taking one node out of the open list.
enum Step {
    Continue,
    Goal(PackedNode),
    Exhausted,
    Stopped(Limit),
}

impl<'a, H> PackedAStar<'a, H>
where
    H: Heuristic<Sliding<SlidBoard>, Memo: Copy>,
{
    fn new(problem: &'a Sliding<Packed>, heuristic: &'a H, budget: Budget) -> Self {
        let expander = Expander::new(problem, heuristic);
        let start = PackedNode::new(problem.start(), None);
        let memo = expander.eval(start);
        PackedAStar {
            problem,
            heuristic,
            goal: PackedNode::new(*problem.goal(), None),
            budget,
            open: OpenList::new(),
            closed: ClosedList::new(),
            lookahead: Lookahead::new(expander.leaf(start, memo), memo),
            expander,
            frontier: 0,
            n_dropped: 0,
            bytes: 0,
            stats: Stats::default(),
        }
    }

    fn run(mut self, watch: &mut impl Watch) -> SearchReport<Slide> {
        let outcome = loop {
            if self.stats.dequeued.is_multiple_of(POLL_INTERVAL)
                && let Some(limit) = watch.poll(&self.stats).break_value()
            {
                break Outcome::Stopped { limit, frontier: self.frontier };
            }
            if self.stats.enqueued == 0 {
                self.push_start();
            }
            match self.step() {
                Step::Continue => {}
                Step::Goal(node) => break Outcome::Solved(self.path(node)),
                Step::Exhausted => break Outcome::Unsolvable,
                Step::Stopped(limit) => {
                    break Outcome::Stopped { limit, frontier: self.frontier };
                }
            }
        };
        SearchReport::new(outcome, self.stats)
    }

    fn push_start(&mut self) {
        let start = PackedNode::new(self.problem.start(), None);
        let memo = self.expander.eval(start);
        self.open.push(self.heuristic.value(&memo), start, memo);
        self.stats.enqueued = 1;
        self.update_sizes();
    }

    /// Takes one node out of the open list and expands it, unless it is a duplicate.
    #[inline]
    fn step(&mut self) -> Step {
        let Some((f, node, memo)) = self.open.pop() else { return Step::Exhausted };
        self.frontier = self.frontier.max(f);
        if self.closed.make_room(node) {
            self.lookahead.clear();
        }
        let expansion =
            self.lookahead.expansion(f, node, memo, &self.expander, &self.open, &self.closed);
        let is_goal = node.is_same_board(self.goal);
        if let Some(limit) = self.budget.reached(self.stats.expanded, self.bytes)
            && !is_goal
            && self.closed.find(node, expansion.home).is_none()
        {
            return Step::Stopped(limit);
        }
        self.stats.dequeued += 1;
        self.stats.open = self.open.len() as u64;
        if is_goal {
            return Step::Goal(node);
        }
        if !self.closed.insert(node, expansion.home) {
            self.n_dropped += 1;
            self.stats.duplicates += 1;
            return Step::Continue;
        }
        self.stats.expanded += 1;
        self.stats.generated += expansion.children().len() as u64;
        for child in expansion.children() {
            if self.closed.find(child.node, child.home).is_some() {
                self.stats.duplicates += 1;
            } else {
                self.stats.enqueued += 1;
                self.open.push(child.f, child.node, child.memo);
            }
        }
        self.update_sizes();
        Step::Continue
    }

    /// Updates the counters that measure the open list and the memory.
    #[inline]
    fn update_sizes(&mut self) {
        self.stats.open = self.open.len() as u64;
        self.stats.max_open = self.stats.max_open.max(self.stats.open);
        let n_states = self.stats.enqueued - self.n_dropped;
        self.stats.max_states = self.stats.max_states.max(n_states);
        self.bytes = (self.open.bytes() + self.closed.bytes()) as u64;
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes);
    }

    /// Returns the slides from the start to a node whose ancestors have all been expanded.
    fn path(&self, node: PackedNode) -> Vec<Slide> {
        let mut path = Vec::new();
        let mut board = self.expander.board(node);
        let mut at = Some(node);
        while let Some(slide) = at.and_then(PackedNode::slide) {
            path.push(slide);
            self.problem.apply(&mut board, slide.opposite());
            let parent = PackedNode::new(board, None);
            at = self.closed.find(parent, self.closed.locate(parent));
        }
        path.reverse();
        path
    }
}
