//! A course program as a value: its arguments, how it reads a board, which search it runs, how it writes
//! the answer.
//!
//! A front end builds its argument parser from the value, so that the file of a course says everything
//! about its arguments.

use std::io::{self, Write};

use npuzzle::Limits;
use npuzzle_core::format::Format;
use npuzzle_core::{Dims, Instance, Random};

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

/// The arguments of a course program.
#[derive(Clone, Copy, Debug)]
pub struct CommandLine {
    /// An argument before the input that selects the method; `None` for courses with one method.
    pub method: Option<Method>,
    /// The file with the board, or the board.
    pub input: FileArg,
    /// Where the answer is written.
    pub answer: AnswerTarget,
    /// The line of the answer at which the program waits for Return if its input is a terminal.
    pub pause: Option<&'static str>,
    /// The flags that change the course.
    pub flags: &'static [Flag],
    /// Whether `--memory` and `--time` replace the limits of the course.
    pub has_limit_flags: bool,
    /// The boards that the program makes itself.
    pub random_board: RandomBoard,
}

impl CommandLine {
    /// One argument, the input file, and the flags for the limits. The answer goes to standard
    /// output.
    pub const fn input_file(help: &'static str) -> CommandLine {
        CommandLine {
            method: None,
            input: FileArg::file("file", help),
            answer: AnswerTarget::Stdout,
            pause: None,
            flags: &[],
            has_limit_flags: true,
            random_board: RandomBoard::None,
        }
    }
}

/// A positional argument that selects the method.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// The help text.
    pub help: &'static str,
    /// The methods.
    pub choices: &'static [Choice],
}

/// A positional argument that names a file.
#[derive(Clone, Copy, Debug)]
pub struct FileArg {
    /// The name in the usage line.
    pub name: &'static str,
    /// The help text.
    pub help: &'static str,
    /// The file if none is named; without it the argument is required.
    pub default: Option<&'static str>,
    /// Whether the argument may also be the text itself.
    pub accepts_text: bool,
}

impl FileArg {
    /// A required argument that names a file.
    pub const fn file(name: &'static str, help: &'static str) -> FileArg {
        FileArg { name, help, default: None, accepts_text: false }
    }
}

/// Where a course program writes its answer.
#[derive(Clone, Copy, Debug)]
pub enum AnswerTarget {
    /// To standard output.
    Stdout,
    /// To the file that an argument names.
    Argument(FileArg),
    /// To the file with this name in the working folder.
    WorkingFolder(&'static str),
}

/// The boards that a course program makes itself.
#[derive(Clone, Copy, Debug)]
pub enum RandomBoard {
    /// None.
    None,
    /// `--random SIDE` makes a board of this size in the course's input format. The second argument
    /// says whether it must be solvable.
    OfSize(fn(Dims, bool, &mut Random) -> String),
    /// Without an input, the goal is scrambled by `--moves` random moves.
    Scrambled {
        /// The number of moves if the flag is not given.
        n_moves: u32,
        /// Writes the goal, scrambled by this many moves, in the course's input format.
        make: fn(u32, &mut Random) -> String,
    },
}

/// A flag of a course program.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// The name without the dashes.
    pub name: &'static str,
    /// The help text.
    pub help: &'static str,
    /// The effect of the flag.
    pub action: FlagAction,
}

/// The effect of a flag.
#[derive(Clone, Copy, Debug)]
pub enum FlagAction {
    /// A flag without a value changes the course.
    Switch(fn(&mut Course)),
    /// The named choice changes the course.
    Choice {
        /// The name of the choice if the flag is not given; `None` changes nothing.
        default: Option<&'static str>,
        /// The choices.
        choices: &'static [Choice],
    },
    /// The value is the node limit.
    NodeLimit {
        /// The limit if the flag is not given.
        default: u64,
    },
}

/// A value of a flag.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The name on the command line.
    pub name: &'static str,
    /// Another name for the same choice, not shown in help texts.
    pub alias: Option<&'static str>,
    /// The help text.
    pub help: &'static str,
    /// Changes the course.
    pub apply: fn(&mut Course),
}

impl Choice {
    /// A choice without an alias.
    pub const fn new(name: &'static str, help: &'static str, apply: fn(&mut Course)) -> Choice {
        Choice { name, alias: None, help, apply }
    }

    /// Whether this choice is the one that `value` names.
    pub fn is_named(&self, value: &str) -> bool {
        value == self.name || Some(value) == self.alias
    }
}

/// The requirements on programs that students hand in.
#[derive(Clone, Copy, Debug)]
pub struct Grading {
    /// The format in which the program reads its board.
    pub format: Format,
    /// Which solutions are correct.
    pub solution: SolutionSpec,
    /// The form of the answer, and the values in it that are checked.
    pub output: OutputSpec,
    /// Returns the part of an answer that is the solution.
    pub solution_part: fn(&str) -> &str,
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
            solution_part: |answer| answer,
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

/// The form of an answer, and the values in it that are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputSpec {
    /// Boards, and no values.
    Nothing,
    /// `g = 1 h = 3` and the direction of the tile (`2 Up`) above every board but the first.
    Levels,
    /// Directions of the blank, or boards. The values of lines `name: value` with these names must be
    /// those of the course's own program.
    Moves(&'static [&'static str]),
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
