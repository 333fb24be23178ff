//! How many boards of a size there are at each distance from a goal.
//!
//! Boards of up to 12 cells are searched in memory, with two or three bits for each
//! ([`count`]). Beyond, and whenever somebody asks for it, the boards of a distance are sorted ranks
//! in files ([`disk`]).

pub(crate) mod disk;
pub(crate) mod error;
pub(crate) mod external_sort;
pub(crate) mod folder;
pub(crate) mod member;
pub(crate) mod rank_file;
pub(crate) mod shard;

use std::ops::ControlFlow;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};

use crate::full::{FullSpace, Level};

/// What has been counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// How many boards there are at each distance, as far as that is known.
    pub counts: Vec<u64>,
    /// Whether these are all boards.
    pub is_whole: bool,
    /// The limit that ended it, if one did.
    pub stopped: Option<Limit>,
    /// The first boards at the largest distance, in the order of ranks, as labels by cell; none if
    /// it is not known.
    pub farthest: Vec<Vec<u8>>,
}

/// Levels of no more boards than these are kept until it is known whether another comes.
const FEW: u64 = 1 << 20;

/// Counts the boards of a space in memory, up to a distance if one is given, and lists so many of the
/// farthest.
pub fn count(
    space: FullSpace,
    n_threads: usize,
    most: Option<usize>,
    n_farthest: usize,
    watch: &mut dyn Watch,
) -> Counted {
    let n_boards = space.n_boards() as u64;
    let mut counts: Vec<u64> = Vec::new();
    let mut n_counted = 0;
    let mut last: Option<(usize, Level)> = None;
    let mut ended = Level::each_count(space, n_threads, watch, |n_here, level, watch| {
        let depth = counts.len();
        let is_falling = counts.last().is_none_or(|&before| n_here <= before);
        if n_farthest > 0 && n_here <= FEW && (is_falling || n_boards <= FEW) {
            last = Some((depth, level()));
        }
        counts.push(n_here);
        n_counted += n_here;
        watch.round(depth as Cost, &Stats { expanded: n_counted, ..Stats::default() });
        let is_enough = most.is_some_and(|most| depth >= most);
        Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    let is_whole = n_counted == n_boards;
    let mut farthest = Vec::new();
    if is_whole && n_farthest > 0 && ended.is_ok() {
        let depth = counts.len() - 1;
        let level = match last {
            Some((kept, level)) if kept == depth => Ok(Some(level)),
            // It was too large, or came as a surprise.
            _ => Level::search(space, depth, n_threads, watch),
        };
        match level {
            Ok(level) => farthest = level.map_or(vec![], |level| first_of(&level, n_farthest)),
            Err(limit) => ended = Err(limit),
        }
    }
    Counted { counts, is_whole, stopped: ended.err(), farthest }
}

fn first_of(level: &Level, n: usize) -> Vec<Vec<u8>> {
    (0..level.len().min(n as u64)).filter_map(|number| level.labels(number)).collect()
}
