//! Breadth-first search over the placements of a pattern.
//!
//! The search goes backward from the goal, level by level. A state is a placement of the pattern's
//! tiles and a *region*: a connected set of cells without pattern tiles. The blank moves freely within
//! a region, since only moves of the pattern's tiles are counted (Korf and Felner 2002).
//!
//! ```text
//!     a  .  .          A *slot* is a set of cells with one of its regions. Here the cells 0, 4 and 6
//!     .  b  .          leave the regions {1, 2, 5, 7, 8} and {3}, so they have two slots. A slot has
//!     c  .  .          one bit for each permutation of the tiles on the cells.
//! ```
//!
//! All permutations of a slot have the same neighbours: a tile next to the region slides into it, which
//! leads to another slot. If it passes no other pattern tile in reading order, the permutation stays
//! the same, and a whole slot is copied with a few hundred word operations. Otherwise the bits are
//! moved one by one with a small table.
//!
//! Slides are reversible, so a slot *pulls* the bits that its neighbours have gained in the last level.
//! Then each slot is written by one thread only, and the result does not depend on the number of
//! threads.

mod checkpoint;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use npuzzle_core::search::Limit;
use npuzzle_core::{Cell, Dims};

use crate::bits::ones;
use crate::build_context::{BYTES_PER_POLL, Progress, proceed};
use crate::parallel::{StopFlag, drop_in_background, for_each_job};
use crate::pdb::cell_sets::CellSets;
use crate::pdb::pattern::Pattern;
use crate::pdb::regions::Grid;

/// The number of jobs for each thread and level: many, so that no thread waits long for the last one.
const JOBS_PER_THREAD: usize = 16;

/// The number of cell sets whose regions are found between two polls.
const SETS_PER_POLL: usize = 1 << 12;

/// The number of cell sets that are searched between two checks of the stop flag. A set of five tiles
/// takes about a microsecond, and one of eight tiles less than a millisecond. A check reads the clock.
const SETS_PER_CHECK: usize = 16;

/// The cost of a placement that no level has reached.
pub(crate) const UNKNOWN: u8 = u8::MAX;

/// The costs that a search stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keep {
    /// One cost for each placement: the minimum over its regions.
    Minimum,
    /// One cost for each placement and region.
    EachRegion,
}

/// Builds the costs of all placements of a pattern, by cell set (or slot) and permutation.
pub(crate) fn build(
    dims: Dims,
    blank: Cell,
    pattern: &Pattern,
    cell_sets: &CellSets,
    keep: Keep,
    threads: usize,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Limit> {
    let slots = Slots::new(dims, cell_sets, progress)?;
    let mut search = PatternSearch::new(&slots, blank, pattern, keep, progress)?;
    while !search.is_done() {
        search.advance(threads, progress)?;
    }
    Ok(search.into_costs())
}

/// The slots of a pattern: all sets of cells with their regions.
#[derive(Clone, Debug)]
pub(crate) struct Slots<'a> {
    pub(crate) cell_sets: &'a CellSets,
    grid: Grid,
    /// The first slot of each set, then the number of slots.
    first: Vec<u32>,
    /// The region of each slot.
    regions: Vec<u32>,
    /// The effect on the permutation of moving a tile between two positions in reading order, by
    /// these positions; empty if the permutation stays the same.
    perm_moves: Vec<Vec<Vec<u16>>>,
}

impl<'a> Slots<'a> {
    pub(crate) fn new(
        dims: Dims,
        cell_sets: &'a CellSets,
        progress: Progress<'_>,
    ) -> Result<Slots<'a>, Limit> {
        let n_tiles = cell_sets.n_tiles();
        let grid = Grid::new(dims);
        let mut first = vec![0];
        let mut regions = Vec::new();
        for sets in cell_sets.sets.chunks(SETS_PER_POLL) {
            proceed(progress(0.0))?;
            for &set in sets {
                regions.extend(grid.regions(set));
                first.push(regions.len() as u32);
            }
        }
        let mut perm_moves = vec![vec![Vec::new(); n_tiles]; n_tiles];
        for (from, to) in (0..n_tiles).flat_map(|from| (0..n_tiles).map(move |to| (from, to))) {
            // A slide along a column passes fewer than `cols` tiles.
            if (1..dims.cols()).contains(&from.abs_diff(to)) {
                proceed(progress(0.0))?;
                perm_moves[from][to] = cell_sets.perm_moves(from, to);
            }
        }
        Ok(Slots { cell_sets, grid, first, regions, perm_moves })
    }

    /// The number of slots.
    pub(crate) fn len(&self) -> usize {
        self.regions.len()
    }

    /// The slot of a set whose region contains the blank's cell, which must be free.
    #[inline]
    pub(crate) fn slot(&self, set: u32, blank: usize) -> usize {
        let mut slot = self.first[self.cell_sets.set_number(set)] as usize;
        while self.regions[slot] >> blank & 1 == 0 {
            slot += 1;
        }
        slot
    }

    /// The slots of a set, by the set's number.
    pub(crate) fn of_set(&self, set_number: usize) -> Range<usize> {
        self.first[set_number] as usize..self.first[set_number + 1] as usize
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
        self.cell_sets.n_perms().div_ceil(64)
    }

    /// The number of costs.
    fn n_costs(&self, keep: Keep) -> usize {
        let n_perms = self.cell_sets.n_perms();
        match keep {
            Keep::Minimum => self.cell_sets.n_sets() * n_perms,
            Keep::EachRegion => self.len() * n_perms,
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
            for &from in &self.grid.neighbors[to] {
                if region >> from & 1 == 0 {
                    continue;
                }
                let before = set ^ (1 << to | 1 << from);
                let below = |set: u32, cell: usize| (set & ((1 << cell) - 1)).count_ones() as usize;
                visit(self.slot(before, to), below(before, from.into()), below(set, to));
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
        let n_perms = slots.cell_sets.n_perms();
        let n_costs = slots.n_costs(keep);
        let mut costs = Vec::with_capacity(n_costs);
        while costs.len() < n_costs {
            proceed(progress(0.0))?;
            costs.resize(n_costs.min(costs.len() + BYTES_PER_POLL), UNKNOWN);
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
        let perm = slots.cell_sets.perm_number(pattern.tiles());
        let slot = slots.slot(goal_set, blank.index());
        let word = slot * slots.n_words() + perm / 64;
        search.seen[word] = 1 << (perm % 64);
        search.level[word] = 1 << (perm % 64);
        search.has_level[slot] = true;
        let row = match keep {
            Keep::Minimum => slots.cell_sets.set_number(goal_set),
            Keep::EachRegion => slot,
        };
        search.costs[row * n_perms + perm] = 0;
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
        let (slots, keep, cost) = (self.slots, self.keep, self.cost);
        let (level, has_level) = (&self.level, &self.has_level);
        let mut has_next = vec![false; has_level.len()];
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
            let n_new = sets.search(slots, level, has_level, keep, cost, stop);
            n_seen.fetch_add(n_new, Ordering::Relaxed);
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
    let n_sets = slots.cell_sets.n_sets();
    let size = n_sets.div_ceil(n_ranges);
    let ranges = (0..n_sets).step_by(size).map(|from| from..(from + size).min(n_sets));
    let range = |sets: Range<usize>| {
        let n_slots = (slots.first[sets.end] - slots.first[sets.start]) as usize;
        let n_rows = match keep {
            Keep::Minimum => sets.len(),
            Keep::EachRegion => n_slots,
        };
        SetRange {
            sets,
            seen: split_off(&mut seen, n_slots * slots.n_words()),
            next: split_off(&mut next, n_slots * slots.n_words()),
            costs: split_off(&mut costs, n_rows * slots.cell_sets.n_perms()),
            has_next: split_off(&mut has_next, n_slots),
        }
    };
    ranges.map(range).collect()
}

impl SetRange<'_> {
    /// Pulls the states that the last level leads to, and returns the number of new ones.
    fn search(
        &mut self,
        slots: &Slots<'_>,
        level: &[u64],
        has_level: &[bool],
        keep: Keep,
        cost: u8,
        stop: &StopFlag<'_>,
    ) -> u64 {
        let (n_words, n_perms) = (slots.n_words(), slots.cell_sets.n_perms());
        let first = slots.first[self.sets.start] as usize;
        let mut n_new = 0;
        for set_number in self.sets.clone() {
            if set_number % SETS_PER_CHECK == 0 && stop.is_set() {
                break;
            }
            let set = slots.cell_sets.sets[set_number];
            for slot in slots.of_set(set_number) {
                let at = (slot - first) * n_words;
                let next = &mut self.next[at..at + n_words];
                next.fill(0);
                let mut is_touched = false;
                slots.each_neighbor(set, slot, |source, from, to| {
                    if has_level[source] {
                        is_touched = true;
                        let source = &level[source * n_words..][..n_words];
                        match &slots.perm_moves[from][to][..] {
                            [] => pull(next, source),
                            perm_moves => pull_moved(next, source, perm_moves),
                        }
                    }
                });
                if !is_touched {
                    continue;
                }
                let row = match keep {
                    Keep::Minimum => set_number - self.sets.start,
                    Keep::EachRegion => slot - first,
                };
                let costs = &mut self.costs[row * n_perms..][..n_perms];
                let seen = &mut self.seen[at..at + n_words];
                for (word, (next, seen)) in next.iter_mut().zip(seen).enumerate() {
                    *next &= !*seen;
                    *seen |= *next;
                    n_new += u64::from(next.count_ones());
                    let mut new = *next;
                    self.has_next[slot - first] |= new != 0;
                    while new != 0 {
                        // Levels come in increasing order of costs, so a known cost is not larger.
                        let known = &mut costs[64 * word + new.trailing_zeros() as usize];
                        *known = (*known).min(cost);
                        new &= new - 1;
                    }
                }
            }
        }
        n_new
    }
}

/// Adds the states of a neighbour with the same permutations.
fn pull(next: &mut [u64], source: &[u64]) {
    for (next, source) in next.iter_mut().zip(source) {
        *next |= source;
    }
}

/// Adds the states of a neighbour with other permutations.
fn pull_moved(next: &mut [u64], source: &[u64], perm_moves: &[u16]) {
    for (word, &source) in source.iter().enumerate() {
        let mut bits = source;
        while bits != 0 {
            let to = usize::from(perm_moves[64 * word + bits.trailing_zeros() as usize]);
            next[to / 64] |= 1 << (to % 64);
            bits &= bits - 1;
        }
    }
}
