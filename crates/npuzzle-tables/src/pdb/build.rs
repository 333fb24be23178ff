//! Builds the table of a pattern, many placements at a time.
//!
//! Searched is backward from the goal, level by level. A state is a placement of the pattern's tiles
//! with a *region*: connected cells without tiles of the pattern, within which the blank moves
//! freely and at no cost. A *slot* is a set of cells with one of its regions; it has a bit for every
//! order of the tiles. All orders of a slot have the same neighbours: a tile beside the region
//! slides into it, which leads to one other slot. If it passes no other tile on the way, counted
//! along the rows, the order stays and a whole slot is taken over with a few hundred word
//! operations; otherwise the bits are moved one by one with a small table.
//!
//! Slides can be taken back, so a slot may as well *pull* from its neighbours what they reached in
//! the level before. Then a slot is written by one thread alone, and the result does not hang on
//! how many there are.

mod checkpoint;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::search::Limit;
use npuzzle_core::{Cell, Dims};

use crate::build_context::{BYTES_PER_POLL, Progress, proceed};
use crate::parallel::watched::{Stop, give_back, watched};
use crate::pdb::cell_sets::CellSets;
use crate::pdb::pattern::Pattern;
use crate::pdb::regions::{self, Grid};

/// Pieces of work for each thread and level, so that none waits long for the last one.
const PIECES_PER_THREAD: usize = 16;

/// The number of sets of cells that are processed between two polls.
const SETS_AT_ONCE: usize = 1 << 12;

/// A placement that no level has reached.
pub(crate) const UNKNOWN: u8 = u8::MAX;

/// What is kept of the levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keep {
    /// One cost for every placement: the least over all regions.
    Least,
    /// A cost for every placement and region.
    Regions,
}

/// The sets of cells with their regions.
#[derive(Clone, Debug)]
pub(crate) struct Slots<'a> {
    pub(crate) placements: &'a CellSets,
    grid: Grid,
    /// The first slot of every set, and how many there are.
    pub(crate) first: Vec<u32>,
    /// The region of every slot.
    pub(crate) regions: Vec<u32>,
    /// By the places a tile is moved from and to.
    moved: Vec<Vec<Vec<u16>>>,
}

impl<'a> Slots<'a> {
    pub(crate) fn new(
        dims: Dims,
        placements: &'a CellSets,
        progress: Progress<'_>,
    ) -> Result<Slots<'a>, Limit> {
        let n_tiles = placements.n_tiles();
        let grid = Grid::new(dims);
        let mut first = vec![0];
        let mut regions = Vec::new();
        for sets in placements.sets.chunks(SETS_AT_ONCE) {
            proceed(progress(0.0))?;
            for &set in sets {
                regions.extend(grid.regions(set));
                first.push(regions.len() as u32);
            }
        }
        let mut moved = vec![vec![Vec::new(); n_tiles]; n_tiles];
        for (from, to) in (0..n_tiles).flat_map(|from| (0..n_tiles).map(move |to| (from, to))) {
            if (1..dims.cols()).contains(&from.abs_diff(to)) {
                proceed(progress(0.0))?;
                moved[from][to] = placements.moved(from, to);
            }
        }
        Ok(Slots { placements, grid, first, regions, moved })
    }

    /// The slot of a set in which the blank is at a cell that is not taken.
    #[inline]
    pub(crate) fn slot(&self, set: u32, blank: usize) -> usize {
        let mut slot = self.first[self.placements.set_number(set)] as usize;
        while self.regions[slot] >> blank & 1 == 0 {
            slot += 1;
        }
        slot
    }

    /// The order before the tile at the place `from` was moved to the place `to`.
    pub(crate) fn order_before(&self, order: usize, from: usize, to: usize) -> usize {
        match &self.moved[to][from][..] {
            [] => order,
            moved => moved[order].into(),
        }
    }

    /// Words that hold a bit for every order.
    fn n_words(&self) -> usize {
        self.placements.n_orders().div_ceil(64)
    }

    fn n_costs(&self, keep: Keep) -> usize {
        let n_orders = self.placements.n_orders();
        match keep {
            Keep::Least => self.placements.n_sets() * n_orders,
            Keep::Regions => self.regions.len() * n_orders,
        }
    }

    /// Calls `pull` with every slot that one slide leads from to this one, and how the places of
    /// the tile change.
    #[inline]
    pub(crate) fn each_neighbor(
        &self,
        set: u32,
        region: u32,
        mut pull: impl FnMut(usize, usize, usize),
    ) {
        for to in regions::cells(set) {
            for &from in &self.grid.neighbors[to] {
                if region >> from & 1 == 0 {
                    continue;
                }
                let before = set ^ (1 << to | 1 << from);
                let below = |set: u32, cell: usize| (set & ((1 << cell) - 1)).count_ones() as usize;
                let (place_from, place_to) = (below(before, from.into()), below(set, to));
                pull(self.slot(before, to), place_from, place_to);
            }
        }
    }
}

/// The costs of all placements of a pattern: by set and order, or by slot and order.
pub(crate) fn build(
    dims: Dims,
    blank: Cell,
    pattern: &Pattern,
    placements: &CellSets,
    keep: Keep,
    threads: usize,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Limit> {
    let slots = Slots::new(dims, placements, progress)?;
    let mut levels = Levels::new(&slots, blank, pattern, keep, progress)?;
    while !levels.is_done() {
        levels.advance(threads, progress)?;
    }
    Ok(levels.into_costs())
}

/// How far a build has come.
pub(crate) struct Levels<'a> {
    slots: &'a Slots<'a>,
    keep: Keep,
    cost: u8,
    /// A bit for every order of every slot that has been met.
    met: Vec<u64>,
    /// The same for those met in the level before.
    level: Vec<u64>,
    next: Vec<u64>,
    /// For every slot, whether its part of `level` has any bits.
    is_live: Vec<bool>,
    costs: Vec<u8>,
    n_met: u64,
    /// All bits there are.
    n_all: u64,
}

impl Drop for Levels<'_> {
    fn drop(&mut self) {
        let bits = [&mut self.met, &mut self.level, &mut self.next].map(std::mem::take);
        let costs = std::mem::take(&mut self.costs);
        let n_bytes = 8 * 3 * bits[0].len() + costs.len();
        give_back((bits, costs), n_bytes);
    }
}

impl<'a> Levels<'a> {
    pub(crate) fn new(
        slots: &'a Slots<'a>,
        blank: Cell,
        pattern: &Pattern,
        keep: Keep,
        progress: Progress<'_>,
    ) -> Result<Levels<'a>, Limit> {
        let n_slots = slots.regions.len();
        let n_orders = slots.placements.n_orders();
        let n_bits = n_slots * slots.n_words();
        let set = pattern.tiles().iter().fold(0, |set, &tile| set | 1 << tile);
        let order = slots.placements.order_number(pattern.tiles());
        let slot = slots.slot(set, blank.index());
        let n_costs = slots.n_costs(keep);
        let mut costs = Vec::with_capacity(n_costs);
        while costs.len() < n_costs {
            proceed(progress(0.0))?;
            costs.resize(n_costs.min(costs.len() + BYTES_PER_POLL), UNKNOWN);
        }
        let mut levels = Levels {
            slots,
            keep,
            cost: 0,
            met: vec![0; n_bits],
            level: vec![0; n_bits],
            next: vec![0; n_bits],
            is_live: vec![false; n_slots],
            costs,
            n_met: 1,
            n_all: (n_slots * n_orders) as u64,
        };
        let word = slot * slots.n_words() + order / 64;
        levels.met[word] = 1 << (order % 64);
        levels.level[word] = 1 << (order % 64);
        levels.is_live[slot] = true;
        let at = match keep {
            Keep::Least => slots.placements.set_number(set),
            Keep::Regions => slot,
        };
        levels.costs[at * n_orders + order] = 0;
        Ok(levels)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.n_met == self.n_all || self.cost == UNKNOWN - 1
    }

    pub(crate) fn into_costs(mut self) -> Vec<u8> {
        std::mem::take(&mut self.costs)
    }

    /// Searches one more level.
    pub(crate) fn advance(&mut self, threads: usize, progress: Progress<'_>) -> Result<(), Limit> {
        self.cost += 1;
        let (slots, keep, cost) = (self.slots, self.keep, self.cost);
        let (level, is_live) = (&self.level, &self.is_live);
        let mut is_live_next = vec![false; is_live.len()];
        let pieces = Mutex::new(pieces(
            slots,
            keep,
            threads * PIECES_PER_THREAD,
            [&mut self.met, &mut self.next],
            &mut self.costs,
            &mut is_live_next,
        ));
        let (n_met, n_all) = (AtomicU64::new(self.n_met), self.n_all);
        let ask = || progress(n_met.load(Ordering::Relaxed) as f64 / n_all as f64);
        watched(threads, ask, |stop| {
            loop {
                let piece = pieces.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let Some(mut piece) = piece.filter(|_| !stop.is_up()) else { return };
                let n_new = piece.search(slots, level, is_live, keep, cost, stop);
                n_met.fetch_add(n_new, Ordering::Relaxed);
            }
        })?;
        let n_met = n_met.into_inner();
        if n_met == self.n_met {
            // What is left cannot be reached: nothing more will come.
            self.n_all = n_met;
        }
        self.n_met = n_met;
        self.is_live = is_live_next;
        std::mem::swap(&mut self.level, &mut self.next);
        Ok(())
    }
}

/// Neighbouring sets of cells with all that is written for them.
struct Piece<'a> {
    /// The sets, by number.
    sets: std::ops::Range<usize>,
    met: &'a mut [u64],
    next: &'a mut [u64],
    costs: &'a mut [u8],
    is_live: &'a mut [bool],
}

/// All sets in about so many pieces.
fn pieces<'a>(
    slots: &Slots<'_>,
    keep: Keep,
    n_pieces: usize,
    [mut met, mut next]: [&'a mut [u64]; 2],
    mut costs: &'a mut [u8],
    mut is_live: &'a mut [bool],
) -> Vec<Piece<'a>> {
    fn split<'a, T>(rest: &mut &'a mut [T], n: usize) -> &'a mut [T] {
        let (head, tail) = std::mem::take(rest).split_at_mut(n);
        *rest = tail;
        head
    }
    let n_sets = slots.placements.sets.len();
    let size = n_sets.div_ceil(n_pieces);
    let ranges = (0..n_sets).step_by(size).map(|from| from..(from + size).min(n_sets));
    let piece = |sets: std::ops::Range<usize>| {
        let n_slots = (slots.first[sets.end] - slots.first[sets.start]) as usize;
        let n_costs = match keep {
            Keep::Least => sets.len(),
            Keep::Regions => n_slots,
        };
        Piece {
            sets,
            met: split(&mut met, n_slots * slots.n_words()),
            next: split(&mut next, n_slots * slots.n_words()),
            costs: split(&mut costs, n_costs * slots.placements.n_orders()),
            is_live: split(&mut is_live, n_slots),
        }
    };
    ranges.map(piece).collect()
}

impl Piece<'_> {
    /// Pulls what the level before leads to, and returns how much of it is new.
    fn search(
        &mut self,
        slots: &Slots<'_>,
        level: &[u64],
        is_live: &[bool],
        keep: Keep,
        cost: u8,
        stop: &Stop<'_>,
    ) -> u64 {
        let (n_words, n_orders) = (slots.n_words(), slots.placements.n_orders());
        let first = slots.first[self.sets.start] as usize;
        let mut n_new = 0;
        for set_number in self.sets.clone() {
            if stop.is_up() {
                break;
            }
            let set = slots.placements.sets[set_number];
            for slot in slots.first[set_number] as usize..slots.first[set_number + 1] as usize {
                let at = (slot - first) * n_words;
                let next = &mut self.next[at..at + n_words];
                next.fill(0);
                let mut is_touched = false;
                slots.each_neighbor(set, slots.regions[slot], |source, from, to| {
                    if is_live[source] {
                        is_touched = true;
                        let source = &level[source * n_words..][..n_words];
                        match &slots.moved[from][to][..] {
                            [] => pull(next, source),
                            moved => pull_moved(next, source, moved),
                        }
                    }
                });
                if !is_touched {
                    continue;
                }
                let place = match keep {
                    Keep::Least => set_number - self.sets.start,
                    Keep::Regions => slot - first,
                };
                let costs = &mut self.costs[place * n_orders..][..n_orders];
                let met = &mut self.met[at..at + n_words];
                for (word, (next, met)) in next.iter_mut().zip(met).enumerate() {
                    *next &= !*met;
                    *met |= *next;
                    n_new += u64::from(next.count_ones());
                    let mut new = *next;
                    self.is_live[slot - first] |= new != 0;
                    while new != 0 {
                        // Levels come in the order of costs: what is known is not more.
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

fn pull(next: &mut [u64], source: &[u64]) {
    for (next, source) in next.iter_mut().zip(source) {
        *next |= source;
    }
}

fn pull_moved(next: &mut [u64], source: &[u64], moved: &[u16]) {
    for (word, &source) in source.iter().enumerate() {
        let mut bits = source;
        while bits != 0 {
            let to = usize::from(moved[64 * word + bits.trailing_zeros() as usize]);
            next[to / 64] |= 1 << (to % 64);
            bits &= bits - 1;
        }
    }
}
