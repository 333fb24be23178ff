//! Breadth-first search over all boards of a size, in sets of orders.
//!
//! There is a plane of bits for every cell of the blank. Slides along a row leave the order as it
//! is, so planes of a row are joined word by word; slides along a column go through a [`ColumnSlide`].
//!
//! In the single-tile metric a slide changes the parity of the blank's cell, so the boards at one
//! depth lie in half of the planes and all that is new lies in the other half. Two bits per board
//! are enough: `seen`, and `mark`, which means *at the present depth* while the board is not seen
//! and afterwards becomes what the table keeps of the depth, its second bit.
//!
//! In the multi-tile metric the two bits are the depth modulo 3, plus 1, and what is new is
//! gathered in planes of its own. All boards with the residue of the present depth are looked at,
//! old ones included: moving a word costs the same whatever is in it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_core::{Cell, Dims, Metric, Slide};

use super::bit_permute::{ColumnSlide, Layout};
use super::space::FullSpace;
use crate::parallel::try_spawn;

/// What is worked out once for all boards of a size.
struct Space {
    dims: Dims,
    home: Cell,
    layout: Layout,
    /// By the upper cell.
    column_slides: Vec<ColumnSlide>,
}

impl Space {
    fn new(dims: Dims, home: Cell) -> Space {
        let layout = Layout::new(dims.cells() - 1);
        let uppers = 0..dims.cells() - dims.cols();
        let column_slides =
            uppers.map(|upper| ColumnSlide::new(&layout, upper, upper + dims.cols() - 1)).collect();
        Space { dims, home, layout, column_slides }
    }

    /// Whether the orders of boards with the blank in this row are odd.
    fn is_odd(&self, row: usize) -> bool {
        let n_rows = row.abs_diff(self.dims.row(self.home));
        n_rows * (self.dims.cols() - 1) % 2 == 1
    }

    /// Adds to `target` what becomes of the set `source` when the blank goes from one cell to the
    /// one below or above.
    fn pass(&self, from: usize, to: usize, source: impl Fn(usize) -> u64, target: &mut [u64]) {
        let cols = self.dims.cols();
        let upper = from.min(to);
        let (slide, is_odd) = (&self.column_slides[upper], self.is_odd(upper / cols));
        if from < to {
            slide.apply::<true>(&self.layout, is_odd, source, target);
        } else {
            slide.apply::<false>(&self.layout, is_odd, source, target);
        }
    }

    fn plane(&self) -> Vec<u64> {
        vec![0; self.layout.n_words()]
    }
}

/// Two bits for every board with the blank in one cell.
struct Plane {
    low: Vec<u64>,
    high: Vec<u64>,
}

/// Searches all boards from the goal, appends the entries of the table to `bytes`, and returns the
/// number of boards at each distance.
pub(crate) fn search(
    space: FullSpace,
    n_threads: usize,
    watch: &mut dyn Watch,
    bytes: &mut Vec<u8>,
) -> Result<Vec<u64>, Limit> {
    let FullSpace { dims, blank, metric } = space;
    let space = Space::new(dims, blank);
    let mut planes: Vec<Plane> =
        (0..dims.cells()).map(|_| Plane { low: space.plane(), high: space.plane() }).collect();
    let mut team = Team::new(&space, n_threads, watch);
    match metric {
        Metric::Stm => search_slides(&space, &mut planes, &mut team, None)?,
        Metric::Mtm => search_runs(&space, &mut planes, &mut team, None)?,
    }
    let n_bits = space.layout.n_bits();
    let mut bits = Bits::new(bytes);
    for Plane { low, high } in planes {
        team.look()?;
        match metric {
            Metric::Stm => low.iter().for_each(|&word| bits.push(word, n_bits)),
            Metric::Mtm => low.iter().zip(&high).for_each(|(&low, &high)| {
                let half = n_bits / 2;
                let (low, high) = (|at: usize| low >> at, |at: usize| high >> at);
                bits.push(interleaved(low(0), high(0), half), 2 * half);
                bits.push(interleaved(low(half), high(half), n_bits - half), 2 * (n_bits - half));
            }),
        }
    }
    bits.finish();
    Ok(team.census)
}

/// The boards at one depth, as planes of orders by cell of the blank.
pub(crate) type Planes = Vec<Vec<u64>>;

/// Hears how many boards each depth has, from 0 on, sees them if it asks for them, and says whether
/// to go on.
pub(crate) type Visit<'a> =
    &'a mut dyn FnMut(u64, &dyn Fn() -> Planes, &mut dyn Watch) -> Result<ControlFlow<()>, Limit>;

/// Searches from the goal, depth by depth, for somebody who looks on.
pub(crate) fn search_levels(
    space: FullSpace,
    n_threads: usize,
    watch: &mut dyn Watch,
    visit: Visit<'_>,
) -> Result<(), Limit> {
    let FullSpace { dims, blank, metric } = space;
    let space = Space::new(dims, blank);
    let mut planes: Vec<Plane> =
        (0..dims.cells()).map(|_| Plane { low: space.plane(), high: space.plane() }).collect();
    let mut team = Team::new(&space, n_threads, watch);
    match metric {
        Metric::Stm => search_slides(&space, &mut planes, &mut team, Some(visit)),
        Metric::Mtm => search_runs(&space, &mut planes, &mut team, Some(visit)),
    }
}

/// The single-tile metric: `low` is the mark, `high` what is seen.
fn search_slides(
    space: &Space,
    planes: &mut [Plane],
    team: &mut Team<'_>,
    mut visit: Option<Visit<'_>>,
) -> Result<(), Limit> {
    let (dims, home) = (space.dims, space.home);
    let is_at = |depth: usize, cell: usize| {
        (dims.distance(home, Cell::new(cell as u16)) + depth).is_multiple_of(2)
    };
    planes[home.index()].low[0] = 1;
    for depth in 0.. {
        let present = || {
            let present = planes.iter().enumerate().map(|(cell, Plane { low, high })| {
                let at_depth = if is_at(depth, cell) { u64::MAX } else { 0 };
                low.iter().zip(high).map(|(mark, seen)| mark & !seen & at_depth).collect()
            });
            present.collect()
        };
        let n_present = team.census.last().copied().unwrap_or_default();
        if let Some(visit) = &mut visit
            && visit(n_present, &present, &mut *team.watch)?.is_break()
        {
            return Ok(());
        }
        let mut sources: Vec<Option<&Plane>> = planes.iter().map(|_| None).collect();
        let mut targets = Vec::new();
        for (cell, plane) in planes.iter_mut().enumerate() {
            if is_at(depth, cell) {
                sources[cell] = Some(plane);
            } else {
                targets.push((cell, plane));
            }
        }
        let n_new = team.each(targets, |(cell, plane), [new, _], is_over| {
            new.fill(0);
            for slide in Slide::ALL {
                let from = dims.source(Cell::new(cell as u16), slide).map(Cell::index);
                let Some((from, source)) = from.and_then(|from| Some((from, sources[from]?)))
                else {
                    continue;
                };
                if is_over() {
                    return 0;
                }
                if slide.is_vertical() {
                    let present = |at: usize| source.low[at] & !source.high[at];
                    space.pass(from, cell, present, new);
                } else {
                    for ((new, mark), seen) in new.iter_mut().zip(&source.low).zip(&source.high) {
                        *new |= mark & !seen;
                    }
                }
            }
            // What is marked here is one slide nearer than where the slides came from.
            close(plane, depth.wrapping_sub(1));
            let mut n_new = 0;
            for ((mark, seen), new) in plane.low.iter_mut().zip(&plane.high).zip(&*new) {
                let new = new & !seen;
                *mark |= new;
                n_new += u64::from(new.count_ones());
            }
            n_new
        })?;
        if n_new == 0 {
            for plane in planes {
                team.look()?;
                close(plane, depth);
            }
            break;
        }
        team.count(n_new);
    }
    Ok(())
}

/// Counts the marked boards as seen and keeps the second bit of their depth.
fn close(plane: &mut Plane, depth: usize) {
    let bit = if depth >> 1 & 1 == 1 { u64::MAX } else { 0 };
    for (mark, seen) in plane.low.iter_mut().zip(&mut plane.high) {
        let marked = *mark;
        *mark &= *seen | bit;
        *seen |= marked;
    }
}

/// The multi-tile metric: `low` and `high` are the bits of the depth modulo 3, plus 1.
fn search_runs(
    space: &Space,
    planes: &mut [Plane],
    team: &mut Team<'_>,
    mut visit: Option<Visit<'_>>,
) -> Result<(), Limit> {
    let (rows, cols) = (space.dims.rows(), space.dims.cols());
    planes[space.home.index()].low[0] = 1;
    let mut found: Vec<Vec<u64>> = planes.iter().map(|_| space.plane()).collect();
    let goal = || planes.iter().map(|plane| plane.low.clone()).collect();
    if let Some(visit) = &mut visit
        && visit(1, &goal, &mut *team.watch)?.is_break()
    {
        return Ok(());
    }
    for depth in 0.. {
        let [low_off, high_off] = residue_masks(depth);
        let present = |cell: usize| {
            let Plane { low, high } = &planes[cell];
            move |at: usize| (low[at] ^ low_off) & (high[at] ^ high_off)
        };
        let mut columns: Vec<Vec<&mut Vec<u64>>> = (0..cols).map(|_| Vec::new()).collect();
        found.iter_mut().enumerate().for_each(|(cell, new)| columns[cell % cols].push(new));
        let columns = columns.into_iter().enumerate().collect();
        team.each(columns, |(col, mut found), [carried, moved], is_over| {
            for (row, new) in found.iter_mut().enumerate() {
                new.fill(0);
                for from in (0..cols).filter(|&from| from != col) {
                    if is_over() {
                        return 0;
                    }
                    let source = present(row * cols + from);
                    new.iter_mut().enumerate().for_each(|(at, new)| *new |= source(at));
                }
            }
            // A run goes on from wherever one of its slides has led.
            let down: Vec<usize> = (0..rows).collect();
            let up: Vec<usize> = (0..rows).rev().collect();
            for way in [down, up] {
                carried.fill(0);
                for step in way.windows(2) {
                    if is_over() {
                        return 0;
                    }
                    let (from, to) = (step[0] * cols + col, step[1] * cols + col);
                    let source = present(from);
                    moved.fill(0);
                    space.pass(from, to, |at| source(at) | carried[at], moved);
                    for (new, moved) in found[step[1]].iter_mut().zip(&*moved) {
                        *new |= moved;
                    }
                    std::mem::swap(carried, moved);
                }
            }
            0
        })?;
        let [low_off, high_off] = residue_masks(depth + 1);
        let n_new =
            team.each(planes.iter_mut().zip(&mut found).collect(), |(plane, found), _, _| {
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
            })?;
        if n_new == 0 {
            break;
        }
        team.count(n_new);
        if let Some(visit) = &mut visit
            && visit(n_new, &|| found.clone(), &mut *team.watch)?.is_break()
        {
            return Ok(());
        }
    }
    Ok(())
}

/// What to turn in the low and the high bits so that both are 1 for boards at a depth with this
/// residue alone.
fn residue_masks(depth: usize) -> [u64; 2] {
    let code = depth % 3 + 1;
    [code & 1, code >> 1].map(|bit| if bit == 1 { 0 } else { u64::MAX })
}

/// Whether those who work should stop.
type IsOver<'a> = &'a mut dyn FnMut() -> bool;

/// The threads that share the planes of a depth, and what they have found so far.
struct Team<'a> {
    /// Two planes for each thread to work with.
    benches: Vec<[Vec<u64>; 2]>,
    watch: &'a mut dyn Watch,
    census: Vec<u64>,
}

impl<'a> Team<'a> {
    fn new(space: &Space, n_threads: usize, watch: &'a mut dyn Watch) -> Team<'a> {
        let n_threads = n_threads.clamp(1, space.dims.cells());
        let benches = (0..n_threads).map(|_| [space.plane(), space.plane()]).collect();
        Team { benches, watch, census: vec![1] }
    }

    fn count(&mut self, n_new: u64) {
        self.census.push(n_new);
    }

    /// Asks the watch.
    fn look(&mut self) -> Result<(), Limit> {
        let stats = Stats { expanded: self.census.iter().sum(), ..Stats::default() };
        self.watch.poll(&stats).break_value().map_or(Ok(()), Err)
    }

    /// Does the work for every item, and adds up what it returns. The watch is asked before each,
    /// and by whoever works whenever that may have taken milliseconds: if all is over, what is
    /// returned does not matter.
    fn each<T: Send>(
        &mut self,
        items: Vec<T>,
        work: impl Fn(T, &mut [Vec<u64>; 2], IsOver<'_>) -> u64 + Sync,
    ) -> Result<u64, Limit> {
        let Some((own, others)) = self.benches.split_first_mut() else { return Ok(0) };
        let stats = Stats { expanded: self.census.iter().sum(), ..Stats::default() };
        let items = Mutex::new(items.into_iter());
        let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
        let (sum, is_stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        let mut stopped = None;
        std::thread::scope(|scope| {
            for bench in others {
                let other = try_spawn(scope, || {
                    let mut is_over = || is_stopped.load(Ordering::Relaxed);
                    while !is_over()
                        && let Some(item) = next()
                    {
                        sum.fetch_add(work(item, bench, &mut is_over), Ordering::Relaxed);
                    }
                });
                if other.is_err() {
                    break;
                }
            }
            let mut is_over = || {
                if stopped.is_none()
                    && let ControlFlow::Break(limit) = self.watch.poll(&stats)
                {
                    is_stopped.store(true, Ordering::Relaxed);
                    stopped = Some(limit);
                }
                stopped.is_some()
            };
            while !is_over()
                && let Some(item) = next()
            {
                sum.fetch_add(work(item, own, &mut is_over), Ordering::Relaxed);
            }
        });
        stopped.map_or(Ok(sum.into_inner()), Err)
    }
}

/// Bits one after the other, lowest first.
struct Bits<'a> {
    bytes: &'a mut Vec<u8>,
    last: u64,
    n_last: usize,
}

impl Bits<'_> {
    fn new(bytes: &mut Vec<u8>) -> Bits<'_> {
        Bits { bytes, last: 0, n_last: 0 }
    }

    /// Adds the lowest `n` bits of a word that has no others, up to 60.
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

/// The bits of two words in turn, the lowest `n` of each, up to 30.
fn interleaved(low: u64, high: u64, n: usize) -> u64 {
    let spread = |word: u64| {
        let mut word = word & ((1 << n) - 1);
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
    };
    spread(low) | spread(high) << 1
}
