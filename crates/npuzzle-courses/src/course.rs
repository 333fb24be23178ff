//! What makes one course differ from another.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};

use npuzzle::Limits;
use npuzzle_core::format::{self, Format, FormatError};
use npuzzle_core::search::{Duplicates, Evaluation};
use npuzzle_core::{Dims, Goal, Instance};

use crate::run::CourseRun;

/// A course program: how it reads, how it searches, how it writes.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// What `npuzzle course` calls it.
    pub name: &'static str,
    /// The university and the task, in one line.
    pub about: &'static str,
    /// Reads the course's file.
    pub read: fn(&str) -> Result<Instance, ReadError>,
    /// The course's search.
    pub search: Search,
    /// When it gives up.
    pub limits: Limits,
    /// Writes the answer in the course's words. Of boards without a solution, and of searches that
    /// were stopped, it writes what the course has words for, which may be nothing.
    pub write: fn(&CourseRun, &mut dyn Write) -> io::Result<()>,
    /// What the course says on a file that holds no board; most have no words for it.
    pub reject: fn(&str, &mut dyn Write) -> io::Result<()>,
    /// What a program that somebody hands in is held to.
    pub grading: Grading,
}

/// What a course asks of programs.
#[derive(Clone, Copy, Debug)]
pub struct Grading {
    /// How boards are written for the program.
    pub format: Format,
    /// Which solutions are right.
    pub asks: SolutionSpec,
    /// What else the answer has to show.
    pub shows: OutputSpec,
    /// Whether the course has words for boards without a solution. Without them, a program must
    /// still come to an end, and not claim a solution.
    pub says_none: bool,
    /// Whether programs are asked for other sizes than three by three.
    pub takes_larger: bool,
    /// Whether a program that has solved a board must end with the code 0.
    pub ends_with_zero: bool,
}

/// Which solutions are right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolutionSpec {
    /// Shortest ones, any of them.
    Shortest,
    /// Any that is valid.
    Valid,
}

/// What an answer shows besides a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputSpec {
    /// Nothing.
    Nothing,
    /// `g = 1 h = 3` and the way of a tile (`2 Up`) with every board but the first.
    Levels,
    /// Not the solution, but `g = 1` and `h = 3` after start, goal and the first five states that
    /// left the queue.
    FirstStates,
}

/// A search as an assignment describes it.
#[derive(Clone, Copy, Debug)]
pub enum Search {
    /// Best-first search on the textbook heap.
    BestFirst {
        /// The estimate.
        heuristic: Priority,
        /// The key.
        evaluation: Evaluation,
        /// What is done about duplicates.
        duplicates: Duplicates,
        /// Where closed states are kept.
        visited: Visited,
        /// How boards without a solution are told.
        detect: Detect,
    },
    /// The assignment leaves it free: the library's own choice.
    Free,
}

impl Search {
    /// A* as three of the assignments have it: only the parent is refused.
    pub const fn textbook(heuristic: Priority, detect: Detect) -> Search {
        Search::BestFirst {
            heuristic,
            evaluation: Evaluation::AStar,
            duplicates: Duplicates::Parent,
            visited: Visited::Growing,
            detect,
        }
    }
}

/// For courses that set none: enough for every board of theirs, and not the whole machine.
pub(crate) const MEMORY_ONLY: Limits = Limits { time: None, nodes: None, memory: Some(2 << 30) };

/// The estimates that the assignments use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Priority {
    /// Tiles out of place; Princeton calls it Hamming.
    Misplaced,
    /// The sum of the tiles' distances.
    Manhattan,
    /// Manhattan distance and what tiles in the wrong order along a line add to it.
    LinearConflict,
}

/// Where closed states are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visited {
    /// In a table that grows.
    Growing,
    /// In a table of this many buckets, keyed on the number that the digits of the board make.
    Digits {
        /// A prime.
        n_buckets: usize,
    },
}

/// How boards without a solution are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detect {
    /// By parity, before any search.
    Parity,
    /// By searching the board and its twin in turn.
    Lockstep,
    /// Not at all: the search goes on until its limit.
    Exhaust,
}

/// A file that does not hold what the course asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// It holds no board.
    Format(FormatError),
    /// It holds a board of another size.
    Size {
        /// Where the board begins.
        line: usize,
        /// Its size.
        found: Dims,
        /// What the course asks for.
        expected: &'static str,
    },
}

impl ReadError {
    /// The message with the file's name and the place in it, as it is shown to people.
    pub fn render(&self, source: &str) -> String {
        match self {
            ReadError::Format(error) => error.render(source),
            ReadError::Size { line, .. } => format!("{source}:{line}: {self}"),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Format(error) => error.fmt(f),
            ReadError::Size { found, expected, .. } => {
                write!(f, "this course solves {expected} boards, this one is {found}")
            }
        }
    }
}

impl Error for ReadError {}

impl From<FormatError> for ReadError {
    fn from(error: FormatError) -> ReadError {
        ReadError::Format(error)
    }
}

/// Which sizes a course takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sizes {
    EightPuzzle,
    Squares,
}

/// Reads one board in the given format, or a pair of start and goal.
pub(crate) fn read(
    text: &str,
    format: Format,
    sizes: Sizes,
    goal: &Goal,
) -> Result<Instance, ReadError> {
    let entry = format::read_one(text, Some(format))?;
    let found = entry.board.dims();
    let size = |expected| Err(ReadError::Size { line: entry.line, found, expected });
    match sizes {
        Sizes::EightPuzzle if (found.rows(), found.cols()) != (3, 3) => return size("3x3"),
        Sizes::Squares if !found.is_square() => return size("square"),
        Sizes::EightPuzzle | Sizes::Squares => {}
    }
    let goal = entry.goal.map_or_else(|| goal.clone(), Goal::Board);
    // The reader gives start and goal of one size, and named goals fit every size.
    let other_size = |_| ReadError::Size { line: entry.line, found, expected: "equal" };
    Instance::new(entry.board, &goal).map_err(other_size)
}

/// For courses that have no words for a bad file.
pub(crate) fn no_words(_: &str, _: &mut dyn Write) -> io::Result<()> {
    Ok(())
}
