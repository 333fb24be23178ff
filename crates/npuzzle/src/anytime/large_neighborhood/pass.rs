//! One pass: solves the board once, phase by phase.

use npuzzle_tables::clock::Instant;
use std::ops::ControlFlow;

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_core::{Metric, Slide};

use super::global_phase::GlobalTuning;
use super::walk_beam::WalkBeamConfig;
use super::{global_phase, line_phase};
use crate::anytime::beam::{self, SingleBeam, single_beam};
use crate::anytime::constructive::{Routing, solve_rect};
use crate::anytime::rect::Rect;
use crate::anytime::working_board::WorkingBoard;

/// The share of the time of a pass that the global phase is planned to take.
pub(super) const GLOBAL_SHARE: f64 = 0.7;

/// The global phase is stopped after this share of the time.
const MAX_GLOBAL_SHARE: f64 = GLOBAL_SHARE + 0.1;

/// The side of the block that is left to a beam search, and its width relative to the line phase.
const BLOCK_SIDE: usize = 12;
const BLOCK_WIDTH_FACTOR: usize = 2;

/// The number of slides of that block is at most this, and this many more for each unit of its total distance.
const MAX_BLOCK_SLIDES: usize = 300;
const MAX_BLOCK_SLIDES_PER_DISTANCE: usize = 8;

/// If the beam search fails, the line phase continues until this many rows and columns are left.
const LAST_SIDE: usize = 4;

/// The widths of the walk beams of a pass.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct PassWidths {
    pub(super) global: usize,
    pub(super) line: usize,
    pub(super) block: usize,
}

/// Narrower beams make no progress, wider ones gain little.
const MIN_WIDTH: usize = 6;
const MAX_WIDTH: usize = 2_048;

/// The width of the line phase relative to the global phase, and its maximum.
const LINE_WIDTH_FACTOR: usize = 10;
const MAX_LINE_WIDTH: usize = 4_000;

impl PassWidths {
    /// The widths for a global phase of about this width, within a memory limit. The line phase needs wider beams and
    /// makes fewer slides. The block takes as much memory as the memory limit allows a beam search.
    pub(super) fn new(global: f64, tuning: GlobalTuning, max_bytes: Option<u64>) -> PassWidths {
        let at_most = |bytes_per_width: u64| {
            max_bytes.map_or(usize::MAX, |bytes| (bytes / bytes_per_width) as usize)
        };
        let max_global = MAX_WIDTH.min(at_most(tuning.bytes_per_width()));
        let max_line = MAX_LINE_WIDTH.min(at_most(line_phase::bytes_per_width()));
        let global = (global as usize).min(max_global).max(MIN_WIDTH);
        let line = (LINE_WIDTH_FACTOR * global).min(max_line).max(MIN_WIDTH);
        let max_block = beam::max_width(max_bytes, beam::MAX_CELLS);
        PassWidths { global, line, block: (BLOCK_WIDTH_FACTOR * line).min(max_block) }
    }
}

/// The parameters of a pass.
#[derive(Clone, Copy)]
pub(super) struct Pass {
    pub(super) metric: Metric,
    pub(super) widths: PassWidths,
    pub(super) tuning: GlobalTuning,
    /// Decides ties.
    pub(super) seed: u64,
    /// From this time on, the constructive solver solves the rest of the board.
    pub(super) end: Option<Instant>,
    /// From this time on, it does so without lookahead.
    pub(super) lookahead_until: Option<Instant>,
}

impl Pass {
    /// Solves a board; `None` if `stop` ended the pass. `stop` receives the number of nodes expanded
    /// since its last call.
    pub(super) fn run(
        self,
        mut board: WorkingBoard,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Vec<Slide>> {
        let now = Instant::now();
        let global_end =
            |end: Instant| now + end.saturating_duration_since(now).mul_f64(MAX_GLOBAL_SHARE);
        let Pass { metric, widths, tuning, seed, end, .. } = self;
        let config =
            WalkBeamConfig { metric, width: widths.global, seed, end: end.map(global_end) };
        if !global_phase::run(&mut board, tuning, config, stop) {
            return None;
        }
        let config = WalkBeamConfig { width: widths.line, end, ..config };
        let whole = Rect::whole(board.dims());
        let mut unsolved = line_phase::run(&mut board, whole, BLOCK_SIDE, config, stop)?;
        if !self.solve_block(&mut board, unsolved, stop) {
            unsolved = line_phase::run(&mut board, unsolved, LAST_SIDE, config, stop)?;
            let routing = Routing::Lookahead(self.lookahead_until);
            let mut watch = PassWatch { stop, end: None, n_reported: 0 };
            solve_rect(&mut board, unsolved, routing, &mut watch).ok()?;
        }
        Some(board.into_path())
    }

    /// Solves the unsolved rectangle by a beam search; `false` if it is too large or the beam misses the
    /// goal.
    fn solve_block(
        self,
        board: &mut WorkingBoard,
        unsolved: Rect,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> bool {
        if unsolved.n_rows().max(unsolved.n_cols()) > BLOCK_SIDE {
            return false;
        }
        let Some(puzzle) = board.sub_puzzle(unsolved) else { return false };
        let config = SingleBeam {
            width: self.widths.block,
            // Well above the length of a solution.
            slide_limit: MAX_BLOCK_SLIDES
                + MAX_BLOCK_SLIDES_PER_DISTANCE * global_phase::total_distance(board) as usize,
            n_threads: 1,
            max_expanded: None,
            metric: self.metric,
        };
        let mut watch = PassWatch { stop, end: self.end, n_reported: 0 };
        let path = single_beam(&puzzle, config, &mut Stats::default(), &mut watch);
        path.map(|path| board.apply(path)).is_some()
    }
}

/// Connects the watch of a search inside a pass to `stop`, and ends the search with the pass.
struct PassWatch<'a> {
    stop: &'a mut dyn FnMut(u64) -> bool,
    end: Option<Instant>,
    /// The number of nodes that `stop` has received.
    n_reported: u64,
}

impl Watch for PassWatch<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        let n_new = stats.expanded - std::mem::replace(&mut self.n_reported, stats.expanded);
        if (self.stop)(n_new) {
            // The result is not needed, so nobody sees this limit.
            ControlFlow::Break(Limit::Interrupted)
        } else if self.end.is_some_and(|end| Instant::now() >= end) {
            ControlFlow::Break(Limit::Time)
        } else {
            ControlFlow::Continue(())
        }
    }
}
