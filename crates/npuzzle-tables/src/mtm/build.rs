//! Fills in the numbers of runs, level by level from the solved board.
//!
//! A level is a plane of bits for every line. From the rows to a column, sets go up one row after the
//! other, each joined by what is there; from a column to the rows they go down. So a level takes two
//! [`Passage`]s for every two neighbours in a column, however many orders it has.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::search::{Limit, Watch};

use crate::mtm::abstraction::{Abstraction, MtmEntry, goal};
use crate::mtm::axis::Axis;
use crate::mtm::bit_permute::{Passage, Plane};
use crate::mtm::multiset_rank::Orders;
use crate::parallel::watched::{Stop, give_back, watched};

/// The values of all lines.
pub(crate) fn fill(
    relabelling: &Abstraction,
    orders: &Orders,
    n_threads: usize,
    watch: &mut dyn Watch,
) -> Result<Vec<u8>, Limit> {
    let (rows, cols) = (relabelling.dims().rows(), relabelling.dims().cols());
    let n_words = Orders::n_ranks(relabelling.sizes()) / 64;
    let places = (0..(rows - 1) * cols).collect();
    let mut passages: Vec<Option<Passage>> = (0..(rows - 1) * cols).map(|_| None).collect();
    let made = Mutex::new(&mut passages);
    each(
        n_threads,
        places,
        || watch.building(0.0),
        |place: usize, stop| {
            let passage = Passage::new(orders, place, cols, stop);
            made.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(passage);
            0
        },
    )?;
    let build = Build { rows, cols, passages: passages.into_iter().flatten().collect() };
    let mut planes = Planes::new(rows + cols, n_words, n_threads);
    let filled = build.fill(&mut planes, relabelling, orders, n_threads, watch);
    let values = std::mem::take(&mut planes.values);
    let n_bytes = planes.n_bytes();
    give_back((build, planes), n_bytes);
    match filled {
        Ok(()) => Ok(values),
        Err(limit) => {
            let n_bytes = values.len();
            give_back(values, n_bytes);
            Err(limit)
        }
    }
}

/// What is known of all lines. Memory is taken when something is written to it.
struct Planes {
    /// The orders of the present level, of the next, and of all up to now.
    level: Vec<Plane>,
    next: Vec<Mutex<Plane>>,
    known: Vec<Plane>,
    /// Two for each thread to work with.
    benches: Mutex<Vec<[Plane; 2]>>,
    values: Vec<u8>,
}

impl Planes {
    fn new(n_lines: usize, n_words: usize, n_threads: usize) -> Planes {
        let plane = || -> Plane { vec![0; n_words] };
        let planes = || (0..n_lines).map(|_| plane());
        Planes {
            level: planes().collect(),
            next: planes().map(Mutex::new).collect(),
            known: planes().collect(),
            benches: Mutex::new((0..n_threads.max(1)).map(|_| [plane(), plane()]).collect()),
            values: vec![0; n_lines * n_words * 16],
        }
    }

    /// At least, without the values.
    fn n_bytes(&self) -> usize {
        3 * self.known.iter().map(|plane| 8 * plane.len()).sum::<usize>()
    }
}

struct Build {
    rows: usize,
    cols: usize,
    /// By the upper cell.
    passages: Vec<Passage>,
}

impl Build {
    /// Fills in all values, level by level.
    fn fill(
        &self,
        planes: &mut Planes,
        relabelling: &Abstraction,
        orders: &Orders,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<(), Limit> {
        let Planes { level, next, known, benches, values } = planes;
        let benches = &*benches;
        let n_words = known.first().map_or(0, Vec::len);
        // Values that are not known yet have both bits set.
        let lines = values.chunks_mut(n_words * 16).collect();
        each(
            n_threads,
            lines,
            || watch.building(0.0),
            |values: &mut [u8], _| {
                values.fill(0xff);
                0
            },
        )?;
        for axis in Axis::ALL {
            let MtmEntry { line, order, .. } = goal(relabelling, axis);
            let rank = orders.rank(order);
            level[self.line(axis, line)][rank / 64] |= 1 << (rank % 64);
        }
        let n_entries = (relabelling.n_orders() * (self.rows + self.cols)) as f64;
        let mut n_known = 0;
        let mut distance = 0u8;
        loop {
            distance += 1;
            let lines = level.iter().zip(known.iter_mut()).zip(values.chunks_mut(n_words * 16));
            let lines = lines.map(|((level, known), values)| (level, known, values)).collect();
            let share = n_known as f64 / n_entries;
            let n_new = each(
                n_threads,
                lines,
                || watch.building(share),
                |(level, known, values), _| write_down(level, known, values, distance % 3),
            )?;
            if n_new == 0 {
                return Ok(());
            }
            n_known += n_new;
            let steps = (0..self.cols).flat_map(|col| Axis::ALL.map(|axis| (axis, col))).collect();
            each(
                n_threads,
                steps,
                || watch.building(share),
                |(axis, col), stop| {
                    let bench = benches.lock().unwrap_or_else(PoisonError::into_inner).pop();
                    let mut bench = bench.unwrap_or_else(|| [vec![0; n_words], vec![0; n_words]]);
                    match axis {
                        Axis::Row => self.to_column(col, level, next, &mut bench, stop),
                        Axis::Col => self.to_rows(col, level, next, &mut bench, stop),
                    }
                    benches.lock().unwrap_or_else(PoisonError::into_inner).push(bench);
                    0
                },
            )?;
            let lines = level.iter_mut().zip(next.iter_mut()).zip(known.iter()).collect();
            each(
                n_threads,
                lines,
                || watch.building(share),
                |((level, next), known): ((&mut Plane, &mut Mutex<Plane>), &Plane), _| {
                    let next = next.get_mut().unwrap_or_else(PoisonError::into_inner);
                    for ((level, next), known) in level.iter_mut().zip(next).zip(known) {
                        *level = *next & !known;
                        *next = 0;
                    }
                    0
                },
            )?;
        }
    }

    /// The number of a line among all.
    fn line(&self, axis: Axis, line: usize) -> usize {
        match axis {
            Axis::Row => line,
            Axis::Col => self.rows + line,
        }
    }

    /// From all rows to a column: the blank goes up to the first row.
    fn to_column(
        &self,
        col: usize,
        level: &[Plane],
        next: &[Mutex<Plane>],
        [carried, moved]: &mut [Plane; 2],
        stop: &Stop<'_>,
    ) {
        carried.copy_from_slice(&level[self.rows - 1]);
        for row in (0..self.rows - 1).rev() {
            moved.copy_from_slice(&level[row]);
            self.passages[row * self.cols + col].pass(false, carried, moved, stop);
            std::mem::swap(carried, moved);
        }
        join(&next[self.line(Axis::Col, col)], carried);
    }

    /// From a column to all rows: the blank goes down from the first row.
    fn to_rows(
        &self,
        col: usize,
        level: &[Plane],
        next: &[Mutex<Plane>],
        [carried, moved]: &mut [Plane; 2],
        stop: &Stop<'_>,
    ) {
        carried.copy_from_slice(&level[self.line(Axis::Col, col)]);
        join(&next[0], carried);
        for (row, below) in next[1..self.rows].iter().enumerate() {
            moved.fill(0);
            self.passages[row * self.cols + col].pass(true, carried, moved, stop);
            std::mem::swap(carried, moved);
            join(below, carried);
        }
    }
}

/// Adds a set to another.
fn join(plane: &Mutex<Plane>, more: &[u64]) {
    let mut plane = plane.lock().unwrap_or_else(PoisonError::into_inner);
    for (word, more) in plane.iter_mut().zip(more) {
        *word |= more;
    }
}

/// Gives all orders of a level their value; how many there are.
fn write_down(level: &[u64], known: &mut [u64], values: &mut [u8], value: u8) -> usize {
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

/// The bits of a word, each in the lower half of a pair.
fn spread(bits: u32) -> u64 {
    let mut word = u64::from(bits);
    for (shift, mask) in [
        (16, 0x0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555),
    ] {
        word = (word | word << shift) & mask;
    }
    word
}

/// Does the work for every item and adds up what it returns, asking now and then whether to go on.
fn each<T: Send>(
    n_threads: usize,
    items: Vec<T>,
    ask: impl FnMut() -> ControlFlow<Limit>,
    work: impl Fn(T, &Stop<'_>) -> usize + Sync,
) -> Result<usize, Limit> {
    let items = Mutex::new(items.into_iter());
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let sum = AtomicUsize::new(0);
    watched(n_threads, ask, |stop| {
        while !stop.is_up()
            && let Some(item) = next()
        {
            sum.fetch_add(work(item, stop), Ordering::Relaxed);
        }
    })?;
    Ok(sum.into_inner())
}
