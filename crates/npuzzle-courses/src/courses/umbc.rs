//! UMBC, CMSC 341, spring 2012, project 3: the 8-puzzle by best-first search on a binary heap.
//!
//! The file contains the initial state and the goal. The answer shows the cost, the size of the
//! queue at the end and the first five states removed from it. All three depend on the order of
//! equal keys in the heap, which is why [`ArrayHeap`](npuzzle_core::queue::ArrayHeap) specifies it.

use std::io::{self, Write};

use npuzzle_core::format::Format;
use npuzzle_core::{Goal, Instance};

use crate::course::{self, CommandLine, Course, Grading, OutputSpec};
use crate::outcome::{CourseRun, Ending, PathStep};
use crate::reading::{ReadError, Sizes, read_board};
use crate::search::{CourseHeuristic, CourseSearch, Detection};

/// The course.
pub const COURSE: Course = Course {
    name: "umbc",
    about: "UMBC CMSC 341: best-first on g + misplaced tiles, any goal; cost, queue, first states",
    command_line: CommandLine::input_file(
        "The file: initial state and goal state, three lines of three integers each",
    ),
    read,
    search: CourseSearch::textbook(CourseHeuristic::Misplaced, Detection::Parity),
    limits: course::MEMORY_ONLY,
    write,
    reject: course::no_rejection,
    remark: course::no_remark,
    grading: Grading { output: OutputSpec::FirstStates, ..Grading::of_format(Format::Pair) },
};

fn read(text: &str) -> Result<Instance, ReadError> {
    read_board(text, Format::Pair, Sizes::EightPuzzle, &Goal::Last)
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
    for (i, state) in run.first_removed.iter().enumerate() {
        writeln!(out, "[*]State #{}", i + 1)?;
        write_state(state, out)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Writes the board and its costs. Every row ends in a space, and two spaces follow each `=`.
fn write_state(state: &PathStep, out: &mut dyn Write) -> io::Result<()> {
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
