//! The limits of a search: time, cancellation, threads and budget.

use npuzzle_tables::clock::Instant;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use npuzzle_core::search::{Budget, Cost, Limit, Stats, Watch};

use crate::options::Options;

/// The threads, memory and nodes that a search may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resources {
    pub(crate) budget: Budget,
    /// At least one.
    pub(crate) threads: usize,
    /// Iterative deepening pauses after a round that took longer.
    pub(crate) max_round_time: Option<Duration>,
}

impl Resources {
    /// Whether this many bytes are within the memory limit.
    pub(crate) fn has_memory(&self, n_bytes: usize) -> bool {
        self.budget.has_memory(n_bytes as u64)
    }
}

impl Options {
    /// The resources that the options allow. The number of cores is read from the system, which takes longer
    /// than solving an 8-puzzle.
    pub(crate) fn resources(&self) -> Resources {
        let threads = npuzzle_tables::parallel::n_threads(self.threads);
        Resources { budget: self.budget(), threads, max_round_time: None }
    }
}

/// One round of iterative deepening.
///
/// ```
/// let report = npuzzle::solve("7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?)?;
/// assert_eq!(report.rounds.last().map(|round| round.bound), Some(43));
/// assert_eq!(report.rounds.iter().map(|round| round.expanded).sum::<u64>(), report.stats.expanded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// The largest `f` that was searched.
    pub bound: Cost,
    /// States expanded in this round.
    pub expanded: u64,
    /// States generated in this round.
    pub generated: u64,
    /// The duration of the round.
    pub time: Duration,
}

/// Cancels a search from another thread or a signal handler. Clones share one flag.
///
/// ```
/// use npuzzle::{Answer, Cancel, Limit, Options, Tables};
/// let cancel = Cancel::new();
/// cancel.cancel(); // usually from elsewhere, later
/// let hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse()?;
/// let report = Options::default().solve_with(&hard, &mut Tables::new(), &mut cancel.clone())?;
/// assert!(matches!(report.answer, Answer::Stopped(Limit::Interrupted)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not set.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Stops every search that polls this value.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A cancellation whose flag is shared, for example with a signal handler.
impl From<Arc<AtomicBool>> for Cancel {
    fn from(flag: Arc<AtomicBool>) -> Cancel {
        Cancel(flag)
    }
}

impl Watch for Cancel {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        if self.is_cancelled() {
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// A watch with a time limit, which also records the rounds of a search.
///
/// ```
/// use npuzzle::search::{idastar, Limit, Outcome, Budget};
/// use npuzzle::search::{heuristic::Manhattan, Clock, Packed, Sliding};
/// use npuzzle::Instance;
/// let hard: Instance = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse()?;
/// let problem = Sliding::<Packed>::new(&hard).expect("16 cells fit");
/// let h = Manhattan::new(hard.goal());
/// let mut nobody = ();
/// let mut clock = Clock::start(Some(std::time::Duration::from_millis(20)), &mut nobody);
/// let report = idastar(&problem, &h, Budget::NONE, &mut clock);
/// assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Time, .. }));
/// # Ok::<(), npuzzle::FormatError>(())
/// ```
pub struct Clock<'a> {
    started: Instant,
    limit: Option<Duration>,
    /// The part of the limit that the search must leave to its caller.
    reserved: Duration,
    inner: &'a mut dyn Watch,
    last: (Instant, Stats),
    pub(crate) rounds: Vec<Round>,
}

impl<'a> Clock<'a> {
    /// Starts the clock. Without a limit only the inner watch stops a search.
    pub fn start(limit: Option<Duration>, inner: &'a mut dyn Watch) -> Clock<'a> {
        let started = Instant::now();
        let last = (started, Stats::default());
        Clock { started, limit, reserved: Duration::ZERO, inner, last, rounds: Vec::new() }
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time left until the limit, if there is one.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        Some(self.limit?.saturating_sub(self.reserved + self.elapsed()))
    }

    /// Reserves a part of the time limit: the search stops earlier by this much.
    pub(crate) fn reserve(&mut self, time: Duration) {
        self.reserved = time;
    }

    fn check_time(&self) -> ControlFlow<Limit> {
        if self.limit.is_some_and(|limit| self.reserved + self.elapsed() >= limit) {
            ControlFlow::Break(Limit::Time)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Records the counts since the last round as a round with this bound.
    pub(crate) fn close_round(&mut self, bound: Cost, stats: &Stats) {
        let now = Instant::now();
        let (before, counted) = std::mem::replace(&mut self.last, (now, *stats));
        self.rounds.push(Round {
            bound,
            // The counters start again where one clock serves several searches.
            expanded: stats.expanded.saturating_sub(counted.expanded),
            generated: stats.generated.saturating_sub(counted.generated),
            time: now - before,
        });
    }
}

impl Watch for Clock<'_> {
    fn planned(
        &mut self,
        algorithm: &dyn fmt::Display,
        heuristic: Option<&dyn fmt::Display>,
        reason: &str,
    ) {
        self.inner.planned(algorithm, heuristic, reason);
    }

    fn round(&mut self, bound: Cost, stats: &Stats) {
        self.close_round(bound, stats);
        self.inner.round(bound, stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.check_time()?;
        self.inner.poll(stats)
    }

    fn improved(&mut self, length: Cost, lower_bound: Cost) {
        self.inner.improved(length, lower_bound);
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.check_time()?;
        self.inner.building(share)
    }
}
