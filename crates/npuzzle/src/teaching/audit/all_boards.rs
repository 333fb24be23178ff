//! An audit of all boards of a size, in order of distance.
//!
//! A *level* is the set of boards at one distance. Worker threads share the parts of a level. The
//! neighbors of a board are computed from the board. Two of the four directions suffice, since each
//! slide in one of the other two is seen from its other board.
//!
//! A [`HeuristicFn`] is called once for each board. Every slide leads from one level to the next, so
//! the estimates of the previous level are kept.

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
use super::{Audit, AuditError, AuditScope, Auditor, HeuristicFn};

/// Half of the directions. Every slide has one of these when seen from one of its two boards.
const HALF_OF_SLIDES: [Slide; 2] = [Slide::Up, Slide::Left];

/// Converts the labels of a full table to packed boards.
struct Packer {
    /// The bits of each label, indexed by canonical cell and label.
    nibbles: Vec<[u64; FullSpace::MAX_CELLS]>,
}

impl Packer {
    fn new(goal: &Board, canonical: &CanonicalForm) -> Packer {
        let n_cells = goal.dims().cells();
        let mut nibbles = vec![[0; FullSpace::MAX_CELLS]; n_cells];
        for (cell, nibbles) in nibbles.iter_mut().enumerate() {
            let board_cell = canonical.cell(cell);
            for tile in 0..n_cells {
                let label = usize::from(canonical.label_of_tile(tile));
                nibbles[label] = (tile as u64) << (4 * board_cell.index());
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

/// Audits the boards of a level.
struct LevelAudit<'a, H> {
    dims: Dims,
    heuristic: &'a H,
    packer: &'a Packer,
    slides: &'a [Slide],
    n_threads: usize,
}

impl<H: Heuristic<Sliding<Packed>> + Sync> LevelAudit<'_, H> {
    /// Examines the boards of a level and the slides from them. Adds the number of boards to `n_done`
    /// and calls `poll` from time to time. If `poll` stops the audit, the tally is incomplete.
    fn run(
        &self,
        level: &Level,
        distance: Cost,
        n_done: &AtomicU64,
        mut poll: impl FnMut() -> ControlFlow<Limit>,
    ) -> (Tally, Result<(), Limit>) {
        let next = AtomicUsize::new(0);
        let total = Mutex::new(Tally::new(self.dims));
        let n_threads = if level.len() < 10_000 { 1 } else { self.n_threads };
        let result = run_cancellable(n_threads, &mut poll, |stop| {
            let mut tally = Tally::new(self.dims);
            while !stop.is_set() {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= level.n_parts() {
                    break;
                }
                let before = tally.n_boards;
                level.each_board(part, |labels| self.examine(labels, distance, &mut tally));
                n_done.fetch_add(tally.n_boards - before, Ordering::Relaxed);
            }
            total.lock().unwrap_or_else(PoisonError::into_inner).merge(tally);
        });
        (total.into_inner().unwrap_or_else(PoisonError::into_inner), result)
    }

    #[inline]
    fn examine(&self, labels: &[u8], distance: Cost, tally: &mut Tally) {
        let state = self.packer.pack(labels);
        let memo = self.heuristic.eval(&state);
        let estimate = f64::from(self.heuristic.value(&memo));
        tally.add_board(&state, estimate, distance);
        for &slide in self.slides {
            let Some(from) = self.dims.source(state.blank(), slide) else { continue };
            let mut next = state;
            Arrangement::move_tile(&mut next, from);
            // Searches evaluate a child with `step`, so the audit does, too.
            let other = self.heuristic.value(&self.heuristic.step(&memo, &next, slide));
            tally.add_slide([&state, &next], [estimate, f64::from(other)], distance);
        }
    }
}

/// Audits all boards with a heuristic of this library.
pub(super) fn audit(
    auditor: &Auditor,
    space: FullSpace,
    heuristic: &(impl Heuristic<Sliding<Packed>> + Sync),
    watch: &mut dyn Watch,
) -> Audit {
    let packer = Packer::new(&auditor.goal, &canonical_form(&auditor.goal));
    let n_threads = auditor.options.resources().threads;
    let dims = auditor.goal.dims();
    let half = LevelAudit { dims, heuristic, packer: &packer, slides: &HALF_OF_SLIDES, n_threads };
    let n_boards = space.n_boards() as f64;
    let n_done = AtomicU64::new(0);
    let mut tally = Tally::new(dims);
    let mut previous: Option<Level> = None;
    let ended = Level::each(space, n_threads, watch, |distance, level, watch| {
        let mut poll = || watch.building(n_done.load(Ordering::Relaxed) as f64 / n_boards);
        let (found, result) = half.run(&level, distance as Cost, &n_done, &mut poll);
        let is_first = tally.n_inconsistencies == 0 && found.n_inconsistencies > 0;
        tally.merge(found);
        result?;
        if is_first {
            // With half of the directions, the slide may have been seen from its farther board. All
            // slides of the previous level lead to this level or have been examined before, so the
            // first inconsistency starts in the previous level or in this one.
            let all = LevelAudit { slides: &Slide::ALL, ..half };
            let ignored = AtomicU64::new(0);
            let levels = previous.iter().map(|level| (level, distance - 1));
            for (level, distance) in levels.chain([(&level, distance)]) {
                let (found, result) = all.run(level, distance as Cost, &ignored, &mut poll);
                result?;
                if found.n_inconsistencies > 0 {
                    tally.replace_inconsistency(found);
                    break;
                }
            }
        }
        previous = Some(level);
        Ok(())
    });
    tally.into_audit(AuditScope::AllBoards, ended.err())
}

fn canonical_form(goal: &Board) -> CanonicalForm {
    match CanonicalForm::new(goal) {
        Some(canonical) => canonical,
        None => unreachable!("boards of up to 12 cells have a canonical form"),
    }
}

/// Boards whose estimates are still missing, and the estimates of the last two levels.
struct PendingBoards {
    boards: Vec<Board>,
    distances: Vec<Cost>,
    /// The estimates of the current level and of the one before it.
    levels: [HashMap<Packed, f64>; 2],
    /// The distance of the current level.
    distance: Cost,
    tally: Tally,
}

impl PendingBoards {
    fn n_cells(&self) -> usize {
        self.boards.first().map_or(0, |board| self.boards.len() * board.dims().cells())
    }

    /// Evaluates the boards and adds them to the tally.
    fn evaluate(
        &mut self,
        heuristic: HeuristicFn<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(), AuditError> {
        if self.boards.is_empty() {
            return Ok(());
        }
        let estimates = heuristic(&self.boards, watch)?;
        let boards = self.boards.drain(..).zip(self.distances.drain(..));
        for ((board, distance), estimate) in boards.zip(estimates) {
            if distance != self.distance {
                self.levels.swap(0, 1);
                self.levels[0].clear();
                self.distance = distance;
            }
            let Some(state) = Packed::new(&board) else { unreachable!("12 cells fit") };
            self.tally.add_board(&state, estimate, distance);
            let dims = board.dims();
            let [current, previous] = &mut self.levels;
            for slide in board.slides() {
                let mut other = state;
                other.slide(dims, slide);
                if let Some(&nearer) = previous.get(&other) {
                    let (states, estimates) = ([&other, &state], [nearer, estimate]);
                    self.tally.add_slide(states, estimates, distance - 1);
                }
            }
            current.insert(state, estimate);
        }
        Ok(())
    }
}

/// Audits all boards with a [`HeuristicFn`].
pub(super) fn audit_with(
    auditor: &Auditor,
    space: FullSpace,
    heuristic: HeuristicFn<'_>,
    watch: &mut dyn Watch,
) -> Result<Audit, AuditError> {
    let packer = Packer::new(&auditor.goal, &canonical_form(&auditor.goal));
    let (n_threads, dims) = (auditor.options.resources().threads, auditor.goal.dims());
    let n_boards = space.n_boards() as f64;
    let mut batch = PendingBoards {
        boards: Vec::new(),
        distances: Vec::new(),
        levels: Default::default(),
        distance: 0,
        tally: Tally::new(dims),
    };
    let ended = Level::each(space, n_threads, watch, |distance, level, watch| {
        for part in 0..level.n_parts() {
            level.each_board(part, |labels| {
                batch.boards.push(packer.pack(labels).to_board(dims));
                batch.distances.push(distance as Cost);
            });
            if batch.n_cells() < Auditor::LARGE_BATCH {
                continue;
            }
            let share = batch.tally.n_boards as f64 / n_boards;
            watch.building(share).break_value().map_or(Ok(()), Err)?;
            batch.evaluate(heuristic, watch)?;
        }
        Ok(())
    });
    let stopped = match ended.and_then(|()| batch.evaluate(heuristic, watch)) {
        Ok(()) => None,
        Err(AuditError::Limit(limit)) => Some(limit),
        Err(error) => return Err(error),
    };
    Ok(batch.tally.into_audit(AuditScope::AllBoards, stopped))
}
