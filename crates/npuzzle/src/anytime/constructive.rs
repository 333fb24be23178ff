//! Solves a board of any size in a time that grows with the length of the solution alone.
//!
//! Lines are finished from the outside and never touched again: the top or bottom row, the left or
//! right column of the rectangle that is left, whichever the blank does not belong in. What is left
//! in the end, 3×3 cells at most, is looked up. After Parberry (1995), for any rectangle and goal.
//!
//! Why it cannot fail. While a line of at least two cells is finished, the rectangle is four deep.
//! The cells that are still free, the first ones of the line being done, hang together even without
//! any one of them, so the blank gets to every side of a tile, and the tile can always be brought
//! nearer to its place. The last two tiles of a line are brought into a block of 2×3 cells at its
//! end, where they can be put in any order, the other three being alike. In the end the
//! block that is left can be solved because the whole board can.

pub(crate) mod line;
mod lookahead;
mod pair;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::time::Instant;

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_core::{Board, Dims, Goal, Instance, Metric, Slide};

use crate::anytime::working_board::WorkingBoard;
use crate::tables::full::FullTable;
use line::{Builder, Line};

/// Some solution: on large boards three and a half times as long as the sum of the distances by and
/// large, with helpful ways less than three times. The instance must have one.
pub(crate) fn construct(
    instance: &Instance,
    ways: Ways,
    watch: &mut dyn Watch,
) -> Result<Vec<Slide>, Limit> {
    let mut field = WorkingBoard::new(instance);
    let whole = Rect::of(&field);
    finish(&mut field, whole, ways, watch)?;
    Ok(field.into_path())
}

/// How the blank goes from place to place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ways {
    Short,
    /// Longer if other tiles get nearer by that; short ones after some time, if there is an end to it.
    Helpful(Option<Instant>),
}

impl Ways {
    fn are_helpful(self) -> bool {
        match self {
            Ways::Short => false,
            Ways::Helpful(until) => until.is_none_or(|until| Instant::now() < until),
        }
    }
}

/// Solves what is left of a board, all cells outside of the rectangle being right.
pub(crate) fn finish(
    field: &mut WorkingBoard,
    mut left: Rect,
    ways: Ways,
    watch: &mut dyn Watch,
) -> Result<(), Limit> {
    let mut builder = Builder::new(field, left, ways);
    while let Some((line, rest)) = left.next_line(field, usize::MAX) {
        if let ControlFlow::Break(limit) = watch.poll(&Stats::default()) {
            return Err(limit);
        }
        if !ways.are_helpful() {
            builder.take_short_ways();
        }
        builder.finish(field, &line);
        left = rest;
    }
    look_up(field, left, watch)
}

/// The cells that are not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rect {
    /// The first and, as in ranges, the one after the last.
    pub(crate) rows: (usize, usize),
    pub(crate) cols: (usize, usize),
}

impl Rect {
    /// Lines are finished until no more than so many are left.
    const LAST: usize = 3;

    /// All cells.
    pub(crate) fn of(field: &WorkingBoard) -> Rect {
        Rect { rows: (0, field.rows()), cols: (0, field.cols()) }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.rows.1 - self.rows.0
    }

    pub(crate) fn n_cols(&self) -> usize {
        self.cols.1 - self.cols.0
    }

    pub(crate) fn cells(self, field: &WorkingBoard) -> impl Iterator<Item = usize> + use<> {
        let n_cols = field.cols();
        (self.rows.0..self.rows.1)
            .flat_map(move |row| (self.cols.0..self.cols.1).map(move |col| row * n_cols + col))
    }

    /// The line to finish next and what is left then, unless little is. It is a row while there are
    /// more than so many, or more than columns.
    pub(crate) fn next_line(
        &self,
        field: &WorkingBoard,
        n_rows_kept: usize,
    ) -> Option<(Line, Rect)> {
        let (n_rows, n_cols) = (self.n_rows(), self.n_cols());
        if n_rows <= Rect::LAST && n_cols <= Rect::LAST {
            return None;
        }
        let (home_row, home_col) = (field.row(field.home()), field.col(field.home()));
        let (width, [top, bottom, left, right]) = (field.cols() as isize, self.sides());
        let corner = |row: usize, col: usize| row * field.cols() + col;
        let mut rest = *self;
        let is_row = n_rows >= n_cols.min(n_rows_kept.saturating_add(1));
        let line = if is_row && home_row != top {
            rest.rows.0 += 1;
            Line { first: corner(top, left), along: 1, inward: width, length: n_cols }
        } else if is_row {
            rest.rows.1 -= 1;
            Line { first: corner(bottom, left), along: 1, inward: -width, length: n_cols }
        } else if home_col != left {
            rest.cols.0 += 1;
            Line { first: corner(top, left), along: width, inward: 1, length: n_rows }
        } else {
            rest.cols.1 -= 1;
            Line { first: corner(top, right), along: width, inward: -1, length: n_rows }
        };
        Some((line, rest))
    }

    /// The rectangle as a puzzle of its own, if it has all of its tiles and the blank.
    pub(crate) fn puzzle(&self, field: &WorkingBoard) -> Option<Instance> {
        let cells: Vec<usize> = self.cells(field).collect();
        // Tiles are numbered in the order of their homes, the blank being 0.
        let mut numbers = vec![0; field.n_cells()];
        let homes = cells.iter().filter(|&&cell| cell != field.home());
        homes.zip(1..).for_each(|(&cell, number)| numbers[cell] = number);
        let board = |label: &dyn Fn(usize) -> usize| -> Option<Board> {
            let tiles: Vec<u16> = cells.iter().map(|&cell| numbers[label(cell)]).collect();
            Board::new(Dims::new(self.n_rows(), self.n_cols()).ok()?, &tiles).ok()
        };
        let (start, goal) = (board(&|cell| field.label(cell))?, board(&|cell| cell)?);
        Instance::new(start, &Goal::Board(goal)).ok()
    }

    /// The outermost rows and columns.
    fn sides(&self) -> [usize; 4] {
        [self.rows.0, self.rows.1 - 1, self.cols.0, self.cols.1 - 1]
    }
}

/// Solves the last block by the table of its distances.
fn look_up(field: &mut WorkingBoard, left: Rect, watch: &mut dyn Watch) -> Result<(), Limit> {
    if left.cells(field).all(|cell| field.label(cell) == cell) {
        return Ok(());
    }
    let Some(puzzle) = left.puzzle(field) else {
        unreachable!("a block has at least two rows and columns, and its own tiles")
    };
    let table = FullTable::build_with(puzzle.goal(), Metric::Stm, || 1, None, watch)?;
    if let Some(path) = table.and_then(|table| table.path(puzzle.start())) {
        field.follow(path);
    }
    Ok(())
}
