//! How many straight runs a relabelled board needs.
//!
//! *Why no additive patterns.* In the single-tile metric every move belongs to one tile, so tables
//! that count the moves of disjoint patterns may be added up. A straight run moves tiles of several
//! patterns at the cost of one: added up, it would be counted once for each of them, and the sum
//! would not be a lower bound. Shares of a run would have to add up to one, and are then so small
//! that tiles travel almost for nothing in company. So here *all* runs are counted, of a board on
//! which many tiles are alike: every solution of the board is one of the relabelled board.
//!
//! *What is stored.* Two runs along the same line in a row are one, so runs along rows and columns
//! take turns, and a search knows which kind is next. Stored is the number of runs if the next one
//! goes along the row, and the number if it goes along the column, where a run of no slides counts
//! as one too. From anywhere in its row, the blank gets everywhere in its row by one run, and a run
//! along a row does not change the order of tiles read row by row. So the first number hangs on the
//! blank's row and that order alone, whatever the column. Likewise the second hangs on the blank's
//! column and the order that the board has with the blank in the first row of it. On 4×4 that
//! makes 8 numbers for every order of the classes, not 16, and they know more.
//!
//! *Law.* Let the blank's line and the order be an *entry* of its axis. An entry leads to the entries
//! of the other axis, one for every place of the blank in the line. The value of an entry is one
//! more than the least value that it leads to; those of the solved board itself have the value 1.
//! Leading to goes both ways, so values beside each other differ by at most 1, and a value is stored
//! modulo 3: a search that knows the value before a run knows the one after it.

use std::fmt;

use npuzzle_core::Cell;
use npuzzle_core::search::{Limit, Watch};

use crate::mtm::abstraction::{Abstraction, MtmEntry, goal};
use crate::mtm::axis::Axis;
use crate::mtm::multiset_rank::{Orders, turned};
use crate::prefetch::prefetch;
use crate::store::TableBytes;

use crate::mtm::build::fill;

/// No board of up to 16 cells needs as many runs.
const MAX_RUNS: u32 = u8::MAX as u32;

/// The number of runs of all relabelled boards, modulo 3.
#[derive(Clone)]
pub struct MtmTable {
    relabelling: Abstraction,
    orders: Orders,
    /// The entries of the solved board, by axis.
    goals: [MtmEntry; 2],
    line_bytes: usize,
    /// Four values to a byte, the first in the low bits; 3 where no board is. Lines begin at a
    /// byte, rows come before columns.
    values: TableBytes,
}

impl fmt::Debug for MtmTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RunTable({:?}, {} bytes)", self.relabelling, self.bytes().len())
    }
}

impl MtmTable {
    /// From so many bytes on, a table is kept in a store: others are built in a fraction of a
    /// second.
    pub const WORTH_KEEPING: usize = 1 << 22;

    /// Builds the table on so many threads; the watch may stop it.
    pub fn build(
        relabelling: Abstraction,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<MtmTable, Limit> {
        let orders = Orders::new(relabelling.sizes());
        let values = fill(&relabelling, &orders, n_threads, watch)?;
        Ok(MtmTable::with(relabelling, orders, values.into()))
    }

    pub(crate) fn build_payload(
        abstraction: &Abstraction,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Vec<u8>, Limit> {
        fill(abstraction, &Orders::new(abstraction.sizes()), n_threads, watch)
    }

    /// The table from its bytes; `None` if they are too many or too few.
    pub fn from_bytes(relabelling: Abstraction, bytes: TableBytes) -> Option<MtmTable> {
        if bytes.len() != MtmTable::n_bytes(&relabelling) {
            return None;
        }
        let orders = Orders::new(relabelling.sizes());
        Some(MtmTable::with(relabelling, orders, bytes))
    }

    fn with(relabelling: Abstraction, orders: Orders, values: TableBytes) -> MtmTable {
        let goals = Axis::ALL.map(|axis| goal(&relabelling, axis));
        let line_bytes = line_bytes(&relabelling);
        MtmTable { relabelling, orders, goals, line_bytes, values }
    }

    /// The table as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.values
    }

    /// The most bytes that are held while the table is being built.
    pub fn build_bytes(relabelling: &Abstraction) -> usize {
        // Two bits of value; a bit each for the level, the next one, and all that is known; and
        // some more lines to work with.
        3 * MtmTable::n_bytes(relabelling)
    }

    /// How many bytes a table has.
    pub fn n_bytes(relabelling: &Abstraction) -> usize {
        (relabelling.dims().rows() + relabelling.dims().cols()) * line_bytes(relabelling)
    }

    /// Which tiles are alike.
    pub fn relabelling(&self) -> &Abstraction {
        &self.relabelling
    }

    /// The values of a line.
    fn line(&self, axis: Axis, line: usize) -> &[u8] {
        let n_bytes = self.line_bytes;
        let before = match axis {
            Axis::Row => 0,
            Axis::Col => self.relabelling.n_lines(Axis::Row),
        };
        &self.bytes()[(before + line) * n_bytes..][..n_bytes]
    }

    /// The value of an entry modulo 3.
    fn look(&self, entry: MtmEntry) -> u8 {
        value(self.line(entry.axis, entry.line), self.orders.rank(entry.order))
    }

    /// How many runs the relabelled board needs. `None` if it cannot be solved.
    pub fn runs(&self, mut entry: MtmEntry) -> Option<u32> {
        // Bytes that are no table must not keep us for ever.
        for n_runs in 1..=MAX_RUNS {
            if self.goals.contains(&entry) {
                return Some(n_runs);
            }
            let nearer = (self.look(entry) + 2) % 3;
            let (axis, cols) = (entry.axis.other(), self.relabelling.dims().cols());
            let mut beside = (0..self.relabelling.n_lines(axis)).map(|at| MtmEntry {
                axis,
                line: at,
                order: turned(entry.order, entry.axis, entry.line, at, cols),
            });
            entry = beside.find(|&beside| self.look(beside) == nearer)?;
        }
        None
    }
}

/// A table as a search sees it, straight or through a mirror.
///
/// On a square board whose blank belongs on the diagonal, the transposed board needs as many runs.
/// The mirror exchanges the axes and transposes the labels, and nothing else.
#[derive(Clone, Debug)]
pub struct MtmView<'a> {
    orders: &'a Orders,
    /// By axis, then by line.
    lines: [Vec<&'a [u8]>; 2],
    table: &'a MtmTable,
    is_mirror: bool,
    cols: usize,
}

impl<'a> MtmView<'a> {
    /// The table as it is.
    pub fn straight(table: &'a MtmTable) -> MtmView<'a> {
        MtmView::new(table, false)
    }

    /// The table for transposed boards; `None` if they have another goal.
    pub fn mirror(table: &'a MtmTable) -> Option<MtmView<'a>> {
        let (dims, blank) = (table.relabelling.dims(), table.relabelling.blank());
        let is_symmetric = dims.is_square() && dims.row(blank) == dims.col(blank);
        is_symmetric.then(|| MtmView::new(table, true))
    }

    fn new(table: &'a MtmTable, is_mirror: bool) -> MtmView<'a> {
        let lines = |axis: Axis| {
            let axis = if is_mirror { axis.other() } else { axis };
            (0..table.relabelling.n_lines(axis)).map(|line| table.line(axis, line)).collect()
        };
        let lines = Axis::ALL.map(lines);
        let cols = table.relabelling.dims().cols();
        MtmView { orders: &table.orders, lines, table, is_mirror, cols }
    }

    /// The order of a board by its labels, if the next run goes along the axis.
    pub fn order(&self, axis: Axis, labels: &[u8]) -> u64 {
        let (axis, labels) = self.seen(axis, labels);
        self.table.relabelling.order(axis, &labels)
    }

    /// How many runs the relabelled board needs at least, if the next one goes along the axis.
    pub fn runs(&self, axis: Axis, labels: &[u8]) -> Option<u32> {
        let (axis, labels) = self.seen(axis, labels);
        let dims = self.table.relabelling.dims();
        let home = self.table.relabelling.blank().index();
        let blank = labels.iter().position(|&label| usize::from(label) == home)?;
        let blank = Cell::new(blank as u16);
        let line = match axis {
            Axis::Row => dims.row(blank),
            Axis::Col => dims.col(blank),
        };
        self.table.runs(MtmEntry { axis, line, order: self.table.relabelling.order(axis, &labels) })
    }

    /// What the table is asked instead.
    fn seen(&self, axis: Axis, labels: &[u8]) -> (Axis, Vec<u8>) {
        if !self.is_mirror {
            return (axis, labels.to_vec());
        }
        let side = self.table.relabelling.dims().cols();
        let transpose = |at: usize| at % side * side + at / side;
        let label = |cell| transpose(labels[transpose(cell)].into()) as u8;
        (axis.other(), (0..labels.len()).map(label).collect())
    }

    /// Where the value of an order is in each line. Has it fetched for a line.
    #[inline(always)]
    pub fn fetch(&self, axis: Axis, line: usize, order: u64) -> usize {
        let rank = self.orders.rank(order);
        prefetch(self.lines[axis as usize][line], rank / 4);
        rank
    }

    /// The value modulo 3 that is there.
    #[inline(always)]
    pub fn look(&self, axis: Axis, line: usize, rank: usize) -> u8 {
        value(self.lines[axis as usize][line], rank)
    }

    /// From the entry of a line along an axis to the one of the line `at` across it.
    #[inline(always)]
    pub fn turned(&self, order: u64, axis: Axis, line: usize, at: usize) -> u64 {
        let axis = if self.is_mirror { axis.other() } else { axis };
        turned(order, axis, line, at, self.cols)
    }
}

/// The value of an order in a line, modulo 3.
#[inline(always)]
fn value(line: &[u8], rank: usize) -> u8 {
    line[rank / 4] >> (2 * (rank % 4)) & 3
}

fn line_bytes(relabelling: &Abstraction) -> usize {
    Orders::n_ranks(relabelling.sizes()) / 4
}
