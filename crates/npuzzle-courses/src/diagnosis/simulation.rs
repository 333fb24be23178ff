//! How likely an observation is if a program has a given mistake, for the mistakes that are simulated.
//!
//! A mutant is run in the variants that students write. How many states a student's program can insert
//! before it reaches the limits is not known, but it is the same number on every board: the *capacity*.
//! The likelihood of all observations together is the mean over the capacities, so a time-out speaks for
//! a mutant only as far as it comes on the boards on which this mutant, and not a correct program, needs
//! many states.

use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Instance};

use super::likelihood::{ALMOST_SURELY, NEVER};
use super::mutant::Mutant;
use super::mutant_search::{Discards, MutantHeuristic, MutantSearch, SearchEnd, SearchRun};
use super::unknown;
use crate::course::Course;
use crate::grade::{Behavior, Observation};
use crate::search::CourseHeuristic;

/// The logarithms of the capacities, to the base 10: from a program that sorts a list after every
/// insertion to one that is as fast as the library.
const CAPACITIES: [f64; 9] = [3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5];
/// The number of capacities.
pub(super) const N_CAPACITIES: usize = CAPACITIES.len();
/// The number of states that a simulated program may insert into its queue.
pub(super) const MAX_INSERTED: usize = 50_000;
/// The same for a search without any check of duplicates, whose only effect is that number.
const MAX_INSERTED_UNCHECKED: usize = 1_000_000;
/// The same for a breadth-first search, which is right and slow.
const MAX_INSERTED_BREADTH_FIRST: usize = 200_000;
/// A likelihood for each capacity.
pub(super) type ByCapacity = [f64; N_CAPACITIES];

/// A way in which a program may search: a simulated search in all its variants.
pub(super) struct Candidate {
    variants: Vec<MutantSearch>,
    max_inserted: usize,
    /// The heuristic values that the program reports.
    reported: MutantHeuristic,
    /// The heuristic of the course.
    correct: MutantHeuristic,
}

impl Candidate {
    fn new(course: &Course, search: MutantSearch) -> Candidate {
        Candidate {
            variants: search.variants(),
            max_inserted: MAX_INSERTED,
            reported: search.heuristic,
            correct: heuristic(course),
        }
    }

    fn unchecked(course: &Course, search: MutantSearch) -> Candidate {
        let variants = vec![MutantSearch { discards: Discards::Nothing, ..search }];
        let max_inserted = MAX_INSERTED_UNCHECKED;
        Candidate { variants, max_inserted, ..Candidate::new(course, search) }
    }

    fn is_greedy(&self) -> bool {
        self.variants.iter().any(|variant| variant.is_greedy)
    }

    /// Returns the likelihood of the observation for every capacity.
    pub(super) fn likelihood(&self, instance: &Instance, seen: &Observation) -> ByCapacity {
        if !instance.is_solvable() {
            return [if seen.passed { ALMOST_SURELY } else { NEVER }; N_CAPACITIES];
        }
        let run = |variant: &MutantSearch| variant.run(instance, self.max_inserted);
        let runs: Vec<SearchRun> = self.variants.iter().filter_map(run).collect();
        if runs.is_empty() {
            // A board that is too large for the simulation carries no information.
            return [unknown::single(seen); N_CAPACITIES];
        }
        let values = self.heuristic_values(instance, seen);
        CAPACITIES.map(|capacity| values * self.end(&runs, seen, 10_f64.powf(capacity)))
    }

    /// The likelihood of the end of the run if the program inserts at most `capacity` states.
    fn end(&self, runs: &[SearchRun], seen: &Observation, capacity: f64) -> f64 {
        let n_runs = runs.len() as f64;
        let is_finished = |run: &&SearchRun| {
            run.end != SearchEnd::LimitReached && run.n_inserted as f64 <= capacity
        };
        let finished: Vec<SearchEnd> = runs.iter().filter(is_finished).map(|run| run.end).collect();
        // The simulation was stopped, and the program has more capacity: it may finish.
        let is_unknown = |run: &&SearchRun| {
            run.end == SearchEnd::LimitReached && capacity > self.max_inserted as f64
        };
        let n_unknown = runs.iter().filter(is_unknown).count() as f64;
        let n_limited = n_runs - finished.len() as f64 - n_unknown;
        let share = |wanted: SearchEnd| {
            finished.iter().filter(|&&end| end == wanted).count() as f64 / n_runs
        };
        let likelihood = match seen.behavior {
            Behavior::TimedOut | Behavior::OutOfMemory => (n_limited + n_unknown / 2.0) / n_runs,
            Behavior::ReportedUnsolvable => share(SearchEnd::Exhausted),
            Behavior::Solved(moves) => {
                let from = seen.shortest.filter(|_| self.is_greedy());
                let in_range =
                    share_of_range(&finished, from, moves) * finished.len() as f64 / n_runs;
                let exact = if self.is_greedy() { 0.3 } else { 0.7 };
                exact * share(SearchEnd::Solved(moves))
                    + (0.97 - exact) * in_range
                    + 0.03 * any_length(seen, moves)
                    + n_unknown / n_runs / 2.0 * any_length(seen, moves)
            }
            _ => 0.0,
        };
        NEVER + 0.97 * likelihood
    }

    /// The likelihood of the reported heuristic values.
    fn heuristic_values(&self, instance: &Instance, seen: &Observation) -> f64 {
        let goal = instance.goal();
        let mut values = seen.heuristic_values.iter();
        let is_reported =
            values.all(|(board, reported)| self.reported.estimate(board, goal) == Some(*reported));
        if is_reported && self.explains_values(instance, seen) { 1.0 } else { NEVER }
    }

    /// Whether the search is the reason for wrong values in a solution that is shortest. The values can
    /// only be those of a wrong heuristic.
    fn explains_values(&self, instance: &Instance, seen: &Observation) -> bool {
        let is_shortest =
            matches!(seen.behavior, Behavior::Solved(moves) if seen.shortest == Some(moves));
        let is_correct = |(board, reported): &(Board, Cost)| {
            self.correct.estimate(board, instance.goal()) == Some(*reported)
        };
        let has_other_cause = seen.has_reversed_directions
            || seen.has_shifted_g
            || seen.queue_anomaly.is_some()
            || seen.heuristic_values.iter().all(is_correct);
        seen.passed || !is_shortest || !has_other_cause
    }
}

/// The likelihood of a length of which nothing is known.
fn any_length(seen: &Observation, moves: Cost) -> f64 {
    match seen.shortest {
        Some(shortest) if moves <= shortest => 0.5,
        Some(shortest) => 0.5 * unknown::excess((moves - shortest) / 2),
        None => 0.1,
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

/// Returns the searches that a program with this mistake may run.
pub(super) fn candidates(mutant: &Mutant, course: &Course) -> Vec<Candidate> {
    let correct = correct(course);
    let with_heuristic = |heuristic| Candidate::new(course, MutantSearch { heuristic, ..correct });
    match mutant {
        Mutant::BlankCounted => vec![with_heuristic(heuristic_with_blank(course))],
        Mutant::ConflictPairs => vec![with_heuristic(MutantHeuristic::ConflictPairs)],
        Mutant::Overestimates => [
            MutantHeuristic::Weighted(2),
            MutantHeuristic::Weighted(3),
            MutantHeuristic::ManhattanPlusMisplaced,
            MutantHeuristic::ShiftedCells,
        ]
        .map(with_heuristic)
        .into(),
        Mutant::ClosedOnInsertion => {
            vec![Candidate::new(course, MutantSearch { discards: Discards::Inserted, ..correct })]
        }
        Mutant::Greedy => vec![Candidate::new(course, MutantSearch { is_greedy: true, ..correct })],
        Mutant::WrongAncestor => vec![Candidate::unchecked(course, correct)],
        _ => Vec::new(),
    }
}

/// Returns the searches that are right and may be too slow: A*, and breadth-first search with and without
/// a closed list.
pub(super) fn slow_candidates(course: &Course) -> Vec<Candidate> {
    let correct = correct(course);
    let breadth_first = |discards| {
        let search = MutantSearch { heuristic: MutantHeuristic::Zero, discards, ..correct };
        let max_inserted = MAX_INSERTED_BREADTH_FIRST;
        Candidate { variants: vec![search], max_inserted, ..Candidate::new(course, correct) }
    };
    let (closed, parent) = (breadth_first(Discards::Closed), breadth_first(Discards::Parent));
    vec![Candidate::new(course, correct), closed, parent]
}

fn correct(course: &Course) -> MutantSearch {
    MutantSearch { heuristic: heuristic(course), ..MutantSearch::CORRECT }
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
