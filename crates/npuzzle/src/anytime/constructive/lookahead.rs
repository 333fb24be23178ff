//! Ways of the blank that are a little longer than they must be and bring other tiles nearer.
//!
//! What a slide gains now need not be done later, at several slides each. So a slide that brings its
//! tile nearer costs less than one that does not, and the cheapest way is taken (A*, with a list for
//! each f, from the end of the way), among cells that are not far off the straight way. Solutions of
//! large boards get by a quarter shorter, and take several times as long to find.

use super::line::step;
use crate::anytime::working_board::WorkingBoard;

/// What slides cost.
const NEARER: usize = 1;
const FURTHER: usize = 4;

/// By no slide f grows by so much: what it costs, and a step away from the beginning of the way.
const N_LISTS: usize = FURTHER + NEARER + 1;

/// Ways to cells that are twice as far or more are searched for leg by leg.
const LEG: usize = 16;

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
    /// Cells to look at, by f.
    lists: [Vec<u16>; N_LISTS],
}

impl Helpful {
    pub(super) fn new(field: &WorkingBoard) -> Helpful {
        let n_cells = field.n_cells();
        Helpful {
            costs: vec![UNSEEN; n_cells],
            next: vec![0; n_cells],
            seen: Vec::new(),
            lists: Default::default(),
        }
    }

    /// Moves the blank to a cell around those that are taken, leg by leg; `false` if there is no way
    /// nearby from where it has got to.
    pub(super) fn walk(&mut self, field: &mut WorkingBoard, to: usize, is_taken: &[bool]) -> bool {
        loop {
            let between = between(field, to).filter(|&cell| !is_taken[cell]);
            if between.is_none_or(|cell| !self.walk_leg(field, cell, is_taken)) {
                return self.walk_leg(field, to, is_taken);
            }
        }
    }

    fn walk_leg(&mut self, field: &mut WorkingBoard, to: usize, is_taken: &[bool]) -> bool {
        let is_found = self.search(field, to, is_taken);
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

    /// Finds the cheapest way from its end; whether there is one.
    fn search(&mut self, field: &WorkingBoard, to: usize, is_taken: &[bool]) -> bool {
        let (blank, cols) = (field.blank(), field.cols());
        let near = Near::new(field, to);
        let mut f = near.estimate(field.row(to), field.col(to));
        self.open(to, to, 0, f);
        while self.lists.iter().any(|list| !list.is_empty()) {
            while let Some(cell) = self.lists[f % N_LISTS].pop() {
                let cell = usize::from(cell);
                let (row, col) = (field.row(cell), field.col(cell));
                let cost = usize::from(self.costs[cell]);
                if cost + near.estimate(row, col) != f {
                    continue;
                }
                if cell == blank {
                    return true;
                }
                // The blank comes from there, and the tile goes there.
                let mut look = |from: usize, row: usize, col: usize, is_nearer: bool| {
                    if !is_taken[from] && near.has(row, col) {
                        let cost = cost + if is_nearer { NEARER } else { FURTHER };
                        self.open(from, cell, cost, cost + near.estimate(row, col));
                    }
                };
                let home = field.label(cell);
                let (home_row, home_col) = (field.row(home), field.col(home));
                if row > 0 {
                    look(cell - cols, row - 1, col, home_row < row);
                }
                if row + 1 < field.rows() {
                    look(cell + cols, row + 1, col, home_row > row);
                }
                if col > 0 {
                    look(cell - 1, row, col - 1, home_col < col);
                }
                if col + 1 < cols {
                    look(cell + 1, row, col + 1, home_col > col);
                }
            }
            f += 1;
        }
        false
    }

    /// Takes note of a way from a cell, if it is the cheapest so far.
    #[inline]
    fn open(&mut self, cell: usize, next: usize, cost: usize, f: usize) {
        if cost >= usize::from(self.costs[cell]) {
            return;
        }
        if self.costs[cell] == UNSEEN {
            self.seen.push(cell as u16);
        }
        self.costs[cell] = cost as u16;
        self.next[cell] = next as u16;
        self.lists[f % N_LISTS].push(cell as u16);
    }
}

/// A cell on the straight way to another, a leg away; nothing if that is not far.
fn between(field: &WorkingBoard, to: usize) -> Option<usize> {
    let blank = field.blank();
    let length = field.distance(blank, to);
    if length < 2 * LEG {
        return None;
    }
    let part = |from: usize, to: usize| {
        let steps = (to as isize - from as isize) * LEG as isize / length as isize;
        from.wrapping_add_signed(steps)
    };
    let (row, col) = (part(field.row(blank), field.row(to)), part(field.col(blank), field.col(to)));
    Some(row * field.cols() + col)
}

/// Where ways lead: the rectangle between their ends, and a little around.
struct Near {
    rows: (usize, usize),
    cols: (usize, usize),
    /// Where the way begins.
    begin: (usize, usize),
}

impl Near {
    fn new(field: &WorkingBoard, to: usize) -> Near {
        let begin = (field.row(field.blank()), field.col(field.blank()));
        let (row, col) = (field.row(to), field.col(to));
        Near {
            rows: (begin.0.min(row), begin.0.max(row)),
            cols: (begin.1.min(col), begin.1.max(col)),
            begin,
        }
    }

    #[inline]
    fn has(&self, row: usize, col: usize) -> bool {
        let off = |at: usize, (first, last): (usize, usize)| {
            first.saturating_sub(at) + at.saturating_sub(last)
        };
        off(row, self.rows) + off(col, self.cols) <= MARGIN
    }

    /// What the way from its beginning to a cell costs at least.
    #[inline]
    fn estimate(&self, row: usize, col: usize) -> usize {
        NEARER * (row.abs_diff(self.begin.0) + col.abs_diff(self.begin.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::{Goal, Instance};
    use npuzzle_testkit::{dims, random::Random};

    /// What ways from each cell cost, by and by until nothing gets cheaper.
    fn plain_costs(field: &WorkingBoard, to: usize, is_taken: &[bool]) -> Vec<Option<usize>> {
        let near = Near::new(field, to);
        let mut costs = vec![None; field.n_cells()];
        costs[to] = Some(0);
        for _ in 0..field.n_cells() {
            for cell in 0..field.n_cells() {
                for (before, _) in field.beside(cell) {
                    let home = field.label(cell);
                    let is_nearer = field.distance(home, before) < field.distance(home, cell);
                    let more = if is_nearer { NEARER } else { FURTHER };
                    let is_free =
                        !is_taken[before] && near.has(field.row(before), field.col(before));
                    if let Some(cost) = costs[cell].filter(|_| is_free)
                        && costs[before].is_none_or(|known| cost + more < known)
                    {
                        costs[before] = Some(cost + more);
                    }
                }
            }
        }
        costs
    }

    #[test]
    fn no_way_nearby_is_cheaper() {
        let mut random = Random::new(11);
        let goal = Goal::Snail.board(dims("7x8")).unwrap();
        let mut n_found = 0;
        for _ in 0..200 {
            let start = random.walk(&goal, 500);
            let instance = Instance::new(start, &Goal::Board(goal.clone())).unwrap();
            let mut field = WorkingBoard::new(&instance);
            let to = random.below(field.n_cells());
            let mut is_taken: Vec<bool> =
                (0..field.n_cells()).map(|_| random.below(4) == 0).collect();
            is_taken[to] = false;
            is_taken[field.blank()] = false;
            let expect = plain_costs(&field, to, &is_taken)[field.blank()];
            let mut helpful = Helpful::new(&field);
            assert_eq!(helpful.search(&field, to, &is_taken), expect.is_some());
            let found = usize::from(helpful.costs[field.blank()]);
            assert!(expect.is_none_or(|expect| found == expect), "{found} of {expect:?}");
            let mut helpful = Helpful::new(&field);
            let is_there = helpful.walk(&mut field, to, &is_taken);
            assert_eq!((is_there, is_there && field.blank() != to), (expect.is_some(), false));
            n_found += usize::from(is_there);
        }
        assert!(n_found > 50, "{n_found}");
    }
}
