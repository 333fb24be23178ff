//! The puzzle as a search problem in the single-tile metric: an action is a slide.

use std::hash::Hash;

use crate::puzzle::board::{Board, Tile, legal_slides};
use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::instance::Instance;
use crate::puzzle::move_order::MoveOrder;
use crate::puzzle::packed::Packed;
use crate::puzzle::slide::{Slide, Slides};
use crate::search::{Problem, SingleGoal};

/// A representation of boards for searches and heuristics.
///
/// [`Board`] represents any size, [`Packed`] up to 16 cells in one word. Searches and heuristics work
/// with both.
///
/// ```
/// use npuzzle_core::{Arrangement, Board, Packed};
/// fn first_tile<A: Arrangement>(board: &Board) -> Option<u16> {
///     Some(A::from_board(board)?.tile(npuzzle_core::Cell::new(0)).number())
/// }
/// let board = "8 1 3/4 0 2/7 6 5".parse()?;
/// assert_eq!((first_tile::<Board>(&board), first_tile::<Packed>(&board)), (Some(8), Some(8)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Arrangement: Clone + Eq + Hash {
    /// Converts a board; `None` if the type cannot represent its size.
    fn from_board(board: &Board) -> Option<Self>;
    /// Converts back to a board; `dims` must be the size of the original board.
    fn to_board(&self, dims: Dims) -> Board;
    /// The cell of the blank.
    fn blank(&self) -> Cell;
    /// The tile at a cell.
    fn tile(&self, cell: Cell) -> Tile;
    /// The tiles in four bits each, with cell 0 in the lowest bits, if they are stored like this.
    /// Heuristics can then look up two tiles at once. Bits beyond the last cell are 0.
    #[inline]
    fn nibbles(&self) -> Option<u64> {
        None
    }
    /// The tile that `slide` has just moved, on a board of this size. Heuristics step with it. A search that
    /// knows the answer from the slide itself has an arrangement that stores it.
    #[inline(always)]
    fn moved_tile(&self, dims: Dims, slide: Slide) -> MovedTile {
        let from = self.blank();
        let to = dims.source_unchecked(from, slide.opposite());
        MovedTile { tile: self.tile(to), from, to }
    }
    /// Moves the tile at `from`, which must be next to the blank, to the cell of the blank.
    fn move_tile(&mut self, from: Cell);
    /// Bytes that an arrangement of this size occupies.
    fn bytes(dims: Dims) -> usize;
}

/// A tile and the cells between which it has moved.
///
/// ```
/// use npuzzle_core::{Arrangement, Board, Slide, Tile};
/// let after: Board = "8 1 3/4 2 0/7 6 5".parse()?; // the tile 2 has slid left
/// let moved = after.moved_tile(after.dims(), Slide::Left);
/// assert_eq!((moved.tile, moved.from.index(), moved.to.index()), (Tile::new(2), 5, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MovedTile {
    /// The tile.
    pub tile: Tile,
    /// The cell that it left: the blank is there now.
    pub from: Cell,
    /// The cell that it entered.
    pub to: Cell,
}

impl Arrangement for Board {
    fn from_board(board: &Board) -> Option<Board> {
        Some(board.clone())
    }

    fn to_board(&self, _: Dims) -> Board {
        self.clone()
    }

    #[inline]
    fn blank(&self) -> Cell {
        Board::blank(self)
    }

    #[inline]
    fn tile(&self, cell: Cell) -> Tile {
        Board::tile(self, cell)
    }

    #[inline]
    fn move_tile(&mut self, from: Cell) {
        Board::move_tile(self, from);
    }

    fn bytes(dims: Dims) -> usize {
        size_of::<Board>() + dims.cells() * size_of::<Tile>()
    }
}

impl Arrangement for Packed {
    fn from_board(board: &Board) -> Option<Packed> {
        Packed::new(board)
    }

    fn to_board(&self, dims: Dims) -> Board {
        Packed::to_board(*self, dims)
    }

    #[inline]
    fn blank(&self) -> Cell {
        Packed::blank(*self)
    }

    #[inline]
    fn tile(&self, cell: Cell) -> Tile {
        Packed::tile(*self, cell)
    }

    #[inline]
    fn nibbles(&self) -> Option<u64> {
        Some(self.bits())
    }

    #[inline]
    fn move_tile(&mut self, from: Cell) {
        let to = Packed::blank(*self);
        Packed::move_tile(self, from, to);
    }

    fn bytes(_: Dims) -> usize {
        size_of::<Packed>()
    }
}

/// The problem of sliding tiles from a start to a goal, over any [`Arrangement`]. Every slide costs 1.
///
/// ```
/// use npuzzle_core::{Board, Instance, Packed, Sliding};
/// let instance: Instance = "8 1 3/4 0 2/7 6 5".parse()?;
/// assert!(Sliding::<Board>::new(&instance).is_some());
/// assert!(Sliding::<Packed>::new(&instance).is_some());
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sliding<A> {
    dims: Dims,
    start: A,
    goal: A,
    /// The legal slides by the cell of the blank.
    slides: Vec<Slides>,
}

impl<A: Arrangement> Sliding<A> {
    /// The problem of an instance, with children in the default [`MoveOrder`]; `None` if
    /// the arrangement cannot represent its boards.
    pub fn new(instance: &Instance) -> Option<Sliding<A>> {
        Sliding::with_order(instance, MoveOrder::default())
    }

    /// Like [`new`](Sliding::new), with children in the given order.
    pub fn with_order(instance: &Instance, order: MoveOrder) -> Option<Sliding<A>> {
        let (dims, order) = (instance.dims(), order.slides());
        Some(Sliding {
            dims,
            start: A::from_board(instance.start())?,
            goal: A::from_board(instance.goal())?,
            slides: dims.all_cells().map(|blank| legal_slides(dims, blank, order)).collect(),
        })
    }

    /// The size of the boards.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// The goal.
    pub fn goal(&self) -> &A {
        &self.goal
    }
}

impl<A: Arrangement> Problem for Sliding<A> {
    type State = A;
    type Action = Slide;

    fn start(&self) -> A {
        self.start.clone()
    }

    #[inline]
    fn is_goal(&self, state: &A) -> bool {
        *state == self.goal
    }

    #[inline]
    fn actions(&self, state: &A) -> impl Iterator<Item = Slide> {
        self.slides[state.blank().index()].clone()
    }

    #[inline]
    fn apply(&self, state: &mut A, slide: Slide) {
        let from = self.dims.source_unchecked(state.blank(), slide);
        state.move_tile(from);
    }

    #[inline]
    fn inverse(&self, slide: Slide) -> Slide {
        slide.opposite()
    }

    fn state_bytes(&self) -> usize {
        A::bytes(self.dims)
    }
}

impl<A: Arrangement> SingleGoal for Sliding<A> {
    fn goal_state(&self) -> A {
        self.goal.clone()
    }
}
