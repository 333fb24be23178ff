//! Princeton, Algorithms part 1 (Coursera): 8 Puzzle, by A* with a choice of priority function, and
//! boards without a solution told by searching a twin in lockstep.
//!
//! The answer is what the assignment's test client prints. Any shortest solution is right, so the
//! library's fastest search may answer; [`faithful`] gives the assignment's own.

use std::io::{self, Write};
use std::time::Duration;

use npuzzle::Limits;
use npuzzle_core::format::Format;
use npuzzle_core::{Goal, Instance};

use crate::course::{
    self, Course, Detect, Grading, OutputSpec, Priority, ReadError, Search, Sizes, SolutionSpec,
};
use crate::run::{CourseRun, Ending};

/// The course, answered by the library's fastest search.
pub const COURSE: Course = Course {
    name: "princeton",
    about: "Princeton Algorithms I: shortest solution of any n-by-n board, or none possible",
    read,
    search: Search::Free,
    limits: Limits { time: Some(Duration::from_secs(60)), nodes: None, memory: Some(2 << 30) },
    write,
    reject: course::no_words,
    grading: Grading {
        format: Format::Dim,
        asks: SolutionSpec::Shortest,
        shows: OutputSpec::Nothing,
        says_none: true,
        takes_larger: true,
        ends_with_zero: false,
    },
};

/// The course with the assignment's own A*: [`Priority::Misplaced`] (Hamming) or
/// [`Priority::Manhattan`], only the parent refused.
pub fn faithful(heuristic: Priority, detect: Detect) -> Course {
    Course { search: Search::textbook(heuristic, detect), ..COURSE }
}

fn read(text: &str) -> Result<Instance, ReadError> {
    course::read(text, Format::Dim, Sizes::Squares, &Goal::Last)
}

fn write(run: &CourseRun, out: &mut dyn Write) -> io::Result<()> {
    match &run.ending {
        Ending::Solved(steps) => {
            writeln!(out, "Minimum number of moves = {}", steps.len() - 1)?;
            // A board is displayed as the assignment's `toString` has it.
            steps.iter().try_for_each(|step| write!(out, "{}", step.board))
        }
        Ending::Unsolvable => writeln!(out, "No solution possible"),
        Ending::Stopped(..) => Ok(()),
    }
}
