//! How many boards there are at each distance from a goal: the counts of `npuzzle-tables`, seen from
//! the goal.

use std::num::NonZeroUsize;
use std::path::Path;

use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Board, Metric};
use npuzzle_tables::parallel::n_cores;
use npuzzle_tables::{
    CensusError, CensusFolder, Counted, DiskCensus, FullSpace, MAX_SHARDS, Ranks, count,
    first_of_last_level,
};

use crate::tables::canonical::CanonicalForm;

/// Counts the boards of a size by their distances to a goal.
///
/// ```
/// use npuzzle::teaching::Census;
/// use npuzzle::{Goal, Metric};
/// let goal = Goal::Last.board("3x3".parse()?).expect("a named goal fits every size");
/// let taker = Census::new(goal, Metric::Stm).expect("nine cells fit");
/// let census = taker.count(&mut ());
/// assert_eq!((census.total(), census.counts.len()), (181_440, 32));
/// assert_eq!(census.antipodes[0].slash().to_string(), "8 6 7/2 5 4/3 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Census {
    goal: Board,
    metric: Metric,
    frame: CanonicalForm,
    ranks: Ranks,
    /// On so many threads; as many as the machine has cores unless given.
    pub threads: Option<NonZeroUsize>,
    /// Within so many bytes.
    pub memory: Option<u64>,
    /// Up to this distance, or to the last.
    pub depth: Option<usize>,
    /// How many of the farthest boards are listed.
    pub antipodes: usize,
}

/// How many boards there are at each distance.
///
/// ```
/// use npuzzle::teaching::Census;
/// use npuzzle::Metric;
/// let taker = Census::new("1 2/3 0".parse()?, Metric::Stm).expect("four cells fit");
/// let census = taker.count(&mut ());
/// assert_eq!(census.counts, [1, 2, 2, 2, 2, 2, 1]);
/// assert_eq!((census.total(), census.mean()), (12, 3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CensusResult {
    /// By distance.
    pub counts: Vec<u64>,
    /// Whether these are all boards.
    pub is_whole: bool,
    /// The first of the farthest boards, if all have been counted.
    pub antipodes: Vec<Board>,
    /// The limit that ended it, if one did; the counts are those of the distances before.
    pub stopped: Option<Limit>,
}

impl CensusResult {
    /// How many boards there are.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean of their distances.
    pub fn mean(&self) -> f64 {
        let moves =
            self.counts.iter().zip(0u64..).map(|(&n, depth)| u128::from(n) * u128::from(depth));
        moves.sum::<u128>() as f64 / self.total().max(1) as f64
    }
}

impl Census {
    /// The largest boards.
    pub const MAX_CELLS: usize = Ranks::MAX_CELLS;

    /// Of the boards that reach this goal; `None` if they have more than 16 cells.
    pub fn new(goal: Board, metric: Metric) -> Option<Census> {
        let frame = CanonicalForm::new(&goal)?;
        let ranks = Ranks::new(frame.dims(), frame.blank(), metric)?;
        let (threads, memory, depth) = (None, None, None);
        Some(Census { goal, metric, frame, ranks, threads, memory, depth, antipodes: 10 })
    }

    /// The census that an earlier run has begun in a folder.
    pub fn resume(folder: &CensusFolder) -> Option<Census> {
        let (metric, goal) = folder.about().split_once(' ')?;
        Census::new(goal.parse().ok()?, metric.parse().ok()?)
    }

    /// The goal.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// What counts as a move.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// How many boards there are.
    pub fn n_boards(&self) -> u64 {
        self.ranks.len()
    }

    /// The boards as they are ranked.
    pub fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// The board with this rank.
    pub fn board(&self, rank: u64) -> Option<Board> {
        self.frame.board(&self.ranks.labels(rank)?)
    }

    /// What is counted, in one line, from which it can be [resumed](Census::resume).
    pub fn about(&self) -> String {
        format!("{} {}", self.metric, self.goal.slash())
    }

    /// Bytes that it takes to count in memory, on one thread; `None` if that is not possible.
    pub fn bytes_in_memory(&self) -> Option<u64> {
        // Two copies of a level for the farthest boards.
        let n_copies = if self.antipodes > 0 { 2 } else { 0 };
        let n_bytes = |space: FullSpace| space.build_bytes(1) + n_copies * space.level_bytes();
        self.space().map(|space| n_bytes(space) as u64)
    }

    /// Whether it can be counted in memory within the limit.
    pub fn fits_in_memory(&self) -> bool {
        let fits = |n_bytes| self.memory.is_none_or(|most| n_bytes <= most);
        self.bytes_in_memory().is_some_and(fits)
    }

    fn space(&self) -> Option<FullSpace> {
        FullSpace::new(self.frame.dims(), self.frame.blank(), self.metric)
    }

    fn n_threads(&self) -> usize {
        self.threads.map_or_else(n_cores, NonZeroUsize::get)
    }

    /// Counts in memory. Boards for which that is too small are not counted at all.
    pub fn count(&self, watch: &mut dyn Watch) -> CensusResult {
        let space = self.space().filter(|_| self.fits_in_memory());
        let Some(space) = space else {
            return self.census(Counted {
                counts: vec![],
                is_whole: false,
                stopped: Some(Limit::Memory),
                farthest: vec![],
            });
        };
        let n_threads =
            crate::tables::FullTable::threads_within(space, || self.n_threads(), self.memory);
        self.census(count(space, n_threads.unwrap_or(1), self.depth, self.antipodes, watch))
    }

    /// Counts in the files of a folder, which is made, or must have no census yet.
    pub fn count_in(
        &self,
        path: &Path,
        watch: &mut dyn Watch,
    ) -> Result<CensusResult, CensusError> {
        let n_shards = self.n_threads().min(MAX_SHARDS);
        let mut folder = CensusFolder::create(path, &self.about(), 0..n_shards, n_shards)?;
        self.go_on_in(&mut folder, watch)
    }

    /// Goes on with what a folder has of this census.
    pub fn go_on_in(
        &self,
        folder: &mut CensusFolder,
        watch: &mut dyn Watch,
    ) -> Result<CensusResult, CensusError> {
        let memory = self.memory.unwrap_or(MUCH_MEMORY);
        let mut census = DiskCensus::new(&self.ranks, folder, self.n_threads(), memory)?;
        let stopped = match census.run(self.depth, watch) {
            Ok(()) => None,
            Err(CensusError::Stopped(limit)) => Some(limit),
            Err(error) => return Err(error),
        };
        let is_whole = folder.is_done();
        let mut farthest = Vec::new();
        if is_whole {
            let ranks = first_of_last_level(folder, self.antipodes)?;
            farthest = ranks.into_iter().filter_map(|rank| self.ranks.labels(rank)).collect();
        }
        Ok(self.census(Counted { counts: folder.counts(), is_whole, stopped, farthest }))
    }

    fn census(&self, counted: Counted) -> CensusResult {
        let Counted { counts, is_whole, stopped, farthest } = counted;
        let antipodes = farthest.iter().filter_map(|labels| self.frame.board(labels)).collect();
        CensusResult { counts, is_whole, antipodes, stopped }
    }
}

/// Without a limit, so many bytes at most: more memory makes it hardly faster.
const MUCH_MEMORY: u64 = 4 << 30;
