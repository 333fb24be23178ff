//! Proves that a table contains the right costs.
//!
//! Three rules are necessary and sufficient for a table of distances in a graph with reversible moves:
//!
//! 1. The cost is 0 at the goal and nowhere else.
//! 2. A slide changes the cost by at most one. So no cost is too large.
//! 3. Every other state has a neighbor with a smaller cost. So no cost is too small.
//!
//! The rules hold for pairs of a placement and a region of the blank. A pattern database stores only
//! the minimum over the regions. So the costs of all regions are built again and checked by the rules,
//! and their minima are compared with the table.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::search::Limit;
use npuzzle_core::{Cell, Dims};

use crate::bits::ones;
use crate::build_context::Progress;
use crate::parallel::{StopFlag, drop_in_background, for_each_job};
use crate::pdb::build::{self, Keep, Slots, UNKNOWN};
use crate::pdb::cell_sets::CellSets;
use crate::pdb::pattern::Pattern;
use crate::pdb::slot_index::SlotIndex;
use crate::pdb::table::PatternDatabase;

/// The share of the time that building takes; the rest is for the rules.
const BUILD_SHARE: f64 = 0.7;

/// The number of cell sets in a job.
const SETS_PER_JOB: usize = 16;

/// An error in a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The cells of the pattern's tiles.
    pub cells: Vec<u8>,
    /// The rule that is violated there.
    pub rule: &'static str,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "with the tiles on the cells {:?}: {}", self.cells, self.rule)
    }
}

impl std::error::Error for Flaw {}

impl PatternDatabase {
    /// Verifies the table. `blank` is the blank's goal cell. Returns the first flaw.
    pub fn verify(
        &self,
        blank: Cell,
        threads: usize,
        progress: Progress<'_>,
    ) -> Result<Option<Flaw>, Limit> {
        let proven = PatternDatabase::proven(self.dims, blank, &self.pattern, threads, progress)?;
        let expected = match proven {
            Ok(expected) => expected,
            Err(flaw) => return Ok(Some(flaw)),
        };
        let at = self.costs.iter().zip(&expected.costs).position(|(found, right)| found != right);
        Ok(at.map(|at| {
            let n_perms = self.cell_sets.n_perms();
            let rule = "the cost is the minimum over the regions of the blank";
            flaw(&self.cell_sets, at / n_perms, at % n_perms, rule)
        }))
    }

    /// Builds a table and proves it by the rules. Returns a flaw if the rules do not hold.
    pub(crate) fn proven(
        dims: Dims,
        blank: Cell,
        pattern: &Pattern,
        threads: usize,
        progress: Progress<'_>,
    ) -> Result<Result<PatternDatabase, Flaw>, Limit> {
        let proven = ProvenCosts::build(dims, blank, pattern, threads, progress)?;
        Ok(proven.map(|proven| proven.into_table(dims, pattern)))
    }
}

/// The costs of a pattern, proved by the rules.
pub(crate) struct ProvenCosts {
    index: SlotIndex,
    /// By slot, then by permutation.
    each_region: Vec<u8>,
    /// By cell set, then by permutation.
    minimum: Vec<u8>,
}

impl ProvenCosts {
    /// Builds the costs of all regions and checks them. Returns a flaw if the rules do not hold.
    pub(crate) fn build(
        dims: Dims,
        blank: Cell,
        pattern: &Pattern,
        threads: usize,
        progress: Progress<'_>,
    ) -> Result<Result<ProvenCosts, Flaw>, Limit> {
        let (keep, threads) = (Keep::EachRegion, threads.max(1));
        let building = &mut |done: f64| progress(done * BUILD_SHARE);
        let index = SlotIndex::new(dims, pattern.tiles().len(), building)?;
        let each_region = build::build(blank, pattern, &index, keep, threads, building)?;
        let slots = Slots::new(&index, &mut |_| progress(BUILD_SHARE))?;
        let rules = Rules::new(&slots, &each_region, blank, pattern);
        let checked =
            rules.check(threads, &mut |done| progress(BUILD_SHARE + done * (1.0 - BUILD_SHARE)))?;
        Ok(checked.map(|minimum| ProvenCosts { index, each_region, minimum }))
    }

    /// The table of the minimum over the regions.
    pub(crate) fn into_table(self, dims: Dims, pattern: &Pattern) -> PatternDatabase {
        let ProvenCosts { index, each_region, minimum } = self;
        let n_bytes = each_region.len();
        drop_in_background(each_region, n_bytes);
        let (pattern, cell_sets) = (pattern.clone(), index.cell_sets);
        PatternDatabase { pattern, dims, cell_sets, costs: minimum }
    }

    /// The bytes of the zero-aware table with these costs.
    pub(crate) fn zero_aware(&self) -> Vec<u8> {
        let (n_slots, n_perms) = (self.index.n_slots(), self.index.n_perms());
        let row_bytes = n_slots.div_ceil(8);
        let mut bytes = vec![0; n_perms * row_bytes];
        for (column, &slot) in self.index.slots_by_column().iter().enumerate() {
            let costs = &self.each_region[slot as usize * n_perms..][..n_perms];
            for (perm, cost) in costs.iter().enumerate() {
                // States that cannot be reached have no cost.
                let bit = if *cost == UNKNOWN { 0 } else { cost >> 1 & 1 };
                bytes[perm * row_bytes + column / 8] |= bit << (column % 8);
            }
        }
        bytes
    }

    /// The cells of the tiles of the first state of a byte of the zero-aware table.
    pub(crate) fn cells_of_byte(&self, byte: usize) -> Vec<u8> {
        let row_bytes = self.index.n_slots().div_ceil(8);
        let (perm, column) = (byte / row_bytes, byte % row_bytes * 8);
        let cell_sets = &self.index.cell_sets;
        let slot = self.index.slots_by_column().get(column).map_or(0, |&slot| slot as usize);
        let is_after = |&set: &usize| self.index.slots_of(0..set + 1).end > slot;
        let set_number = (0..cell_sets.n_sets()).find(is_after).unwrap_or(0);
        flaw(cell_sets, set_number, perm, "").cells
    }
}

fn flaw(cell_sets: &CellSets, set_number: usize, perm: usize, rule: &'static str) -> Flaw {
    let mut cells = vec![0; cell_sets.n_tiles()];
    for (tile, cell) in cell_sets.tiles(perm).into_iter().zip(ones(cell_sets.sets[set_number])) {
        cells[usize::from(tile)] = cell as u8;
    }
    Flaw { cells, rule }
}

/// The costs of all regions, to be checked by the rules.
struct Rules<'a> {
    slots: &'a Slots<'a>,
    costs: &'a [u8],
    /// The slot and the permutation of the goal.
    goal: (usize, usize),
}

impl<'a> Rules<'a> {
    fn new(slots: &'a Slots<'a>, costs: &'a [u8], blank: Cell, pattern: &Pattern) -> Rules<'a> {
        let slot = slots.index.slot(pattern.goal_cells(), blank.index());
        Rules { slots, costs, goal: (slot, slots.index.cell_sets.perm_number(pattern.tiles())) }
    }

    /// Returns the minimum costs over the regions, or the first flaw.
    fn check(
        &self,
        threads: usize,
        progress: Progress<'_>,
    ) -> Result<Result<Vec<u8>, Flaw>, Limit> {
        let cell_sets = &self.slots.index.cell_sets;
        let (n_sets, n_perms) = (cell_sets.n_sets(), cell_sets.n_perms());
        let mut minimum = vec![0; n_sets * n_perms];
        let n_done = AtomicUsize::new(0);
        let flaws = Mutex::new(Vec::new());
        let poll = || progress((n_done.load(Ordering::Relaxed) as f64 / n_sets as f64).min(1.0));
        let jobs = minimum.chunks_mut(SETS_PER_JOB * n_perms).enumerate();
        for_each_job(threads, jobs, poll, |(number, minimum), stop| {
            let first = number * SETS_PER_JOB;
            let sets = first..(first + SETS_PER_JOB).min(n_sets);
            if let Some(found) = self.check_sets(sets, minimum, stop) {
                flaws.lock().unwrap_or_else(PoisonError::into_inner).push(found);
            }
            n_done.fetch_add(SETS_PER_JOB, Ordering::Relaxed);
        })?;
        let flaws = flaws.into_inner().unwrap_or_else(PoisonError::into_inner);
        let first = flaws.into_iter().min_by_key(|&(set_number, perm, _)| (set_number, perm));
        Ok(match first {
            Some((set_number, perm, rule)) => Err(flaw(cell_sets, set_number, perm, rule)),
            None => Ok(minimum),
        })
    }

    /// Fills in the minimum costs of some sets. Returns the first flaw: the set, the permutation and
    /// the rule.
    fn check_sets(
        &self,
        sets: Range<usize>,
        minimum: &mut [u8],
        stop: &StopFlag<'_>,
    ) -> Option<(usize, usize, &'static str)> {
        let (slots, n_perms) = (self.slots, self.slots.index.cell_sets.n_perms());
        let mut flaw = None;
        for (set_number, minimum) in sets.zip(minimum.chunks_mut(n_perms)) {
            if flaw.is_some() || stop.is_set() {
                break;
            }
            minimum.fill(UNKNOWN);
            let set = slots.index.cell_sets.sets[set_number];
            for slot in slots.of_set(set_number) {
                let mut neighbors = Vec::new();
                slots.each_neighbor(set, slot, |next, from, to| {
                    neighbors.push((&self.costs[next * n_perms..][..n_perms], from, to));
                });
                let costs = &self.costs[slot * n_perms..][..n_perms];
                for (perm, (&here, minimum)) in costs.iter().zip(&mut *minimum).enumerate() {
                    *minimum = here.min(*minimum);
                    let (mut is_steep, mut is_lowest) = (false, true);
                    for &(costs, from, to) in &neighbors {
                        let there = costs[slots.perm_before(perm, from, to)];
                        is_steep |= here.abs_diff(there) > 1;
                        is_lowest &= there >= here;
                    }
                    let rule = if (here == 0) != ((slot, perm) == self.goal) {
                        "the cost is 0 at the goal and nowhere else"
                    } else if is_steep {
                        "a slide changes the cost by at most one"
                    } else if is_lowest && here != 0 && here != UNKNOWN {
                        "a slide leads to a smaller cost"
                    } else {
                        continue;
                    };
                    flaw = flaw.or(Some((set_number, perm, rule)));
                }
            }
        }
        flaw
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    #[test]
    fn any_changed_cost_violates_a_rule() {
        let proceed = &mut |_| ControlFlow::Continue(());
        let (dims, blank) = (Dims::new(3, 3).unwrap(), Cell::new(4));
        let pattern = Pattern::new(9, &[8, 0, 2]).unwrap();
        let index = SlotIndex::new(dims, 3, proceed).unwrap();
        let keep = Keep::EachRegion;
        let good = build::build(blank, &pattern, &index, keep, 1, proceed).unwrap();
        let slots = Slots::new(&index, proceed).unwrap();
        let check = |costs: &[u8]| {
            let rules = Rules::new(&slots, costs, blank, &pattern);
            rules.check(2, &mut |_| ControlFlow::Continue(())).unwrap().err()
        };
        assert_eq!(check(&good), None);
        let larger: Vec<u8> = good.iter().map(|cost| cost + 1).collect();
        let mut rules = std::collections::HashSet::from([check(&larger).unwrap().rule]);
        for at in (0..good.len()).step_by(3) {
            for change in [1, 2, 255] {
                let mut costs = good.clone();
                costs[at] = costs[at].wrapping_add(change);
                rules.insert(check(&costs).unwrap().rule);
            }
        }
        assert_eq!(rules.len(), 3, "{rules:?}");
    }
}
