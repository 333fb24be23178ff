//! Goal arrangements.

use std::fmt;

use crate::puzzle::board::{Board, Tile};
use crate::puzzle::dims::{Cell, Dims};

/// The arrangement that a board is solved to.
///
/// ```
/// use npuzzle_core::{Dims, Goal};
/// let dims = Dims::new(3, 3)?;
/// let slash = |goal: Goal| goal.board(dims).map(|b| b.slash().to_string());
/// assert_eq!(slash(Goal::Last).as_deref(), Some("1 2 3/4 5 6/7 8 0"));
/// assert_eq!(slash(Goal::First).as_deref(), Some("0 1 2/3 4 5/6 7 8"));
/// assert_eq!(slash(Goal::Snail).as_deref(), Some("1 2 3/8 0 4/7 6 5"));
/// # Ok::<(), npuzzle_core::DimsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Goal {
    /// `1 2 … 0`: tiles in order, blank last.
    #[default]
    Last,
    /// `0 1 2 …`: tiles in order, blank first.
    First,
    /// Tiles in order along a clockwise spiral from the top left, with the blank at its end.
    Snail,
    /// A given board.
    Board(Board),
}

impl Goal {
    /// The goal with this name: `last`, `first` or `snail`.
    pub(crate) fn from_name(name: &str) -> Option<Goal> {
        match name {
            "last" => Some(Goal::Last),
            "first" => Some(Goal::First),
            "snail" => Some(Goal::Snail),
            _ => None,
        }
    }

    /// Returns the goal as a board of this size; `None` if the goal is a board of another size.
    pub fn board(&self, dims: Dims) -> Option<Board> {
        match self {
            Goal::Board(board) => (board.dims() == dims).then(|| board.clone()),
            named => Some(named.fill(dims)),
        }
    }

    /// Returns the goal as a board. A given board is returned unchanged, whatever its size.
    pub(crate) fn fill(&self, dims: Dims) -> Board {
        let n = dims.cells();
        let in_order = |offset: usize| -> Box<[Tile]> {
            (0..n).map(|cell| Tile::new(((cell + offset) % n) as u16)).collect()
        };
        match self {
            Goal::Last => Board::new_unchecked(dims, Cell::new((n - 1) as u16), in_order(1)),
            Goal::First => Board::new_unchecked(dims, Cell::new(0), in_order(0)),
            Goal::Snail => snail(dims),
            Goal::Board(board) => board.clone(),
        }
    }
}

fn snail(dims: Dims) -> Board {
    let n = dims.cells();
    let mut tiles = vec![Tile::BLANK; n].into_boxed_slice();
    // The next ring of the spiral, as half-open ranges of rows and columns.
    let (mut top, mut bottom, mut left, mut right) = (0, dims.rows(), 0, dims.cols());
    let mut spiral = Vec::with_capacity(n);
    while top < bottom && left < right {
        spiral.extend((left..right).map(|col| dims.cell(top, col)));
        spiral.extend((top + 1..bottom).map(|row| dims.cell(row, right - 1)));
        if bottom - top > 1 {
            spiral.extend((left..right - 1).rev().map(|col| dims.cell(bottom - 1, col)));
        }
        if right - left > 1 {
            spiral.extend((top + 1..bottom - 1).rev().map(|row| dims.cell(row, left)));
        }
        (top, bottom, left, right) = (top + 1, bottom - 1, left + 1, right - 1);
    }
    for (i, cell) in spiral.iter().enumerate() {
        tiles[cell.index()] = Tile::new(((i + 1) % n) as u16);
    }
    Board::new_unchecked(dims, spiral[n - 1], tiles)
}

/// Writes `last`, `first`, `snail`, or the board on one line.
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Last => f.write_str("last"),
            Goal::First => f.write_str("first"),
            Goal::Snail => f.write_str("snail"),
            Goal::Board(board) => board.slash().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snail_goals_match_the_42_subject() {
        let check = |size: &str, expect: &str| {
            let dims = size.parse().unwrap();
            assert_eq!(Goal::Snail.fill(dims).slash().to_string(), expect);
        };
        check("4", "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7");
        check("5", "1 2 3 4 5/16 17 18 19 6/15 24 0 20 7/14 23 22 21 8/13 12 11 10 9");
        check("2", "1 2/0 3");
        check("2x4", "1 2 3 4/0 7 6 5");
        check("4x2", "1 2/0 3/7 4/6 5");
        check("3x5", "1 2 3 4 5/12 13 14 0 6/11 10 9 8 7");
        check("5x3", "1 2 3/12 13 4/11 14 5/10 0 6/9 8 7");
    }

    #[test]
    fn named_goals_are_valid_boards_of_every_size() {
        for rows in 2..=12 {
            for cols in 2..=12 {
                let dims = Dims::new(rows, cols).unwrap();
                for goal in [Goal::Last, Goal::First, Goal::Snail] {
                    let board = goal.fill(dims);
                    let tiles: Vec<u16> = board.tiles().iter().map(|t| t.number()).collect();
                    assert_eq!(Board::new(dims, &tiles).as_ref(), Ok(&board));
                }
            }
        }
    }
}
