//! Short solutions of boards that are too large for beam search over whole boards, or on which it finds longer ones, and
//! shorter solutions as long as time permits.
//!
//! A [pass](pass) solves the board once, by repeated choices from a large neighborhood: a beam over
//! walks of the blank ([`walk_beam`]) compares many walks from the current board, the pass commits to
//! the beginning of the best one, and the beam continues from there.
//!
//! 1. The [global phase](global_phase) brings all tiles close to their goal cells, or solves the board.
//! 2. The [line phase](line_phase) solves what is left line by line, until a block of 12×12 cells remains.
//! 3. A [beam search](crate::anytime::beam) solves the block.
//!
//! Passes become wider and differ in their tie-breaking, and the shortest solution wins
//! ([`pass_pool`]). The [constructive solver](crate::anytime::constructive) provides the solution before
//! the first pass, and completes a pass that runs out of time.

mod global_phase;
mod global_potential;
mod line_phase;
mod pass;
mod pass_pool;
#[cfg(test)]
mod tests;
mod walk_beam;
mod walk_board;

use npuzzle_tables::clock::Instant;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::time::Duration;

use npuzzle_core::search::{Cost, Stats, Watch};
use npuzzle_core::{Instance, Slide};

use crate::anytime::constructive::line::Line;
use crate::anytime::constructive::{Routing, construct};
use crate::anytime::rect::Rect;
use crate::anytime::working_board::WorkingBoard;
use crate::engine::lower_bound::Objective;
use pass_pool::{Incumbent, PassPool};
use walk_beam::WalkBeam;

/// A solution of the constructive solver.
pub(crate) struct InitialSolution {
    pub(crate) path: Vec<Slide>,
    /// Whether the solver used lookahead.
    pub(crate) has_lookahead: bool,
    /// The time it took.
    pub(crate) time: Duration,
}

/// The objective and the resources of the passes.
#[derive(Clone, Copy)]
pub(crate) struct NeighborhoodConfig {
    pub(crate) objective: Objective,
    pub(crate) threads: usize,
    /// The approximate time limit.
    pub(crate) time: Option<Duration>,
    /// The maximum number of nodes.
    pub(crate) nodes: Option<u64>,
    /// The maximum number of bytes.
    pub(crate) bytes: Option<u64>,
}

/// Returns the shortest solution found until the watch breaks, or time or nodes are used up. It is never
/// longer than the initial solution.
///
/// Without a time limit, the passes are a fixed list and the result does not depend on the number of
/// threads.
pub(crate) fn large_neighborhood(
    instance: &Instance,
    initial: InitialSolution,
    config: NeighborhoodConfig,
    stats: &mut Stats,
    watch: &mut dyn Watch,
) -> Vec<Slide> {
    let (started, objective) = (Instant::now(), config.objective);
    // A deadline that an `Instant` cannot represent is as good as none.
    let end = config.time.and_then(|time| started.checked_add(time));
    let lookahead_until = latest_start(end, initial.time);
    let path = with_lookahead(instance, initial, lookahead_until, objective, watch);
    let board = WorkingBoard::new(instance);
    // A board without lines is solved by a table, so its solution is optimal already.
    let whole = Rect::whole(instance.dims());
    if path.is_empty() || Line::next(whole, &board, usize::MAX).is_none() {
        return path;
    }
    let length = objective.length(&path);
    let distance = global_phase::total_distance(&board);
    let (n_threads, bytes_per_thread) = threads(config, length);
    let pool = PassPool {
        first_width: pass_pool::first_width(distance, config.time),
        tuning: pass_pool::tuning(distance, config.time),
        pass_end: latest_start(end, started.elapsed()),
        lookahead_until,
        board,
        objective,
        max_nodes: config.nodes,
        bytes_per_thread,
        n_nodes: AtomicU64::new(stats.expanded),
        incumbent: Mutex::new(Incumbent { length, pass: 0, path }),
        next_pass: AtomicUsize::new(0),
    };
    let (path, n_nodes) = pool.run(n_threads, watch);
    stats.expanded = n_nodes;
    path
}

/// The initial solution, or that of the constructive solver with lookahead if it is shorter.
fn with_lookahead(
    instance: &Instance,
    initial: InitialSolution,
    lookahead_until: Option<Instant>,
    objective: Objective,
    watch: &mut dyn Watch,
) -> Vec<Slide> {
    if !initial.has_lookahead
        && let Ok(path) = construct(instance, Routing::Lookahead(lookahead_until), watch)
        && objective.length(&path) < objective.length(&initial.path)
    {
        objective.report(objective.length(&path), watch);
        return path;
    }
    initial.path
}

/// The maximum memory of the paths and the recent boards of all threads together, in bytes, unless the limit is lower.
const MAX_BYTES: u64 = 48 << 20;

/// The memory of a thread for the trees of its beams, of which it has one at a time, if the memory is limited.
const MIN_TREE_BYTES: u64 = 1 << 20;

/// The number of threads for a board whose initial solution has this length, and the memory limit of the trees of each.
fn threads(config: NeighborhoodConfig, length: Cost) -> (usize, Option<u64>) {
    // Each thread stores two paths and the recent boards of its beam.
    let fixed_bytes = 2 * u64::from(length) + WalkBeam::BYTES;
    let n_threads = match config.bytes {
        // With a node limit, the nodes of each pass would depend on the speed of the threads.
        _ if config.nodes.is_some() => 1,
        Some(bytes) => (bytes.min(MAX_BYTES) / (fixed_bytes + MIN_TREE_BYTES)) as usize,
        None => (MAX_BYTES / fixed_bytes) as usize,
    };
    let n_threads = config.threads.min(n_threads.max(1));
    // Half of the memory is left to vectors that grow, and to the allocator.
    let tree_bytes = |bytes: u64| (bytes / n_threads as u64 / 2).saturating_sub(fixed_bytes);
    (n_threads, config.bytes.map(tree_bytes))
}

/// The latest time to start something that takes `duration` and must be finished at `end`.
fn latest_start(end: Option<Instant>, duration: Duration) -> Option<Instant> {
    const SAFETY_FACTOR: f64 = 1.5;
    let end = end?;
    // An `Instant` may not be able to represent times before the start of the program.
    Some(end.checked_sub(duration.mul_f64(SAFETY_FACTOR)).unwrap_or(end))
}
