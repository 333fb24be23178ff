//! A census: the number of boards at each distance from a goal.
//!
//! `npuzzle-tables` counts in canonical form; this module translates goals and boards.

use std::num::NonZeroUsize;
use std::path::Path;

use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Board, Metric};
use npuzzle_tables::parallel::n_cores;
use npuzzle_tables::{
    CensusCounts, CensusError, CensusFolder, DiskCensus, FullSpace, MAX_SHARDS, Ranks, count,
    first_of_last_level,
};

use crate::tables::canonical::CanonicalForm;

/// Counts the boards at each distance from a goal.
///
/// ```
/// use npuzzle::teaching::Census;
/// use npuzzle::{Goal, Metric};
/// let goal = Goal::Last.board("3x3".parse()?).expect("a named goal fits every size");
/// let census = Census::new(goal, Metric::Stm).expect("nine cells fit");
/// let result = census.count(&mut ());
/// assert_eq!((result.total(), result.counts.len()), (181_440, 32));
/// assert_eq!(result.antipodes[0].slash().to_string(), "8 6 7/2 5 4/3 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Census {
    goal: Board,
    metric: Metric,
    canonical: CanonicalForm,
    ranks: Ranks,
    /// The number of threads; by default the number of cores.
    pub threads: Option<NonZeroUsize>,
    /// The memory limit in bytes.
    pub memory: Option<u64>,
    /// The largest distance to count; by default all.
    pub depth: Option<usize>,
    /// The maximum number of farthest boards to list; by default 10.
    pub antipodes: usize,
}

/// The result of a census.
///
/// ```
/// use npuzzle::teaching::Census;
/// use npuzzle::Metric;
/// let census = Census::new("1 2/3 0".parse()?, Metric::Stm).expect("four cells fit");
/// let result = census.count(&mut ());
/// assert_eq!(result.counts, [1, 2, 2, 2, 2, 2, 1]);
/// assert_eq!((result.total(), result.mean()), (12, 3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CensusResult {
    /// The number of boards at each distance.
    pub counts: Vec<u64>,
    /// Whether all boards have been counted.
    pub is_complete: bool,
    /// Boards at the largest distance; empty unless all boards have been counted.
    pub antipodes: Vec<Board>,
    /// The limit that stopped the census, if any. The counts are those of the distances completed
    /// before.
    pub stopped: Option<Limit>,
}

impl CensusResult {
    /// Returns the number of boards counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the mean distance of the boards counted.
    pub fn mean(&self) -> f64 {
        let moves =
            self.counts.iter().zip(0u64..).map(|(&n, depth)| u128::from(n) * u128::from(depth));
        moves.sum::<u128>() as f64 / self.total().max(1) as f64
    }
}

impl Census {
    /// The maximum number of cells of a board.
    pub const MAX_CELLS: usize = Ranks::MAX_CELLS;

    /// Returns a census of the boards that reach `goal`, or `None` if they have more than
    /// [`MAX_CELLS`](Census::MAX_CELLS) cells.
    pub fn new(goal: Board, metric: Metric) -> Option<Census> {
        let canonical = CanonicalForm::new(&goal)?;
        let ranks = Ranks::new(canonical.dims(), canonical.blank(), metric)?;
        let (threads, memory, depth) = (None, None, None);
        Some(Census { goal, metric, canonical, ranks, threads, memory, depth, antipodes: 10 })
    }

    /// Returns the census that an earlier process has started in a folder, with its depth, or `None` if the folder's
    /// description is not that of a census.
    pub fn from_folder(folder: &CensusFolder) -> Option<Census> {
        let (metric, goal) = folder.about().split_once(' ')?;
        let census = Census::new(goal.parse().ok()?, metric.parse().ok()?)?;
        Some(Census { depth: folder.max_depth(), ..census })
    }

    /// Returns the goal.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// Returns the metric of the distances.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the number of boards that reach the goal.
    pub fn n_boards(&self) -> u64 {
        self.ranks.len()
    }

    /// Returns the ranking of the boards.
    pub fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// Returns the board with this rank, or `None` if the rank is too large.
    pub fn board(&self, rank: u64) -> Option<Board> {
        self.canonical.board(&self.ranks.labels(rank)?)
    }

    /// Returns a one-line description of the census, which [`Census::from_folder`] reads.
    pub fn about(&self) -> String {
        format!("{} {}", self.metric, self.goal.slash())
    }

    /// Returns the number of bytes that counting in memory needs on one thread, or `None` if the
    /// boards are too many.
    pub fn bytes_in_memory(&self) -> Option<u64> {
        // The farthest boards need two copies of a level.
        let n_copies = if self.antipodes > 0 { 2 } else { 0 };
        let n_bytes = |space: FullSpace| space.build_bytes(1) + n_copies * space.level_bytes();
        self.space().map(|space| n_bytes(space) as u64)
    }

    /// Returns whether counting in memory stays within the limit.
    pub fn fits_in_memory(&self) -> bool {
        let fits = |n_bytes| self.memory.is_none_or(|max_bytes| n_bytes <= max_bytes);
        self.bytes_in_memory().is_some_and(fits)
    }

    fn space(&self) -> Option<FullSpace> {
        FullSpace::new(self.canonical.dims(), self.canonical.blank(), self.metric)
    }

    fn n_threads(&self) -> usize {
        self.threads.map_or_else(n_cores, NonZeroUsize::get)
    }

    /// Counts in memory. The result is empty and stopped by [`Limit::Memory`] if the boards do not
    /// [fit](Census::fits_in_memory).
    pub fn count(&self, watch: &mut dyn Watch) -> CensusResult {
        let space = self.space().filter(|_| self.fits_in_memory());
        let Some(space) = space else {
            return self.translate(CensusCounts {
                counts: vec![],
                is_complete: false,
                stopped: Some(Limit::Memory),
                farthest: vec![],
            });
        };
        let n_threads =
            crate::tables::FullTable::threads_within(space, || self.n_threads(), self.memory);
        self.translate(count(space, n_threads.unwrap_or(1), self.depth, self.antipodes, watch))
    }

    /// Counts in files of a new folder.
    ///
    /// # Errors
    ///
    /// The folder contains a census, or a file cannot be read or written.
    pub fn count_in(
        &self,
        path: &Path,
        watch: &mut dyn Watch,
    ) -> Result<CensusResult, CensusError> {
        let n_shards = self.n_threads().min(MAX_SHARDS);
        let mut folder = CensusFolder::create(path, &self.about(), 0..n_shards, n_shards)?;
        self.continue_in(&mut folder, watch)
    }

    /// Continues the census of a folder from where it was stopped. The folder records
    /// [`depth`](Census::depth).
    ///
    /// # Errors
    ///
    /// A file cannot be read or written, or is damaged.
    pub fn continue_in(
        &self,
        folder: &mut CensusFolder,
        watch: &mut dyn Watch,
    ) -> Result<CensusResult, CensusError> {
        let memory = self.memory.unwrap_or(DEFAULT_MEMORY);
        folder.set_max_depth(self.depth)?;
        let mut census = DiskCensus::new(&self.ranks, folder, self.n_threads(), memory)?;
        let stopped = match census.run(self.depth, watch) {
            Ok(()) => None,
            Err(CensusError::Stopped(limit)) => Some(limit),
            Err(error) => return Err(error),
        };
        let is_complete = folder.is_done();
        let mut farthest = Vec::new();
        if is_complete {
            let ranks = first_of_last_level(folder, self.antipodes)?;
            farthest = ranks.into_iter().filter_map(|rank| self.ranks.labels(rank)).collect();
        }
        Ok(self.translate(CensusCounts { counts: folder.counts(), is_complete, stopped, farthest }))
    }

    fn translate(&self, counted: CensusCounts) -> CensusResult {
        let CensusCounts { counts, is_complete, stopped, farthest } = counted;
        let antipodes = farthest.iter().filter_map(|labels| self.canonical.board(labels)).collect();
        CensusResult { counts, is_complete, antipodes, stopped }
    }
}

/// The memory that a census on disk uses without a limit, in bytes. More is hardly faster.
const DEFAULT_MEMORY: u64 = 4 << 30;
