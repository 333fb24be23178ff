//! CUHK-Shenzhen, CSC3100, assignment 3: `Puzzle8 initial.txt moves.txt`, shortest solutions of the
//! 8-puzzle within 5 seconds and 128 MB.
//!
//! The answer goes to a file: the boards, one space between numbers, one blank line between
//! boards.

use std::io::{self, Write};
use std::time::Duration;

use npuzzle::Limits;
use npuzzle_core::format::Format;
use npuzzle_core::{Goal, Instance};

use crate::course::{self, Course, ReadError, Search, Sizes};
use crate::run::{Ending, Run};

/// The course.
pub const COURSE: Course = Course {
    name: "cuhk",
    about: "CUHK-Shenzhen CSC3100: shortest solution, board by board, into a file; 5 s, 128 MB",
    read,
    search: Search::Free,
    limits: Limits { time: Some(Duration::from_secs(5)), nodes: None, memory: Some(128 << 20) },
    write,
    reject: course::no_words,
};

fn read(text: &str) -> Result<Instance, ReadError> {
    course::read(&separate(text), Format::Grid, Sizes::Squares, &Goal::Last)
}

/// The text with rows that are written together (`013`) written apart (`0 1 3`). The assignment's
/// own sample has rows of both kinds in one board.
fn separate(text: &str) -> String {
    let n_rows = text.lines().filter(|line| !line.trim().is_empty()).count();
    let rows = text.split_inclusive('\n').map(|line| {
        let row = line.trim();
        if row.len() == n_rows && row.bytes().all(|byte| byte.is_ascii_digit()) {
            let digits: Vec<&str> = row.split("").filter(|digit| !digit.is_empty()).collect();
            line.replace(row, &digits.join(" "))
        } else {
            line.to_owned()
        }
    });
    rows.collect()
}

fn write(run: &Run, out: &mut dyn Write) -> io::Result<()> {
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
