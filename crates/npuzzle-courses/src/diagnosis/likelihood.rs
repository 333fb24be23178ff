//! How likely an observation is if a program has a given mistake, for the mistakes whose effect needs no
//! simulation.

use npuzzle_core::search::Cost;
use npuzzle_core::{Goal, Instance};

use super::mutant::Mutant;
use super::unknown;
use crate::grade::{Behavior, Observation, QueueAnomaly};

/// Not 0: a program may have more than one mistake, so nothing is impossible.
pub(super) const NEVER: f64 = 0.001;
const RARELY: f64 = 0.02;
const OFTEN: f64 = 0.3;
pub(super) const ALMOST_SURELY: f64 = 0.95;

/// Returns the likelihood of the observation for a board if the program is this mutant; `None` if the
/// mutant must be simulated.
pub(super) fn direct(mutant: &Mutant, instance: &Instance, seen: &Observation) -> Option<f64> {
    let unaffected = if seen.passed { ALMOST_SURELY } else { NEVER };
    let is_solvable = instance.is_solvable();
    Some(match mutant {
        Mutant::OffByOne => match seen.behavior {
            _ if !is_solvable => unaffected,
            Behavior::Miscounted { claimed, moves } if claimed.abs_diff(moves) == 1 => {
                ALMOST_SURELY
            }
            Behavior::Solved(moves) if has_other_parity(moves, seen.shortest) => ALMOST_SURELY,
            Behavior::BoardMissing => ALMOST_SURELY,
            Behavior::Solved(1..) if seen.has_shifted_g => ALMOST_SURELY,
            // Without a move and a reported number there is nothing to miscount.
            Behavior::Solved(0) => unaffected,
            _ => unaffected.min(0.1),
        },
        Mutant::DirectionsSwapped => match seen.behavior {
            Behavior::Solved(1..) if seen.has_reversed_directions => ALMOST_SURELY,
            Behavior::Solved(1..) => NEVER,
            _ => unaffected,
        },
        Mutant::WrongGoal(goal) => wrong_goal(goal, instance, seen, unaffected),
        Mutant::NoDetection => match &seen.behavior {
            _ if is_solvable => unaffected,
            limit if limit.is_limit() => ALMOST_SURELY,
            _ => RARELY,
        },
        Mutant::GoalOnInsertion if is_solvable => match &seen.behavior {
            _ if seen.queue_anomaly == Some(QueueAnomaly::GoalNotRemoved) => ALMOST_SURELY,
            _ if instance.start() != instance.goal() => unaffected,
            Behavior::Solved(2 | 12) => ALMOST_SURELY,
            Behavior::ReportedUnsolvable => OFTEN,
            limit if limit.is_limit() => OFTEN,
            Behavior::Solved(0) => RARELY,
            _ => NEVER,
        },
        // The other mistakes have no effect on unsolvable boards.
        _ if !is_solvable => unaffected,
        Mutant::WrongAncestor if seen.queue_anomaly == Some(QueueAnomaly::StartTwice) => {
            ALMOST_SURELY
        }
        _ => return None,
    })
}

/// Returns the likelihood of a goal before anything was observed. The few common goals are likelier than
/// any other board.
pub(super) fn goal_prior(goal: &Goal) -> f64 {
    if matches!(goal, Goal::Board(_)) { 0.005 } else { 0.3 }
}

/// The likelihood for a program with another goal.
fn wrong_goal(goal: &Goal, instance: &Instance, seen: &Observation, unaffected: f64) -> f64 {
    let Some(goal) = goal.board(instance.dims()) else { return unknown::single(seen) };
    let other = Instance::new(instance.start().clone(), &Goal::Board(goal.clone()));
    let is_reachable = other.is_ok_and(|other| other.is_solvable());
    match &seen.behavior {
        _ if goal == *instance.goal() => unaffected,
        Behavior::WrongEnd(end) if *end == goal => ALMOST_SURELY,
        Behavior::ReportedUnsolvable if !is_reachable => OFTEN,
        limit if limit.is_limit() && !is_reachable => OFTEN,
        _ => NEVER,
    }
}

/// Whether a length is one off. All paths between two boards have the same parity, so no path has
/// such a length.
fn has_other_parity(moves: Cost, shortest: Option<Cost>) -> bool {
    shortest.is_some_and(|shortest| moves.abs_diff(shortest) == 1)
}
