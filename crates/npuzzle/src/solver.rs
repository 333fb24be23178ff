//! From an instance and its plan to a report.

pub(crate) mod distributed;
mod error;

use std::cell::RefCell;

use npuzzle_core::heuristic::{
    Inversions, LinearConflict, Manhattan, Max, Misplaced, WalkingDistance, Zero,
};
use npuzzle_core::queue::{BucketQueue, FifoHeap};
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Duplicates, Evaluation, Heuristic, Limit, Outcome, Problem,
    SearchReport, Settings, Stats, Watch, bidirectional, idastar,
};
use npuzzle_core::{Arrangement, Board, Instance, Metric, Moves, Packed, Run, Slide, Sliding};

use crate::all_optimal::{self, Count, Counted, OptimalSolutions, Question};
use crate::anytime::anytime;
use crate::anytime::fallback::Fallback;
use crate::engine::dyn_heuristic::DynHeuristic;
use crate::engine::ida::journal::Journal;
use crate::engine::ida::table_escalation::{Escalated, escalate};
use crate::engine::lower_bound::least;
use crate::engine::mtm;
use crate::engine::pdb::search::Resources;
use crate::limits::Clock;
use crate::options::{Algorithm, HeuristicChoice, HeuristicKind, Options};
use crate::plan::{Availability, Engine, Plan, PlanError, plan_with};
use crate::report::{Answer, Report};
use crate::tables::cache::Tables;
use crate::tables::full::FullTable;

pub use error::SolveError;

/// Solves a board with default options: up to 16 cells shortest, proved, within a minute and 2 GiB;
/// larger ones as short as two seconds allow, with a lower bound.
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

impl Options {
    /// Solves a board. Tables are kept for the next one on the same thread.
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

    /// Asking for the number of cores takes longer than an 8-puzzle.
    pub(crate) fn resources(&self) -> Resources {
        let threads = npuzzle_tables::n_threads(self.threads);
        Resources { budget: self.limits.budget(), threads, patience: None }
    }

    /// Solves a board with tables kept from earlier ones, under the eyes of a watch that sees
    /// progress and may stop it.
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

    /// Solves the board of a journal, going on from where it ends. Iterative deepening with pattern
    /// databases writes down what it has done; other searches have nothing to write and are refused.
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
        // Without a proof there is to be an answer at least.
        let asks_for_proof = self.optimal || self.all.is_some();
        let is_wanted = asks_for_proof && instance.is_solvable();
        let spare = Fallback::new(instance, self.metric, self.limits.time.filter(|_| is_wanted));
        let mut spared = spare.watch(watch);
        let mut clock = Clock::start(self.limits.time, &mut spared);
        // A journal is of a search, whatever tables there are.
        let at_hand = if journal.is_some() {
            Availability::default()
        } else {
            tables.find_full(instance.goal(), self, &mut clock);
            tables.at_hand(instance.goal(), self.metric)
        };
        let plan = plan_with(instance, self, at_hand)?;
        if journal.is_some() && !plan.keeps_journal() {
            return Err(PlanError::NoJournal(plan.algorithm).into());
        }
        let known = journal.as_deref().and_then(Journal::lower_bound);
        let mut found = if instance.is_solvable() {
            run(instance, &plan, self, tables, journal, &mut clock)
        } else {
            EngineResult::unsolvable()
        };
        spare.disarm();
        let is_stopped = matches!(found.outcome, Outcome::Stopped { .. });
        if asks_for_proof && is_stopped && found.best.is_none() {
            found.best = spare.get();
        }
        let answer = match found.outcome {
            Outcome::Solved(slides) => Answer::Solved(replayed(instance, slides)?),
            Outcome::Unsolvable if instance.is_solvable() => {
                return Err(SolveError::Broken { start: instance.start().clone() });
            }
            Outcome::Unsolvable => Answer::Unsolvable,
            Outcome::Stopped { limit, .. } => Answer::Stopped(limit),
        };
        let best = found.best.map(|slides| replayed(instance, slides)).transpose()?;
        let (answer, best) = match (answer, best) {
            // No shorter one is possible: the limit came after the proof.
            (Answer::Stopped(_), Some(best))
                if Some(best.len(self.metric) as Cost) <= found.lower_bound =>
            {
                (Answer::Solved(best), None)
            }
            undecided => undecided,
        };
        tables.count(instance.goal(), &plan, &found.stats);
        let optimal_solutions = match (self.all, &answer) {
            (Some(most), Answer::Solved(moves)) if found.is_shortest => Some(
                self.optimal_solutions(instance, moves, most, found.stats, tables, &mut clock)?,
            ),
            (Some(_), Answer::Unsolvable) => Some(OptimalSolutions::none()),
            _ => None,
        };
        Ok(Report {
            lower_bound: match &answer {
                Answer::Solved(moves) if found.is_shortest => Some(moves.len(self.metric) as Cost),
                Answer::Unsolvable => None,
                // What an earlier run has proved holds, even if this one got nowhere.
                Answer::Solved(_) | Answer::Stopped(_) => found.lower_bound.max(known),
            },
            plan: (answer != Answer::Unsolvable).then_some(plan),
            tables: found.tables,
            tables_reason: found.tables_reason,
            instance: instance.clone(),
            metric: self.metric,
            answer,
            best,
            optimal_solutions,
            h_start: found.h_start,
            stats: found.stats,
            time: clock.elapsed(),
            rounds: clock.rounds,
        })
    }
}

impl Options {
    /// All solutions that are as short as this one, which is proved shortest.
    fn optimal_solutions(
        &self,
        instance: &Instance,
        known: &Moves,
        most: usize,
        stats: Stats,
        tables: &mut Tables,
        clock: &mut Clock<'_>,
    ) -> Result<OptimalSolutions, SolveError> {
        let length = known.len(self.metric) as Cost;
        let question = Question { instance, length, most, options: self, stats };
        let Counted { count, listed, stopped } = match all_optimal::count(&question, tables, clock)
        {
            Ok(counted) => counted,
            Err(limit) => return Ok(OptimalSolutions::only(known, most, limit)),
        };
        // There is the known one at least.
        if count == 0 {
            return Err(SolveError::Broken { start: instance.start().clone() });
        }
        let listed = listed.into_iter().map(|slides| replayed(instance, slides));
        Ok(OptimalSolutions {
            count: Count::of(count),
            listed: listed.collect::<Result<_, _>>()?,
            stopped,
        })
    }
}

/// What an engine has found.
pub(crate) struct EngineResult {
    pub(crate) outcome: Outcome<Slide>,
    /// A solution that was known when a limit was reached.
    pub(crate) best: Option<Vec<Slide>>,
    /// Whether a solution is shortest because this engine finds no others.
    pub(crate) is_shortest: bool,
    /// A bound that holds whatever the engine.
    pub(crate) lower_bound: Option<Cost>,
    pub(crate) h_start: Option<Cost>,
    pub(crate) stats: Stats,
    /// The names of the pattern databases, and why these.
    pub(crate) tables: Vec<String>,
    pub(crate) tables_reason: Option<String>,
}

impl EngineResult {
    pub(crate) fn unsolvable() -> EngineResult {
        EngineResult {
            outcome: Outcome::Unsolvable,
            best: None,
            is_shortest: false,
            lower_bound: None,
            h_start: None,
            stats: Stats::default(),
            tables: Vec::new(),
            tables_reason: None,
        }
    }

    /// A limit was reached before there were tables to search with.
    pub(crate) fn without_tables(
        instance: &Instance,
        metric: Metric,
        limit: Limit,
    ) -> EngineResult {
        let least = least(instance, metric);
        EngineResult {
            outcome: Outcome::Stopped { limit, frontier: least },
            lower_bound: Some(least),
            ..EngineResult::unsolvable()
        }
    }
}

fn run(
    instance: &Instance,
    plan: &Plan,
    options: &Options,
    tables: &mut Tables,
    journal: Option<&mut Journal>,
    clock: &mut Clock<'_>,
) -> EngineResult {
    if let Engine::Table(metric) = plan.engine {
        return look_up(instance, metric, options, tables, clock);
    }
    if matches!(plan.engine, Engine::Beam | Engine::Construct) {
        return anytime(instance, plan, options, tables, clock);
    }
    if plan.metric == Metric::Mtm {
        return mtm::run(instance, plan, options, tables, clock);
    }
    match Sliding::<Packed>::new(instance) {
        Some(problem) => search(instance, &problem, plan, options, tables, journal, clock),
        None => match Sliding::<Board>::new(instance) {
            Some(problem) => search(instance, &problem, plan, options, tables, journal, clock),
            None => unreachable!("a board is an arrangement of itself"),
        },
    }
}

fn look_up(
    instance: &Instance,
    metric: Metric,
    options: &Options,
    tables: &mut Tables,
    clock: &mut Clock<'_>,
) -> EngineResult {
    let goal = instance.goal();
    let mut look = |tables: &mut Tables| -> Result<_, Limit> {
        let table = tables.full_within(goal, metric, options, clock)?;
        let route = table.and_then(|table| table.route(instance.start()));
        Ok((route, table.map_or(0, FullTable::bytes) as u64))
    };
    let looked = match look(tables) {
        // There is a way from here, so these are not the distances, whatever their checksums say.
        Ok((None, _)) => {
            tables.distrust_full(goal, metric);
            look(tables)
        }
        looked => looked,
    };
    let (route, bytes) = match looked {
        Ok(looked) => looked,
        Err(limit) => return EngineResult::without_tables(instance, metric, limit),
    };
    let (path, distance) = route.unzip();
    EngineResult {
        outcome: path.map_or(Outcome::Unsolvable, Outcome::Solved),
        is_shortest: true,
        lower_bound: distance,
        h_start: distance,
        stats: Stats { peak_bytes: bytes, ..Stats::default() },
        ..EngineResult::unsolvable()
    }
}

/// Picks the heuristic; from here on everything is compiled for it.
fn search<A: Arrangement>(
    instance: &Instance,
    problem: &Sliding<A>,
    plan: &Plan,
    options: &Options,
    tables: &mut Tables,
    journal: Option<&mut Journal>,
    clock: &mut Clock<'_>,
) -> EngineResult {
    let (goal, budget) = (instance.goal(), plan.budget(instance.dims(), &options.limits));
    let heuristic = plan.engine.heuristic().unwrap_or_default();
    // Iterative deepening with patterns has an engine of its own.
    let has_engine =
        matches!(plan.engine, Engine::Ida(HeuristicChoice::One(HeuristicKind::Pattern)));
    if has_engine {
        return match escalate(instance, options, options.resources(), tables, journal, clock) {
            Ok(Some(Escalated { mut report, patterns, reason })) => {
                let partition = patterns.set().partition();
                report.stats.peak_bytes = partition.n_bytes() as u64;
                EngineResult {
                    tables: vec![partition.name()],
                    tables_reason: Some(reason),
                    ..found(problem, &patterns, plan, report, clock)
                }
            }
            Ok(None) => unreachable!("the plan asks for patterns only where there are some"),
            Err(limit) => EngineResult::without_tables(instance, Metric::Stm, limit),
        };
    }
    let patterns = if heuristic.names(HeuristicKind::Pattern) {
        tables.small(goal, options.resources(), clock)
    } else {
        Ok(None)
    };
    let patterns = match &patterns {
        Ok(patterns) => patterns.as_ref(),
        Err(limit) => return EngineResult::without_tables(instance, Metric::Stm, *limit),
    };
    let mut found = match plan.engine.heuristic() {
        Some(heuristic) if matches!(plan.engine, Engine::Bidirectional(_)) => {
            search_both_ends(instance, problem, heuristic, plan, budget, clock)
        }
        Some(HeuristicChoice::One(HeuristicKind::Zero)) => {
            search_with(problem, &Zero, plan, budget, clock)
        }
        Some(HeuristicChoice::One(HeuristicKind::Misplaced)) => {
            search_with(problem, &Misplaced::new(goal), plan, budget, clock)
        }
        Some(HeuristicChoice::One(HeuristicKind::Manhattan)) => {
            search_with(problem, &Manhattan::new(goal), plan, budget, clock)
        }
        Some(HeuristicChoice::One(HeuristicKind::Inversion)) => {
            search_with(problem, &Inversions::new(goal), plan, budget, clock)
        }
        Some(HeuristicChoice::One(HeuristicKind::Walking)) => {
            match WalkingDistance::build(goal, clock) {
                Ok(Some(walking)) => search_with(problem, &walking, plan, budget, clock),
                Ok(None) => unreachable!("the plan asks for walking distances only where they fit"),
                Err(limit) => EngineResult::without_tables(instance, Metric::Stm, limit),
            }
        }
        Some(HeuristicChoice::One(HeuristicKind::Pattern)) => match patterns {
            Some(patterns) => search_with(problem, patterns, plan, budget, clock),
            None => unreachable!("the plan asks for patterns only where there are some"),
        },
        Some(HeuristicChoice::Max(a, b)) => {
            let mut any = |estimate| DynHeuristic::new(estimate, goal, patterns, clock);
            match any(a).and_then(|a| Ok(Max(a, any(b)?))) {
                Ok(max) => search_with(problem, &max, plan, budget, clock),
                Err(limit) => EngineResult::without_tables(instance, Metric::Stm, limit),
            }
        }
        Some(HeuristicChoice::One(HeuristicKind::LinearConflict) | HeuristicChoice::Auto)
        | None => search_with(problem, &LinearConflict::new(goal), plan, budget, clock),
    };
    // Whatever guided the search, this holds.
    found.lower_bound = found.lower_bound.max(Some(least(instance, Metric::Stm)));
    found
}

/// Bidirectional search needs a heuristic to either end.
fn search_both_ends<A: Arrangement>(
    instance: &Instance,
    problem: &Sliding<A>,
    heuristic: HeuristicChoice,
    plan: &Plan,
    budget: Budget,
    clock: &mut Clock<'_>,
) -> EngineResult {
    let ends = (instance, problem);
    match heuristic {
        HeuristicChoice::One(HeuristicKind::Manhattan) => {
            both_ends(ends, |to, _| Ok(Manhattan::new(to)), plan, budget, clock)
        }
        HeuristicChoice::One(HeuristicKind::LinearConflict) | HeuristicChoice::Auto => {
            both_ends(ends, |to, _| Ok(LinearConflict::new(to)), plan, budget, clock)
        }
        HeuristicChoice::One(estimate) => {
            let any =
                |to: &Board, watch: &mut dyn Watch| DynHeuristic::new(estimate, to, None, watch);
            both_ends(ends, any, plan, budget, clock)
        }
        HeuristicChoice::Max(a, b) => {
            let max = |to: &Board, watch: &mut dyn Watch| {
                Ok(Max(
                    DynHeuristic::new(a, to, None, watch)?,
                    DynHeuristic::new(b, to, None, watch)?,
                ))
            };
            both_ends(ends, max, plan, budget, clock)
        }
    }
}

fn both_ends<A: Arrangement, H: Heuristic<Sliding<A>>>(
    (instance, problem): (&Instance, &Sliding<A>),
    heuristic_to: impl Fn(&Board, &mut dyn Watch) -> Result<H, Limit>,
    plan: &Plan,
    budget: Budget,
    clock: &mut Clock<'_>,
) -> EngineResult {
    let mut to = |end| heuristic_to(end, clock);
    let (to_goal, to_start) = match (to(instance.goal()), to(instance.start())) {
        (Ok(to_goal), Ok(to_start)) => (to_goal, to_start),
        (Err(limit), _) | (_, Err(limit)) => {
            return EngineResult::without_tables(instance, Metric::Stm, limit);
        }
    };
    let report = bidirectional(problem, &to_goal, &to_start, budget, clock);
    found(problem, &to_goal, plan, report, clock)
}

pub(crate) fn search_with<P: Problem<Action: Straight>, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    plan: &Plan,
    budget: Budget,
    clock: &mut Clock<'_>,
) -> EngineResult {
    let report = match plan.engine {
        Engine::BestFirst(evaluation, _) => {
            let settings = Settings { evaluation, duplicates: Duplicates::Closed, budget };
            best_first(problem, heuristic, settings, plan.algorithm, clock)
        }
        Engine::Ida(_)
        | Engine::Runs { .. }
        | Engine::Table(_)
        | Engine::Bidirectional(_)
        | Engine::Beam
        | Engine::Construct => idastar(problem, heuristic, budget, clock),
    };
    found(problem, heuristic, plan, report, clock)
}

/// A move of a problem: so many slides of one kind, at the cost of 1.
pub(crate) trait Straight: Copy + Eq {
    fn slides(self) -> std::iter::RepeatN<Slide>;
}

impl Straight for Slide {
    fn slides(self) -> std::iter::RepeatN<Slide> {
        std::iter::repeat_n(self, 1)
    }
}

impl Straight for Run {
    fn slides(self) -> std::iter::RepeatN<Slide> {
        std::iter::repeat_n(self.slide(), self.n_slides())
    }
}

/// What a report of this plan's engine means.
pub(crate) fn found<P: Problem<Action: Straight>, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    plan: &Plan,
    report: SearchReport<P::Action>,
    clock: &mut Clock<'_>,
) -> EngineResult {
    if matches!(plan.engine, Engine::Ida(_)) {
        // The last round is over when the search is.
        let bound = match &report.outcome {
            Outcome::Solved(path) => path.len() as Cost,
            Outcome::Stopped { frontier, .. } => *frontier,
            Outcome::Unsolvable => 0,
        };
        clock.close_round(bound, &report.stats);
    }
    let lower_bound = match (&report.outcome, plan.engine) {
        (Outcome::Stopped { frontier, .. }, Engine::Ida(_) | Engine::Bidirectional(_))
        | (
            Outcome::Stopped { frontier, .. },
            Engine::BestFirst(Evaluation::AStar | Evaluation::Uniform, _),
        ) => Some(*frontier),
        // What is at most w times too long is a w-th of it too short at most.
        (Outcome::Solved(path), Engine::BestFirst(Evaluation::Weighted(weight), _)) => {
            Some(weight.least(path.len() as Cost))
        }
        _ => None,
    };
    let slides = |path: Vec<P::Action>| path.into_iter().flat_map(Straight::slides).collect();
    EngineResult {
        is_shortest: !matches!(
            plan.engine,
            Engine::BestFirst(Evaluation::Weighted(_) | Evaluation::Greedy, _)
        ),
        lower_bound,
        h_start: Some(estimate(problem, heuristic)),
        outcome: match report.outcome {
            Outcome::Solved(path) => Outcome::Solved(slides(path)),
            Outcome::Unsolvable => Outcome::Unsolvable,
            Outcome::Stopped { limit, frontier } => Outcome::Stopped { limit, frontier },
        },
        best: report.best.map(slides),
        stats: report.stats,
        tables: Vec::new(),
        tables_reason: None,
    }
}

fn best_first<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    settings: Settings,
    algorithm: Algorithm,
    clock: &mut Clock<'_>,
) -> SearchReport<P::Action> {
    // Breadth-first is uniform cost from a queue that is first-in-first-out.
    if algorithm == Algorithm::Bfs {
        BestFirst::<_, _, FifoHeap<_, _>>::new(problem, heuristic, settings).run(clock, &mut ())
    } else {
        BestFirst::<_, _, BucketQueue<_>>::new(problem, heuristic, settings).run(clock, &mut ())
    }
}

pub(crate) fn estimate<P: Problem, H: Heuristic<P>>(problem: &P, heuristic: &H) -> Cost {
    heuristic.value(&heuristic.eval(&problem.start()))
}

/// The one door through which solutions leave: none does that has not been replayed.
pub(crate) fn replayed(instance: &Instance, slides: Vec<Slide>) -> Result<Moves, SolveError> {
    let moves = Moves::from(slides);
    match moves.replay(instance.start()) {
        Ok(end) if end == *instance.goal() => Ok(moves),
        _ => Err(SolveError::Broken { start: instance.start().clone() }),
    }
}
