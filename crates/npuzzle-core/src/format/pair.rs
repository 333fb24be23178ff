//! The format `pair`: a start and a goal, one grid under the other.

use super::error::{Fault, Reason};
use super::tiles::{board_from_written_rows, is_permutation};
use super::token::{Token, span};
use crate::puzzle::board::Board;
use crate::puzzle::dims::Dims;

/// Reads the start and the goal from their rows.
pub(super) fn pair(text: &str, rows: &[&[Token]]) -> Result<(Board, Board), Fault> {
    if let Some(fault) = goal_of_another_size(rows) {
        return Err(fault);
    }
    let (start, goal) = rows.split_at(rows.len() / 2);
    if start.len() != goal.len() {
        let last_row = rows.last().map_or(span(&[]), |row| span(row));
        return Err(Fault::new(Reason::OddRows { rows: rows.len() }, last_row));
    }
    Ok((board_from_written_rows(text, start)?, board_from_written_rows(text, goal)?))
}

/// Returns a fault if a complete start is followed by rows of another length, all of the same length.
fn goal_of_another_size(rows: &[&[Token]]) -> Option<Fault> {
    let cols = rows.first()?.len();
    let n_start = rows.iter().position(|row| row.len() != cols)?;
    let (start, goal) = rows.split_at(n_start);
    let goal_cols = goal.first()?.len();
    if goal.iter().any(|row| row.len() != goal_cols) || !is_permutation(&start.concat()) {
        return None;
    }
    let (start, goal_dims) =
        (Dims::new(n_start, cols).ok()?, Dims::new(goal.len(), goal_cols).ok()?);
    Some(Fault::new(Reason::GoalSize { start, goal: goal_dims }, span(goal[0])))
}
