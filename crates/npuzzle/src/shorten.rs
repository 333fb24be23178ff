//! Makes a solution shorter by cutting out windows and solving them anew.
//!
//! A *window* is a part of the path. While it lasts the blank stays within a rectangle, and nothing
//! outside of it moves; so the window is a puzzle of its own, from the rectangle as it was to the
//! rectangle as it becomes, however large the board. A narrow beam that must be shorter solves it
//! again. Windows overlap; they grow from pass to pass, and a pass that gained something is repeated.

use std::ops::ControlFlow;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Board, Dims, Goal, Instance, Slide};

use crate::beam::{self, Once};
use crate::options::Options;

/// The lengths of windows, pass by pass.
const LENGTHS: [usize; 3] = [24, 48, 96];

/// The width of the beams.
const WIDTH: usize = 1_000;

/// The most cells of a window's rectangle.
const MAX_CELLS: usize = 100;

/// How many cells around the blank's way belong to the rectangle as well.
const MARGIN: usize = 1;

/// Shortens a solution of this board until nothing is gained any more or a limit is reached. What is
/// returned is a solution in any case.
pub(crate) fn shorten(
    instance: &Instance,
    path: Vec<Slide>,
    options: &Options,
    stats: &mut Stats,
    watch: &mut dyn Watch,
) -> (Vec<Slide>, Option<Limit>) {
    let mut path = without_returns(path);
    for length in LENGTHS {
        loop {
            let n_before = path.len();
            let (shorter, ended) = pass(instance.start(), path, length, options, stats, watch);
            path = shorter;
            if let ControlFlow::Break(limit) = ended {
                return (path, Some(limit));
            }
            if path.len() == n_before {
                break;
            }
        }
        if length >= path.len() {
            break;
        }
    }
    (path, None)
}

/// Looks at all windows of a length, each half a window after the one before.
fn pass(
    start: &Board,
    mut path: Vec<Slide>,
    length: usize,
    options: &Options,
    stats: &mut Stats,
    watch: &mut dyn Watch,
) -> (Vec<Slide>, ControlFlow<Limit>) {
    let mut board = start.clone();
    let mut at = 0;
    while at < path.len() {
        let is_spent = options.limits.nodes.is_some_and(|most| stats.expanded >= most);
        let ended = if is_spent { ControlFlow::Break(Limit::Nodes) } else { watch.poll(stats) };
        if ended.is_break() {
            return (path, ended);
        }
        let window = Window::new(&board, &path[at..], length);
        if let Some(shorter) = window.solve(&board, options, stats, watch) {
            path.splice(at..at + window.slides.len(), shorter);
            watch.better(path.len() as Cost);
            // The new slides may be part of a window that gains more.
            continue;
        }
        let step = (length / 2).min(path.len() - at);
        path[at..at + step].iter().for_each(|&slide| {
            board.slide(slide);
        });
        at += step;
    }
    (path, ControlFlow::Continue(()))
}

/// A path without steps that are taken back at once.
fn without_returns(path: Vec<Slide>) -> Vec<Slide> {
    let mut kept: Vec<Slide> = Vec::with_capacity(path.len());
    for slide in path {
        if kept.last() == Some(&slide.opposite()) {
            kept.pop();
        } else {
            kept.push(slide);
        }
    }
    kept
}

/// Some slides from a board on, and the rectangle where they happen.
struct Window {
    slides: Vec<Slide>,
    top: usize,
    left: usize,
    dims: Dims,
}

impl Window {
    /// The first slides of a path, as many as asked for or as fit into a rectangle.
    fn new(board: &Board, path: &[Slide], length: usize) -> Window {
        let dims = board.dims();
        let mut cell = board.blank();
        let mut area = Area::at(dims.row(cell), dims.col(cell), dims);
        let mut n_slides = 0;
        for &slide in path.iter().take(length) {
            let Some(next) = dims.source(cell, slide) else { break };
            let larger = area.with(dims.row(next), dims.col(next), dims);
            if n_slides > 0 && larger.n_cells() > MAX_CELLS {
                break;
            }
            (cell, area, n_slides) = (next, larger, n_slides + 1);
        }
        let (rows, cols) = (area.bottom - area.top, area.right - area.left);
        let slides = path[..n_slides].to_vec();
        Window {
            slides,
            top: area.top,
            left: area.left,
            dims: Dims::new(rows, cols).unwrap_or(dims),
        }
    }

    /// The same in fewer slides, if a beam finds it.
    fn solve(
        &self,
        board: &Board,
        options: &Options,
        stats: &mut Stats,
        watch: &mut dyn Watch,
    ) -> Option<Vec<Slide>> {
        let mut end = board.clone();
        self.slides.iter().for_each(|&slide| {
            end.slide(slide);
        });
        let instance = self.puzzle(board, &end)?;
        let means = Once {
            width: WIDTH,
            longest: self.slides.len(),
            n_threads: options.resources().threads,
            max_expanded: options.limits.nodes,
        };
        beam::once(&instance, means, stats, watch)
    }

    /// The rectangle as a puzzle of its own; tiles are numbered anew.
    fn puzzle(&self, from: &Board, to: &Board) -> Option<Instance> {
        let cells = || {
            (0..self.dims.rows())
                .flat_map(|row| (0..self.dims.cols()).map(move |col| (row, col)))
                .map(|(row, col)| from.dims().cell(self.top + row, self.left + col))
        };
        let mut numbers = vec![0; from.dims().cells()];
        let tiles = cells().map(|cell| from.tile(cell)).filter(|tile| tile.index() > 0);
        tiles.zip(1..).for_each(|(tile, number)| numbers[tile.index()] = number);
        let part = |board: &Board| {
            let tiles: Vec<u16> = cells().map(|cell| numbers[board.tile(cell).index()]).collect();
            Board::new(self.dims, &tiles).ok()
        };
        Instance::new(part(from)?, &Goal::Board(part(to)?)).ok()
    }
}

/// A rectangle of cells, as half-open ranges of rows and columns.
#[derive(Clone, Copy)]
struct Area {
    top: usize,
    bottom: usize,
    left: usize,
    right: usize,
}

impl Area {
    /// A cell with its margin.
    fn at(row: usize, col: usize, dims: Dims) -> Area {
        Area {
            top: row.saturating_sub(MARGIN),
            bottom: (row + MARGIN + 1).min(dims.rows()),
            left: col.saturating_sub(MARGIN),
            right: (col + MARGIN + 1).min(dims.cols()),
        }
    }

    /// The smallest that has another cell with its margin too.
    fn with(self, row: usize, col: usize, dims: Dims) -> Area {
        let other = Area::at(row, col, dims);
        Area {
            top: self.top.min(other.top),
            bottom: self.bottom.max(other.bottom),
            left: self.left.min(other.left),
            right: self.right.max(other.right),
        }
    }

    fn n_cells(self) -> usize {
        (self.bottom - self.top) * (self.right - self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Limits;
    use npuzzle_core::Moves;
    use npuzzle_testkit::{dims, random::Random};

    fn options() -> Options {
        Options { limits: Limits::NONE, ..Options::default() }
    }

    /// A walk of so many slides, as a path from its end to its beginning.
    fn wandering(size: &str, n_slides: usize) -> (Instance, Vec<Slide>) {
        let goal = Goal::Last.board(dims(size)).unwrap();
        let mut random = Random::new(3);
        let (mut board, mut path) = (goal, Vec::new());
        for _ in 0..n_slides {
            let slides: Vec<Slide> = board.slides().collect();
            let slide = slides[random.below(slides.len())];
            assert!(board.slide(slide));
            path.push(slide.opposite());
        }
        path.reverse();
        (Instance::from(board), path)
    }

    #[test]
    fn what_is_shortened_is_a_solution_still() {
        for size in ["2x2", "2x7", "5x5", "9x4", "40x30"] {
            let (instance, path) = wandering(size, 300);
            let longest = path.len();
            let (path, limit) =
                shorten(&instance, path, &options(), &mut Stats::default(), &mut ());
            assert_eq!(limit, None);
            assert!(path.len() < longest / 2, "{size}: {} of {longest}", path.len());
            let end = Moves::from(path).replay(instance.start());
            assert_eq!(end.as_ref(), Ok(instance.goal()), "{size}");
        }
    }

    #[test]
    fn a_limit_leaves_a_solution() {
        struct Soon(u32);
        impl Watch for Soon {
            fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
                self.0 += 1;
                if self.0 < 200 {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(Limit::Time)
                }
            }
        }
        let (instance, path) = wandering("6x6", 1_000);
        let (path, limit) =
            shorten(&instance, path, &options(), &mut Stats::default(), &mut Soon(0));
        assert_eq!(limit, Some(Limit::Time));
        assert_eq!(Moves::from(path).replay(instance.start()).as_ref(), Ok(instance.goal()));
    }
}
