//! One depth-first search to a bound: the trait that engines implement, and the state that all of them keep.

use std::ops::ControlFlow;

use npuzzle_core::Slide;
use npuzzle_core::search::{Budget, Cost, Limit, Stats, Watch};
use npuzzle_tables::files;

/// An engine that searches depth first for solutions of at most a given cost.
///
/// The tree below the root, the order of its nodes and the counters depend on the bound only, not on
/// threads or time.
pub(crate) trait BoundedDfs: Sync {
    /// The state at the top of a subtree.
    type Node: Send + Sync;

    /// The difference between the bounds of two rounds. It is 2 where the length of a solution has a fixed parity.
    const BOUND_STEP: Cost;

    /// Nodes between two polls of the watch.
    const POLL_INTERVAL: u32;

    /// Whether the start is the goal.
    fn is_solved(&self) -> bool;

    /// The heuristic value of the start: the bound of the first round.
    fn first_bound(&self) -> Cost;

    /// The name of the tables. With other tables the tree is split at other places.
    fn tables_name(&self) -> String;

    /// Searches the whole tree for a goal within `bound`. A goal leaves its path in the run, last slide first.
    ///
    /// The run is passed by value, so that an engine can keep it in its own state without an indirection: that saves
    /// 3 % of all instructions.
    fn search<'r>(&self, bound: Cost, run: DfsRun<'r>) -> (ControlFlow<DfsEnd>, DfsRun<'r>);

    /// Searches one subtree in the same way; the path starts at the top of the subtree.
    fn search_subtree<'r>(
        &self,
        subtree: &Subtree<Self::Node>,
        bound: Cost,
        run: DfsRun<'r>,
    ) -> (ControlFlow<DfsEnd>, DfsRun<'r>);

    /// Splits the tree at a depth. `None` if a goal is above that depth, so that the round is short.
    fn split_at(&self, bound: Cost, depth: usize) -> Option<Split<Self::Node>>;
}

/// A subtree that is searched as a unit.
pub(crate) struct Subtree<N> {
    pub(crate) node: N,
    /// The slides from the root.
    pub(crate) path: Vec<Slide>,
    /// The heuristic value of the node, or another measure of how far the goal seems to be.
    pub(crate) h: i32,
}

/// A tree split into subtrees.
pub(crate) struct Split<N> {
    pub(crate) subtrees: Vec<Subtree<N>>,
    /// Nodes counted above all subtrees.
    pub(crate) above: NodeCounts,
}

/// The nodes of a part of a search.
///
/// ```
/// use npuzzle::search::NodeCounts;
/// let mut counts = NodeCounts { expanded: 1, generated: 2 };
/// counts += NodeCounts { expanded: 10, generated: 20 };
/// assert_eq!(counts, NodeCounts { expanded: 11, generated: 22 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct NodeCounts {
    /// The number of expanded states.
    pub expanded: u64,
    /// The number of generated states.
    pub generated: u64,
}

impl From<&Stats> for NodeCounts {
    fn from(stats: &Stats) -> NodeCounts {
        NodeCounts { expanded: stats.expanded, generated: stats.generated }
    }
}

impl std::ops::AddAssign for NodeCounts {
    fn add_assign(&mut self, other: NodeCounts) {
        self.expanded += other.expanded;
        self.generated += other.generated;
    }
}

impl<N> Split<N> {
    /// A checksum of the paths to the subtrees. It distinguishes splits with equally many subtrees.
    pub(crate) fn checksum(&self) -> u32 {
        let path = |subtree: &Subtree<N>| -> Vec<u8> {
            let slides = subtree.path.iter().map(|&slide| slide as u8);
            slides.chain([Slide::ALL.len() as u8]).collect()
        };
        files::checksum(&self.subtrees.iter().flat_map(path).collect::<Vec<u8>>()) as u32
    }
}

/// Why a depth-first search ended early.
pub(crate) enum DfsEnd {
    Goal,
    Stopped(Limit),
}

/// The counters, limits and path of one depth-first search.
pub(crate) struct DfsRun<'a> {
    budget: Budget,
    watch: &'a mut dyn Watch,
    poll_interval: u32,
    /// Nodes until the next poll.
    poll_countdown: u32,
    pub(crate) stats: Stats,
    /// The slides of the solution, last first.
    pub(crate) path: Vec<Slide>,
}

impl<'a> DfsRun<'a> {
    /// A search that polls at its first node and then every `poll_interval` nodes.
    pub(crate) fn new(budget: Budget, poll_interval: u32, watch: &'a mut dyn Watch) -> DfsRun<'a> {
        DfsRun {
            budget,
            watch,
            poll_interval,
            poll_countdown: 1,
            stats: Stats::default(),
            path: Vec::new(),
        }
    }

    /// Counts the expansion of a node, and polls when it is time to.
    #[inline(always)]
    pub(crate) fn expand(&mut self) -> ControlFlow<DfsEnd> {
        self.poll_countdown -= 1;
        if self.poll_countdown == 0 {
            self.poll()?;
        }
        self.stats.expanded += 1;
        ControlFlow::Continue(())
    }

    /// Polls the watch and compares the counters with the budget.
    #[cold]
    fn poll(&mut self) -> ControlFlow<DfsEnd> {
        self.watch.poll(&self.stats).map_break(DfsEnd::Stopped)?;
        let left = self.budget.nodes.map(|max_nodes| max_nodes.saturating_sub(self.stats.expanded));
        if left == Some(0) {
            return ControlFlow::Break(DfsEnd::Stopped(Limit::Nodes));
        }
        // The current node is the first of the next interval, so a node limit is kept exactly.
        let interval = self.poll_interval;
        self.poll_countdown = left.map_or(interval, |left| left.min(interval.into()) as u32);
        ControlFlow::Continue(())
    }
}
