//! Tests whether a heuristic is admissible and consistent.
//!
//! A heuristic is *admissible* if it never exceeds the distance to the goal. It is *consistent* if no
//! slide changes it by more than 1.
//!
//! Boards of up to 12 cells are enumerated in order of distance, and every slide between two boards is
//! examined once. Larger boards are sampled. Up to 16 cells the solver finds the distance of each
//! sample; beyond that, samples come from random walks that start at the goal, and the length of the
//! walk is an upper bound on the distance.

mod all_boards;
mod samples;
mod tally;

use std::error::Error;
use std::fmt;

use npuzzle_core::search::{Cost, Heuristic, Limit, Watch};
use npuzzle_core::{Board, Metric, Sliding};

use crate::limits::Clock;
use crate::options::Options;
use crate::plan::PlanError;
use crate::solver::SolveError;
use crate::tables::cache::Tables;
use crate::tables::full::FullTable;
use crate::teaching::heuristic_error::HeuristicError;
use crate::teaching::named_heuristic::NamedHeuristic;

use tally::Tally;

/// The settings of an audit: the goal, the boards to examine, and the limits.
///
/// ```
/// use npuzzle::teaching::{Auditor, BuggyHeuristic};
/// use npuzzle::{Goal, Tables};
/// let goal = Goal::Last.board("3x3".parse()?).expect("a named goal fits every size");
/// let heuristic = BuggyHeuristic::MisplacedWithBlank.into();
/// let audit = Auditor::new(goal).audit(heuristic, &mut Tables::new(), &mut ())?;
/// let first = audit.first_overestimate.expect("it overestimates");
/// assert_eq!((first.estimate, first.distance), (2.0, 1));
/// assert_eq!(first.board.slash().to_string(), "1 2 3/4 5 0/7 8 6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Auditor {
    /// The goal. Its size is the size of the boards.
    pub goal: Board,
    /// The number of boards to sample. `None` examines all boards of up to 12 cells, and
    /// [`N_SAMPLES`](Auditor::N_SAMPLES) larger ones.
    pub samples: Option<u64>,
    /// The seed of the samples.
    pub seed: u64,
    /// Limits and threads.
    pub options: Options,
}

/// The result of an audit.
///
/// An audit that a limit has stopped covers only the boards examined before.
///
/// ```
/// use npuzzle::teaching::{Auditor, NamedHeuristic};
/// use npuzzle::{Goal, Tables};
/// let goal = Goal::Last.board("2x3".parse()?).expect("a named goal fits every size");
/// let heuristic: NamedHeuristic = "manhattan".parse()?;
/// let audit = Auditor::new(goal).audit(heuristic, &mut Tables::new(), &mut ())?;
/// assert!(audit.is_admissible() && audit.is_consistent());
/// assert_eq!(audit.n_boards, 360);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Audit {
    /// Which boards were examined.
    pub scope: AuditScope,
    /// The number of boards examined.
    pub n_boards: u64,
    /// The number of boards whose estimate exceeds the distance.
    pub n_overestimates: u64,
    /// The overestimated board nearest to the goal; ties go to the lexicographically first tiles.
    pub first_overestimate: Option<Overestimate>,
    /// The board whose estimate exceeds the distance by the largest amount.
    pub worst_overestimate: Option<Overestimate>,
    /// The number of slides examined.
    pub n_slides: u64,
    /// The number of slides that change the estimate by more than 1.
    pub n_inconsistencies: u64,
    /// The inconsistent slide whose nearer board is nearest to the goal.
    pub first_inconsistency: Option<Inconsistency>,
    /// The mean estimate.
    pub mean_estimate: f64,
    /// The mean distance; `None` for [`AuditScope::RandomWalks`].
    pub mean_distance: Option<f64>,
    /// The fraction of boards whose estimate equals the distance; `None` for
    /// [`AuditScope::RandomWalks`].
    pub share_exact: Option<f64>,
    /// The limit that stopped the audit, if any.
    pub stopped: Option<Limit>,
}

impl Audit {
    /// Returns whether no board examined is overestimated.
    pub fn is_admissible(&self) -> bool {
        self.n_overestimates == 0
    }

    /// Returns whether no slide examined changes the estimate by more than 1.
    pub fn is_consistent(&self) -> bool {
        self.n_inconsistencies == 0
    }
}

/// The boards that an audit examined.
///
/// ```
/// use npuzzle::teaching::{Auditor, AuditScope, NamedHeuristic};
/// use npuzzle::{Goal, Tables};
/// let goal = Goal::Last.board("2x3".parse()?).expect("a named goal fits every size");
/// let sampler = Auditor { samples: Some(10), ..Auditor::new(goal) };
/// let audit = sampler.audit("walking".parse::<NamedHeuristic>()?, &mut Tables::new(), &mut ())?;
/// assert_eq!((audit.scope, audit.n_boards), (AuditScope::Samples, 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AuditScope {
    /// All boards that can reach the goal.
    AllBoards,
    /// Samples of known distance.
    Samples,
    /// Samples from random walks that start at the goal; only an upper bound on their distance is known.
    RandomWalks,
}

/// A board whose estimate exceeds its distance.
///
/// ```
/// use npuzzle::teaching::{Auditor, NamedHeuristic};
/// use npuzzle::{Goal, Tables};
/// let goal = Goal::Last.board("2x3".parse()?).expect("a named goal fits every size");
/// let heuristic: NamedHeuristic = "manhattan-with-blank".parse()?;
/// let audit = Auditor::new(goal).audit(heuristic, &mut Tables::new(), &mut ())?;
/// let first = audit.first_overestimate.expect("it overestimates");
/// assert_eq!((first.estimate, first.distance), (2.0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Overestimate {
    /// The board.
    pub board: Board,
    /// Its estimate.
    pub estimate: f64,
    /// Its distance; for [`AuditScope::RandomWalks`] an upper bound on it.
    pub distance: Cost,
}

/// A slide that changes the estimate by more than 1.
///
/// ```
/// use npuzzle::teaching::{Auditor, NamedHeuristic};
/// use npuzzle::{Goal, Tables};
/// let goal = Goal::Last.board("2x3".parse()?).expect("a named goal fits every size");
/// let heuristic: NamedHeuristic = "manhattan-with-blank".parse()?;
/// let audit = Auditor::new(goal).audit(heuristic, &mut Tables::new(), &mut ())?;
/// let first = audit.first_inconsistency.expect("a slide moves a tile and the blank");
/// assert_eq!((first.distance, first.estimates), (0, [0.0, 2.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Inconsistency {
    /// The board before the slide. It is the one nearer to the goal if all boards were examined.
    pub from: Board,
    /// The board after the slide.
    pub to: Board,
    /// The estimates of the two boards.
    pub estimates: [f64; 2],
    /// The distance of `from`; for [`AuditScope::RandomWalks`] an upper bound on it.
    pub distance: Cost,
}

/// A function that estimates the distances of a batch of boards.
///
/// It must return one number per board, in the same order. It should poll the [`Watch`] if a batch
/// takes long, and return [`AuditError::Limit`] when the watch asks it to stop.
///
/// ```
/// use npuzzle::teaching::{Auditor, HeuristicFn};
/// use npuzzle::{Board, Goal, Tables, Watch};
/// let goal = Goal::Last.board("2x3".parse()?).expect("a named goal fits every size");
/// let mut zero = |boards: &[Board], _: &mut dyn Watch| Ok(vec![0.0; boards.len()]);
/// let heuristic: HeuristicFn<'_> = &mut zero;
/// assert!(Auditor::new(goal).audit_with(heuristic, &mut Tables::new(), &mut ())?.is_admissible());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type HeuristicFn<'a> =
    &'a mut dyn FnMut(&[Board], &mut dyn Watch) -> Result<Vec<f64>, AuditError>;

impl Auditor {
    /// The default number of samples of boards with more than 12 cells.
    pub const N_SAMPLES: u64 = 500;

    /// The number of cells in a batch for a [`HeuristicFn`]. Batches are large because the function
    /// may start a process for each; boards of 127×127 cells still fit in memory.
    const LARGE_BATCH: usize = 1 << 22;

    /// The number of cells in a batch for a heuristic of this library. The clock is read after each.
    const SMALL_BATCH: usize = 1 << 16;

    /// Returns an auditor with the default settings.
    pub fn new(goal: Board) -> Auditor {
        Auditor { goal, samples: None, seed: 0, options: Options::default() }
    }

    /// Audits a heuristic of this library.
    ///
    /// `tables` receives the tables that the heuristic and the distances of samples need. If `watch`
    /// or a limit of the options stops the audit, the result says so.
    ///
    /// # Errors
    ///
    /// The heuristic is not available for boards of this size, or the options do not allow samples to
    /// be solved.
    pub fn audit(
        &self,
        heuristic: NamedHeuristic,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Audit, AuditError> {
        let mut clock = Clock::start(self.options.limits.time, watch);
        let resources = self.options.resources();
        let heuristic = match heuristic.build(&self.goal, tables, resources, &mut clock) {
            Ok(heuristic) => heuristic,
            Err(HeuristicError::Limit(limit)) => {
                let nothing = Tally::new(self.goal.dims());
                return Ok(nothing.into_audit(AuditScope::AllBoards, Some(limit)));
            }
            Err(HeuristicError::Plan(error)) => return Err(AuditError::Plan(error)),
            Err(HeuristicError::Internal { reason }) => {
                return Err(AuditError::Solve(SolveError::Internal { reason }));
            }
        };
        if let (Some(space), None) = (FullTable::space(&self.goal, Metric::Stm), self.samples) {
            return Ok(all_boards::audit(self, space, &heuristic, &mut clock));
        }
        let mut estimates = |boards: &[Board], _: &mut dyn Watch| {
            let estimate = |board: &Board| {
                let memo = Heuristic::<Sliding<Board>>::eval(&heuristic, board);
                f64::from(Heuristic::<Sliding<Board>>::value(&heuristic, &memo))
            };
            Ok(boards.iter().map(estimate).collect())
        };
        samples::audit(self, Auditor::SMALL_BATCH, &mut estimates, tables, &mut clock)
    }

    /// Audits a heuristic given as a function, which is called with batches of boards.
    ///
    /// # Errors
    ///
    /// The function fails or returns a wrong number of estimates, or the options do not allow samples
    /// to be solved.
    pub fn audit_with(
        &self,
        heuristic: HeuristicFn<'_>,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Audit, AuditError> {
        let mut clock = Clock::start(self.options.limits.time, watch);
        let mut counted = |boards: &[Board], watch: &mut dyn Watch| {
            let estimates = heuristic(boards, watch)?;
            let (n_boards, n_estimates) = (boards.len(), estimates.len());
            if n_boards == n_estimates {
                Ok(estimates)
            } else {
                Err(AuditError::WrongCount { n_boards, n_estimates })
            }
        };
        match FullTable::space(&self.goal, Metric::Stm) {
            Some(space) if self.samples.is_none() => {
                all_boards::audit_with(self, space, &mut counted, &mut clock)
            }
            _ => samples::audit(self, Auditor::LARGE_BATCH, &mut counted, tables, &mut clock),
        }
    }
}

/// Why an audit has no result.
///
/// ```
/// use npuzzle::search::PlanError;
/// use npuzzle::teaching::{AuditError, Auditor, NamedHeuristic};
/// use npuzzle::{Goal, Tables};
/// let goal = Goal::Last.board("6x6".parse()?).expect("a named goal fits every size");
/// let refused = Auditor::new(goal).audit("walking".parse::<NamedHeuristic>()?, &mut Tables::new(), &mut ());
/// assert!(matches!(refused, Err(AuditError::Plan(PlanError::NoWalking))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum AuditError {
    /// The heuristic is not available for boards of this size.
    Plan(PlanError),
    /// The distance of a sample could not be found.
    Solve(SolveError),
    /// A [`HeuristicFn`] returned a wrong number of estimates.
    WrongCount {
        /// The number of boards in the batch.
        n_boards: usize,
        /// The number of estimates returned.
        n_estimates: usize,
    },
    /// A limit stopped a [`HeuristicFn`].
    Limit(Limit),
    /// A [`HeuristicFn`] failed.
    Heuristic(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditError::Plan(error) => error.fmt(f),
            AuditError::Solve(error) => error.fmt(f),
            AuditError::WrongCount { n_boards, n_estimates } => write!(
                f,
                "{n_estimates} estimates for {n_boards} boards: one number per board is needed"
            ),
            AuditError::Limit(limit) => write!(f, "limit reached: {limit}"),
            AuditError::Heuristic(error) => error.fmt(f),
        }
    }
}

impl Error for AuditError {}

impl From<Limit> for AuditError {
    fn from(limit: Limit) -> AuditError {
        AuditError::Limit(limit)
    }
}
