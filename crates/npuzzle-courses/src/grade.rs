//! Judges the output of a student's program for a board.
//!
//! Every shortest solution passes, or every valid one if the course requires no more. Values that
//! the output reports for its boards must be correct. Along with the verdict comes an
//! [`Observation`], from which [`diagnose`](crate::diagnose) derives the likely mistake.

mod reported_values;
mod test_case;
mod variant;
mod verdict;

use std::hash::{DefaultHasher, Hash, Hasher};

use npuzzle::teaching::{
    CheckError, CheckResult, Sense, SolutionError, SolutionForm, SolutionQuality, find_boards,
};
use npuzzle::{Options, SolveError, Tables};
use npuzzle_core::search::{Cost, Limit, Watch};
use npuzzle_core::{Board, Instance};

use crate::course::{Course, OutputSpec, SolutionSpec};

pub use test_case::{TestCase, TestCaseError};
pub use variant::judge_variant;
pub use verdict::{
    Behavior, Defect, Observation, ProcessEnd, ProgramOutput, QueueAnomaly, Verdict,
};

/// Judges the output of a program.
pub fn judge(
    course: &Course,
    case: &TestCase,
    output: &ProgramOutput,
    tables: &mut Tables,
    watch: &mut dyn Watch,
) -> Result<Verdict, SolveError> {
    let mut verdict = judge_output(course, case, output, tables, watch)?;
    verdict.observation.answer_hash = hash(&output.text);
    Ok(verdict)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn judge_output(
    course: &Course,
    case: &TestCase,
    output: &ProgramOutput,
    tables: &mut Tables,
    watch: &mut dyn Watch,
) -> Result<Verdict, SolveError> {
    let code = match process_end(output) {
        ProcessEnd::Code(code) => code,
        end => return Ok(judge_end(end)),
    };
    let instance = &case.instance;
    let boards = find_boards(&output.text, instance.dims());
    let reference = reported_values::reference(course, instance, watch)?;
    let submission = Submission { course, instance, output, code, boards, reference };
    if !instance.is_solvable() {
        return Ok(submission.judge_unsolvable());
    }
    if let Some(end) = submission.wrong_goal_of_summary() {
        let fault = SolutionError::NotAtGoal { end: end.clone() };
        return Ok(Verdict::failed(Behavior::WrongEnd(end), Defect::Fault(fault)));
    }
    let solution = (course.grading.solution_part)(&output.text);
    let checked = match Options::default().check(instance, solution, tables, watch) {
        Ok(checked) => checked,
        Err(CheckError::Solve(error)) => return Err(error),
        Err(_) => return Ok(submission.no_answer()),
    };
    if !submission.shows_solution(&checked.form) {
        return Ok(submission.no_solution(&checked));
    }
    if matches!(course.grading.output, OutputSpec::Moves(_))
        && checked.form == SolutionForm::Letters(Sense::Tile)
        && checked.error.is_none()
        && !checked.moves.is_empty()
    {
        let moves = Behavior::Solved(checked.moves.stm() as Cost);
        let mut verdict = Verdict::failed(moves, Defect::TileDirections);
        verdict.observation.has_reversed_directions = true;
        return Ok(verdict);
    }
    Ok(match (checked.error, checked.quality) {
        (Some(fault), quality) => submission.judge_fault(fault, quality.as_ref()),
        (None, Some(quality)) => submission.judge_solution(&quality),
        (None, None) => submission.no_answer(),
    })
}

/// How the process ended. An exit after an allocation failure counts as the memory limit.
fn process_end(output: &ProgramOutput) -> ProcessEnd {
    const OUT_OF_MEMORY: [&str; 5] =
        ["OutOfMemoryError", "bad_alloc", "MemoryError", "memory allocation of", "GC overhead"];
    match output.end {
        ProcessEnd::Code(code) if code != 0 && reports_any(output, &OUT_OF_MEMORY) => {
            ProcessEnd::Memory
        }
        end => end,
    }
}

/// The verdict on a process that did not exit by itself.
fn judge_end(end: ProcessEnd) -> Verdict {
    let behavior = match end {
        ProcessEnd::Time => Behavior::TimedOut,
        ProcessEnd::Memory => Behavior::OutOfMemory,
        ProcessEnd::Signal(_) => Behavior::Crashed,
        _ => Behavior::Other,
    };
    Verdict::failed(behavior, Defect::Ended(end))
}

/// Whether the standard error contains any of these texts.
fn reports_any(output: &ProgramOutput, texts: &[&str]) -> bool {
    texts.iter().any(|text| output.stderr.contains(text))
}

/// The output of a program that exited by itself.
struct Submission<'a> {
    course: &'a Course,
    instance: &'a Instance,
    output: &'a ProgramOutput,
    /// The exit code.
    code: i32,
    /// The boards of the output with their lines, in order.
    boards: Vec<(usize, Board)>,
    /// The answer of the course's own program, if values of the output are compared with it.
    reference: Option<String>,
}

impl Submission<'_> {
    fn no_answer(&self) -> Verdict {
        let code = self.code;
        if self.has_crashed() {
            return Verdict::failed(Behavior::Crashed, Defect::Crashed { code });
        }
        let is_silent = self.output.text.trim().is_empty();
        let behavior = if is_silent { Behavior::Silent } else { Behavior::Unreadable };
        Verdict::failed(behavior, Defect::NoAnswer { code })
    }

    /// The verdict on an output without boards: it may give the number of moves.
    fn no_solution(&self, checked: &CheckResult) -> Verdict {
        let claimed = checked.claimed.filter(|_| checked.form == SolutionForm::MoveCount);
        let Some(claimed) = claimed.filter(|_| !self.has_crashed()) else {
            return self.no_answer();
        };
        let shortest = checked.quality.as_ref().and_then(exact_length);
        let defect = Defect::OnlyCounted { claimed, shortest };
        let mut verdict = Verdict::failed(Behavior::OnlyCounted(claimed), defect);
        verdict.observation.shortest = shortest;
        verdict
    }

    /// Whether the output is a summary of the search instead of a solution.
    fn is_summary(&self) -> bool {
        self.course.grading.output == OutputSpec::FirstStates
    }

    /// The goal of a summary if it is not the goal of the instance.
    fn wrong_goal_of_summary(&self) -> Option<Board> {
        match &self.boards[..] {
            [(_, first), (_, end), ..]
                if self.is_summary()
                    && first == self.instance.start()
                    && end != self.instance.goal() =>
            {
                Some(end.clone())
            }
            _ => None,
        }
    }

    /// Whether the output shows a solution in the form that the course requires.
    fn shows_solution(&self, form: &SolutionForm) -> bool {
        if let OutputSpec::Moves(_) = self.course.grading.output {
            let is_empty = self.output.text.trim().is_empty();
            return !is_empty && !matches!(form, SolutionForm::Numbers | SolutionForm::MoveCount);
        }
        let is_required_form = match self.course.grading.output {
            OutputSpec::FirstStates => {
                matches!(form, SolutionForm::MoveCount | SolutionForm::Boards)
            }
            // The solution of a solved board is the board itself.
            _ => *form == SolutionForm::Boards || self.instance.start() == self.instance.goal(),
        };
        *form == SolutionForm::NoSolution || !self.boards.is_empty() && is_required_form
    }

    /// The verdict for an unsolvable board.
    fn judge_unsolvable(&self) -> Verdict {
        let must_report = self.course.grading.reports_unsolvable;
        let reports = says_unsolvable(&self.output.text)
            || !must_report && says_unsolvable(&self.output.stderr);
        let shows_path = self.boards.iter().any(|(_, board)| board != self.instance.start());
        match self.boards.last() {
            Some((_, last)) if shows_path && !reports => {
                let goal = self.boards.get(1).filter(|_| self.is_summary());
                let end = goal.map_or(last, |(_, goal)| goal).clone();
                Verdict::failed(Behavior::WrongEnd(end), Defect::Fault(SolutionError::Unsolvable))
            }
            // A program that need not report it may be silent, but must not crash.
            _ if !reports && self.has_crashed() => self.no_answer(),
            _ if !reports && must_report => {
                let behavior = self.no_answer().observation.behavior;
                Verdict::failed(behavior, Defect::UnsolvableNotReported)
            }
            _ => Verdict {
                note: "unsolvable, and no solution is claimed".to_owned(),
                ..Verdict::new(Behavior::ReportedUnsolvable, None)
            },
        }
    }

    /// Whether the program exited because of an unhandled error.
    fn has_crashed(&self) -> bool {
        const CRASHES: [&str; 4] = [
            "Traceback (most recent call last)",
            "Exception in thread",
            "panicked at",
            "terminate called",
        ];
        self.code != 0 && reports_any(self.output, &CRASHES)
    }

    /// The verdict on a solution that is not valid.
    fn judge_fault(&self, fault: SolutionError, quality: Option<&SolutionQuality>) -> Verdict {
        let goal = self.instance.goal();
        let behavior = match &fault {
            SolutionError::ClaimsUnsolvable => Behavior::ReportedUnsolvable,
            &SolutionError::WrongMoveCount { claimed, found } => {
                Behavior::Miscounted { claimed, moves: found }
            }
            SolutionError::WrongStart { .. } if self.starts_one_late() => Behavior::BoardMissing,
            SolutionError::NotAtGoal { end } if end.neighbors().any(|board| board == *goal) => {
                Behavior::BoardMissing
            }
            SolutionError::NotAtGoal { end } => Behavior::WrongEnd(end.clone()),
            _ => Behavior::Other,
        };
        let mut verdict = Verdict::failed(behavior, Defect::Fault(fault));
        verdict.observation.shortest = quality.and_then(exact_length);
        self.check_values(&mut verdict.observation);
        verdict
    }

    /// Whether the boards lead from a neighbor of the start to the goal.
    fn starts_one_late(&self) -> bool {
        let ends = self.boards.first().zip(self.boards.last());
        ends.is_some_and(|((_, first), (_, last))| {
            last == self.instance.goal()
                && self.instance.start().neighbors().any(|board| board == *first)
        })
    }

    /// The verdict on a valid solution.
    fn judge_solution(&self, quality: &SolutionQuality) -> Verdict {
        let grading = &self.course.grading;
        let (moves, shortest) = (quality.length, quality.upper_bound);
        let mut verdict = Verdict::new(Behavior::Solved(moves), None);
        verdict.observation.shortest = exact_length(quality);
        let wrong_value = self.check_values(&mut verdict.observation);
        verdict.defect = if grading.solution == SolutionSpec::Shortest && shortest < moves {
            Some(Defect::TooLong { moves, shortest })
        } else if grading.requires_exit_zero && self.code != 0 {
            Some(Defect::ExitCode { code: self.code })
        } else {
            wrong_value
        };
        verdict.observation.passed = verdict.defect.is_none();
        verdict.note = note(quality);
        verdict
    }

    fn check_values(&self, observation: &mut Observation) -> Option<Defect> {
        let Submission { course, instance, output, boards, reference, .. } = self;
        let reference = reference.as_deref().unwrap_or_default();
        reported_values::check(course, instance, &output.text, boards, reference, observation)
    }
}

/// The length of a shortest solution, if it is proved.
fn exact_length(quality: &SolutionQuality) -> Option<Cost> {
    (quality.lower_bound == quality.upper_bound).then_some(quality.upper_bound)
}

/// Compares the length of a valid solution with the known bounds.
fn note(quality: &SolutionQuality) -> String {
    let moves = quality.length;
    let noun = if moves == 1 { "move" } else { "moves" };
    match (exact_length(quality), quality.stopped) {
        (Some(shortest), _) if shortest == moves => format!("{moves} {noun}, shortest"),
        (Some(shortest), _) => format!("{moves} {noun}, the shortest has {shortest}"),
        (None, Some(Limit::Interrupted)) => "interrupted".to_owned(),
        (None, _) => {
            let lower_bound = quality.lower_bound;
            format!("{moves} {noun}, at least {lower_bound} needed, may be shortest")
        }
    }
}

fn says_unsolvable(text: &str) -> bool {
    let text = text.to_lowercase();
    ["no solution", "unsolvable", "not solvable", "could not find a solution"]
        .iter()
        .any(|phrase| text.contains(phrase))
}
