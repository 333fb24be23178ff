//! The boards of a batch, as every process reads them.

use npuzzle::format::{self, Format};
use npuzzle::{Goal, Instance};
use npuzzle_cluster::BatchBoard;

use crate::exit::Failure;
use crate::io::input::Input;

pub(super) fn read(
    inputs: &[String],
    format: Option<Format>,
    goal: Option<&Goal>,
) -> Result<Vec<BatchBoard>, Failure> {
    let mut boards = Vec::new();
    for arg in inputs {
        let input = Input::from_arg(arg)?;
        for entry in format::read(&input.text, format) {
            let source = input.source.clone();
            boards.push(match entry {
                Ok(entry) => {
                    let goal = goal.cloned().or(entry.goal.map(Goal::Board)).unwrap_or_default();
                    let board = Instance::new(entry.board, &goal).map_err(|e| e.to_string());
                    BatchBoard { board, source, line: entry.line }
                }
                Err(error) => {
                    BatchBoard { board: Err(error.to_string()), source, line: error.line() }
                }
            });
        }
    }
    Ok(boards)
}
