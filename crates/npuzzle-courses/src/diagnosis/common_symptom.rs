//! Plain verdicts: the program does the same wrong thing on all boards that it fails.

use std::fmt;

use super::Evidence;
use super::unknown;
use crate::grade::{Behavior, Observation};

/// One wrong behavior on all failed boards. It names no cause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommonSymptom {
    /// The behavior.
    pub symptom: Symptom,
    /// The boards on which the program shows it.
    pub extent: Extent,
}

/// A behavior that needs no explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symptom {
    /// Reaches the time limit.
    TimesOut,
    /// Reaches the memory limit.
    RunsOutOfMemory,
    /// Reaches the time limit or the memory limit.
    ReachesLimits,
    /// Is ended by a signal or an unhandled error.
    Crashes,
    /// Exits without any output.
    PrintsNothing,
    /// Gives the same answer for different boards.
    PrintsTheSame,
    /// Gives the number of moves only.
    OnlyCounts,
    /// Prints text without an answer.
    PrintsNoAnswer,
    /// Reports that solvable boards are unsolvable.
    FindsNoSolution,
}

/// The boards on which a program fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All boards.
    All,
    /// All solvable boards.
    Solvable,
    /// All unsolvable boards.
    Unsolvable,
    /// This many boards.
    Some(usize),
}

impl Symptom {
    /// All symptoms, the more exact one first.
    const ALL: [Symptom; 9] = [
        Symptom::TimesOut,
        Symptom::RunsOutOfMemory,
        Symptom::ReachesLimits,
        Symptom::Crashes,
        Symptom::PrintsNothing,
        Symptom::FindsNoSolution,
        Symptom::PrintsTheSame,
        Symptom::OnlyCounts,
        Symptom::PrintsNoAnswer,
    ];

    /// Returns a short name that never changes.
    pub fn name(self) -> &'static str {
        match self {
            Symptom::TimesOut => "times-out",
            Symptom::RunsOutOfMemory => "runs-out-of-memory",
            Symptom::ReachesLimits => "reaches-limits",
            Symptom::Crashes => "crashes",
            Symptom::PrintsNothing => "prints-nothing",
            Symptom::PrintsTheSame => "prints-the-same",
            Symptom::OnlyCounts => "only-counts",
            Symptom::PrintsNoAnswer => "prints-no-answer",
            Symptom::FindsNoSolution => "finds-no-solution",
        }
    }

    fn is_shown(self, seen: &Observation, all: &[Evidence<'_>]) -> bool {
        match self {
            Symptom::TimesOut => seen.behavior == Behavior::TimedOut,
            Symptom::RunsOutOfMemory => seen.behavior == Behavior::OutOfMemory,
            Symptom::ReachesLimits => seen.behavior.is_limit(),
            Symptom::Crashes => seen.behavior == Behavior::Crashed,
            Symptom::PrintsNothing => seen.behavior == Behavior::Silent,
            Symptom::PrintsTheSame => {
                let has_answer = !seen.behavior.is_limit()
                    && !matches!(seen.behavior, Behavior::Crashed | Behavior::Silent);
                let n_same =
                    all.iter().filter(|(_, other)| other.answer_hash == seen.answer_hash).count();
                has_answer && seen.answer_hash != 0 && n_same > 2 && n_same == all.len()
            }
            Symptom::OnlyCounts => matches!(seen.behavior, Behavior::OnlyCounted(_)),
            Symptom::PrintsNoAnswer => seen.behavior == Behavior::Unreadable,
            Symptom::FindsNoSolution => {
                !seen.passed && seen.behavior == Behavior::ReportedUnsolvable
            }
        }
    }
}

/// Returns the symptom that all failed boards share, if there is one.
pub(super) fn find(evidence: &[Evidence<'_>]) -> Option<CommonSymptom> {
    let failed: Vec<Evidence<'_>> =
        evidence.iter().copied().filter(|(_, seen)| !seen.passed).collect();
    let is_shared =
        |symptom: &Symptom| failed.iter().all(|(_, seen)| symptom.is_shown(seen, evidence));
    let symptom = Symptom::ALL.into_iter().find(is_shared).filter(|_| !failed.is_empty())?;
    let n_of = |boards: &[Evidence<'_>], is_solvable: bool| {
        boards.iter().filter(|(case, _)| case.instance.is_solvable() == is_solvable).count()
    };
    let [n_solvable, n_unsolvable] = [true, false].map(|which| n_of(evidence, which));
    let extent = match [true, false].map(|which| n_of(&failed, which)) {
        _ if failed.len() == evidence.len() => Extent::All,
        [n, 0] if n == n_solvable => Extent::Solvable,
        [0, n] if n == n_unsolvable => Extent::Unsolvable,
        _ => Extent::Some(failed.len()),
    };
    Some(CommonSymptom { symptom, extent })
}

/// Returns the largest log-likelihood of the observations if the program shows one symptom on every
/// board.
pub(super) fn log_likelihood(evidence: &[Evidence<'_>]) -> f64 {
    let everywhere = |symptom: Symptom| {
        let likelihood = |(_, seen): &Evidence<'_>| match symptom.is_shown(seen, evidence) {
            true => 0.97,
            false => 0.03 * unknown::single(seen),
        };
        evidence.iter().map(|one| likelihood(one).ln()).sum::<f64>()
    };
    Symptom::ALL.into_iter().map(everywhere).fold(f64::NEG_INFINITY, f64::max)
}

impl CommonSymptom {
    /// Returns what to look at.
    pub fn advice(&self) -> &'static str {
        match (self.symptom, self.extent) {
            (Symptom::TimesOut | Symptom::ReachesLimits, Extent::All) => {
                "the program does not end even on a solved board: look for a loop without an end, \
                 or for a program that waits for more input"
            }
            (Symptom::RunsOutOfMemory, Extent::All) => {
                "the program stores without end even on a solved board"
            }
            (Symptom::TimesOut | Symptom::RunsOutOfMemory | Symptom::ReachesLimits, _) => {
                "all answers in time are right. Compare the number of states that the program expands \
                 with that of the course program; too many can come from a weak heuristic, from \
                 states that are inserted again, or from a slow queue"
            }
            (Symptom::Crashes, Extent::Unsolvable) => {
                "the queue of an unsolvable board can become empty: test for it"
            }
            (Symptom::Crashes, _) => "the first lines of the standard error name the place",
            (Symptom::PrintsNothing, _) => {
                "print the answer to the standard output, or write it to the file that the \
                 assignment names"
            }
            (Symptom::PrintsTheSame, _) => {
                "the answer does not depend on the board: does the program read its input?"
            }
            (Symptom::OnlyCounts, _) => "print the boards of the solution, too",
            (Symptom::PrintsNoAnswer, _) => {
                "compare the output with the sample in the assignment: no board is found in it"
            }
            (Symptom::FindsNoSolution, _) => {
                "these boards are solvable: check the test for it, the goal, and how the board is read"
            }
        }
    }
}

impl fmt::Display for CommonSymptom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.symptom {
            Symptom::TimesOut => "times out",
            Symptom::RunsOutOfMemory => "exceeds the memory limit",
            Symptom::ReachesLimits => "reaches the time or memory limit",
            Symptom::Crashes => "crashes",
            Symptom::PrintsNothing => "prints nothing",
            Symptom::PrintsTheSame => return f.write_str("prints the same answer for every board"),
            Symptom::OnlyCounts => "prints the number of moves and no solution",
            Symptom::PrintsNoAnswer => "prints no answer that can be read",
            Symptom::FindsNoSolution => "reports that solvable boards are unsolvable",
        })?;
        match (self.symptom, self.extent) {
            (Symptom::FindsNoSolution, Extent::All | Extent::Solvable) => {
                f.write_str(", every time")
            }
            (_, Extent::All) => f.write_str(" on every board"),
            (_, Extent::Solvable) => f.write_str(" on every solvable board"),
            (_, Extent::Unsolvable) => f.write_str(" on every unsolvable board, and on no other"),
            (_, Extent::Some(1)) => f.write_str(" on 1 board and solves the others"),
            (_, Extent::Some(n)) => write!(f, " on {n} boards and solves the others"),
        }
    }
}
