//! Heuristics with the bugs that students' programs often have.
//!
//! Courses use them as counter-examples, and the diagnosis of a program that returns wrong answers
//! compares the program with each of them. The code repeats the mistake in its usual form.

use npuzzle_core::heuristic::{Manhattan, Misplaced};
use npuzzle_core::search::{Cost, Heuristic};
use npuzzle_core::{Arrangement, Board, Cell, Dims, Sliding, named_enum};

named_enum! {
    "a buggy heuristic"
    /// The name of a heuristic that overestimates because of a common bug.
    ///
    /// ```
    /// use npuzzle::teaching::{BuggyHeuristic, NamedHeuristic};
    /// use npuzzle::Tables;
    /// let heuristic = NamedHeuristic::from(BuggyHeuristic::MisplacedWithBlank);
    /// let one_slide_away = "1 2 3/4 5 0/7 8 6".parse()?;
    /// assert_eq!(heuristic.estimate(&one_slide_away, &mut Tables::new(), &mut ())?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum BuggyHeuristic {
        /// The number of misplaced tiles, with the blank counted as a tile. It is 2 for a board that is
        /// one slide from the goal.
        MisplacedWithBlank = "misplaced-with-blank",
        /// The Manhattan distance, with the distance of the blank added. A slide can change both the
        /// distance of the tile and that of the blank.
        ManhattanWithBlank = "manhattan-with-blank",
        /// The Manhattan distance plus 2 for every pair of tiles in linear conflict. Three tiles in
        /// reverse order form three pairs, but only two of the tiles must leave the line.
        LinearConflictPairs = "linear-conflict-pairs",
    }
}

impl BuggyHeuristic {
    /// Returns the heuristic for a goal.
    ///
    /// ```
    /// use npuzzle::search::Heuristic;
    /// use npuzzle::search::Sliding;
    /// use npuzzle::teaching::BuggyHeuristic;
    /// use npuzzle::Board;
    /// let goal: Board = "1 2 3/4 5 6/7 8 0".parse()?;
    /// let buggy = BuggyHeuristic::MisplacedWithBlank.heuristic(&goal);
    /// let near: Board = "1 2 3/4 5 6/7 0 8".parse()?;
    /// assert_eq!(Heuristic::<Sliding<Board>>::eval(&buggy, &near), 2);
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

/// A [`BuggyHeuristic`] for one goal.
///
/// ```
/// use npuzzle::search::Heuristic;
/// use npuzzle::search::Sliding;
/// use npuzzle::teaching::BuggyHeuristic;
/// use npuzzle::Board;
/// let buggy = BuggyHeuristic::LinearConflictPairs.heuristic(&"1 2 3/4 5 6/7 8 0".parse()?);
/// // Two of the three tiles must leave their row; three pairs of them are in conflict.
/// let estimate = Heuristic::<Sliding<Board>>::eval(&buggy, &"3 2 1/4 5 6/7 8 0".parse()?);
/// assert_eq!(estimate, 4 + 2 * 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BuggyEstimator {
    kind: BuggyHeuristic,
    dims: Dims,
    misplaced: Misplaced,
    manhattan: Manhattan,
    /// The goal cell of each tile, indexed by tile number; the blank's is first.
    goal_cells: Vec<Cell>,
}

impl BuggyEstimator {
    /// Counts the pairs of tiles that are in their goal row or column and in the wrong order.
    fn n_conflicts(&self, state: &impl Arrangement) -> Cost {
        let (rows, cols) = (self.dims.rows(), self.dims.cols());
        let mut n_pairs = 0;
        for row in 0..rows {
            n_pairs += n_inversions((0..cols).filter_map(|col| {
                let goal_cell = self.goal_cell(state, self.dims.cell(row, col))?;
                (self.dims.row(goal_cell) == row).then(|| self.dims.col(goal_cell))
            }));
        }
        for col in 0..cols {
            n_pairs += n_inversions((0..rows).filter_map(|row| {
                let goal_cell = self.goal_cell(state, self.dims.cell(row, col))?;
                (self.dims.col(goal_cell) == col).then(|| self.dims.row(goal_cell))
            }));
        }
        n_pairs
    }

    /// Returns the goal cell of the tile at `cell`, or `None` for the blank.
    #[inline]
    fn goal_cell(&self, state: &impl Arrangement, cell: Cell) -> Option<Cell> {
        let tile = state.tile(cell);
        (!tile.is_blank()).then(|| self.goal_cells[tile.index()])
    }
}

/// Counts the inversions of a sequence of goal columns (or rows).
#[inline]
fn n_inversions(positions: impl Iterator<Item = usize>) -> Cost {
    let mut seen = [0; Dims::MAX];
    let (mut n_seen, mut n_pairs) = (0, 0);
    for position in positions {
        n_pairs += seen[..n_seen].iter().filter(|&&before| before > position).count();
        seen[n_seen] = position;
        n_seen += 1;
    }
    n_pairs as Cost
}

impl<A: Arrangement> Heuristic<Sliding<A>> for BuggyEstimator {
    type Memo = Cost;

    fn eval(&self, state: &A) -> Cost {
        let (blank, blank_goal) = (state.blank(), self.goal_cells[0]);
        match self.kind {
            BuggyHeuristic::MisplacedWithBlank => {
                self.misplaced.eval(state) + Cost::from(blank != blank_goal)
            }
            BuggyHeuristic::ManhattanWithBlank => {
                self.manhattan.eval(state) + self.dims.distance(blank, blank_goal) as Cost
            }
            BuggyHeuristic::LinearConflictPairs => {
                self.manhattan.eval(state) + 2 * self.n_conflicts(state)
            }
        }
    }

    fn value(&self, &memo: &Cost) -> Cost {
        memo
    }
}
