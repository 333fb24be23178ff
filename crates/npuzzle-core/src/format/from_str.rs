//! `FromStr` for boards, goals and instances: one of them in any format.

use std::str::FromStr;

use super::{FormatError, read_one};
use crate::puzzle::board::Board;
use crate::puzzle::goal::Goal;
use crate::puzzle::instance::Instance;

/// Reads one board in any format of [`format`](crate::format).
impl FromStr for Board {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Board, FormatError> {
        read_one(text, None).map(|entry| entry.board)
    }
}

/// Reads `last`, `first`, `snail` or a board in any format of [`format`](crate::format).
impl FromStr for Goal {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Goal, FormatError> {
        match Goal::from_name(text.trim()) {
            Some(goal) => Ok(goal),
            None => text.parse().map(Goal::Board),
        }
    }
}

/// Reads a start board and, if the text has one, a goal; without a goal it is [`Goal::Last`].
impl FromStr for Instance {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Instance, FormatError> {
        read_one(text, None).map(|entry| match entry.goal {
            Some(goal) => Instance::new_unchecked(entry.board, goal),
            None => Instance::from(entry.board),
        })
    }
}
