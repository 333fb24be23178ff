//! The puzzle as a search problem in the single-tile metric: an action is a slide. Slides cost 1, or
//! what the moved tile costs.

use std::hash::Hash;

use crate::puzzle::board::{Board, Tile, legal_slides};
use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::instance::Instance;
use crate::puzzle::move_order::MoveOrder;
use crate::puzzle::packed::Packed;
use crate::puzzle::slide::{Slide, Slides};
use crate::search::{Cost, Problem, SingleGoal};

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

/// The cost of a slide, by the tile that moves.
///
/// ```
/// use npuzzle_core::{Dims, SlideCost, Tile, TileCosts, UnitCost};
/// let costs = TileCosts::by_number(Dims::new(3, 3)?);
/// assert_eq!((UnitCost.of(Tile::new(8)), costs.of(Tile::new(8))), (1, 8));
/// # Ok::<(), npuzzle_core::DimsError>(())
/// ```
pub trait SlideCost: Clone {
    /// Whether every slide costs 1, so that searches need not look at the tile.
    const IS_UNIT: bool = false;

    /// Returns the cost of moving this tile by one cell.
    fn of(&self, tile: Tile) -> Cost;
}

/// Every slide costs 1.
///
/// ```
/// use npuzzle_core::{SlideCost, Tile, UnitCost};
/// assert_eq!(UnitCost.of(Tile::new(7)), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UnitCost;

impl SlideCost for UnitCost {
    const IS_UNIT: bool = true;

    #[inline(always)]
    fn of(&self, _: Tile) -> Cost {
        1
    }
}

/// A cost for each tile of a board.
///
/// ```
/// use npuzzle_core::{Dims, SlideCost, Tile, TileCosts};
/// let costs = TileCosts::new(Dims::new(2, 2)?, |tile| u32::from(tile.number() % 2));
/// assert_eq!([1, 2, 3].map(|number| costs.of(Tile::new(number))), [1, 0, 1]);
/// # Ok::<(), npuzzle_core::DimsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileCosts {
    /// By tile; 0 for the blank.
    costs: Box<[Cost]>,
}

impl TileCosts {
    /// The costs that a function gives to the tiles of boards of this size.
    pub fn new(dims: Dims, cost: impl Fn(Tile) -> Cost) -> TileCosts {
        let tiles = (1..dims.cells() as u16).map(Tile::new);
        TileCosts { costs: [0].into_iter().chain(tiles.map(cost)).collect() }
    }

    /// Every slide costs the number of the tile.
    pub fn by_number(dims: Dims) -> TileCosts {
        TileCosts::new(dims, |tile| Cost::from(tile.number()))
    }
}

impl SlideCost for TileCosts {
    #[inline]
    fn of(&self, tile: Tile) -> Cost {
        self.costs[tile.index()]
    }
}

/// The problem of sliding tiles from a start to a goal, over any [`Arrangement`]. Every slide costs 1
/// ([`UnitCost`]), or what [`TileCosts`] gives to the tile.
///
/// ```
/// use npuzzle_core::search::{Budget, Outcome, Problem, idastar};
/// use npuzzle_core::{Board, Instance, Packed, Sliding, TileCosts, heuristic::TileCostManhattan};
/// let instance: Instance = "2 3 6/1 0 7/4 8 5".parse()?;
/// assert!(Sliding::<Board>::new(&instance).is_some());
///
/// let costs = TileCosts::by_number(instance.dims());
/// let problem = Sliding::<Packed, _>::with_costs(&instance, costs.clone()).expect("nine cells fit");
/// let h = TileCostManhattan::new(instance.goal(), costs);
/// let Outcome::Solved(path) = idastar(&problem, &h, Budget::NONE, &mut ()).outcome else { panic!() };
/// let mut board = problem.start();
/// let cost = path.iter().map(|&slide| {
///     problem.apply(&mut board, slide);
///     problem.cost(&board, slide)
/// });
/// assert_eq!((path.len(), cost.sum()), (12, 63));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sliding<A, C = UnitCost> {
    dims: Dims,
    start: A,
    goal: A,
    /// The legal slides by the cell of the blank.
    slides: Vec<Slides>,
    costs: C,
}

impl<A: Arrangement> Sliding<A> {
    /// The problem of an instance with unit costs, and with children in the default
    /// [`MoveOrder`]; `None` if the arrangement cannot represent its boards.
    pub fn new(instance: &Instance) -> Option<Sliding<A>> {
        Sliding::with_order(instance, MoveOrder::default())
    }

    /// Like [`new`](Sliding::new), with children in the given order.
    pub fn with_order(instance: &Instance, order: MoveOrder) -> Option<Sliding<A>> {
        Some(Sliding::with_costs(instance, UnitCost)?.ordered(order))
    }
}

impl<A: Arrangement, C: SlideCost> Sliding<A, C> {
    /// The problem of an instance in which slides have these costs, with children in the default
    /// [`MoveOrder`]; `None` if the arrangement cannot represent its boards.
    pub fn with_costs(instance: &Instance, costs: C) -> Option<Sliding<A, C>> {
        let dims = instance.dims();
        let problem = Sliding {
            dims,
            start: A::from_board(instance.start())?,
            goal: A::from_board(instance.goal())?,
            slides: Vec::new(),
            costs,
        };
        Some(problem.ordered(MoveOrder::default()))
    }

    /// The same problem with children in the given order.
    pub fn ordered(self, order: MoveOrder) -> Sliding<A, C> {
        let legal = |blank| legal_slides(self.dims, blank, order.slides());
        Sliding { slides: self.dims.all_cells().map(legal).collect(), ..self }
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

impl<A: Arrangement, C: SlideCost> Problem for Sliding<A, C> {
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

    #[inline(always)]
    fn cost(&self, after: &A, slide: Slide) -> Cost {
        if C::IS_UNIT {
            return 1;
        }
        self.costs.of(after.moved_tile(self.dims, slide).tile)
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
