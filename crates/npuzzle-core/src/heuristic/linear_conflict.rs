//! Manhattan distance plus linear conflicts.
//!
//! Two tiles of a row that both belong in that row, but in the other order, cannot both stay in
//! it: one must leave the row and come back, two slides that Manhattan distance does not count.
//! The number of tiles that must leave a row is its number of tiles that belong there less the
//! longest run of them (not necessarily side by side) that is in the right order. Counting
//! *pairs* in conflict instead would overestimate: of three tiles in reverse order two must
//! leave, not three. Columns are treated alike, and a tile's extra slides in rows and in columns
//! are different slides, so all of them add up.

use super::Manhattan;
use crate::problem::sliding::{Arrangement, Sliding};
use crate::puzzle::board::{Board, Tile};
use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::slide::Slide;
use crate::search::{Cost, Heuristic};

/// Manhattan distance, and two slides for every tile that must leave its line to let others pass.
///
/// After Hansson, Mayer and Yung (1992).
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
    /// For this goal.
    pub fn new(goal: &Board) -> LinearConflict {
        LinearConflict { manhattan: Manhattan::new(goal) }
    }

    /// The vertical slides and the horizontal ones that it takes at least, apart. A tile that must leave
    /// its row does so by vertical slides, one that must leave its column by horizontal ones.
    pub fn by_axis(&self, state: &impl Arrangement) -> [Cost; 2] {
        let [down, across] = self.manhattan.by_axis(state);
        let leaving = |lines: &mut dyn Iterator<Item = Line>| -> Cost {
            lines.map(|line| self.conflicts(state, line)).sum()
        };
        let rows = leaving(&mut (0..self.dims().rows()).map(Line::Row));
        let cols = leaving(&mut (0..self.dims().cols()).map(Line::Col));
        [down + 2 * rows, across + 2 * cols]
    }

    fn dims(&self) -> Dims {
        self.manhattan.dims()
    }

    /// The line a tile belongs in that runs the way of this one, and its place along it.
    #[inline]
    fn home(&self, tile: Tile, like: Line) -> (Line, usize) {
        let (row, col) = (self.manhattan.goal_row(tile), self.manhattan.goal_col(tile));
        match like {
            Line::Row(_) => (Line::Row(row), col),
            Line::Col(_) => (Line::Col(col), row),
        }
    }

    /// Tiles that must leave this line.
    #[inline]
    fn conflicts(&self, state: &impl Arrangement, line: Line) -> Cost {
        self.conflicts_with(line, |cell| state.tile(cell))
    }

    /// Tiles that must leave this line if `tile` lay at `at`.
    #[inline]
    fn conflicts_if(&self, state: &impl Arrangement, line: Line, at: Cell, tile: Tile) -> Cost {
        self.conflicts_with(line, |cell| if cell == at { tile } else { state.tile(cell) })
    }

    #[inline]
    fn conflicts_with(&self, line: Line, tile_at: impl Fn(Cell) -> Tile) -> Cost {
        let dims = self.dims();
        let n_cells = match line {
            Line::Row(_) => dims.cols(),
            Line::Col(_) => dims.rows(),
        };
        let cells = (0..n_cells).map(|at| match line {
            Line::Row(row) => dims.cell(row, at),
            Line::Col(col) => dims.cell(at, col),
        });
        n_out_of_order(cells.map(tile_at).filter_map(|tile| {
            let (home, place) = self.home(tile, line);
            (!tile.is_blank() && home == line).then_some(place)
        }))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Line {
    Row(usize),
    Col(usize),
}

/// How many of these places must be struck out so that the rest increase: their number less the
/// length of a longest increasing subsequence.
#[inline]
fn n_out_of_order(places: impl Iterator<Item = usize>) -> Cost {
    // least_end[k] is the smallest place at which an increasing subsequence of length k + 1 ends.
    let mut least_end = [0u8; Dims::MAX];
    let (mut n, mut longest) = (0, 0);
    for place in places {
        n += 1;
        let place = place as u8;
        let mut k = longest;
        while k > 0 && least_end[k - 1] > place {
            k -= 1;
        }
        least_end[k] = place;
        longest = longest.max(k + 1);
    }
    (n - longest) as Cost
}

/// What a path carries for [`LinearConflict`].
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
    /// Tiles that must leave their lines.
    conflicts: Cost,
}

impl<A: Arrangement> Heuristic<Sliding<A>> for LinearConflict {
    type Memo = LinearConflictMemo;

    fn eval(&self, state: &A) -> LinearConflictMemo {
        let rows = (0..self.dims().rows()).map(Line::Row);
        let cols = (0..self.dims().cols()).map(Line::Col);
        LinearConflictMemo {
            manhattan: self.manhattan.eval(state),
            conflicts: rows.chain(cols).map(|line| self.conflicts(state, line)).sum(),
        }
    }

    /// A tile that slides along a column keeps its place in the order of the column. The two rows
    /// it leaves and enters change, and of these only the one it belongs in, if it is either. The
    /// same holds with rows and columns exchanged.
    #[inline]
    fn step(&self, before: &LinearConflictMemo, after: &A, slide: Slide) -> LinearConflictMemo {
        let dims = self.dims();
        let from = after.blank();
        let to = dims.source_unchecked(from, slide.opposite());
        let tile = after.tile(to);
        let (left, entered) = if slide.is_vertical() {
            (Line::Row(dims.row(from)), Line::Row(dims.row(to)))
        } else {
            (Line::Col(dims.col(from)), Line::Col(dims.col(to)))
        };
        let (home, _) = self.home(tile, left);
        let mut conflicts = before.conflicts;
        if home == entered {
            conflicts += self.conflicts(after, entered);
            conflicts -= self.conflicts_if(after, entered, to, Tile::BLANK);
        } else if home == left {
            conflicts += self.conflicts(after, left);
            conflicts -= self.conflicts_if(after, left, from, tile);
        }
        let manhattan = self.manhattan.step(&before.manhattan, after, slide);
        LinearConflictMemo { manhattan, conflicts }
    }

    #[inline]
    fn value(&self, memo: &LinearConflictMemo) -> Cost {
        memo.manhattan + 2 * memo.conflicts
    }
}
