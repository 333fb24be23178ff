//! CUHK-Shenzhen, CSC3100, assignment 3: `Puzzle8 initial.txt moves.txt`, shortest solutions of the
//! 8-puzzle within 5 seconds and 128 MB.
//!
//! The answer goes to a file: the boards, with one space between numbers and one blank line between
//! boards.

use std::io::{self, Write};
use std::time::Duration;

use npuzzle::Limits;
use npuzzle_core::format::Format;
use npuzzle_core::{Goal, Instance};

use crate::course::{self, AnswerTarget, CommandLine, Course, FileArg, Flag, FlagAction, Grading};
use crate::outcome::{CourseRun, Ending};
use crate::reading::{ReadError, Sizes, read_board};
use crate::search::{BestFirstSettings, CourseSearch};

/// The course.
pub const COURSE: Course = Course {
    name: "cuhk",
    about: "CUHK-Shenzhen CSC3100: shortest solution, board by board, into a file; 5 s, 128 MB",
    command_line: CommandLine {
        input: FileArg::file("initial", "The file with the board"),
        answer: AnswerTarget::Argument(FileArg::file("moves", "The file to write")),
        flags: &[Flag {
            name: "faithful",
            help: "Run A* as the assignment names it, instead of the fastest search",
            action: FlagAction::Switch(|course| course.search = ASSIGNED_SEARCH),
        }],
        has_limit_flags: false,
        ..CommandLine::input_file("")
    },
    read,
    search: CourseSearch::Free,
    limits: Limits { time: Some(Duration::from_secs(5)), nodes: None, memory: Some(128 << 20) },
    write,
    reject: course::no_rejection,
    remark: course::no_remark,
    grading: Grading::of_format(Format::Grid),
};

/// The A* that the assignment names: g + Manhattan distance with a closed list.
///
/// Any shortest solution is correct, so [`COURSE`] uses the library's fastest search instead.
pub const ASSIGNED_SEARCH: CourseSearch = CourseSearch::BestFirst(BestFirstSettings::ASTAR);

fn read(text: &str) -> Result<Instance, ReadError> {
    read_board(text, Format::Grid, Sizes::Squares, &Goal::Last)
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
