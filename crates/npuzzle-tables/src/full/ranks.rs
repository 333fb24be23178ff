//! The ranks of the boards of up to 16 cells that can reach a goal, and of their neighbors.
//!
//! The ranks are those of [`ranker`](super::ranker). A census on disk stores boards as ranks, sorted in
//! files and divided by rank. Neighbors are computed from ranks, without unpacking the board:
//!
//! ```text
//!     permutation rank = head · n_tails + tail        digits of the head: computed, if it has changed
//!                                                     digits of the tail: looked up
//! ```

use npuzzle_core::{Cell, Dims, Metric};

use super::perm_rank::{Perm, is_odd};
use super::ranker::Ranker;

/// The ranks, from 0, of all boards of a size that can reach a goal.
///
/// ```
/// use npuzzle_core::{Cell, Dims, Metric};
/// use npuzzle_tables::Ranks;
/// let ranks = Ranks::new(Dims::new(4, 4)?, Cell::new(0), Metric::Stm).expect("16 cells fit");
/// assert_eq!(ranks.len(), 10_461_394_944_000);
/// let mut found = Vec::new();
/// ranks.neighbors().each(ranks.goal(), |rank| found.push(rank));
/// assert_eq!(found.len(), 2);
/// # Ok::<(), npuzzle_core::DimsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ranks {
    dims: Dims,
    goal_blank: Cell,
    metric: Metric,
    ranker: Ranker,
    /// The digits of the last positions, except for the one that follows from the parity, by the
    /// tail's number.
    tails: Vec<u64>,
    /// The number of positions before these.
    n_head: usize,
}

/// The maximum number of positions in the tail.
const MAX_TAIL: usize = 7;

impl Ranks {
    /// The largest board.
    pub const MAX_CELLS: usize = 16;

    /// Returns `None` if the board has more than 16 cells, or if `goal_blank`, the blank's goal cell, is
    /// not on the board.
    pub fn new(dims: Dims, goal_blank: Cell, metric: Metric) -> Option<Ranks> {
        if dims.cells() > Ranks::MAX_CELLS || goal_blank.index() >= dims.cells() {
            return None;
        }
        let ranker = Ranker::new(dims, goal_blank);
        let n_tiles = dims.cells() - 1;
        let n_head = n_tiles.saturating_sub(MAX_TAIL);
        let n_tails: usize = (3..=n_tiles - n_head).product();
        let tails = (0..n_tails).map(|tail| {
            let mut rest = tail;
            (n_head..n_tiles - 2).rev().fold(0, |digits, position| {
                let base = n_tiles - position;
                let digit = (rest % base) as u64;
                rest /= base;
                digits | digit << (4 * position)
            })
        });
        let tails = tails.collect();
        Some(Ranks { dims, goal_blank, metric, ranker, tails, n_head })
    }

    /// The size of the boards.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The number of boards.
    pub fn len(&self) -> u64 {
        self.ranker.n_perms * self.dims.cells() as u64
    }

    /// Always `false`: there is at least the goal.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The rank of the goal.
    pub fn goal(&self) -> u64 {
        self.goal_blank.index() as u64 * self.ranker.n_perms
    }

    /// The rank of the board with these labels by cell. Returns `None` if it cannot reach the goal.
    pub fn rank(&self, labels: &[u8]) -> Option<u64> {
        let board = self.ranker.rank(labels)?;
        Some(board.blank as u64 * self.ranker.n_perms + board.perm.rank())
    }

    /// The labels by cell of the board with this rank. Returns `None` if there is no such rank.
    pub fn labels(&self, rank: u64) -> Option<Vec<u8>> {
        let (blank, perm) = (rank / self.ranker.n_perms, rank % self.ranker.n_perms);
        (rank < self.len()).then(|| self.ranker.unrank(blank as usize, perm))
    }

    /// Computes neighbors, fastest for boards in the order of their ranks.
    pub fn neighbors(&self) -> Neighbors<'_> {
        Neighbors { ranks: self, head: u64::MAX, head_digits: 0 }
    }
}

/// Computes the neighbors of boards: the boards that are one move away.
///
/// ```
/// use npuzzle_core::{Cell, Dims, Metric};
/// use npuzzle_tables::Ranks;
/// let ranks = Ranks::new(Dims::new(3, 3)?, Cell::new(4), Metric::Stm).expect("nine cells fit");
/// let mut n = 0;
/// ranks.neighbors().each(ranks.goal(), |_| n += 1);
/// assert_eq!(n, 4); // the blank is in the center
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Neighbors<'a> {
    ranks: &'a Ranks,
    /// The head of the last permutation and its digits: the next one often has the same head.
    head: u64,
    head_digits: u64,
}

impl Neighbors<'_> {
    /// Calls `visit` with the ranks of all boards that are one move away from the one with this rank.
    #[inline]
    pub fn each(&mut self, rank: u64, mut visit: impl FnMut(u64)) {
        let Ranks { dims, metric, ranker, .. } = self.ranks;
        let n_perms = ranker.n_perms;
        let (blank, perm_rank) = ((rank / n_perms) as usize, rank % n_perms);
        let (rows, cols) = (dims.rows(), dims.cols());
        let (row, col) = (blank / cols, blank % cols);
        let max_slides = match metric {
            Metric::Stm => 1,
            Metric::Mtm => usize::MAX,
        };
        let at = |cell: usize, perm_rank: u64| cell as u64 * n_perms + perm_rank;
        for n in 1..=col.min(max_slides) {
            visit(at(blank - n, perm_rank));
        }
        for n in 1..=(cols - 1 - col).min(max_slides) {
            visit(at(blank + n, perm_rank));
        }
        let perm = self.perm(perm_rank, ranker.is_odd_perm(blank));
        let (mut cell, mut moved) = (blank, perm);
        for _ in 0..row.min(max_slides) {
            moved = ranker.perms.first_to_last(moved, cell - cols, cell - 1);
            cell -= cols;
            visit(at(cell, moved.rank()));
        }
        let (mut cell, mut moved) = (blank, perm);
        for _ in 0..(rows - 1 - row).min(max_slides) {
            moved = ranker.perms.last_to_first(moved, cell, cell + cols - 1);
            cell += cols;
            visit(at(cell, moved.rank()));
        }
    }

    /// The permutation with this rank and parity.
    #[inline]
    fn perm(&mut self, rank: u64, is_odd_perm: bool) -> Perm {
        let n_tails = self.ranks.tails.len() as u64;
        let head = rank / n_tails;
        if head != self.head {
            (self.head, self.head_digits) = (head, self.ranks.head_digits(head));
        }
        let digits = self.head_digits | self.ranks.tails[(rank % n_tails) as usize];
        let last_but_one = 4 * (self.ranks.ranker.n_cells - 3);
        Perm::from_parts(digits | u64::from(is_odd(digits) != is_odd_perm) << last_but_one, rank)
    }
}

impl Ranks {
    /// The digits of a head.
    fn head_digits(&self, head: u64) -> u64 {
        let n_tiles = self.ranker.n_cells - 1;
        let mut rest = head;
        (0..self.n_head).rev().fold(0, |digits, position| {
            let base = (n_tiles - position) as u64;
            let digit = rest % base;
            rest /= base;
            digits | digit << (4 * position)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::Slide;
    use npuzzle_testkit::random::Random;

    /// The ranks of the neighbors, computed from the labels.
    fn plain(ranks: &Ranks, rank: u64) -> Vec<u64> {
        let labels = ranks.labels(rank).unwrap();
        let mut found = Vec::new();
        for slide in Slide::ALL {
            let mut moved = labels.clone();
            let blank_label = ranks.goal_blank.index() as u8;
            loop {
                let blank = moved.iter().position(|&label| label == blank_label).unwrap();
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

    fn check(ranks: &Ranks, neighbors: &mut Neighbors<'_>, rank: u64) {
        let labels = ranks.labels(rank).unwrap();
        assert_eq!(ranks.rank(&labels), Some(rank), "{labels:?}");
        let mut found = Vec::new();
        neighbors.each(rank, |rank| found.push(rank));
        found.sort_unstable();
        assert_eq!(found, plain(ranks, rank), "{labels:?}");
    }

    #[test]
    fn neighbors_match_those_from_the_labels() {
        for (rows, cols, blank) in [(2, 2, 0), (3, 2, 3), (2, 4, 1), (3, 3, 4)] {
            for metric in Metric::ALL {
                let dims = Dims::new(rows, cols).unwrap();
                let ranks = Ranks::new(dims, Cell::new(blank), metric).unwrap();
                let mut neighbors = ranks.neighbors();
                (0..ranks.len()).step_by(7).for_each(|rank| check(&ranks, &mut neighbors, rank));
                assert_eq!(ranks.labels(ranks.len()), None);
            }
        }
        let mut random = Random::new(16);
        for (rows, cols, blank) in
            [(4, 3, 5), (7, 2, 0), (5, 3, 14), (3, 5, 1), (4, 4, 0), (4, 4, 5)]
        {
            for metric in Metric::ALL {
                let dims = Dims::new(rows, cols).unwrap();
                let ranks = Ranks::new(dims, Cell::new(blank), metric).unwrap();
                let mut neighbors = ranks.neighbors();
                for _ in 0..200 {
                    let rank = random.below(ranks.len() as usize) as u64;
                    check(&ranks, &mut neighbors, rank);
                    check(&ranks, &mut neighbors, (rank + 1) % ranks.len());
                }
            }
        }
    }

    #[test]
    fn goal_has_a_rank_and_larger_boards_are_refused() {
        let ranks = Ranks::new(Dims::new(4, 4).unwrap(), Cell::new(5), Metric::Stm).unwrap();
        assert_eq!(ranks.labels(ranks.goal()), Some((0..16).collect()));
        assert!(Ranks::new(Dims::new(2, 9).unwrap(), Cell::new(0), Metric::Stm).is_none());
        assert!(Ranks::new(Dims::new(4, 4).unwrap(), Cell::new(16), Metric::Stm).is_none());
    }
}
