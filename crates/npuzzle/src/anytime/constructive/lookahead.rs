//! Routes of the blank that accept a detour if it brings other tiles closer to their goal cells.
//!
//! A slide that brings its tile closer saves several slides later. So such a slide costs
//! [`CLOSER_COST`], any other slide [`FARTHER_COST`], and the blank takes the cheapest route. The
//! search is A* from the target to the blank with a bucket queue (one list per value of f), restricted
//! to cells at most [`MARGIN`] steps outside of the rectangle between the two. Long routes are searched
//! leg by leg, so a route costs time proportional to its length.
//!
//! Measured gain: solutions of large boards are a quarter shorter and take several times as long to
//! find.

use crate::anytime::working_board::WorkingBoard;

/// The cost of a slide that brings its tile closer to its goal cell, and of any other slide.
const CLOSER_COST: usize = 1;
const FARTHER_COST: usize = 4;

/// The number of buckets. It exceeds the largest increase of f in one step: the cost of the slide plus
/// the cost of one step away from the blank.
const N_BUCKETS: usize = FARTHER_COST + CLOSER_COST + 1;

/// The length of a leg. Routes of at least twice this length are split.
const LEG: usize = 16;

/// How far a route may leave the rectangle between its ends.
const MARGIN: usize = 2;

const UNREACHED: u16 = u16::MAX;

/// The router, with the scratch space of its search.
pub(super) struct LookaheadRouter {
    /// By cell: the cost of the route from the cell to the target.
    costs: Vec<u16>,
    /// By cell: the next cell of that route.
    next: Vec<u16>,
    /// The cells with a known cost.
    reached: Vec<u16>,
    /// The open list, by f modulo the number of buckets.
    buckets: [Vec<u16>; N_BUCKETS],
}

impl LookaheadRouter {
    pub(super) fn new(board: &WorkingBoard) -> LookaheadRouter {
        let n_cells = board.n_cells();
        LookaheadRouter {
            costs: vec![UNREACHED; n_cells],
            next: vec![0; n_cells],
            reached: Vec::new(),
            buckets: Default::default(),
        }
    }

    /// Moves the blank to a cell around the fixed ones, leg by leg. Returns `false` if no route is left
    /// within the margin; the blank may have moved by then.
    pub(super) fn move_blank(
        &mut self,
        board: &mut WorkingBoard,
        to: usize,
        is_fixed: &[bool],
    ) -> bool {
        loop {
            let leg_end = leg_end(board, to).filter(|&cell| !is_fixed[cell]);
            if leg_end.is_none_or(|cell| !self.move_one_leg(board, cell, is_fixed)) {
                return self.move_one_leg(board, to, is_fixed);
            }
        }
    }

    fn move_one_leg(&mut self, board: &mut WorkingBoard, to: usize, is_fixed: &[bool]) -> bool {
        let is_found = self.search(board, to, is_fixed);
        while is_found && board.blank() != to {
            let next = usize::from(self.next[board.blank()]);
            if !board.step_to(next) {
                unreachable!("consecutive cells of a route are neighbors")
            }
        }
        self.reached.iter().for_each(|&cell| self.costs[usize::from(cell)] = UNREACHED);
        self.reached.clear();
        self.buckets.iter_mut().for_each(Vec::clear);
        is_found
    }

    /// Finds the cheapest route by A* from its end; `false` if there is none within the margin.
    fn search(&mut self, board: &WorkingBoard, to: usize, is_fixed: &[bool]) -> bool {
        let (blank, cols) = (board.blank(), board.cols());
        let corridor = Corridor::new(board, to);
        let mut f = corridor.estimate(board.row(to), board.col(to));
        self.open(to, to, 0, f);
        while self.buckets.iter().any(|bucket| !bucket.is_empty()) {
            while let Some(cell) = self.buckets[f % N_BUCKETS].pop() {
                let cell = usize::from(cell);
                let (row, col) = (board.row(cell), board.col(cell));
                let cost = usize::from(self.costs[cell]);
                // An entry is stale if a cheaper route to the cell was found later.
                if cost + corridor.estimate(row, col) != f {
                    continue;
                }
                if cell == blank {
                    return true;
                }
                // The blank comes from `from`, and the tile in `cell` moves there.
                let mut relax = |from: usize, row: usize, col: usize, is_closer: bool| {
                    if !is_fixed[from] && corridor.contains(row, col) {
                        let cost = cost + if is_closer { CLOSER_COST } else { FARTHER_COST };
                        self.open(from, cell, cost, cost + corridor.estimate(row, col));
                    }
                };
                let goal = board.label(cell);
                let (goal_row, goal_col) = (board.row(goal), board.col(goal));
                if row > 0 {
                    relax(cell - cols, row - 1, col, goal_row < row);
                }
                if row + 1 < board.rows() {
                    relax(cell + cols, row + 1, col, goal_row > row);
                }
                if col > 0 {
                    relax(cell - 1, row, col - 1, goal_col < col);
                }
                if col + 1 < cols {
                    relax(cell + 1, row, col + 1, goal_col > col);
                }
            }
            f += 1;
        }
        false
    }

    /// Records a route from a cell if it is the cheapest so far.
    #[inline]
    fn open(&mut self, cell: usize, next: usize, cost: usize, f: usize) {
        if cost >= usize::from(self.costs[cell]) {
            return;
        }
        if self.costs[cell] == UNREACHED {
            self.reached.push(cell as u16);
        }
        self.costs[cell] = cost as u16;
        self.next[cell] = next as u16;
        self.buckets[f % N_BUCKETS].push(cell as u16);
    }
}

/// A cell one leg away on the straight line from the blank to a target; `None` if the target is less
/// than two legs away.
fn leg_end(board: &WorkingBoard, to: usize) -> Option<usize> {
    let blank = board.blank();
    let length = board.distance(blank, to);
    if length < 2 * LEG {
        return None;
    }
    let interpolate = |from: usize, to: usize| {
        let steps = (to as isize - from as isize) * LEG as isize / length as isize;
        from.wrapping_add_signed(steps)
    };
    let row = interpolate(board.row(blank), board.row(to));
    let col = interpolate(board.col(blank), board.col(to));
    Some(row * board.cols() + col)
}

/// The cells that a route may visit: the rectangle between its ends, and a margin around it.
struct Corridor {
    /// The first and the last row, then column, of the rectangle.
    rows: (usize, usize),
    cols: (usize, usize),
    /// Row and column of the blank, where the route begins.
    begin: (usize, usize),
}

impl Corridor {
    fn new(board: &WorkingBoard, to: usize) -> Corridor {
        let begin = (board.row(board.blank()), board.col(board.blank()));
        let (row, col) = (board.row(to), board.col(to));
        Corridor {
            rows: (begin.0.min(row), begin.0.max(row)),
            cols: (begin.1.min(col), begin.1.max(col)),
            begin,
        }
    }

    #[inline]
    fn contains(&self, row: usize, col: usize) -> bool {
        let distance = |at: usize, (first, last): (usize, usize)| {
            first.saturating_sub(at) + at.saturating_sub(last)
        };
        distance(row, self.rows) + distance(col, self.cols) <= MARGIN
    }

    /// The heuristic of A*: a lower bound on the cost of the route from the blank to a cell.
    #[inline]
    fn estimate(&self, row: usize, col: usize) -> usize {
        CLOSER_COST * (row.abs_diff(self.begin.0) + col.abs_diff(self.begin.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::{Goal, Instance};
    use npuzzle_testkit::{dims, random::Random};

    /// The cost of the route from each cell, by relaxation until nothing changes (Bellman-Ford).
    fn naive_costs(board: &WorkingBoard, to: usize, is_fixed: &[bool]) -> Vec<Option<usize>> {
        let corridor = Corridor::new(board, to);
        let mut costs = vec![None; board.n_cells()];
        costs[to] = Some(0);
        for _ in 0..board.n_cells() {
            for cell in 0..board.n_cells() {
                for (from, _) in board.neighbors(cell) {
                    let goal = board.label(cell);
                    let is_closer = board.distance(goal, from) < board.distance(goal, cell);
                    let slide = if is_closer { CLOSER_COST } else { FARTHER_COST };
                    let is_free =
                        !is_fixed[from] && corridor.contains(board.row(from), board.col(from));
                    if let Some(cost) = costs[cell].filter(|_| is_free)
                        && costs[from].is_none_or(|known| cost + slide < known)
                    {
                        costs[from] = Some(cost + slide);
                    }
                }
            }
        }
        costs
    }

    #[test]
    fn lookahead_route_is_the_cheapest_in_its_corridor() {
        let mut random = Random::new(11);
        let goal = Goal::Snail.board(dims("7x8")).unwrap();
        let mut n_found = 0;
        for _ in 0..200 {
            let start = random.walk(&goal, 500);
            let instance = Instance::new(start, &Goal::Board(goal.clone())).unwrap();
            let mut board = WorkingBoard::new(&instance);
            let to = random.below(board.n_cells());
            let mut is_fixed: Vec<bool> =
                (0..board.n_cells()).map(|_| random.below(4) == 0).collect();
            is_fixed[to] = false;
            is_fixed[board.blank()] = false;
            let expected = naive_costs(&board, to, &is_fixed)[board.blank()];
            let mut router = LookaheadRouter::new(&board);
            assert_eq!(router.search(&board, to, &is_fixed), expected.is_some());
            let cost = usize::from(router.costs[board.blank()]);
            assert!(expected.is_none_or(|expected| cost == expected), "{cost} of {expected:?}");
            let mut router = LookaheadRouter::new(&board);
            let is_moved = router.move_blank(&mut board, to, &is_fixed);
            assert_eq!((is_moved, is_moved && board.blank() != to), (expected.is_some(), false));
            n_found += usize::from(is_moved);
        }
        assert!(n_found > 50, "{n_found}");
    }
}
