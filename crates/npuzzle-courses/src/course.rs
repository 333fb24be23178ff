//! A course program as a value.

use std::io::{self, Write};

use npuzzle::Limits;
use npuzzle_core::Instance;
use npuzzle_core::format::Format;

use crate::command_line::CommandLine;
use crate::outcome::CourseRun;
use crate::reading::ReadError;
use crate::search::CourseSearch;

/// A course program: how it reads a board, which search it runs, how it writes the answer.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The name on the command line.
    pub name: &'static str,
    /// The university and the task, in one line.
    pub about: &'static str,
    /// The arguments of the program.
    pub command_line: CommandLine,
    /// Reads the input file.
    pub read: fn(&str) -> Result<Instance, ReadError>,
    /// The search.
    pub search: CourseSearch,
    /// The limits of the search.
    pub limits: Limits,
    /// Writes the answer in the wording of the assignment. It writes nothing if the assignment has
    /// no text for the ending, such as an unsolvable board or a search that was stopped.
    pub write: fn(&CourseRun, &mut dyn Write) -> io::Result<()>,
    /// Writes the assignment's text for an input file without a valid board, if it has one.
    pub reject: fn(&str, &mut dyn Write) -> io::Result<()>,
    /// Returns a line for people that is not part of the answer; front ends print it on standard
    /// error.
    pub remark: fn(&CourseRun) -> Option<String>,
    /// The requirements on programs that students hand in.
    pub grading: Grading,
}

/// The requirements on programs that students hand in.
#[derive(Clone, Copy, Debug)]
pub struct Grading {
    /// The format in which the program reads its board.
    pub format: Format,
    /// Which solutions are correct.
    pub solution: SolutionSpec,
    /// The values that the answer shows in addition to boards.
    pub output: OutputSpec,
    /// Whether the program must say that a board is unsolvable. Otherwise it must only terminate
    /// and not claim a solution.
    pub reports_unsolvable: bool,
    /// Whether the program must solve boards larger than 3x3.
    pub larger_boards: bool,
    /// Whether the exit code must be 0 if the board is solved.
    pub requires_exit_zero: bool,
}

impl Grading {
    /// The weakest requirements on programs that read this format: shortest solutions of 3x3 boards.
    pub const fn of_format(format: Format) -> Grading {
        Grading {
            format,
            solution: SolutionSpec::Shortest,
            output: OutputSpec::Nothing,
            reports_unsolvable: false,
            larger_boards: false,
            requires_exit_zero: false,
        }
    }
}

/// Which solutions are correct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolutionSpec {
    /// Any shortest solution.
    Shortest,
    /// Any valid solution.
    Valid,
}

/// The values that an answer shows in addition to boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputSpec {
    /// Nothing.
    Nothing,
    /// `g = 1 h = 3` and the direction of the tile (`2 Up`) above every board but the first.
    Levels,
    /// Instead of the solution: start, goal and the first five states removed from the queue, with
    /// `g = 1` and `h = 3` below each.
    FirstStates,
}

/// The limits of courses that set none: enough for all their boards, but not the whole machine.
pub(crate) const MEMORY_ONLY: Limits = Limits { time: None, nodes: None, memory: Some(2 << 30) };

/// The [`reject`](Course::reject) of courses whose assignment has no text for invalid input.
pub(crate) fn no_rejection(_: &str, _: &mut dyn Write) -> io::Result<()> {
    Ok(())
}

/// The [`remark`](Course::remark) of courses without one.
pub(crate) fn no_remark(_: &CourseRun) -> Option<String> {
    None
}
