//! The rank of every board of up to 16 cells that can reach a goal, and the ranks of its neighbours.
//!
//! Ranks are those of a [table](super): the blank's cell, then the order of the tiles. There are as
//! many as boards, so they serve where boards are too many for memory: sorted in files, and dealt
//! out by range.

use npuzzle_core::{Cell, Dims, Metric};

use super::perm_rank::{Perm, is_odd};
use super::ranker::Ranker;

/// All boards of a size that can reach a goal, numbered from 0.
///
/// ```
/// use npuzzle_core::{Cell, Dims, Metric};
/// use npuzzle_tables::Ranks;
/// let ranks = Ranks::new(Dims::new(4, 4)?, Cell::new(0), Metric::Stm).expect("16 cells fit");
/// assert_eq!(ranks.len(), 10_461_394_944_000);
/// let mut beside = Vec::new();
/// ranks.neighbours().each(ranks.goal(), |rank| beside.push(rank));
/// assert_eq!(beside.len(), 2);
/// # Ok::<(), npuzzle_core::DimsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ranks {
    dims: Dims,
    home: Cell,
    metric: Metric,
    ranker: Ranker,
    /// Orders of one parity.
    n_orders: u64,
    /// The digits of the last places, without the one that follows from parity, by what is left of
    /// a rank for them.
    tails: Vec<u64>,
    /// How many places are before these.
    n_head: usize,
}

/// The most places whose digits are looked up together.
const MAX_TAIL: usize = 7;

impl Ranks {
    /// The largest boards.
    pub const MAX_CELLS: usize = 16;

    /// `None` if the board has more than 16 cells, or no such cell.
    pub fn new(dims: Dims, home: Cell, metric: Metric) -> Option<Ranks> {
        if dims.cells() > Ranks::MAX_CELLS || home.index() >= dims.cells() {
            return None;
        }
        let ranker = Ranker::new(dims, home);
        let n_tiles = dims.cells() - 1;
        let n_head = n_tiles.saturating_sub(MAX_TAIL);
        let n_tails: usize = (3..=n_tiles - n_head).product();
        let tails = (0..n_tails).map(|tail| {
            let mut left = tail;
            (n_head..n_tiles - 2).rev().fold(0, |digits, place| {
                let base = n_tiles - place;
                let digit = (left % base) as u64;
                left /= base;
                digits | digit << (4 * place)
            })
        });
        let tails = tails.collect();
        Some(Ranks { dims, home, metric, n_orders: ranker.n_perms, ranker, tails, n_head })
    }

    /// The size of the boards.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// What counts as a move.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// How many boards there are.
    pub fn len(&self) -> u64 {
        self.n_orders * self.dims.cells() as u64
    }

    /// Never: there is the goal.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The rank of the goal.
    pub fn goal(&self) -> u64 {
        self.home.index() as u64 * self.n_orders
    }

    /// The rank of the board with these labels by cell; `None` if it is none that can reach the goal.
    pub fn rank(&self, labels: &[u8]) -> Option<u64> {
        let board = self.ranker.rank(labels)?;
        Some(board.blank as u64 * self.n_orders + board.perm.rank())
    }

    /// The labels by cell of the board with this rank.
    pub fn labels(&self, rank: u64) -> Option<Vec<u8>> {
        let (blank, order) = (rank / self.n_orders, rank % self.n_orders);
        (rank < self.len()).then(|| self.ranker.unrank(blank as usize, order))
    }

    /// For going through neighbours, best in the order of ranks.
    pub fn neighbours(&self) -> Neighbours<'_> {
        Neighbours { ranks: self, head: u64::MAX, head_digits: 0 }
    }
}

/// Goes through the neighbours of boards: those that are one move away.
///
/// ```
/// use npuzzle_core::{Cell, Dims, Metric};
/// use npuzzle_tables::Ranks;
/// let ranks = Ranks::new(Dims::new(3, 3)?, Cell::new(4), Metric::Stm).expect("nine cells fit");
/// let mut n = 0;
/// ranks.neighbours().each(ranks.goal(), |_| n += 1);
/// assert_eq!(n, 4); // the blank belongs in the middle
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Neighbours<'a> {
    ranks: &'a Ranks,
    /// The first places of the last order, and their digits: the next one often begins alike.
    head: u64,
    head_digits: u64,
}

impl Neighbours<'_> {
    /// Shows the ranks of all boards that are one move from the one with this rank.
    #[inline]
    pub fn each(&mut self, rank: u64, mut visit: impl FnMut(u64)) {
        let Ranks { dims, metric, n_orders, ranker, .. } = self.ranks;
        let (blank, order) = ((rank / n_orders) as usize, rank % n_orders);
        let (rows, cols) = (dims.rows(), dims.cols());
        let (row, col) = (blank / cols, blank % cols);
        let most = match metric {
            Metric::Stm => 1,
            Metric::Mtm => usize::MAX,
        };
        let at = |cell: usize, order: u64| cell as u64 * n_orders + order;
        for n in 1..=col.min(most) {
            visit(at(blank - n, order));
        }
        for n in 1..=(cols - 1 - col).min(most) {
            visit(at(blank + n, order));
        }
        let order = self.order(order, ranker.is_odd_perm(blank));
        let (mut cell, mut moved) = (blank, order);
        for _ in 0..row.min(most) {
            moved = ranker.perms.first_to_last(moved, cell - cols, cell - 1);
            cell -= cols;
            visit(at(cell, moved.rank()));
        }
        let (mut cell, mut moved) = (blank, order);
        for _ in 0..(rows - 1 - row).min(most) {
            moved = ranker.perms.last_to_first(moved, cell, cell + cols - 1);
            cell += cols;
            visit(at(cell, moved.rank()));
        }
    }

    /// The order with this rank and this parity.
    #[inline]
    fn order(&mut self, number: u64, odd: bool) -> Perm {
        let n_tails = self.ranks.tails.len() as u64;
        let head = number / n_tails;
        if head != self.head {
            (self.head, self.head_digits) = (head, self.ranks.head_digits(head));
        }
        let digits = self.head_digits | self.ranks.tails[(number % n_tails) as usize];
        let last_but_one = 4 * (self.ranks.ranker.n_cells - 3);
        Perm::from_parts(digits | u64::from(is_odd(digits) != odd) << last_but_one, number)
    }
}

impl Ranks {
    /// The digits of the first places.
    fn head_digits(&self, head: u64) -> u64 {
        let n_tiles = self.ranker.n_cells - 1;
        let mut left = head;
        (0..self.n_head).rev().fold(0, |digits, place| {
            let base = (n_tiles - place) as u64;
            let digit = left % base;
            left /= base;
            digits | digit << (4 * place)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::Slide;
    use npuzzle_testkit::random::Random;

    /// The ranks of the neighbours, from the labels.
    fn plain(ranks: &Ranks, rank: u64) -> Vec<u64> {
        let labels = ranks.labels(rank).unwrap();
        let mut found = Vec::new();
        for slide in Slide::ALL {
            let mut moved = labels.clone();
            let home = ranks.home.index() as u8;
            loop {
                let blank = moved.iter().position(|&label| label == home).unwrap();
                let Some(from) = ranks.dims.source(Cell::new(blank as u16), slide) else { break };
                moved.swap(blank, from.index());
                found.push(ranks.rank(&moved).unwrap());
                if ranks.metric == Metric::Stm {
                    break;
                }
            }
        }
        found.sort_unstable();
        found
    }

    fn check(ranks: &Ranks, neighbours: &mut Neighbours<'_>, rank: u64) {
        let labels = ranks.labels(rank).unwrap();
        assert_eq!(ranks.rank(&labels), Some(rank), "{labels:?}");
        let mut found = Vec::new();
        neighbours.each(rank, |rank| found.push(rank));
        found.sort_unstable();
        assert_eq!(found, plain(ranks, rank), "{labels:?}");
    }

    #[test]
    fn neighbours_are_those_of_the_board() {
        for (rows, cols, home) in [(2, 2, 0), (3, 2, 3), (2, 4, 1), (3, 3, 4)] {
            for metric in Metric::ALL {
                let dims = Dims::new(rows, cols).unwrap();
                let ranks = Ranks::new(dims, Cell::new(home), metric).unwrap();
                let mut neighbours = ranks.neighbours();
                (0..ranks.len()).step_by(7).for_each(|rank| check(&ranks, &mut neighbours, rank));
                assert_eq!(ranks.labels(ranks.len()), None);
            }
        }
        let mut random = Random::new(16);
        for (rows, cols, home) in
            [(4, 3, 5), (7, 2, 0), (5, 3, 14), (3, 5, 1), (4, 4, 0), (4, 4, 5)]
        {
            for metric in Metric::ALL {
                let dims = Dims::new(rows, cols).unwrap();
                let ranks = Ranks::new(dims, Cell::new(home), metric).unwrap();
                let mut neighbours = ranks.neighbours();
                for _ in 0..200 {
                    let rank = random.below(ranks.len() as usize) as u64;
                    check(&ranks, &mut neighbours, rank);
                    check(&ranks, &mut neighbours, (rank + 1) % ranks.len());
                }
            }
        }
    }

    #[test]
    fn the_goal_has_its_rank_and_larger_boards_have_none() {
        let ranks = Ranks::new(Dims::new(4, 4).unwrap(), Cell::new(5), Metric::Stm).unwrap();
        assert_eq!(ranks.labels(ranks.goal()), Some((0..16).collect()));
        assert!(Ranks::new(Dims::new(2, 9).unwrap(), Cell::new(0), Metric::Stm).is_none());
        assert!(Ranks::new(Dims::new(4, 4).unwrap(), Cell::new(16), Metric::Stm).is_none());
    }
}
