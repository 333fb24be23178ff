//! The class `Board` of the assignment.

use std::fmt;

use npuzzle_core::{BoardError, Cell};

/// An immutable n-by-n board, the class `Board` of the assignment. The goal is `1 2 … 0`.
///
/// Every method takes time proportional to n² or less.
///
/// ```
/// use npuzzle_courses::courses::princeton::Board;
/// let board = Board::new(&[[8, 1, 3], [4, 0, 2], [7, 6, 5]])?;
/// assert_eq!((board.dimension(), board.hamming(), board.manhattan()), (3, 5, 10));
/// assert_eq!(board.neighbors().count(), 4);
/// assert_eq!(board.twin().to_string(), "3\n 1  8  3 \n 4  0  2 \n 7  6  5 \n");
/// # Ok::<(), npuzzle::BoardError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board(npuzzle_core::Board);

impl Board {
    /// Creates a board from its rows of blocks, 0 for the blank square. Fails unless the blocks
    /// form a square of 2 ≤ n < 128 and are the numbers from 0 to n² − 1.
    pub fn new<R: AsRef<[u16]>>(blocks: &[R]) -> Result<Board, BoardError> {
        let board = npuzzle_core::Board::from_rows(blocks)?;
        let (n_rows, n_cols) = (board.dims().rows(), board.dims().cols());
        if n_rows != n_cols {
            return Err(BoardError::Ragged { row: 0, expected: n_rows, found: n_cols });
        }
        Ok(Board(board))
    }

    /// Returns the board dimension n.
    pub fn dimension(&self) -> usize {
        self.0.dims().rows()
    }

    /// Returns the number of blocks out of place.
    pub fn hamming(&self) -> usize {
        self.blocks().filter(|(cell, goal_cell)| cell != goal_cell).count()
    }

    /// Returns the sum of the Manhattan distances between the blocks and their goal cells.
    pub fn manhattan(&self) -> usize {
        let dims = self.0.dims();
        self.blocks().map(|(cell, goal_cell)| dims.distance(cell, goal_cell)).sum()
    }

    /// Whether this is the goal board.
    pub fn is_goal(&self) -> bool {
        self.hamming() == 0
    }

    /// Returns the board with its first two blocks exchanged. Exactly one of a board and its twin
    /// is solvable.
    pub fn twin(&self) -> Board {
        Board(self.0.twin())
    }

    /// Returns the boards that are one move away.
    pub fn neighbors(&self) -> impl Iterator<Item = Board> + '_ {
        self.0.neighbors().map(Board)
    }

    /// The cell and the goal cell of every block.
    fn blocks(&self) -> impl Iterator<Item = (Cell, Cell)> + '_ {
        let tiles = (0..).map(Cell::new).zip(self.0.tiles());
        let blocks = tiles.filter(|(_, tile)| !tile.is_blank());
        blocks.map(|(cell, tile)| (cell, Cell::new(tile.number() - 1)))
    }

    pub(super) fn inner(&self) -> &npuzzle_core::Board {
        &self.0
    }
}

impl From<npuzzle_core::Board> for Board {
    /// Boards that are not square are accepted as well; their dimension is the number of rows.
    fn from(board: npuzzle_core::Board) -> Board {
        Board(board)
    }
}

/// The format of the assignment's `toString`: the dimension, then the rows, each block as `%2d` and
/// a space.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
