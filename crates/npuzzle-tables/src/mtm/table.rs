//! The table of an abstraction, and the view of it that a search uses.

use std::fmt;

use npuzzle_core::search::{Limit, Watch};

use crate::mtm::abstraction::{Abstraction, MtmEntry};
use crate::mtm::axis::Axis;
use crate::mtm::build::build;
use crate::mtm::multiset_rank::{MultisetRanker, Rotation, switch_axis};
use crate::prefetch::prefetch;
use crate::store::TableBytes;

/// An upper bound on all values: no board of up to 16 cells needs as many runs.
const MAX_RUNS: u32 = u8::MAX as u32;

/// The values of all entries of an abstraction, modulo 3.
#[derive(Clone)]
pub struct MtmTable {
    abstraction: Abstraction,
    ranker: MultisetRanker,
    /// The entries of the solved board, by axis.
    goals: [MtmEntry; 2],
    line_bytes: usize,
    /// Four values to a byte, the first in the low bits; 3 for unused ranks and unreachable orders.
    /// Rows come before columns.
    values: TableBytes,
}

impl fmt::Debug for MtmTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MtmTable({:?}, {} bytes)", self.abstraction, self.bytes().len())
    }
}

impl MtmTable {
    /// The minimum size in bytes of a table that is worth storing. Smaller tables are built in a
    /// fraction of a second.
    pub const MIN_STORED_BYTES: usize = 1 << 22;

    /// Builds the table on `n_threads` threads. The watch may stop the build.
    pub fn build(
        abstraction: Abstraction,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<MtmTable, Limit> {
        let ranker = MultisetRanker::new(abstraction.sizes());
        let values = build(&abstraction, &ranker, n_threads, watch)?;
        Ok(MtmTable::new(abstraction, ranker, values.into()))
    }

    pub(crate) fn build_payload(
        abstraction: &Abstraction,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Vec<u8>, Limit> {
        build(abstraction, &MultisetRanker::new(abstraction.sizes()), n_threads, watch)
    }

    /// Creates a table from its bytes. Returns `None` if their number is wrong.
    pub fn from_bytes(abstraction: Abstraction, bytes: TableBytes) -> Option<MtmTable> {
        let fits = bytes.len() == MtmTable::n_bytes(&abstraction);
        let ranker = fits.then(|| MultisetRanker::new(abstraction.sizes()))?;
        Some(MtmTable::new(abstraction, ranker, bytes))
    }

    fn new(abstraction: Abstraction, ranker: MultisetRanker, values: TableBytes) -> MtmTable {
        let goals = Axis::ALL.map(|axis| abstraction.goal_entry(axis));
        let line_bytes = line_bytes(&abstraction);
        MtmTable { abstraction, ranker, goals, line_bytes, values }
    }

    /// The table as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.values
    }

    /// The maximum memory in bytes that a build needs.
    pub fn build_bytes(abstraction: &Abstraction) -> usize {
        // Two bits for each value; one bit each for the level, the next level and all known entries;
        // and the buffers of the threads.
        3 * MtmTable::n_bytes(abstraction)
    }

    /// The size of a table in bytes.
    pub fn n_bytes(abstraction: &Abstraction) -> usize {
        (abstraction.dims().rows() + abstraction.dims().cols()) * line_bytes(abstraction)
    }

    /// The abstraction.
    pub fn abstraction(&self) -> &Abstraction {
        &self.abstraction
    }

    /// The number of bytes before those of a line.
    fn line_start(&self, axis: Axis, line: usize) -> usize {
        let n_before = match axis {
            Axis::Row => 0,
            Axis::Col => self.abstraction.n_lines(Axis::Row),
        };
        (n_before + line) * self.line_bytes
    }

    /// The value of an entry modulo 3.
    fn residue(&self, entry: MtmEntry) -> u8 {
        let values = &self.bytes()[self.line_start(entry.axis, entry.line)..];
        residue(values, self.ranker.rank(entry.order))
    }

    /// The value of an entry: the minimum number of runs that solve the abstract board. Returns `None`
    /// if it cannot be solved.
    pub fn runs(&self, mut entry: MtmEntry) -> Option<u32> {
        // The limit ends the loop if the bytes are not a table.
        for n_runs in 1..=MAX_RUNS {
            if self.goals.contains(&entry) {
                return Some(n_runs);
            }
            let nearer = (self.residue(entry) + 2) % 3;
            let (axis, cols) = (entry.axis.other(), self.abstraction.dims().cols());
            let mut neighbors = (0..self.abstraction.n_lines(axis)).map(|at| MtmEntry {
                axis,
                line: at,
                order: switch_axis(entry.order, entry.axis, entry.line, at, cols),
            });
            entry = neighbors.find(|&neighbor| self.residue(neighbor) == nearer)?;
        }
        None
    }
}

/// A table as a search uses it, for the board itself or for the transposed board.
///
/// On a square board whose blank has its goal cell on the diagonal, the transposed board needs the same
/// number of runs. The transposed view exchanges the axes and transposes the labels.
#[derive(Clone, Debug)]
pub struct MtmView<'a> {
    ranker: &'a MultisetRanker,
    values: &'a [u8],
    table: &'a MtmTable,
    is_transposed: bool,
    /// By axis and line: the index of the first value.
    starts: [[usize; MAX_LINES]; 2],
    /// By axis and cell: the effect of a run along the axis to the cell.
    rotations: [[Rotation; Abstraction::MAX_CELLS]; 2],
}

/// The most lines of a board of 16 cells.
const MAX_LINES: usize = Abstraction::MAX_CELLS / 2;

impl<'a> MtmView<'a> {
    /// The table for the board itself.
    pub fn new(table: &'a MtmTable) -> MtmView<'a> {
        MtmView::with_axes(table, false)
    }

    /// The table for the transposed board. Returns `None` if that has another goal.
    pub fn transposed(table: &'a MtmTable) -> Option<MtmView<'a>> {
        table.abstraction.is_symmetric().then(|| MtmView::with_axes(table, true))
    }

    fn with_axes(table: &'a MtmTable, is_transposed: bool) -> MtmView<'a> {
        let mut view = MtmView {
            ranker: &table.ranker,
            values: table.bytes(),
            table,
            is_transposed,
            starts: [[0; MAX_LINES]; 2],
            rotations: [[Rotation::default(); Abstraction::MAX_CELLS]; 2],
        };
        let cols = table.abstraction.dims().cols();
        for axis in Axis::ALL {
            let in_table = if is_transposed { axis.other() } else { axis };
            let n_lines = table.abstraction.n_lines(in_table);
            for line in 0..n_lines {
                view.starts[axis as usize][line] = 4 * table.line_start(in_table, line);
                for at in 0..table.abstraction.n_lines(in_table.other()) {
                    // A transposed board is square.
                    let cell = match axis {
                        Axis::Row => line * cols + at,
                        Axis::Col => at * cols + line,
                    };
                    view.rotations[axis as usize][cell] = Rotation::new(in_table, line, at, cols);
                }
            }
        }
        view
    }

    /// The order of a board, given by its labels, if the next run goes along an axis.
    pub fn order(&self, axis: Axis, labels: &[u8]) -> u64 {
        let (axis, labels) = self.in_table(axis, labels);
        self.table.abstraction.order(axis, &labels)
    }

    /// A lower bound on the number of runs, if the next one goes along an axis.
    pub fn runs(&self, axis: Axis, labels: &[u8]) -> Option<u32> {
        let (axis, labels) = self.in_table(axis, labels);
        self.table.runs(self.table.abstraction.entry(axis, &labels)?)
    }

    /// The axis and the labels for which the table is looked up.
    fn in_table(&self, axis: Axis, labels: &[u8]) -> (Axis, Vec<u8>) {
        if !self.is_transposed {
            return (axis, labels.to_vec());
        }
        let side = self.table.abstraction.dims().cols();
        let transpose = |at: usize| at % side * side + at / side;
        let label = |cell| transpose(labels[transpose(cell)].into()) as u8;
        (axis.other(), (0..labels.len()).map(label).collect())
    }

    /// The index of the value of an order in a line. Prefetches the value.
    #[inline(always)]
    pub fn index_and_prefetch(&self, axis: Axis, line: usize, order: u64) -> usize {
        let index = self.starts[axis as usize][line % MAX_LINES] + self.ranker.rank(order);
        prefetch(self.values, index / 4);
        index
    }

    /// The value with an index, modulo 3.
    #[inline(always)]
    pub fn residue(&self, index: usize) -> u8 {
        residue(self.values, index)
    }

    /// The order of an entry of the other axis: after a run along `axis` that brings the blank to `cell`, from the
    /// order of the entry before the run.
    #[inline(always)]
    pub fn switch_axis(&self, order: u64, axis: Axis, cell: usize) -> u64 {
        self.rotations[axis as usize][cell % Abstraction::MAX_CELLS].apply(order)
    }
}

/// The value with an index, modulo 3.
#[inline(always)]
fn residue(values: &[u8], index: usize) -> u8 {
    values[index / 4] >> (2 * (index % 4)) & 3
}

fn line_bytes(abstraction: &Abstraction) -> usize {
    MultisetRanker::n_ranks(abstraction.sizes()) / 4
}
