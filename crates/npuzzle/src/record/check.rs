//! The record of `npuzzle check --json`.

use npuzzle_core::{Instance, Metric};
use serde::Serialize;

use super::SCHEMA;
use crate::teaching::check::{CheckResult, Sense, SolutionError, SolutionForm};

/// The result of checking a solution.
///
/// ```
/// use npuzzle::{Metric, Options, Tables, record::CheckRecord};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let checked = Options::default().check(&puzzle, "L R L U", &mut Tables::new(), &mut ())?;
/// let record = CheckRecord::new(&puzzle, Metric::Stm, &checked);
/// assert_eq!((record.valid, record.lost, record.lost_at), (true, Some(2), vec![2]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct CheckRecord {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Whether the text solves the puzzle, or claims correctly that it has no solution.
    pub valid: bool,
    /// Whether the solution is shortest, if that is known.
    pub shortest: Option<bool>,
    /// The board in slash form.
    pub start: String,
    /// The goal in slash form.
    pub goal: String,
    /// `stm` or `mtm`.
    pub metric: String,
    /// `letters`, `numbers`, `boards`, `claim` or `none`.
    pub read_as: &'static str,
    /// Whose direction letters name: `tile` or `blank`.
    pub sense: Option<&'static str>,
    /// The length in slides.
    pub moves_stm: Option<usize>,
    /// The length in straight runs.
    pub moves_mtm: Option<usize>,
    /// The number of moves that the text claims.
    pub claimed: Option<u32>,
    /// The error in the solution, as a sentence.
    pub fault: Option<String>,
    /// The move with the error, from 1.
    pub fault_step: Option<usize>,
    /// The line with the error, from 1.
    pub fault_line: Option<usize>,
    /// A lower bound on the length of all solutions.
    pub lower_bound: Option<u32>,
    /// The length of the shortest solution known.
    pub upper_bound: Option<u32>,
    /// The number of wasted moves: the length minus the shortest length.
    pub lost: Option<u32>,
    /// The moves, from 1, that lengthen the shortest solution.
    pub lost_at: Vec<usize>,
    /// The limit that stopped the check, if any.
    pub limit_hit: Option<String>,
}

impl CheckRecord {
    /// Returns the record of a check.
    pub fn new(puzzle: &Instance, metric: Metric, checked: &CheckResult) -> CheckRecord {
        let (fault_step, fault_line) = match checked.error {
            Some(SolutionError::WrongStart { line }) => (None, Some(line)),
            Some(SolutionError::NotOneSlide { step, line }) => (Some(step), Some(line)),
            Some(
                SolutionError::OffBoard { step, .. } | SolutionError::NotAdjacent { step, .. },
            ) => (Some(step), None),
            _ => (None, None),
        };
        let has_moves = !matches!(checked.form, SolutionForm::MoveCount | SolutionForm::NoSolution);
        let quality = checked.quality.as_ref();
        let lost_at = quality.iter().flat_map(|quality| &quality.losses);
        CheckRecord {
            schema: SCHEMA,
            valid: checked.is_valid(),
            shortest: checked.is_shortest(),
            start: puzzle.start().slash().to_string(),
            goal: puzzle.goal().slash().to_string(),
            metric: metric.to_string(),
            read_as: match checked.form {
                SolutionForm::Boards => "boards",
                SolutionForm::Letters(_) => "letters",
                SolutionForm::Numbers => "numbers",
                SolutionForm::MoveCount => "claim",
                SolutionForm::NoSolution => "none",
            },
            sense: match checked.form {
                SolutionForm::Letters(Sense::Tile) => Some("tile"),
                SolutionForm::Letters(Sense::Blank) => Some("blank"),
                _ => None,
            },
            moves_stm: has_moves.then(|| checked.moves.stm()),
            moves_mtm: has_moves.then(|| checked.moves.mtm()),
            claimed: checked.claimed,
            fault: checked.error.as_ref().map(ToString::to_string),
            fault_step,
            fault_line,
            lower_bound: quality.map(|quality| quality.lower_bound),
            upper_bound: quality.map(|quality| quality.upper_bound),
            lost: quality
                .filter(|quality| quality.lower_bound == quality.upper_bound)
                .map(|quality| quality.length.saturating_sub(quality.upper_bound)),
            lost_at: lost_at.map(|loss| loss.step).collect(),
            limit_hit: quality.and_then(|quality| quality.stopped).map(|limit| limit.to_string()),
        }
    }
}
