//! Inversion distance (Takahashi 2001, who calls it invert distance).
//!
//! Read the tiles row by row, without the blank. A horizontal slide does not change this sequence. A
//! vertical slide moves a tile past the `cols - 1` tiles between its two cells, so it changes the
//! number of inversions, pairs that are not in goal order, by at most `cols - 1`. Solving therefore
//! takes at least as many vertical slides as the number of inversions divided by `cols - 1`, rounded
//! up. Reading column by column bounds the horizontal slides, and the two bounds add up.

use crate::problem::sliding::{Arrangement, MovedTile, Sliding};
use crate::puzzle::board::{Board, Tile};
use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::slide::Slide;
use crate::search::{Cost, Heuristic};

/// A lower bound on the slides that resolve all inversions, pairs of tiles that are not in goal order:
/// vertical slides if tiles are read by rows, horizontal slides if they are read by columns.
///
/// Consistent. Neither this heuristic nor Manhattan distance dominates the other.
///
/// ```
/// use npuzzle_core::heuristic::Inversions;
/// use npuzzle_core::search::Heuristic;
/// use npuzzle_core::{Board, Sliding};
/// type Tiles = Sliding<Board>;
/// let (board, goal): (Board, Board) = ("2 1 3/4 5 6/7 8 0".parse()?, "1 2 3/4 5 6/7 8 0".parse()?);
/// let h = Inversions::new(&goal);
/// assert_eq!(Heuristic::<Tiles>::value(&h, &Heuristic::<Tiles>::eval(&h, &board)), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Inversions {
    dims: Dims,
    /// The goal cells by tile.
    goal_cells: Vec<Cell>,
}

/// The order in which cells are read.
#[derive(Clone, Copy)]
enum ReadingOrder {
    ByRows,
    ByCols,
}

impl Inversions {
    /// The heuristic for this goal.
    pub fn new(goal: &Board) -> Inversions {
        Inversions { dims: goal.dims(), goal_cells: goal.cells_by_tile() }
    }

    /// Returns the lower bounds on vertical and on horizontal slides.
    pub fn by_axis(&self, state: &impl Arrangement) -> [Cost; 2] {
        self.slides(self.memo(state))
    }

    fn memo(&self, state: &impl Arrangement) -> InversionsMemo {
        InversionsMemo {
            by_rows: self.count(state, ReadingOrder::ByRows),
            by_cols: self.count(state, ReadingOrder::ByCols),
        }
    }

    #[inline]
    fn slides(&self, memo: InversionsMemo) -> [Cost; 2] {
        let vertical = memo.by_rows.div_ceil(self.dims.cols() as Cost - 1);
        let horizontal = memo.by_cols.div_ceil(self.dims.rows() as Cost - 1);
        [vertical, horizontal]
    }

    /// The position of a cell in the reading order.
    #[inline]
    fn position(&self, cell: Cell, reading: ReadingOrder) -> usize {
        match reading {
            ReadingOrder::ByRows => cell.index(),
            ReadingOrder::ByCols => self.dims.col(cell) * self.dims.rows() + self.dims.row(cell),
        }
    }

    /// The cell at a position of the reading order.
    #[inline]
    fn cell(&self, position: usize, reading: ReadingOrder) -> Cell {
        match reading {
            ReadingOrder::ByRows => Cell::new(position as u16),
            ReadingOrder::ByCols => {
                self.dims.cell(position % self.dims.rows(), position / self.dims.rows())
            }
        }
    }

    /// The position of a tile in the reading order of the goal.
    #[inline]
    fn goal_position(&self, tile: Tile, reading: ReadingOrder) -> usize {
        self.position(self.goal_cells[tile.index()], reading)
    }

    /// Counts the inversions from scratch.
    fn count(&self, state: &impl Arrangement, reading: ReadingOrder) -> Cost {
        let n = self.goal_cells.len();
        let tiles = (0..n).map(|position| state.tile(self.cell(position, reading)));
        let mut read = FenwickTree::new(n);
        let mut inversions = 0;
        for (n_read, tile) in tiles.filter(|tile| !tile.is_blank()).enumerate() {
            let position = self.goal_position(tile, reading);
            inversions += n_read as Cost - read.n_below(position);
            read.add(position);
        }
        inversions
    }

    /// Returns the inversions after a tile has moved from `from` to `to` and so has passed all tiles
    /// between the two in reading order.
    #[inline]
    fn count_after_slide(
        &self,
        before: Cost,
        state: &impl Arrangement,
        from: Cell,
        to: Cell,
        reading: ReadingOrder,
    ) -> Cost {
        let goal_position = |cell| self.goal_position(state.tile(cell), reading);
        let moved = goal_position(to);
        let (a, b) = (self.position(from, reading), self.position(to, reading));
        let passed = a.min(b) + 1..a.max(b);
        let n = passed.len() as Cost;
        let is_smaller = |&position: &usize| goal_position(self.cell(position, reading)) < moved;
        let n_smaller = passed.filter(is_smaller).count() as Cost;
        // A tile that moved forward is now inverted with the smaller tiles, otherwise with the larger.
        let (added, removed) =
            if b < a { (n_smaller, n - n_smaller) } else { (n - n_smaller, n_smaller) };
        before + added - removed
    }
}

/// A set of small numbers that counts its elements below a number: a Fenwick tree.
struct FenwickTree(Vec<Cost>);

impl FenwickTree {
    /// An empty set of numbers below `n`.
    fn new(n: usize) -> FenwickTree {
        FenwickTree(vec![0; n + 1])
    }

    fn add(&mut self, number: usize) {
        let mut at = number + 1;
        while let Some(count) = self.0.get_mut(at) {
            *count += 1;
            at += at & at.wrapping_neg();
        }
    }

    fn n_below(&self, number: usize) -> Cost {
        let (mut at, mut n) = (number, 0);
        while at > 0 {
            n += self.0[at];
            at &= at - 1;
        }
        n
    }
}

/// The memo of [`Inversions`].
///
/// ```
/// use npuzzle_core::heuristic::Inversions;
/// use npuzzle_core::search::Heuristic;
/// use npuzzle_core::{Board, Slide, Sliding};
/// type Tiles = Sliding<Board>;
/// let h = Inversions::new(&"1 2 3/4 5 6/7 8 0".parse()?);
/// let mut board: Board = "2 1 3/4 0 6/7 5 8".parse()?;
/// let before = Heuristic::<Tiles>::eval(&h, &board);
/// board.slide(Slide::Up);
/// let after = Heuristic::<Tiles>::step(&h, &before, &board, Slide::Up);
/// assert_eq!(after, Heuristic::<Tiles>::eval(&h, &board));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InversionsMemo {
    by_rows: Cost,
    by_cols: Cost,
}

impl<A: Arrangement> Heuristic<Sliding<A>> for Inversions {
    type Memo = InversionsMemo;

    fn eval(&self, state: &A) -> InversionsMemo {
        self.memo(state)
    }

    #[inline]
    fn step(&self, before: &InversionsMemo, after: &A, slide: Slide) -> InversionsMemo {
        let MovedTile { from, to, .. } = after.moved_tile(self.dims, slide);
        let mut memo = *before;
        if slide.is_vertical() {
            memo.by_rows =
                self.count_after_slide(before.by_rows, after, from, to, ReadingOrder::ByRows);
        } else {
            memo.by_cols =
                self.count_after_slide(before.by_cols, after, from, to, ReadingOrder::ByCols);
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &InversionsMemo) -> Cost {
        let [vertical, horizontal] = self.slides(*memo);
        vertical + horizontal
    }
}
