//! Checks a table of costs against what every such table must obey.
//!
//! A table that is 0 at the goal alone, changes by at most the cost of a slide along every slide, and
//! gives every other state a neighbour that is cheaper by one, is the table of distances: by the
//! second rule no cost is too large, by the third none is too small. The rules hold for placements
//! with a region of the blank; what is kept of a placement is the least over its regions.

use std::fmt;

use npuzzle_core::Cell;
use npuzzle_core::search::Limit;

use crate::build::{self, Keep, Progress, Slots, UNKNOWN};
use crate::table::PatternTable;

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

impl PatternTable {
    /// Builds the costs of all regions for a blank that belongs at `blank`, checks the rules, and
    /// compares the table with them. The first flaw if there is one.
    pub fn verify(
        &self,
        blank: Cell,
        threads: usize,
        progress: Progress<'_>,
    ) -> Result<Option<Flaw>, Limit> {
        let keep = Keep::Regions;
        let (pattern, placements) = (self.pattern(), self.placements());
        let threads = threads.max(1);
        let costs = build::build(self.dims(), blank, pattern, placements, keep, threads, progress)?;
        let slots = Slots::new(self.dims(), placements, progress)?;
        let goal = pattern.tiles().iter().fold(0, |set, &tile| set | 1 << tile);
        let goal = (slots.slot(goal, blank.index()), placements.order_number(pattern.tiles()));
        let n_orders = placements.n_orders();
        for (set_number, &set) in placements.sets.iter().enumerate() {
            let range = slots.first[set_number] as usize..slots.first[set_number + 1] as usize;
            for order in 0..n_orders {
                let cost = |slot: usize, order: usize| costs[slot * n_orders + order];
                let flaw = |rule| {
                    let placed = (placements.order(order).into_iter()).zip(crate::grid::cells(set));
                    let mut cells = vec![0; pattern.tiles().len()];
                    placed.for_each(|(tile, cell)| cells[usize::from(tile)] = cell as u8);
                    Ok(Some(Flaw { cells, rule }))
                };
                let least = range.clone().map(|slot| cost(slot, order)).min().unwrap_or(UNKNOWN);
                if self.cost_at(set_number, order) != least {
                    return flaw("the cost is not the least over the regions of the blank");
                }
                for slot in range.clone() {
                    let here = cost(slot, order);
                    if (here == 0) != ((slot, order) == goal) {
                        return flaw("the cost is 0 at the goal and nowhere else");
                    }
                    let (mut is_steep, mut is_lowest) = (false, true);
                    slots.each_neighbor(set, slots.regions[slot], |next, from, to| {
                        let there = cost(next, slots.order_before(order, from, to));
                        is_steep |= here.abs_diff(there) > 1;
                        is_lowest &= there >= here;
                    });
                    if is_steep {
                        return flaw("a slide changes the cost by one at most");
                    }
                    if is_lowest && here != 0 && here != UNKNOWN {
                        return flaw("a slide leads to a smaller cost");
                    }
                }
            }
        }
        Ok(None)
    }
}
