//! The board of a walk beam: it makes slides, and a potential evaluates them incrementally.

use npuzzle_core::Slide;

use crate::anytime::beam::adjacency::{AdjacencyView, Displacement};
use crate::anytime::beam::tuple_change::{AROUND, Content, N_AROUND, Surroundings};
use crate::anytime::beam::tuple_weights::PAIR;
use crate::anytime::beam::weights::DisplacementClass;
use crate::anytime::working_board::WorkingBoard;

/// The distance of the farthest cells around the blank that a potential looks at.
const MARGIN: usize = 3;

const _: () = {
    let mut at = 0;
    while at < N_AROUND {
        let (down, right) = AROUND[at];
        assert!(down.unsigned_abs() <= MARGIN && right.unsigned_abs() <= MARGIN);
        at += 1;
    }
};

/// Marks a neighbor that the blank cannot enter: beyond the border, or blocked.
const NO_CELL: u16 = u16::MAX;

/// The number of slides; indices of opposite slides in [`Slide::ALL`] differ in the lowest bit.
pub(super) const N_SLIDES: usize = Slide::ALL.len();

/// A board that only makes slides, with the contents of its cells as the evaluation sees them.
#[derive(Clone, Debug)]
pub(crate) struct WalkBoard {
    /// The label in each cell. The entry of the blank's cell is stale.
    labels: Vec<u16>,
    /// The cell of each label.
    cells: Vec<u16>,
    blank: usize,
    /// Row and column by cell. Indexed by label, it holds the goal position of a tile.
    positions: Vec<[i16; 2]>,
    /// The contents of a board with [`MARGIN`] more rows and columns on every side.
    contents: Vec<Content>,
    /// By cell: its index in that board.
    padded: Vec<u32>,
    /// The displacement of a tile, by [`Content::pair`].
    displacements: Vec<Displacement>,
    /// The neighbors of each cell, in the order of [`Slide::ALL`]; the cell itself beyond the border.
    neighbors: Vec<[u16; N_SLIDES]>,
    /// The differences between the indices of the cells around the blank and that of the blank.
    around: [isize; N_AROUND],
    /// The neighbors that the blank may enter; [`NO_CELL`] instead of the others.
    enterable: Vec<[u16; N_SLIDES]>,
    /// The difference between a neighbor and a cell, in the order of [`Slide::ALL`].
    offsets: [isize; N_SLIDES],
}

impl WalkBoard {
    pub(crate) fn new(board: &WorkingBoard) -> WalkBoard {
        let cols = board.cols() as isize;
        let enterable = |cell: usize| {
            let mut enterable = [NO_CELL; N_SLIDES];
            for (neighbor, slide) in board.neighbors(cell) {
                enterable[slide as usize] = neighbor as u16;
            }
            enterable
        };
        let enterable: Vec<[u16; N_SLIDES]> = (0..board.n_cells()).map(enterable).collect();
        let neighbors = enterable
            .iter()
            .zip(0..)
            .map(|(enterable, cell)| enterable.map(|to| if to == NO_CELL { cell } else { to }));
        let padded_cols = board.cols() + 2 * MARGIN;
        let padded = |position: &[u8; 2]| {
            let [row, col] = position.map(usize::from);
            ((row + MARGIN) * padded_cols + col + MARGIN) as u32
        };
        let around = |(down, right): (isize, isize)| down * padded_cols as isize + right;
        let mut walked = WalkBoard {
            labels: (0..board.n_cells()).map(|cell| board.label(cell) as u16).collect(),
            cells: (0..board.n_cells()).map(|label| board.cell(label) as u16).collect(),
            blank: board.blank(),
            positions: board.positions().iter().map(|position| position.map(i16::from)).collect(),
            contents: vec![Content::BORDER; (board.rows() + 2 * MARGIN) * padded_cols],
            displacements: displacements(),
            neighbors: neighbors.collect(),
            padded: board.positions().iter().map(padded).collect(),
            around: AROUND.map(around),
            enterable,
            offsets: [cols, -cols, 1, -1],
        };
        for cell in 0..board.n_cells() {
            let content = walked.content_at(board.label(cell), cell);
            let is_blank = cell == board.blank();
            *walked.content_mut(cell) = if is_blank { Content::BLANK } else { content };
        }
        walked
    }

    /// The content of a cell with this tile.
    #[inline]
    pub(crate) fn content_at(&self, label: usize, cell: usize) -> Content {
        let ([row, col], [goal_row, goal_col]) = (self.positions[cell], self.positions[label]);
        Content::tile(((goal_row - row).into(), (goal_col - col).into()))
    }

    /// The content of a cell.
    #[cfg(test)]
    pub(crate) fn content(&self, cell: usize) -> Content {
        self.contents[self.padded[cell] as usize]
    }

    #[inline]
    fn content_mut(&mut self, cell: usize) -> &mut Content {
        &mut self.contents[self.padded[cell] as usize]
    }

    /// The contents of the cells around the blank.
    #[inline]
    pub(crate) fn surroundings(&self) -> Surroundings {
        let center = self.padded[self.blank] as usize;
        Surroundings::new(|at| self.contents[center.wrapping_add_signed(self.around[at])])
    }

    /// The displacement that neighbors see in a content.
    #[inline]
    pub(crate) fn displacement_of(&self, content: Content) -> Displacement {
        self.displacements[usize::from(content.pair)]
    }

    /// Keeps the blank out of a cell from now on.
    pub(crate) fn block(&mut self, cell: usize) {
        for slide in 0..N_SLIDES {
            let neighbor = cell.wrapping_add_signed(self.offsets[slide]);
            // At a side border, `neighbor` is a cell of another row that `cell` is not adjacent to.
            if let Some(enterable) = self.enterable.get_mut(neighbor)
                && enterable[slide ^ 1] == cell as u16
            {
                enterable[slide ^ 1] = NO_CELL;
            }
        }
    }

    /// The label of the tile in a cell, which must not be the blank's.
    pub(crate) fn label(&self, cell: usize) -> usize {
        usize::from(self.labels[cell])
    }

    /// The cell of a tile.
    pub(crate) fn cell(&self, label: usize) -> usize {
        usize::from(self.cells[label])
    }

    pub(crate) fn blank(&self) -> usize {
        self.blank
    }

    /// Makes a slide, given by its index in [`Slide::ALL`], which must be possible.
    #[inline]
    pub(crate) fn make_slide(&mut self, slide: usize) {
        let to = self.blank.wrapping_add_signed(self.offsets[slide]);
        let label = self.labels[to];
        self.labels[self.blank] = label;
        self.cells[usize::from(label)] = self.blank as u16;
        *self.content_mut(self.blank) = self.content_at(usize::from(label), self.blank);
        *self.content_mut(to) = Content::BLANK;
        self.blank = to;
    }

    /// The cell of the tile that makes a slide, given by its index in [`Slide::ALL`]; `None` if the blank cannot enter it.
    #[inline]
    pub(crate) fn source(&self, slide: usize) -> Option<usize> {
        let from = self.enterable[self.blank][slide];
        (from != NO_CELL).then_some(usize::from(from))
    }

    /// The neighbor of a cell that the blank enters by a slide.
    #[inline]
    pub(crate) fn blank_after(&self, cell: usize, slide: usize) -> usize {
        cell.wrapping_add_signed(self.offsets[slide])
    }
}

impl AdjacencyView for WalkBoard {
    #[inline]
    fn neighbors(&self, cell: usize) -> [usize; 4] {
        self.neighbors[cell].map(usize::from)
    }

    #[inline]
    fn displacement(&self, cell: usize) -> Displacement {
        self.displacement_of(self.contents[self.padded[cell] as usize])
    }
}

/// The displacement of each content that pairs of cells distinguish.
fn displacements() -> Vec<Displacement> {
    const { assert!(DisplacementClass::REACH <= PAIR.reach) };
    let displacement = |content: u8| match PAIR.steps(content) {
        Some((down, right)) => Displacement::new(right, down),
        None => Displacement::BLANK,
    };
    (0..=PAIR.border()).map(displacement).collect()
}
