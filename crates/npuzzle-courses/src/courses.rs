//! The courses, one file each.

pub mod auc;
pub mod bu;
pub mod cuhk;
pub mod fortytwo;
pub mod princeton;
pub mod umbc;
pub mod uta;
pub mod uwmadison;

use std::io::{self, Write};

use npuzzle_core::Board;

/// Writes the rows of a board with all tiles right-aligned to the width of the largest.
fn write_aligned_rows(board: &Board, out: &mut dyn Write) -> io::Result<()> {
    let width = (board.dims().cells() - 1).to_string().len();
    for row in board.rows() {
        let tiles: Vec<String> = row.iter().map(|tile| format!("{tile:width$}")).collect();
        writeln!(out, "{}", tiles.join(" "))?;
    }
    Ok(())
}
