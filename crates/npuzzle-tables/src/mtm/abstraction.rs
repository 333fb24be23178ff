//! Abstractions: which tiles are indistinguishable, and how the abstract board is read.

use npuzzle_core::{Cell, Dims};

use crate::mtm::axis::Axis;
use crate::mtm::multiset_rank::{ClassSizes, MAX_CLASSES, switch_axis, with_class};
use crate::store::TableName;

/// A mapping of the tiles of a labeled board to at most five classes. The tiles of a class are
/// indistinguishable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abstraction {
    dims: Dims,
    blank: Cell,
    /// By label; 0 for the blank.
    classes: Vec<u8>,
    /// The number of tiles in each class.
    sizes: ClassSizes,
}

/// A table entry: the axis of the next run, the blank's line, and the order of the classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MtmEntry {
    /// The axis of the next run.
    pub axis: Axis,
    /// The blank's row or column.
    pub line: usize,
    /// The classes of the tiles in reading order, three bits each.
    pub order: u64,
}

impl Abstraction {
    /// The largest board.
    pub const MAX_CELLS: usize = 16;

    /// The maximum number of classes.
    pub const MAX_CLASSES: usize = MAX_CLASSES;

    /// Creates an abstraction from the class of each label. `blank` is the blank's goal cell. Returns
    /// `None` if the board or a class number is too large, or if the number of labels is wrong.
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

    /// Abstractions with `n_classes` classes whose tables complement each other. Returns `None` if
    /// there are none. Fewer classes need less memory and give lower values.
    ///
    /// Tables with different classes are good for different boards, so the maximum of their values is
    /// far better than either: searches of 3×5 take a hundredth of the nodes with two of them. If the
    /// goal is symmetric, each table is also used for the transposed board, unless that has [the same
    /// value](Abstraction::is_self_transposed).
    pub fn complementary(dims: Dims, blank: Cell, n_classes: usize) -> Option<Vec<Abstraction>> {
        let is_symmetric = is_symmetric(dims, blank);
        let blocks = match (dims.rows(), dims.cols(), n_classes) {
            (4, 4, 3) => Some(THREE_BLOCKS),
            (4, 4, 4) => Some(FOUR_BLOCKS),
            (4, 4, 5) => Some(FIVE_BLOCKS),
            (_, _, 5..) => return None,
            _ => None,
        };
        let mut all: Vec<Vec<u8>> =
            blocks.into_iter().flat_map(|letters| block_classes(letters, is_symmetric)).collect();
        // Only 4×4 has five classes.
        if n_classes == 5 {
            all.push(classes_of(SYMMETRIC_BLOCKS));
        }
        // Blocks say little about boards on which neighboring tiles have stayed together.
        all.push(strips(dims, blank, Axis::Col, n_classes.min(4)));
        if !is_symmetric {
            all.push(strips(dims, blank, Axis::Row, n_classes.min(4)));
        }
        all.iter().map(|classes| Abstraction::new(dims, blank, classes)).collect()
    }

    /// The size of the board.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// The blank's goal cell.
    pub fn blank(&self) -> Cell {
        self.blank
    }

    /// The classes by label.
    pub fn classes(&self) -> &[u8] {
        &self.classes
    }

    /// The name of the stored table, such as `mtm-2x3-0ab.abc`: the size, then the classes row by row,
    /// with 0 for the blank.
    pub fn name(&self) -> Option<TableName> {
        let class = |(label, class): (usize, &u8)| {
            if label == self.blank.index() { '0' } else { char::from(b'a' + class) }
        };
        let classes: Vec<char> = self.classes.iter().enumerate().map(class).collect();
        let rows = classes.chunks(self.dims.cols()).map(String::from_iter);
        format!("mtm-{}-{}", self.dims, rows.collect::<Vec<_>>().join(".")).parse().ok()
    }

    /// The number of lines along an axis.
    pub fn n_lines(&self, axis: Axis) -> usize {
        match axis {
            Axis::Row => self.dims.rows(),
            Axis::Col => self.dims.cols(),
        }
    }

    /// The number of tiles in each class.
    pub fn sizes(&self) -> [usize; Abstraction::MAX_CLASSES] {
        self.sizes
    }

    /// The number of orders of the classes.
    pub fn n_orders(&self) -> usize {
        let factorial = |n: usize| (1..=n as u64).product::<u64>();
        let n_equal: u64 = self.sizes.iter().map(|&size| factorial(size)).product();
        (factorial(self.dims.cells() - 1) / n_equal) as usize
    }

    /// The classes of a board, read row by row without the blank. If the next run goes along a column,
    /// the blank is moved to the first row of its column before.
    pub fn order(&self, axis: Axis, labels: &[u8]) -> u64 {
        let cols = self.dims.cols();
        let tiles = labels.iter().filter(|&&label| !self.is_blank(label));
        let order = tiles.enumerate().fold(0, |order, (position, &label)| {
            with_class(order, position, self.classes[usize::from(label)])
        });
        match (axis, labels.iter().position(|&label| self.is_blank(label))) {
            (Axis::Col, Some(cell)) => {
                switch_axis(order, Axis::Row, cell / cols, cell % cols, cols)
            }
            _ => order,
        }
    }

    /// The entry of a board if the next run goes along an axis. Returns `None` if the board has no
    /// blank.
    pub(crate) fn entry(&self, axis: Axis, labels: &[u8]) -> Option<MtmEntry> {
        let blank = labels.iter().position(|&label| self.is_blank(label))?;
        Some(MtmEntry { axis, line: self.line(axis, blank), order: self.order(axis, labels) })
    }

    /// The entry of the solved board.
    pub(crate) fn goal_entry(&self, axis: Axis) -> MtmEntry {
        let labels: Vec<u8> = (0..self.dims.cells() as u8).collect();
        let line = self.line(axis, self.blank.index());
        MtmEntry { axis, line, order: self.order(axis, &labels) }
    }

    /// Whether the goal and its transposition have the blank in the same cell.
    pub(crate) fn is_symmetric(&self) -> bool {
        is_symmetric(self.dims, self.blank)
    }

    /// Whether the transposed board has the same classes, except for their names, so that it has the same value.
    pub fn is_self_transposed(&self) -> bool {
        let side = self.dims.cols();
        let transposed = |label: usize| label % side * side + label / side;
        let labels = || (0..self.classes.len()).filter(|&label| label != self.blank.index());
        let alike = |a: usize, b: usize| self.classes[a] == self.classes[b];
        self.is_symmetric()
            && labels()
                .all(|a| labels().all(|b| alike(a, b) == alike(transposed(a), transposed(b))))
    }

    fn is_blank(&self, label: u8) -> bool {
        usize::from(label) == self.blank.index()
    }

    /// The row or column of a cell.
    fn line(&self, axis: Axis, cell: usize) -> usize {
        match axis {
            Axis::Row => cell / self.dims.cols(),
            Axis::Col => cell % self.dims.cols(),
        }
    }
}

fn is_symmetric(dims: Dims, blank: Cell) -> bool {
    dims.is_square() && dims.row(blank) == dims.col(blank)
}

/// Compact classes for the 15-puzzle, whose tables have larger values than those of other classes of
/// the same sizes. The dot is the blank's most frequent goal cell. Five classes of 4, 3, 3, 3 and 2 tiles have
/// values as large as five classes of 3 tiles, whose tables are a third larger.
const THREE_BLOCKS: &[u8; 16] = b".aabaabbcccbcccb";
const FOUR_BLOCKS: &[u8; 16] = b".aabaabbccbbccdd";
const FIVE_BLOCKS: &[u8; 16] = b".aabaabbccddceed";

/// Classes that are the same for the transposed board. On a board that is its own transposition, a table and its
/// mirror image have the same value, so that a table of another shape helps most there.
const SYMMETRIC_BLOCKS: &[u8; 16] = b".abbaaabcaadccdd";

/// The classes of each cell, from letters. If the goal is not symmetric, those of the transposed board
/// as well.
fn block_classes(letters: &[u8; 16], is_symmetric: bool) -> Vec<Vec<u8>> {
    let transposed = std::array::from_fn(|cell| letters[cell % 4 * 4 + cell / 4]);
    if is_symmetric {
        return vec![classes_of(letters)];
    }
    vec![classes_of(letters), classes_of(&transposed)]
}

/// The class of each cell, from letters.
fn classes_of(letters: &[u8; 16]) -> Vec<u8> {
    letters.iter().map(|letter| letter.saturating_sub(b'a')).collect()
}

/// Classes of equal size, one after the other in the reading order of an axis. If the number of classes
/// divides the number of cells, the blank's cell is counted as well: then the classes on 4×4 are lines.
fn strips(dims: Dims, blank: Cell, axis: Axis, n_classes: usize) -> Vec<u8> {
    let mut cells: Vec<Cell> = dims.all_cells().collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_for_a_column_has_the_blank_in_the_first_row() {
        let dims = Dims::new(3, 3).unwrap();
        let classes = [0, 0, 1, 1, 0, 2, 3, 3, 4];
        let abstraction = Abstraction::new(dims, Cell::new(4), &classes).unwrap();
        let labels = [8, 7, 0, 1, 2, 3, 4, 6, 5];
        assert_eq!(abstraction.order(Axis::Row, &labels), 0o2_3_1_1_0_0_3_4);
        // . 7 0 / 8 2 3 / 1 6 5
        assert_eq!(abstraction.order(Axis::Col, &labels), 0o2_3_0_1_1_4_0_3);
        assert_eq!(abstraction.name().unwrap().as_str(), "mtm-3x3-aab.b0c.dde");
    }

    #[test]
    fn abstractions_that_do_not_fit_are_refused() {
        let dims = Dims::new(4, 4).unwrap();
        assert!(Abstraction::new(dims, Cell::new(0), &[0; 15]).is_none());
        assert!(Abstraction::new(dims, Cell::new(16), &[0; 16]).is_none());
        assert!(Abstraction::new(dims, Cell::new(0), &[5; 16]).is_none());
        assert!(Abstraction::new(Dims::new(3, 6).unwrap(), Cell::new(0), &[0; 18]).is_none());
    }
}
