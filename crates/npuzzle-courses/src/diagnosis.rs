//! Names the likely mistake of a student's program, and never a wrong one.
//!
//! A [`Mutant`] is a program with one known mistake. It predicts how likely each observed answer is;
//! where it depends on choices that students make differently (order of the moves, order of equal keys,
//! speed), it is simulated in many variants. A mutant is named only if all answers together are clearly
//! more likely than under every rival:
//!
//! - every other mutant,
//! - a program that does the same thing on every board: times out, crashes, prints nothing (`common_symptom`),
//! - a program that is right and too slow for some boards (`simulation`),
//! - an unknown mistake (`unknown`).
//!
//! Boards on which all of them predict the same change no ratio of likelihoods. If no mutant is
//! named, a [`CommonSymptom`] may state what all failed boards have in common. Otherwise there is no
//! diagnosis.

mod common_symptom;
mod likelihood;
mod mutant;
mod mutant_search;
mod probability;
mod simulation;
#[cfg(test)]
mod tests;
mod unknown;

use std::fmt;
use std::ops::ControlFlow;

use npuzzle_core::Goal;
use npuzzle_core::search::{Limit, Stats, Watch};

use crate::course::{Course, SolutionSpec};
use crate::grade::{Behavior, Observation, QueueAnomaly, TestCase};
use probability::log_mean;
use simulation::{ByCapacity, Candidate, N_CAPACITIES};

pub use common_symptom::{CommonSymptom, Extent, Symptom};
pub use mutant::Mutant;

/// An observation and its board.
type Evidence<'a> = (&'a TestCase, &'a Observation);

/// An explanation of the failed boards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Diagnosis {
    /// A known mistake, and the evidence for it.
    Mistake(NamedMistake),
    /// What all failed boards have in common; the cause is not known.
    CommonSymptom(CommonSymptom),
}

/// A mistake that explains the observations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedMistake {
    /// The mistake.
    pub mutant: Mutant,
    /// The number of failed boards that the mistake explains, and of all failed boards.
    pub failed: (usize, usize),
    /// The number of passed boards that the mistake explains, and of all passed boards.
    pub passed: (usize, usize),
    /// A sentence with these numbers and some of the failed boards.
    pub evidence: String,
}

/// The log-likelihood by which a mutant must exceed every rival: a ratio of 20, "strong evidence" on the
/// scale of Kass and Raftery (1995).
const MIN_MARGIN: f64 = 3.0;

/// Returns the mistake that explains the observations clearly better than every rival, otherwise what the
/// failed boards have in common. `None` if there is neither, or if all boards passed. The watch is
/// polled before each board of each rival.
pub fn diagnose(
    course: &Course,
    observations: &[(&TestCase, &Observation)],
    watch: &mut dyn Watch,
) -> Result<Option<Diagnosis>, Limit> {
    if observations.iter().all(|(_, seen)| seen.passed) {
        return Ok(None);
    }
    // Failed boards rule out most mutants, so that passed boards need no simulation for them.
    let mut evidence = observations.to_vec();
    evidence.sort_by_key(|(_, seen)| seen.passed);
    if let Some(mistake) = named_mistake(course, &evidence, watch)? {
        return Ok(Some(Diagnosis::Mistake(mistake)));
    }
    Ok(common_symptom::find(&evidence).map(Diagnosis::CommonSymptom))
}

/// The mutant that is clearly more likely than every rival.
fn named_mistake(
    course: &Course,
    evidence: &[Evidence<'_>],
    watch: &mut dyn Watch,
) -> Result<Option<NamedMistake>, Limit> {
    let mut rival = unknown::log_likelihood(evidence).max(common_symptom::log_likelihood(evidence));
    let mut best: Option<(f64, Mutant, Vec<f64>)> = None;
    for mutant in mutants(course, evidence) {
        let floor = best.as_ref().map_or(rival, |(fit, ..)| rival.max(fit - MIN_MARGIN));
        let Some((fit, likelihoods)) = fit(&mutant, course, evidence, floor, watch)? else {
            continue;
        };
        match &best {
            Some((best_fit, ..)) if fit <= *best_fit => rival = rival.max(fit),
            _ => {
                rival = best.map_or(rival, |(fit, ..)| rival.max(fit));
                best = Some((fit, mutant, likelihoods));
            }
        }
    }
    let Some((fit, mutant, likelihoods)) = best else { return Ok(None) };
    if fit < rival + MIN_MARGIN {
        return Ok(None);
    }
    if evidence.iter().any(|(_, seen)| seen.behavior.is_limit()) {
        rival = rival.max(slow_log_likelihood(course, evidence, watch)?);
    }
    let named = name(mutant, evidence, &likelihoods);
    let is_clear = fit >= rival + MIN_MARGIN && 3 * named.failed.0 >= 2 * named.failed.1;
    Ok(is_clear.then_some(named))
}

/// The log-likelihood of all observations under a mutant, and the likelihood of each; `None` as soon as it is
/// not above `floor`.
fn fit(
    mutant: &Mutant,
    course: &Course,
    evidence: &[Evidence<'_>],
    floor: f64,
    watch: &mut dyn Watch,
) -> Result<Option<(f64, Vec<f64>)>, Limit> {
    let prior = match mutant {
        Mutant::WrongGoal(goal) => likelihood::goal_prior(goal),
        _ => 1.0,
    };
    let candidates = simulation::candidates(mutant, course);
    if candidates.is_empty() {
        let likelihood = |&(case, seen): &Evidence<'_>| {
            likelihood::direct(mutant, &case.instance, seen).unwrap_or(likelihood::NEVER)
        };
        let likelihoods: Vec<f64> = evidence.iter().map(likelihood).collect();
        let fit = prior.ln() + likelihoods.iter().map(|p| p.ln()).sum::<f64>();
        return Ok((fit > floor).then_some((fit, likelihoods)));
    }
    let n_candidates = candidates.len() as f64;
    let mut fits = Vec::new();
    let mut best: Option<(f64, Vec<f64>)> = None;
    for candidate in &candidates {
        let found = candidate_fit(mutant, candidate, evidence, floor, watch)?;
        let Some((fit, likelihoods)) = found else { continue };
        fits.push(fit);
        if best.as_ref().is_none_or(|(best_fit, _)| fit > *best_fit) {
            best = Some((fit, likelihoods));
        }
    }
    let Some((_, likelihoods)) = best else { return Ok(None) };
    let fit = log_mean(&fits) + (fits.len() as f64 / n_candidates).ln();
    Ok((fit > floor).then_some((fit, likelihoods)))
}

/// The same for one way in which the program may search.
fn candidate_fit(
    mutant: &Mutant,
    candidate: &Candidate,
    evidence: &[Evidence<'_>],
    floor: f64,
    watch: &mut dyn Watch,
) -> Result<Option<(f64, Vec<f64>)>, Limit> {
    let mut sums = [0.0; N_CAPACITIES];
    let mut likelihoods: Vec<ByCapacity> = Vec::new();
    for (case, seen) in evidence {
        if let ControlFlow::Break(limit) = watch.poll(&Stats::default()) {
            return Err(limit);
        }
        let likelihood = match likelihood::direct(mutant, &case.instance, seen) {
            Some(likelihood) => [likelihood; N_CAPACITIES],
            None => candidate.likelihood(&case.instance, seen),
        };
        sums.iter_mut().zip(likelihood).for_each(|(sum, p)| *sum += p.ln());
        likelihoods.push(likelihood);
        if log_mean(&sums) <= floor {
            return Ok(None);
        }
    }
    let best = (0..N_CAPACITIES).max_by(|&a, &b| sums[a].total_cmp(&sums[b])).unwrap_or(0);
    Ok(Some((log_mean(&sums), likelihoods.iter().map(|by_capacity| by_capacity[best]).collect())))
}

/// The largest log-likelihood if the program is right, and too slow for the boards on which it must expand
/// many states.
fn slow_log_likelihood(
    course: &Course,
    evidence: &[Evidence<'_>],
    watch: &mut dyn Watch,
) -> Result<f64, Limit> {
    let mut best = f64::NEG_INFINITY;
    for candidate in simulation::slow_candidates(course) {
        let mut sums = [0.0; N_CAPACITIES];
        for (case, seen) in evidence {
            if let ControlFlow::Break(limit) = watch.poll(&Stats::default()) {
                return Err(limit);
            }
            let likelihood = candidate.likelihood(&case.instance, seen);
            sums.iter_mut().zip(likelihood).for_each(|(sum, p)| *sum += p.ln());
        }
        best = best.max(log_mean(&sums));
    }
    Ok(best)
}

/// The mutants that are possible in a course. Wrong goals are those that the program reached.
fn mutants(course: &Course, evidence: &[Evidence<'_>]) -> Vec<Mutant> {
    const MAX_GOALS: usize = 4;
    let mut mutants = vec![Mutant::OffByOne, Mutant::DirectionsSwapped, Mutant::NoDetection];
    let mut goals = vec![];
    for (case, seen) in evidence {
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
    if course.grading.solution == SolutionSpec::Shortest {
        mutants.extend([
            Mutant::GoalOnInsertion,
            Mutant::BlankCounted,
            Mutant::Greedy,
            Mutant::ConflictPairs,
            Mutant::Overestimates,
            Mutant::ClosedOnInsertion,
            Mutant::WrongAncestor,
        ]);
    }
    mutants
}

fn name(mutant: Mutant, evidence: &[Evidence<'_>], likelihoods: &[f64]) -> NamedMistake {
    let mut counts = [(0, 0); 2];
    let mut examples = Vec::new();
    for ((case, seen), &likelihood) in evidence.iter().zip(likelihoods) {
        let (n_explained, n_all) = &mut counts[usize::from(seen.passed)];
        *n_all += 1;
        if likelihood > unknown::single(seen) {
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
    NamedMistake { mutant, failed, passed, evidence }
}

impl Diagnosis {
    /// Returns a short name that never changes.
    pub fn name(&self) -> &'static str {
        match self {
            Diagnosis::Mistake(found) => found.mutant.name(),
            Diagnosis::CommonSymptom(common) => common.symptom.name(),
        }
    }

    /// Returns what to look at, or how to fix the mistake.
    pub fn advice(&self) -> &'static str {
        match self {
            Diagnosis::Mistake(found) => found.mutant.advice(),
            Diagnosis::CommonSymptom(common) => common.advice(),
        }
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Diagnosis::Mistake(found) => found.mutant.fmt(f),
            Diagnosis::CommonSymptom(common) => common.fmt(f),
        }
    }
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
        (Behavior::TimedOut, _) => "timed out".to_owned(),
        (Behavior::OutOfMemory, _) => "exceeded the memory limit".to_owned(),
        (Behavior::OnlyCounted(claimed), _) => format!("only claims {claimed} moves"),
        (Behavior::Crashed | Behavior::Silent | Behavior::Unreadable | Behavior::Other, _) => {
            "no answer".to_owned()
        }
    };
    format!("{}: {did}", case.name)
}
