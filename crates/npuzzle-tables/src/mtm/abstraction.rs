//! Which tiles count as alike, and how boards are read.

use npuzzle_core::{Cell, Dims};

use crate::mtm::axis::Axis;
use crate::mtm::multiset_rank::{MAX_CLASSES, Sizes, turned, with};
use crate::store::TableName;

/// Tiles of a labelled board in up to five classes. Tiles of a class count as alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abstraction {
    dims: Dims,
    blank: Cell,
    /// By label; 0 for the blank.
    classes: Vec<u8>,
    /// How many tiles each class has.
    sizes: Sizes,
}

impl Abstraction {
    /// The largest boards.
    pub const MAX_CELLS: usize = 16;

    /// The most classes.
    pub const MAX_CLASSES: usize = MAX_CLASSES;

    /// Tiles in these classes, by label; `None` if the board or a class is too large.
    pub fn new(dims: Dims, blank: Cell, classes: &[u8]) -> Option<Abstraction> {
        let n_cells = dims.cells();
        if n_cells > Abstraction::MAX_CELLS || classes.len() != n_cells || blank.index() >= n_cells
        {
            return None;
        }
        let mut sizes = [0; MAX_CLASSES];
        for (label, &class) in classes.iter().enumerate() {
            if label != blank.index() {
                *sizes.get_mut(usize::from(class))? += 1;
            }
        }
        let mut classes = classes.to_vec();
        classes[blank.index()] = 0;
        Some(Abstraction { dims, blank, classes, sizes })
    }

    /// Relabellings that together know most about boards of a size with the blank in this place, in
    /// so many classes; `None` if there is none. Fewer classes take less memory and know less.
    ///
    /// Tables whose classes lie differently see different things, so the larger of their values is
    /// far better than either: searches of 3×5 take a hundredth of the nodes with two of them. Where
    /// a board can be seen through a mirror, each of them counts twice.
    pub fn suited(dims: Dims, blank: Cell, n_classes: usize) -> Option<Vec<Abstraction>> {
        let is_mirrored = dims.is_square() && dims.row(blank) == dims.col(blank);
        let blocks = match (dims.rows(), dims.cols(), n_classes) {
            (4, 4, 3) => Some(IN_THREE),
            (4, 4, 4) => Some(IN_FOUR),
            (4, 4, 5) => Some(IN_FIVE),
            (_, _, 5..) => return None,
            _ => None,
        };
        let mut all: Vec<Vec<u8>> =
            blocks.into_iter().flat_map(|letters| with_transposed(letters, is_mirrored)).collect();
        // Classes of neighbours say little of boards on which neighbours have stayed together.
        all.push(strips(dims, blank, Axis::Col, n_classes.min(4)));
        if !is_mirrored {
            all.push(strips(dims, blank, Axis::Row, n_classes.min(4)));
        }
        all.iter().map(|classes| Abstraction::new(dims, blank, classes)).collect()
    }

    /// The size of the boards.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// Where the blank belongs.
    pub fn blank(&self) -> Cell {
        self.blank
    }

    /// The classes by label.
    pub fn classes(&self) -> &[u8] {
        &self.classes
    }

    /// The name under which the table is kept, such as `mtm-2x3-0ab.abc`: the size, the
    /// classes row by row, 0 for the blank.
    pub fn name(&self) -> Option<TableName> {
        let class = |(label, class): (usize, &u8)| {
            if label == self.blank.index() { '0' } else { char::from(b'a' + class) }
        };
        let classes: Vec<char> = self.classes.iter().enumerate().map(class).collect();
        let rows = classes.chunks(self.dims.cols()).map(String::from_iter);
        format!("mtm-{}-{}", self.dims, rows.collect::<Vec<_>>().join(".")).parse().ok()
    }

    /// How many lines there are to run along.
    pub fn n_lines(&self, axis: Axis) -> usize {
        match axis {
            Axis::Row => self.dims.rows(),
            Axis::Col => self.dims.cols(),
        }
    }

    /// How many tiles each class has.
    pub fn sizes(&self) -> [usize; Abstraction::MAX_CLASSES] {
        self.sizes
    }

    /// How many orders the classes have.
    pub fn n_orders(&self) -> usize {
        let factorial = |n: usize| (1..=n as u64).product::<u64>();
        let alike: u64 = self.sizes.iter().map(|&size| factorial(size)).product();
        (factorial(self.dims.cells() - 1) / alike) as usize
    }

    /// The classes of a board, read row by row without the blank. If the next run goes along a
    /// column, the blank is taken to its first row before.
    pub fn order(&self, axis: Axis, labels: &[u8]) -> u64 {
        let cols = self.dims.cols();
        let is_blank = |label: u8| usize::from(label) == self.blank.index();
        let tiles = labels.iter().filter(|&&label| !is_blank(label));
        let order = tiles
            .enumerate()
            .fold(0, |order, (place, &label)| with(order, place, self.classes[usize::from(label)]));
        match (axis, labels.iter().position(|&label| is_blank(label))) {
            (Axis::Col, Some(cell)) => turned(order, Axis::Row, cell / cols, cell % cols, cols),
            _ => order,
        }
    }
}

/// Classes of neighbours for the 15-puzzle, which know more than classes of the same sizes that lie
/// otherwise; the dot is where the blank belongs most often.
const IN_THREE: &[u8; 16] = b".aabaabbcccbcccb";
const IN_FOUR: &[u8; 16] = b".aabaabbccbbccdd";
const IN_FIVE: &[u8; 16] = b".aabacbbccddeeed";

/// Classes by letters, and if they are not seen through a mirror, those of the transposed board.
fn with_transposed(letters: &[u8; 16], is_mirrored: bool) -> Vec<Vec<u8>> {
    let class = |letter: u8| letter.saturating_sub(b'a');
    let straight = letters.iter().map(|&letter| class(letter)).collect();
    if is_mirrored {
        return vec![straight];
    }
    vec![straight, (0..16).map(|cell| class(letters[cell % 4 * 4 + cell / 4])).collect()]
}

/// Classes of the same size, one after the other as the board is read along an axis. If the size
/// divides the board, the blank's cell counts too: then they are lines on 4×4.
fn strips(dims: Dims, blank: Cell, axis: Axis, n_classes: usize) -> Vec<u8> {
    let mut cells: Vec<Cell> = (0..dims.cells() as u16).map(Cell::new).collect();
    if axis == Axis::Col {
        cells.sort_by_key(|&cell| (dims.col(cell), dims.row(cell)));
    }
    if !cells.len().is_multiple_of(n_classes) {
        cells.retain(|&cell| cell != blank);
    }
    let mut classes = vec![0; dims.cells()];
    for (at, cell) in cells.iter().enumerate() {
        classes[cell.index()] = (at * n_classes / cells.len()) as u8;
    }
    classes
}

/// The blank's line and the order of the tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MtmEntry {
    /// Which way the next run goes.
    pub axis: Axis,
    /// The blank's row or column.
    pub line: usize,
    /// The classes of the tiles, three bits each.
    pub order: u64,
}

/// The entry of the solved board.
pub(crate) fn goal(relabelling: &Abstraction, axis: Axis) -> MtmEntry {
    let labels: Vec<u8> = (0..relabelling.dims().cells() as u8).collect();
    let line = match axis {
        Axis::Row => relabelling.dims().row(relabelling.blank()),
        Axis::Col => relabelling.dims().col(relabelling.blank()),
    };
    MtmEntry { axis, line, order: relabelling.order(axis, &labels) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blank_is_taken_to_the_top_of_its_column() {
        let dims = Dims::new(3, 3).unwrap();
        let classes = [0, 0, 1, 1, 0, 2, 3, 3, 4];
        let relabelling = Abstraction::new(dims, Cell::new(4), &classes).unwrap();
        let labels = [8, 7, 0, 1, 2, 3, 4, 6, 5];
        assert_eq!(relabelling.order(Axis::Row, &labels), 0o2_3_1_1_0_0_3_4);
        // . 7 0 / 8 2 3 / 1 6 5
        assert_eq!(relabelling.order(Axis::Col, &labels), 0o2_3_0_1_1_4_0_3);
        assert_eq!(relabelling.name().unwrap().as_str(), "mtm-3x3-aab.b0c.dde");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let dims = Dims::new(4, 4).unwrap();
        assert!(Abstraction::new(dims, Cell::new(0), &[0; 15]).is_none());
        assert!(Abstraction::new(dims, Cell::new(16), &[0; 16]).is_none());
        assert!(Abstraction::new(dims, Cell::new(0), &[5; 16]).is_none());
        assert!(Abstraction::new(Dims::new(3, 6).unwrap(), Cell::new(0), &[0; 18]).is_none());
    }
}
