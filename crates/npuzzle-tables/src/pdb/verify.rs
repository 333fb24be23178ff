//! Checks a table of costs against what every such table must obey.
//!
//! A table that is 0 at the goal alone, changes by at most the cost of a slide along every slide, and
//! gives every other state a neighbour that is cheaper by one, is the table of distances: by the
//! second rule no cost is too large, by the third none is too small. The rules hold for placements
//! with a region of the blank; what is kept of a placement is the least over its regions. So the
//! costs of all regions are built anew, proved by the rules, and what they come to is compared with
//! the table.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::search::Limit;
use npuzzle_core::{Cell, Dims};

use crate::build_context::Progress;
use crate::parallel::watched::{Stop, give_back, watched};
use crate::pdb::build::{self, Keep, Slots, UNKNOWN};
use crate::pdb::cell_sets::CellSets;
use crate::pdb::pattern::Pattern;
use crate::pdb::regions;
use crate::pdb::table::PatternDatabase;

/// How much of the time goes to building; the rest goes to the rules.
const BUILD_SHARE: f64 = 0.7;

/// Sets of cells that a thread checks at once.
const SETS: usize = 16;

/// What is wrong with a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// Where the tiles of the pattern lie.
    pub cells: Vec<u8>,
    /// The rule that is broken there.
    pub rule: &'static str,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "with the tiles on the cells {:?}: {}", self.cells, self.rule)
    }
}

impl std::error::Error for Flaw {}

impl PatternDatabase {
    /// Builds the costs of all regions for a blank that belongs at `blank`, checks the rules, and
    /// compares the table with them. The first flaw if there is one.
    pub fn verify(
        &self,
        blank: Cell,
        threads: usize,
        progress: Progress<'_>,
    ) -> Result<Option<Flaw>, Limit> {
        let proven = PatternDatabase::proven(self.dims, blank, &self.pattern, threads, progress)?;
        let right = match proven {
            Ok(right) => right,
            Err(flaw) => return Ok(Some(flaw)),
        };
        let at = self.costs.iter().zip(&right.costs).position(|(found, right)| found != right);
        Ok(at.map(|at| {
            let n_orders = self.placements.n_orders();
            let rule = "the cost is not the least over the regions of the blank";
            flaw(&self.placements, at / n_orders, at % n_orders, rule)
        }))
    }

    /// The table from costs of all regions that obey the rules; a flaw if they do not.
    pub(crate) fn proven(
        dims: Dims,
        blank: Cell,
        pattern: &Pattern,
        threads: usize,
        progress: Progress<'_>,
    ) -> Result<Result<PatternDatabase, Flaw>, Limit> {
        let (keep, threads) = (Keep::Regions, threads.max(1));
        let placements = CellSets::new(dims.cells(), pattern.tiles().len());
        let building = &mut |done: f64| progress(done * BUILD_SHARE);
        let costs = build::build(dims, blank, pattern, &placements, keep, threads, building)?;
        let slots = Slots::new(dims, &placements, &mut |_| progress(BUILD_SHARE))?;
        let goal = pattern.tiles().iter().fold(0, |set, &tile| set | 1 << tile);
        let goal = (slots.slot(goal, blank.index()), placements.order_number(pattern.tiles()));
        let rules = Rules { slots: &slots, costs: &costs, goal };
        let checked =
            rules.check(threads, &mut |done| progress(BUILD_SHARE + done * (1.0 - BUILD_SHARE)));
        drop(slots);
        let n_bytes = costs.len();
        give_back(costs, n_bytes);
        Ok(checked?.map(|costs| PatternDatabase {
            pattern: pattern.clone(),
            dims,
            placements,
            costs,
        }))
    }
}

fn flaw(placements: &CellSets, set_number: usize, order: usize, rule: &'static str) -> Flaw {
    let mut cells = vec![0; placements.n_tiles()];
    let set = regions::cells(placements.sets[set_number]);
    for (tile, cell) in placements.order(order).into_iter().zip(set) {
        cells[usize::from(tile)] = cell as u8;
    }
    Flaw { cells, rule }
}

/// Costs of all regions, to be checked.
struct Rules<'a> {
    slots: &'a Slots<'a>,
    costs: &'a [u8],
    /// Slot and order.
    goal: (usize, usize),
}

impl Rules<'_> {
    /// The least costs over the regions, or what is wrong.
    fn check(
        &self,
        threads: usize,
        progress: Progress<'_>,
    ) -> Result<Result<Vec<u8>, Flaw>, Limit> {
        let placements = self.slots.placements;
        let (n_sets, n_orders) = (placements.n_sets(), placements.n_orders());
        let mut least = vec![0; n_sets * n_orders];
        let parts = least.chunks_mut(SETS * n_orders).enumerate();
        let parts = Mutex::new(parts.collect::<Vec<_>>());
        let n_done = AtomicUsize::new(0);
        let flaws = Mutex::new(Vec::new());
        let ask = || progress((n_done.load(Ordering::Relaxed) as f64 / n_sets as f64).min(1.0));
        watched(threads, ask, |stop| {
            loop {
                let part = parts.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let Some((part, least)) = part.filter(|_| !stop.is_up()) else { return };
                let sets = part * SETS..(part * SETS + SETS).min(n_sets);
                if let Some(found) = self.check_sets(sets, least, stop) {
                    flaws.lock().unwrap_or_else(PoisonError::into_inner).push(found);
                }
                n_done.fetch_add(SETS, Ordering::Relaxed);
            }
        })?;
        let flaws = flaws.into_inner().unwrap_or_else(PoisonError::into_inner);
        let first = flaws.into_iter().min_by_key(|&(set_number, order, _)| (set_number, order));
        Ok(match first {
            Some((set_number, order, rule)) => Err(flaw(placements, set_number, order, rule)),
            None => Ok(least),
        })
    }

    /// Fills in the least costs of some sets; the first set and order with a flaw, and which.
    fn check_sets(
        &self,
        sets: Range<usize>,
        least: &mut [u8],
        stop: &Stop<'_>,
    ) -> Option<(usize, usize, &'static str)> {
        let (slots, n_orders) = (self.slots, self.slots.placements.n_orders());
        let mut flaw = None;
        for (set_number, least) in sets.zip(least.chunks_mut(n_orders)) {
            if flaw.is_some() || stop.is_up() {
                break;
            }
            least.fill(UNKNOWN);
            let set = slots.placements.sets[set_number];
            for slot in slots.first[set_number] as usize..slots.first[set_number + 1] as usize {
                let mut neighbors = Vec::new();
                slots.each_neighbor(set, slots.regions[slot], |next, from, to| {
                    neighbors.push((&self.costs[next * n_orders..][..n_orders], from, to));
                });
                let costs = &self.costs[slot * n_orders..][..n_orders];
                for (order, (&here, least)) in costs.iter().zip(&mut *least).enumerate() {
                    *least = here.min(*least);
                    let (mut is_steep, mut is_lowest) = (false, true);
                    for &(costs, from, to) in &neighbors {
                        let there = costs[slots.order_before(order, from, to)];
                        is_steep |= here.abs_diff(there) > 1;
                        is_lowest &= there >= here;
                    }
                    let rule = if (here == 0) != ((slot, order) == self.goal) {
                        "the cost is 0 at the goal and nowhere else"
                    } else if is_steep {
                        "a slide changes the cost by one at most"
                    } else if is_lowest && here != 0 && here != UNKNOWN {
                        "a slide leads to a smaller cost"
                    } else {
                        continue;
                    };
                    flaw = flaw.or(Some((set_number, order, rule)));
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

    /// Every rule is broken by some change, wherever that is.
    #[test]
    fn costs_that_are_changed_break_a_rule() {
        let go_on = &mut |_| ControlFlow::Continue(());
        let (dims, blank) = (Dims::new(3, 3).unwrap(), Cell::new(4));
        let pattern = Pattern::new(9, &[8, 0, 2]).unwrap();
        let placements = CellSets::new(9, 3);
        let keep = Keep::Regions;
        let good = build::build(dims, blank, &pattern, &placements, keep, 1, go_on).unwrap();
        let slots = Slots::new(dims, &placements, go_on).unwrap();
        let set = pattern.tiles().iter().fold(0, |set, &tile| set | 1 << tile);
        let goal = (slots.slot(set, 4), placements.order_number(pattern.tiles()));
        let check = |costs: &[u8]| {
            let rules = Rules { slots: &slots, costs, goal };
            rules.check(2, &mut |_| ControlFlow::Continue(())).unwrap().err()
        };
        assert_eq!(check(&good), None);
        let more: Vec<u8> = good.iter().map(|cost| cost + 1).collect();
        let mut rules = std::collections::HashSet::from([check(&more).unwrap().rule]);
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
