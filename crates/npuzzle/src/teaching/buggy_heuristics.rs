//! Heuristics that are wrong in the ways people's heuristics are: for teaching, and to tell what may
//! be wrong with somebody's program.
//!
//! Each is written as it is written by mistake, plainly and from scratch.

use std::fmt;
use std::str::FromStr;

use npuzzle_core::heuristic::{Manhattan, Misplaced};
use npuzzle_core::search::{Cost, Heuristic};
use npuzzle_core::{Arrangement, Board, Cell, Dims, Sliding};

use crate::options::{NameError, names};

/// A wrong heuristic by name.
///
/// ```
/// use npuzzle::teaching::{BuggyHeuristic, NamedHeuristic};
/// use npuzzle::Tables;
/// let suspect = NamedHeuristic::from(BuggyHeuristic::MisplacedWithBlank);
/// let one_slide_away = "1 2 3/4 5 0/7 8 6".parse()?;
/// assert_eq!(suspect.estimate(&one_slide_away, &mut Tables::new(), &mut ())?, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BuggyHeuristic {
    /// Tiles out of place, the blank counted as one of them: 2 where one slide is enough.
    MisplacedWithBlank,
    /// The sum of the distances, the blank's among them: every slide moves two of them.
    ManhattanWithBlank,
    /// Manhattan distance and 2 for every pair of tiles in conflict: of three tiles in reverse order
    /// two must leave their line, and there are three pairs.
    LinearConflictPairs,
}

names!(
    BuggyHeuristic,
    "a faulty heuristic",
    MisplacedWithBlank = "misplaced-with-blank",
    ManhattanWithBlank = "manhattan-with-blank",
    LinearConflictPairs = "linear-conflict-pairs",
);

impl BuggyHeuristic {
    /// The heuristic for a goal.
    ///
    /// ```
    /// use npuzzle::search::Heuristic;
    /// use npuzzle::search::Sliding;
    /// use npuzzle::teaching::BuggyHeuristic;
    /// use npuzzle::Board;
    /// let goal: Board = "1 2 3/4 5 6/7 8 0".parse()?;
    /// let faulty = BuggyHeuristic::MisplacedWithBlank.heuristic(&goal);
    /// let near: Board = "1 2 3/4 5 6/7 0 8".parse()?;
    /// assert_eq!(Heuristic::<Sliding<Board>>::eval(&faulty, &near), 2);
    /// # Ok::<(), npuzzle::FormatError>(())
    /// ```
    pub fn heuristic(self, goal: &Board) -> BuggyEstimator {
        BuggyEstimator {
            kind: self,
            dims: goal.dims(),
            misplaced: Misplaced::new(goal),
            manhattan: Manhattan::new(goal),
            goal_cells: goal.cells_by_tile(),
        }
    }
}

/// A wrong heuristic for a goal.
///
/// ```
/// use npuzzle::search::Heuristic;
/// use npuzzle::search::Sliding;
/// use npuzzle::teaching::BuggyHeuristic;
/// use npuzzle::Board;
/// let faulty = BuggyHeuristic::LinearConflictPairs.heuristic(&"1 2 3/4 5 6/7 8 0".parse()?);
/// // Two of the three tiles must leave their row; three pairs of them are in conflict.
/// let estimate = Heuristic::<Sliding<Board>>::eval(&faulty, &"3 2 1/4 5 6/7 8 0".parse()?);
/// assert_eq!(estimate, 4 + 2 * 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BuggyEstimator {
    kind: BuggyHeuristic,
    dims: Dims,
    misplaced: Misplaced,
    manhattan: Manhattan,
    /// By tile, the blank's first.
    goal_cells: Vec<Cell>,
}

impl BuggyEstimator {
    /// How many pairs of tiles are in their line and in the wrong order, over all lines.
    fn n_pairs(&self, state: &impl Arrangement) -> Cost {
        let (rows, cols) = (self.dims.rows(), self.dims.cols());
        let mut n_pairs = 0;
        for row in 0..rows {
            n_pairs += n_reversed((0..cols).filter_map(|col| {
                let home = self.home(state, self.dims.cell(row, col))?;
                (self.dims.row(home) == row).then(|| self.dims.col(home))
            }));
        }
        for col in 0..cols {
            n_pairs += n_reversed((0..rows).filter_map(|row| {
                let home = self.home(state, self.dims.cell(row, col))?;
                (self.dims.col(home) == col).then(|| self.dims.row(home))
            }));
        }
        n_pairs
    }

    /// Where the tile at a cell belongs; nowhere for the blank.
    #[inline]
    fn home(&self, state: &impl Arrangement, cell: Cell) -> Option<Cell> {
        let tile = state.tile(cell);
        (!tile.is_blank()).then(|| self.goal_cells[tile.index()])
    }
}

/// How many pairs of these places are in the wrong order.
#[inline]
fn n_reversed(places: impl Iterator<Item = usize>) -> Cost {
    let mut seen = [0; Dims::MAX];
    let (mut n_seen, mut n_pairs) = (0, 0);
    for place in places {
        n_pairs += seen[..n_seen].iter().filter(|&&before| before > place).count();
        seen[n_seen] = place;
        n_seen += 1;
    }
    n_pairs as Cost
}

impl<A: Arrangement> Heuristic<Sliding<A>> for BuggyEstimator {
    type Memo = Cost;

    fn eval(&self, state: &A) -> Cost {
        let (blank, home) = (state.blank(), self.goal_cells[0]);
        match self.kind {
            BuggyHeuristic::MisplacedWithBlank => {
                self.misplaced.eval(state) + Cost::from(blank != home)
            }
            BuggyHeuristic::ManhattanWithBlank => {
                self.manhattan.eval(state) + self.dims.distance(blank, home) as Cost
            }
            BuggyHeuristic::LinearConflictPairs => {
                self.manhattan.eval(state) + 2 * self.n_pairs(state)
            }
        }
    }

    fn value(&self, &memo: &Cost) -> Cost {
        memo
    }
}
