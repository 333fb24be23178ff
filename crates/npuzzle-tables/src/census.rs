//! The number of boards at each distance from a goal.
//!
//! Boards of up to 12 cells are counted in memory, with two or three bits for each board ([`count`]).
//! For larger boards, and on request, a breadth-first search on disk keeps the boards of each distance
//! as sorted ranks in files ([`disk`]). Duplicates are removed by sorting and merging (Munagala and Ranade
//! 1999; Korf 2004). Korf and Schultze (2005) were the first to search all boards of 4×4.

pub(crate) mod disk;
pub(crate) mod error;
pub(crate) mod external_sort;
pub(crate) mod folder;
pub(crate) mod rank_file;
pub(crate) mod shard_census;
pub(crate) mod shards;

use std::ops::ControlFlow;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};

use crate::full::{FullSpace, Level};

/// The result of a census.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CensusCounts {
    /// The number of boards at each distance, as far as it is known.
    pub counts: Vec<u64>,
    /// Whether all boards were counted.
    pub is_complete: bool,
    /// The limit that stopped the census.
    pub stopped: Option<Limit>,
    /// The first boards at the largest distance in the order of ranks, as labels by cell. Empty if the
    /// largest distance is not known.
    pub farthest: Vec<Vec<u8>>,
}

/// The maximum size of a level that is kept until it is known whether it is the last one.
const MAX_KEPT: u64 = 1 << 20;

/// Counts the boards of a space in memory, up to a distance if one is given, and lists the first
/// `n_farthest` boards at the largest distance.
pub fn count(
    space: FullSpace,
    n_threads: usize,
    max_distance: Option<usize>,
    n_farthest: usize,
    watch: &mut dyn Watch,
) -> CensusCounts {
    let n_boards = space.n_boards() as u64;
    let mut counts: Vec<u64> = Vec::new();
    let mut n_counted = 0;
    let mut last: Option<(usize, Level)> = None;
    let mut ended = Level::each_count(space, n_threads, watch, |n_here, level, watch| {
        let distance = counts.len();
        let is_falling = counts.last().is_none_or(|&before| n_here <= before);
        if n_farthest > 0 && n_here <= MAX_KEPT && (is_falling || n_boards <= MAX_KEPT) {
            last = Some((distance, level()));
        }
        counts.push(n_here);
        n_counted += n_here;
        watch.round(distance as Cost, &Stats { expanded: n_counted, ..Stats::default() });
        let is_enough = max_distance.is_some_and(|max| distance >= max);
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let is_complete = n_counted == n_boards;
    let mut farthest = Vec::new();
    if is_complete && n_farthest > 0 && ended.is_ok() {
        let distance = counts.len() - 1;
        let level = match last {
            Some((kept, level)) if kept == distance => Ok(Some(level)),
            // It was too large, or larger than the level before.
            _ => Level::search(space, distance, n_threads, watch),
        };
        match level {
            Ok(level) => farthest = level.map_or(vec![], |level| first_boards(&level, n_farthest)),
            Err(limit) => ended = Err(limit),
        }
    }
    CensusCounts { counts, is_complete, stopped: ended.err(), farthest }
}

fn first_boards(level: &Level, n: usize) -> Vec<Vec<u8>> {
    (0..level.len().min(n as u64)).filter_map(|number| level.labels(number)).collect()
}
