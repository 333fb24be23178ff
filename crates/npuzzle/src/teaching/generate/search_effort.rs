//! Boards on which a given algorithm expands a given number of states.

use std::ops::RangeInclusive;

use npuzzle_core::search::Limit;
use npuzzle_core::{Board, Instance, Random};

use crate::limits::Clock;
use crate::options::{Limits, Options};
use crate::plan::MAX_PROVED_CELLS;
use crate::report::Answer;

use super::Generator;
use super::error::GenerateError;

/// The length of the random walk that replaces a shortest path on large boards.
const WALK_SLIDES: usize = 100;

/// Looks for a board whose search expands a number of states in the range, on one path to the goal.
///
/// The effort mostly decreases along a path to the goal, so the board is found by bisection. Returns
/// `None` if the bisection finds none.
pub(super) fn board_of_effort(
    generator: &mut Generator,
    expanded: &RangeInclusive<u64>,
    random: &mut Random,
    clock: &mut Clock<'_>,
) -> Result<Option<Instance>, GenerateError> {
    let path = path_to_goal(generator, random, clock)?;
    let (mut far, mut near) = (0, path.len());
    while far < near {
        let middle = far.midpoint(near);
        let instance = generator.instance(path[middle].clone());
        match n_expanded(generator, &instance, *expanded.end(), clock)? {
            Some(n) if expanded.contains(&n) => return Ok(Some(instance)),
            Some(n) if n < *expanded.start() => near = middle,
            _ => far = middle + 1,
        }
    }
    Ok(None)
}

/// Returns the boards of a path to the goal, the farthest first.
fn path_to_goal(
    generator: &mut Generator,
    random: &mut Random,
    clock: &mut Clock<'_>,
) -> Result<Vec<Board>, GenerateError> {
    let goal = generator.spec.goal.clone();
    if goal.dims().cells() <= MAX_PROVED_CELLS {
        let report = generator.solve(&random.instance(&goal, true), false, clock)?;
        let boards = report.moves().map(|moves| moves.boards(report.instance.start()));
        return Ok(boards.and_then(Result::ok).map(Iterator::collect).unwrap_or_default());
    }
    // Random boards of this size are too hard for a shortest path.
    let mut path = Vec::new();
    random.walk_through(&goal, WALK_SLIDES, |board| path.push(board.clone()));
    path.reverse();
    Ok(path)
}

/// Returns the number of states that the specified algorithm expands, or `None` if it exceeds
/// `max_expanded`.
pub(super) fn n_expanded(
    generator: &mut Generator,
    instance: &Instance,
    max_expanded: u64,
    clock: &mut Clock<'_>,
) -> Result<Option<u64>, GenerateError> {
    let options = &generator.spec.options;
    let nodes = Some(max_expanded.saturating_add(1));
    let limits = Limits { time: None, nodes, ..options.limits };
    let options = Options { limits, all: None, ..options.clone() };
    let report = options.solve_with(instance, &mut generator.tables, clock)?;
    match report.answer {
        Answer::Solved(_) => Ok(Some(report.stats.expanded)),
        Answer::Stopped(Limit::Nodes) | Answer::Unsolvable => Ok(None),
        Answer::Stopped(limit) => Err(GenerateError::Limit(limit)),
    }
}
