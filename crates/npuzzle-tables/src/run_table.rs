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
//! blank's row and that order alone, whatever the column, and likewise the second. On 4×4 that makes
//! 8 numbers for every order of the classes, not 16, and they know more.
//!
//! *Law.* Let the blank's line and the order be an *entry* of its axis. An entry leads to the entries
//! of the other axis, one for every place of the blank in the line. The value of an entry is one
//! more than the least value that it leads to; those of the solved board itself have the value 1.
//! Leading to goes both ways, so values beside each other differ by at most 1, and a value is stored
//! modulo 3: a search that knows the value before a run knows the one after it.
//!
//! *How it is built.* Level by level from the solved board, in planes of one bit per order for every
//! line. A plane of the next level is filled by one thread that needs nothing but to read the last
//! level, and it is small enough for the cache.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use npuzzle_core::Cell;
use npuzzle_core::search::{Limit, Watch};

use crate::build::go_on;
use crate::full::SharedBytes;
use crate::orders::{Orders, joined};
use crate::recipe::Recipe;
use crate::relabelling::{Axis, Relabelling, Turn};
use crate::watched::{is_up, watched};

/// The number of runs of all relabelled boards, modulo 3.
#[derive(Clone)]
pub struct RunTable {
    relabelling: Relabelling,
    orders: Orders,
    /// By axis.
    turns: [Turn; 2],
    /// The entries of the solved board, by axis.
    goals: [RunEntry; 2],
    /// Four values to a byte, the first in the low bits; 3 where no board is. Lines begin at a
    /// byte, rows come before columns.
    values: SharedBytes,
}

impl fmt::Debug for RunTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RunTable({:?}, {} bytes)", self.relabelling, self.bytes().len())
    }
}

/// The blank's line and the order of the tiles, read along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunEntry {
    /// Which way the next run goes.
    pub axis: Axis,
    /// The blank's row or column.
    pub line: usize,
    /// The classes of the tiles, two bits each.
    pub order: u32,
}

impl RunTable {
    /// From so many bytes on, a table is kept in a store: others are built in a fraction of a
    /// second.
    pub const WORTH_KEEPING: usize = 1 << 20;

    /// Builds the table on so many threads; the watch may stop it.
    pub fn build(
        relabelling: Relabelling,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<RunTable, Limit> {
        let orders = Orders::new(relabelling.sizes());
        let values = fill(&relabelling, &orders, n_threads, watch)?;
        Ok(RunTable::with(relabelling, orders, Arc::new(values)))
    }

    /// The table from its bytes; `None` if they are too many or too few.
    pub fn from_bytes(relabelling: Relabelling, bytes: SharedBytes) -> Option<RunTable> {
        if (*bytes).as_ref().len() != RunTable::n_bytes(&relabelling) {
            return None;
        }
        let orders = Orders::new(relabelling.sizes());
        Some(RunTable::with(relabelling, orders, bytes))
    }

    fn with(relabelling: Relabelling, orders: Orders, values: SharedBytes) -> RunTable {
        let turns = Axis::ALL.map(|axis| Turn::new(&relabelling, axis));
        let goals = Axis::ALL.map(|axis| goal(&relabelling, axis));
        RunTable { relabelling, orders, turns, goals, values }
    }

    /// The table as bytes.
    pub fn bytes(&self) -> &[u8] {
        (*self.values).as_ref()
    }

    /// How the table is kept in a store, and what for.
    pub fn recipe(relabelling: &Relabelling, purpose: impl Into<String>) -> Option<Recipe> {
        let (name, len) = (relabelling.name()?, RunTable::n_bytes(relabelling));
        let relabelling = relabelling.clone();
        Some(Recipe::new(name, purpose, len, move |work| {
            fill(&relabelling, &Orders::new(relabelling.sizes()), work.threads, work.watch)
        }))
    }

    /// The most bytes that are held while the table is being built.
    pub fn build_bytes(relabelling: &Relabelling) -> usize {
        // Two bits of value; a bit each for the level, the next one, and all that is known.
        5 * RunTable::n_bytes(relabelling) / 2
    }

    /// How many bytes a table has.
    pub fn n_bytes(relabelling: &Relabelling) -> usize {
        (relabelling.dims().rows() + relabelling.dims().cols()) * line_bytes(relabelling)
    }

    /// Which tiles are alike.
    pub fn relabelling(&self) -> &Relabelling {
        &self.relabelling
    }

    /// The values of a line.
    fn line(&self, axis: Axis, line: usize) -> &[u8] {
        let n_bytes = line_bytes(&self.relabelling);
        let before = match axis {
            Axis::Row => 0,
            Axis::Col => self.relabelling.n_lines(Axis::Row),
        };
        &self.bytes()[(before + line) * n_bytes..][..n_bytes]
    }

    /// The value of an entry modulo 3.
    fn look(&self, entry: RunEntry) -> u8 {
        value(self.line(entry.axis, entry.line), self.orders.rank(entry.order))
    }

    /// How many runs the relabelled board needs. `None` if it cannot be solved.
    pub fn runs(&self, mut entry: RunEntry) -> Option<u32> {
        let mut n_runs = 1;
        while !self.goals.contains(&entry) {
            let nearer = (self.look(entry) + 2) % 3;
            let turn = &self.turns[entry.axis as usize];
            let axis = entry.axis.other();
            let mut beside = (0..self.relabelling.n_lines(axis)).map(|at| RunEntry {
                axis,
                line: at,
                order: turn.turn(entry.order, entry.line, at),
            });
            entry = beside.find(|&beside| self.look(beside) == nearer)?;
            n_runs += 1;
        }
        Some(n_runs)
    }
}

/// A table as a search sees it, straight or through a mirror.
///
/// On a square board whose blank belongs on the diagonal, the transposed board needs as many runs.
/// Reading it row by row is reading the board column by column, so the mirror exchanges the axes and
/// transposes the labels, and nothing else.
#[derive(Clone, Debug)]
pub struct RunView<'a> {
    orders: &'a Orders,
    /// By axis, then by line.
    lines: [Vec<&'a [u8]>; 2],
    table: &'a RunTable,
    is_mirror: bool,
}

impl<'a> RunView<'a> {
    /// The table as it is.
    pub fn straight(table: &'a RunTable) -> RunView<'a> {
        RunView::new(table, false)
    }

    /// The table for transposed boards; `None` if they have another goal.
    pub fn mirror(table: &'a RunTable) -> Option<RunView<'a>> {
        let (dims, blank) = (table.relabelling.dims(), table.relabelling.blank());
        let is_symmetric = dims.is_square() && dims.row(blank) == dims.col(blank);
        is_symmetric.then(|| RunView::new(table, true))
    }

    fn new(table: &'a RunTable, is_mirror: bool) -> RunView<'a> {
        let lines = |axis: Axis| {
            let axis = if is_mirror { axis.other() } else { axis };
            (0..table.relabelling.n_lines(axis)).map(|line| table.line(axis, line)).collect()
        };
        let lines = Axis::ALL.map(lines);
        RunView { orders: &table.orders, lines, table, is_mirror }
    }

    /// The classes of a board by its labels, read along an axis.
    pub fn order(&self, axis: Axis, labels: &[u8]) -> u32 {
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
        self.table.runs(RunEntry { axis, line, order: self.table.relabelling.order(axis, &labels) })
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

    /// The value of an entry modulo 3.
    #[inline(always)]
    pub fn look(&self, axis: Axis, line: usize, order: u32) -> u8 {
        value(self.lines[axis as usize][line], self.orders.rank(order))
    }
}

/// The value of an order in a line, modulo 3.
#[inline(always)]
fn value(line: &[u8], rank: usize) -> u8 {
    line[rank / 4] >> (2 * (rank % 4)) & 3
}

fn line_bytes(relabelling: &Relabelling) -> usize {
    relabelling.n_orders().div_ceil(4)
}

/// The entry of the solved board.
fn goal(relabelling: &Relabelling, axis: Axis) -> RunEntry {
    let labels: Vec<u8> = (0..relabelling.dims().cells() as u8).collect();
    let line = match axis {
        Axis::Row => relabelling.dims().row(relabelling.blank()),
        Axis::Col => relabelling.dims().col(relabelling.blank()),
    };
    RunEntry { axis, line, order: relabelling.order(axis, &labels) }
}

/// Orders of one line, as bits by rank.
type Plane = Vec<u64>;

/// A line of the next level, and everything that is changed for it.
struct Growth<'a> {
    axis: Axis,
    line: usize,
    next: &'a mut Plane,
    known: &'a mut Plane,
    values: &'a mut [u8],
}

/// Fills in the values level by level.
fn fill(
    relabelling: &Relabelling,
    orders: &Orders,
    n_threads: usize,
    watch: &mut dyn Watch,
) -> Result<Vec<u8>, Limit> {
    go_on(watch.building(0.0))?;
    let mut values = vec![0xff; RunTable::n_bytes(relabelling)];
    let n_words = relabelling.n_orders().div_ceil(64);
    let lines: Vec<(Axis, usize)> = Axis::ALL
        .iter()
        .flat_map(|&axis| (0..relabelling.n_lines(axis)).map(move |line| (axis, line)))
        .collect();
    let planes = || -> Vec<Plane> { vec![vec![0; n_words]; lines.len()] };
    let (mut level, mut next, mut known) = (planes(), planes(), planes());
    for axis in Axis::ALL {
        let RunEntry { line, order, .. } = goal(relabelling, axis);
        let at = lines.iter().position(|&of| of == (axis, line)).unwrap_or(0);
        let rank = orders.rank(order);
        level[at][rank / 64] |= 1 << (rank % 64);
        known[at][rank / 64] |= 1 << (rank % 64);
        values[at * line_bytes(relabelling) + rank / 4] &= !(2 << (2 * (rank % 4)));
    }
    let turns = Axis::ALL.map(|axis| Turn::new(relabelling, axis));
    let n_entries = relabelling.n_orders() * lines.len();
    let mut n_known = 2;
    for distance in 2u32.. {
        let mut lists = next.iter_mut().zip(&mut known);
        let mut bytes = values.chunks_mut(line_bytes(relabelling));
        let growths = lines.iter().filter_map(|&(axis, line)| {
            let ((next, known), values) = (lists.next()?, bytes.next()?);
            Some(Growth { axis, line, next, known, values })
        });
        let growths: Vec<Growth<'_>> = growths.collect();
        let (of_rows, of_cols) = level.split_at(relabelling.n_lines(Axis::Row));
        let grow = |growth: &mut Growth<'_>, stop: &AtomicBool| {
            let from = growth.axis.other();
            let level = if from == Axis::Row { of_rows } else { of_cols };
            growth.grow(level, &turns[from as usize], orders, distance, stop)
        };
        let share = n_known as f64 / n_entries as f64;
        let n_grown = in_parallel(growths, n_threads, || watch.building(share), grow)?;
        if n_grown == 0 {
            break;
        }
        n_known += n_grown;
        std::mem::swap(&mut level, &mut next);
    }
    Ok(values)
}

/// Grows all lines, asking now and then whether to go on; by how many orders they have grown.
fn in_parallel<'a>(
    growths: Vec<Growth<'a>>,
    n_threads: usize,
    ask: impl FnMut() -> ControlFlow<Limit>,
    grow: impl Fn(&mut Growth<'a>, &AtomicBool) -> usize + Sync,
) -> Result<usize, Limit> {
    let growths = Mutex::new(growths);
    let n_grown = AtomicUsize::new(0);
    watched(n_threads, ask, |stop| {
        loop {
            let growth = growths.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(mut growth) = growth.filter(|_| !is_up(stop)) else { return };
            n_grown.fetch_add(grow(&mut growth, stop), Ordering::Relaxed);
        }
    })?;
    Ok(n_grown.into_inner())
}

impl Growth<'_> {
    /// Finds the orders of this line at the next level and writes their value down. How many there
    /// are.
    fn grow(
        &mut self,
        level: &[Plane],
        turn: &Turn,
        orders: &Orders,
        distance: u32,
        stop: &AtomicBool,
    ) -> usize {
        self.next.fill(0);
        for (line, plane) in level.iter().enumerate() {
            for (first, low, highs) in orders.rows() {
                if is_up(stop) {
                    return 0;
                }
                each_bit(plane, first, highs.len(), |at| {
                    let order = turn.turn(joined(low, highs[at]), line, self.line);
                    let rank = orders.rank(order);
                    self.next[rank / 64] |= 1 << (rank % 64);
                });
            }
        }
        let mut n_grown = 0;
        let value = (distance % 3) as u8;
        for (word, (next, known)) in self.next.iter_mut().zip(&mut *self.known).enumerate() {
            *next &= !*known;
            *known |= *next;
            let mut left = *next;
            n_grown += left.count_ones() as usize;
            while left != 0 {
                let rank = 64 * word + left.trailing_zeros() as usize;
                left &= left - 1;
                self.values[rank / 4] ^= (3 ^ value) << (2 * (rank % 4));
            }
        }
        n_grown
    }
}

/// Calls `visit` with every bit that is set among `n` bits, counted from the first of them.
#[inline(always)]
fn each_bit(plane: &Plane, first: usize, n: usize, mut visit: impl FnMut(usize)) {
    let end = first + n;
    for (word, &bits) in plane.iter().enumerate().take(end.div_ceil(64)).skip(first / 64) {
        let mut left = bits;
        if left == 0 {
            continue;
        }
        if word == first / 64 {
            left &= u64::MAX << (first % 64);
        }
        if word == end / 64 {
            left &= (1 << (end % 64)) - 1;
        }
        while left != 0 {
            visit(64 * word + left.trailing_zeros() as usize - first);
            left &= left - 1;
        }
    }
}
