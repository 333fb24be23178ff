//! UMBC, CMSC 341, spring 2012, project 3: the 8-puzzle by best-first search on a binary heap.
//!
//! The file holds the initial state and the goal; the answer shows the cost, the size of the queue
//! at the end and the first five states that left it. All three hang on the order among equal keys
//! in the heap, which is why [`ArrayHeap`](npuzzle_core::queue::ArrayHeap) fixes it.

use std::io::{self, Write};

use npuzzle_core::format::Format;
use npuzzle_core::{Goal, Instance};

use crate::course::{
    self, Course, Detect, Grading, OutputSpec, Priority, ReadError, Search, Sizes, SolutionSpec,
};
use crate::run::{CourseRun, Ending, Step};

/// The course.
pub const COURSE: Course = Course {
    name: "umbc",
    about: "UMBC CMSC 341: best-first on g + misplaced tiles, any goal; cost, queue, first states",
    read,
    search: Search::textbook(Priority::Misplaced, Detect::Parity),
    limits: course::MEMORY_ONLY,
    write,
    reject: course::no_words,
    grading: Grading {
        format: Format::Pair,
        asks: SolutionSpec::Shortest,
        shows: OutputSpec::FirstStates,
        says_none: false,
        takes_larger: false,
        ends_with_zero: false,
    },
};

fn read(text: &str) -> Result<Instance, ReadError> {
    course::read(text, Format::Pair, Sizes::EightPuzzle, &Goal::Last)
}

fn write(run: &CourseRun, out: &mut dyn Write) -> io::Result<()> {
    let Ending::Solved(steps) = &run.ending else { return Ok(()) };
    let (start, goal) = (&steps[0], &steps[steps.len() - 1]);
    writeln!(out, "[*]Initial state(S0)")?;
    writeln!(out, "[*]======================")?;
    write_state(start, out)?;
    writeln!(out, "[*]======================")?;
    writeln!(out, "[*]Goal state (Sg) reached: ")?;
    write_state(goal, out)?;
    writeln!(out, "[*]---------")?;
    writeln!(out, "[*]Solution cost is: {}\n", goal.g)?;
    writeln!(out, "[*]Size of the openQ at end of search process: {}\n", run.stats.open)?;
    writeln!(out, "[*]First five states removed from openQ: \n")?;
    for (i, state) in run.first.iter().enumerate() {
        writeln!(out, "[*]State #{}", i + 1)?;
        write_state(state, out)?;
        writeln!(out)?;
    }
    Ok(())
}

/// The board, every row ending in a space, and its figures with two.
fn write_state(state: &Step, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    for row in state.board.rows() {
        for tile in row {
            write!(out, "{tile} ")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "Cost =  {}", state.g + state.h)?;
    writeln!(out, "g =  {}", state.g)?;
    writeln!(out, "h =  {}", state.h)
}
