//! The positions of the cells of a board on the screen, for drawing and for clicks.

use npuzzle::{Board, Cell, Dims};
use ratatui::layout::{Position, Rect};

/// The layout of a board in an area: boxes if they fit, otherwise numbers, otherwise the part around the
/// blank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoardGeometry {
    dims: Dims,
    /// The area of the visible part.
    pub(crate) area: Rect,
    pub(crate) cell_width: u16,
    pub(crate) cell_height: u16,
    first_row: usize,
    first_col: usize,
    n_rows: usize,
    n_cols: usize,
}

impl BoardGeometry {
    /// The width of a cell without a box, in addition to the digits.
    const NUMBER: usize = 2;
    /// The width of a box, in addition to the digits.
    const BOX: usize = 4;
    const BOX_HEIGHT: u16 = 3;

    pub(crate) fn new(board: &Board, area: Rect) -> BoardGeometry {
        let dims = board.dims();
        let (rows, cols) = (dims.rows(), dims.cols());
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let n_digits = n_digits(dims);
        let fits_boxes = cols * (n_digits + BoardGeometry::BOX) <= width
            && rows * usize::from(BoardGeometry::BOX_HEIGHT) <= height;
        let (cell_width, cell_height) = if fits_boxes {
            (n_digits + BoardGeometry::BOX, BoardGeometry::BOX_HEIGHT)
        } else {
            (n_digits + BoardGeometry::NUMBER, 1)
        };
        let n_cols = cols.min(width / cell_width);
        let n_rows = rows.min(height / usize::from(cell_height));
        let blank = board.blank();
        let first = |center: usize, n_shown: usize, n: usize| {
            center.saturating_sub(n_shown / 2).min(n - n_shown)
        };
        let shown_width = (n_cols * cell_width) as u16;
        let shown_height = n_rows as u16 * cell_height;
        BoardGeometry {
            dims,
            area: Rect {
                x: area.x + (area.width - shown_width) / 2,
                y: area.y + (area.height - shown_height) / 2,
                width: shown_width,
                height: shown_height,
            },
            cell_width: cell_width as u16,
            cell_height,
            first_row: first(dims.row(blank), n_rows, rows),
            first_col: first(dims.col(blank), n_cols, cols),
            n_rows,
            n_cols,
        }
    }

    pub(crate) fn is_boxes(&self) -> bool {
        self.cell_height == BoardGeometry::BOX_HEIGHT
    }

    /// Whether the same number of cells is shown in the same way.
    pub(crate) fn looks_like(&self, other: &BoardGeometry) -> bool {
        let look = |of: &BoardGeometry| (of.cell_height, of.n_rows, of.n_cols);
        look(self) == look(other)
    }

    /// The visible cells, with the positions of their upper left corners.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (Cell, Position)> + '_ {
        let rows = (0..self.n_rows).flat_map(|row| (0..self.n_cols).map(move |col| (row, col)));
        rows.map(|(row, col)| {
            let cell = self.dims.cell(self.first_row + row, self.first_col + col);
            let x = self.area.x + col as u16 * self.cell_width;
            let y = self.area.y + row as u16 * self.cell_height;
            (cell, Position { x, y })
        })
    }

    /// The cell at a position of the screen.
    pub(crate) fn cell_at(&self, position: Position) -> Option<Cell> {
        if !self.area.contains(position) {
            return None;
        }
        let row = usize::from((position.y - self.area.y) / self.cell_height);
        let col = usize::from((position.x - self.area.x) / self.cell_width);
        Some(self.dims.cell(self.first_row + row, self.first_col + col))
    }

    /// The visible rows, and the visible columns, if not all of them fit.
    pub(crate) fn visible_part(&self) -> Vec<String> {
        let part = |name: &str, first: usize, n_shown: usize, n: usize| {
            (n_shown < n).then(|| format!("{name} {}-{}", first + 1, first + n_shown))
        };
        let rows = part("rows", self.first_row, self.n_rows, self.dims.rows());
        let cols = part("columns", self.first_col, self.n_cols, self.dims.cols());
        rows.into_iter().chain(cols).collect()
    }
}

/// The number of digits of the largest tile.
pub(crate) fn n_digits(dims: Dims) -> usize {
    (dims.cells() - 1).to_string().len()
}

#[cfg(test)]
mod tests {
    use npuzzle::Goal;

    use super::*;

    fn board(size: &str) -> Board {
        Goal::Last.board(size.parse().unwrap()).unwrap()
    }

    #[test]
    fn cell_at_inverts_cells() {
        for (size, width, height) in
            [("4x4", 80, 18), ("4x4", 30, 9), ("20x30", 50, 7), ("2x2", 9, 2)]
        {
            let geometry = BoardGeometry::new(&board(size), Rect::new(3, 2, width, height));
            let mut n_positions = 0;
            for (cell, Position { x, y }) in geometry.cells() {
                for (dx, dy) in (0..geometry.cell_width)
                    .flat_map(|x| (0..geometry.cell_height).map(move |y| (x, y)))
                {
                    let position = Position { x: x + dx, y: y + dy };
                    assert_eq!(geometry.cell_at(position), Some(cell), "{size} {position:?}");
                    n_positions += 1;
                }
            }
            let screen = (0..100).flat_map(|x| (0..40).map(move |y| Position { x, y }));
            let n_hits = screen.filter(|&position| geometry.cell_at(position).is_some()).count();
            assert_eq!(n_hits, n_positions);
        }
    }

    #[test]
    fn small_areas_show_numbers_then_a_part() {
        let check = |size, width, height, is_boxes, part: &[&str]| {
            let geometry = BoardGeometry::new(&board(size), Rect::new(0, 0, width, height));
            assert_eq!(geometry.is_boxes(), is_boxes, "{size}");
            assert_eq!(geometry.visible_part(), part, "{size}");
            let (_, last) = geometry.cells().last().unwrap();
            assert!(
                last.x + geometry.cell_width <= width && last.y + geometry.cell_height <= height
            );
        };
        check("4x4", 24, 12, true, &[]);
        check("4x4", 23, 12, false, &[]);
        check("4x4", 24, 11, false, &[]);
        check("4x4", 20, 3, false, &["rows 2-4"]);
        check("10x10", 40, 10, false, &[]);
        check("10x10", 39, 8, false, &["rows 3-10", "columns 2-10"]);
        check("127x127", 80, 20, false, &["rows 108-127", "columns 117-127"]);
    }
}
