//! What is found of somebody's solution, as `npuzzle check --json` has it.

use npuzzle_core::{Instance, Metric};
use serde::Serialize;

use super::SCHEMA;
use crate::teaching::check::{Checked, Fault, Form, Sense};

/// A solution that was checked.
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
    /// The number of this set of names.
    pub schema: u32,
    /// Whether it solves the puzzle, or rightly says that nothing does.
    pub valid: bool,
    /// Whether it is shortest, if that is known.
    pub shortest: Option<bool>,
    /// The board in slash form.
    pub start: String,
    /// The goal in slash form.
    pub goal: String,
    /// `stm` or `mtm`.
    pub metric: String,
    /// `letters`, `numbers`, `boards`, `claim` or `none`.
    pub read_as: &'static str,
    /// What letters name: the way of the `tile` or of the `blank`.
    pub sense: Option<&'static str>,
    /// Its length in slides.
    pub moves_stm: Option<usize>,
    /// Its length in straight runs.
    pub moves_mtm: Option<usize>,
    /// A length that is named in it.
    pub claimed: Option<u32>,
    /// What is wrong with it, in words.
    pub fault: Option<String>,
    /// At which move, from 1.
    pub fault_step: Option<usize>,
    /// In which line, from 1.
    pub fault_line: Option<usize>,
    /// No solution is shorter.
    pub lower_bound: Option<u32>,
    /// A shortest one is no longer.
    pub upper_bound: Option<u32>,
    /// How many moves it has more than the shortest.
    pub lost: Option<u32>,
    /// The moves, from 1, that lost some.
    pub lost_at: Vec<usize>,
    /// The limit that was reached before all was known.
    pub limit_hit: Option<String>,
}

impl CheckRecord {
    /// Of a puzzle and what was found of its solution.
    pub fn new(puzzle: &Instance, metric: Metric, checked: &Checked) -> CheckRecord {
        let (fault_step, fault_line) = match checked.fault {
            Some(Fault::OtherStart { line }) => (None, Some(line)),
            Some(Fault::Jump { step, line }) => (Some(step), Some(line)),
            Some(Fault::Border { step, .. } | Fault::NotBeside { step, .. }) => (Some(step), None),
            _ => (None, None),
        };
        let has_moves = !matches!(checked.form, Form::Claim | Form::None);
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
                Form::Boards => "boards",
                Form::Letters(_) => "letters",
                Form::Numbers => "numbers",
                Form::Claim => "claim",
                Form::None => "none",
            },
            sense: match checked.form {
                Form::Letters(Sense::Tile) => Some("tile"),
                Form::Letters(Sense::Blank) => Some("blank"),
                _ => None,
            },
            moves_stm: has_moves.then(|| checked.moves.stm()),
            moves_mtm: has_moves.then(|| checked.moves.mtm()),
            claimed: checked.claimed,
            fault: checked.fault.as_ref().map(ToString::to_string),
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
