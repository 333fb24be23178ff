//! Breadth-first search over all entries, from the solved board.
//!
//! A large level is a plane of bits for each line. From the rows to a column, sets move up one row after the
//! other, and each row adds its own set. From a column to the rows they move down. So a level takes two
//! [`ColumnSlide`]s for each pair of adjacent cells in a column, whatever the number of orders.
//!
//! The first and the last levels are small: half of the levels of a large table have less than a thousandth of
//! its entries. They are lists of orders, which are expanded one by one.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::search::{Limit, Watch};

use crate::bits::{ones, spread};
use crate::mtm::abstraction::{Abstraction, MtmEntry};
use crate::mtm::axis::Axis;
use crate::mtm::bit_permute::{BitPlane, ColumnSlide};
use crate::mtm::multiset_rank::{MultisetRanker, switch_axis};
use crate::parallel::{BufferPool, StopFlag, drop_in_background, for_each_job};

/// The number of all entries for each entry of the largest level that is a list. Expanding planes takes as long
/// as expanding lists of about a thousandth of all entries.
const ENTRIES_PER_LISTED: usize = 1 << 10;

/// The number of listed orders that are expanded between two checks of the stop flag.
const ORDERS_PER_CHECK: usize = 1 << 12;

/// Builds the values of all lines, modulo 3, in two bits each.
pub(crate) fn build(
    abstraction: &Abstraction,
    ranker: &MultisetRanker,
    n_threads: usize,
    watch: &mut dyn Watch,
) -> Result<Vec<u8>, Limit> {
    let n_entries = n_entries(abstraction);
    build_with(abstraction, ranker, n_entries / ENTRIES_PER_LISTED, n_threads, watch)
}

fn n_entries(abstraction: &Abstraction) -> usize {
    abstraction.n_orders() * (abstraction.dims().rows() + abstraction.dims().cols())
}

/// [`build`] with levels of up to `max_listed` entries as lists.
fn build_with(
    abstraction: &Abstraction,
    ranker: &MultisetRanker,
    max_listed: usize,
    n_threads: usize,
    watch: &mut dyn Watch,
) -> Result<Vec<u8>, Limit> {
    let (rows, cols) = (abstraction.dims().rows(), abstraction.dims().cols());
    let n_words = MultisetRanker::n_ranks(abstraction.sizes()) / 64;
    let mut slides: Vec<Option<ColumnSlide>> = (0..(rows - 1) * cols).map(|_| None).collect();
    let jobs = slides.iter_mut().enumerate();
    for_each_job(
        n_threads,
        jobs,
        || watch.building(0.0),
        |(position, slide), stop| *slide = Some(ColumnSlide::new(ranker, position, cols, stop)),
    )?;
    let slides = slides.into_iter().flatten().collect();
    let mut search = Search::new(ranker, [rows, cols], slides, n_words, n_threads);
    let ended = search.run(abstraction, max_listed, watch);
    let values = std::mem::take(&mut search.values);
    let n_bytes = search.n_bytes();
    drop_in_background(search.planes, n_bytes);
    match ended {
        Ok(()) => Ok(values),
        Err(limit) => {
            let n_bytes = values.len();
            drop_in_background(values, n_bytes);
            Err(limit)
        }
    }
}

/// The state of a search. All vectors are by line; the rows come before the columns.
struct Search<'a> {
    ranker: &'a MultisetRanker,
    rows: usize,
    cols: usize,
    n_words: usize,
    n_threads: usize,
    planes: Planes,
    values: Vec<u8>,
}

/// The sets of a search.
struct Planes {
    /// By the upper cell.
    slides: Vec<ColumnSlide>,
    /// The orders of the current level, unless it is a list.
    level: Vec<BitPlane>,
    /// The orders of the next level, while it is searched.
    next: Vec<Mutex<BitPlane>>,
    /// The orders of all levels so far.
    known: Vec<BitPlane>,
    buffers: BufferPool<[BitPlane; 2]>,
}

/// The orders of a level as lists.
type Lists = Vec<Vec<u64>>;

impl<'a> Search<'a> {
    fn new(
        ranker: &'a MultisetRanker,
        [rows, cols]: [usize; 2],
        slides: Vec<ColumnSlide>,
        n_words: usize,
        n_threads: usize,
    ) -> Search<'a> {
        // The system provides the memory of zeroed planes when they are first written.
        let planes = || (0..rows + cols).map(|_| vec![0; n_words]);
        let planes = Planes {
            slides,
            level: planes().collect(),
            next: planes().map(Mutex::new).collect(),
            known: planes().collect(),
            buffers: BufferPool::default(),
        };
        let values = vec![0; (rows + cols) * n_words * 16];
        Search { ranker, rows, cols, n_words, n_threads, planes, values }
    }

    /// A lower bound on the memory in bytes, without the values.
    fn n_bytes(&self) -> usize {
        3 * self.planes.known.len() * self.n_words * 8
    }

    /// Fills in all values, level by level. Levels of up to `max_listed` entries are lists.
    fn run(
        &mut self,
        abstraction: &Abstraction,
        max_listed: usize,
        watch: &mut dyn Watch,
    ) -> Result<(), Limit> {
        let lines = self.values.chunks_mut(self.n_words * 16);
        // Unknown values have both bits set.
        for_each_job(
            self.n_threads,
            lines,
            || watch.building(0.0),
            |values: &mut [u8], _| values.fill(0xff),
        )?;
        let mut lists: Lists = vec![Vec::new(); self.rows + self.cols];
        for axis in Axis::ALL {
            let MtmEntry { line, order, .. } = abstraction.goal_entry(axis);
            let line = self.line(axis, line);
            let values = &mut self.values[line * self.n_words * 16..];
            store_value(&mut self.planes.known[line], values, self.ranker.rank(order), 1);
            lists[line].push(order);
        }
        let n_entries = n_entries(abstraction) as f64;
        let (mut value, mut n_new, mut n_known) = (1u8, Axis::ALL.len(), 0);
        let mut is_listed = true;
        while n_new > 0 {
            n_known += n_new;
            value += 1;
            let share = n_known as f64 / n_entries;
            let mut poll = || watch.building(share);
            if n_new <= max_listed {
                if !is_listed {
                    lists = self.take_lists(&mut poll)?;
                }
                lists = self.expand_lists(&lists, value % 3, &mut poll)?;
                n_new = lists.iter().map(Vec::len).sum();
                is_listed = true;
            } else {
                if is_listed {
                    self.set_level(&lists);
                }
                self.expand(&mut poll)?;
                self.next_level(&mut poll)?;
                n_new = self.store_values(value % 3, &mut poll)?;
                is_listed = false;
            }
        }
        Ok(())
    }

    /// Replaces the empty level by lists.
    fn set_level(&mut self, lists: &Lists) {
        for (level, orders) in self.planes.level.iter_mut().zip(lists) {
            for &order in orders {
                let rank = self.ranker.rank(order);
                level[rank / 64] |= 1 << (rank % 64);
            }
        }
    }

    /// Empties the level. Returns its orders.
    fn take_lists(&mut self, poll: impl FnMut() -> ControlFlow<Limit>) -> Result<Lists, Limit> {
        let mut lists: Lists = vec![Vec::new(); self.rows + self.cols];
        let (ranker, lines) = (self.ranker, self.planes.level.iter_mut().zip(&mut lists));
        for_each_job(self.n_threads, lines, poll, |(level, orders), _| {
            for &block in ranker.blocks() {
                let n_words = ranker.orders(block).len().div_ceil(64);
                let words = level[block.first / 64..][..n_words].iter_mut().enumerate();
                for (at, word) in words.filter(|(_, word)| **word != 0) {
                    let numbers = ones(*word).map(|bit| 64 * at + bit);
                    orders.extend(numbers.map(|number| ranker.order(block, number)));
                    *word = 0;
                }
            }
        })?;
        Ok(lists)
    }

    /// Gives the entries that those of a listed level lead to their value, unless they have one. Returns them.
    fn expand_lists(
        &mut self,
        lists: &Lists,
        value: u8,
        poll: impl FnMut() -> ControlFlow<Limit>,
    ) -> Result<Lists, Limit> {
        let (ranker, rows, cols) = (self.ranker, self.rows, self.cols);
        let mut next: Lists = vec![Vec::new(); rows + cols];
        let values = self.values.chunks_mut(self.n_words * 16);
        let lines = self.planes.known.iter_mut().zip(values).zip(&mut next).enumerate();
        for_each_job(self.n_threads, lines, poll, |(to, ((known, values), next)), stop| {
            let (axis, at, sources) = if to < rows {
                (Axis::Col, to, &lists[rows..])
            } else {
                (Axis::Row, to - rows, &lists[..rows])
            };
            for (line, orders) in sources.iter().enumerate() {
                for orders in orders.chunks(ORDERS_PER_CHECK) {
                    if stop.is_set() {
                        return;
                    }
                    for &order in orders {
                        let order = switch_axis(order, axis, line, at, cols);
                        if store_value(known, values, ranker.rank(order), value) {
                            next.push(order);
                        }
                    }
                }
            }
        })?;
        Ok(next)
    }

    /// Gives all orders of the level their value. Returns the number of entries.
    fn store_values(
        &mut self,
        value: u8,
        poll: impl FnMut() -> ControlFlow<Limit>,
    ) -> Result<usize, Limit> {
        let n_new = AtomicUsize::new(0);
        let values = self.values.chunks_mut(self.n_words * 16);
        let lines = self.planes.level.iter().zip(&mut self.planes.known).zip(values);
        for_each_job(self.n_threads, lines, poll, |((level, known), values), _| {
            n_new.fetch_add(store_line(level, known, values, value), Ordering::Relaxed);
        })?;
        Ok(n_new.into_inner())
    }

    /// Adds all entries that those of the level lead to, to `next`.
    fn expand(&self, poll: impl FnMut() -> ControlFlow<Limit>) -> Result<(), Limit> {
        let jobs = (0..self.cols).flat_map(|col| Axis::ALL.map(|axis| (axis, col)));
        for_each_job(self.n_threads, jobs, poll, |(axis, col), stop| {
            let create = || [vec![0; self.n_words], vec![0; self.n_words]];
            self.planes.buffers.with(create, |buffers| match axis {
                Axis::Row => self.rows_to_column(col, buffers, stop),
                Axis::Col => self.column_to_rows(col, buffers, stop),
            });
        })
    }

    /// Replaces the level by the new entries of `next`, and clears `next`.
    fn next_level(&mut self, poll: impl FnMut() -> ControlFlow<Limit>) -> Result<(), Limit> {
        let lines = self.planes.level.iter_mut().zip(&mut self.planes.next).zip(&self.planes.known);
        for_each_job(self.n_threads, lines, poll, |((level, next), known), _| {
            let next = next.get_mut().unwrap_or_else(PoisonError::into_inner);
            for ((level, next), known) in level.iter_mut().zip(next).zip(known) {
                *level = *next & !known;
                *next = 0;
            }
        })
    }

    /// The number of a line among all lines.
    fn line(&self, axis: Axis, line: usize) -> usize {
        match axis {
            Axis::Row => line,
            Axis::Col => self.rows + line,
        }
    }

    /// From all rows to a column: the blank moves up to the first row.
    fn rows_to_column(
        &self,
        col: usize,
        [carried, moved]: &mut [BitPlane; 2],
        stop: &StopFlag<'_>,
    ) {
        carried.copy_from_slice(&self.planes.level[self.rows - 1]);
        for row in (0..self.rows - 1).rev() {
            moved.copy_from_slice(&self.planes.level[row]);
            self.planes.slides[row * self.cols + col].apply(false, carried, moved, stop);
            std::mem::swap(carried, moved);
        }
        add(&self.planes.next[self.line(Axis::Col, col)], carried);
    }

    /// From a column to all rows: the blank moves down from the first row.
    fn column_to_rows(
        &self,
        col: usize,
        [carried, moved]: &mut [BitPlane; 2],
        stop: &StopFlag<'_>,
    ) {
        carried.copy_from_slice(&self.planes.level[self.line(Axis::Col, col)]);
        add(&self.planes.next[0], carried);
        for (row, below) in self.planes.next[1..self.rows].iter().enumerate() {
            moved.fill(0);
            self.planes.slides[row * self.cols + col].apply(true, carried, moved, stop);
            std::mem::swap(carried, moved);
            add(below, carried);
        }
    }
}

/// Adds a set to another.
fn add(plane: &Mutex<BitPlane>, more: &[u64]) {
    let mut plane = plane.lock().unwrap_or_else(PoisonError::into_inner);
    for (word, more) in plane.iter_mut().zip(more) {
        *word |= more;
    }
}

/// Gives an order of a line its value, unless it has one. Returns whether it had none.
fn store_value(known: &mut [u64], values: &mut [u8], rank: usize, value: u8) -> bool {
    let (word, bit) = (&mut known[rank / 64], 1 << (rank % 64));
    let is_new = *word & bit == 0;
    if is_new {
        *word |= bit;
        // Both bits of an unknown value are set.
        values[rank / 4] ^= (3 ^ value) << (2 * (rank % 4));
    }
    is_new
}

/// Gives all orders of a line's level their value. Returns the number of orders.
fn store_line(level: &[u64], known: &mut [u64], values: &mut [u8], value: u8) -> usize {
    let mut n_new = 0;
    let words = level.iter().zip(known).zip(values.as_chunks_mut::<16>().0);
    for ((&level, known), values) in words.filter(|((level, _), _)| **level != 0) {
        *known |= level;
        n_new += level.count_ones() as usize;
        let (low, high) = (spread(level as u32), spread((level >> 32) as u32));
        let pairs = u128::from(low) | u128::from(high) << 64;
        let cleared = pairs * u128::from(3 ^ value);
        *values = (u128::from_le_bytes(*values) ^ cleared).to_le_bytes();
    }
    n_new
}

#[cfg(test)]
mod tests {
    use npuzzle_core::{Cell, Dims};

    use super::*;

    #[test]
    fn lists_and_planes_build_the_same_values() {
        for (rows, cols, blank, classes) in [
            (2, 3, 0, &[0, 0, 1, 1, 2, 2][..]),
            (3, 3, 4, &[0, 1, 2, 0, 0, 1, 2, 3, 4]),
            (4, 3, 11, &[0, 1, 2, 0, 0, 1, 2, 3, 4, 3, 2, 1]),
            (2, 6, 3, &[0, 1, 2, 0, 0, 1, 2, 3, 3, 3, 2, 1]),
        ] {
            let dims = Dims::new(rows, cols).unwrap();
            let abstraction = Abstraction::new(dims, Cell::new(blank), classes).unwrap();
            let ranker = MultisetRanker::new(abstraction.sizes());
            let build =
                |max_listed| build_with(&abstraction, &ranker, max_listed, 2, &mut ()).unwrap();
            let planes = build(0);
            assert!(planes.iter().any(|&byte| byte != 0xff));
            // Lists only, and both in turn.
            for max_listed in [usize::MAX, 10, 1000] {
                assert!(build(max_listed) == planes, "{rows}x{cols} {max_listed}");
            }
        }
    }
}
