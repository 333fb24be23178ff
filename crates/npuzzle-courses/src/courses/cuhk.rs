//! CUHK-Shenzhen, CSC3100, assignment 3: `Puzzle8 initial.txt moves.txt`, shortest solutions of the
//! 8-puzzle within 5 seconds and 128 MB.
//!
//! The answer goes to a file: the boards, one space between numbers, one blank line between
//! boards.

use std::io::{self, Write};
use std::time::Duration;

use npuzzle::Limits;
use npuzzle_core::format::Format;
use npuzzle_core::search::{Duplicates, Evaluation};
use npuzzle_core::{Goal, Instance};

use crate::course::{
    self, Course, Detect, Grading, OutputSpec, Priority, ReadError, Search, Sizes, SolutionSpec,
    Visited,
};
use crate::run::{CourseRun, Ending};

/// The course.
pub const COURSE: Course = Course {
    name: "cuhk",
    about: "CUHK-Shenzhen CSC3100: shortest solution, board by board, into a file; 5 s, 128 MB",
    read,
    search: Search::Free,
    limits: Limits { time: Some(Duration::from_secs(5)), nodes: None, memory: Some(128 << 20) },
    write,
    reject: course::no_words,
    grading: Grading {
        format: Format::Grid,
        asks: SolutionSpec::Shortest,
        shows: OutputSpec::Nothing,
        says_none: false,
        takes_larger: false,
        ends_with_zero: false,
    },
};

/// The course with the A* that the assignment names: g + Manhattan, no state expanded twice.
///
/// The assignment's answer is any shortest solution, so [`COURSE`] may take the library's fastest
/// search instead.
pub const FAITHFUL: Course = Course {
    search: Search::BestFirst {
        heuristic: Priority::Manhattan,
        evaluation: Evaluation::AStar,
        duplicates: Duplicates::Closed,
        visited: Visited::Growing,
        detect: Detect::Parity,
    },
    ..COURSE
};

fn read(text: &str) -> Result<Instance, ReadError> {
    course::read(text, Format::Grid, Sizes::Squares, &Goal::Last)
}

fn write(run: &CourseRun, out: &mut dyn Write) -> io::Result<()> {
    let Ending::Solved(steps) = &run.ending else { return Ok(()) };
    for (i, step) in steps.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        for row in step.board.rows() {
            let tiles: Vec<String> = row.iter().map(ToString::to_string).collect();
            writeln!(out, "{}", tiles.join(" "))?;
        }
    }
    Ok(())
}
