//! Which tiles count as alike, and how boards are read.

use npuzzle_core::{Cell, Dims};

use crate::orders::{MAX_CLASSES, with_blank, without_blank};
use crate::store::TableName;

/// The two ways a straight run can go, and to read a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Axis {
    /// Along a row; row by row.
    Row,
    /// Along a column; column by column.
    Col,
}

impl Axis {
    /// Both.
    pub const ALL: [Axis; 2] = [Axis::Row, Axis::Col];

    /// The other one.
    #[inline(always)]
    pub const fn other(self) -> Axis {
        match self {
            Axis::Row => Axis::Col,
            Axis::Col => Axis::Row,
        }
    }
}

/// Tiles of a labelled board in up to four classes. Tiles of a class count as alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relabelling {
    dims: Dims,
    blank: Cell,
    /// By label; 0 for the blank.
    classes: Vec<u8>,
    /// How many tiles each class has.
    sizes: [usize; MAX_CLASSES],
}

impl Relabelling {
    /// The largest boards.
    pub const MAX_CELLS: usize = 16;

    /// The most classes.
    pub const MAX_CLASSES: usize = MAX_CLASSES;

    /// Tiles in these classes, by label; `None` if the board or a class is too large.
    pub fn new(dims: Dims, blank: Cell, classes: &[u8]) -> Option<Relabelling> {
        let n_cells = dims.cells();
        if n_cells > Relabelling::MAX_CELLS || classes.len() != n_cells || blank.index() >= n_cells
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
        Some(Relabelling { dims, blank, classes, sizes })
    }

    /// Relabellings that together know most about boards of a size with the blank in this place, in
    /// so many classes; `None` if there is none. Fewer classes take less memory and know less.
    ///
    /// Tables whose classes lie differently see different things, so the larger of their values is
    /// far better than either: searches of 3×5 take a hundredth of the nodes with two of them. Where
    /// a board can be seen through a mirror, each of them counts twice.
    pub fn suited(dims: Dims, blank: Cell, n_classes: usize) -> Option<Vec<Relabelling>> {
        let transposed = |classes: &[u8]| -> Vec<u8> {
            (0..classes.len()).map(|cell| classes[cell % 4 * 4 + cell / 4]).collect()
        };
        let mut all = vec![strips(dims, blank, Axis::Col, n_classes)];
        let is_mirrored = dims.is_square() && dims.row(blank) == dims.col(blank);
        if !is_mirrored {
            all.push(strips(dims, blank, Axis::Row, n_classes));
        }
        if (dims.rows(), dims.cols(), n_classes) == (4, 4, MAX_CLASSES) {
            all.push(FIFTEEN.to_vec());
            if !is_mirrored {
                all.push(transposed(&FIFTEEN));
            }
        }
        all.iter().map(|classes| Relabelling::new(dims, blank, classes)).collect()
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

    /// The name under which the table is kept, such as `runs-2x3-0ab.abc`: the size, the
    /// classes row by row, 0 for the blank.
    pub fn name(&self) -> Option<TableName> {
        let class = |(label, class): (usize, &u8)| {
            if label == self.blank.index() { '0' } else { char::from(b'a' + class) }
        };
        let classes: Vec<char> = self.classes.iter().enumerate().map(class).collect();
        let rows = classes.chunks(self.dims.cols()).map(String::from_iter);
        format!("runs-{}-{}", self.dims, rows.collect::<Vec<_>>().join(".")).parse().ok()
    }

    /// How many lines there are to run along.
    pub fn n_lines(&self, axis: Axis) -> usize {
        match axis {
            Axis::Row => self.dims.rows(),
            Axis::Col => self.dims.cols(),
        }
    }

    /// How many tiles each class has.
    pub fn sizes(&self) -> [usize; MAX_CLASSES] {
        self.sizes
    }

    /// How many orders the classes have.
    pub fn n_orders(&self) -> usize {
        let factorial = |n: usize| (1..=n as u64).product::<u64>();
        let alike: u64 = self.sizes.iter().map(|&size| factorial(size)).product();
        (factorial(self.dims.cells() - 1) / alike) as usize
    }

    /// The classes of a board, read along an axis without the blank.
    pub fn order(&self, axis: Axis, labels: &[u8]) -> u32 {
        let (rows, cols) = (self.dims.rows(), self.dims.cols());
        let mut cells = 0;
        let mut blank = 0;
        for (cell, &label) in labels.iter().enumerate() {
            let place = match axis {
                Axis::Row => cell,
                Axis::Col => cell % cols * rows + cell / cols,
            };
            if usize::from(label) == self.blank.index() {
                blank = place;
            } else {
                cells |= u32::from(self.classes[usize::from(label)]) << (2 * place);
            }
        }
        without_blank(cells, blank)
    }
}

/// Classes of neighbours for the 15-puzzle. With the blank in a corner, that corner is:
///
/// ```text
///     .  d  d  c
///     d  d  c  c
///     b  b  c  c
///     b  b  a  a
/// ```
const FIFTEEN: [u8; 16] = [3, 3, 3, 2, 3, 3, 2, 2, 1, 1, 2, 2, 1, 1, 0, 0];

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

/// Reads an order along the other axis.
#[derive(Clone)]
pub(crate) struct Turn {
    /// How many lines there are to read along, and how many to read then.
    n_lines: usize,
    width: usize,
    /// Where the cells of each byte go.
    spread: [[u32; 256]; 4],
}

impl Turn {
    /// From an order that is read along the axis.
    pub(crate) fn new(relabelling: &Relabelling, axis: Axis) -> Turn {
        let n_lines = relabelling.n_lines(axis);
        let width = relabelling.n_lines(axis.other());
        let mut spread = [[0; 256]; 4];
        for (at, table) in spread.iter_mut().enumerate() {
            for (byte, cells) in (0u32..).zip(table) {
                for in_byte in 0..4 {
                    let place = 4 * at + in_byte;
                    if place < n_lines * width {
                        let to = place % width * n_lines + place / width;
                        *cells |= (byte >> (2 * in_byte) & 3) << (2 * to);
                    }
                }
            }
        }
        Turn { n_lines, width, spread }
    }

    /// The order read along the other axis, the blank being at `at` in its line.
    #[inline(always)]
    pub(crate) fn turn(&self, order: u32, line: usize, at: usize) -> u32 {
        let cells = with_blank(order, line * self.width + at).to_le_bytes();
        let turned = (0..4).fold(0, |turned, i| turned | self.spread[i][usize::from(cells[i])]);
        without_blank(turned, at * self.n_lines + line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_turned_as_boards_are_read() {
        let dims = Dims::new(3, 4).unwrap();
        let classes = [0, 0, 1, 1, 2, 2, 3, 3, 0, 1, 2, 3];
        let relabelling = Relabelling::new(dims, Cell::new(5), &classes).unwrap();
        let mut labels: Vec<u8> = (0..12).collect();
        for (a, b) in [(5, 0), (0, 11), (3, 7), (11, 6), (1, 4), (6, 10), (10, 9), (9, 8)] {
            labels.swap(a, b);
            let blank = labels.iter().position(|&label| label == 5).unwrap();
            let (row, col) = (blank / 4, blank % 4);
            let by_rows = relabelling.order(Axis::Row, &labels);
            let by_cols = relabelling.order(Axis::Col, &labels);
            assert_eq!(Turn::new(&relabelling, Axis::Row).turn(by_rows, row, col), by_cols);
            assert_eq!(Turn::new(&relabelling, Axis::Col).turn(by_cols, col, row), by_rows);
        }
        let name = relabelling.name().unwrap();
        assert_eq!(name.as_str(), "runs-3x4-aabb.c0dd.abcd");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let dims = Dims::new(4, 4).unwrap();
        assert!(Relabelling::new(dims, Cell::new(0), &[0; 15]).is_none());
        assert!(Relabelling::new(dims, Cell::new(16), &[0; 16]).is_none());
        assert!(Relabelling::new(dims, Cell::new(0), &[4; 16]).is_none());
        assert!(Relabelling::new(Dims::new(3, 6).unwrap(), Cell::new(0), &[0; 18]).is_none());
    }
}
