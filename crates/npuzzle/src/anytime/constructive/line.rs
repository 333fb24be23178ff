//! The outer lines of the unsolved rectangle, and the order in which they are solved.

use crate::anytime::rect::Rect;
use crate::anytime::working_board::WorkingBoard;

/// The outermost cells on one side of the unsolved rectangle, with the direction of its inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) first: usize,
    /// The difference between the numbers of consecutive cells.
    pub(crate) along: isize,
    /// The difference between a cell and the next one inward.
    pub(crate) inward: isize,
    pub(crate) length: usize,
}

/// Lines are solved until no more than this many rows and columns are left.
const LAST_BLOCK_SIDE: usize = 3;

impl Line {
    /// The line to solve next, and the rectangle that is unsolved after it; `None` if only the last
    /// block is left.
    ///
    /// The line is a row if the rectangle has at least as many rows as columns, or more than
    /// `n_rows_kept` rows. It never contains the goal cell of the blank.
    pub(crate) fn next(
        unsolved: Rect,
        board: &WorkingBoard,
        n_rows_kept: usize,
    ) -> Option<(Line, Rect)> {
        let (n_rows, n_cols) = (unsolved.n_rows(), unsolved.n_cols());
        if n_rows <= LAST_BLOCK_SIDE && n_cols <= LAST_BLOCK_SIDE {
            return None;
        }
        let blank_goal = board.blank_goal();
        let (goal_row, goal_col) = (board.row(blank_goal), board.col(blank_goal));
        let Rect { top, left, bottom, right } = unsolved;
        let width = board.cols() as isize;
        let cell = |row: usize, col: usize| row * board.cols() + col;
        let is_row = n_rows >= n_cols.min(n_rows_kept.saturating_add(1));
        Some(if is_row && goal_row != top {
            let line = Line { first: cell(top, left), along: 1, inward: width, length: n_cols };
            (line, Rect { top: top + 1, ..unsolved })
        } else if is_row {
            let first = cell(bottom - 1, left);
            let line = Line { first, along: 1, inward: -width, length: n_cols };
            (line, Rect { bottom: bottom - 1, ..unsolved })
        } else if goal_col != left {
            let line = Line { first: cell(top, left), along: width, inward: 1, length: n_rows };
            (line, Rect { left: left + 1, ..unsolved })
        } else {
            let first = cell(top, right - 1);
            let line = Line { first, along: width, inward: -1, length: n_rows };
            (line, Rect { right: right - 1, ..unsolved })
        })
    }

    /// The same line, traversed from its other end.
    pub(crate) fn reversed(self) -> Line {
        Line { first: self.cell(self.length - 1, 0), along: -self.along, ..self }
    }

    /// The cell at position `at` of the line, `depth` cells inward.
    pub(crate) fn cell(&self, at: usize, depth: usize) -> usize {
        let offset = at as isize * self.along + depth as isize * self.inward;
        self.first.wrapping_add_signed(offset)
    }
}
