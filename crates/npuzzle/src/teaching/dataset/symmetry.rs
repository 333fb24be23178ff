//! Mirror images of boards.
//!
//! A reflection or rotation of the rectangle that keeps the blank's goal cell maps a puzzle to itself if the tiles get
//! new numbers: a tile whose goal is cell `c` becomes the tile whose goal is the image of `c`. The image of a board is as
//! far from the goal, and its solutions are the images of the solutions.

use npuzzle_core::{Board, Cell};

/// The symmetries of a goal, including the identity.
#[derive(Debug)]
pub(super) struct Symmetries {
    goal: Board,
    /// The goal cell of each tile.
    goal_cells: Vec<Cell>,
    /// The image of each cell, for each symmetry.
    images: Vec<Vec<usize>>,
}

impl Symmetries {
    pub(super) fn new(goal: &Board) -> Symmetries {
        let dims = goal.dims();
        let (rows, cols) = (dims.rows(), dims.cols());
        let mut images = Vec::new();
        for (flips_rows, flips_cols, transposes) in all_flags() {
            if transposes && !dims.is_square() {
                continue;
            }
            let image = |cell: usize| {
                let (row, col) = (cell / cols, cell % cols);
                let row = if flips_rows { rows - 1 - row } else { row };
                let col = if flips_cols { cols - 1 - col } else { col };
                if transposes { col * cols + row } else { row * cols + col }
            };
            let blank = goal.blank().index();
            if image(blank) == blank {
                images.push((0..dims.cells()).map(image).collect());
            }
        }
        Symmetries { goal: goal.clone(), goal_cells: goal.cells_by_tile(), images }
    }

    /// The number of symmetries, at least 1.
    pub(super) fn len(&self) -> usize {
        self.images.len()
    }

    /// Returns the tiles of the smallest image of a board. All images of a board share it.
    pub(super) fn representative(&self, board: &Board) -> Vec<u16> {
        // The identity is one of the symmetries.
        self.images.iter().map(|image| self.image(board, image)).min().unwrap_or_default()
    }

    fn image(&self, board: &Board, image: &[usize]) -> Vec<u16> {
        let mut tiles = vec![0; image.len()];
        for (cell, tile) in board.tiles().iter().enumerate() {
            let goal_cell = self.goal_cells[tile.index()].index();
            tiles[image[cell]] = self.goal.tiles()[image[goal_cell]].number();
        }
        tiles
    }
}

/// Every combination of reflecting rows, reflecting columns and transposing.
fn all_flags() -> impl Iterator<Item = (bool, bool, bool)> {
    (0..8).map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::full::FullTable;
    use npuzzle_core::{Goal, Metric, Random};

    #[test]
    fn images_are_as_far_from_the_goal() {
        for (size, goal, n) in [
            ("3x3", Goal::Last, 2),
            ("3x3", Goal::Snail, 8),
            ("2x3", Goal::Last, 1),
            ("3x3", Goal::Board("1 0 2/3 4 5/6 7 8".parse().unwrap()), 2),
        ] {
            let goal = goal.board(size.parse().unwrap()).unwrap();
            let symmetries = Symmetries::new(&goal);
            assert_eq!(symmetries.len(), n, "{}", goal.slash());
            let table = FullTable::build(&goal, Metric::Stm).unwrap();
            let mut random = Random::new(1);
            for _ in 0..100 {
                let board = random.instance(&goal, true).start().clone();
                let image = |image: &Vec<usize>| symmetries.image(&board, image);
                for tiles in symmetries.images.iter().map(image) {
                    let image = Board::new(goal.dims(), &tiles).unwrap();
                    assert_eq!(table.distance(&image), table.distance(&board));
                    assert_eq!(
                        symmetries.representative(&image),
                        symmetries.representative(&board)
                    );
                }
            }
        }
    }
}
