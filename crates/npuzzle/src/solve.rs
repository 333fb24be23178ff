//! From an instance and its plan to a report.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;

use npuzzle_core::heuristic::{
    Inversions, LinearConflict, Manhattan, Max, Misplaced, WalkingDistance, Zero,
};
use npuzzle_core::queue::{BucketQueue, FifoHeap};
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Duplicates, Evaluation, Heuristic, Limit, Outcome, SearchReport,
    Settings, Stats, Watch, idastar,
};
use npuzzle_core::{
    Arrangement, Board, Cell, Dims, Instance, Metric, Moves, Packed, Slide, Sliding,
};

use npuzzle_tables::{Automaton, PatternSet, Store, StoreWarning};

use crate::any::Any;
use crate::catalogue;
use crate::frame::Frame;
use crate::options::{Algorithm, Estimate, HeuristicChoice, Options};
use crate::pattern_ida::{Effort, pattern_ida};
use crate::patterns::Patterns;
use crate::plan::{Engine, Plan, PlanError, plan};
use crate::report::{Answer, Report};
use crate::table::FullTable;
use crate::watch::Clock;

/// Solves a board with default options: shortest, proved, within a minute and 2 GiB.
///
/// See the [crate's page](crate) for examples.
pub fn solve(instance: Instance) -> Result<Report, SolveError> {
    Options::default().solve(&instance)
}

impl Options {
    /// Solves a board. Tables are kept for the next one on the same thread.
    pub fn solve(&self, instance: &Instance) -> Result<Report, SolveError> {
        thread_local! {
            static TABLES: RefCell<Tables> = RefCell::default();
        }
        TABLES.with_borrow_mut(|tables| self.solve_with(instance, tables, &mut ()))
    }

    fn effort(&self) -> Effort {
        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok());
        Effort { budget: self.limits.budget(), threads: threads.map_or(1, NonZeroUsize::get) }
    }

    /// Solves a board with tables kept from earlier ones, under the eyes of a watch that sees
    /// progress and may stop it.
    pub fn solve_with(
        &self,
        instance: &Instance,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Report, SolveError> {
        let plan = plan(instance, self)?;
        let mut clock = Clock::start(self.limits.time, watch);
        let found = if instance.is_solvable() {
            run(instance, &plan, self.effort(), tables, &mut clock)
        } else {
            Found::unsolvable()
        };
        let answer = match found.outcome {
            Outcome::Solved(slides) => Answer::Solved(replayed(instance, slides)?),
            Outcome::Unsolvable => Answer::Unsolvable,
            Outcome::Stopped { limit, .. } => Answer::Stopped(limit),
        };
        Ok(Report {
            lower_bound: match &answer {
                Answer::Solved(moves) if found.is_shortest => Some(moves.len(self.metric) as Cost),
                Answer::Unsolvable => None,
                Answer::Solved(_) | Answer::Stopped(_) => found.lower_bound,
            },
            plan: (answer != Answer::Unsolvable).then_some(plan),
            instance: instance.clone(),
            metric: self.metric,
            answer,
            h_start: found.h_start,
            stats: found.stats,
            time: clock.elapsed(),
            rounds: clock.rounds,
        })
    }
}

/// Tables built for earlier boards, for those to come.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    full: Vec<FullTable>,
    patterns: Vec<Arc<PatternSet>>,
    store: Store,
    warnings: Vec<StoreWarning>,
}

impl Tables {
    /// How many are kept of either kind: enough for the goals people use, few enough for any batch.
    const MAX: usize = 16;

    /// None yet, and none on disk.
    pub fn new() -> Tables {
        Tables::default()
    }

    /// None yet; those of the [catalogue](crate::catalogue) are looked for in a store, and kept
    /// there.
    pub fn with_store(store: Store) -> Tables {
        Tables { store, ..Tables::default() }
    }

    /// What people should be told of the store: what was damaged, what could not be kept. Once each.
    pub fn take_warnings(&mut self) -> Vec<StoreWarning> {
        std::mem::take(&mut self.warnings)
    }

    /// How many are kept now.
    pub fn len(&self) -> usize {
        self.full.len() + self.patterns.len()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pattern databases of this goal, built unless they are there; `None` if the board is too
    /// large.
    fn patterns(&mut self, goal: &Board, watch: &mut dyn Watch) -> Result<Option<Patterns>, Limit> {
        let Some(frame) = Frame::new(goal) else { return Ok(None) };
        let (dims, blank) = (frame.dims(), frame.blank());
        let known = self.patterns.iter().find(|set| set.dims() == dims && set.blank() == blank);
        if let Some(set) = known {
            return Ok(Some(Patterns::new(frame, vec![Arc::clone(set)])));
        }
        let Some(set) = self.pattern_set(dims, blank, watch)?.map(Arc::new) else {
            return Ok(None);
        };
        if self.patterns.len() == Tables::MAX {
            self.patterns.remove(0);
        }
        self.patterns.push(Arc::clone(&set));
        Ok(Some(Patterns::new(frame, vec![set])))
    }

    /// A set from the store if it is kept there, else made for now.
    fn pattern_set(
        &mut self,
        dims: Dims,
        blank: Cell,
        watch: &mut dyn Watch,
    ) -> Result<Option<PatternSet>, Limit> {
        let Some((partition, recipe)) = catalogue::pattern_set(dims, blank) else {
            return PatternSet::new_watched(dims, blank, watch);
        };
        let got = recipe.get(&self.store, watch)?;
        self.warnings.extend(got.warnings);
        Ok(partition.set(&got.bytes))
    }

    /// The table of this goal, built unless it is there; `None` if the board is too large.
    pub fn full(&mut self, goal: &Board, metric: Metric) -> Option<&FullTable> {
        let known = self.full.iter().position(|t| t.goal() == goal && t.metric() == metric);
        let at = match known {
            Some(at) => at,
            None => {
                let table = FullTable::build(goal, metric)?;
                if self.full.len() == Tables::MAX {
                    self.full.remove(0);
                }
                self.full.push(table);
                self.full.len() - 1
            }
        };
        self.full.get(at)
    }
}

/// What an engine has found.
struct Found {
    outcome: Outcome<Slide>,
    /// Whether a solution is shortest because this engine finds no others.
    is_shortest: bool,
    /// A bound that holds whatever the engine.
    lower_bound: Option<Cost>,
    h_start: Option<Cost>,
    stats: Stats,
}

impl Found {
    fn unsolvable() -> Found {
        Found {
            outcome: Outcome::Unsolvable,
            is_shortest: false,
            lower_bound: None,
            h_start: None,
            stats: Stats::default(),
        }
    }

    /// A limit was reached before there were tables to search with.
    fn without_tables(instance: &Instance, limit: Limit) -> Found {
        let least = |problem| estimate(&problem, &LinearConflict::new(instance.goal()));
        Found {
            outcome: Outcome::Stopped { limit, frontier: 0 },
            lower_bound: Sliding::<Packed>::new(instance).map(least),
            ..Found::unsolvable()
        }
    }
}

fn run(
    instance: &Instance,
    plan: &Plan,
    effort: Effort,
    tables: &mut Tables,
    clock: &mut Clock<'_>,
) -> Found {
    if let Engine::Table(metric) = plan.engine {
        return look_up(instance, metric, tables);
    }
    let heuristic = plan.engine.heuristic().unwrap_or_default();
    let patterns = if heuristic.names(Estimate::Pattern) {
        tables.patterns(instance.goal(), clock)
    } else {
        Ok(None)
    };
    let patterns = match &patterns {
        Ok(patterns) => patterns.as_ref(),
        Err(limit) => return Found::without_tables(instance, *limit),
    };
    match Sliding::<Packed>::new(instance) {
        Some(problem) => search(instance, &problem, plan, patterns, effort, clock),
        None => match Sliding::<Board>::new(instance) {
            Some(problem) => search(instance, &problem, plan, patterns, effort, clock),
            None => unreachable!("a board is an arrangement of itself"),
        },
    }
}

fn look_up(instance: &Instance, metric: Metric, tables: &mut Tables) -> Found {
    let table = tables.full(instance.goal(), metric);
    let path = table.and_then(|table| table.path(instance.start()));
    let distance = table.and_then(|table| table.distance(instance.start()));
    let bytes = table.map_or(0, FullTable::bytes) as u64;
    Found {
        outcome: path.map_or(Outcome::Unsolvable, Outcome::Solved),
        is_shortest: true,
        lower_bound: distance,
        h_start: distance,
        stats: Stats { peak_bytes: bytes, ..Stats::default() },
    }
}

/// Picks the heuristic; from here on everything is compiled for it.
fn search<A: Arrangement>(
    instance: &Instance,
    problem: &Sliding<A>,
    plan: &Plan,
    patterns: Option<&Patterns>,
    effort: Effort,
    clock: &mut Clock<'_>,
) -> Found {
    let (goal, budget) = (instance.goal(), effort.budget);
    let mut found = match plan.engine.heuristic() {
        Some(HeuristicChoice::One(Estimate::Zero)) => {
            search_with(problem, &Zero, plan, budget, clock)
        }
        Some(HeuristicChoice::One(Estimate::Misplaced)) => {
            search_with(problem, &Misplaced::new(goal), plan, budget, clock)
        }
        Some(HeuristicChoice::One(Estimate::Manhattan)) => {
            search_with(problem, &Manhattan::new(goal), plan, budget, clock)
        }
        Some(HeuristicChoice::One(Estimate::Inversion)) => {
            search_with(problem, &Inversions::new(goal), plan, budget, clock)
        }
        Some(HeuristicChoice::One(Estimate::Walking)) => match WalkingDistance::new(goal) {
            Some(walking) => search_with(problem, &walking, plan, budget, clock),
            None => unreachable!("the plan asks for walking distances only where they fit"),
        },
        Some(HeuristicChoice::One(Estimate::Pattern)) => match patterns {
            Some(patterns) => search_patterns(instance, problem, patterns, plan, effort, clock),
            None => unreachable!("the plan asks for patterns only where there are some"),
        },
        Some(HeuristicChoice::Max(a, b)) => {
            let max = Max(Any::new(a, goal, patterns), Any::new(b, goal, patterns));
            search_with(problem, &max, plan, budget, clock)
        }
        Some(HeuristicChoice::One(Estimate::LinearConflict) | HeuristicChoice::Auto) | None => {
            search_with(problem, &LinearConflict::new(goal), plan, budget, clock)
        }
    };
    // Whatever guided the search, this holds.
    let strongest = estimate(problem, &LinearConflict::new(goal));
    found.lower_bound = found.lower_bound.max(Some(strongest));
    found
}

/// Iterative deepening with patterns has an engine of its own.
fn search_patterns<A: Arrangement>(
    instance: &Instance,
    problem: &Sliding<A>,
    patterns: &Patterns,
    plan: &Plan,
    effort: Effort,
    clock: &mut Clock<'_>,
) -> Found {
    let (Engine::Ida(_), Some(automaton)) = (plan.engine, Automaton::embedded()) else {
        return search_with(problem, patterns, plan, effort.budget, clock);
    };
    let report = pattern_ida(instance.start(), patterns, &automaton, effort, clock);
    found(problem, patterns, plan, report, clock)
}

fn search_with<A: Arrangement, H: Heuristic<Sliding<A>>>(
    problem: &Sliding<A>,
    heuristic: &H,
    plan: &Plan,
    budget: Budget,
    clock: &mut Clock<'_>,
) -> Found {
    let report = match plan.engine {
        Engine::BestFirst(evaluation, _) => {
            let settings = Settings { evaluation, duplicates: Duplicates::Closed, budget };
            best_first(problem, heuristic, settings, plan.algorithm, clock)
        }
        Engine::Ida(_) | Engine::Table(_) => idastar(problem, heuristic, budget, clock),
    };
    found(problem, heuristic, plan, report, clock)
}

/// What a report of this plan's engine means.
fn found<A: Arrangement, H: Heuristic<Sliding<A>>>(
    problem: &Sliding<A>,
    heuristic: &H,
    plan: &Plan,
    report: SearchReport<Slide>,
    clock: &mut Clock<'_>,
) -> Found {
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
        (Outcome::Stopped { frontier, .. }, Engine::Ida(_))
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
    Found {
        is_shortest: !matches!(
            plan.engine,
            Engine::BestFirst(Evaluation::Weighted(_) | Evaluation::Greedy, _)
        ),
        lower_bound,
        h_start: Some(estimate(problem, heuristic)),
        outcome: report.outcome,
        stats: report.stats,
    }
}

fn best_first<A: Arrangement, H: Heuristic<Sliding<A>>>(
    problem: &Sliding<A>,
    heuristic: &H,
    settings: Settings,
    algorithm: Algorithm,
    clock: &mut Clock<'_>,
) -> SearchReport<Slide> {
    // Breadth-first is uniform cost from a queue that is first-in-first-out.
    if algorithm == Algorithm::Bfs {
        BestFirst::<_, _, FifoHeap<_, _>>::new(problem, heuristic, settings).run(clock, &mut ())
    } else {
        BestFirst::<_, _, BucketQueue<_>>::new(problem, heuristic, settings).run(clock, &mut ())
    }
}

fn estimate<A: Arrangement, H: Heuristic<Sliding<A>>>(problem: &Sliding<A>, heuristic: &H) -> Cost {
    use npuzzle_core::search::Problem;
    heuristic.value(&heuristic.eval(&problem.start()))
}

/// The one door through which solutions leave: none does that has not been replayed.
fn replayed(instance: &Instance, slides: Vec<Slide>) -> Result<Moves, SolveError> {
    let moves = Moves::from(slides);
    match moves.replay(instance.start()) {
        Ok(end) if end == *instance.goal() => Ok(moves),
        _ => Err(SolveError::Broken { start: instance.start().clone() }),
    }
}

/// Why there is no report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolveError {
    /// What was asked for cannot be done.
    Plan(PlanError),
    /// A solution did not stand its replay: a mistake in this library, please report it.
    Broken {
        /// The board.
        start: Board,
    },
}

impl From<PlanError> for SolveError {
    fn from(error: PlanError) -> SolveError {
        SolveError::Plan(error)
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Plan(error) => error.fmt(f),
            SolveError::Broken { start } => write!(
                f,
                "internal error: a solution of {} did not stand its replay, please report it",
                start.slash()
            ),
        }
    }
}

impl Error for SolveError {}
