//! A window: a segment of a solution, with the rectangle of the board that it changes.

use npuzzle_core::{Board, Cell, Dims, Instance, Metric, Slide};

use crate::anytime::rect::Rect;

/// The maximum number of cells of the rectangle in the single-tile metric.
const MAX_CELLS_STM: usize = 100;

/// The maximum number of cells in the multi-tile metric, whose search packs a board into 64 bits.
const MAX_CELLS_MTM: usize = 16;

/// The number of cells around the path of the blank that belong to the rectangle in the single-tile
/// metric.
const MARGIN: usize = 1;

/// Consecutive slides from a board on, and a rectangle that contains the path of the blank.
pub(super) struct Window {
    pub(super) slides: Vec<Slide>,
    rect: Rect,
}

impl Window {
    /// The first `length` slides of a path, or fewer if the rectangle would become too large.
    pub(super) fn of_slides(board: &Board, path: &[Slide], length: usize) -> Window {
        let dims = board.dims();
        let mut cell = board.blank();
        let mut rect = Rect::around(cell, MARGIN, dims);
        let mut n_slides = 0;
        for &slide in path.iter().take(length) {
            let Some(next) = dims.source(cell, slide) else { break };
            let larger = rect.union(Rect::around(next, MARGIN, dims));
            if n_slides > 0 && larger.n_cells() > MAX_CELLS_STM {
                break;
            }
            (cell, rect, n_slides) = (next, larger, n_slides + 1);
        }
        Window { slides: path[..n_slides].to_vec(), rect }
    }

    /// The first `n_runs` straight runs of a path, or fewer if the rectangle would become too large;
    /// `None` if not even two fit. The rectangle is then grown to the maximum size.
    pub(super) fn of_runs(board: &Board, path: &[Slide], n_runs: usize) -> Option<Window> {
        let dims = board.dims();
        let mut cell = board.blank();
        let mut rect = Rect::around(cell, 0, dims);
        let (mut n_slides, mut n_taken) = (0, 0);
        for run in path.chunk_by(|a, b| a == b).take(n_runs) {
            let end = run.iter().try_fold(cell, |cell, &slide| dims.source(cell, slide))?;
            let larger = rect.union(Rect::around(end, 0, dims));
            if larger.n_cells() > MAX_CELLS_MTM {
                break;
            }
            (cell, rect, n_slides, n_taken) = (end, larger, n_slides + run.len(), n_taken + 1);
        }
        let slides = path[..n_slides].to_vec();
        (n_taken > 1).then(|| Window { slides, rect: grown(rect, MAX_CELLS_MTM, dims) })
    }

    /// The puzzle that the window solves: from the rectangle of this board to the same rectangle after
    /// the slides.
    pub(super) fn puzzle(&self, board: &Board) -> Option<Instance> {
        let mut end = board.clone();
        self.slides.iter().for_each(|&slide| {
            end.slide(slide);
        });
        let tile = |board: &Board, cell: usize| board.tile(Cell::new(cell as u16)).index();
        let (start, goal) = (|cell| tile(board, cell), |cell| tile(&end, cell));
        self.rect.sub_puzzle(board.dims(), 0, start, goal)
    }
}

/// Which windows of a path are searched.
#[derive(Clone, Copy)]
pub(super) struct Sweep {
    pub(super) metric: Metric,
    /// The length of a window, in moves of the metric.
    pub(super) length: usize,
    /// Whether windows reach from the middle of one window to the middle of the next.
    pub(super) is_shifted: bool,
}

/// Cuts a path into windows that follow each other.
pub(super) struct WindowCutter<'a> {
    sweep: Sweep,
    path: &'a [Slide],
    /// The number of slides before each window that is left, the last one first.
    starts: Vec<usize>,
    /// The board after the slides so far, and their number.
    board: Board,
    at: usize,
}

/// A window of a path.
pub(super) struct Cut {
    /// The number of slides before the window.
    pub(super) at: usize,
    pub(super) window: Window,
    pub(super) puzzle: Instance,
}

impl<'a> WindowCutter<'a> {
    /// Cuts a path that starts at a board.
    pub(super) fn new(start: &Board, path: &'a [Slide], sweep: Sweep) -> WindowCutter<'a> {
        let (board, starts) = (start.clone(), Vec::new());
        let mut cutter = WindowCutter { sweep, path, starts, board, at: 0 };
        let mut starts = Vec::new();
        while cutter.at < path.len() {
            let n_slides = cutter.n_slides();
            starts.push(cutter.at + if sweep.is_shifted { n_slides / 2 } else { 0 });
            cutter.advance(n_slides);
        }
        starts.reverse();
        WindowCutter { starts, board: start.clone(), at: 0, ..cutter }
    }

    /// The first window of a path from the current board on.
    fn window(&self, path: &[Slide]) -> Option<Window> {
        match self.sweep.metric {
            Metric::Stm => Some(Window::of_slides(&self.board, path, self.sweep.length)),
            Metric::Mtm => Window::of_runs(&self.board, path, self.sweep.length),
        }
    }

    /// The number of slides of the next window, or of the next run if it does not fit into a window.
    fn n_slides(&self) -> usize {
        let rest = &self.path[self.at..];
        let first_run = rest.chunk_by(|a, b| a == b).next();
        let n_slides = self.window(rest).map(|window| window.slides.len());
        n_slides.or(first_run.map(<[Slide]>::len)).unwrap_or(rest.len())
    }

    fn advance(&mut self, n_slides: usize) {
        for &slide in &self.path[self.at..self.at + n_slides] {
            self.board.slide(slide);
        }
        self.at += n_slides;
    }
}

impl Iterator for WindowCutter<'_> {
    type Item = Cut;

    fn next(&mut self) -> Option<Cut> {
        loop {
            let at = self.starts.pop()?;
            let end = self.starts.last().copied().unwrap_or(self.path.len());
            self.advance(at - self.at);
            let window = self.window(&self.path[at..end]);
            let puzzle = window.as_ref().and_then(|window| window.puzzle(&self.board));
            if let (Some(window), Some(puzzle)) = (window, puzzle) {
                return Some(Cut { at, window, puzzle });
            }
        }
    }
}

/// Extends a rectangle line by line up to `max_cells`, keeping it as close to a square as possible.
fn grown(rect: Rect, max_cells: usize, dims: Dims) -> Rect {
    let candidates = [
        Rect { bottom: (rect.bottom + 1).min(dims.rows()), ..rect },
        Rect { right: (rect.right + 1).min(dims.cols()), ..rect },
        Rect { top: rect.top.saturating_sub(1), ..rect },
        Rect { left: rect.left.saturating_sub(1), ..rect },
    ];
    let larger = candidates.into_iter().filter(|&new| new != rect && new.n_cells() <= max_cells);
    let best = larger.min_by_key(|new| (new.n_rows().abs_diff(new.n_cols()), new.n_cells()));
    best.map_or(rect, |best| grown(best, max_cells, dims))
}
