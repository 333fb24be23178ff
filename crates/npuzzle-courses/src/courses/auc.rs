//! AUC, CSCE 210, fall 2017, assignment 6: the 8-puzzle by A* on a priority queue type of one's
//! own.
//!
//! The answer is the levels of the solution, each with the tile that slid, its direction and the
//! costs, in the same form as the input.

use std::io::{self, Write};

use npuzzle_core::format::Format;
use npuzzle_core::{Board, Goal, Instance};

use crate::course::{
    self, Course, Detect, Grading, OutputSpec, Priority, ReadError, Search, Sizes, SolutionSpec,
};
use crate::run::{CourseRun, Ending};

/// The course.
pub const COURSE: Course = Course {
    name: "auc",
    about: "AUC CSCE 210: A* on g + Manhattan; every level with its tile, direction and costs",
    read,
    search: Search::textbook(Priority::Manhattan, Detect::Parity),
    limits: course::MEMORY_ONLY,
    write,
    reject: course::no_words,
    grading: Grading {
        format: Format::Dim,
        asks: SolutionSpec::Shortest,
        shows: OutputSpec::Levels,
        says_none: false,
        takes_larger: false,
        ends_with_zero: false,
    },
};

fn read(text: &str) -> Result<Instance, ReadError> {
    course::read(&without_comments(text), Format::Dim, Sizes::Squares, &Goal::Last)
}

/// The course's comments begin with two slashes. They are cut off line by line, so that lines and
/// columns in messages stay true.
fn without_comments(text: &str) -> String {
    let cut = |line: &str| match line.split_once("//") {
        Some((tiles, _)) => format!("{tiles}\n"),
        None => line.to_owned(),
    };
    text.split_inclusive('\n').map(cut).collect()
}

fn write(run: &CourseRun, out: &mut dyn Write) -> io::Result<()> {
    let Ending::Solved(steps) = &run.ending else { return Ok(()) };
    writeln!(out, "// Initial board (Input): Level 0")?;
    write_board(run.instance.start(), out)?;
    writeln!(out, "// Solution steps (Output)")?;
    for step in steps {
        let Some((slide, tile)) = step.slid else { continue };
        let (level, h, c) = (step.g, step.h, step.g + step.h);
        let goal = if h == 0 { " (Goal)" } else { "" };
        writeln!(out, "// Level {level}: {tile} {slide}   g = {level} h = {h} c = {c}{goal}")?;
        write_board(&step.board, out)?;
    }
    Ok(())
}

/// The dimension and the rows, tiles right-aligned to the widest.
fn write_board(board: &Board, out: &mut dyn Write) -> io::Result<()> {
    let width = (board.dims().cells() - 1).to_string().len();
    writeln!(out, "{}", board.dimension())?;
    for row in board.rows() {
        let tiles: Vec<String> = row.iter().map(|tile| format!("{tile:width$}")).collect();
        writeln!(out, "{}", tiles.join(" "))?;
    }
    Ok(())
}
