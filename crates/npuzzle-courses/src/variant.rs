//! Courses on a variant of the puzzle: moves with costs, or boards with several blanks.
//!
//! The library's checks, generators and graders know boards with one blank and moves of cost 1. A course
//! on another puzzle brings its own, as functions over texts: its boards have no type in common with
//! those of other courses.

pub(crate) mod optimum;

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::ops::RangeInclusive;

use npuzzle::Limits;
use npuzzle_core::Random;
use npuzzle_core::search::{Cost, Limit, Stats, Watch};

use crate::reading::ReadError;

/// A course on a variant of the puzzle, as a value.
#[derive(Clone, Copy, Debug)]
pub struct VariantCourse {
    /// The name on the command line.
    pub name: &'static str,
    /// The university and the task, in one line.
    pub about: &'static str,
    /// The arguments of the program.
    pub arguments: &'static [Argument],
    /// The limits of the search.
    pub limits: Limits,
    /// Runs the program.
    pub run: fn(&Arguments, Limits, &mut dyn Watch) -> Result<VariantRun, VariantError>,
    /// Runs the program and writes what its search does, step by step.
    pub trace: WriteTrace,
    /// Checks a solution of the puzzle in an input text.
    pub check: fn(&str, &str, Limits, &mut dyn Watch) -> Result<VariantCheck, VariantError>,
    /// Generates a random puzzle whose cheapest solution has a cost in the range.
    pub generate:
        fn(&VariantSpec, &mut Random, &mut dyn Watch) -> Result<VariantCase, VariantError>,
    /// The boards that students' programs are run on.
    pub test_set: fn() -> Vec<VariantCase>,
    /// The costs of the boards of a generated test set.
    pub seeded_costs: &'static [RangeInclusive<Cost>],
    /// Reads the puzzles of a text.
    pub read_cases: fn(&str) -> Result<Vec<VariantCase>, VariantError>,
    /// The arguments, other than boards, with which the program solves a puzzle.
    pub solve_arguments: &'static [(&'static str, &'static str)],
}

/// Runs a program within limits and writes its trace.
pub type WriteTrace =
    fn(&Arguments, Limits, &mut dyn Watch, &mut dyn Write) -> Result<(), VariantError>;

/// An argument of a program.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The name, without dashes.
    pub name: &'static str,
    /// The help text.
    pub help: &'static str,
    /// The kind of value.
    pub kind: ArgumentKind,
}

/// The kind of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentKind {
    /// A file, which is required. The program gets its text.
    File,
    /// A board, or a file with one, which is required. The program gets the text.
    Board,
    /// A word. It is required unless there is a default.
    Word {
        /// The value if the argument is missing.
        default: Option<&'static str>,
    },
    /// An option with one of these values. The first is the default.
    Choice(&'static [(&'static str, &'static str)]),
    /// An option with a number.
    Number,
}

/// The values of the arguments of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arguments {
    values: Vec<(&'static str, String)>,
    /// The command line after the name of the program, for traces that show it.
    pub command_line: Vec<String>,
}

impl Arguments {
    /// The arguments with which a program solves a puzzle.
    pub fn solving(course: &VariantCourse, case: &VariantCase) -> Arguments {
        let mut arguments = Arguments::with_defaults(course);
        let is_text = |kind| matches!(kind, ArgumentKind::File | ArgumentKind::Board);
        let texts = course.arguments.iter().filter(|argument| is_text(argument.kind));
        for (argument, (_, text)) in texts.zip(&case.files) {
            arguments.set(argument.name, text);
        }
        for (name, value) in course.solve_arguments {
            arguments.set(name, *value);
        }
        arguments
    }

    /// The defaults of all arguments that have one.
    pub fn with_defaults(course: &VariantCourse) -> Arguments {
        let mut arguments = Arguments::default();
        for argument in course.arguments {
            match argument.kind {
                ArgumentKind::Word { default: Some(default) } => {
                    arguments.set(argument.name, default);
                }
                ArgumentKind::Choice([(default, _), ..]) => arguments.set(argument.name, *default),
                _ => {}
            }
        }
        arguments
    }

    /// Sets the value of an argument: for a file or a board, the text.
    pub fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.values.retain(|(other, _)| *other != name);
        self.values.push((name, value.into()));
    }

    /// Returns the value of an argument.
    pub fn get(&self, name: &str) -> Option<&str> {
        let named = self.values.iter().find(|(other, _)| *other == name);
        named.map(|(_, value)| value.as_str())
    }

    /// Returns the value of an argument that the command line requires.
    pub(crate) fn required(&self, name: &'static str) -> Result<&str, VariantError> {
        self.get(name).ok_or_else(|| VariantError::Usage(format!("the argument {name} is missing")))
    }
}

/// The result of a program.
#[derive(Clone, Debug)]
pub struct VariantRun {
    /// The answer in the wording of the assignment.
    pub answer: String,
    /// How the search ended.
    pub ending: VariantEnding,
    /// The counters of the search.
    pub stats: Stats,
    /// Whether the arguments ask for a trace file.
    pub wants_trace: bool,
}

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariantEnding {
    /// It found what it was asked for.
    Solved,
    /// There is no solution, or none within the depth limit.
    Unsolvable,
    /// A limit was reached.
    Stopped(Limit),
}

/// The result of checking a solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantCheck {
    /// The error; `None` if the solution is valid.
    pub error: Option<String>,
    /// The number of moves, if the solution has any.
    pub moves: Option<usize>,
    /// The cost of the moves.
    pub cost: Cost,
    /// The cost of a cheapest solution; `None` if there is none or a limit was reached.
    pub optimum: Option<Cost>,
    /// The limit that the search for a cheapest solution reached.
    pub stopped: Option<Limit>,
    /// What costs are counted in: `moves`, or `cost`.
    pub unit: &'static str,
}

impl VariantCheck {
    /// Whether the solution is valid and none is cheaper; a valid claim that there is no solution
    /// counts.
    pub fn is_optimal(&self) -> bool {
        let is_cheapest = self.moves.is_none() || self.optimum == Some(self.cost);
        self.error.is_none() && self.stopped.is_none() && is_cheapest
    }

    /// A sentence about the solution.
    pub fn verdict(&self) -> String {
        if let Some(error) = &self.error {
            return format!("not valid: {error}");
        }
        let Some(moves) = self.moves else { return "valid: there is no solution".to_owned() };
        let noun = if moves == 1 { "move" } else { "moves" };
        let (cost, cheapest) = match self.unit {
            "moves" => (String::new(), "shortest"),
            _ => (format!(", cost {}", self.cost), "cheapest"),
        };
        let against = match (self.optimum, self.stopped) {
            (Some(optimum), _) if optimum == self.cost => format!(", {cheapest}"),
            (Some(optimum), _) => {
                format!(", {} more than the {cheapest}, which has {optimum}", self.cost - optimum)
            }
            (None, Some(limit)) => format!(", not compared: the limit on {limit} was reached"),
            (None, None) => String::new(),
        };
        format!("valid: {moves} {noun}{cost}{against}")
    }
}

/// The requirements on a generated puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VariantSpec {
    /// The cost of a cheapest solution.
    pub cost: Option<RangeInclusive<Cost>>,
    /// Whether the puzzle must be unsolvable.
    pub is_unsolvable: bool,
}

/// Returns a test set with boards of many costs that depends only on the seed.
pub fn seeded_variant_test_set(
    course: &VariantCourse,
    seed: u64,
    watch: &mut dyn Watch,
) -> Result<Vec<VariantCase>, VariantError> {
    let mut random = Random::new(seed);
    let mut case = |range: &RangeInclusive<Cost>| {
        let spec = VariantSpec { cost: Some(range.clone()), is_unsolvable: false };
        (course.generate)(&spec, &mut random, watch)
    };
    course.seeded_costs.iter().map(&mut case).collect()
}

/// A puzzle on which programs are run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantCase {
    /// The name in reports.
    pub name: String,
    /// The start on one line, as the program takes it as an argument: `{board}`.
    pub board: String,
    /// The goal on one line.
    pub goal: String,
    /// Whether the goal can be reached.
    pub is_solvable: bool,
    /// The input files, by their placeholders in the command of a program: `{input}`, `{goal}`.
    pub files: Vec<(&'static str, String)>,
    /// The text that [`VariantCourse::check`] reads: all files, one after the other.
    pub text: String,
}

/// Why a program of a variant has no answer.
#[derive(Debug)]
pub enum VariantError {
    /// An input text is not valid.
    Read {
        /// The argument with the text.
        argument: &'static str,
        /// The error.
        error: ReadError,
    },
    /// An input text is not valid, in the words of the course.
    Input {
        /// The argument with the text.
        argument: &'static str,
        /// The reason.
        message: String,
    },
    /// The arguments do not make sense.
    Usage(String),
    /// The program asks for an argument that was not given.
    Ask {
        /// The argument.
        argument: &'static str,
        /// The question.
        prompt: &'static str,
    },
    /// No such puzzle exists.
    NoPuzzle(String),
    /// A limit was reached.
    Limit(Limit),
    /// The trace could not be written.
    Io(io::Error),
}

impl From<io::Error> for VariantError {
    fn from(error: io::Error) -> VariantError {
        VariantError::Io(error)
    }
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VariantError::Read { error, .. } => error.fmt(f),
            VariantError::Input { message, .. }
            | VariantError::Usage(message)
            | VariantError::NoPuzzle(message) => f.write_str(message),
            VariantError::Ask { argument, .. } => write!(f, "the argument {argument} is missing"),
            VariantError::Limit(limit) => write!(f, "the limit on {limit} was reached"),
            VariantError::Io(error) => error.fmt(f),
        }
    }
}

impl Error for VariantError {}
