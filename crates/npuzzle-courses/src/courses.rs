//! The courses, one file each.

pub mod auc;
pub mod bu;
pub mod columbia;
pub mod cs188;
pub mod cuhk;
pub mod fortytwo;
pub mod princeton;
pub mod umbc;
pub mod uta;
pub mod uwmadison;

use std::io::{self, Write};

use npuzzle_core::Board;

use crate::course::Choice;
use crate::search::CourseHeuristic;

/// Writes the rows of a board with all tiles right-aligned to the width of the largest.
fn write_aligned_rows(board: &Board, out: &mut dyn Write) -> io::Result<()> {
    let width = (board.dims().cells() - 1).to_string().len();
    for row in board.rows() {
        let tiles: Vec<String> = row.iter().map(|tile| format!("{tile:width$}")).collect();
        writeln!(out, "{}", tiles.join(" "))?;
    }
    Ok(())
}

/// The heuristics of a best-first search.
const HEURISTICS: &[Choice] = &[
    Choice {
        alias: Some("misplaced"),
        ..Choice::new("hamming", "Number of misplaced tiles", |course| {
            course.search.best_first_mut().heuristic = CourseHeuristic::Misplaced;
        })
    },
    Choice::new("manhattan", "Sum of the tiles' Manhattan distances", |course| {
        course.search.best_first_mut().heuristic = CourseHeuristic::Manhattan;
    }),
    Choice::new("linear-conflict", "Manhattan distance plus linear conflicts", |course| {
        course.search.best_first_mut().heuristic = CourseHeuristic::LinearConflict;
    }),
];
