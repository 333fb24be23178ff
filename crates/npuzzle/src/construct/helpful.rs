//! Ways of the blank that are a little longer than they must be and bring other tiles nearer.
//!
//! What a slide gains now need not be done later, at several slides each. So a slide that brings its
//! tile nearer costs less than one that does not, and the cheapest way is taken (Dijkstra, with a list
//! for each cost), among cells that are not far off the straight way. Solutions of large boards get by a
//! quarter shorter, and take ten times as long to find.

use super::line::step;
use crate::field::Field;

/// What slides cost.
const NEARER: usize = 1;
const FURTHER: usize = 4;

/// More than any slide costs.
const N_LISTS: usize = 5;

/// How many slides a way leads off the straight one at most.
const MARGIN: usize = 2;

const UNSEEN: u16 = u16::MAX;

/// What a search keeps.
pub(super) struct Helpful {
    /// From a cell to the end of the way, by cell.
    costs: Vec<u16>,
    /// The next cell on it.
    next: Vec<u16>,
    /// The cells whose costs are known.
    seen: Vec<u16>,
    /// Cells to look at, by cost.
    lists: [Vec<u16>; N_LISTS],
}

impl Helpful {
    pub(super) fn new(field: &Field) -> Helpful {
        let n_cells = field.n_cells();
        Helpful {
            costs: vec![UNSEEN; n_cells],
            next: vec![0; n_cells],
            seen: Vec::new(),
            lists: Default::default(),
        }
    }

    /// Moves the blank to a cell over those that are free; `false`, and nothing is moved, if there is no
    /// way nearby.
    pub(super) fn walk(
        &mut self,
        field: &mut Field,
        to: usize,
        is_free: impl Fn(usize) -> bool,
    ) -> bool {
        self.search(field, to, is_free);
        let is_found = self.costs[field.blank()] != UNSEEN;
        while is_found && field.blank() != to {
            let next = usize::from(self.next[field.blank()]);
            let Some((next, slide)) = step(field, next) else {
                unreachable!("cells on a way are neighbours")
            };
            field.slide(next, slide);
        }
        self.seen.iter().for_each(|&cell| self.costs[usize::from(cell)] = UNSEEN);
        self.seen.clear();
        self.lists.iter_mut().for_each(Vec::clear);
        is_found
    }

    /// Finds the cheapest way from its end.
    fn search(&mut self, field: &Field, to: usize, is_free: impl Fn(usize) -> bool) {
        let blank = field.blank();
        let reach = field.distance(blank, to) + 2 * MARGIN;
        let is_near = |cell| field.distance(cell, to) + field.distance(cell, blank) <= reach;
        self.open(to, to, 0);
        let mut cost = 0;
        // A way over all cells costs no more.
        while cost <= FURTHER * field.n_cells() && self.lists.iter().any(|list| !list.is_empty()) {
            while let Some(cell) = self.lists[cost % N_LISTS].pop() {
                let cell = usize::from(cell);
                if usize::from(self.costs[cell]) != cost {
                    continue;
                }
                if cell == blank {
                    return;
                }
                let home = field.label(cell);
                for (before, _) in field.beside(cell) {
                    if is_free(before) && is_near(before) {
                        let is_nearer = field.distance(home, before) < field.distance(home, cell);
                        let more = if is_nearer { NEARER } else { FURTHER };
                        self.open(before, cell, cost + more);
                    }
                }
            }
            cost += 1;
        }
    }

    /// Takes note of a way from a cell, if it is the cheapest so far.
    fn open(&mut self, cell: usize, next: usize, cost: usize) {
        if cost >= usize::from(self.costs[cell]) {
            return;
        }
        if self.costs[cell] == UNSEEN {
            self.seen.push(cell as u16);
        }
        self.costs[cell] = cost as u16;
        self.next[cell] = next as u16;
        self.lists[cost % N_LISTS].push(cell as u16);
    }
}
