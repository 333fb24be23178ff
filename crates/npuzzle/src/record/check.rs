//! What is found of somebody's solution, as `npuzzle check --json` has it.

use npuzzle_core::{Instance, Metric};
use serde::Serialize;

use super::SCHEMA;
use crate::check::{Checked, Fault, Form, Sense};

/// A solution that was checked.
#[derive(Serialize, Clone, Debug)]
#[allow(missing_docs)]
pub struct CheckRecord {
    pub schema: u32,
    pub valid: bool,
    pub shortest: Option<bool>,
    pub start: String,
    pub goal: String,
    pub metric: String,
    pub read_as: &'static str,
    pub sense: Option<&'static str>,
    pub moves_stm: Option<usize>,
    pub moves_mtm: Option<usize>,
    pub claimed: Option<u32>,
    pub fault: Option<String>,
    pub fault_step: Option<usize>,
    pub fault_line: Option<usize>,
    pub lower_bound: Option<u32>,
    pub upper_bound: Option<u32>,
    pub lost: Option<u32>,
    pub lost_at: Vec<usize>,
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
