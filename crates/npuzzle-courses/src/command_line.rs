//! The command lines of the course programs, as data.
//!
//! A front end builds its argument parser from these values, so that the file of a course says
//! everything about its arguments.

use npuzzle_core::{Dims, Random};

use crate::search::{CourseHeuristic, CourseSearch};

/// The arguments of a course program.
#[derive(Clone, Copy, Debug)]
pub struct CommandLine {
    /// The file with the board.
    pub input: FileArg,
    /// The file for the answer; `None` if the answer goes to standard output.
    pub output: Option<FileArg>,
    /// The flags that change the search or its limits.
    pub flags: &'static [Flag],
    /// Whether `--memory` and `--time` replace the limits of the course.
    pub has_limit_flags: bool,
    /// Writes a random board in the course's input format, for courses that also solve boards of
    /// their own making. The second argument says whether the board must be solvable.
    pub random_board: Option<fn(Dims, bool, &mut Random) -> String>,
}

impl CommandLine {
    /// One argument, the input file, and the flags for the limits. The answer goes to standard
    /// output.
    pub const fn input_file(help: &'static str) -> CommandLine {
        CommandLine {
            input: FileArg { name: "file", help, default: None },
            output: None,
            flags: &[],
            has_limit_flags: true,
            random_board: None,
        }
    }
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
    /// A flag without a value changes the search.
    Switch(fn(&mut CourseSearch)),
    /// The named choice changes the search.
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
    /// Changes the search.
    pub apply: fn(&mut CourseSearch),
}

impl Choice {
    /// A choice without an alias.
    pub const fn new(
        name: &'static str,
        help: &'static str,
        apply: fn(&mut CourseSearch),
    ) -> Choice {
        Choice { name, alias: None, help, apply }
    }

    /// Whether this choice is the one that `value` names.
    pub fn is_named(&self, value: &str) -> bool {
        value == self.name || Some(value) == self.alias
    }
}

/// The heuristics of a best-first search.
pub(crate) const HEURISTICS: &[Choice] = &[
    Choice {
        alias: Some("misplaced"),
        ..Choice::new("hamming", "Number of misplaced tiles", |search| {
            search.best_first_mut().heuristic = CourseHeuristic::Misplaced;
        })
    },
    Choice::new("manhattan", "Sum of the tiles' Manhattan distances", |search| {
        search.best_first_mut().heuristic = CourseHeuristic::Manhattan;
    }),
    Choice::new("linear-conflict", "Manhattan distance plus linear conflicts", |search| {
        search.best_first_mut().heuristic = CourseHeuristic::LinearConflict;
    }),
];
