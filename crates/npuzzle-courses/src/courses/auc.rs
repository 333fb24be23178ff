//! AUC, CSCE 210, fall 2017, assignment 6: the 8-puzzle by A* on a priority queue type that the
//! students write themselves.
//!
//! The answer is the levels of the solution in the format of the input, each with the tile that
//! moved, its direction and the costs.

use std::io::{self, Write};

use npuzzle_core::format::Format;
use npuzzle_core::{Board, Goal, Instance};

use crate::course::{self, CommandLine, Course, Grading, OutputSpec};
use crate::outcome::{CourseRun, Ending};
use crate::reading::{ReadError, Sizes, read_board};
use crate::search::{CourseHeuristic, CourseSearch, Detection};

use super::write_aligned_rows;

/// The course.
pub const COURSE: Course = Course {
    name: "auc",
    about: "AUC CSCE 210: A* on g + Manhattan; every level with its tile, direction and costs",
    command_line: CommandLine::input_file("The file: the dimension, then the board"),
    read,
    search: CourseSearch::textbook(CourseHeuristic::Manhattan, Detection::Parity),
    limits: course::MEMORY_ONLY,
    write,
    reject: course::no_rejection,
    remark: course::no_remark,
    grading: Grading { output: OutputSpec::Levels, ..Grading::of_format(Format::Dim) },
};

fn read(text: &str) -> Result<Instance, ReadError> {
    read_board(&without_comments(text), Format::Dim, Sizes::Squares, &Goal::Last)
}

/// Removes the course's comments, which begin with two slashes. Nothing else moves, so that error
/// messages give the right line and column.
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

fn write_board(board: &Board, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", board.dims().rows())?;
    write_aligned_rows(board, out)
}
