//! The output of a student's program and the verdict on it.

use std::fmt;
use std::io;

use npuzzle::teaching::SolutionError;
use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Slide};

/// The output of a student's program.
#[derive(Clone, Debug)]
pub struct ProgramOutput {
    /// How the process ended.
    pub end: ProcessEnd,
    /// The answer: the standard output, or the file that the program wrote.
    pub text: String,
    /// The standard error.
    pub stderr: String,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessEnd {
    /// It exited with this code.
    Code(i32),
    /// A signal killed it.
    Signal(i32),
    /// It was killed at the time limit.
    Time,
    /// It was killed at the memory limit.
    Memory,
    /// It was killed because it wrote too much output.
    Output,
    /// It was killed because it started too many processes.
    Processes,
    /// It could not be started.
    NotStarted(io::ErrorKind),
}

/// The verdict on the output of a program.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The defect; `None` if the program passes.
    pub defect: Option<Defect>,
    /// A remark on a solution that passes, such as its length.
    pub note: String,
    /// The input of a diagnosis.
    pub observation: Observation,
}

impl Verdict {
    pub(super) fn new(behavior: Behavior, defect: Option<Defect>) -> Verdict {
        let observation = Observation { passed: defect.is_none(), ..Observation::of(behavior) };
        Verdict { defect, note: String::new(), observation }
    }

    pub(super) fn failed(behavior: Behavior, defect: Defect) -> Verdict {
        Verdict::new(behavior, Some(defect))
    }
}

/// A defect of the output of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Defect {
    /// The process did not exit by itself.
    Ended(ProcessEnd),
    /// The process exited because of an unhandled error.
    Crashed {
        /// The exit code.
        code: i32,
    },
    /// The output contains the number of moves and no solution.
    OnlyCounted {
        /// The claimed number of moves.
        claimed: Cost,
        /// The length of a shortest solution, if it is known.
        shortest: Option<Cost>,
    },
    /// The output contains no answer.
    NoAnswer {
        /// The exit code.
        code: i32,
    },
    /// The solution is not valid.
    Fault(SolutionError),
    /// The solution is not shortest.
    TooLong {
        /// Its length.
        moves: Cost,
        /// The length of a shorter one.
        shortest: Cost,
    },
    /// The board is unsolvable and the program does not say so.
    UnsolvableNotReported,
    /// A reported value is wrong.
    Value {
        /// The line, from 1.
        line: usize,
        /// The name of the value, such as `g` or `nodes_expanded`.
        name: &'static str,
        /// The reported value.
        reported: Cost,
        /// The correct value.
        expected: Cost,
    },
    /// A required line `name: value` is missing.
    MissingValue {
        /// The name.
        name: &'static str,
    },
    /// The solution names the directions of the tiles instead of those of the blank.
    TileDirections,
    /// A reported direction is wrong.
    Direction {
        /// The line, from 1.
        line: usize,
        /// The correct direction of the tile.
        expected: Slide,
    },
    /// The answer of a course on a variant of the puzzle is wrong for this reason.
    Variant(String),
    /// These cannot be the first states removed from the queue.
    FirstStates(&'static str),
    /// The board is solved, but the exit code is not 0.
    ExitCode {
        /// The exit code.
        code: i32,
    },
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::Ended(end) => end.fmt(f),
            Defect::Crashed { code } => write!(f, "crashed with exit code {code}"),
            Defect::OnlyCounted { claimed, shortest } => {
                let noun = if *claimed == 1 { "move" } else { "moves" };
                write!(f, "claims {claimed} {noun}")?;
                match shortest {
                    Some(shortest) if shortest == claimed => f.write_str(", which is right")?,
                    Some(shortest) => write!(f, " instead of {shortest}")?,
                    None => {}
                }
                f.write_str(", and shows no solution")
            }
            Defect::NoAnswer { code: 0 } => f.write_str("no answer in the output"),
            Defect::NoAnswer { code } => write!(f, "no answer in the output, exit code {code}"),
            Defect::Fault(fault) => fault.fmt(f),
            Defect::TooLong { moves, shortest } => {
                write!(f, "{moves} moves, {} more than the shortest", moves - shortest)
            }
            Defect::UnsolvableNotReported => {
                f.write_str("does not report that the board is unsolvable")
            }
            Defect::Value { line, name, reported, expected } => {
                write!(f, "line {line}: {name} = {reported}, expected {expected}")
            }
            Defect::MissingValue { name } => write!(f, "the line `{name}: NUMBER` is missing"),
            Defect::TileDirections => {
                f.write_str("the directions are those of the tiles, not of the blank")
            }
            Defect::Direction { line, expected } => {
                write!(f, "line {line}: the tile moves {}", expected.to_string().to_lowercase())
            }
            Defect::Variant(why) => f.write_str(why),
            Defect::FirstStates(why) => write!(f, "first states removed from the queue: {why}"),
            Defect::ExitCode { code } => write!(f, "solved, but the exit code is {code}, not 0"),
        }
    }
}

impl fmt::Display for ProcessEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProcessEnd::Code(code) => write!(f, "exited with code {code}"),
            ProcessEnd::Signal(signal) => write!(f, "crashed: killed by signal {signal}"),
            ProcessEnd::Time => f.write_str("timed out"),
            ProcessEnd::Memory => f.write_str("exceeded the memory limit"),
            ProcessEnd::Output => f.write_str("too much output, cut off"),
            ProcessEnd::Processes => f.write_str("started too many processes"),
            ProcessEnd::NotStarted(io::ErrorKind::NotFound) => {
                f.write_str("cannot be started: no such program")
            }
            ProcessEnd::NotStarted(error) => write!(f, "cannot be started: {error}"),
        }
    }
}

/// The observed behavior of a program on one board, from which [`diagnose`](crate::diagnose) derives
/// the likely mistake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The behavior of the program.
    pub behavior: Behavior,
    /// Whether the program passed.
    pub passed: bool,
    /// The length of a shortest solution, if there is one and it is known.
    pub shortest: Option<Cost>,
    /// The heuristic values that the program reports, with their boards.
    pub heuristic_values: Vec<(Board, Cost)>,
    /// The program reports directions, and all are opposite to those of the tiles.
    pub has_reversed_directions: bool,
    /// The program reports values of g, and each differs by one from the correct value.
    pub has_shifted_g: bool,
    /// An anomaly of the states removed from the queue.
    pub queue_anomaly: Option<QueueAnomaly>,
    /// A hash of the answer, equal for equal answers of one run of the grader.
    pub answer_hash: u64,
}

impl Observation {
    pub(crate) fn of(behavior: Behavior) -> Observation {
        Observation {
            behavior,
            passed: false,
            shortest: None,
            heuristic_values: Vec::new(),
            has_reversed_directions: false,
            has_shifted_g: false,
            queue_anomaly: None,
            answer_hash: 0,
        }
    }
}

/// The behavior of a program on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Behavior {
    /// It shows or claims a solution of this many moves.
    Solved(Cost),
    /// It claims another number of moves than it shows.
    Miscounted {
        /// The number that it claims.
        claimed: Cost,
        /// The number of moves that it shows.
        moves: Cost,
    },
    /// Its path begins one board after the start, or ends one board before the goal.
    BoardMissing,
    /// Its path ends at this board, which is not the goal.
    WrongEnd(Board),
    /// It reports that the board is unsolvable.
    ReportedUnsolvable,
    /// It reached the time limit.
    TimedOut,
    /// It reached the memory limit.
    OutOfMemory,
    /// A signal or an unhandled error ended it.
    Crashed,
    /// It exited without any output.
    Silent,
    /// Its output contains no answer.
    Unreadable,
    /// It gives this number of moves and no solution.
    OnlyCounted(Cost),
    /// Anything else, such as boards that are no path.
    Other,
}

impl Behavior {
    /// Whether the program reached the time limit or the memory limit.
    pub fn is_limit(&self) -> bool {
        matches!(self, Behavior::TimedOut | Behavior::OutOfMemory)
    }
}

/// An anomaly of the states removed from a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueueAnomaly {
    /// The goal is not among them.
    GoalNotRemoved,
    /// The start is among them twice: its children inserted it again.
    StartTwice,
}
