//! Manhattan distance.

use crate::problem::sliding::{Arrangement, MovedTile, Sliding};
use crate::puzzle::board::{Board, Tile};
use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::slide::Slide;
use crate::search::{Cost, Heuristic};

/// The sum of the distances, along rows and columns, of all tiles to their goal cells. The blank is
/// not counted: every slide moves exactly one tile by one cell.
///
/// ```
/// use npuzzle_core::heuristic::Manhattan;
/// use npuzzle_core::{Board, Instance, Sliding, search::Heuristic};
/// let puzzle: Instance = "8 1 3/4 0 2/7 6 5".parse()?;
/// let h = Manhattan::new(puzzle.goal());
/// let memo = Heuristic::<Sliding<Board>>::eval(&h, puzzle.start());
/// assert_eq!(Heuristic::<Sliding<Board>>::value(&h, &memo), 10);
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Manhattan {
    dims: Dims,
    /// Row and column of the goal cell, by tile.
    goals: Vec<(u8, u8)>,
    /// Row and column, by cell.
    positions: Vec<(u8, u8)>,
    /// For boards of up to 16 cells: the distances, indexed by cell and tile in four bits each; 0 for
    /// the blank.
    small: Option<Box<[u8; 256]>>,
    /// For the same boards: the sums of the distances of two adjacent cells, indexed by the pair of
    /// cells and the pair of tiles.
    pairs: Box<[[u8; 256]; 8]>,
}

impl Manhattan {
    /// The heuristic for this goal.
    pub fn new(goal: &Board) -> Manhattan {
        let dims = goal.dims();
        let cells = dims.all_cells();
        // Rows and columns are less than 127.
        let position = |cell: Cell| (dims.row(cell) as u8, dims.col(cell) as u8);
        let mut manhattan = Manhattan {
            dims,
            goals: goal.cells_by_tile().into_iter().map(position).collect(),
            positions: cells.clone().map(position).collect(),
            small: None,
            pairs: Box::new([[0; 256]; 8]),
        };
        if dims.cells() <= 16 {
            let mut small = Box::new([0; 256]);
            let tiles = (1..dims.cells() as u16).map(Tile::new);
            for (cell, tile) in cells.flat_map(|cell| tiles.clone().map(move |tile| (cell, tile))) {
                small[by_cell_and_tile(cell, tile)] = manhattan.distance(cell, tile) as u8;
            }
            for (cells, sums) in manhattan.pairs.iter_mut().enumerate() {
                for (tiles, sum) in sums.iter_mut().enumerate() {
                    let [low, high] = [tiles & 0xf, tiles >> 4];
                    *sum = small[(2 * cells) << 4 | low] + small[(2 * cells + 1) << 4 | high];
                }
            }
            manhattan.small = Some(small);
        }
        manhattan
    }

    /// Returns the sums of the vertical and of the horizontal distances.
    pub(crate) fn by_axis(&self, state: &impl Arrangement) -> [Cost; 2] {
        let (mut vertical, mut horizontal) = (0, 0);
        for (cell, &(row, col)) in (0..).map(Cell::new).zip(&self.positions) {
            let tile = state.tile(cell);
            if !tile.is_blank() {
                let (goal_row, goal_col) = self.goals[tile.index()];
                vertical += Cost::from(row.abs_diff(goal_row));
                horizontal += Cost::from(col.abs_diff(goal_col));
            }
        }
        [vertical, horizontal]
    }

    /// The distance of a tile at a cell to its goal cell. The tile must not be the blank.
    #[inline]
    fn distance(&self, cell: Cell, tile: Tile) -> Cost {
        let (row, col) = self.positions[cell.index()];
        let (goal_row, goal_col) = self.goals[tile.index()];
        Cost::from(row.abs_diff(goal_row)) + Cost::from(col.abs_diff(goal_col))
    }

    #[inline]
    pub(crate) fn dims(&self) -> Dims {
        self.dims
    }

    #[inline]
    pub(crate) fn goal_row(&self, tile: Tile) -> usize {
        usize::from(self.goals[tile.index()].0)
    }

    #[inline]
    pub(crate) fn goal_col(&self, tile: Tile) -> usize {
        usize::from(self.goals[tile.index()].1)
    }
}

impl<A: Arrangement> Heuristic<Sliding<A>> for Manhattan {
    type Memo = Cost;

    const EVALUATES_FAST: bool = true;

    #[inline]
    fn eval(&self, state: &A) -> Cost {
        if let Some(nibbles) = state.nibbles() {
            let tiles = nibbles.to_le_bytes().into_iter();
            return self
                .pairs
                .iter()
                .zip(tiles)
                .map(|(sums, tiles)| Cost::from(sums[usize::from(tiles)]))
                .sum();
        }
        let cells = (0..self.goals.len() as u16).map(Cell::new);
        if let Some(small) = &self.small {
            return cells.map(|at| Cost::from(small[by_cell_and_tile(at, state.tile(at))])).sum();
        }
        let tiles = cells.map(|at| (at, state.tile(at))).filter(|(_, tile)| !tile.is_blank());
        tiles.map(|(cell, tile)| self.distance(cell, tile)).sum()
    }

    #[inline(always)]
    fn step(&self, &before: &Cost, after: &A, slide: Slide) -> Cost {
        let MovedTile { tile, from, to } = after.moved_tile(self.dims, slide);
        if let Some(small) = &self.small {
            let distance = |cell| Cost::from(small[by_cell_and_tile(cell, tile)]);
            return before + distance(to) - distance(from);
        }
        before + self.distance(to, tile) - self.distance(from, tile)
    }

    #[inline]
    fn value(&self, &memo: &Cost) -> Cost {
        memo
    }
}

/// The index of a distance in the table for small boards. Both numbers are less than 16; the mask lets
/// the compiler omit the bounds check.
#[inline]
fn by_cell_and_tile(cell: Cell, tile: Tile) -> usize {
    (cell.index() << 4 | tile.index()) & 0xff
}
