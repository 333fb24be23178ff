//! A constructive solver: some solution of a board of any size, without search over whole boards. The
//! running time is proportional to the length of the solution.
//!
//! The algorithm is the greedy one of I. Parberry, "A real-time algorithm for the (n²-1)-puzzle"
//! (1995), generalized to every rectangle and every goal:
//!
//! 1. While the unsolved rectangle has more than three rows or columns, choose one of its outer lines:
//!    a row or column that does not contain the goal cell of the blank ([`Line::next`]).
//! 2. Place all tiles of the line but two, one after the other ([`LineSolver`]).
//! 3. Place the last two tiles together, by breadth-first search in a block of 2×3 cells at the end of
//!    the line ([`last_pair`]).
//! 4. Fix the line. Its tiles never move again; the rectangle is one line smaller.
//! 5. Solve the remaining block of at most 3×3 cells with a table of all its distances.
//!
//! Departures from the textbook: the blank takes a shortest path to the next tile instead of a fixed
//! sequence of moves, and prefers slides that bring other tiles closer to their goal cells. With
//! [`Routing::Lookahead`] it also accepts detours that bring other tiles closer; solutions of large
//! boards become a quarter shorter and take several times as long to find.
//!
//! # Why it cannot fail
//!
//! While a line is solved, the rectangle extends at least four cells inward from it. The free cells,
//! which are those of the rectangle without the solved beginning of the line, stay connected when any
//! one of them is removed. So the blank can reach every side of a tile without moving it, and a tile
//! can always be moved closer to its target. The last two tiles of a line end up in a block of 2×3
//! cells, in which they can take any position because the other three tiles are interchangeable. The
//! last block is solvable because the whole board is.

mod last_pair;
pub(crate) mod line;
pub(crate) mod line_solver;
mod lookahead;
#[cfg(test)]
mod tests;

use npuzzle_tables::clock::Instant;
use std::ops::ControlFlow;

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_core::{Instance, Metric, Slide};

use crate::anytime::rect::Rect;
use crate::anytime::working_board::WorkingBoard;
use crate::tables::full::FullTable;
use line::Line;
use line_solver::LineSolver;

/// Returns some solution of an instance, which must be solvable; fails only if `watch` breaks.
///
/// On large boards the solution has about 3.5 times as many slides as the sum of the tiles' Manhattan
/// distances, and less than 3 times as many with [`Routing::Lookahead`].
pub(crate) fn construct(
    instance: &Instance,
    routing: Routing,
    watch: &mut dyn Watch,
) -> Result<Vec<Slide>, Limit> {
    let mut board = WorkingBoard::new(instance);
    solve_rect(&mut board, Rect::whole(instance.dims()), routing, watch)?;
    Ok(board.into_path())
}

/// How the blank moves from one place to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Routing {
    /// By a shortest path.
    Shortest,
    /// By detours if they bring other tiles closer to their goal cells; by shortest paths after the
    /// given time, if there is one.
    Lookahead(Option<Instant>),
}

impl Routing {
    /// Whether detours are still allowed.
    fn allows_lookahead(self) -> bool {
        match self {
            Routing::Shortest => false,
            Routing::Lookahead(until) => until.is_none_or(|until| Instant::now() < until),
        }
    }
}

/// Solves the rest of a board on which every cell outside of `unsolved` is correct.
pub(crate) fn solve_rect(
    board: &mut WorkingBoard,
    mut unsolved: Rect,
    routing: Routing,
    watch: &mut dyn Watch,
) -> Result<(), Limit> {
    let mut line_solver = LineSolver::new(board, unsolved, routing);
    while let Some((line, rest)) = Line::next(unsolved, board, usize::MAX) {
        if let ControlFlow::Break(limit) = watch.poll(&Stats::default()) {
            return Err(limit);
        }
        if !routing.allows_lookahead() {
            line_solver.disable_lookahead();
        }
        line_solver.solve(board, &line);
        unsolved = rest;
    }
    solve_last_block(board, unsolved, watch)
}

/// Solves the last block optimally, with a table of all its distances.
fn solve_last_block(
    board: &mut WorkingBoard,
    block: Rect,
    watch: &mut dyn Watch,
) -> Result<(), Limit> {
    if block.cells(board.cols()).all(|cell| board.label(cell) == cell) {
        return Ok(());
    }
    let Some(puzzle) = board.sub_puzzle(block) else {
        unreachable!("a block has at least two rows and columns, and contains its own tiles")
    };
    let table = FullTable::build_with(puzzle.goal(), Metric::Stm, || 1, None, watch)?;
    if let Some(path) = table.and_then(|table| table.path(puzzle.start())) {
        board.apply(path);
    }
    Ok(())
}
