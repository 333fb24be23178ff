//! Runs a course program on the text of an input file.

use std::error::Error;
use std::fmt;

use npuzzle::search::Clock;
use npuzzle::teaching::TieBreak;
use npuzzle::{Answer, Limits, Options, SolveError, Tables};
use npuzzle_core::heuristic::{LinearConflict, Manhattan, Misplaced};
use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Evaluation, Event, Heuristic, Limit, LockstepOutcome, OpenNode,
    Outcome, Settings, Stats, Watch, twin_lockstep,
};
use npuzzle_core::{
    Arrangement, Board, Cell, ChainedTable, Instance, Moves, Packed, Slide, Sliding,
};

use crate::course::Course;
use crate::outcome::{CourseRun, Ending, PathStep};
use crate::reading::ReadError;
use crate::search::{BestFirstSettings, ClosedTable, CourseHeuristic, CourseSearch, Detection};

/// Reads a text as the course does and runs its search.
pub fn run(course: &Course, text: &str, watch: &mut dyn Watch) -> Result<CourseRun, RunError> {
    let instance = (course.read)(text).map_err(RunError::Read)?;
    let run = run_search(instance, course.search, course.limits, watch)?;
    Ok(CourseRun { text: text.to_owned(), ..run })
}

/// Runs a search on a board; the text of the result is empty.
pub(crate) fn run_search(
    instance: Instance,
    search: CourseSearch,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<CourseRun, SolveError> {
    // The library's own search has its own clock.
    let time_limit = limits.time.filter(|_| search != CourseSearch::Free);
    let mut clock = Clock::start(time_limit, watch);
    let result = search_instance(&instance, search, limits, &mut clock)?;
    let time = clock.elapsed();
    let ending = match result.outcome {
        Outcome::Solved(slides) => {
            Ending::Solved(steps(&instance, search.heuristic(), &slides.into())?)
        }
        Outcome::Unsolvable => Ending::Unsolvable,
        Outcome::Stopped { limit: Limit::Nodes, .. } if is_unsolvable_after(search, &instance) => {
            Ending::Unsolvable
        }
        Outcome::Stopped { limit, frontier } => {
            Ending::Stopped(limit, Some(frontier).filter(|&bound| is_lower_bound(search, bound)))
        }
    };
    let SearchObserver { first_removed, max_states, max_depth, .. } = result.observer;
    Ok(CourseRun {
        text: String::new(),
        instance,
        search,
        ending,
        stats: result.stats,
        twin_stats: result.twin_stats,
        first_removed,
        max_states,
        max_depth,
        time,
    })
}

/// Whether a search that detects unsolvable boards at its node limit has reached one.
fn is_unsolvable_after(search: CourseSearch, instance: &Instance) -> bool {
    let detects = matches!(search, CourseSearch::BestFirst(settings) if settings.detection == Detection::AfterSearch);
    detects && !instance.is_solvable()
}

/// Whether the smallest key in the queue bounds the length of every solution. The keys of a greedy
/// search do not, and the bound 0 says nothing.
fn is_lower_bound(search: CourseSearch, key: Cost) -> bool {
    let is_greedy = matches!(search, CourseSearch::BestFirst(settings) if settings.evaluation == Evaluation::Greedy);
    key > 0 && !is_greedy
}

/// The result of a search, before its solution is replayed.
struct SearchResult {
    outcome: Outcome<Slide>,
    stats: Stats,
    twin_stats: Option<Stats>,
    observer: SearchObserver,
}

impl SearchResult {
    /// A search that was not observed.
    fn unobserved(outcome: Outcome<Slide>, stats: Stats) -> SearchResult {
        SearchResult { outcome, stats, twin_stats: None, observer: SearchObserver::default() }
    }
}

/// Collects what courses report about a search beyond its statistics.
#[derive(Default)]
struct SearchObserver {
    first_removed: Vec<PathStep>,
    n_states: u64,
    max_states: u64,
    max_depth: Cost,
    /// The cost of the node that was removed last.
    last_g: Option<Cost>,
}

impl SearchObserver {
    const N_FIRST: usize = 5;

    fn observe<A: Arrangement>(&mut self, problem: &Sliding<A>, event: &Event<'_, Sliding<A>>) {
        match event {
            Event::Push(node) => {
                self.n_states += 1;
                self.max_states = self.max_states.max(self.n_states);
                self.max_depth = self.max_depth.max(node.g);
            }
            Event::Pop(node) => {
                self.last_g = Some(node.g);
                if self.first_removed.len() < SearchObserver::N_FIRST {
                    let board = node.state.to_board(problem.dims());
                    self.first_removed.push(PathStep { board, slid: None, g: node.g, h: node.h });
                }
            }
            // The removed node itself is a duplicate, not one of its children.
            Event::Duplicate(node) if self.last_g == Some(node.g) => self.n_states -= 1,
            Event::Duplicate(_) => {}
        }
    }
}

fn search_instance(
    instance: &Instance,
    search: CourseSearch,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<SearchResult, SolveError> {
    let settings = match search {
        CourseSearch::Free => return free(instance, limits, watch),
        CourseSearch::BestFirst(settings) => settings,
    };
    if settings.detection == Detection::Parity && !instance.is_solvable() {
        return Ok(SearchResult::unobserved(Outcome::Unsolvable, Stats::default()));
    }
    let goal = instance.goal();
    Ok(match settings.heuristic {
        CourseHeuristic::Misplaced => {
            best_first(instance, &Misplaced::new(goal), settings, limits, watch)
        }
        CourseHeuristic::Manhattan => {
            best_first(instance, &Manhattan::new(goal), settings, limits, watch)
        }
        CourseHeuristic::LinearConflict => {
            best_first(instance, &LinearConflict::new(goal), settings, limits, watch)
        }
    })
}

/// The library's choice of an exact search.
fn free(
    instance: &Instance,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<SearchResult, SolveError> {
    let options = Options { limits, optimal: true, ..Options::default() };
    let report = options.solve_with(instance, &mut Tables::new(), watch)?;
    let outcome = match report.answer {
        Answer::Solved(moves) => Outcome::Solved(moves.slides().to_vec()),
        Answer::Unsolvable => Outcome::Unsolvable,
        Answer::Stopped(limit) => {
            Outcome::Stopped { limit, frontier: report.lower_bound.unwrap_or(0) }
        }
    };
    Ok(SearchResult::unobserved(outcome, report.stats))
}

/// The assignment's search, on packed boards if the board fits into a word.
fn best_first<H>(
    instance: &Instance,
    heuristic: &H,
    settings: BestFirstSettings,
    limits: Limits,
    watch: &mut dyn Watch,
) -> SearchResult
where
    H: Heuristic<Sliding<Packed>> + Heuristic<Sliding<Board>>,
{
    match Sliding::<Packed>::with_order(instance, settings.order) {
        Some(problem) => best_first_on(instance, &problem, heuristic, settings, limits, watch),
        None => match Sliding::<Board>::with_order(instance, settings.order) {
            Some(problem) => best_first_on(instance, &problem, heuristic, settings, limits, watch),
            None => unreachable!("every board is an arrangement of itself"),
        },
    }
}

/// The assignment's search, with the queue that has its order of equal keys.
fn best_first_on<A: Arrangement, H: Heuristic<Sliding<A>>>(
    instance: &Instance,
    problem: &Sliding<A>,
    heuristic: &H,
    settings: BestFirstSettings,
    limits: Limits,
    watch: &mut dyn Watch,
) -> SearchResult {
    let run = match settings.tie_break {
        TieBreak::Heap => best_first_with::<A, H, ArrayHeap<_, _>>,
        TieBreak::Fifo => best_first_with::<A, H, FifoHeap<_, _>>,
        TieBreak::Lifo => best_first_with::<A, H, BucketQueue<_>>,
    };
    run(instance, problem, heuristic, settings, limits, watch)
}

fn best_first_with<A, H, Q>(
    instance: &Instance,
    problem: &Sliding<A>,
    heuristic: &H,
    settings: BestFirstSettings,
    limits: Limits,
    watch: &mut dyn Watch,
) -> SearchResult
where
    A: Arrangement,
    H: Heuristic<Sliding<A>>,
    Q: MinQueue<Cost, OpenNode<Slide>>,
{
    let BestFirstSettings { evaluation, duplicates, check, closed_table, detection, order, .. } =
        settings;
    let mut watch = watch;
    // Two searches in lockstep share the limits.
    let n_searches = if detection == Detection::Lockstep { 2 } else { 1 };
    let share = |limit: u64| limit.div_ceil(n_searches);
    let (nodes, bytes) = (limits.nodes.map(share), limits.memory.map(share));
    let budget = Budget { nodes, bytes, ..Budget::NONE };
    let settings = Settings { evaluation, duplicates, check, budget };
    let mut observer = SearchObserver::default();
    let mut observe = |event: Event<'_, Sliding<A>>| observer.observe(problem, &event);
    let new_search = |problem| match closed_table {
        ClosedTable::Growing => BestFirst::<_, _, Q>::new(problem, heuristic, settings),
        ClosedTable::Chained { n_buckets } => {
            let table = ChainedTable::with_buckets(n_buckets);
            BestFirst::with_table(problem, heuristic, settings, table, digits::<A>)
        }
    };
    let mut search = new_search(problem);
    if detection == Detection::Lockstep
        && let Some(twin) = Sliding::<A>::with_order(&instance.twin(), order)
    {
        let mut twin_search = new_search(&twin);
        let outcome = match twin_lockstep(&mut search, &mut twin_search, &mut watch, &mut observe) {
            LockstepOutcome::First => Outcome::Solved(search.path()),
            LockstepOutcome::Second => Outcome::Unsolvable,
            // A lower bound needs a solvable board, and neither search has shown that yet.
            LockstepOutcome::Stopped(limit) => Outcome::Stopped { limit, frontier: 0 },
        };
        let twin_stats = Some(*twin_search.stats());
        return SearchResult { outcome, stats: *search.stats(), twin_stats, observer };
    }
    let report = search.run(&mut watch, &mut observe);
    SearchResult { outcome: report.outcome, stats: report.stats, twin_stats: None, observer }
}

/// The digits of a board of nine cells as a decimal number.
fn digits<A: Arrangement>(state: &A) -> u64 {
    (0..9).map(Cell::new).fold(0, |number, cell| 10 * number + u64::from(state.tile(cell).number()))
}

/// Replays the moves: the states from the start to the goal. Fails if the moves do not solve the
/// instance.
fn steps(
    instance: &Instance,
    heuristic: CourseHeuristic,
    moves: &Moves,
) -> Result<Vec<PathStep>, SolveError> {
    let broken = || SolveError::Broken { start: instance.start().clone() };
    let boards: Vec<Board> = moves.boards(instance.start()).map_err(|_| broken())?.collect();
    if boards.last() != Some(instance.goal()) {
        return Err(broken());
    }
    let slid = |at: usize| {
        let slide = *moves.slides().get(at.checked_sub(1)?)?;
        // The moved tile is now where the blank was.
        Some((slide, boards[at].tile(boards[at - 1].blank())))
    };
    let step = |(at, board): (usize, &Board)| PathStep {
        board: board.clone(),
        slid: slid(at),
        g: at as Cost,
        h: heuristic.estimate(board, instance.goal()),
    };
    Ok(boards.iter().enumerate().map(step).collect())
}

/// Why a course program has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// The input file is not valid for the course.
    Read(ReadError),
    /// The library failed.
    Solve(SolveError),
}

impl From<SolveError> for RunError {
    fn from(error: SolveError) -> RunError {
        RunError::Solve(error)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Read(error) => error.fmt(f),
            RunError::Solve(error) => error.fmt(f),
        }
    }
}

impl Error for RunError {}
