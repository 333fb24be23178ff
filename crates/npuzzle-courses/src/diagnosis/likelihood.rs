//! How likely an observation is if a program has a given mistake.

use npuzzle_core::search::Cost;
use npuzzle_core::{Goal, Instance};

use super::mutant::Mutant;
use super::mutant_search::{Discards, MutantHeuristic, MutantSearch, SearchEnd};
use crate::course::Course;
use crate::grade::{Behavior, Observation, QueueAnomaly};
use crate::search::CourseHeuristic;

/// Not 0: a program may have more than one mistake, so nothing is impossible.
const NEVER: f64 = 0.001;
const RARELY: f64 = 0.02;
const UNDECIDED: f64 = 0.5;
const ALMOST_SURELY: f64 = 0.95;

/// The number of states that a simulated program may insert into its queue.
pub(super) const MAX_INSERTED: usize = 50_000;
/// More states than any program inserts within the limits of a course.
const TOO_MANY: usize = 2_000_000;

/// The likelihood if the mistake is unknown. A solution that is two moves too long is more likely
/// than any other wrong length; the longer, the less likely.
pub(super) fn baseline(observation: &Observation) -> f64 {
    match (&observation.behavior, observation.shortest) {
        _ if observation.passed => 0.6,
        (Behavior::Solved(moves), Some(shortest)) => {
            0.04 / (1.0 + (f64::from(moves.abs_diff(shortest)) / 2.0).powf(1.3))
        }
        _ => 0.02,
    }
}

/// The likelihood of the observation for a board if the program is this mutant.
pub(super) fn likelihood(
    mutant: &Mutant,
    course: &Course,
    instance: &Instance,
    seen: &Observation,
) -> f64 {
    let unaffected = if seen.passed { ALMOST_SURELY } else { NEVER };
    match mutant {
        Mutant::OffByOne => match seen.behavior {
            _ if !instance.is_solvable() => unaffected,
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
        Mutant::NoDetection => match seen.behavior {
            Behavior::LimitReached if !instance.is_solvable() => ALMOST_SURELY,
            Behavior::Other if !instance.is_solvable() && !seen.passed => 0.1,
            _ if !instance.is_solvable() => RARELY,
            _ => unaffected,
        },
        // The other mistakes have no effect on unsolvable boards.
        _ if !instance.is_solvable() => unaffected,
        Mutant::WrongAncestor => wrong_ancestor(course, instance, seen),
        Mutant::GoalOnInsertion => match seen.behavior {
            _ if seen.queue_anomaly == Some(QueueAnomaly::GoalNotRemoved) => ALMOST_SURELY,
            _ if instance.start() != instance.goal() => unaffected,
            Behavior::Solved(2 | 12) => ALMOST_SURELY,
            Behavior::ReportedUnsolvable | Behavior::LimitReached => UNDECIDED,
            Behavior::Solved(0) => RARELY,
            _ => NEVER,
        },
        Mutant::BlankCounted
        | Mutant::Greedy
        | Mutant::ConflictPairs
        | Mutant::ClosedOnInsertion => {
            let length = solution_length(mutant, course, instance, seen);
            length * heuristic_values(mutant, course, instance, seen)
        }
    }
}

/// The likelihood for a program with another goal.
fn wrong_goal(goal: &Goal, instance: &Instance, seen: &Observation, unaffected: f64) -> f64 {
    let Some(goal) = goal.board(instance.dims()) else { return baseline(seen) };
    let other = Instance::new(instance.start().clone(), &Goal::Board(goal.clone()));
    let is_reachable = other.is_ok_and(|other| other.is_solvable());
    match &seen.behavior {
        _ if goal == *instance.goal() => unaffected,
        Behavior::WrongEnd(end) if *end == goal => ALMOST_SURELY,
        Behavior::ReportedUnsolvable | Behavior::LimitReached if !is_reachable => UNDECIDED,
        _ => NEVER,
    }
}

/// The likelihood for a search that inserts every parent again: it fails only on hard boards.
fn wrong_ancestor(course: &Course, instance: &Instance, seen: &Observation) -> f64 {
    let hit_limit = seen.behavior == Behavior::LimitReached;
    if seen.queue_anomaly == Some(QueueAnomaly::StartTwice) {
        return ALMOST_SURELY;
    }
    if !seen.passed && !hit_limit {
        return NEVER;
    }
    let correct = MutantSearch { heuristic: heuristic(course), ..MutantSearch::CORRECT };
    let wrong = MutantSearch { discards: Discards::Nothing, ..correct };
    match wrong.run(instance, TOO_MANY) {
        None => UNDECIDED,
        Some(SearchEnd::LimitReached) if hit_limit => match correct.run(instance, TOO_MANY) {
            // Too hard for a correct program as well.
            Some(SearchEnd::LimitReached) => UNDECIDED,
            _ => ALMOST_SURELY,
        },
        Some(SearchEnd::LimitReached) => RARELY,
        Some(_) if wrong.run(instance, TOO_MANY / 20) == Some(SearchEnd::LimitReached) => UNDECIDED,
        Some(_) if hit_limit => RARELY,
        Some(_) => ALMOST_SURELY,
    }
}

/// The likelihood of the solution length: the share of the simulated variants that end in the same
/// way.
fn solution_length(
    mutant: &Mutant,
    course: &Course,
    instance: &Instance,
    seen: &Observation,
) -> f64 {
    let correct = MutantSearch { heuristic: heuristic(course), ..MutantSearch::CORRECT };
    let is_greedy = *mutant == Mutant::Greedy;
    let search = match mutant {
        Mutant::BlankCounted => MutantSearch { heuristic: heuristic_with_blank(course), ..correct },
        Mutant::ConflictPairs => {
            MutantSearch { heuristic: MutantHeuristic::ConflictPairs, ..correct }
        }
        Mutant::ClosedOnInsertion => MutantSearch { discards: Discards::Inserted, ..correct },
        _ => MutantSearch { is_greedy, ..correct },
    };
    let variants = search.variants();
    let ends: Vec<SearchEnd> =
        variants.iter().filter_map(|variant| variant.run(instance, MAX_INSERTED)).collect();
    let finished: Vec<SearchEnd> =
        ends.iter().copied().filter(|&end| end != SearchEnd::LimitReached).collect();
    let n_unfinished = (ends.len() - finished.len()) as f64;
    if ends.is_empty() || finished.is_empty() && !is_greedy {
        // The simulation says nothing.
        return baseline(seen);
    }
    let share = |wanted: SearchEnd| {
        let n_wanted = finished.iter().filter(|&&end| end == wanted).count();
        n_wanted as f64 / finished.len().max(1) as f64
    };
    match seen.behavior {
        Behavior::Solved(moves) => {
            // Greedy solutions have any length, so the lengths of a few variants say little.
            let from = seen.shortest.filter(|_| is_greedy);
            let in_range = share_of_range(&finished, from, moves);
            NEVER + 0.6 * share(SearchEnd::Solved(moves)) + 0.35 * in_range
        }
        Behavior::LimitReached => {
            let unfinished = n_unfinished / ends.len() as f64;
            NEVER + 0.5 * unfinished + 0.2 * share(SearchEnd::Exhausted)
        }
        Behavior::ReportedUnsolvable => NEVER + 0.5 * share(SearchEnd::Exhausted),
        _ => NEVER,
    }
}

/// The likelihood of a length if all lengths between the smallest and the largest simulated one are
/// equally likely: programs have more variants than are simulated. With `from`, the range is from
/// there to half as much again as the largest.
fn share_of_range(ends: &[SearchEnd], from: Option<Cost>, moves: Cost) -> f64 {
    let lengths = ends.iter().filter_map(|end| match end {
        SearchEnd::Solved(moves) => Some(*moves),
        _ => None,
    });
    let (min, max) = lengths.fold((Cost::MAX, 0), |(min, max), n| (min.min(n), max.max(n)));
    let (min, max) = from.map_or((min, max), |from| (from, max + max / 2));
    if min <= moves && moves <= max && (moves - min).is_multiple_of(2) {
        1.0 / f64::from((max - min) / 2 + 1)
    } else {
        0.0
    }
}

/// The likelihood of the reported heuristic values: 1 if the mutant reports all of them.
fn heuristic_values(
    mutant: &Mutant,
    course: &Course,
    instance: &Instance,
    seen: &Observation,
) -> f64 {
    let goal = instance.goal();
    let are_values_of = |heuristic: MutantHeuristic| {
        let mut values = seen.heuristic_values.iter();
        values.all(|(board, reported)| heuristic.estimate(board, goal) == Some(*reported))
    };
    let fits = match mutant {
        Mutant::BlankCounted => are_values_of(heuristic_with_blank(course)),
        Mutant::ConflictPairs => are_values_of(MutantHeuristic::ConflictPairs),
        _ => seen
            .heuristic_values
            .iter()
            .all(|(board, reported)| course.search.heuristic().estimate(board, goal) == *reported),
    };
    if fits { 1.0 } else { NEVER }
}

fn heuristic(course: &Course) -> MutantHeuristic {
    match course.search.heuristic() {
        CourseHeuristic::Misplaced => MutantHeuristic::Misplaced,
        CourseHeuristic::Manhattan | CourseHeuristic::LinearConflict => MutantHeuristic::Manhattan,
    }
}

fn heuristic_with_blank(course: &Course) -> MutantHeuristic {
    match course.search.heuristic() {
        CourseHeuristic::Misplaced => MutantHeuristic::MisplacedWithBlank,
        CourseHeuristic::Manhattan | CourseHeuristic::LinearConflict => {
            MutantHeuristic::ManhattanWithBlank
        }
    }
}

/// Whether a length is one off. All paths between two boards have the same parity, so no path has
/// such a length.
fn has_other_parity(moves: Cost, shortest: Option<Cost>) -> bool {
    shortest.is_some_and(|shortest| moves.abs_diff(shortest) == 1)
}
