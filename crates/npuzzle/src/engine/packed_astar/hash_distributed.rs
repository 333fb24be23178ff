//! Hash-distributed A* (Kishimoto, Fukunaga, Botea 2009), level by level.
//!
//! The hash of a state selects its owner: a *shard* with an open list and a closed list. A generated node
//! whose state belongs to another shard is sent there, in batches. No list is shared, so there are no locks
//! on single states.
//!
//! The published algorithm lets every owner expand its best node at any time. Then a state may be reached on a
//! longer path first, so that each node stores its `g` and is expanded again. Here all shards search one
//! *level*, the nodes of the smallest `f`, before any shard begins the next one. With a consistent heuristic
//!
//! - the first path to a state that is expanded is a shortest one: a shorter one has a smaller `f` at each
//!   node, and all these were expanded in earlier levels. So neither `g` is stored nor a state reopened;
//! - a goal that leaves the open list is optimal: no node with a smaller `f` is left in any shard;
//! - the number of expanded states of all levels but the last does not depend on the threads.
//!
//! A level ends when nothing is pending ([`Level::n_pending`]): neither a shard that has not been searched in
//! this level, nor a batch whose nodes have not been searched completely. A sender counts a batch before it
//! sends it; the receiver discounts it when its shard has no node of the level left and all messages
//! that follow from it have been counted. So the count is 0 only if there is no work anywhere.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::thread;

use npuzzle_core::search::{
    Budget, Cost, Heuristic, Limit, Outcome, Problem, SearchReport, Stats, Watch,
};
use npuzzle_core::{Packed, Slide, Sliding};
use npuzzle_tables::parallel::{StopFlag, run_cancellable};

use super::expansion::Expander;
use super::node::PackedNode;
use super::shard::{Batch, Expanded, N_TOGETHER, Shard};
use super::slid_board::SlidBoard;

/// A level that begins with fewer open nodes is searched by one thread.
const WORTH_THREADS: u64 = 1000;

/// Solves a problem with a consistent heuristic on up to `n_threads` threads. The length of the solution does
/// not depend on them, but the counters of the last level and the choice among shortest solutions do.
pub(crate) fn hash_distributed_astar<H>(
    problem: &Sliding<Packed>,
    heuristic: &H,
    n_threads: usize,
    budget: Budget,
    watch: &mut impl Watch,
) -> SearchReport<Slide>
where
    H: Heuristic<Sliding<SlidBoard>, Memo: Copy + Send> + Sync,
{
    let mut search = HashDistributedAStar::new(problem, heuristic, n_threads.max(1), budget);
    let outcome = search.run(watch);
    SearchReport::new(outcome, search.stats())
}

struct HashDistributedAStar<'a, H: Heuristic<Sliding<SlidBoard>>> {
    problem: &'a Sliding<Packed>,
    expander: Expander<'a, H>,
    /// As many as threads. A shard is locked by the thread that searches it.
    shards: Vec<Mutex<Shard<H>>>,
    senders: Vec<Sender<Batch<H::Memo>>>,
    totals: Totals,
    /// The largest numbers of open nodes, and of all nodes, between two levels.
    max_open: u64,
    max_states: u64,
}

/// Counters of all shards, for limits and progress. Shards update them after a few nodes.
struct Totals {
    budget: Budget,
    expanded: AtomicU64,
    /// Bytes of all lists and messages.
    bytes: AtomicU64,
    peak_bytes: AtomicU64,
}

/// The state that the threads share while they search the nodes of one `f`.
struct Level<'a, H: Heuristic<Sliding<SlidBoard>>> {
    search: &'a HashDistributedAStar<'a, H>,
    f: Cost,
    goal: PackedNode,
    /// Shards and batches that are not searched completely.
    n_pending: AtomicUsize,
    /// Whether a goal was found or a limit reached.
    has_ended: AtomicBool,
    found: OnceLock<PackedNode>,
    limit: OnceLock<Limit>,
}

impl<'a, H> HashDistributedAStar<'a, H>
where
    H: Heuristic<Sliding<SlidBoard>, Memo: Copy + Send> + Sync,
{
    fn new(
        problem: &'a Sliding<Packed>,
        heuristic: &'a H,
        n_shards: usize,
        budget: Budget,
    ) -> Self {
        let (senders, inboxes): (Vec<_>, Vec<_>) = (0..n_shards).map(|_| mpsc::channel()).unzip();
        let shards = inboxes.into_iter().enumerate();
        let shards = shards.map(|(number, inbox)| Shard::new(number, n_shards, inbox));
        let mut search = HashDistributedAStar {
            problem,
            expander: Expander::new(problem, heuristic),
            shards: shards.map(Mutex::new).collect(),
            senders,
            totals: Totals::new(budget),
            max_open: 0,
            max_states: 0,
        };
        search.push_start();
        search
    }

    fn push_start(&mut self) {
        let start = PackedNode::new(self.problem.start(), None);
        let memo = self.expander.eval(start);
        let h = self.expander.value(&memo);
        let owner = start.owner(self.shards.len());
        self.shard(owner).push_start(h, start, memo);
        let n_bytes = (0..self.shards.len()).map(|number| self.shard(number).bytes()).sum();
        self.totals.add_bytes(n_bytes);
    }

    /// A shard that no thread searches.
    fn shard(&self, number: usize) -> MutexGuard<'_, Shard<H>> {
        self.shards[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&mut self, watch: &mut impl Watch) -> Outcome<Slide> {
        loop {
            let n_shards = self.shards.len();
            let n_open = (0..n_shards).map(|number| self.shard(number).n_open()).sum();
            self.max_open = self.max_open.max(n_open);
            let n_states = n_open + self.totals.expanded.load(Ordering::Relaxed);
            self.max_states = self.max_states.max(n_states);
            let min_f = (0..n_shards).filter_map(|number| self.shard(number).min_f()).min();
            let Some(f) = min_f else { return Outcome::Unsolvable };
            let n_threads = if n_open < WORTH_THREADS { 1 } else { n_shards };
            match Level::new(self, f).search(n_threads, watch) {
                Ok(Some(goal)) => return Outcome::Solved(self.path(goal)),
                Ok(None) => {}
                Err(limit) => return Outcome::Stopped { limit, frontier: f },
            }
        }
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
            at = self.shard(parent.owner(self.shards.len())).find(parent);
        }
        path.reverse();
        path
    }

    /// The counters of all shards together.
    fn stats(&self) -> Stats {
        let mut all = Stats::default();
        for number in 0..self.shards.len() {
            let shard = self.shard(number);
            all.expanded += shard.stats.expanded;
            all.generated += shard.stats.generated;
            all.enqueued += shard.stats.enqueued;
            all.dequeued += shard.stats.dequeued;
            all.duplicates += shard.stats.duplicates;
        }
        // Nodes that were taken out together with the goal were not looked at, so they are still open.
        all.open = all.enqueued - all.dequeued;
        all.max_open = self.max_open.max(all.open);
        all.max_states = self.max_states.max(all.open + all.expanded);
        all.peak_bytes = self.totals.peak_bytes.load(Ordering::Relaxed);
        all
    }
}

impl<'a, H> Level<'a, H>
where
    H: Heuristic<Sliding<SlidBoard>, Memo: Copy + Send> + Sync,
{
    fn new(search: &'a HashDistributedAStar<'a, H>, f: Cost) -> Self {
        let n_shards = search.shards.len();
        (0..n_shards).for_each(|number| search.shard(number).n_held = 1);
        Level {
            search,
            f,
            goal: PackedNode::new(*search.problem.goal(), None),
            n_pending: AtomicUsize::new(n_shards),
            has_ended: AtomicBool::new(false),
            found: OnceLock::new(),
            limit: OnceLock::new(),
        }
    }

    /// Searches the level. Returns the goal if it has this `f`.
    fn search(self, n_threads: usize, watch: &mut impl Watch) -> Result<Option<PackedNode>, Limit> {
        let next_number = AtomicUsize::new(0);
        let poll = || watch.poll(&self.search.totals.progress());
        let polled = run_cancellable(n_threads, poll, |stop| {
            self.work(next_number.fetch_add(1, Ordering::Relaxed), stop);
        });
        match (self.found.into_inner(), self.limit.into_inner(), polled) {
            (Some(goal), ..) => Ok(Some(goal)),
            (None, Some(limit), _) | (None, None, Err(limit)) => Err(limit),
            (None, None, Ok(())) => Ok(None),
        }
    }

    /// The work of one thread: it searches any shard that no other thread searches, its own one first. So
    /// the level is complete even if the system refuses some threads.
    fn work(&self, number: usize, stop: &StopFlag<'_>) {
        let n_shards = self.search.shards.len();
        for at in (0..n_shards).cycle().skip(number % n_shards) {
            if self.n_pending.load(Ordering::SeqCst) == 0 || self.must_end(stop) {
                return;
            }
            match self.search.shards[at].try_lock() {
                Ok(mut shard) => self.search_shard(&mut shard, stop),
                Err(TryLockError::WouldBlock) => {}
                // Another thread has panicked.
                Err(TryLockError::Poisoned(_)) => return,
            }
            if at + 1 == n_shards {
                thread::yield_now();
            }
        }
    }

    fn must_end(&self, stop: &StopFlag<'_>) -> bool {
        stop.is_set() || self.has_ended.load(Ordering::Relaxed)
    }

    /// Searches a shard until it has no node of the level left and no message for it has arrived.
    fn search_shard(&self, shard: &mut Shard<H>, stop: &StopFlag<'_>) {
        let totals = &self.search.totals;
        while !self.must_end(stop) {
            let bytes_before = shard.bytes();
            let n_received = shard.receive();
            let max_nodes = totals.reserve_nodes();
            let expanded = shard.expand(
                self.f,
                max_nodes,
                self.goal,
                &self.search.expander,
                |owner, batch| self.send(owner, batch),
            );
            let n_expanded = if let Expanded::Nodes(n) = expanded { n } else { 0 };
            totals.release_nodes(max_nodes as u64 - n_expanded);
            totals.replace_bytes(bytes_before + n_received, shard.bytes());
            match expanded {
                Expanded::Goal(node) => self.end(&self.found, node),
                Expanded::Nodes(_) => {
                    if let Some(limit) = totals.memory_limit() {
                        self.end(&self.limit, limit);
                    }
                }
                Expanded::Nothing if max_nodes == 0 && shard.min_f() == Some(self.f) => {
                    self.end(&self.limit, Limit::Nodes);
                }
                Expanded::Nothing => {
                    shard.flush(|owner, batch| self.send(owner, batch));
                    self.n_pending.fetch_sub(std::mem::take(&mut shard.n_held), Ordering::SeqCst);
                    return;
                }
            }
        }
    }

    fn send(&self, owner: usize, batch: Batch<H::Memo>) {
        self.search.totals.add_bytes(size_of_val(&batch[..]) as u64);
        self.n_pending.fetch_add(1, Ordering::SeqCst);
        // Each receiver lives as long as the search.
        let _ = self.search.senders[owner].send(batch);
    }

    /// Ends the level with a result; the first one counts.
    fn end<T>(&self, place: &OnceLock<T>, result: T) {
        let _ = place.set(result);
        self.has_ended.store(true, Ordering::Relaxed);
    }
}

impl Totals {
    fn new(budget: Budget) -> Totals {
        let [expanded, bytes, peak_bytes] = [(); 3].map(|()| AtomicU64::new(0));
        Totals { budget, expanded, bytes, peak_bytes }
    }

    /// Reserves nodes to expand within the node limit. Fewer than requested means that the limit is near.
    fn reserve_nodes(&self) -> usize {
        let n_wanted = N_TOGETHER as u64;
        let before = self.expanded.fetch_add(n_wanted, Ordering::Relaxed);
        let n_left = self.budget.nodes.map_or(n_wanted, |max| max.saturating_sub(before));
        let n_reserved = n_wanted.min(n_left);
        self.release_nodes(n_wanted - n_reserved);
        n_reserved as usize
    }

    fn release_nodes(&self, n_nodes: u64) {
        self.expanded.fetch_sub(n_nodes, Ordering::Relaxed);
    }

    fn add_bytes(&self, n_bytes: u64) {
        let n_bytes = self.bytes.fetch_add(n_bytes, Ordering::Relaxed) + n_bytes;
        self.peak_bytes.fetch_max(n_bytes, Ordering::Relaxed);
    }

    fn replace_bytes(&self, before: u64, after: u64) {
        if after >= before {
            self.add_bytes(after - before);
        } else {
            self.bytes.fetch_sub(before - after, Ordering::Relaxed);
        }
    }

    fn memory_limit(&self) -> Option<Limit> {
        let n_bytes = self.bytes.load(Ordering::Relaxed);
        self.budget.bytes.is_some_and(|max| n_bytes >= max).then_some(Limit::Memory)
    }

    /// The counters that a watch sees.
    fn progress(&self) -> Stats {
        Stats {
            expanded: self.expanded.load(Ordering::Relaxed),
            peak_bytes: self.peak_bytes.load(Ordering::Relaxed),
            ..Stats::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use npuzzle_core::heuristic::{LinearConflict, Manhattan, Max, WalkingDistance, Zero};
    use npuzzle_core::{Goal, Instance};
    use npuzzle_testkit::random::Random;
    use npuzzle_testkit::{dims, space};

    use super::super::packed_astar;
    use super::*;

    const HARD: &str = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1";

    /// Asserts that the search finds a solution as long as that of the search on one thread, or none if there is
    /// none.
    fn assert_same_length<H>(instance: &Instance, h: &H)
    where
        H: Heuristic<Sliding<SlidBoard>, Memo: Copy + Send> + Sync,
    {
        let problem = Sliding::<Packed>::new(instance).unwrap();
        let one = packed_astar(&problem, h, Budget::NONE, &mut ());
        for n_threads in [1, 2, 5] {
            let report = hash_distributed_astar(&problem, h, n_threads, Budget::NONE, &mut ());
            match (&report.outcome, &one.outcome) {
                (Outcome::Solved(path), Outcome::Solved(expected)) => {
                    assert_eq!(path.len(), expected.len(), "{instance:?}, {n_threads} threads");
                    let mut board = problem.start();
                    path.iter().for_each(|&slide| problem.apply(&mut board, slide));
                    assert!(problem.is_goal(&board), "{instance:?}");
                }
                (outcome, expected) => assert_eq!(outcome, expected, "{instance:?}"),
            }
            let Stats { enqueued, dequeued, open, expanded, duplicates, .. } = report.stats;
            if report.outcome == Outcome::Unsolvable {
                // The last level is complete, too.
                assert_eq!((expanded, open), (one.stats.expanded, 0), "{instance:?}");
                assert_eq!((enqueued, expanded + duplicates), (dequeued, dequeued));
            }
        }
    }

    #[test]
    fn all_boards_of_2x3_have_the_length_of_one_thread() {
        for space in space::of("2x3") {
            let (manhattan, conflict) =
                (Manhattan::new(&space.goal), LinearConflict::new(&space.goal));
            for start in space.arrangements.iter().step_by(7) {
                assert_same_length(&space.instance(start), &Zero);
                assert_same_length(&space.instance(start), &manhattan);
                assert_same_length(&space.instance(start), &conflict);
            }
        }
    }

    #[test]
    fn random_boards_have_the_length_of_one_thread() {
        let mut random = Random::new(9);
        for (size, n_steps) in [("3x3", 1000), ("3x4", 60), ("4x4", 60), ("2x8", 40)] {
            for goal in [Goal::Last, Goal::First] {
                let goal = goal.board(dims(size)).unwrap();
                let (manhattan, conflict) = (Manhattan::new(&goal), LinearConflict::new(&goal));
                for _ in 0..6 {
                    let start = random.walk(&goal, n_steps);
                    let instance = Instance::new(start, &Goal::Board(goal.clone())).unwrap();
                    assert_same_length(&instance, &manhattan);
                    assert_same_length(&instance, &conflict);
                }
            }
        }
    }

    /// The heuristic that A* has by default, on a board for which several threads start.
    #[test]
    fn princeton_board_of_45_moves_is_solved_with_walking_distance() {
        let instance: Instance = "9 2 8 11/0 5 13 7/15 1 4 10/3 14 6 12".parse().unwrap();
        let goal = instance.goal();
        let h = Max(WalkingDistance::new(goal).unwrap(), LinearConflict::new(goal));
        assert_same_length(&instance, &h);
        assert_same_length(&instance, &Manhattan::new(goal));
    }

    #[test]
    fn node_and_memory_limits_stop_all_threads() {
        let hard: Instance = HARD.parse().unwrap();
        let (problem, h) = (Sliding::<Packed>::new(&hard).unwrap(), Manhattan::new(hard.goal()));
        for nodes in [0, 1, 1_000, 50_000] {
            let budget = Budget { nodes: Some(nodes), ..Budget::NONE };
            let SearchReport { outcome, stats, .. } =
                hash_distributed_astar(&problem, &h, 3, budget, &mut ());
            assert!(matches!(outcome, Outcome::Stopped { limit: Limit::Nodes, .. }));
            let n_unused = 3 * N_TOGETHER as u64;
            assert!((nodes.saturating_sub(n_unused)..=nodes).contains(&stats.expanded), "{nodes}");
        }
        for bytes in [1 << 20, 10 << 20] {
            let budget = Budget { bytes: Some(bytes), ..Budget::NONE };
            let SearchReport { outcome, stats, .. } =
                hash_distributed_astar(&problem, &h, 2, budget, &mut ());
            assert!(matches!(outcome, Outcome::Stopped { limit: Limit::Memory, .. }));
            assert!((bytes..bytes + bytes / 8).contains(&stats.peak_bytes), "{}", stats.peak_bytes);
        }
    }

    /// A watch that interrupts a search at a poll.
    struct InterruptAt(u32);

    impl Watch for InterruptAt {
        fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
            self.0 -= 1;
            if self.0 == 0 {
                ControlFlow::Break(Limit::Interrupted)
            } else {
                ControlFlow::Continue(())
            }
        }
    }

    #[test]
    fn watch_interrupts_all_threads() {
        let hard: Instance = HARD.parse().unwrap();
        let (problem, h) = (Sliding::<Packed>::new(&hard).unwrap(), Manhattan::new(hard.goal()));
        for n_polls in [1, 2, 20] {
            let mut watch = InterruptAt(n_polls);
            let outcome = hash_distributed_astar(&problem, &h, 2, Budget::NONE, &mut watch).outcome;
            assert!(matches!(outcome, Outcome::Stopped { limit: Limit::Interrupted, .. }));
        }
    }
}
