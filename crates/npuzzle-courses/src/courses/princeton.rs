//! Princeton, Algorithms part 1 (Coursera): the 8-puzzle by A* with a choice of priority functions.
//! Unsolvable boards are detected by searching the board and its twin in lockstep.
//!
//! The answer is what the assignment's test client prints. Any shortest solution is correct, so the
//! library's fastest search answers unless a flag requests the assignment's own A*. The classes
//! [`Board`] and [`Solver`] have the API of the assignment.

mod board;
mod solver;

use std::io::{self, Write};
use std::time::Duration;

use npuzzle::{Limits, Stats};
use npuzzle_core::format::Format;
use npuzzle_core::{Dims, Goal, Instance};

use crate::course::{self, Choice, CommandLine, Course, Flag, FlagAction, Grading};
use crate::outcome::{CourseRun, Ending};
use crate::reading::{ReadError, Sizes, read_board};
use crate::search::{CourseSearch, Detection};

use super::HEURISTICS;

pub use board::Board;
pub use solver::{Solver, SolverError};

/// The course, answered by the library's fastest search.
pub const COURSE: Course = Course {
    name: "princeton",
    about: "Princeton Algorithms I: shortest solution of any n-by-n board, or `No solution possible`",
    command_line: CommandLine {
        flags: FLAGS,
        ..CommandLine::input_file("The file: the dimension, then the board")
    },
    read,
    search: CourseSearch::Free,
    limits: Limits { time: Some(Duration::from_secs(60)), nodes: None, memory: Some(2 << 30) },
    write,
    reject: course::no_rejection,
    remark,
    grading: Grading {
        reports_unsolvable: true,
        larger_boards: true,
        ..Grading::of_format(Format::Dim)
    },
};

/// Any of these flags replaces the fastest search by the assignment's A*.
const FLAGS: &[Flag] = &[
    Flag {
        name: "faithful",
        help: "Run the assignment's own A* and count what it enqueues and dequeues",
        action: FlagAction::Switch(|course| {
            course.search.best_first_mut();
        }),
    },
    Flag {
        name: "heuristic",
        help: "The priority function of the assignment's A*; implies --faithful",
        action: FlagAction::Choice { default: None, choices: HEURISTICS },
    },
    Flag {
        name: "detect",
        help: "How unsolvable boards are detected; implies --faithful",
        action: FlagAction::Choice { default: None, choices: DETECTIONS },
    },
];

const DETECTIONS: &[Choice] = &[
    Choice::new("parity", "By parity, before the search", |course| {
        course.search.best_first_mut().detection = Detection::Parity;
    }),
    Choice::new("lockstep", "By searching the board and its twin in lockstep", |course| {
        course.search.best_first_mut().detection = Detection::Lockstep;
    }),
];

fn read(text: &str) -> Result<Instance, ReadError> {
    read_board(without_rest(text), Format::Dim, Sizes::Squares, &Goal::Last)
}

/// The text up to the last tile. The assignment's client reads n and n² numbers and nothing else.
fn without_rest(text: &str) -> &str {
    let lines = text.split_inclusive('\n');
    let tiles = lines.map(|line| line.split('#').next().unwrap_or_default());
    let mut words = tiles.flat_map(str::split_whitespace);
    let n = words.next().and_then(|word| word.parse::<usize>().ok());
    // The reader reports a missing dimension with the whole text.
    let n = n.filter(|&n| n >= Dims::MIN).unwrap_or_default();
    let last = n.checked_pow(2).and_then(|n_tiles| words.nth(n_tiles.checked_sub(1)?));
    match last {
        // The word is a part of the text, so the difference of the addresses is its position.
        Some(word) => &text[..word.as_ptr() as usize - text.as_ptr() as usize + word.len()],
        None => text,
    }
}

fn write(run: &CourseRun, out: &mut dyn Write) -> io::Result<()> {
    match &run.ending {
        Ending::Solved(steps) => {
            writeln!(out, "Minimum number of moves = {}", steps.len() - 1)?;
            // The library displays boards in the format of the assignment's `toString`.
            steps.iter().try_for_each(|step| write!(out, "{}", step.board))
        }
        Ending::Unsolvable => writeln!(out, "No solution possible"),
        Ending::Stopped(..) => Ok(()),
    }
}

/// The counts that the assignment's checklist lists, if its own A* was run.
fn remark(run: &CourseRun) -> Option<String> {
    let counts =
        |stats: &Stats| format!("{} enqueued, {} dequeued", stats.enqueued, stats.dequeued);
    let twin = run.twin_stats.as_ref().map(|stats| format!("; twin: {}", counts(stats)));
    let is_assigned = matches!(run.search, CourseSearch::BestFirst(_));
    is_assigned.then(|| counts(&run.stats) + &twin.unwrap_or_default())
}
