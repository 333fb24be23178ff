//! From an instance to a report: plan, execute, replay.

pub(crate) mod distributed;
mod error;
mod incumbent;
mod proof;

use std::cell::RefCell;

use npuzzle_core::search::{Cost, Outcome, Watch};
use npuzzle_core::{Instance, Moves, Slide};

use crate::all_optimal::{self, Count, CountRequest, OptimalSolutions, PathCount};
use crate::dispatch;
use crate::engine::ida::journal::Journal;
use crate::engine::result::{EngineResult, InternalError};
use crate::engine::solve_context::SolveContext;
use crate::engine::upper_bound::{KnownSolution, UpperBound};
use crate::limits::Clock;
use crate::options::Options;
use crate::plan::{Engine, Plan, PlanError, plan_with};
use crate::report::{Answer, Report};
use crate::tables::cache::{Availability, Tables};

use incumbent::Incumbent;

pub use error::SolveError;

/// Solves a board with default options. Boards of up to 16 cells get a proved shortest solution, within a
/// minute and 2 GiB; larger ones get the best solution found in about two seconds, with a lower bound.
///
/// See the [crate's page](crate) for examples.
///
/// ```
/// let report = npuzzle::solve("8 1 3/4 0 2/7 6 5".parse()?)?;
/// assert_eq!(report.moves().map(|moves| moves.stm()), Some(14));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(instance: Instance) -> Result<Report, SolveError> {
    Options::default().solve(&instance)
}

/// A reusable solver: options, and the tables of earlier boards.
///
/// ```
/// use npuzzle::{Algorithm, Options, Solver};
/// let mut solver = Solver::new(Options::default().with_algorithm(Algorithm::Ida));
/// for board in ["7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4", "1 2 3 4/5 6 7 8/9 10 0 12/13 14 11 15"] {
///     let report = solver.solve(&board.parse()?)?;
///     println!("{report}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Solver {
    /// How to solve.
    pub options: Options,
    /// The tables of earlier boards, and the store.
    pub tables: Tables,
}

impl Solver {
    /// A solver without tables.
    pub fn new(options: Options) -> Solver {
        Solver { options, tables: Tables::new() }
    }

    /// The solver with other tables, for example with a store on disk.
    ///
    /// ```
    /// use npuzzle::tables::Store;
    /// use npuzzle::{Options, Solver, Tables};
    /// let store = Store::none(); // or Store::default_folder()
    /// let mut solver = Solver::new(Options::default()).with_tables(Tables::with_store(store));
    /// assert_eq!(solver.solve(&"1 2 3/4 0 5/7 8 6".parse()?)?.upper_bound(), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_tables(self, tables: Tables) -> Solver {
        Solver { tables, ..self }
    }

    /// Solves a board.
    pub fn solve(&mut self, instance: &Instance) -> Result<Report, SolveError> {
        self.solve_watched(instance, &mut ())
    }

    /// Solves a board under a watch, which receives progress and may stop the search.
    ///
    /// ```
    /// use npuzzle::{Cancel, Limit, Solver};
    /// let cancel = Cancel::new();
    /// cancel.cancel(); // usually from another thread, later
    /// let hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse()?;
    /// let report = Solver::default().solve_watched(&hard, &mut cancel.clone())?;
    /// assert_eq!(report.stopped_by(), Some(Limit::Interrupted));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_watched(
        &mut self,
        instance: &Instance,
        watch: &mut dyn Watch,
    ) -> Result<Report, SolveError> {
        self.options.solve_with(instance, &mut self.tables, watch)
    }
}

impl Options {
    /// Solves a board. The tables are kept for the next board on the same thread.
    ///
    /// ```
    /// use npuzzle::Options;
    /// let report = Options::default().solve(&"1 2 3/4 0 5/7 8 6".parse()?)?;
    /// assert_eq!(report.upper_bound(), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(&self, instance: &Instance) -> Result<Report, SolveError> {
        thread_local! {
            static TABLES: RefCell<Tables> = RefCell::default();
        }
        TABLES.with_borrow_mut(|tables| self.solve_with(instance, tables, &mut ()))
    }

    /// Solves a board with tables of the caller, under a watch that receives progress and may stop the
    /// search. [`Solver`] keeps options and tables together.
    ///
    /// ```
    /// use npuzzle::{Options, Tables};
    /// let mut tables = Tables::new();
    /// for board in ["1 2 3/4 0 5/7 8 6", "8 1 3/4 0 2/7 6 5"] {
    ///     let report = Options::default().solve_with(&board.parse()?, &mut tables, &mut ())?;
    ///     println!("{report}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_with(
        &self,
        instance: &Instance,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Report, SolveError> {
        self.solve_in(instance, tables, None, watch)
    }

    /// Solves the board of a journal, starting where the journal ends. Only iterative deepening with pattern
    /// databases writes a journal; other searches are refused.
    ///
    /// ```
    /// use npuzzle::search::Journal;
    /// use npuzzle::{Instance, Options, Tables};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("journal");
    /// let puzzle: Instance = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?;
    /// let mut journal = Journal::create(&path, &puzzle)?;
    /// let report = Options::default().solve_on(&mut journal, &mut Tables::new(), &mut ())?;
    /// assert_eq!(report.upper_bound(), Some(43));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_on(
        &self,
        journal: &mut Journal,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Report, SolveError> {
        let instance = journal.instance().clone();
        journal.record_options(self);
        let options = Options { optimal: true, ..self.clone() };
        options.solve_in(&instance, tables, Some(journal), watch)
    }

    fn solve_in(
        &self,
        instance: &Instance,
        tables: &mut Tables,
        journal: Option<&mut Journal>,
        watch: &mut dyn Watch,
    ) -> Result<Report, SolveError> {
        let mut clock = Clock::start(self.limits.time, watch);
        let mut context =
            SolveContext { instance, options: self, tables, clock: &mut clock, upper_bound: None };
        let mut plan = make_plan(&mut context, journal.is_some())?;
        let journal_bound = journal.as_deref().and_then(Journal::lower_bound);
        if instance.is_solvable() {
            plan.report(context.clock);
        }
        let result = execute(&plan, journal, &mut context)?;
        if result.has_failed_beam {
            plan = plan.after_failed_beam();
            plan.report(&mut clock);
        }
        let EngineResult { outcome, best, is_shortest, lower_bound, stats, .. } = result;
        let is_stopped = matches!(outcome, Outcome::Stopped { .. });
        let (answer, best) = self.answer(instance, outcome, best, lower_bound)?;
        let incumbent = match &answer {
            Answer::Solved(moves) if is_stopped => Some(moves.len(self.metric) as Cost),
            _ => None,
        };
        let optimal_solutions = match (self.all, &answer) {
            (Some(max_listed), Answer::Solved(known)) if is_shortest => {
                let length = known.len(self.metric) as Cost;
                let request = CountRequest { instance, length, max_listed, options: self, stats };
                Some(count_optimal(&request, known, tables, &mut clock)?)
            }
            (Some(_), Answer::Unsolvable) => Some(OptimalSolutions::none()),
            _ => None,
        };
        let lower_bound = match &answer {
            Answer::Solved(moves) if is_shortest => Some(moves.len(self.metric) as Cost),
            Answer::Unsolvable => None,
            // The bound of an earlier run holds even if this one proved less.
            Answer::Solved(_) | Answer::Stopped(_) => lower_bound.max(journal_bound),
        };
        Ok(Report {
            instance: instance.clone(),
            plan: (answer != Answer::Unsolvable).then_some(plan),
            tables: result.tables,
            tables_reason: result.tables_reason,
            metric: self.metric,
            answer,
            best,
            optimal_solutions,
            lower_bound,
            incumbent,
            h_start: result.h_start,
            stats,
            time: clock.elapsed(),
            rounds: clock.rounds,
        })
    }

    /// The answer of an outcome and the best other solution, replayed.
    fn answer(
        &self,
        instance: &Instance,
        outcome: Outcome<Slide>,
        best: Option<Vec<Slide>>,
        lower_bound: Option<Cost>,
    ) -> Result<(Answer, Option<Moves>), SolveError> {
        let best = best.map(|slides| replayed(instance, slides)).transpose()?;
        match outcome {
            Outcome::Solved(slides) => Ok((Answer::Solved(replayed(instance, slides)?), best)),
            Outcome::Unsolvable if instance.is_solvable() => {
                Err(SolveError::Broken { start: instance.start().clone() })
            }
            Outcome::Unsolvable => Ok((Answer::Unsolvable, best)),
            Outcome::Stopped { limit, .. } => match best {
                // The limit was reached after the proof: no shorter solution exists.
                Some(best) if Some(best.len(self.metric) as Cost) <= lower_bound => {
                    Ok((Answer::Solved(best), None))
                }
                best => Ok((Answer::Stopped(limit), best)),
            },
        }
    }
}

/// Plans the search, given the tables in memory and on disk.
fn make_plan(context: &mut SolveContext<'_, '_>, has_journal: bool) -> Result<Plan, PlanError> {
    let SolveContext { instance, options, tables, clock, .. } = context;
    if !has_journal {
        tables.preload_full(instance.goal(), options, *clock);
        let available = tables.availability(instance.goal(), options.metric);
        return plan_with(instance, options, available);
    }
    // A journal records a search, even where a full table would answer.
    let plan = plan_with(instance, options, Availability::default())?;
    if plan.keeps_journal() { Ok(plan) } else { Err(PlanError::NoJournal(plan.algorithm)) }
}

/// Executes a plan, with an incumbent if a proof is requested.
fn execute(
    plan: &Plan,
    journal: Option<&mut Journal>,
    context: &mut SolveContext<'_, '_>,
) -> Result<EngineResult, SolveError> {
    let SolveContext { instance, options, .. } = *context;
    if !instance.is_solvable() {
        return Ok(EngineResult::unsolvable());
    }
    let known =
        journal.as_deref().map_or(KnownSolution::default(), |journal| journal.known().clone());
    let mut incumbent = Incumbent::prepare(instance, options, known, context.clock);
    let result = match plan.engine {
        Engine::Beam { proof: true } => proof::execute(plan, context),
        _ => {
            let SolveContext { tables, clock, .. } = context;
            let upper_bound: Option<&mut dyn UpperBound> = Some(&mut incumbent);
            let context = &mut SolveContext { instance, options, tables, clock, upper_bound };
            dispatch::execute(plan, journal, context)
        }
    };
    let result = result.map_err(|InternalError(reason)| SolveError::Internal { reason })?;
    if plan.engine.is_deepening() {
        context.tables.count_search(instance.goal(), plan.metric, result.stats.generated);
    }
    Ok(incumbent.complete(result, context.clock))
}

/// Counts and lists all solutions that are as short as a known one, which is proved shortest.
fn count_optimal(
    request: &CountRequest<'_>,
    known: &Moves,
    tables: &mut Tables,
    clock: &mut Clock<'_>,
) -> Result<OptimalSolutions, SolveError> {
    let PathCount { count, listed, stopped } = match all_optimal::count(request, tables, clock) {
        Ok(counted) => counted,
        Err(limit) => return Ok(OptimalSolutions::only(known, request.max_listed, limit)),
    };
    // The known solution is one of them.
    if count == 0 {
        return Err(SolveError::Broken { start: request.instance.start().clone() });
    }
    let listed = listed.into_iter().map(|slides| replayed(request.instance, slides));
    let listed = listed.collect::<Result<_, _>>()?;
    Ok(OptimalSolutions { count: Count::of(count), listed, stopped })
}

/// Replays a solution. Every solution that leaves the library passes through here.
pub(crate) fn replayed(instance: &Instance, slides: Vec<Slide>) -> Result<Moves, SolveError> {
    let moves = Moves::from(slides);
    match moves.replay(instance.start()) {
        Ok(end) if end == *instance.goal() => Ok(moves),
        _ => Err(SolveError::Broken { start: instance.start().clone() }),
    }
}
