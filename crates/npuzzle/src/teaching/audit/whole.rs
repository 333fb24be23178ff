//! All boards of a size, level by level.
//!
//! In process every thread takes parts of a level; a board's neighbours are made from it, and two of
//! the four ways a tile can slide are enough, since the other two are the same slides seen from the
//! other board. Estimates that somebody else makes are asked for once for each board; slides lead
//! from one level to the next, so the estimates of one level are kept for the next.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use npuzzle_core::search::{Cost, Heuristic, Limit, Watch};
use npuzzle_core::{Arrangement, Board, Dims, Packed, Slide, Sliding};
use npuzzle_tables::parallel::run_cancellable;
use npuzzle_tables::{FullSpace, Level};

use crate::tables::canonical::CanonicalForm;

use super::tally::Tally;
use super::{Audit, AuditError, Auditor, Estimates, Scope};

/// Every slide is one of these, seen from one of its boards.
const HALF: [Slide; 2] = [Slide::Up, Slide::Left];

/// From labels as tables have them to packed boards.
struct Packer {
    /// The nibble of a label, by cell of the frame.
    nibbles: Vec<[u64; FullSpace::MAX_CELLS]>,
}

impl Packer {
    fn new(goal: &Board, frame: &CanonicalForm) -> Packer {
        let n_cells = goal.dims().cells();
        let mut nibbles = vec![[0; FullSpace::MAX_CELLS]; n_cells];
        for (cell, nibbles) in nibbles.iter_mut().enumerate() {
            let on_board = frame.cell(cell);
            for tile in 0..n_cells {
                let label = usize::from(frame.label_of_tile(tile));
                nibbles[label] = (tile as u64) << (4 * on_board.index());
            }
        }
        Packer { nibbles }
    }

    #[inline]
    fn pack(&self, labels: &[u8]) -> Packed {
        let nibbles = self.nibbles.iter().zip(labels);
        Packed::from_bits(nibbles.fold(0, |bits, (nibbles, &label)| bits | nibbles[label as usize]))
    }
}

/// What looks at the boards of a level.
struct Look<'a, H> {
    dims: Dims,
    heuristic: &'a H,
    packer: &'a Packer,
    slides: &'a [Slide],
    n_threads: usize,
}

impl<H: Heuristic<Sliding<Packed>> + Sync> Look<'_, H> {
    /// Counts the boards of a level and slides from them.
    fn at(
        &self,
        level: &Level,
        distance: Cost,
        n_done: &AtomicU64,
        mut ask: impl FnMut() -> ControlFlow<Limit>,
    ) -> (Tally<Packed>, Result<(), Limit>) {
        let next = AtomicUsize::new(0);
        let whole = Mutex::new(Tally::default());
        let n_threads = if level.len() < 10_000 { 1 } else { self.n_threads };
        let result = run_cancellable(n_threads, &mut ask, |stop| {
            let mut tally = Tally::default();
            while !stop.is_set() {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= level.n_parts() {
                    break;
                }
                let before = tally.n_boards;
                level.each_board(part, |labels| self.see(labels, distance, &mut tally));
                n_done.fetch_add(tally.n_boards - before, Ordering::Relaxed);
            }
            whole.lock().unwrap_or_else(PoisonError::into_inner).add(tally);
        });
        (whole.into_inner().unwrap_or_else(PoisonError::into_inner), result)
    }

    #[inline]
    fn see(&self, labels: &[u8], distance: Cost, tally: &mut Tally<Packed>) {
        let state = self.packer.pack(labels);
        let memo = self.heuristic.eval(&state);
        let estimate = f64::from(self.heuristic.value(&memo));
        tally.see(&state, estimate, distance);
        for &slide in self.slides {
            let Some(from) = self.dims.source(state.blank(), slide) else { continue };
            let mut next = state;
            Arrangement::move_tile(&mut next, from);
            // As searches carry it along.
            let other = self.heuristic.value(&self.heuristic.step(&memo, &next, slide));
            tally.see_slide([&state, &next], [estimate, f64::from(other)], distance);
        }
    }
}

/// Looks at all boards with a heuristic in process.
pub(super) fn audit(
    auditor: &Auditor,
    space: FullSpace,
    heuristic: &(impl Heuristic<Sliding<Packed>> + Sync),
    watch: &mut dyn Watch,
) -> Audit {
    let Some(frame) = CanonicalForm::new(&auditor.goal) else {
        unreachable!("boards of up to 12 cells have a frame")
    };
    let packer = Packer::new(&auditor.goal, &frame);
    let n_threads = auditor.options.resources().threads;
    let dims = auditor.goal.dims();
    let look = Look { dims, heuristic, packer: &packer, slides: &HALF, n_threads };
    let n_boards = space.n_boards() as f64;
    let n_done = AtomicU64::new(0);
    let mut tally = Tally::default();
    let mut previous: Option<Level> = None;
    let ended = Level::each(space, n_threads, watch, |distance, level, watch| {
        let mut ask = || watch.building(n_done.load(Ordering::Relaxed) as f64 / n_boards);
        let (found, result) = look.at(&level, distance as Cost, &n_done, &mut ask);
        let is_first_leap = tally.n_leaps == 0 && found.n_leaps > 0;
        tally.add(found);
        result?;
        if is_first_leap {
            // Which of its boards is nearer is not known of a slide that is seen from one of them. All
            // slides from the level before lead to this one, or have been seen.
            let look = Look { slides: &Slide::ALL, ..look };
            let nobody = AtomicU64::new(0);
            let levels = previous.iter().map(|level| (level, distance - 1));
            for (level, distance) in levels.chain([(&level, distance)]) {
                let (found, result) = look.at(level, distance as Cost, &nobody, &mut ask);
                result?;
                if found.n_leaps > 0 {
                    tally.take_leap(found);
                    break;
                }
            }
        }
        previous = Some(level);
        Ok(())
    });
    tally.into_audit(auditor, Scope::Whole, ended.err())
}

/// Estimates that are waited for, and those of the levels before.
#[derive(Default)]
struct Batch {
    boards: Vec<Board>,
    distances: Vec<Cost>,
    /// The estimates of the last level, and of the one before it.
    levels: [HashMap<Packed, f64>; 2],
    distance: Cost,
    tally: Tally<Packed>,
}

impl Batch {
    fn ask(&mut self, estimates: Estimates<'_>, watch: &mut dyn Watch) -> Result<(), AuditError> {
        if self.boards.is_empty() {
            return Ok(());
        }
        let found = estimates(&self.boards, watch)?;
        let asked = self.boards.drain(..).zip(self.distances.drain(..));
        for ((board, distance), estimate) in asked.zip(found) {
            if distance != self.distance {
                self.levels.swap(0, 1);
                self.levels[0].clear();
                self.distance = distance;
            }
            let Some(state) = Packed::new(&board) else { unreachable!("12 cells fit") };
            self.tally.see(&state, estimate, distance);
            let dims = board.dims();
            let [last, before] = &mut self.levels;
            for slide in board.slides() {
                let mut other = state;
                other.slide(dims, slide);
                if let Some(&nearer) = before.get(&other) {
                    let (states, estimates) = ([&other, &state], [nearer, estimate]);
                    self.tally.see_slide(states, estimates, distance - 1);
                }
            }
            last.insert(state, estimate);
        }
        Ok(())
    }
}

/// Looks at all boards with estimates that somebody else makes.
pub(super) fn audit_with(
    auditor: &Auditor,
    space: FullSpace,
    estimates: Estimates<'_>,
    watch: &mut dyn Watch,
) -> Result<Audit, AuditError> {
    let Some(frame) = CanonicalForm::new(&auditor.goal) else {
        unreachable!("boards of up to 12 cells have a frame")
    };
    let packer = Packer::new(&auditor.goal, &frame);
    let (n_threads, dims) = (auditor.options.resources().threads, auditor.goal.dims());
    let n_boards = space.n_boards() as f64;
    let mut batch = Batch::default();
    let mut failure = None;
    let mut ended = Level::each(space, n_threads, watch, |distance, level, watch| {
        for part in 0..level.n_parts() {
            level.each_board(part, |labels| {
                batch.boards.push(packer.pack(labels).to_board(dims));
                batch.distances.push(distance as Cost);
            });
            if batch.boards.len() * dims.cells() >= Auditor::BATCH {
                let share = batch.tally.n_boards as f64 / n_boards;
                watch.building(share).break_value().map_or(Ok(()), Err)?;
                match batch.ask(estimates, watch) {
                    Ok(()) => {}
                    Err(AuditError::Limit(limit)) => return Err(limit),
                    Err(error) => {
                        failure = Some(error);
                        return Err(Limit::Interrupted);
                    }
                }
            }
        }
        Ok(())
    });
    if let Some(error) = failure {
        return Err(error);
    }
    if ended.is_ok() {
        match batch.ask(estimates, watch) {
            Err(AuditError::Limit(limit)) => ended = Err(limit),
            asked => asked?,
        }
    }
    Ok(batch.tally.into_audit(auditor, Scope::Whole, ended.err()))
}
