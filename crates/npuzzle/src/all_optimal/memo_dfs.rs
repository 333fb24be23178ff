//! Counts optimal solutions by depth-first search with memoization, for an engine that updates its
//! heuristic incrementally.
//!
//! ```text
//! count(state, left):                     number of paths of exactly `left` moves to the goal
//!     if memoized: return the memo
//!     sum over all moves m to a state within the heuristic:
//!         1 if left = 1 and m reaches the goal, otherwise count(state after m, left - 1)
//! ```
//!
//! The search must not prune a path only because another path of the same length ends in the same
//! state. It prunes moves that would make the path shorter: two consecutive runs along one line.
//!
//! A state on an optimal solution is always reached with the same number of moves left, its distance to
//! the goal. So the memo of a state holds one count and the number of moves left that it is for; with
//! fewer moves left the count is 0. Most states have count 0. They are stored in a cache of fixed size
//! ([`DeadEndCache`]) instead of the map.

use std::collections::HashMap;

use npuzzle_core::Slide;
use npuzzle_core::search::{Cost, Limit};

use super::limits::ResourceMeter;
use super::{CountRequest, PathCount};

/// The move generator of an engine.
pub(super) trait MoveGenerator {
    type Node: Copy;

    /// Identifies a state.
    fn key(&self, node: &Self::Node) -> MemoKey;

    /// Calls `visit` with every move to the goal, or to a state whose heuristic is at most `left - 1`.
    fn each_move(
        &self,
        node: &Self::Node,
        left: Cost,
        visit: impl FnMut(GeneratedMove<Self::Node>),
    );
}

/// A packed board, and whatever else determines the paths from it.
pub(super) type MemoKey = (u64, u8);

/// A move: `n_slides` equal slides on the board, and the node they lead to; `None` for the goal.
pub(super) struct GeneratedMove<N> {
    pub(super) slide: Slide,
    pub(super) n_slides: usize,
    pub(super) to: Option<N>,
}

/// Counts the optimal solutions from the roots, which are the same board with different kinds of first
/// moves.
pub(super) fn memo_dfs<G: MoveGenerator>(
    generator: &G,
    roots: &[G::Node],
    request: &CountRequest<'_>,
    mut meter: ResourceMeter<'_>,
) -> Result<PathCount, Limit> {
    meter.poll()?;
    let CountRequest { length, max_listed, .. } = *request;
    if length == 0 {
        let listed = vec![Vec::new(); max_listed.min(1)];
        return Ok(PathCount { count: 1, listed, stopped: None });
    }
    let dead_ends = DeadEndCache::within(meter.max_bytes());
    let mut search = MemoDfs { generator, meter, memo: HashMap::new(), dead_ends };
    let mut count = 0u128;
    for root in roots {
        count = count.saturating_add(search.count(root, length)?);
    }
    let mut listed = Vec::new();
    let stopped = search.list(roots, length, max_listed, &mut Vec::new(), &mut listed).err();
    Ok(PathCount { count, listed, stopped })
}

/// A count in progress.
struct MemoDfs<'a, 'm, G> {
    generator: &'a G,
    meter: ResourceMeter<'m>,
    /// The number of moves left at a state, and its number of paths, which is not 0.
    memo: HashMap<MemoKey, (Cost, u128)>,
    dead_ends: DeadEndCache,
}

/// The approximate size of an entry of the memo.
const BYTES_PER_ENTRY: usize = 96;

impl<G: MoveGenerator> MemoDfs<'_, '_, G> {
    /// The number of paths of exactly `left` moves to the goal.
    fn count(&mut self, node: &G::Node, left: Cost) -> Result<u128, Limit> {
        let key = self.generator.key(node);
        if let Some(&(memo_left, n_paths)) = self.memo.get(&key) {
            return Ok(if memo_left == left { n_paths } else { 0 });
        }
        if self.dead_ends.contains(key, left) {
            return Ok(0);
        }
        self.meter.expand()?;
        let mut sum = Ok(0u128);
        let generator = self.generator;
        generator.each_move(node, left, |generated| {
            let Ok(before) = sum else { return };
            let n_paths = match generated.to {
                None => Ok(u128::from(left == 1)),
                Some(node) if left > 1 => self.count(&node, left - 1),
                Some(_) => Ok(0),
            };
            sum = n_paths.map(|n_paths| before.saturating_add(n_paths));
        });
        let n_paths = sum?;
        if n_paths > 0 {
            self.meter.allocate(BYTES_PER_ENTRY)?;
            self.memo.insert(key, (left, n_paths));
        } else {
            self.dead_ends.insert(key, left, &mut self.meter)?;
        }
        Ok(n_paths)
    }

    /// Lists up to `max_listed` paths from the nodes, ordered by direction (up, down, left, right), then
    /// by the length of the run.
    fn list(
        &mut self,
        nodes: &[G::Node],
        left: Cost,
        max_listed: usize,
        path: &mut Vec<Slide>,
        listed: &mut Vec<Vec<Slide>>,
    ) -> Result<(), Limit> {
        self.meter.tick()?;
        let mut moves = Vec::new();
        for node in nodes {
            self.generator.each_move(node, left, |generated| moves.push(generated));
        }
        moves.sort_by_key(|generated| (generated.slide, generated.n_slides));
        for GeneratedMove { slide, n_slides, to } in moves {
            let is_optimal = match &to {
                None => left == 1,
                Some(to) => self.has_paths(to, left - 1),
            };
            if !is_optimal || listed.len() == max_listed {
                continue;
            }
            let n_before = path.len();
            path.extend(std::iter::repeat_n(slide, n_slides));
            match to {
                None => {
                    self.meter.allocate(path.len() + size_of::<Vec<Slide>>())?;
                    listed.push(path.clone());
                }
                Some(to) => self.list(&[to], left - 1, max_listed, path, listed)?,
            }
            path.truncate(n_before);
        }
        Ok(())
    }

    fn has_paths(&self, node: &G::Node, left: Cost) -> bool {
        let memo = self.memo.get(&self.generator.key(node));
        memo.is_some_and(|&(memo_left, _)| memo_left == left)
    }
}

/// A direct-mapped cache of states that do not reach the goal within a number of moves.
struct DeadEndCache {
    max_slots: usize,
    /// Each slot holds the last state stored in it.
    slots: Vec<(MemoKey, Cost)>,
    /// The number of insertions since the cache was last enlarged.
    n_inserted: usize,
}

impl DeadEndCache {
    /// Most boards are easy, so the cache starts small and grows when it is full.
    const MIN_SLOTS: usize = 1 << 8;

    /// 24 MB.
    const MAX_SLOTS: usize = 1 << 20;

    /// An empty cache that takes at most a quarter of `max_bytes`.
    fn within(max_bytes: Option<u64>) -> DeadEndCache {
        let bytes_per_slot = size_of::<(MemoKey, Cost)>() as u64;
        let max_slots = max_bytes.map_or(u64::MAX, |max_bytes| max_bytes / 4 / bytes_per_slot);
        let max_slots = max_slots.clamp(1, DeadEndCache::MAX_SLOTS as u64) as usize;
        DeadEndCache { max_slots, slots: Vec::new(), n_inserted: 0 }
    }

    fn slot(&self, key: MemoKey) -> usize {
        let mixed = (key.0 ^ u64::from(key.1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize % self.slots.len().max(1)
    }

    fn contains(&self, key: MemoKey, left: Cost) -> bool {
        let entry = self.slots.get(self.slot(key));
        entry.is_some_and(|&(known, known_left)| known == key && left <= known_left)
    }

    fn insert(
        &mut self,
        key: MemoKey,
        left: Cost,
        meter: &mut ResourceMeter<'_>,
    ) -> Result<(), Limit> {
        let n_slots = self.slots.len();
        if self.n_inserted == n_slots && n_slots < self.max_slots {
            let n_more = (4 * n_slots).max(DeadEndCache::MIN_SLOTS).min(self.max_slots) - n_slots;
            meter.allocate(n_more * size_of::<(MemoKey, Cost)>())?;
            // The old entries are dropped. The key 0 marks a free slot: no packed board is 0.
            self.slots = vec![((0, 0), 0); n_slots + n_more];
            self.n_inserted = 0;
        }
        self.n_inserted = (self.n_inserted + 1).min(self.slots.len());
        let slot = self.slot(key);
        self.slots[slot] = (key, left);
        Ok(())
    }
}
