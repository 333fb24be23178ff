//! Names the likely mistake of a student's program.
//!
//! A [`Mutant`] is a program with one known mistake. Its answer for a board is simulated in the
//! variants that students write (order of the moves, order of equal keys). The likelihood of an
//! observed answer is the share of the variants that give it. The mutant under which all answers
//! together are most likely is named, if they are much more likely than under an unknown mistake
//! and than under every other mutant. Otherwise there is no diagnosis.

mod likelihood;
mod mutant;
mod mutant_search;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use npuzzle_core::Goal;
use npuzzle_core::search::{Limit, Stats, Watch};

use crate::course::{Course, SolutionSpec};
use crate::grade::{Behavior, Observation, QueueAnomaly, TestCase};
use likelihood::{baseline, likelihood};

pub use mutant::Mutant;

/// A mutant that explains the observations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnosis {
    /// The mistake.
    pub mutant: Mutant,
    /// The number of failed boards that the mistake explains, and of all failed boards.
    pub failed: (usize, usize),
    /// The number of passed boards that the mistake explains, and of all passed boards.
    pub passed: (usize, usize),
    /// A sentence with these numbers and some of the failed boards.
    pub evidence: String,
}

/// The log-likelihood by which a mutant must exceed an unknown mistake.
const MIN_MARGIN: f64 = 3.0;
/// Mutants whose log-likelihoods differ by less are both named.
const TIE_MARGIN: f64 = 1.0;

/// Returns the mistake that explains the observations: two if they explain them equally well, none
/// if no mutant does or if all boards passed. The watch is polled before each simulation.
pub fn diagnose(
    course: &Course,
    observations: &[(&TestCase, &Observation)],
    watch: &mut dyn Watch,
) -> Result<Vec<Diagnosis>, Limit> {
    if observations.iter().all(|(_, seen)| seen.passed) {
        return Ok(Vec::new());
    }
    let unknown: f64 = observations.iter().map(|(_, seen)| baseline(seen).ln()).sum();
    let threshold = unknown + MIN_MARGIN;
    // Failed boards rule out most mutants, so that passed boards need no simulation for them.
    let mut observations = observations.to_vec();
    observations.sort_by_key(|(_, seen)| seen.passed);
    let mut fits = Vec::new();
    for mutant in mutants(course, &observations) {
        let likelihoods = likelihoods(&mutant, course, &observations, threshold, watch)?;
        let Some(likelihoods) = likelihoods else { continue };
        let diagnosis = diagnosis(mutant, &observations, &likelihoods);
        if 3 * diagnosis.failed.0 >= 2 * diagnosis.failed.1 {
            fits.push((likelihoods.iter().map(|p| p.ln()).sum::<f64>(), diagnosis));
        }
    }
    fits.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let best = fits.first().map_or(0.0, |(fit, _)| *fit);
    let tied = fits.into_iter().filter(|(fit, _)| best - fit < TIE_MARGIN);
    let tied: Vec<Diagnosis> = tied.map(|(_, diagnosis)| diagnosis).collect();
    Ok(if tied.len() > 2 { Vec::new() } else { tied })
}

/// The likelihood of each observation under a mutant; `None` as soon as their product is too small.
fn likelihoods(
    mutant: &Mutant,
    course: &Course,
    observations: &[(&TestCase, &Observation)],
    threshold: f64,
    watch: &mut dyn Watch,
) -> Result<Option<Vec<f64>>, Limit> {
    let mut sum = 0.0;
    let mut likelihoods = Vec::new();
    for (case, seen) in observations {
        if let ControlFlow::Break(limit) = watch.poll(&Stats::default()) {
            return Err(limit);
        }
        let likelihood = likelihood(mutant, course, &case.instance, seen);
        sum += likelihood.ln();
        likelihoods.push(likelihood);
        if sum <= threshold {
            return Ok(None);
        }
    }
    Ok(Some(likelihoods))
}

/// The mutants that are possible in a course. Wrong goals are those that the program reached.
fn mutants(course: &Course, observations: &[(&TestCase, &Observation)]) -> Vec<Mutant> {
    const MAX_GOALS: usize = 4;
    let mut mutants = vec![Mutant::OffByOne, Mutant::DirectionsSwapped, Mutant::NoDetection];
    if course.grading.solution == SolutionSpec::Shortest {
        mutants.extend([
            Mutant::BlankCounted,
            Mutant::GoalOnInsertion,
            Mutant::WrongAncestor,
            Mutant::Greedy,
            Mutant::ConflictPairs,
            Mutant::ClosedOnInsertion,
        ]);
    }
    let mut goals = vec![];
    for (case, seen) in observations {
        let Behavior::WrongEnd(end) = &seen.behavior else { continue };
        let named = [Goal::Last, Goal::First, Goal::Snail]
            .into_iter()
            .find(|goal| goal.board(end.dims()).as_ref() == Some(end));
        let goal = named.unwrap_or_else(|| Goal::Board(end.clone()));
        if end != case.instance.goal() && !goals.contains(&goal) {
            goals.push(goal);
        }
    }
    mutants.extend(goals.into_iter().take(MAX_GOALS).map(Mutant::WrongGoal));
    mutants
}

fn diagnosis(
    mutant: Mutant,
    observations: &[(&TestCase, &Observation)],
    likelihoods: &[f64],
) -> Diagnosis {
    let mut counts = [(0, 0); 2];
    let mut examples = Vec::new();
    for ((case, seen), &likelihood) in observations.iter().zip(likelihoods) {
        let (n_explained, n_all) = &mut counts[usize::from(seen.passed)];
        *n_all += 1;
        if likelihood >= baseline(seen).min(0.3) {
            *n_explained += 1;
            examples.extend((!seen.passed).then(|| example(case, seen)));
        }
    }
    let [failed, passed] = counts;
    let mut evidence = format!("explains {} of {} failed boards", failed.0, failed.1);
    if passed.1 > 0 {
        evidence += &format!(" and {} of {} passed boards", passed.0, passed.1);
    }
    examples.truncate(3);
    if !examples.is_empty() {
        evidence += &format!(" ({})", examples.join("; "));
    }
    Diagnosis { mutant, failed, passed, evidence }
}

/// Describes what a program did wrong on a board, in a few words.
fn example(case: &TestCase, seen: &Observation) -> String {
    let did = match (&seen.behavior, seen.shortest) {
        (Behavior::Solved(_), _) if seen.has_shifted_g => "every g is off by one".to_owned(),
        (Behavior::Solved(_), _) if seen.has_reversed_directions => {
            "every direction is reversed".to_owned()
        }
        (Behavior::Solved(moves), Some(shortest)) if *moves != shortest => {
            format!("{moves} moves instead of {shortest}")
        }
        (Behavior::Solved(_), _) => match seen.queue_anomaly {
            Some(QueueAnomaly::StartTwice) => "the start is removed from the queue twice",
            Some(QueueAnomaly::GoalNotRemoved) => "the goal is not removed from the queue",
            None => "wrong values in the answer",
        }
        .to_owned(),
        (Behavior::Miscounted { claimed, moves }, _) => {
            format!("claims {claimed} moves, shows {moves}")
        }
        (Behavior::BoardMissing, _) => "one board is missing".to_owned(),
        (Behavior::WrongEnd(end), _) => format!("ends at {}", end.slash()),
        (Behavior::ReportedUnsolvable, _) => "reported as unsolvable".to_owned(),
        (Behavior::LimitReached, _) => "no answer within the limits".to_owned(),
        (Behavior::Other, _) => "no answer".to_owned(),
    };
    format!("{}: {did}", case.name)
}
