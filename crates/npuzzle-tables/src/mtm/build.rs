//! Breadth-first search over all entries, from the solved board.
//!
//! A large level is a plane of bits for each line. From the rows to a column, sets move up one row after the
//! other, and each row adds its own set. From a column to the rows they move down. So a level takes two
//! [`ColumnSlide`]s for each pair of adjacent cells in a column, whatever the number of orders.
//!
//! The first and the last levels are small: half of the levels of a large table have less than a thousandth of
//! its entries. They are lists of orders, which are expanded one by one.
//!
//! While the search runs, values are two planes: the entries whose value has the remainder 1, and those with 2. So a
//! level is stored by combining whole words. At the end the planes are interleaved to two bits for each value.

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

/// The number of all entries for each entry of the smallest level that is dense: then a word of a plane has two set
/// bits or more, and moving whole words takes less time than moving bits.
const ENTRIES_PER_DENSE: usize = 1 << 5;

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
    let Search { planes, known, residues, .. } = search;
    let plane_bytes = (rows + cols) * n_words * 8;
    let values = match ended {
        Ok(()) => {
            // Before the values take as much memory.
            drop(planes);
            pack(&known, &residues, n_threads, || watch.building(1.0))
        }
        Err(limit) => {
            drop_in_background(planes, 2 * plane_bytes);
            Err(limit)
        }
    };
    drop_in_background((known, residues), 3 * plane_bytes);
    values
}

/// The state of a search. All vectors are by line; the rows come before the columns.
struct Search<'a> {
    ranker: &'a MultisetRanker,
    rows: usize,
    cols: usize,
    n_words: usize,
    n_threads: usize,
    planes: Planes,
    /// The orders of all levels so far.
    known: Vec<BitPlane>,
    /// The orders whose value has the remainder 1, and those with 2.
    residues: [Vec<BitPlane>; 2],
}

/// The sets that are needed only during the search.
struct Planes {
    /// By the upper cell.
    slides: Vec<ColumnSlide>,
    /// The orders of the current level, unless it is a list.
    level: Vec<BitPlane>,
    /// The orders of the next level, while it is searched.
    next: Vec<Mutex<BitPlane>>,
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
        let zeroed = || (0..rows + cols).map(|_| vec![0; n_words]);
        let planes = Planes {
            slides,
            level: zeroed().collect(),
            next: zeroed().map(Mutex::new).collect(),
            buffers: BufferPool::default(),
        };
        let (known, residues) = (zeroed().collect(), [(); 2].map(|()| zeroed().collect()));
        Search { ranker, rows, cols, n_words, n_threads, planes, known, residues }
    }

    /// Fills in all values, level by level. Levels of up to `max_listed` entries are lists.
    fn run(
        &mut self,
        abstraction: &Abstraction,
        max_listed: usize,
        watch: &mut dyn Watch,
    ) -> Result<(), Limit> {
        let mut lists: Lists = vec![Vec::new(); self.rows + self.cols];
        for axis in Axis::ALL {
            let MtmEntry { line, order, .. } = abstraction.goal_entry(axis);
            let line = self.line(axis, line);
            let residue = Some(&mut self.residues[0][line]);
            store_order(&mut self.known[line], residue, self.ranker.rank(order));
            lists[line].push(order);
        }
        let n_entries = n_entries(abstraction);
        let (mut value, mut n_new, mut n_known) = (1u8, Axis::ALL.len(), 0);
        let mut is_listed = true;
        while n_new > 0 {
            n_known += n_new;
            value += 1;
            let share = n_known as f64 / n_entries as f64;
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
                let is_dense = n_new >= n_entries / ENTRIES_PER_DENSE;
                self.expand(is_dense, &mut poll)?;
                n_new = self.next_level(value % 3, &mut poll)?;
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
        let residues = residue_planes(&mut self.residues, value, rows + cols);
        let lines = self.known.iter_mut().zip(residues).zip(&mut next).enumerate();
        for_each_job(self.n_threads, lines, poll, |(to, ((known, mut residue), next)), stop| {
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
                        if store_order(known, residue.as_deref_mut(), ranker.rank(order)) {
                            next.push(order);
                        }
                    }
                }
            }
        })?;
        Ok(next)
    }

    /// Adds all entries that those of the level lead to, to `next`.
    fn expand(
        &self,
        is_dense: bool,
        poll: impl FnMut() -> ControlFlow<Limit>,
    ) -> Result<(), Limit> {
        let jobs = (0..self.cols).flat_map(|col| Axis::ALL.map(|axis| (axis, col)));
        for_each_job(self.n_threads, jobs, poll, |(axis, col), stop| {
            let create = || [vec![0; self.n_words], vec![0; self.n_words]];
            self.planes.buffers.with(create, |buffers| match axis {
                Axis::Row => self.rows_to_column(col, is_dense, buffers, stop),
                Axis::Col => self.column_to_rows(col, is_dense, buffers, stop),
            });
        })
    }

    /// Replaces the level by the new entries of `next`, clears `next`, and gives the new entries a value with this
    /// remainder. Returns their number.
    fn next_level(
        &mut self,
        value: u8,
        poll: impl FnMut() -> ControlFlow<Limit>,
    ) -> Result<usize, Limit> {
        let n_new = AtomicUsize::new(0);
        let residues = residue_planes(&mut self.residues, value, self.rows + self.cols);
        let lines = self.planes.level.iter_mut().zip(&mut self.planes.next);
        let lines = lines.zip(&mut self.known).zip(residues);
        for_each_job(self.n_threads, lines, poll, |(((level, next), known), residue), _| {
            let next = next.get_mut().unwrap_or_else(PoisonError::into_inner);
            n_new.fetch_add(store_level(level, next, known), Ordering::Relaxed);
            if let Some(residue) = residue {
                residue.iter_mut().zip(level).for_each(|(residue, level)| *residue |= *level);
            }
        })?;
        Ok(n_new.into_inner())
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
        is_dense: bool,
        [carried, moved]: &mut [BitPlane; 2],
        stop: &StopFlag<'_>,
    ) {
        carried.copy_from_slice(&self.planes.level[self.rows - 1]);
        for row in (0..self.rows - 1).rev() {
            moved.copy_from_slice(&self.planes.level[row]);
            let slide = &self.planes.slides[row * self.cols + col];
            slide.apply(false, is_dense, carried, moved, stop);
            std::mem::swap(carried, moved);
        }
        add(&self.planes.next[self.line(Axis::Col, col)], carried);
    }

    /// From a column to all rows: the blank moves down from the first row.
    fn column_to_rows(
        &self,
        col: usize,
        is_dense: bool,
        [carried, moved]: &mut [BitPlane; 2],
        stop: &StopFlag<'_>,
    ) {
        carried.copy_from_slice(&self.planes.level[self.line(Axis::Col, col)]);
        add(&self.planes.next[0], carried);
        for (row, below) in self.planes.next[1..self.rows].iter().enumerate() {
            moved.fill(0);
            let slide = &self.planes.slides[row * self.cols + col];
            slide.apply(true, is_dense, carried, moved, stop);
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

/// The planes of a remainder by line. The remainder 0 has none.
fn residue_planes(
    residues: &mut [Vec<BitPlane>; 2],
    residue: u8,
    n_lines: usize,
) -> Vec<Option<&mut BitPlane>> {
    match residues.get_mut(usize::from(residue).wrapping_sub(1)) {
        Some(planes) => planes.iter_mut().map(Some).collect(),
        None => (0..n_lines).map(|_| None).collect(),
    }
}

/// Adds an order to the known ones of a line, and to those with its remainder. Returns whether it is new.
fn store_order(known: &mut [u64], residue: Option<&mut BitPlane>, rank: usize) -> bool {
    let (word, bit) = (&mut known[rank / 64], 1 << (rank % 64));
    let is_new = *word & bit == 0;
    if is_new {
        *word |= bit;
        if let Some(residue) = residue {
            residue[rank / 64] |= bit;
        }
    }
    is_new
}

/// Replaces a line's level by the new orders of `next`, which is cleared. Returns the number of new orders.
fn store_level(level: &mut [u64], next: &mut [u64], known: &mut [u64]) -> usize {
    let mut n_new = 0;
    for ((level, next), known) in level.iter_mut().zip(next).zip(known) {
        *level = *next & !*known;
        *known |= *level;
        *next = 0;
        n_new += level.count_ones() as usize;
    }
    n_new
}

/// The values of all lines in two bits each. Both bits of an unknown value are set.
fn pack(
    known: &[BitPlane],
    residues: &[Vec<BitPlane>; 2],
    n_threads: usize,
    poll: impl FnMut() -> ControlFlow<Limit>,
) -> Result<Vec<u8>, Limit> {
    let line_bytes = known.first().map_or(1, |plane| 16 * plane.len());
    let mut values = vec![0; known.len() * line_bytes];
    let [ones, twos] = residues;
    let lines = values.chunks_mut(line_bytes).zip(known).zip(ones).zip(twos);
    for_each_job(n_threads, lines, poll, |(((values, known), ones), twos), _| {
        let words = known.iter().zip(ones).zip(twos);
        for (values, ((known, ones), twos)) in values.as_chunks_mut::<16>().0.iter_mut().zip(words)
        {
            let (low, high) = (ones | !known, twos | !known);
            let half =
                |shift: u32| spread((low >> shift) as u32) | spread((high >> shift) as u32) << 1;
            *values = (u128::from(half(0)) | u128::from(half(32)) << 64).to_le_bytes();
        }
    })?;
    Ok(values)
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
