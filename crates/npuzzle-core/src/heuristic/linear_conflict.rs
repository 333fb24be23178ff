//! Manhattan distance plus linear conflicts (Hansson, Mayer and Yung 1992).
//!
//! If two tiles are in their goal row, but in reverse order, one of them must leave the row and
//! return: two slides that Manhattan distance does not count. The number of tiles that must leave a
//! row is the number of tiles in their goal row minus the length of the longest subsequence of them
//! in goal order. Counting *pairs* in conflict would overestimate: if three tiles are in reverse
//! order, two must leave, not three. The same holds for columns. Leaving a row takes vertical slides
//! and leaving a column horizontal ones, so all extra slides add up.

use super::Manhattan;
use crate::problem::sliding::{Arrangement, MovedTile, Sliding};
use crate::puzzle::board::{Board, Tile};
use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::slide::Slide;
use crate::search::{Cost, Heuristic};

/// Manhattan distance plus two slides for every tile that must leave its row or column to let others
/// pass (Hansson, Mayer and Yung 1992).
///
/// ```
/// use npuzzle_core::heuristic::LinearConflict;
/// use npuzzle_core::search::Heuristic;
/// use npuzzle_core::{Board, Sliding};
/// type Tiles = Sliding<Board>;
/// let (board, goal): (Board, Board) = ("2 1 3/4 5 6/7 8 0".parse()?, "1 2 3/4 5 6/7 8 0".parse()?);
/// let h = LinearConflict::new(&goal);
/// assert_eq!(Heuristic::<Tiles>::value(&h, &Heuristic::<Tiles>::eval(&h, &board)), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: Manhattan,
}

impl LinearConflict {
    /// The heuristic for this goal.
    pub fn new(goal: &Board) -> LinearConflict {
        LinearConflict { manhattan: Manhattan::new(goal) }
    }

    /// Returns the lower bounds on vertical and on horizontal slides. A tile leaves its row by
    /// vertical slides and its column by horizontal ones.
    pub fn by_axis(&self, state: &impl Arrangement) -> [Cost; 2] {
        let [vertical, horizontal] = self.manhattan.by_axis(state);
        let [rows, cols] = self.conflicts_by_axis(state);
        [vertical + 2 * rows, horizontal + 2 * cols]
    }

    fn dims(&self) -> Dims {
        self.manhattan.dims()
    }

    /// The goal line of a tile that is parallel to the given line, and the tile's position in it.
    #[inline]
    fn goal_line(&self, tile: Tile, parallel_to: BoardLine) -> (BoardLine, usize) {
        let (row, col) = (self.manhattan.goal_row(tile), self.manhattan.goal_col(tile));
        match parallel_to {
            BoardLine::Row(_) => (BoardLine::Row(row), col),
            BoardLine::Col(_) => (BoardLine::Col(col), row),
        }
    }

    /// Numbers of tiles that must leave their rows, and their columns.
    fn conflicts_by_axis(&self, state: &impl Arrangement) -> [Cost; 2] {
        let conflicts = |line| self.conflicts(line, |cell| state.tile(cell));
        let rows = (0..self.dims().rows()).map(BoardLine::Row);
        let cols = (0..self.dims().cols()).map(BoardLine::Col);
        [rows.map(conflicts).sum(), cols.map(conflicts).sum()]
    }

    /// Number of tiles that must leave a line.
    #[inline]
    fn conflicts(&self, line: BoardLine, tile_at: impl Fn(Cell) -> Tile) -> Cost {
        let dims = self.dims();
        let n_cells = match line {
            BoardLine::Row(_) => dims.cols(),
            BoardLine::Col(_) => dims.rows(),
        };
        let cells = (0..n_cells).map(|at| match line {
            BoardLine::Row(row) => dims.cell(row, at),
            BoardLine::Col(col) => dims.cell(at, col),
        });
        n_out_of_order(cells.map(tile_at).filter_map(|tile| {
            let (goal_line, position) = self.goal_line(tile, line);
            (!tile.is_blank() && goal_line == line).then_some(position)
        }))
    }
}

/// A row or a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BoardLine {
    Row(usize),
    Col(usize),
}

/// Number of positions that must be removed so that the rest increase: their number minus the length
/// of the longest increasing subsequence.
#[inline]
fn n_out_of_order(positions: impl Iterator<Item = usize>) -> Cost {
    // min_end[k] is the smallest position at which an increasing subsequence of length k + 1 ends.
    let mut min_end = [0u8; Dims::MAX];
    let (mut n, mut longest) = (0, 0);
    for position in positions {
        n += 1;
        let position = position as u8;
        let mut k = longest;
        while k > 0 && min_end[k - 1] > position {
            k -= 1;
        }
        min_end[k] = position;
        longest = longest.max(k + 1);
    }
    (n - longest) as Cost
}

/// The memo of [`LinearConflict`].
///
/// ```
/// use npuzzle_core::heuristic::LinearConflict;
/// use npuzzle_core::search::Heuristic;
/// use npuzzle_core::{Board, Slide, Sliding};
/// type Tiles = Sliding<Board>;
/// let h = LinearConflict::new(&"1 2 3/4 5 6/7 8 0".parse()?);
/// let mut board: Board = "2 1 3/4 0 6/7 5 8".parse()?;
/// let before = Heuristic::<Tiles>::eval(&h, &board);
/// board.slide(Slide::Up);
/// let after = Heuristic::<Tiles>::step(&h, &before, &board, Slide::Up);
/// assert_eq!(after, Heuristic::<Tiles>::eval(&h, &board));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinearConflictMemo {
    manhattan: Cost,
    /// Number of tiles that must leave their lines.
    conflicts: Cost,
}

impl<A: Arrangement> Heuristic<Sliding<A>> for LinearConflict {
    type Memo = LinearConflictMemo;

    fn eval(&self, state: &A) -> LinearConflictMemo {
        let [rows, cols] = self.conflicts_by_axis(state);
        LinearConflictMemo { manhattan: self.manhattan.eval(state), conflicts: rows + cols }
    }

    /// A tile that slides within a column does not change the order of the column. It leaves one row
    /// and enters another; only its goal row can gain or lose a conflict. The same holds with rows and
    /// columns exchanged.
    #[inline]
    fn step(&self, before: &LinearConflictMemo, after: &A, slide: Slide) -> LinearConflictMemo {
        let dims = self.dims();
        let MovedTile { tile, from, to } = after.moved_tile(dims, slide);
        let (left, entered) = if slide.is_vertical() {
            (BoardLine::Row(dims.row(from)), BoardLine::Row(dims.row(to)))
        } else {
            (BoardLine::Col(dims.col(from)), BoardLine::Col(dims.col(to)))
        };
        let (goal_line, _) = self.goal_line(tile, left);
        // The cell of the goal line that has changed, and the tile that was there.
        let changed = if goal_line == entered {
            Some((to, Tile::BLANK))
        } else {
            (goal_line == left).then_some((from, tile))
        };
        let mut conflicts = before.conflicts;
        if let Some((changed, tile)) = changed {
            let tile_before = |cell| if cell == changed { tile } else { after.tile(cell) };
            conflicts += self.conflicts(goal_line, |cell| after.tile(cell));
            conflicts -= self.conflicts(goal_line, tile_before);
        }
        let manhattan = self.manhattan.step(&before.manhattan, after, slide);
        LinearConflictMemo { manhattan, conflicts }
    }

    #[inline]
    fn value(&self, memo: &LinearConflictMemo) -> Cost {
        memo.manhattan + 2 * memo.conflicts
    }
}
