//! The two directions of a straight run.

/// The lines of a board along which a run moves tiles, and along which the board is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Axis {
    /// Along a row, or row by row.
    Row,
    /// Along a column, or column by column.
    Col,
}

impl Axis {
    /// Both axes.
    pub const ALL: [Axis; 2] = [Axis::Row, Axis::Col];

    /// The other axis.
    #[inline(always)]
    pub const fn other(self) -> Axis {
        match self {
            Axis::Row => Axis::Col,
            Axis::Col => Axis::Row,
        }
    }
}
