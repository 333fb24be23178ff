//! Checks a solution: whether it is valid, whether it is shortest, and which moves are wasted.

pub(crate) mod find_boards;
mod move_words;
mod quality;
mod read;
mod solution_error;

use std::error::Error;
use std::fmt;

use npuzzle_core::search::{Cost, Watch};
use npuzzle_core::{Instance, Metric, Moves};

use crate::options::Options;
use crate::solver::SolveError;
use crate::tables::cache::Tables;

pub use find_boards::find_boards;
pub use move_words::first_unknown_token;
pub use quality::{Loss, SolutionQuality};
pub use read::{Sense, SolutionForm, find_moves};
pub use solution_error::SolutionError;

/// The result of a check.
///
/// ```
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let checked = Options::default().check(&puzzle, "R D", &mut Tables::new(), &mut ())?;
/// assert!(checked.is_valid());
/// assert_eq!((checked.is_shortest(), checked.moves.to_string().as_str()), (Some(true), "L U"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckResult {
    /// The form in which the text was read.
    pub form: SolutionForm,
    /// The slides, up to the error if there is one.
    pub moves: Moves,
    /// The error in the solution, if any.
    pub error: Option<SolutionError>,
    /// The number of moves that the text claims, if it claims one.
    pub claimed: Option<Cost>,
    /// How good the solution is; `None` if it has an error.
    pub quality: Option<SolutionQuality>,
}

impl CheckResult {
    /// Returns whether the text solves the puzzle, or claims correctly that it has no solution.
    pub fn is_valid(&self) -> bool {
        self.error.is_none()
    }

    /// Returns whether the solution is shortest; `None` if that is not known.
    pub fn is_shortest(&self) -> Option<bool> {
        let quality = self.quality.as_ref()?;
        if quality.length <= quality.lower_bound {
            Some(true)
        } else {
            (quality.length > quality.upper_bound).then_some(false)
        }
    }
}

impl Options {
    /// Checks a text as a solution of a puzzle.
    ///
    /// The text may contain boards in any format that a course prints, letters or words for the
    /// directions of the tiles or of the blank, or tile numbers. The metric and the limits of the
    /// options hold for the searches that compare the solution with the shortest one. `tables`
    /// receives the tables that are built, and `watch` can stop the comparison.
    ///
    /// # Errors
    ///
    /// The text has neither boards nor moves, or the options cannot be combined. An invalid solution
    /// is not an error: see [`CheckResult::error`].
    ///
    /// ```
    /// use npuzzle::{Options, Tables};
    /// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
    /// let checked = Options::default().check(&puzzle, "L R L U", &mut Tables::new(), &mut ())?;
    /// assert!(checked.is_valid());
    /// assert_eq!(checked.is_shortest(), Some(false));
    /// assert_eq!(checked.quality.map(|quality| quality.losses[0].step), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(
        &self,
        puzzle: &Instance,
        text: &str,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<CheckResult, CheckError> {
        let mut checked = read::read(text, puzzle).ok_or(CheckError::Unreadable)?;
        match (checked.form, puzzle.is_solvable()) {
            (SolutionForm::NoSolution, true) => {
                checked.error = Some(SolutionError::ClaimsUnsolvable);
            }
            (SolutionForm::NoSolution, false) => {}
            (_, false) => checked.error = Some(SolutionError::Unsolvable),
            (SolutionForm::MoveCount, true) => {
                self.check_move_count(puzzle, &mut checked, tables, watch)?;
            }
            (_, true) if checked.error.is_none() => {
                checked.error = wrong_move_count(&checked);
                checked.quality =
                    Some(quality::assess(self, puzzle, &checked.moves, tables, watch)?);
            }
            (_, true) => {}
        }
        Ok(checked)
    }

    /// Checks a text that claims a number of moves and has none.
    fn check_move_count(
        &self,
        puzzle: &Instance,
        checked: &mut CheckResult,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<(), CheckError> {
        let report = self.solve_with(puzzle, tables, watch)?;
        let (Some(claimed), Some(lower_bound)) = (checked.claimed, report.lower_bound) else {
            return Ok(());
        };
        if claimed < lower_bound {
            checked.error = Some(SolutionError::WrongMoveCount { claimed, found: lower_bound });
        }
        let known = report.upper_bound().unwrap_or(claimed);
        let upper_bound = if claimed < lower_bound { known } else { known.min(claimed) };
        checked.quality = Some(SolutionQuality {
            length: claimed,
            lower_bound,
            upper_bound,
            losses: Vec::new(),
            stopped: None,
        });
        Ok(())
    }
}

/// Returns an error if the claimed number of moves is that of no metric.
fn wrong_move_count(checked: &CheckResult) -> Option<SolutionError> {
    let claimed = checked.claimed?;
    let is_right = Metric::ALL.map(|metric| checked.moves.len(metric) as Cost).contains(&claimed);
    let found = checked.moves.stm() as Cost;
    (!is_right).then_some(SolutionError::WrongMoveCount { claimed, found })
}

/// Why a text cannot be checked.
///
/// ```
/// use npuzzle::teaching::CheckError;
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let unread = Options::default().check(&puzzle, "?", &mut Tables::new(), &mut ());
/// assert_eq!(unread.err(), Some(CheckError::Unreadable));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CheckError {
    /// The text has neither boards of the puzzle's size nor moves.
    Unreadable,
    /// The puzzle could not be solved for comparison.
    Solve(SolveError),
}

impl From<SolveError> for CheckError {
    fn from(error: SolveError) -> CheckError {
        CheckError::Solve(error)
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Unreadable => f.write_str(
                "found neither boards of the puzzle's size, nor moves, nor tile numbers",
            ),
            CheckError::Solve(error) => error.fmt(f),
        }
    }
}

impl Error for CheckError {}
