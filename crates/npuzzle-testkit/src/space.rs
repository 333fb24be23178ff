//! All arrangements of the small boards, with their distances to the named goals.

use std::sync::LazyLock;

use npuzzle_core::{Board, Dims, Goal, Instance, Metric};

use crate::naive::Oracle;
use crate::{NAMED_GOALS, dims};

/// All arrangements of one size, reachable or not, with one goal.
#[derive(Clone, Debug)]
pub struct Space {
    /// The goal.
    pub goal: Board,
    /// Every arrangement of the size.
    pub arrangements: &'static [Board],
    /// The distances of the arrangements that reach the goal.
    pub oracle: Oracle,
}

impl Space {
    /// Returns the instance of a board with the goal of this space.
    ///
    /// # Panics
    /// If the board has another size.
    pub fn instance(&self, start: &Board) -> Instance {
        let instance = Instance::new(start.clone(), &Goal::Board(self.goal.clone()));
        instance.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the boards that reach the goal, with their distances.
    pub fn solvable(&self) -> impl Iterator<Item = (&'static Board, u32)> {
        let boards = self.arrangements.iter();
        boards.filter_map(|board| self.oracle.distance(board).map(|distance| (board, distance)))
    }
}

/// Returns the spaces of 2×2, 2×3, 3×2, 2×4, 4×2 and 3×3, each with the goals `last`, `first` and
/// `snail`. They are enumerated once per test binary.
pub fn all() -> &'static [Space] {
    static SPACES: LazyLock<Vec<Space>> = LazyLock::new(|| {
        ["2x2", "2x3", "3x2", "2x4", "4x2", "3x3"].into_iter().flat_map(of_size).collect()
    });
    &SPACES
}

/// Returns the spaces of one of the sizes of [`all`].
pub fn of(size: &str) -> impl Iterator<Item = &'static Space> {
    let dims = dims(size);
    all().iter().filter(move |space| space.goal.dims() == dims)
}

fn of_size(size: &str) -> Vec<Space> {
    let dims = dims(size);
    let arrangements: &'static [Board] = arrangements(dims).leak();
    let goals = NAMED_GOALS.into_iter().filter_map(|goal| goal.board(dims));
    goals
        .map(|goal| Space { oracle: Oracle::new(&goal, Metric::Stm), goal, arrangements })
        .collect()
}

/// Every arrangement of a size, reachable or not, in lexicographic order. For boards of up to 9
/// cells.
fn arrangements(dims: Dims) -> Vec<Board> {
    fn extend(dims: Dims, tiles: &mut Vec<u16>, all: &mut Vec<Board>) {
        if tiles.len() == dims.cells() {
            all.extend(Board::new(dims, tiles));
            return;
        }
        for tile in 0..dims.cells() as u16 {
            if !tiles.contains(&tile) {
                tiles.push(tile);
                extend(dims, tiles, all);
                tiles.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(dims, &mut Vec::new(), &mut all);
    all
}
