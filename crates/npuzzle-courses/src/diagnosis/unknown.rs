//! The likelihood of the observations if the mistake is unknown.
//!
//! Two models, equally likely. A *habit*: the program does the same kind of thing with an unknown
//! frequency, so that what it did on one board is likely on the next (a Dirichlet-multinomial
//! distribution over the kinds). A *glitch*: the program is right, with a few exceptions. Every mutant
//! must predict the observations clearly better than both.

use super::Evidence;
use super::probability::log_mean;
use crate::grade::{Behavior, Observation};

/// The kinds of behavior. The prior weight of a pass is larger than that of the other kinds.
const N_KINDS: f64 = 14.0;
const PASS_WEIGHT: f64 = 2.0;
const OTHER_WEIGHT: f64 = 0.5;
const TOTAL_WEIGHT: f64 = PASS_WEIGHT + (N_KINDS - 1.0) * OTHER_WEIGHT;
/// The share of passes in the model of a glitch.
const GLITCH_PASSES: f64 = 0.93;

/// The kind of a behavior.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Passed,
    TooLong,
    WrongValues,
    OtherLength,
    Miscounted,
    BoardMissing,
    WrongEnd,
    ReportedUnsolvable,
    Limit,
    Crashed,
    Silent,
    Unreadable,
    OnlyCounted,
    Other,
}

/// Returns the logarithm of the likelihood of all observations.
pub(super) fn log_likelihood(evidence: &[Evidence<'_>]) -> f64 {
    let habit = habits(evidence).iter().map(|p| p.ln()).sum();
    let glitch = |(_, seen): &Evidence<'_>| match kind(seen) {
        Kind::Passed => GLITCH_PASSES.ln(),
        kind => ((1.0 - GLITCH_PASSES) / (N_KINDS - 1.0) * detail(kind, seen, &[])).ln(),
    };
    log_mean(&[habit, evidence.iter().map(glitch).sum()])
}

/// Returns the likelihood of each observation after the previous ones, in the model of a habit.
pub(super) fn habits(evidence: &[Evidence<'_>]) -> Vec<f64> {
    (0..evidence.len()).map(|index| habit(evidence[index].1, &evidence[..index])).collect()
}

/// Returns the likelihood of a single observation, without any other.
pub(super) fn single(seen: &Observation) -> f64 {
    habit(seen, &[])
}

fn habit(seen: &Observation, previous: &[Evidence<'_>]) -> f64 {
    let kind = kind(seen);
    let n_same = previous.iter().filter(|(_, other)| self::kind(other) == kind).count();
    let weight = if kind == Kind::Passed { PASS_WEIGHT } else { OTHER_WEIGHT };
    (n_same as f64 + weight) / (previous.len() as f64 + TOTAL_WEIGHT) * detail(kind, seen, previous)
}

fn kind(seen: &Observation) -> Kind {
    match seen.behavior {
        _ if seen.passed => Kind::Passed,
        Behavior::Solved(moves) => match seen.shortest {
            Some(shortest) if moves == shortest => Kind::WrongValues,
            Some(shortest) if moves > shortest && (moves - shortest).is_multiple_of(2) => {
                Kind::TooLong
            }
            _ => Kind::OtherLength,
        },
        Behavior::Miscounted { .. } => Kind::Miscounted,
        Behavior::BoardMissing => Kind::BoardMissing,
        Behavior::WrongEnd(_) => Kind::WrongEnd,
        Behavior::ReportedUnsolvable => Kind::ReportedUnsolvable,
        Behavior::TimedOut | Behavior::OutOfMemory => Kind::Limit,
        Behavior::Crashed => Kind::Crashed,
        Behavior::Silent => Kind::Silent,
        Behavior::Unreadable => Kind::Unreadable,
        Behavior::OnlyCounted(_) => Kind::OnlyCounted,
        Behavior::Other => Kind::Other,
    }
}

/// The likelihood of the details of a behavior, given its kind. A detail that was seen before is likely
/// to be seen again.
fn detail(kind: Kind, seen: &Observation, previous: &[Evidence<'_>]) -> f64 {
    let again = |prior: f64, is_same: &dyn Fn(&Observation) -> bool| {
        let of_kind = previous.iter().filter(|(_, other)| self::kind(other) == kind);
        let n_same = of_kind.clone().filter(|(_, other)| is_same(other)).count();
        (n_same as f64 + prior) / (of_kind.count() as f64 + 1.0)
    };
    match (&seen.behavior, seen.shortest) {
        (Behavior::Solved(moves), Some(shortest)) if kind == Kind::TooLong => {
            excess((moves - shortest) / 2)
        }
        (Behavior::Solved(moves), Some(shortest)) if kind == Kind::OtherLength => {
            let is_same = |other: &Observation| match (&other.behavior, other.shortest) {
                (Behavior::Solved(m), Some(n)) => {
                    i64::from(*m) - i64::from(n) == i64::from(*moves) - i64::from(shortest)
                }
                _ => false,
            };
            again(0.25, &is_same)
        }
        (Behavior::Miscounted { claimed, moves }, _) => {
            let difference = i64::from(*claimed) - i64::from(*moves);
            let is_same = |other: &Observation| match other.behavior {
                Behavior::Miscounted { claimed, moves } => {
                    i64::from(claimed) - i64::from(moves) == difference
                }
                _ => false,
            };
            again(0.25, &is_same)
        }
        (Behavior::WrongEnd(end), _) => {
            again(0.1, &|other| other.behavior == Behavior::WrongEnd(end.clone()))
        }
        _ if kind == Kind::WrongValues => {
            let flags = |seen: &Observation| {
                (seen.has_reversed_directions, seen.has_shifted_g, seen.queue_anomaly)
            };
            match flags(seen) {
                (false, false, None) => 0.2,
                wanted => again(0.2, &|other| flags(other) == wanted),
            }
        }
        _ => 1.0,
    }
}

/// The likelihood that a solution that is too long has this many pairs of moves too many: a
/// distribution with a heavy tail.
pub(super) fn excess(n_pairs: u32) -> f64 {
    let k = f64::from(n_pairs.max(1));
    1.0 / (k * (k + 1.0))
}
