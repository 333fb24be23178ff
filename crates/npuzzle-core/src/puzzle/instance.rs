//! A puzzle to solve: a start board and a goal.

use std::error::Error;
use std::fmt;

use crate::puzzle::board::Board;
use crate::puzzle::dims::Dims;
use crate::puzzle::goal::Goal;
use crate::puzzle::solvability::Solvability;

/// A start board and a goal board of the same size.
///
/// Searches and heuristics take an instance and need no further checks.
///
/// ```
/// use npuzzle_core::{Goal, Instance};
/// let easy: Instance = "8 1 3/4 0 2/7 6 5".parse()?;
/// assert!(easy.is_solvable());
/// let never: Instance = "1 2 3/4 5 6/8 7 0".parse()?;
/// assert!(!never.is_solvable());
/// let snail = Instance::new("1 2 3/8 4 0/7 6 5".parse()?, &Goal::Snail)?;
/// assert_eq!(snail.goal().slash().to_string(), "1 2 3/8 0 4/7 6 5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Instance {
    start: Board,
    goal: Board,
}

impl Instance {
    /// Creates an instance; fails if the goal is a board of another size.
    pub fn new(start: Board, goal: &Goal) -> Result<Instance, InstanceError> {
        match goal.board(start.dims()) {
            Some(goal) => Ok(Instance { start, goal }),
            None => {
                let goal = goal.fill(start.dims()).dims();
                Err(InstanceError { start: start.dims(), goal })
            }
        }
    }

    /// Creates an instance of two boards that are known to have the same size.
    pub(crate) fn new_unchecked(start: Board, goal: Board) -> Instance {
        debug_assert_eq!(start.dims(), goal.dims());
        Instance { start, goal }
    }

    /// The size of both boards.
    pub fn dims(&self) -> Dims {
        self.start.dims()
    }

    /// The board to solve.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The board to reach.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// Returns the instance with the first two tiles of the start exchanged. Exactly one of the two
    /// instances is solvable.
    pub fn twin(&self) -> Instance {
        Instance { start: self.start.twin(), goal: self.goal.clone() }
    }

    /// Returns whether the goal can be reached, with the reason.
    pub fn solvability(&self) -> Solvability {
        Solvability::explain(&self.start, &self.goal)
    }

    /// Whether the goal can be reached.
    pub fn is_solvable(&self) -> bool {
        Solvability::of(&self.start, &self.goal).is_solvable()
    }
}

/// The board with the goal [`Goal::Last`].
impl From<Board> for Instance {
    fn from(start: Board) -> Instance {
        let goal = Goal::Last.fill(start.dims());
        Instance { start, goal }
    }
}

/// The error for a goal whose size differs from that of the start.
///
/// ```
/// use npuzzle_core::{Goal, Instance};
/// let error = Instance::new("1 2/3 0".parse()?, &Goal::Board("1 2 3/4 5 0".parse()?)).unwrap_err();
/// assert_eq!(error.to_string(), "the goal is 2x3, but the start is 2x2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InstanceError {
    start: Dims,
    goal: Dims,
}

impl fmt::Display for InstanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the goal is {}, but the start is {}", self.goal, self.start)
    }
}

impl Error for InstanceError {}
