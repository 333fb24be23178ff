//! Breadth-first search over all boards of a space, with sets of permutations instead of single
//! boards.
//!
//! There is one plane of bits for each cell of the blank. Slides along a row do not change the
//! permutation, so the planes of a row are joined word by word. Slides along a column are
//! [`ColumnMove`]s.
//!
//! In the single-tile metric a slide changes the parity of the blank's cell. So the boards at one depth
//! are in half of the planes, and all new boards are in the other half. Two bits per board are enough:
//! `seen`, and `mark`. As long as a board is not seen, `mark` means *at the current depth*. Afterwards
//! it is the table's entry, the second bit of the depth.
//!
//! In the multi-tile metric the two bits are the depth modulo 3, plus 1, and new boards are collected
//! in additional planes. All boards with the residue of the current depth are expanded, old ones
//! included, because moving a word takes the same time whatever bits it has.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_core::{Cell, Dims, Metric, Slide};

use crate::bits::spread;
use crate::build_context::proceed;
use crate::parallel::{BufferPool, StopFlag, for_each_job};

use super::bit_permute::{ColumnMove, Layout};
use super::ranker::Ranker;
use super::space::FullSpace;

/// One bit for each permutation.
type PermPlane = Vec<u64>;

/// The boards at one depth: a plane for each cell of the blank.
pub(crate) type Planes = Vec<PermPlane>;

/// A callback for each depth, from 0. Gets the number of boards at this depth and a function that
/// returns them, and decides whether the search continues.
pub(crate) type Visit<'a> =
    &'a mut dyn FnMut(u64, &dyn Fn() -> Planes, &mut dyn Watch) -> ControlFlow<()>;

/// Searches all boards from the goal, appends the entries of the table to `bytes`, and returns the
/// number of boards at each distance.
pub(crate) fn search(
    space: FullSpace,
    n_threads: usize,
    watch: &mut dyn Watch,
    bytes: &mut Vec<u8>,
) -> Result<Vec<u64>, Limit> {
    let geometry = Geometry::new(space.dims, space.blank);
    let mut search = LevelSearch::new(&geometry, n_threads, watch);
    search.run(space.metric, None)?;
    let n_bits = geometry.layout.n_bits();
    let mut bits = BitWriter::new(bytes);
    for StatePlane { low, high } in std::mem::take(&mut search.planes) {
        search.poll()?;
        match space.metric {
            Metric::Stm => low.iter().for_each(|&word| bits.push(word, n_bits)),
            Metric::Mtm => low.iter().zip(&high).for_each(|(&low, &high)| {
                let half = n_bits / 2;
                bits.push(interleave(low, high, half), 2 * half);
                bits.push(
                    interleave(low >> half, high >> half, n_bits - half),
                    2 * (n_bits - half),
                );
            }),
        }
    }
    bits.finish();
    Ok(search.census)
}

/// Searches from the goal, depth by depth, and calls `visit` for each depth.
pub(crate) fn search_levels(
    space: FullSpace,
    n_threads: usize,
    watch: &mut dyn Watch,
    visit: Visit<'_>,
) -> Result<(), Limit> {
    let geometry = Geometry::new(space.dims, space.blank);
    LevelSearch::new(&geometry, n_threads, watch).run(space.metric, Some(visit))
}

/// The board, the layout of the planes, and the slides along its columns.
struct Geometry {
    dims: Dims,
    ranker: Ranker,
    layout: Layout,
    /// By the upper cell.
    column_slides: Vec<ColumnMove>,
}

impl Geometry {
    fn new(dims: Dims, goal_blank: Cell) -> Geometry {
        let layout = Layout::new(dims.cells() - 1);
        let uppers = 0..dims.cells() - dims.cols();
        let slide = |upper| ColumnMove::new(&layout, upper, upper + dims.cols() - 1);
        let column_slides = uppers.map(slide).collect();
        Geometry { dims, ranker: Ranker::new(dims, goal_blank), layout, column_slides }
    }

    /// Whether the distances of boards with the blank in this cell have the parity of `depth`, in the
    /// single-tile metric.
    fn is_at(&self, depth: usize, cell: usize) -> bool {
        depth % 2 == usize::from(self.ranker.distance_parity(cell))
    }

    /// Adds to `target` the permutations that those of `source` become when the blank moves between
    /// two adjacent cells of a column.
    fn slide_column(
        &self,
        from: usize,
        to: usize,
        source: impl Fn(usize) -> u64,
        target: &mut [u64],
    ) {
        let upper = from.min(to);
        let (slide, is_odd) = (&self.column_slides[upper], self.ranker.is_odd_perm(upper));
        if from < to {
            slide.apply::<true>(&self.layout, is_odd, source, target);
        } else {
            slide.apply::<false>(&self.layout, is_odd, source, target);
        }
    }

    fn plane(&self) -> PermPlane {
        vec![0; self.layout.n_words()]
    }
}

/// Two bits for each board with the blank in one cell.
struct StatePlane {
    low: PermPlane,
    high: PermPlane,
}

/// The state of a search.
struct LevelSearch<'a> {
    geometry: &'a Geometry,
    /// By the cell of the blank.
    planes: Vec<StatePlane>,
    /// The number of boards at each depth so far.
    census: Vec<u64>,
    n_threads: usize,
    buffers: BufferPool<[PermPlane; 2]>,
    watch: &'a mut dyn Watch,
}

impl<'a> LevelSearch<'a> {
    fn new(geometry: &'a Geometry, n_threads: usize, watch: &'a mut dyn Watch) -> LevelSearch<'a> {
        let n_cells = geometry.dims.cells();
        let plane = |_| StatePlane { low: geometry.plane(), high: geometry.plane() };
        let mut planes: Vec<StatePlane> = (0..n_cells).map(plane).collect();
        planes[usize::from(geometry.ranker.blank_label)].low[0] = 1;
        let n_threads = n_threads.min(n_cells);
        LevelSearch {
            geometry,
            planes,
            census: vec![1],
            n_threads,
            buffers: BufferPool::default(),
            watch,
        }
    }

    fn run(&mut self, metric: Metric, visit: Option<Visit<'_>>) -> Result<(), Limit> {
        match metric {
            Metric::Stm => self.search_slides(visit),
            Metric::Mtm => self.search_runs(visit),
        }
    }

    /// The single-tile metric: `low` is `mark`, `high` is `seen`.
    fn search_slides(&mut self, mut visit: Option<Visit<'_>>) -> Result<(), Limit> {
        let geometry = self.geometry;
        for depth in 0.. {
            let current = || {
                let planes = self.planes.iter().enumerate();
                let current = planes.map(|(cell, StatePlane { low, high })| {
                    let mask = if geometry.is_at(depth, cell) { u64::MAX } else { 0 };
                    low.iter().zip(high).map(|(mark, seen)| mark & !seen & mask).collect()
                });
                current.collect()
            };
            let n_current = self.census.last().copied().unwrap_or_default();
            if let Some(visit) = &mut visit
                && visit(n_current, &current, &mut *self.watch).is_break()
            {
                return Ok(());
            }
            let mut planes = std::mem::take(&mut self.planes);
            let n_new = self.expand_slides(&mut planes, depth);
            self.planes = planes;
            let n_new = n_new?;
            if n_new == 0 {
                for cell in 0..geometry.dims.cells() {
                    self.poll()?;
                    close(&mut self.planes[cell], depth);
                }
                break;
            }
            self.census.push(n_new);
        }
        Ok(())
    }

    /// Marks the boards one slide beyond those at a depth, and returns their number.
    fn expand_slides(&mut self, planes: &mut [StatePlane], depth: usize) -> Result<u64, Limit> {
        let geometry = self.geometry;
        let mut sources: Vec<Option<&StatePlane>> = planes.iter().map(|_| None).collect();
        let mut targets = Vec::new();
        for (cell, plane) in planes.iter_mut().enumerate() {
            if geometry.is_at(depth, cell) {
                sources[cell] = Some(plane);
            } else {
                targets.push((cell, plane));
            }
        }
        self.for_each(targets.into_iter(), |(cell, plane), [new, _], stop| {
            new.fill(0);
            for slide in Slide::ALL {
                let from = geometry.dims.source(Cell::new(cell as u16), slide).map(Cell::index);
                let Some((from, source)) = from.and_then(|from| Some((from, sources[from]?)))
                else {
                    continue;
                };
                if stop.is_set() {
                    return 0;
                }
                if slide.is_vertical() {
                    let current = |at: usize| source.low[at] & !source.high[at];
                    geometry.slide_column(from, cell, current, new);
                } else {
                    for ((new, mark), seen) in new.iter_mut().zip(&source.low).zip(&source.high) {
                        *new |= mark & !seen;
                    }
                }
            }
            // The boards that are marked here are one slide nearer than the sources.
            close(plane, depth.wrapping_sub(1));
            let mut n_new = 0;
            for ((mark, seen), new) in plane.low.iter_mut().zip(&plane.high).zip(&*new) {
                let new = new & !seen;
                *mark |= new;
                n_new += u64::from(new.count_ones());
            }
            n_new
        })
    }

    /// The multi-tile metric: `low` and `high` are the bits of the depth modulo 3, plus 1.
    fn search_runs(&mut self, mut visit: Option<Visit<'_>>) -> Result<(), Limit> {
        let mut found: Planes = self.planes.iter().map(|_| self.geometry.plane()).collect();
        let goal = || self.planes.iter().map(|plane| plane.low.clone()).collect();
        if let Some(visit) = &mut visit
            && visit(1, &goal, &mut *self.watch).is_break()
        {
            return Ok(());
        }
        for depth in 0.. {
            let mut planes = std::mem::take(&mut self.planes);
            let n_new = self
                .expand_runs(&planes, &mut found, depth)
                .and_then(|()| self.add_new(&mut planes, &mut found, depth + 1));
            self.planes = planes;
            let n_new = n_new?;
            if n_new == 0 {
                break;
            }
            self.census.push(n_new);
            if let Some(visit) = &mut visit
                && visit(n_new, &|| found.clone(), &mut *self.watch).is_break()
            {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Fills `found` with all boards that are one run away from boards with the residue of a depth.
    fn expand_runs(
        &mut self,
        planes: &[StatePlane],
        found: &mut Planes,
        depth: usize,
    ) -> Result<(), Limit> {
        let geometry = self.geometry;
        let (rows, cols) = (geometry.dims.rows(), geometry.dims.cols());
        let [low_off, high_off] = residue_masks(depth);
        let current = |cell: usize| {
            let StatePlane { low, high } = &planes[cell];
            move |at: usize| (low[at] ^ low_off) & (high[at] ^ high_off)
        };
        let mut columns: Vec<Vec<&mut PermPlane>> = (0..cols).map(|_| Vec::new()).collect();
        found.iter_mut().enumerate().for_each(|(cell, new)| columns[cell % cols].push(new));
        let columns = columns.into_iter().enumerate();
        self.for_each(columns, |(col, mut found), [carried, moved], stop| {
            for (row, new) in found.iter_mut().enumerate() {
                new.fill(0);
                for from in (0..cols).filter(|&from| from != col) {
                    if stop.is_set() {
                        return 0;
                    }
                    let source = current(row * cols + from);
                    new.iter_mut().enumerate().for_each(|(at, new)| *new |= source(at));
                }
            }
            // A run continues from every cell that it reaches: `carried` are the boards that the run
            // has brought to the cell before.
            let down: Vec<usize> = (0..rows).collect();
            let up: Vec<usize> = (0..rows).rev().collect();
            for path in [down, up] {
                carried.fill(0);
                for step in path.windows(2) {
                    if stop.is_set() {
                        return 0;
                    }
                    let (from, to) = (step[0] * cols + col, step[1] * cols + col);
                    let source = current(from);
                    moved.fill(0);
                    geometry.slide_column(from, to, |at| source(at) | carried[at], moved);
                    for (new, moved) in found[step[1]].iter_mut().zip(&*moved) {
                        *new |= moved;
                    }
                    std::mem::swap(carried, moved);
                }
            }
            0
        })?;
        Ok(())
    }

    /// Adds the found boards that are new to `planes`, and removes the others from `found`. Returns
    /// the number of new boards.
    fn add_new(
        &mut self,
        planes: &mut [StatePlane],
        found: &mut Planes,
        depth: usize,
    ) -> Result<u64, Limit> {
        let [low_off, high_off] = residue_masks(depth);
        self.for_each(planes.iter_mut().zip(found), |(plane, found), _, _| {
            let mut n_new = 0;
            let known = plane.low.iter_mut().zip(&mut plane.high);
            for ((low, high), found) in known.zip(found) {
                let new = *found & !(*low | *high);
                *found = new;
                *low |= new & !low_off;
                *high |= new & !high_off;
                n_new += u64::from(new.count_ones());
            }
            n_new
        })
    }

    fn stats(&self) -> Stats {
        Stats { expanded: self.census.iter().sum(), ..Stats::default() }
    }

    fn poll(&mut self) -> Result<(), Limit> {
        let stats = self.stats();
        proceed(self.watch.poll(&stats))
    }

    /// Runs `work` for each job, with two planes as buffers, and returns the sum of its results.
    fn for_each<J: Send>(
        &mut self,
        jobs: impl Iterator<Item = J> + Send,
        work: impl Fn(J, &mut [PermPlane; 2], &StopFlag<'_>) -> u64 + Sync,
    ) -> Result<u64, Limit> {
        let stats = self.stats();
        let LevelSearch { geometry, buffers, watch, .. } = self;
        let sum = AtomicU64::new(0);
        for_each_job(
            self.n_threads,
            jobs,
            || watch.poll(&stats),
            |job, stop| {
                let create = || [geometry.plane(), geometry.plane()];
                let n = buffers.with(create, |buffers| work(job, buffers, stop));
                sum.fetch_add(n, Ordering::Relaxed);
            },
        )?;
        Ok(sum.into_inner())
    }
}

/// Sets `seen` for the marked boards, and replaces `mark` by the second bit of their depth.
fn close(plane: &mut StatePlane, depth: usize) {
    let bit = if depth >> 1 & 1 == 1 { u64::MAX } else { 0 };
    for (mark, seen) in plane.low.iter_mut().zip(&mut plane.high) {
        let marked = *mark;
        *mark &= *seen | bit;
        *seen |= marked;
    }
}

/// The masks to invert the low and the high bits with, so that both are 1 exactly for the boards with
/// the residue of a depth.
fn residue_masks(depth: usize) -> [u64; 2] {
    let code = depth % 3 + 1;
    [code & 1, code >> 1].map(|bit| if bit == 1 { 0 } else { u64::MAX })
}

/// Appends bits to bytes, lowest first.
struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    last: u64,
    n_last: usize,
}

impl BitWriter<'_> {
    fn new(bytes: &mut Vec<u8>) -> BitWriter<'_> {
        BitWriter { bytes, last: 0, n_last: 0 }
    }

    /// Appends the lowest `n` bits of a word, up to 60. The other bits must be 0.
    fn push(&mut self, word: u64, n: usize) {
        self.last |= word << self.n_last;
        self.n_last += n;
        if self.n_last >= 64 {
            self.bytes.extend(self.last.to_le_bytes());
            self.n_last -= 64;
            self.last = word >> (n - self.n_last);
        }
    }

    fn finish(self) {
        self.bytes.extend(&self.last.to_le_bytes()[..self.n_last.div_ceil(8)]);
    }
}

/// Interleaves the lowest `n` bits of two words, up to 30.
fn interleave(low: u64, high: u64, n: usize) -> u64 {
    let [low, high] = [low, high].map(|word| spread((word & ((1 << n) - 1)) as u32));
    low | high << 1
}
