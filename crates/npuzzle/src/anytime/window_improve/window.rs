//! Parts of a solution that are puzzles of their own.

use npuzzle_core::{Board, Cell, Dims, Goal, Instance, Slide};

/// The most cells of the rectangle of a window of slides, and of a window of straight runs, which are
/// searched as words.
const MAX_CELLS: usize = 100;
const MAX_CELLS_OF_RUNS: usize = 16;

/// How many cells around the blank's way belong to the rectangle of slides as well.
const MARGIN: usize = 1;

/// Some slides from a board on, and the rectangle where they happen.
pub(super) struct Window {
    pub(super) slides: Vec<Slide>,
    area: Area,
    dims: Dims,
}

impl Window {
    /// The first slides of a path, as many as asked for or as fit into a rectangle.
    pub(super) fn of_slides(board: &Board, path: &[Slide], length: usize) -> Window {
        let dims = board.dims();
        let mut cell = board.blank();
        let mut area = Area::around(cell, MARGIN, dims);
        let mut n_slides = 0;
        for &slide in path.iter().take(length) {
            let Some(next) = dims.source(cell, slide) else { break };
            let larger = area.with(Area::around(next, MARGIN, dims));
            if n_slides > 0 && larger.n_cells() > MAX_CELLS {
                break;
            }
            (cell, area, n_slides) = (next, larger, n_slides + 1);
        }
        let slides = path[..n_slides].to_vec();
        // A cell has neighbours both ways, so there are two rows and two columns.
        Window { slides, area, dims: area.dims().unwrap_or(dims) }
    }

    /// The first straight runs of a path, likewise; nothing if not even two fit. The rectangle is as
    /// large as it may be.
    pub(super) fn of_runs(board: &Board, path: &[Slide], n_runs: usize) -> Option<Window> {
        let dims = board.dims();
        let mut cell = board.blank();
        let mut area = Area::around(cell, 0, dims);
        let (mut n_slides, mut n_taken) = (0, 0);
        for run in path.chunk_by(|a, b| a == b).take(n_runs) {
            let end = run.iter().try_fold(cell, |cell, &slide| dims.source(cell, slide))?;
            let larger = area.with(Area::around(end, 0, dims));
            if larger.n_cells() > MAX_CELLS_OF_RUNS {
                break;
            }
            (cell, area, n_slides, n_taken) = (end, larger, n_slides + run.len(), n_taken + 1);
        }
        let area = area.grown(MAX_CELLS_OF_RUNS, dims);
        let dims = area.dims().filter(|_| n_taken > 1)?;
        Some(Window { slides: path[..n_slides].to_vec(), area, dims })
    }

    /// The rectangle of this board as a puzzle of its own; tiles are numbered anew.
    pub(super) fn puzzle(&self, from: &Board) -> Option<Instance> {
        let mut to = from.clone();
        self.slides.iter().for_each(|&slide| {
            to.slide(slide);
        });
        let cells = || {
            let cols = self.area.left..self.area.right;
            (self.area.top..self.area.bottom)
                .flat_map(move |row| cols.clone().map(move |col| from.dims().cell(row, col)))
        };
        let mut numbers = vec![0; from.dims().cells()];
        let tiles = cells().map(|cell| from.tile(cell)).filter(|tile| tile.index() > 0);
        tiles.zip(1..).for_each(|(tile, number)| numbers[tile.index()] = number);
        let part = |board: &Board| {
            let tiles: Vec<u16> = cells().map(|cell| numbers[board.tile(cell).index()]).collect();
            Board::new(self.dims, &tiles).ok()
        };
        Instance::new(part(from)?, &Goal::Board(part(&to)?)).ok()
    }
}

/// A rectangle of cells, as half-open ranges of rows and columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Area {
    top: usize,
    bottom: usize,
    left: usize,
    right: usize,
}

impl Area {
    /// A cell with its margin.
    fn around(cell: Cell, margin: usize, dims: Dims) -> Area {
        let (row, col) = (dims.row(cell), dims.col(cell));
        Area {
            top: row.saturating_sub(margin),
            bottom: (row + margin + 1).min(dims.rows()),
            left: col.saturating_sub(margin),
            right: (col + margin + 1).min(dims.cols()),
        }
    }

    /// The smallest that has both.
    fn with(self, other: Area) -> Area {
        Area {
            top: self.top.min(other.top),
            bottom: self.bottom.max(other.bottom),
            left: self.left.min(other.left),
            right: self.right.max(other.right),
        }
    }

    /// Larger on all sides by turns, as long as it has no more than so many cells.
    fn grown(self, most: usize, dims: Dims) -> Area {
        let larger = [
            Area { bottom: (self.bottom + 1).min(dims.rows()), ..self },
            Area { right: (self.right + 1).min(dims.cols()), ..self },
            Area { top: self.top.saturating_sub(1), ..self },
            Area { left: self.left.saturating_sub(1), ..self },
        ];
        let fitting = larger.into_iter().filter(|&area| area != self && area.n_cells() <= most);
        // The one nearest to a square.
        let grown =
            fitting.min_by_key(|area| (area.n_rows().abs_diff(area.n_cols()), area.n_cells()));
        grown.map_or(self, |area| area.grown(most, dims))
    }

    fn n_rows(self) -> usize {
        self.bottom - self.top
    }

    fn n_cols(self) -> usize {
        self.right - self.left
    }

    fn n_cells(self) -> usize {
        self.n_rows() * self.n_cols()
    }

    /// Nothing if it has one row or column only.
    fn dims(self) -> Option<Dims> {
        Dims::new(self.n_rows(), self.n_cols()).ok()
    }
}
