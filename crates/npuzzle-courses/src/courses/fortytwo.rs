//! 42 (the schools of that name), *N-puzzle*: A* with a choice of heuristics towards the snail goal,
//! uniform-cost and greedy search as the bonus.
//!
//! The subject asks for four things and leaves the words free: how many states were ever selected in
//! the opened set, how many were in memory at once, the number of moves, and the states in order.
//! Files begin with the size, and `#` starts a comment anywhere.

use std::io::{self, Write};

use npuzzle_core::format::Format;
use npuzzle_core::search::{Duplicates, Evaluation};
use npuzzle_core::{Goal, Instance};

use crate::course::{
    self, Course, Detect, Grading, OutputSpec, Priority, ReadError, Search, Sizes, SolutionSpec,
    Visited,
};
use crate::run::{CourseRun, Ending};

/// The course, with A* on Manhattan distance, which the subject makes mandatory.
pub const COURSE: Course = Course {
    name: "42",
    about: "42 N-puzzle: A*, uniform cost or greedy to the snail goal; the four figures, the states",
    read,
    search: search(Evaluation::AStar, Priority::Manhattan),
    limits: course::MEMORY_ONLY,
    write,
    reject: course::no_words,
    grading: Grading {
        format: Format::Dim,
        asks: SolutionSpec::Shortest,
        shows: OutputSpec::Nothing,
        says_none: true,
        takes_larger: true,
        ends_with_zero: true,
    },
};

/// The course with another search: [`Evaluation::Uniform`] ignores the heuristic, and
/// [`Evaluation::Greedy`] the moves made.
pub fn with(evaluation: Evaluation, heuristic: Priority) -> Course {
    Course { search: search(evaluation, heuristic), ..COURSE }
}

const fn search(evaluation: Evaluation, heuristic: Priority) -> Search {
    Search::BestFirst {
        heuristic,
        evaluation,
        duplicates: Duplicates::Closed,
        visited: Visited::Growing,
        detect: Detect::Parity,
    }
}

fn read(text: &str) -> Result<Instance, ReadError> {
    course::read(text, Format::Dim, Sizes::Squares, &Goal::Snail)
}

fn write(run: &CourseRun, out: &mut dyn Write) -> io::Result<()> {
    let steps = match &run.ending {
        Ending::Solved(steps) => steps,
        Ending::Unsolvable => return writeln!(out, "This puzzle is unsolvable"),
        Ending::Stopped(..) => return Ok(()),
    };
    writeln!(
        out,
        "Complexity in time (states selected in the opened set): {}",
        run.stats.dequeued
    )?;
    writeln!(out, "Complexity in size (most states in memory at once): {}", run.max_states)?;
    writeln!(out, "Number of moves: {}", steps.len() - 1)?;
    writeln!(out, "Sequence of states:")?;
    let width = (run.instance.dims().cells() - 1).to_string().len();
    for step in steps {
        writeln!(out)?;
        for row in step.board.rows() {
            let tiles: Vec<String> = row.iter().map(|tile| format!("{tile:width$}")).collect();
            writeln!(out, "{}", tiles.join(" "))?;
        }
    }
    Ok(())
}
