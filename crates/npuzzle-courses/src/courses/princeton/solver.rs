//! The class `Solver` of the assignment.

use std::error::Error;
use std::fmt;

use npuzzle::{Limit, SolveError};
use npuzzle_core::Instance;

use super::Board;
use crate::course::MEMORY_ONLY;
use crate::outcome::Ending;
use crate::run::run_search;
use crate::search::{CourseHeuristic, CourseSearch, Detection};

/// A shortest solution, the class `Solver` of the assignment.
///
/// The constructor runs the A* that the assignment describes: the Manhattan priority function, the
/// critical optimization (a search node does not enqueue the board of its predecessor), and a second
/// search of the twin in lockstep, which ends first if the board is unsolvable.
///
/// ```
/// use npuzzle_courses::courses::princeton::{Board, Solver};
/// let solver = Solver::new(&Board::new(&[[0, 1, 3], [4, 2, 5], [7, 8, 6]])?)?;
/// assert_eq!((solver.is_solvable(), solver.moves()), (true, Some(4)));
/// assert!(solver.solution().is_some_and(|boards| boards.len() == 5 && boards[4].is_goal()));
///
/// let unsolvable = Solver::new(&Board::new(&[[1, 2, 3], [4, 5, 6], [8, 7, 0]])?)?;
/// assert_eq!((unsolvable.is_solvable(), unsolvable.moves()), (false, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    /// The boards from the initial one to the goal; `None` if the board is unsolvable.
    solution: Option<Vec<Board>>,
}

impl Solver {
    /// Finds a shortest solution of the initial board. Fails if the two searches together need more
    /// than 2 GiB of memory.
    pub fn new(initial: &Board) -> Result<Solver, SolverError> {
        let instance = Instance::from(initial.inner().clone());
        let search = CourseSearch::textbook(CourseHeuristic::Manhattan, Detection::Lockstep);
        let run = run_search(instance, search, MEMORY_ONLY, &mut ());
        let solution = match run.map_err(SolverError::Internal)?.ending {
            Ending::Solved(steps) => {
                Some(steps.into_iter().map(|step| Board::from(step.board)).collect())
            }
            Ending::Unsolvable => None,
            Ending::Stopped(limit, _) => return Err(SolverError::Limit(limit)),
        };
        Ok(Solver { solution })
    }

    /// Whether the initial board is solvable.
    pub fn is_solvable(&self) -> bool {
        self.solution.is_some()
    }

    /// Returns the minimum number of moves; `None` if the board is unsolvable.
    pub fn moves(&self) -> Option<usize> {
        self.solution.as_ref().map(|boards| boards.len() - 1)
    }

    /// Returns the boards of a shortest solution, from the initial board to the goal; `None` if the
    /// board is unsolvable.
    pub fn solution(&self) -> Option<&[Board]> {
        self.solution.as_deref()
    }
}

/// Why a [`Solver`] found neither a solution nor a proof that there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverError {
    /// The search reached this limit.
    Limit(Limit),
    /// The solution failed its replay, which is a bug in this library.
    Internal(SolveError),
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::Limit(Limit::Interrupted) => f.write_str("the search was interrupted"),
            SolverError::Limit(limit) => write!(f, "the search reached its {limit} limit"),
            SolverError::Internal(error) => error.fmt(f),
        }
    }
}

impl Error for SolverError {}
