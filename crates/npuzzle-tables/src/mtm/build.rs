//! Breadth-first search over all entries, from the solved board.
//!
//! A level is a plane of bits for each line. From the rows to a column, sets move up one row after the
//! other, and each row adds its own set. From a column to the rows they move down. So a level takes two
//! [`ColumnSlide`]s for each pair of adjacent cells in a column, whatever the number of orders.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::search::{Limit, Watch};

use crate::bits::spread;
use crate::mtm::abstraction::{Abstraction, MtmEntry};
use crate::mtm::axis::Axis;
use crate::mtm::bit_permute::{BitPlane, ColumnSlide};
use crate::mtm::multiset_rank::MultisetRanker;
use crate::parallel::{BufferPool, StopFlag, drop_in_background, for_each_job};

/// Builds the values of all lines, modulo 3, in two bits each.
pub(crate) fn build(
    abstraction: &Abstraction,
    ranker: &MultisetRanker,
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
    let mut search = Search::new(rows, cols, slides, n_words, n_threads);
    let ended = search.run(abstraction, ranker, watch);
    let values = std::mem::take(&mut search.values);
    let n_bytes = search.n_bytes();
    drop_in_background(search, n_bytes);
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
struct Search {
    rows: usize,
    cols: usize,
    /// By the upper cell.
    slides: Vec<ColumnSlide>,
    n_words: usize,
    n_threads: usize,
    /// The orders of the current level.
    level: Vec<BitPlane>,
    /// The orders of the next level, while it is searched.
    next: Vec<Mutex<BitPlane>>,
    /// The orders of all levels so far.
    known: Vec<BitPlane>,
    buffers: BufferPool<[BitPlane; 2]>,
    values: Vec<u8>,
}

impl Search {
    fn new(
        rows: usize,
        cols: usize,
        slides: Vec<ColumnSlide>,
        n_words: usize,
        n_threads: usize,
    ) -> Search {
        // The system provides the memory of zeroed planes when they are first written.
        let planes = || (0..rows + cols).map(|_| vec![0; n_words]);
        Search {
            rows,
            cols,
            slides,
            n_words,
            n_threads,
            level: planes().collect(),
            next: planes().map(Mutex::new).collect(),
            known: planes().collect(),
            buffers: BufferPool::default(),
            values: vec![0; (rows + cols) * n_words * 16],
        }
    }

    /// A lower bound on the memory in bytes, without the values.
    fn n_bytes(&self) -> usize {
        3 * self.known.len() * self.n_words * 8
    }

    /// Fills in all values, level by level.
    fn run(
        &mut self,
        abstraction: &Abstraction,
        ranker: &MultisetRanker,
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
        for axis in Axis::ALL {
            let MtmEntry { line, order, .. } = abstraction.goal_entry(axis);
            let (line, rank) = (self.line(axis, line), ranker.rank(order));
            self.level[line][rank / 64] |= 1 << (rank % 64);
        }
        let n_entries = (abstraction.n_orders() * (self.rows + self.cols)) as f64;
        let mut n_known = 0;
        let mut value = 0u8;
        loop {
            value += 1;
            let share = n_known as f64 / n_entries;
            let mut poll = || watch.building(share);
            let n_new = self.store_values(value % 3, &mut poll)?;
            if n_new == 0 {
                return Ok(());
            }
            n_known += n_new;
            self.expand(&mut poll)?;
            self.next_level(&mut poll)?;
        }
    }

    /// Gives all orders of the level their value. Returns the number of entries.
    fn store_values(
        &mut self,
        value: u8,
        poll: impl FnMut() -> ControlFlow<Limit>,
    ) -> Result<usize, Limit> {
        let n_new = AtomicUsize::new(0);
        let values = self.values.chunks_mut(self.n_words * 16);
        let lines = self.level.iter().zip(&mut self.known).zip(values);
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
            self.buffers.with(create, |buffers| match axis {
                Axis::Row => self.rows_to_column(col, buffers, stop),
                Axis::Col => self.column_to_rows(col, buffers, stop),
            });
        })
    }

    /// Replaces the level by the new entries of `next`, and clears `next`.
    fn next_level(&mut self, poll: impl FnMut() -> ControlFlow<Limit>) -> Result<(), Limit> {
        let lines = self.level.iter_mut().zip(&mut self.next).zip(&self.known);
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
        carried.copy_from_slice(&self.level[self.rows - 1]);
        for row in (0..self.rows - 1).rev() {
            moved.copy_from_slice(&self.level[row]);
            self.slides[row * self.cols + col].apply(false, carried, moved, stop);
            std::mem::swap(carried, moved);
        }
        add(&self.next[self.line(Axis::Col, col)], carried);
    }

    /// From a column to all rows: the blank moves down from the first row.
    fn column_to_rows(
        &self,
        col: usize,
        [carried, moved]: &mut [BitPlane; 2],
        stop: &StopFlag<'_>,
    ) {
        carried.copy_from_slice(&self.level[self.line(Axis::Col, col)]);
        add(&self.next[0], carried);
        for (row, below) in self.next[1..self.rows].iter().enumerate() {
            moved.fill(0);
            self.slides[row * self.cols + col].apply(true, carried, moved, stop);
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
