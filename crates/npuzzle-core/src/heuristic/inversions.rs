//! Inversion distance.
//!
//! Read the tiles row by row, without the blank. A horizontal slide does not change what is read; a
//! vertical one moves a tile past the `cols - 1` tiles between its two cells, and so changes the
//! number of pairs that are not in the order of the goal by at most as many. Solving therefore takes
//! as many vertical slides as that number divided by `cols - 1`, rounded up. Read column by column,
//! horizontal slides are bounded alike, and the two add up.
//!
//! Found by Ken'ichiro Takahashi.

use crate::problem::sliding::{Arrangement, Sliding};
use crate::puzzle::board::{Board, Tile};
use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::slide::Slide;
use crate::search::{Cost, Heuristic};

/// The slides that it takes at least to undo all inversions, pairs of tiles that are not in the
/// order of the goal: vertical ones if tiles are read by rows, horizontal ones if by columns.
///
/// Consistent. Sometimes more than Manhattan distance, sometimes less.
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
    /// By tile.
    goal_cells: Vec<Cell>,
}

/// How the tiles are read.
#[derive(Clone, Copy)]
enum Reading {
    ByRows,
    ByCols,
}

impl Inversions {
    /// For this goal.
    pub fn new(goal: &Board) -> Inversions {
        Inversions { dims: goal.dims(), goal_cells: goal.cells_by_tile() }
    }

    /// The vertical slides and the horizontal ones that it takes at least, apart.
    pub fn by_axis(&self, state: &impl Arrangement) -> [Cost; 2] {
        self.slides(InversionsMemo {
            by_rows: self.count(state, Reading::ByRows),
            by_cols: self.count(state, Reading::ByCols),
        })
    }

    #[inline]
    fn slides(&self, memo: InversionsMemo) -> [Cost; 2] {
        let vertical = memo.by_rows.div_ceil(self.dims.cols() as Cost - 1);
        let horizontal = memo.by_cols.div_ceil(self.dims.rows() as Cost - 1);
        [vertical, horizontal]
    }

    /// When a cell is read.
    #[inline]
    fn place(&self, cell: Cell, reading: Reading) -> usize {
        match reading {
            Reading::ByRows => cell.index(),
            Reading::ByCols => self.dims.col(cell) * self.dims.rows() + self.dims.row(cell),
        }
    }

    /// The cell that is read at a place.
    #[inline]
    fn cell(&self, place: usize, reading: Reading) -> Cell {
        match reading {
            Reading::ByRows => Cell::new(place as u16),
            Reading::ByCols => self.dims.cell(place % self.dims.rows(), place / self.dims.rows()),
        }
    }

    /// When a tile is read in the goal.
    #[inline]
    fn goal_place(&self, tile: Tile, reading: Reading) -> usize {
        self.place(self.goal_cells[tile.index()], reading)
    }

    /// Inversions from scratch.
    fn count(&self, state: &impl Arrangement, reading: Reading) -> Cost {
        let n = self.goal_cells.len();
        let tiles = (0..n).map(|place| state.tile(self.cell(place, reading)));
        let mut read = Tally::new(n);
        let mut inversions = 0;
        for (n_read, tile) in tiles.filter(|tile| !tile.is_blank()).enumerate() {
            let place = self.goal_place(tile, reading);
            inversions += n_read as Cost - read.n_below(place);
            read.add(place);
        }
        inversions
    }

    /// Inversions after the tile at `to` came from `from`: it has passed all that is read between.
    #[inline]
    fn passed(
        &self,
        before: Cost,
        state: &impl Arrangement,
        from: Cell,
        to: Cell,
        reading: Reading,
    ) -> Cost {
        let goal_place = |cell| self.goal_place(state.tile(cell), reading);
        let moved = goal_place(to);
        let (a, b) = (self.place(from, reading), self.place(to, reading));
        let passed = a.min(b) + 1..a.max(b);
        let n = passed.len() as Cost;
        let n_smaller =
            passed.filter(|&place| goal_place(self.cell(place, reading)) < moved).count() as Cost;
        // Read earlier than before, it is now inverted with the smaller ones; later, with the larger.
        let (made, undone) =
            if b < a { (n_smaller, n - n_smaller) } else { (n - n_smaller, n_smaller) };
        before + made - undone
    }
}

/// A set of small numbers that knows how many of them are below another: a Fenwick tree.
struct Tally(Vec<Cost>);

impl Tally {
    /// For numbers below `n`.
    fn new(n: usize) -> Tally {
        Tally(vec![0; n + 1])
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

/// What a path carries for [`Inversions`].
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
        InversionsMemo {
            by_rows: self.count(state, Reading::ByRows),
            by_cols: self.count(state, Reading::ByCols),
        }
    }

    #[inline]
    fn step(&self, before: &InversionsMemo, after: &A, slide: Slide) -> InversionsMemo {
        let from = after.blank();
        let to = self.dims.source_unchecked(from, slide.opposite());
        let mut memo = *before;
        if slide.is_vertical() {
            memo.by_rows = self.passed(before.by_rows, after, from, to, Reading::ByRows);
        } else {
            memo.by_cols = self.passed(before.by_cols, after, from, to, Reading::ByCols);
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &InversionsMemo) -> Cost {
        let [vertical, horizontal] = self.slides(*memo);
        vertical + horizontal
    }
}
