//! The boards found in a text, valid or not, before their positions become line numbers.

use super::error::{Fault, FormatError, Reason};
use super::source::{Source, Span};
use super::{Entry, Format};
use crate::puzzle::board::Board;

/// A start and, if the text has one, a goal.
pub(super) type StartAndGoal = Result<(Board, Option<Board>), Fault>;

/// A board found in the text, valid or not.
pub(super) struct FoundBoard {
    /// Where the board begins.
    pub(super) span: Span,
    pub(super) format: Format,
    pub(super) boards: StartAndGoal,
}

impl FoundBoard {
    pub(super) fn into_entry(self, source: &Source<'_>) -> Result<Entry, FormatError> {
        let (board, goal) = self.boards.map_err(|fault| FormatError::new(source, fault))?;
        let line = source.line_index(self.span.start) + 1;
        Ok(Entry { board, goal, line, format: self.format })
    }
}

/// Returns the boards found in a text, or one fault if there are none.
pub(super) fn at_least_one(source: &Source<'_>, found: Vec<FoundBoard>) -> Vec<FoundBoard> {
    if !found.is_empty() {
        return found;
    }
    let start = source.line(0).map_or(0, |line| line.start);
    let is_empty = source.text[start..].trim().is_empty();
    let reason = if is_empty { Reason::Empty } else { Reason::OnlyComments };
    let span = Span { start, end: start };
    vec![FoundBoard { span, format: Format::Grid, boards: Err(Fault::new(reason, span)) }]
}

/// Returns the only board found, or the first invalid one; several valid boards are a fault.
pub(super) fn exactly_one(mut found: Vec<FoundBoard>) -> Result<FoundBoard, Fault> {
    if let Some(invalid) = found.iter().position(|found| found.boards.is_err()) {
        return Ok(found.swap_remove(invalid));
    }
    match found.get(1) {
        Some(second) => Err(Fault::new(Reason::TooManyBoards { found: found.len() }, second.span)),
        None => Ok(found.swap_remove(0)),
    }
}
