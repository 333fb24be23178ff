//! Puts the last two tiles of a line into their places, by search over a block of 2×3 cells.

use super::line::{Line, step};
use crate::anytime::working_board::WorkingBoard;

const N: usize = 6;

/// The block at the end of a line: two cells along it, three deep.
pub(super) fn block(line: &Line) -> [usize; N] {
    let [first, second] = [line.length - 2, line.length - 1];
    [(first, 0), (second, 0), (first, 1), (second, 1), (first, 2), (second, 2)]
        .map(|(at, depth)| line.cell(at, depth))
}

/// Slides within a block until two tiles that lie in it, as the blank does, are in its first two
/// cells.
pub(super) fn solve(field: &mut WorkingBoard, block: &[usize; N], tiles: [usize; 2]) {
    let place = |cell: usize| block.iter().position(|&of_block| of_block == cell);
    let [a, b, blank] = [field.cell(tiles[0]), field.cell(tiles[1]), field.blank()].map(place);
    let (Some(a), Some(b), Some(blank)) = (a, b, blank) else {
        unreachable!("the tiles and the blank have been brought into the block")
    };
    // Breadth-first; the state before, by state.
    let start = State { a, b, blank };
    let mut before = [None; N * N * N];
    before[start.index()] = Some(start);
    let mut seen = vec![start];
    let mut at = 0;
    while let Some(&state) = seen.get(at) {
        at += 1;
        if (state.a, state.b) == (0, 1) {
            return walk(field, way(&before, state).map(|place| block[place]));
        }
        for place in field.beside(block[state.blank]).filter_map(|(cell, _)| place(cell)) {
            let next = state.after(place);
            if before[next.index()].is_none() {
                before[next.index()] = Some(state);
                seen.push(next);
            }
        }
    }
    unreachable!("with three cells alike, every order of two tiles can be reached")
}

/// The blank's places on the way to a state, without the first.
fn way(before: &[Option<State>], end: State) -> impl Iterator<Item = usize> + use<> {
    let mut places = Vec::new();
    let mut state = end;
    while let Some(parent) = before[state.index()].filter(|&parent| parent != state) {
        places.push(state.blank);
        state = parent;
    }
    places.into_iter().rev()
}

fn walk(field: &mut WorkingBoard, cells: impl Iterator<Item = usize>) {
    for cell in cells {
        if let Some((to, slide)) = step(field, cell) {
            field.slide(to, slide);
        }
    }
}

/// Where the two tiles and the blank lie in the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct State {
    a: usize,
    b: usize,
    blank: usize,
}

impl State {
    fn index(self) -> usize {
        (self.a * N + self.b) * N + self.blank
    }

    /// The blank changes places with what lies there.
    fn after(self, place: usize) -> State {
        let moved = |tile: usize| if tile == place { self.blank } else { tile };
        State { a: moved(self.a), b: moved(self.b), blank: place }
    }
}
