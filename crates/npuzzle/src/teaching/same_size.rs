//! Instances whose start and goal are known to have the same size.

use npuzzle_core::{Board, Goal, Instance};

/// Returns the instance of a start and a goal of the same size.
pub(crate) fn instance(start: Board, goal: &Board) -> Instance {
    match Instance::new(start, &Goal::Board(goal.clone())) {
        Ok(instance) => instance,
        Err(error) => unreachable!("start and goal have the same size: {error}"),
    }
}
