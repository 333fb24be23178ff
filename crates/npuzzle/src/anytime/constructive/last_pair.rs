//! Places the last two tiles of a line, by breadth-first search in a block of 2×3 cells.
//!
//! ```text
//!     line:  … 0 1     positions in the block; 0 and 1 are the last two cells of the line
//!              2 3
//!              4 5     inside of the rectangle
//! ```
//!
//! The state is the position of the two tiles and the blank. The other three tiles of the block are
//! interchangeable, so all 6·5·4 states are reachable from each other.

use super::line::Line;
use crate::anytime::working_board::WorkingBoard;

const N_POSITIONS: usize = 6;

/// The cells of the block at the end of a line: two along the line, three inward.
pub(super) fn block(line: &Line) -> [usize; N_POSITIONS] {
    let [first, second] = [line.length - 2, line.length - 1];
    [(first, 0), (second, 0), (first, 1), (second, 1), (first, 2), (second, 2)]
        .map(|(at, depth)| line.cell(at, depth))
}

/// Moves two tiles to the first two cells of a block that contains them and the blank. The blank stays
/// inside the block.
pub(super) fn solve(board: &mut WorkingBoard, block: &[usize; N_POSITIONS], tiles: [usize; 2]) {
    let position = |cell: usize| block.iter().position(|&block_cell| block_cell == cell);
    let [a, b, blank] = [board.cell(tiles[0]), board.cell(tiles[1]), board.blank()].map(position);
    let (Some(a), Some(b), Some(blank)) = (a, b, blank) else {
        unreachable!("the tiles and the blank have been moved into the block")
    };
    let start = PairState { a, b, blank };
    let mut parents = [None; N_POSITIONS * N_POSITIONS * N_POSITIONS];
    parents[start.index()] = Some(start);
    let mut queue = vec![start];
    let mut at = 0;
    while let Some(&state) = queue.get(at) {
        at += 1;
        if (state.a, state.b) == (0, 1) {
            for position in blank_path(&parents, state) {
                board.step_to(block[position]);
            }
            return;
        }
        for position in board.neighbors(block[state.blank]).filter_map(|(cell, _)| position(cell)) {
            let next = state.after(position);
            if parents[next.index()].is_none() {
                parents[next.index()] = Some(state);
                queue.push(next);
            }
        }
    }
    unreachable!("three tiles of the block are interchangeable, so two tiles can take any position")
}

/// The positions of the blank on the path to a state, without the first.
fn blank_path(
    parents: &[Option<PairState>],
    end: PairState,
) -> impl Iterator<Item = usize> + use<> {
    let mut positions = Vec::new();
    let mut state = end;
    while let Some(parent) = parents[state.index()].filter(|&parent| parent != state) {
        positions.push(state.blank);
        state = parent;
    }
    positions.into_iter().rev()
}

/// The positions of the two tiles and the blank in the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PairState {
    a: usize,
    b: usize,
    blank: usize,
}

impl PairState {
    fn index(self) -> usize {
        (self.a * N_POSITIONS + self.b) * N_POSITIONS + self.blank
    }

    /// The state after the blank has swapped with the tile at a position.
    fn after(self, position: usize) -> PairState {
        let moved = |tile: usize| if tile == position { self.blank } else { tile };
        PairState { a: moved(self.a), b: moved(self.b), blank: position }
    }
}
