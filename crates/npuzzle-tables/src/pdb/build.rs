//! Breadth-first search over the placements of a pattern.
//!
//! The search goes backward from the goal, level by level. A state is a placement of the pattern's
//! tiles and a *region*: a connected set of cells without pattern tiles. The blank moves freely within
//! a region, since only moves of the pattern's tiles are counted (Korf and Felner 2002).
//!
//! A *slot* is a set of cells with one of its regions ([`SlotIndex`]). It has one bit for each permutation of
//! the tiles on the cells.
//!
//! All permutations of a slot have the same neighbors: a tile next to the region slides into it, which
//! leads to another slot. If it passes no other pattern tile in reading order, the permutation stays
//! the same, and a whole slot is copied with a few hundred word operations. Otherwise the bits are
//! moved one by one with a small table.
//!
//! Slides are reversible, so a slot *pulls* the bits that its neighbors have gained in the last level.
//! Then each slot is written by one thread only, and the result does not depend on the number of
//! threads.

mod checkpoint;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use npuzzle_core::Cell;
use npuzzle_core::search::Limit;

use crate::bits::ones;
use crate::build_context::{BYTES_PER_POLL, Progress, proceed};
use crate::parallel::{StopFlag, drop_in_background, for_each_job};
use crate::pdb::pattern::Pattern;
use crate::pdb::slot_index::SlotIndex;

/// The number of jobs for each thread and level: many, so that no thread waits long for the last one.
const JOBS_PER_THREAD: usize = 16;

/// The number of cell sets that are searched between two checks of the stop flag. A set of five tiles
/// takes about a microsecond, and one of eight tiles less than a millisecond. A check reads the clock.
const SETS_PER_CHECK: usize = 16;

/// The cost of a placement that no level has reached.
pub(crate) const UNKNOWN: u8 = u8::MAX;

/// The results that a search keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keep {
    /// One cost for each placement: the minimum over its regions.
    Minimum,
    /// One cost for each placement and region.
    EachRegion,
    /// Bit 1 of the cost of each placement and region.
    OneBit,
}

/// Builds the costs of all placements of a pattern, by cell set (or slot) and permutation.
pub(crate) fn build(
    blank: Cell,
    pattern: &Pattern,
    index: &SlotIndex,
    keep: Keep,
    threads: usize,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Limit> {
    let slots = Slots::new(index, progress)?;
    let mut search = PatternSearch::new(&slots, blank, pattern, keep, progress)?;
    while !search.is_done() {
        search.advance(threads, progress)?;
    }
    Ok(search.into_costs())
}

/// The slots of a pattern, and the slides between them.
#[derive(Clone, Debug)]
pub(crate) struct Slots<'a> {
    pub(crate) index: &'a SlotIndex,
    /// The region of each slot.
    regions: Vec<u32>,
    /// The effect on the permutation of moving a tile between two positions in reading order, by
    /// these positions; empty if the permutation stays the same.
    perm_moves: Vec<Vec<Vec<u16>>>,
}

impl<'a> Slots<'a> {
    pub(crate) fn new(index: &'a SlotIndex, progress: Progress<'_>) -> Result<Slots<'a>, Limit> {
        let (cell_sets, cols) = (&index.cell_sets, index.grid.cols());
        let n_tiles = cell_sets.n_tiles();
        let regions = cell_sets.sets.iter().flat_map(|&set| index.regions(set)).collect();
        let mut perm_moves = vec![vec![Vec::new(); n_tiles]; n_tiles];
        for (from, to) in (0..n_tiles).flat_map(|from| (0..n_tiles).map(move |to| (from, to))) {
            // A slide along a column passes fewer than `cols` tiles.
            if (1..cols).contains(&from.abs_diff(to)) {
                proceed(progress(0.0))?;
                perm_moves[from][to] = cell_sets.perm_moves(from, to);
            }
        }
        Ok(Slots { index, regions, perm_moves })
    }

    /// The number of slots.
    pub(crate) fn len(&self) -> usize {
        self.regions.len()
    }

    /// The slots of a set, by the set's number.
    pub(crate) fn of_set(&self, set_number: usize) -> Range<usize> {
        self.index.slots_of(set_number..set_number + 1)
    }

    /// The permutation before a tile was moved from position `from` to position `to`.
    pub(crate) fn perm_before(&self, perm: usize, from: usize, to: usize) -> usize {
        match &self.perm_moves[to][from][..] {
            [] => perm,
            perm_moves => perm_moves[perm].into(),
        }
    }

    /// The number of words that hold one bit for each permutation.
    fn n_words(&self) -> usize {
        self.index.n_perms().div_ceil(64)
    }

    /// The number of bytes that hold the costs of some sets.
    fn n_cost_bytes(&self, keep: Keep, sets: Range<usize>) -> usize {
        let n_perms = self.index.n_perms();
        match keep {
            Keep::Minimum => sets.len() * n_perms,
            Keep::EachRegion => self.index.slots_of(sets).len() * n_perms,
            Keep::OneBit => self.index.slots_of(sets).len() * n_perms.div_ceil(8),
        }
    }

    /// Calls `visit` for each slide that leads to a slot of this set, with the slot before the slide
    /// and the positions of the tile before and after.
    #[inline]
    pub(crate) fn each_neighbor(
        &self,
        set: u32,
        slot: usize,
        mut visit: impl FnMut(usize, usize, usize),
    ) {
        let region = self.regions[slot];
        for to in ones(set) {
            for &from in &self.index.grid.neighbors[to] {
                if region >> from & 1 == 0 {
                    continue;
                }
                let before = set ^ (1 << to | 1 << from);
                let below = |set: u32, cell: usize| (set & ((1 << cell) - 1)).count_ones() as usize;
                visit(self.index.slot(before, to), below(before, from.into()), below(set, to));
            }
        }
    }
}

/// A breadth-first search in progress. All bits are by slot, then by permutation.
pub(crate) struct PatternSearch<'a> {
    slots: &'a Slots<'a>,
    keep: Keep,
    /// The cost of the last level.
    cost: u8,
    /// The states of all levels so far.
    seen: Vec<u64>,
    /// The states of the last level.
    level: Vec<u64>,
    /// The states of the next level, while it is searched.
    next: Vec<u64>,
    /// For each slot, whether it has states in `level`.
    has_level: Vec<bool>,
    costs: Vec<u8>,
    n_seen: u64,
    /// The number of states, as far as it is known: an upper bound until the search is complete.
    n_states: u64,
}

impl Drop for PatternSearch<'_> {
    fn drop(&mut self) {
        let bits = [&mut self.seen, &mut self.level, &mut self.next].map(std::mem::take);
        let costs = std::mem::take(&mut self.costs);
        let n_bytes = 8 * 3 * bits[0].len() + costs.len();
        drop_in_background((bits, costs), n_bytes);
    }
}

impl<'a> PatternSearch<'a> {
    pub(crate) fn new(
        slots: &'a Slots<'a>,
        blank: Cell,
        pattern: &Pattern,
        keep: Keep,
        progress: Progress<'_>,
    ) -> Result<PatternSearch<'a>, Limit> {
        let n_bit_words = slots.len() * slots.n_words();
        let n_perms = slots.index.n_perms();
        let n_costs = slots.n_cost_bytes(keep, 0..slots.index.cell_sets.n_sets());
        let unknown = if keep == Keep::OneBit { 0 } else { UNKNOWN };
        let mut costs = Vec::with_capacity(n_costs);
        while costs.len() < n_costs {
            proceed(progress(0.0))?;
            costs.resize(n_costs.min(costs.len() + BYTES_PER_POLL), unknown);
        }
        let mut search = PatternSearch {
            slots,
            keep,
            cost: 0,
            seen: vec![0; n_bit_words],
            level: vec![0; n_bit_words],
            next: vec![0; n_bit_words],
            has_level: vec![false; slots.len()],
            costs,
            n_seen: 1,
            n_states: (slots.len() * n_perms) as u64,
        };
        let goal_set = pattern.goal_cells();
        let perm = slots.index.cell_sets.perm_number(pattern.tiles());
        let slot = slots.index.slot(goal_set, blank.index());
        let word = slot * slots.n_words() + perm / 64;
        search.seen[word] = 1 << (perm % 64);
        search.level[word] = 1 << (perm % 64);
        search.has_level[slot] = true;
        match keep {
            Keep::Minimum => {
                search.costs[slots.index.cell_sets.set_number(goal_set) * n_perms + perm] = 0;
            }
            Keep::EachRegion => search.costs[slot * n_perms + perm] = 0,
            // All bits are 0 at the beginning.
            Keep::OneBit => {}
        }
        Ok(search)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.n_seen == self.n_states || self.cost == UNKNOWN - 1
    }

    pub(crate) fn into_costs(mut self) -> Vec<u8> {
        std::mem::take(&mut self.costs)
    }

    /// Searches the next level.
    pub(crate) fn advance(&mut self, threads: usize, progress: Progress<'_>) -> Result<(), Limit> {
        self.cost += 1;
        let (slots, keep) = (self.slots, self.keep);
        let (states, has_states) = (&self.level[..], &self.has_level[..]);
        let last = LastLevel { slots, keep, states, has_states, next_cost: self.cost };
        let mut has_next = vec![false; slots.len()];
        let jobs = split_sets(
            slots,
            keep,
            threads * JOBS_PER_THREAD,
            [&mut self.seen, &mut self.next],
            &mut self.costs,
            &mut has_next,
        );
        let (n_seen, n_states) = (AtomicU64::new(self.n_seen), self.n_states);
        let poll = || progress(n_seen.load(Ordering::Relaxed) as f64 / n_states as f64);
        for_each_job(threads, jobs.into_iter(), poll, |mut sets, stop| {
            n_seen.fetch_add(sets.search(&last, stop), Ordering::Relaxed);
        })?;
        let n_seen = n_seen.into_inner();
        if n_seen == self.n_seen {
            // The other states cannot be reached.
            self.n_states = n_seen;
        }
        self.n_seen = n_seen;
        self.has_level = has_next;
        std::mem::swap(&mut self.level, &mut self.next);
        Ok(())
    }
}

/// Consecutive cell sets, with the parts of all arrays that the search writes for them.
struct SetRange<'a> {
    /// The numbers of the sets.
    sets: Range<usize>,
    seen: &'a mut [u64],
    next: &'a mut [u64],
    costs: &'a mut [u8],
    has_next: &'a mut [bool],
}

/// Splits all cell sets into about `n_ranges` ranges.
fn split_sets<'a>(
    slots: &Slots<'_>,
    keep: Keep,
    n_ranges: usize,
    [mut seen, mut next]: [&'a mut [u64]; 2],
    mut costs: &'a mut [u8],
    mut has_next: &'a mut [bool],
) -> Vec<SetRange<'a>> {
    fn split_off<'a, T>(rest: &mut &'a mut [T], n: usize) -> &'a mut [T] {
        rest.split_off_mut(..n).unwrap_or_default()
    }
    let n_sets = slots.index.cell_sets.n_sets();
    let size = n_sets.div_ceil(n_ranges);
    let ranges = (0..n_sets).step_by(size).map(|from| from..(from + size).min(n_sets));
    let range = |sets: Range<usize>| {
        let n_slots = slots.index.slots_of(sets.clone()).len();
        let n_cost_bytes = slots.n_cost_bytes(keep, sets.clone());
        SetRange {
            sets,
            seen: split_off(&mut seen, n_slots * slots.n_words()),
            next: split_off(&mut next, n_slots * slots.n_words()),
            costs: split_off(&mut costs, n_cost_bytes),
            has_next: split_off(&mut has_next, n_slots),
        }
    };
    ranges.map(range).collect()
}

impl SetRange<'_> {
    /// Pulls the states that the last level leads to, and returns the number of new ones.
    fn search(&mut self, last: &LastLevel<'_>, stop: &StopFlag<'_>) -> u64 {
        let mut n_new = 0;
        for set_number in self.sets.clone() {
            if set_number % SETS_PER_CHECK == 0 && stop.is_set() {
                break;
            }
            for slot in last.slots.of_set(set_number) {
                n_new += self.search_slot(last, set_number, slot);
            }
        }
        n_new
    }

    #[inline]
    fn search_slot(&mut self, last: &LastLevel<'_>, set_number: usize, slot: usize) -> u64 {
        let slots = last.slots;
        let n_words = slots.n_words();
        let nth_slot = slot - slots.of_set(self.sets.start).start;
        let words = nth_slot * n_words..(nth_slot + 1) * n_words;
        let next = &mut self.next[words.clone()];
        if !last.pull(set_number, slot, next) {
            return 0;
        }
        let mut n_new = 0;
        for (next, seen) in next.iter_mut().zip(&mut self.seen[words]) {
            *next &= !*seen;
            *seen |= *next;
            n_new += u64::from(next.count_ones());
        }
        self.has_next[nth_slot] = n_new > 0;
        let n_perms = slots.index.n_perms();
        match last.keep {
            Keep::Minimum => {
                let costs = &mut self.costs[(set_number - self.sets.start) * n_perms..][..n_perms];
                keep_costs(costs, next, last.next_cost);
            }
            Keep::EachRegion => {
                let costs = &mut self.costs[nth_slot * n_perms..][..n_perms];
                keep_costs(costs, next, last.next_cost);
            }
            Keep::OneBit if last.next_cost & 2 != 0 => {
                let n_bytes = n_perms.div_ceil(8);
                let bits = self.costs[nth_slot * n_bytes..][..n_bytes].iter_mut();
                let new = next.iter().flat_map(|word| word.to_le_bytes());
                bits.zip(new).for_each(|(bits, new)| *bits |= new);
            }
            Keep::OneBit => {}
        }
        n_new
    }
}

/// Stores the cost of new states. Levels come in increasing order of costs, so a known cost is not larger.
fn keep_costs(costs: &mut [u8], new: &[u64], cost: u8) {
    for (costs, &word) in costs.chunks_mut(64).zip(new) {
        for bit in ones(word) {
            costs[bit] = costs[bit].min(cost);
        }
    }
}

/// The last level, from which all slots pull.
struct LastLevel<'a> {
    slots: &'a Slots<'a>,
    keep: Keep,
    states: &'a [u64],
    /// For each slot, whether it has states in the level.
    has_states: &'a [bool],
    /// The cost of the level that is searched.
    next_cost: u8,
}

impl LastLevel<'_> {
    /// Fills `next` with the states of a slot that this level leads to. Returns whether there are any.
    #[inline]
    fn pull(&self, set_number: usize, slot: usize, next: &mut [u64]) -> bool {
        let (slots, n_words) = (self.slots, next.len());
        next.fill(0);
        let mut has_any = false;
        slots.each_neighbor(slots.index.cell_sets.sets[set_number], slot, |source, from, to| {
            if self.has_states[source] {
                has_any = true;
                let source = &self.states[source * n_words..][..n_words];
                match &slots.perm_moves[from][to][..] {
                    [] => pull(next, source),
                    perm_moves => pull_moved(next, source, perm_moves),
                }
            }
        });
        has_any
    }
}

/// Adds the states of a neighbor with the same permutations.
fn pull(next: &mut [u64], source: &[u64]) {
    for (next, source) in next.iter_mut().zip(source) {
        *next |= source;
    }
}

/// Adds the states of a neighbor with other permutations.
fn pull_moved(next: &mut [u64], source: &[u64], perm_moves: &[u16]) {
    for (word, &source) in source.iter().enumerate() {
        for bit in ones(source) {
            let to = usize::from(perm_moves[64 * word + bit]);
            next[to / 64] |= 1 << (to % 64);
        }
    }
}
