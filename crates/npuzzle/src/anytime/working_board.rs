//! A board that is played on: which tile lies where, and the slides made so far.
//!
//! A tile goes by the cell where it belongs, its *label*; so every goal looks like
//! `0 1 2 …`, with the blank's label anywhere among them, and a tile is at home where its label
//! equals its cell. Cells are counted row by row.

use npuzzle_core::{Instance, Slide};

/// A board that is played on.
///
/// Invariant: `labels` and `cells` are inverse to each other, and `labels[blank]` is `blank_label`.
#[derive(Clone, Debug)]
pub(crate) struct WorkingBoard {
    rows: usize,
    cols: usize,
    /// Row and column by cell, and so where a label belongs.
    places: Vec<[u8; 2]>,
    /// By cell.
    labels: Vec<u16>,
    /// By label.
    cells: Vec<u16>,
    blank: usize,
    /// Where the blank belongs.
    home: usize,
    path: Vec<Slide>,
}

impl WorkingBoard {
    pub(crate) fn new(instance: &Instance) -> WorkingBoard {
        let homes = instance.goal().cells_by_tile();
        let label = |tile: &npuzzle_core::Tile| homes[tile.index()].index() as u16;
        let labels: Vec<u16> = instance.start().tiles().iter().map(label).collect();
        let mut cells = vec![0; labels.len()];
        for (cell, &label) in labels.iter().enumerate() {
            cells[usize::from(label)] = cell as u16;
        }
        let (rows, cols) = (instance.dims().rows(), instance.dims().cols());
        WorkingBoard {
            rows,
            cols,
            // Both are below 127.
            places: (0..rows * cols)
                .map(|cell| [(cell / cols) as u8, (cell % cols) as u8])
                .collect(),
            labels,
            cells,
            blank: instance.start().blank().index(),
            home: instance.goal().blank().index(),
            path: Vec::new(),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn cols(&self) -> usize {
        self.cols
    }

    pub(crate) fn n_cells(&self) -> usize {
        self.labels.len()
    }

    /// The label of the tile, or of the blank, in a cell.
    #[inline]
    pub(crate) fn label(&self, cell: usize) -> usize {
        usize::from(self.labels[cell])
    }

    /// The cell of a label.
    #[inline]
    pub(crate) fn cell(&self, label: usize) -> usize {
        usize::from(self.cells[label])
    }

    /// Where the blank is.
    #[inline]
    pub(crate) fn blank(&self) -> usize {
        self.blank
    }

    /// Where the blank belongs.
    pub(crate) fn home(&self) -> usize {
        self.home
    }

    pub(crate) fn into_path(self) -> Vec<Slide> {
        self.path
    }

    #[inline]
    pub(crate) fn row(&self, cell: usize) -> usize {
        usize::from(self.places[cell][0])
    }

    #[inline]
    pub(crate) fn col(&self, cell: usize) -> usize {
        usize::from(self.places[cell][1])
    }

    #[inline]
    pub(crate) fn distance(&self, a: usize, b: usize) -> usize {
        self.row(a).abs_diff(self.row(b)) + self.col(a).abs_diff(self.col(b))
    }

    /// The cells beside one, each with the slide that moves the blank there.
    #[inline]
    pub(crate) fn beside(&self, cell: usize) -> impl Iterator<Item = (usize, Slide)> + use<> {
        let (row, col, cols) = (self.row(cell), self.col(cell), self.cols);
        let beside = [
            (row + 1 < self.rows, cell + cols, Slide::Up),
            (row > 0, cell.wrapping_sub(cols), Slide::Down),
            (col + 1 < cols, cell + 1, Slide::Left),
            (col > 0, cell.wrapping_sub(1), Slide::Right),
        ];
        beside.into_iter().filter(|(is_there, ..)| *is_there).map(|(_, cell, slide)| (cell, slide))
    }

    /// The same cells, without the slides and without an iterator, for loops that have to be fast.
    #[inline(always)]
    pub(crate) fn for_each_beside(&self, cell: usize, mut look: impl FnMut(usize)) {
        let (row, col) = (self.row(cell), self.col(cell));
        if row + 1 < self.rows {
            look(cell + self.cols);
        }
        if row > 0 {
            look(cell - self.cols);
        }
        if col + 1 < self.cols {
            look(cell + 1);
        }
        if col > 0 {
            look(cell - 1);
        }
    }

    /// Makes a slide, which must be legal: the blank goes to `to`.
    #[inline]
    pub(crate) fn slide(&mut self, to: usize, slide: Slide) {
        self.shift(to);
        // What is taken back at once was not needed.
        if self.path.last() == Some(&slide.opposite()) {
            self.path.pop();
        } else {
            self.path.push(slide);
        }
    }

    /// Makes slides that are legal one after the other.
    pub(crate) fn follow(&mut self, slides: impl IntoIterator<Item = Slide>) {
        for slide in slides {
            self.slide(self.source(slide), slide);
        }
    }

    /// Where the blank goes by a slide, which must be legal.
    #[inline]
    pub(crate) fn source(&self, slide: Slide) -> usize {
        match slide {
            Slide::Up => self.blank + self.cols,
            Slide::Down => self.blank - self.cols,
            Slide::Left => self.blank + 1,
            Slide::Right => self.blank - 1,
        }
    }

    /// Moves the blank to a cell beside it, unrecorded.
    #[inline]
    pub(crate) fn shift(&mut self, to: usize) {
        let label = self.labels[to];
        self.labels[self.blank] = label;
        self.cells[usize::from(label)] = self.blank as u16;
        self.labels[to] = self.home as u16;
        self.cells[self.home] = to as u16;
        self.blank = to;
    }
}
