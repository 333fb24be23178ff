//! Time limits and cancellation.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use npuzzle_core::search::{Cost, Limit, Stats, Watch};

use crate::report::Round;

/// Stops a search from another thread, or from a signal handler. Clones stop together.
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
    /// Not cancelled.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Asks every search that watches this to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Cancelled when somebody else raises the flag, as a handler of signals does that knows nothing else.
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

/// Adds a time limit to a watch, and keeps the times of a search.
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
    inner: &'a mut dyn Watch,
    last: (Instant, Stats),
    pub(crate) rounds: Vec<Round>,
}

impl<'a> Clock<'a> {
    /// Starts the clock; without a limit it never stops a search by itself.
    pub fn start(limit: Option<Duration>, inner: &'a mut dyn Watch) -> Clock<'a> {
        let started = Instant::now();
        Clock { started, limit, inner, last: (started, Stats::default()), rounds: Vec::new() }
    }

    /// How long it has been running.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// How much of the time is left, if there is a limit.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        Some(self.limit?.saturating_sub(self.elapsed()))
    }

    fn in_time(&self) -> ControlFlow<Limit> {
        if self.limit.is_some_and(|limit| self.elapsed() >= limit) {
            ControlFlow::Break(Limit::Time)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// The figures since the last round, as a round with this bound.
    pub(crate) fn close_round(&mut self, bound: Cost, stats: &Stats) {
        let now = Instant::now();
        let (before, counted) = std::mem::replace(&mut self.last, (now, *stats));
        self.rounds.push(Round {
            bound,
            // Of another search, if the clock is of several.
            expanded: stats.expanded.saturating_sub(counted.expanded),
            generated: stats.generated.saturating_sub(counted.generated),
            time: now - before,
        });
    }
}

impl Watch for Clock<'_> {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        self.close_round(bound, stats);
        self.inner.round(bound, stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.in_time()?;
        self.inner.poll(stats)
    }

    fn better(&mut self, length: Cost, lower_bound: Cost) {
        self.inner.better(length, lower_bound);
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.in_time()?;
        self.inner.building(share)
    }
}
