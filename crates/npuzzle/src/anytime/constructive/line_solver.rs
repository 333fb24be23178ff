//! Solves one line of the board: moves its tiles to their goal cells one by one, the last two
//! together.
//!
//! A tile moves one step at a time: the blank walks around the tile to the cell in front of it, then
//! swaps with it. The blank walks by [lookahead](super::lookahead) if that is enabled. Otherwise it
//! steps greedily while the target is more than [`BFS_DISTANCE`] cells away, and then takes a shortest
//! path, found by breadth-first search. Equally short steps are decided in favor of the tile that the
//! slide brings closer to its goal cell.

use std::cmp::Ordering;

use npuzzle_core::Slide;

use super::Routing;
use super::last_pair;
use super::line::Line;
use super::lookahead::LookaheadRouter;
use crate::anytime::rect::Rect;
use crate::anytime::working_board::WorkingBoard;

/// Moves tiles through the free cells, around those that are fixed.
pub(crate) struct LineSolver {
    /// By cell: whether its tile must not move.
    is_fixed: Vec<bool>,
    /// Scratch space of the breadth-first search: by cell, the number of steps to the target, and the
    /// queue of cells reached.
    steps: Vec<u16>,
    queue: Vec<u16>,
    /// `None` if the blank takes shortest paths.
    lookahead: Option<LookaheadRouter>,
}

const UNREACHED: u16 = u16::MAX;

/// Up to this distance the path of the blank is found by breadth-first search.
const BFS_DISTANCE: usize = 4;

impl LineSolver {
    /// A solver to which every cell outside of the rectangle is fixed.
    pub(crate) fn new(board: &WorkingBoard, unsolved: Rect, routing: Routing) -> LineSolver {
        let mut is_fixed = vec![true; board.n_cells()];
        unsolved.cells(board.cols()).for_each(|cell| is_fixed[cell] = false);
        LineSolver {
            is_fixed,
            steps: vec![UNREACHED; board.n_cells()],
            queue: Vec::new(),
            lookahead: (routing != Routing::Shortest).then(|| LookaheadRouter::new(board)),
        }
    }

    /// Makes the blank take shortest paths from now on.
    pub(crate) fn disable_lookahead(&mut self) {
        self.lookahead = None;
    }

    /// Places the tiles of a line and fixes them.
    pub(crate) fn solve(&mut self, board: &mut WorkingBoard, line: &Line) {
        let n_single = line.length - 2;
        for at in 0..n_single {
            let cell = line.cell(at, 0);
            self.move_tile(board, cell, cell);
            self.is_fixed[cell] = true;
        }
        let [a, b] = [n_single, n_single + 1].map(|at| line.cell(at, 0));
        if board.cell(a) != a || board.cell(b) != b {
            self.place_last_pair(board, line, [a, b]);
        }
        self.is_fixed[a] = true;
        self.is_fixed[b] = true;
    }

    /// Places the last two tiles of a line: moves them and the blank into the block at the end of the
    /// line, then searches that block.
    fn place_last_pair(&mut self, board: &mut WorkingBoard, line: &Line, [a, b]: [usize; 2]) {
        let block = last_pair::block(line);
        // The tiles stay out of the two innermost cells, through which the blank enters.
        let (tile_cells, entry_cells) = block.split_at(4);
        if !tile_cells.contains(&board.cell(a)) {
            self.move_tile(board, a, a);
        }
        if !tile_cells.contains(&board.cell(b)) {
            // Moving `b` must not push `a` away. At its goal cell, `a` is not an obstacle.
            self.move_tile(board, a, a);
            self.is_fixed[a] = true;
            self.move_tile(board, b, line.cell(line.length - 1, 1));
            self.is_fixed[a] = false;
        }
        if !block.contains(&board.blank()) {
            let nearest =
                entry_cells.iter().min_by_key(|&&cell| board.distance(cell, board.blank()));
            let tiles = [a, b].map(|label| board.cell(label));
            nearest.into_iter().for_each(|&cell| self.move_blank(board, cell, &tiles));
        }
        last_pair::solve(board, &block, [a, b]);
    }

    /// Moves the tile with this label to a free cell, step by step.
    pub(crate) fn move_tile(&mut self, board: &mut WorkingBoard, label: usize, target: usize) {
        let mut at = board.cell(label);
        while at != target {
            let closer = board.neighbors(at).filter(|&(cell, _)| {
                !self.is_fixed[cell] && board.distance(cell, target) < board.distance(at, target)
            });
            let Some((next, slide)) =
                closer.min_by_key(|&(cell, _)| walk_estimate(board, cell, at))
            else {
                unreachable!("the free cells are connected, and the target is one of them")
            };
            self.move_blank(board, next, &[at]);
            // `slide` moves the blank from the tile to `next`; this slide goes the opposite way.
            board.slide(at, slide.opposite());
            at = next;
        }
    }

    /// Fixes the tile in a cell.
    pub(crate) fn fix(&mut self, cell: usize) {
        self.is_fixed[cell] = true;
    }

    /// Moves the blank to a free cell without moving the tiles in the cells `kept`, none of which is
    /// fixed.
    fn move_blank(&mut self, board: &mut WorkingBoard, to: usize, kept: &[usize]) {
        kept.iter().for_each(|&cell| self.is_fixed[cell] = true);
        let lookahead = self.lookahead.as_mut();
        if !lookahead.is_some_and(|router| router.move_blank(board, to, &self.is_fixed)) {
            while let Some((cell, slide)) = self.greedy_step(board, to) {
                board.slide(cell, slide);
            }
            self.move_blank_by_bfs(board, to);
        }
        kept.iter().for_each(|&cell| self.is_fixed[cell] = false);
    }

    /// The better of the two steps of the blank toward a distant cell; `None` if the cell is near or
    /// both steps are blocked.
    #[inline]
    fn greedy_step(&self, board: &WorkingBoard, to: usize) -> Option<(usize, Slide)> {
        let blank = board.blank();
        if board.distance(blank, to) <= BFS_DISTANCE {
            return None;
        }
        let vertical = match board.row(blank).cmp(&board.row(to)) {
            Ordering::Less => Some(Slide::Up),
            Ordering::Equal => None,
            Ordering::Greater => Some(Slide::Down),
        };
        let horizontal = match board.col(blank).cmp(&board.col(to)) {
            Ordering::Less => Some(Slide::Left),
            Ordering::Equal => None,
            Ordering::Greater => Some(Slide::Right),
        };
        let free = |slide: Option<Slide>| {
            let cell = board.blank_after(slide?);
            (!self.is_fixed[cell]).then_some((cell, slide?))
        };
        match (free(vertical), free(horizontal)) {
            (Some(vertical), Some(horizontal)) => {
                let is_vertical =
                    distance_change(board, vertical.0) <= distance_change(board, horizontal.0);
                Some(if is_vertical { vertical } else { horizontal })
            }
            (vertical, horizontal) => vertical.or(horizontal),
        }
    }

    /// Moves the blank by a shortest path, found by breadth-first search from the target.
    fn move_blank_by_bfs(&mut self, board: &mut WorkingBoard, to: usize) {
        self.queue.clear();
        self.queue.push(to as u16);
        self.steps[to] = 0;
        let mut at = 0;
        while self.steps[board.blank()] == UNREACHED {
            let Some(&cell) = self.queue.get(at) else { break };
            at += 1;
            let steps = self.steps[usize::from(cell)] + 1;
            board.for_each_neighbor(usize::from(cell), |neighbor| {
                if self.steps[neighbor] == UNREACHED && !self.is_fixed[neighbor] {
                    self.steps[neighbor] = steps;
                    self.queue.push(neighbor as u16);
                }
            });
        }
        while board.blank() != to {
            let steps = self.steps[board.blank()];
            let closer =
                board.neighbors(board.blank()).filter(|&(cell, _)| self.steps[cell] < steps);
            let Some((next, slide)) = closer.min_by_key(|&(cell, _)| distance_change(board, cell))
            else {
                unreachable!("the search has reached the blank and every cell of its path")
            };
            board.slide(next, slide);
        }
        self.queue.iter().for_each(|&cell| self.steps[usize::from(cell)] = UNREACHED);
    }
}

/// The change of a tile's distance to its goal cell if it slides from `cell` into the adjacent blank:
/// 1 or -1.
fn distance_change(board: &WorkingBoard, cell: usize) -> isize {
    let label = board.label(cell);
    board.distance(label, board.blank()) as isize - board.distance(label, cell) as isize
}

/// An estimate of the steps of the blank to `to`, a neighbor of a tile that it must walk around.
fn walk_estimate(board: &WorkingBoard, to: usize, tile: usize) -> usize {
    let blank = board.blank();
    let is_aligned = board.row(blank) == board.row(to) && board.row(to) == board.row(tile)
        || board.col(blank) == board.col(to) && board.col(to) == board.col(tile);
    let is_behind = board.distance(blank, to) > board.distance(blank, tile);
    board.distance(blank, to) + if is_aligned && is_behind { 2 } else { 0 }
}
