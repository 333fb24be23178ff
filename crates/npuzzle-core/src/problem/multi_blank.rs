//! The puzzle with several blanks as a search problem: an action moves one tile into an adjacent blank.
//!
//! The blanks are not told apart, so a board of nine cells with seven tiles is one of 9!/2. With two or
//! more blanks every board can reach every other: exchanging two blanks makes an odd permutation even.

use std::fmt;

use crate::problem::sliding::MovedTile;
use crate::puzzle::board::{Board, BoardError, Tile};
use crate::puzzle::dims::{Cell, Dims};
use crate::puzzle::goal::Goal;
use crate::puzzle::instance::Instance;
use crate::puzzle::random::Random;
use crate::search::{Problem, SingleGoal};

/// An arrangement of the tiles 1 to n and of one or more blanks.
///
/// ```
/// use npuzzle_core::{Dims, MultiBlankBoard};
/// let dims = Dims::new(3, 3)?;
/// let board = MultiBlankBoard::new(dims, &[1, 2, 3, 4, 0, 5, 7, 0, 6])?;
/// assert_eq!((board.n_tiles(), board.to_string()), (7, "1 2 3/4 0 5/7 0 6".to_owned()));
/// assert!(MultiBlankBoard::new(dims, &[1, 2, 3, 4, 0, 5, 8, 0, 6]).is_err()); // no tile 7
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MultiBlankBoard {
    dims: Dims,
    tiles: Box<[Tile]>,
}

impl MultiBlankBoard {
    /// Creates a board from its tiles, row by row; 0 is a blank. With n tiles, these must be 1 to n, each
    /// once, and there must be a blank.
    pub fn new(dims: Dims, tiles: &[u16]) -> Result<MultiBlankBoard, BoardError> {
        if tiles.len() != dims.cells() {
            return Err(BoardError::WrongCount { expected: dims.cells(), found: tiles.len() });
        }
        let n_tiles = tiles.iter().filter(|&&tile| tile != 0).count();
        let max = n_tiles.min(dims.cells() - 1);
        let mut seen_at = vec![None; max + 1];
        for (cell, &tile) in tiles.iter().enumerate().filter(|(_, tile)| **tile != 0) {
            match seen_at.get_mut(usize::from(tile)) {
                None => return Err(BoardError::OutOfRange { tile, cell, max }),
                Some(Some(first)) => {
                    return Err(BoardError::Duplicate { tile, first: *first, second: cell });
                }
                Some(seen) => *seen = Some(cell),
            }
        }
        Ok(MultiBlankBoard { dims, tiles: tiles.iter().copied().map(Tile::new).collect() })
    }

    /// The solved board: the tiles in order, and the blanks last. It has one blank at least.
    pub fn solved(dims: Dims, n_tiles: usize) -> MultiBlankBoard {
        let n_tiles = n_tiles.min(dims.cells() - 1);
        let tile = |cell| Tile::new(if cell <= n_tiles { cell as u16 } else { 0 });
        MultiBlankBoard { dims, tiles: (1..=dims.cells()).map(tile).collect() }
    }

    /// Returns a uniformly distributed board of this size and number of tiles, with one blank at least.
    pub fn random(dims: Dims, n_tiles: usize, random: &mut Random) -> MultiBlankBoard {
        let is_tile = |tile: &Tile| tile.index() <= n_tiles;
        let board = random.board(dims);
        let tiles =
            board.tiles().iter().map(|tile| Some(*tile).filter(is_tile).unwrap_or(Tile::BLANK));
        MultiBlankBoard { dims, tiles: tiles.collect() }
    }

    /// The size.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// The tiles, row by row.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// The tile at a cell.
    #[inline]
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles[cell.index()]
    }

    /// The number of tiles.
    pub fn n_tiles(&self) -> usize {
        self.tiles.iter().filter(|tile| !tile.is_blank()).count()
    }

    /// Returns the cell of each tile, indexed by tile. Index 0 has a cell of no meaning.
    pub(crate) fn cells_by_tile(&self) -> Vec<Cell> {
        let mut cells = vec![Cell::new(0); self.n_tiles() + 1];
        for (cell, tile) in self.dims.all_cells().zip(&self.tiles) {
            cells[tile.index()] = cell;
        }
        cells
    }

    /// The same board as a [`Board`], if it has one blank.
    fn to_board(&self) -> Option<Board> {
        let tiles: Vec<u16> = self.tiles.iter().map(|tile| tile.number()).collect();
        Board::new(self.dims, &tiles).ok()
    }
}

/// Writes the rows on one line, separated by slashes.
impl fmt::Display for MultiBlankBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, tile) in self.tiles.iter().enumerate() {
            let before = match cell {
                0 => "",
                _ if cell % self.dims.cols() == 0 => "/",
                _ => " ",
            };
            write!(f, "{before}{tile}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for MultiBlankBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MultiBlankBoard({self})")
    }
}

/// The problem of sliding tiles from a start to a goal on boards with one or more blanks. Every move
/// costs 1.
///
/// ```
/// use npuzzle_core::heuristic::MultiBlankManhattan;
/// use npuzzle_core::search::{Budget, Outcome, idastar};
/// use npuzzle_core::{Dims, MultiBlankBoard, MultiBlankSliding};
///
/// let dims = Dims::new(3, 3)?;
/// let start = MultiBlankBoard::new(dims, &[4, 3, 0, 5, 1, 6, 7, 2, 0])?;
/// let goal = MultiBlankBoard::solved(dims, 7);
/// let h = MultiBlankManhattan::new(&goal);
/// let problem = MultiBlankSliding::new(start, goal).expect("both have seven tiles");
/// let report = idastar(&problem, &h, Budget::NONE, &mut ());
/// assert!(matches!(report.outcome, Outcome::Solved(path) if path.len() == 11));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MultiBlankSliding {
    start: MultiBlankBoard,
    goal: MultiBlankBoard,
    /// The adjacent cells of each cell.
    neighbors: Vec<Vec<Cell>>,
}

impl MultiBlankSliding {
    /// The problem of a start and a goal; `None` if they differ in size or in the number of tiles.
    pub fn new(start: MultiBlankBoard, goal: MultiBlankBoard) -> Option<MultiBlankSliding> {
        let dims = start.dims;
        let same = dims == goal.dims && start.n_tiles() == goal.n_tiles();
        let adjacent =
            |cell| dims.all_cells().filter(move |&other| dims.distance(cell, other) == 1).collect();
        same.then(|| MultiBlankSliding {
            neighbors: dims.all_cells().map(adjacent).collect(),
            start,
            goal,
        })
    }

    /// Whether the goal can be reached: always with two or more blanks, by parity with one.
    pub fn is_solvable(&self) -> bool {
        match (self.start.to_board(), self.goal.to_board()) {
            (Some(start), Some(goal)) => Instance::new(start, &Goal::Board(goal))
                .is_ok_and(|instance| instance.is_solvable()),
            _ => true,
        }
    }
}

impl Problem for MultiBlankSliding {
    type State = MultiBlankBoard;
    type Action = MovedTile;

    fn start(&self) -> MultiBlankBoard {
        self.start.clone()
    }

    fn is_goal(&self, state: &MultiBlankBoard) -> bool {
        *state == self.goal
    }

    fn actions(&self, state: &MultiBlankBoard) -> impl Iterator<Item = MovedTile> {
        let blanks = state.dims.all_cells().filter(|&cell| state.tile(cell).is_blank());
        let into = move |to: Cell| {
            let moved = move |&from: &Cell| MovedTile { tile: state.tile(from), from, to };
            self.neighbors[to.index()].iter().map(moved).filter(|moved| !moved.tile.is_blank())
        };
        blanks.flat_map(into)
    }

    fn apply(&self, state: &mut MultiBlankBoard, moved: MovedTile) {
        state.tiles.swap(moved.from.index(), moved.to.index());
    }

    fn inverse(&self, moved: MovedTile) -> MovedTile {
        MovedTile { from: moved.to, to: moved.from, ..moved }
    }

    fn state_bytes(&self) -> usize {
        size_of::<MultiBlankBoard>() + size_of_val(&*self.start.tiles)
    }
}

impl SingleGoal for MultiBlankSliding {
    fn goal_state(&self) -> MultiBlankBoard {
        self.goal.clone()
    }
}
