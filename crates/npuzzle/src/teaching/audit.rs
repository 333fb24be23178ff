//! Is a heuristic admissible and consistent?
//!
//! *Admissible*: it is never more than the distance. *Consistent*: along a slide it changes by 1 at
//! most, so what is known of a state never grows less on the way. Boards of up to 12 cells are looked
//! at one and all, level by level from the goal on; every slide between two of them is looked at
//! once. Of larger boards samples are: their distances are searched for on up to 16 cells, and
//! beyond, the length of a walk from the goal stands for them, which they do not exceed.

mod tally;
mod whole;

use std::error::Error;
use std::fmt;

use npuzzle_core::search::{Cost, Heuristic, Limit, Stats, Watch};
use npuzzle_core::{Board, Metric, Packed, Random, Sliding};

use crate::limits::Clock;
use crate::options::Options;
use crate::plan::PlanError;
use crate::report::Answer;
use crate::solver::SolveError;
use crate::tables::cache::Tables;
use crate::tables::full::FullTable;
use crate::teaching::named_heuristic::NamedHeuristic;

use tally::Tally;

/// What is looked at.
///
/// ```
/// use npuzzle::teaching::{Auditor, BuggyHeuristic};
/// use npuzzle::{Goal, Tables};
/// let goal = Goal::Last.board("3x3".parse()?).expect("a named goal fits every size");
/// let suspect = BuggyHeuristic::MisplacedWithBlank.into();
/// let audit = Auditor::new(goal).audit(suspect, &mut Tables::new(), &mut ())?;
/// let least = audit.overestimate.expect("it overestimates");
/// assert_eq!((least.estimate, least.distance), (2.0, 1));
/// assert_eq!(least.board.slash().to_string(), "1 2 3/4 5 0/7 8 6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Auditor {
    /// The goal, which is of the size of the boards.
    pub goal: Board,
    /// So many boards instead of all of them; for boards of more than 12 cells
    /// [a number](Auditor::N_SAMPLES) unless given.
    pub samples: Option<u64>,
    /// Which samples.
    pub seed: u64,
    /// Limits and threads.
    pub options: Options,
}

/// What has been found out about a heuristic.
///
/// ```
/// use npuzzle::teaching::{Auditor, NamedHeuristic};
/// use npuzzle::{Goal, Tables};
/// let goal = Goal::Last.board("2x3".parse()?).expect("a named goal fits every size");
/// let suspect: NamedHeuristic = "manhattan".parse()?;
/// let audit = Auditor::new(goal).audit(suspect, &mut Tables::new(), &mut ())?;
/// assert!(audit.is_admissible() && audit.is_consistent());
/// assert_eq!(audit.n_boards, 360);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Audit {
    /// Which boards were looked at.
    pub scope: Scope,
    /// How many.
    pub n_boards: u64,
    /// How many of them have an estimate that is too large.
    pub n_overestimates: u64,
    /// The first of those: nearest to the goal, and of these the one whose tiles come first.
    pub overestimate: Option<Overestimate>,
    /// The one whose estimate is too large by most.
    pub worst: Option<Overestimate>,
    /// How many slides were looked at.
    pub n_slides: u64,
    /// Along how many of them the estimate changes by more than 1.
    pub n_jumps: u64,
    /// The first of those: its nearer board is nearest to the goal.
    pub jump: Option<Inconsistency>,
    /// The mean of the estimates.
    pub mean_estimate: f64,
    /// The mean of the distances, where they are known.
    pub mean_distance: Option<f64>,
    /// The share of boards with an estimate that is the distance, where that is known.
    pub share_exact: Option<f64>,
    /// The limit that ended it, if one did; all of the above holds for the boards before that.
    pub stopped: Option<Limit>,
}

impl Audit {
    /// Whether no estimate was too large.
    pub fn is_admissible(&self) -> bool {
        self.n_overestimates == 0
    }

    /// Whether no slide changed the estimate by more than 1, and the goal's is 0.
    pub fn is_consistent(&self) -> bool {
        self.n_jumps == 0
    }
}

/// Which boards were looked at.
///
/// ```
/// use npuzzle::teaching::{Auditor, Scope, NamedHeuristic};
/// use npuzzle::{Goal, Tables};
/// let goal = Goal::Last.board("2x3".parse()?).expect("a named goal fits every size");
/// let some = Auditor { samples: Some(10), ..Auditor::new(goal) };
/// let audit = some.audit("walking".parse::<NamedHeuristic>()?, &mut Tables::new(), &mut ())?;
/// assert_eq!((audit.scope, audit.n_boards), (Scope::Samples, 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// All that can reach the goal.
    Whole,
    /// Samples with their distances.
    Samples,
    /// Samples on walks from the goal, whose distances are not known but for an upper bound.
    Walks,
}

/// A board with an estimate that is too large.
///
/// ```
/// use npuzzle::teaching::{Auditor, NamedHeuristic};
/// use npuzzle::{Goal, Tables};
/// let goal = Goal::Last.board("2x3".parse()?).expect("a named goal fits every size");
/// let suspect: NamedHeuristic = "manhattan-with-blank".parse()?;
/// let audit = Auditor::new(goal).audit(suspect, &mut Tables::new(), &mut ())?;
/// let least = audit.overestimate.expect("it overestimates");
/// assert_eq!((least.estimate, least.distance), (2.0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Overestimate {
    /// The board.
    pub board: Board,
    /// Its estimate.
    pub estimate: f64,
    /// Its distance; for [walks](Scope::Walks) no more than that.
    pub distance: Cost,
}

/// A slide along which the estimate changes by more than 1.
///
/// ```
/// use npuzzle::teaching::{Auditor, NamedHeuristic};
/// use npuzzle::{Goal, Tables};
/// let goal = Goal::Last.board("2x3".parse()?).expect("a named goal fits every size");
/// let suspect: NamedHeuristic = "manhattan-with-blank".parse()?;
/// let audit = Auditor::new(goal).audit(suspect, &mut Tables::new(), &mut ())?;
/// let jump = audit.jump.expect("a slide moves two things that it counts");
/// assert_eq!((jump.distance, jump.estimates), (0, [0.0, 2.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Inconsistency {
    /// The board that was looked at, the nearer one to the goal if all were.
    pub from: Board,
    /// The board after the slide.
    pub to: Board,
    /// Their estimates.
    pub estimates: [f64; 2],
    /// The distance of the first; for [walks](Scope::Walks) no more than that.
    pub distance: Cost,
}

/// Says what it estimates of these boards, one number for each.
///
/// ```
/// use npuzzle::teaching::{Auditor, Estimates};
/// use npuzzle::{Board, Goal, Tables, Watch};
/// let goal = Goal::Last.board("2x3".parse()?).expect("a named goal fits every size");
/// let mut zero = |boards: &[Board], _: &mut dyn Watch| Ok(vec![0.0; boards.len()]);
/// let estimates: Estimates<'_> = &mut zero;
/// assert!(Auditor::new(goal).audit_with(estimates, &mut Tables::new(), &mut ())?.is_admissible());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Estimates<'a> =
    &'a mut dyn FnMut(&[Board], &mut dyn Watch) -> Result<Vec<f64>, AuditError>;

impl Auditor {
    /// How many boards are looked at if there are too many for all.
    pub const N_SAMPLES: u64 = 500;

    /// Cells of the boards that somebody else is asked about together: many, since a program may be
    /// started for them, but boards of 127×127 must not fill the memory.
    pub(crate) const BATCH: usize = 1 << 22;

    /// The same for heuristics of ours, after which the clock is looked at.
    const SMALL_BATCH: usize = 1 << 16;

    /// All boards of this goal, or samples of them if they are too many.
    pub fn new(goal: Board) -> Auditor {
        Auditor { goal, samples: None, seed: 0, options: Options::default() }
    }

    /// Looks at a heuristic by name.
    pub fn audit(
        &self,
        suspect: NamedHeuristic,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Audit, AuditError> {
        suspect.fits(self.goal.dims()).map_err(AuditError::Plan)?;
        let mut clock = Clock::start(self.options.limits.time, watch);
        let heuristic =
            match suspect.heuristic(&self.goal, tables, self.options.resources(), &mut clock) {
                Ok(heuristic) => heuristic,
                Err(limit) => return Ok(self.nothing_but(limit)),
            };
        if let (Some(space), None) = (FullTable::space(&self.goal, Metric::Stm), self.samples) {
            return Ok(whole::audit(self, space, &heuristic, &mut clock));
        }
        let mut estimates = |boards: &[Board], _: &mut dyn Watch| {
            let estimate = |board: &Board| {
                let memo = Heuristic::<Sliding<Board>>::eval(&heuristic, board);
                f64::from(Heuristic::<Sliding<Board>>::value(&heuristic, &memo))
            };
            Ok(boards.iter().map(estimate).collect())
        };
        self.audit_samples(Auditor::SMALL_BATCH, &mut estimates, tables, &mut clock)
    }

    /// Looks at estimates that somebody else makes. They are asked for in batches.
    pub fn audit_with(
        &self,
        estimates: Estimates<'_>,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Audit, AuditError> {
        let mut clock = Clock::start(self.options.limits.time, watch);
        let mut checked = |boards: &[Board], watch: &mut dyn Watch| {
            let found = estimates(boards, watch)?;
            if found.len() == boards.len() {
                Ok(found)
            } else {
                Err(AuditError::Count { asked: boards.len(), found: found.len() })
            }
        };
        match FullTable::space(&self.goal, Metric::Stm) {
            Some(space) if self.samples.is_none() => {
                whole::audit_with(self, space, &mut checked, &mut clock)
            }
            _ => self.audit_samples(Auditor::BATCH, &mut checked, tables, &mut clock),
        }
    }

    fn nothing_but(&self, limit: Limit) -> Audit {
        Tally::<Board>::default().into_audit(self, Scope::Whole, Some(limit))
    }

    fn audit_samples(
        &self,
        batch_cells: usize,
        estimates: Estimates<'_>,
        tables: &mut Tables,
        clock: &mut Clock<'_>,
    ) -> Result<Audit, AuditError> {
        let n_samples = self.samples.unwrap_or(Auditor::N_SAMPLES);
        let has_distances = self.goal.dims().cells() <= Packed::MAX_CELLS;
        let scope = if has_distances { Scope::Samples } else { Scope::Walks };
        let mut random = Random::new(self.seed);
        let mut tally = Tally::default();
        // Neighbours are asked about too.
        let n_together = (batch_cells / (5 * self.goal.dims().cells())).max(1);
        let mut n_left = n_samples;
        let mut stopped = None;
        while n_left > 0 && stopped.is_none() {
            let mut batch = Vec::new();
            while n_left > 0 && batch.len() < n_together {
                let share = 1.0 - n_left as f64 / n_samples as f64;
                stopped = clock.building(share).break_value();
                if stopped.is_some() {
                    break;
                }
                if has_distances {
                    match self.sample(n_left, &mut random, tables, clock)? {
                        Ok(sample) => batch.push(sample),
                        Err(limit) => stopped = Some(limit),
                    }
                    n_left -= 1;
                } else {
                    let n_boards = n_left.min(100);
                    let mut walk = Vec::new();
                    let _ = random.walk_through(&self.goal, n_boards as usize - 1, |board| {
                        walk.push((board.clone(), walk.len() as Cost));
                    });
                    batch.append(&mut walk);
                    n_left -= n_boards;
                }
                if stopped.is_some() {
                    break;
                }
            }
            // A walk may be longer.
            for some in batch.chunks(n_together) {
                match self.look_at(some, estimates, &mut tally, clock) {
                    Err(AuditError::Limit(limit)) => {
                        stopped = Some(limit);
                        break;
                    }
                    looked_at => looked_at?,
                }
            }
        }
        Ok(tally.into_audit(self, scope, stopped))
    }

    /// A board with its distance: any of all boards, or one that is not far, in turn.
    fn sample(
        &self,
        number: u64,
        random: &mut Random,
        tables: &mut Tables,
        clock: &mut Clock<'_>,
    ) -> Result<Result<(Board, Cost), Limit>, AuditError> {
        let mut instance = random.instance(&self.goal, true);
        if number.is_multiple_of(2) {
            let n_slides = random.below(4 * self.goal.dims().cells() as u64) as usize;
            let start = random.walk(&self.goal, n_slides);
            let goal = npuzzle_core::Goal::Board(self.goal.clone());
            instance = match npuzzle_core::Instance::new(start, &goal) {
                Ok(instance) => instance,
                Err(error) => unreachable!("both are of one size: {error}"),
            };
        }
        let report =
            self.options.solve_with(&instance, tables, clock).map_err(AuditError::Solve)?;
        Ok(match report.answer {
            Answer::Solved(moves) => Ok((instance.start().clone(), moves.stm() as Cost)),
            Answer::Stopped(limit) => Err(limit),
            Answer::Unsolvable => unreachable!("it was made to be solvable"),
        })
    }

    /// Looks at boards whose distances are given, and at all slides from them.
    fn look_at(
        &self,
        samples: &[(Board, Cost)],
        estimates: Estimates<'_>,
        tally: &mut Tally<Board>,
        clock: &mut Clock<'_>,
    ) -> Result<(), AuditError> {
        if samples.is_empty() {
            return Ok(());
        }
        let with_neighbours = |(board, _): &(Board, Cost)| {
            [vec![board.clone()], board.neighbors().collect()].concat()
        };
        let boards: Vec<Board> = samples.iter().flat_map(with_neighbours).collect();
        let found = estimates(&boards, clock)?;
        let mut found = boards.iter().zip(found);
        for (board, distance) in samples {
            let Some((_, estimate)) = found.next() else { break };
            tally.see(board, estimate, *distance);
            for (neighbour, other) in found.by_ref().take(board.slides().count()) {
                tally.see_slide([board, neighbour], [estimate, other], *distance);
            }
        }
        let poll = clock.poll(&Stats { expanded: tally.n_boards, ..Stats::default() });
        poll.break_value().map_or(Ok(()), |limit| Err(AuditError::Limit(limit)))
    }
}

/// Why there is no audit.
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
    /// There is no such heuristic for boards of this size.
    Plan(PlanError),
    /// The distance of a sample could not be found.
    Solve(SolveError),
    /// There were more or fewer estimates than boards.
    Count {
        /// How many boards there were.
        asked: usize,
        /// How many estimates.
        found: usize,
    },
    /// Whoever makes the estimates has reached a limit.
    Limit(Limit),
    /// Whoever makes the estimates has failed.
    Estimates(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditError::Plan(error) => error.fmt(f),
            AuditError::Solve(error) => error.fmt(f),
            AuditError::Count { asked, found } => {
                write!(f, "{found} estimates for {asked} boards: one number per board is needed")
            }
            AuditError::Limit(limit) => write!(f, "the limit was reached: {limit}"),
            AuditError::Estimates(error) => error.fmt(f),
        }
    }
}

impl Error for AuditError {}
