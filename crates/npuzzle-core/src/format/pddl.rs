//! Writes puzzles in the Planning Domain Definition Language (PDDL), for planners.
//!
//! The actions are named after the direction in which the tile slides, so a plan is a solution in the notation
//! `tile`: `(left t5 r2c3 r2c2)` slides tile 5 to the left.

use std::fmt::Write as _;

use crate::puzzle::dims::Cell;
use crate::puzzle::instance::Instance;

/// The domain of sliding-tile puzzles of all sizes, with the requirements `:strips` and `:typing`. One action is one
/// slide.
///
/// ```
/// assert!(npuzzle_core::format::pddl_domain().starts_with("(define (domain sliding-tiles)"));
/// ```
pub fn pddl_domain() -> &'static str {
    DOMAIN
}

const DOMAIN: &str = "\
(define (domain sliding-tiles)
  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates
    (at ?tile - tile ?cell - cell)
    (blank ?cell - cell)
    (above ?upper - cell ?lower - cell)
    (left-of ?left - cell ?right - cell))
  (:action up
    :parameters (?tile - tile ?from - cell ?to - cell)
    :precondition (and (at ?tile ?from) (blank ?to) (above ?to ?from))
    :effect (and (at ?tile ?to) (blank ?from) (not (at ?tile ?from)) (not (blank ?to))))
  (:action down
    :parameters (?tile - tile ?from - cell ?to - cell)
    :precondition (and (at ?tile ?from) (blank ?to) (above ?from ?to))
    :effect (and (at ?tile ?to) (blank ?from) (not (at ?tile ?from)) (not (blank ?to))))
  (:action left
    :parameters (?tile - tile ?from - cell ?to - cell)
    :precondition (and (at ?tile ?from) (blank ?to) (left-of ?to ?from))
    :effect (and (at ?tile ?to) (blank ?from) (not (at ?tile ?from)) (not (blank ?to))))
  (:action right
    :parameters (?tile - tile ?from - cell ?to - cell)
    :precondition (and (at ?tile ?from) (blank ?to) (left-of ?from ?to))
    :effect (and (at ?tile ?to) (blank ?from) (not (at ?tile ?from)) (not (blank ?to)))))
";

/// Returns the problem of a puzzle in the domain of [`pddl_domain`]. Tile 5 is `t5`, the second cell of the first row
/// is `r1c2`.
///
/// ```
/// let problem = npuzzle_core::format::pddl_problem(&"1 2/0 3".parse()?);
/// assert!(problem.contains("(at t3 r2c2)") && problem.contains("(blank r2c1)"));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
pub fn pddl_problem(puzzle: &Instance) -> String {
    let dims = puzzle.dims();
    let name = |cell: Cell| format!("r{}c{}", dims.row(cell) + 1, dims.col(cell) + 1);
    let mut text = format!("(define (problem sliding-tiles-{dims})\n  (:domain sliding-tiles)\n");
    let tiles: Vec<String> = (1..dims.cells()).map(|tile| format!("t{tile}")).collect();
    let cells: Vec<String> = dims.all_cells().map(name).collect();
    // Writing to a string does not fail, here and below.
    let _ = writeln!(text, "  (:objects\n    {} - tile", tiles.join(" "));
    let _ = writeln!(text, "    {} - cell)\n  (:init", cells.join(" "));
    for cell in dims.all_cells() {
        let _ = match puzzle.start().tile(cell) {
            tile if tile.is_blank() => writeln!(text, "    (blank {})", name(cell)),
            tile => writeln!(text, "    (at t{tile} {})", name(cell)),
        };
    }
    for cell in dims.all_cells() {
        let (row, col) = (dims.row(cell), dims.col(cell));
        if col + 1 < dims.cols() {
            let _ =
                writeln!(text, "    (left-of {} {})", name(cell), name(dims.cell(row, col + 1)));
        }
        if row + 1 < dims.rows() {
            let _ = writeln!(text, "    (above {} {})", name(cell), name(dims.cell(row + 1, col)));
        }
    }
    text += "  )\n  (:goal (and\n";
    for cell in dims.all_cells() {
        let tile = puzzle.goal().tile(cell);
        if !tile.is_blank() {
            let _ = writeln!(text, "    (at t{tile} {})", name(cell));
        }
    }
    text + "  )))\n"
}
