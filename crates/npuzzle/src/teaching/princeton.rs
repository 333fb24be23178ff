//! The `Solver` of the Princeton assignment.

use npuzzle_core::{Board, Boards, Instance, Moves};

use crate::options::{Limits, Options};
use crate::solver::SolveError;

/// Finds a shortest solution when it is made, and tells about it afterwards: the `Solver` of the
/// Princeton assignment. The goal is `1 2 … 0`.
///
/// It has no limits, as in the assignment: large boards may take longer than anybody waits. Use
/// [`Options`] to bound the time, or [`solve`](crate::solver) to get a report.
///
/// ```
/// use npuzzle::teaching::Solver;
/// let solver = Solver::new("0 1 3/4 2 5/7 8 6".parse()?)?;
/// assert!(solver.is_solvable());
/// assert_eq!(solver.moves(), Some(4));
/// let boards: Vec<_> = solver.solution().into_iter().flatten().collect();
/// assert_eq!((boards.len(), boards[4].is_goal()), (5, true));
///
/// let never = Solver::new("1 2 3/4 5 6/8 7 0".parse()?)?;
/// assert_eq!((never.is_solvable(), never.moves()), (false, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    start: Board,
    is_solvable: bool,
    moves: Option<Moves>,
}

impl Solver {
    /// Finds a shortest solution of a board. The error is a mistake in this library, and no board is
    /// known to have it.
    pub fn new(board: Board) -> Result<Solver, SolveError> {
        let options = Options { limits: Limits::NONE, optimal: true, ..Options::default() };
        let instance = Instance::from(board.clone());
        let moves = options.solve(&instance)?.moves().cloned();
        Ok(Solver { start: board, is_solvable: instance.is_solvable(), moves })
    }

    /// Whether the board can be solved.
    pub fn is_solvable(&self) -> bool {
        self.is_solvable
    }

    /// The least number of moves; `None` if the board cannot be solved.
    pub fn moves(&self) -> Option<usize> {
        self.moves.as_ref().map(Moves::stm)
    }

    /// The boards of a shortest solution from the first to the goal; `None` if there is none.
    pub fn solution(&self) -> Option<Boards<'_>> {
        self.moves.as_ref()?.boards(&self.start).ok()
    }
}
