//! Runs a course's search.

use std::error::Error;
use std::fmt;

use npuzzle::search::Clock;
use npuzzle::{Answer, Limits, Options, SolveError, Tables};
use npuzzle_core::heuristic::{LinearConflict, Manhattan, Misplaced};
use npuzzle_core::queue::ArrayHeap;
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Evaluation, Event, Heuristic, Limit, LockstepOutcome, Outcome,
    Settings, Stats, Watch, twin_lockstep,
};
use npuzzle_core::{
    Arrangement, Board, Cell, ChainedTable, Instance, Moves, Packed, Slide, Sliding, Tile,
};

use crate::course::{Course, Detect, Priority, ReadError, Search, Visited};

/// What a course's search has come to.
#[derive(Clone, Debug)]
pub struct CourseRun {
    /// The text that was read.
    pub text: String,
    /// The puzzle.
    pub instance: Instance,
    /// How it ended.
    pub ending: Ending,
    /// What was counted.
    pub stats: Stats,
    /// What was counted in the search of the twin, if there was one.
    pub twin_stats: Option<Stats>,
    /// The first five states that left the queue.
    pub first: Vec<Step>,
    /// The most states that were held at once, open and closed.
    pub max_states: u64,
}

/// How a course's search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With the states from the start to the goal.
    Solved(Vec<Step>),
    /// There is no solution.
    Unsolvable,
    /// A limit was reached; no solution has fewer moves than the number known, if any.
    Stopped(Limit, Option<Cost>),
}

/// A state on the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The board.
    pub board: Board,
    /// The slide that led here, and its tile; none at the start.
    pub slid: Option<(Slide, Tile)>,
    /// Moves from the start.
    pub g: Cost,
    /// The course's estimate.
    pub h: Cost,
}

/// Reads a text as the course does and runs its search.
pub fn run(course: &Course, text: &str, watch: &mut dyn Watch) -> Result<CourseRun, RunError> {
    let instance = (course.read)(text).map_err(RunError::Read)?;
    let (search, limits) = (course.search, course.limits);
    let found = match search {
        Search::Free => free(&instance, limits, watch)?,
        Search::BestFirst { detect: Detect::Parity, .. } if !instance.is_solvable() => {
            Found::unseen(Outcome::Unsolvable, Stats::default())
        }
        Search::BestFirst { heuristic: Priority::Misplaced, .. } => {
            best_first(&instance, &Misplaced::new(instance.goal()), search, limits, watch)
        }
        Search::BestFirst { heuristic: Priority::Manhattan, .. } => {
            best_first(&instance, &Manhattan::new(instance.goal()), search, limits, watch)
        }
        Search::BestFirst { heuristic: Priority::LinearConflict, .. } => {
            best_first(&instance, &LinearConflict::new(instance.goal()), search, limits, watch)
        }
    };
    let ending = match found.ending {
        Outcome::Solved(slides) => Ending::Solved(steps(&instance, search, &slides.into())?),
        Outcome::Unsolvable => Ending::Unsolvable,
        Outcome::Stopped { limit, frontier } => {
            // The keys of a greedy search say nothing about lengths, and 0 is no news.
            let is_greedy =
                matches!(search, Search::BestFirst { evaluation: Evaluation::Greedy, .. });
            Ending::Stopped(limit, Some(frontier).filter(|&n| n > 0 && !is_greedy))
        }
    };
    let Found { stats, twin_stats, onlooker: Onlooker { first, max_states, .. }, .. } = found;
    Ok(CourseRun { text: text.to_owned(), instance, ending, stats, twin_stats, first, max_states })
}

struct Found {
    ending: Outcome<Slide>,
    stats: Stats,
    twin_stats: Option<Stats>,
    onlooker: Onlooker,
}

impl Found {
    /// Nobody looked on.
    fn unseen(ending: Outcome<Slide>, stats: Stats) -> Found {
        Found { ending, stats, twin_stats: None, onlooker: Onlooker::default() }
    }
}

/// What courses show of a search beyond its statistics.
#[derive(Default)]
struct Onlooker {
    first: Vec<Step>,
    n_states: u64,
    max_states: u64,
    /// The cost of the node that left the queue last.
    popped: Option<Cost>,
}

impl Onlooker {
    fn see<A: Arrangement>(&mut self, problem: &Sliding<A>, event: &Event<'_, Sliding<A>>) {
        match event {
            Event::Push(_) => {
                self.n_states += 1;
                self.max_states = self.max_states.max(self.n_states);
            }
            Event::Pop(node) => {
                self.popped = Some(node.g);
                if self.first.len() < 5 {
                    let board = node.state.to_board(problem.dims());
                    self.first.push(Step { board, slid: None, g: node.g, h: node.h });
                }
            }
            // The node itself, not one of its children.
            Event::Duplicate(node) if self.popped == Some(node.g) => self.n_states -= 1,
            Event::Duplicate(_) => {}
        }
    }
}

/// The library's own choice of a search.
fn free(instance: &Instance, limits: Limits, watch: &mut dyn Watch) -> Result<Found, RunError> {
    let options = Options { limits, optimal: true, ..Options::default() };
    let report = options.solve_with(instance, &mut Tables::new(), watch)?;
    let ending = match report.answer {
        Answer::Solved(moves) => Outcome::Solved(moves.slides().to_vec()),
        Answer::Unsolvable => Outcome::Unsolvable,
        Answer::Stopped(limit) => {
            Outcome::Stopped { limit, frontier: report.lower_bound.unwrap_or(0) }
        }
    };
    Ok(Found::unseen(ending, report.stats))
}

/// The course's own search, on words where the board fits into one.
fn best_first<H>(
    instance: &Instance,
    heuristic: &H,
    search: Search,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Found
where
    H: Heuristic<Sliding<Packed>> + Heuristic<Sliding<Board>>,
{
    match Sliding::<Packed>::new(instance) {
        Some(problem) => best_first_on(instance, &problem, heuristic, search, limits, watch),
        None => match Sliding::<Board>::new(instance) {
            Some(problem) => best_first_on(instance, &problem, heuristic, search, limits, watch),
            None => unreachable!("a board is an arrangement of itself"),
        },
    }
}

fn best_first_on<A: Arrangement, H: Heuristic<Sliding<A>>>(
    instance: &Instance,
    problem: &Sliding<A>,
    heuristic: &H,
    search: Search,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Found {
    let Search::BestFirst { evaluation, duplicates, visited, detect, .. } = search else {
        unreachable!("a free search is the library's")
    };
    let mut clock = Clock::start(limits.time, watch);
    // Two searches in lockstep share what there is.
    let share = |limit: u64| if detect == Detect::Lockstep { limit.div_ceil(2) } else { limit };
    let (nodes, bytes) = (limits.nodes.map(share), limits.memory.map(share));
    let budget = Budget { nodes, bytes, ..Budget::NONE };
    let settings = Settings { evaluation, duplicates, budget };
    let mut onlooker = Onlooker::default();
    let mut look_on = |event: Event<'_, Sliding<A>>| onlooker.see(problem, &event);
    let new_search = |problem| match visited {
        Visited::Growing => BestFirst::<_, _, ArrayHeap<_, _>>::new(problem, heuristic, settings),
        Visited::Digits { n_buckets } => {
            let table = ChainedTable::with_buckets(n_buckets);
            BestFirst::with_table(problem, heuristic, settings, table, digits::<A>)
        }
    };
    let mut search = new_search(problem);
    if detect == Detect::Lockstep
        && let Some(twin) = Sliding::<A>::new(&instance.twin())
    {
        let mut other = new_search(&twin);
        let ending = match twin_lockstep(&mut search, &mut other, &mut clock, &mut look_on) {
            LockstepOutcome::First => Outcome::Solved(search.path()),
            LockstepOutcome::Second => Outcome::Unsolvable,
            // While both run, nobody knows whether there is anything to bound.
            LockstepOutcome::Stopped(limit) => Outcome::Stopped { limit, frontier: 0 },
        };
        let twin_stats = Some(*other.stats());
        return Found { ending, stats: *search.stats(), twin_stats, onlooker };
    }
    let report = search.run(&mut clock, &mut look_on);
    Found { ending: report.outcome, stats: report.stats, twin_stats: None, onlooker }
}

/// The digits of a board of nine cells as one number.
fn digits<A: Arrangement>(state: &A) -> u64 {
    (0..9).map(Cell::new).fold(0, |number, cell| 10 * number + u64::from(state.tile(cell).number()))
}

/// The states from the start to the goal, which is where the last one must be.
fn steps(instance: &Instance, search: Search, moves: &Moves) -> Result<Vec<Step>, RunError> {
    let broken = || SolveError::Broken { start: instance.start().clone() };
    let boards: Vec<Board> = moves.boards(instance.start()).map_err(|_| broken())?.collect();
    if boards.last() != Some(instance.goal()) {
        return Err(broken().into());
    }
    let h = |board: &Board| match search {
        Search::BestFirst { heuristic, .. } => estimate(heuristic, board, instance.goal()),
        Search::Free => estimate(Priority::Manhattan, board, instance.goal()),
    };
    let slid = |at: usize| {
        let slide = *moves.slides().get(at.checked_sub(1)?)?;
        // The tile is now where the blank was.
        Some((slide, boards[at].tile(boards[at - 1].blank())))
    };
    let step = |(at, board): (usize, &Board)| Step {
        board: board.clone(),
        slid: slid(at),
        g: at as Cost,
        h: h(board),
    };
    Ok(boards.iter().enumerate().map(step).collect())
}

/// A course's estimate of a board.
pub(crate) fn estimate(priority: Priority, board: &Board, goal: &Board) -> Cost {
    match priority {
        Priority::Misplaced => Heuristic::<Sliding<Board>>::eval(&Misplaced::new(goal), board),
        Priority::Manhattan => Heuristic::<Sliding<Board>>::eval(&Manhattan::new(goal), board),
        Priority::LinearConflict => {
            let conflicts = LinearConflict::new(goal);
            let memo = Heuristic::<Sliding<Board>>::eval(&conflicts, board);
            Heuristic::<Sliding<Board>>::value(&conflicts, &memo)
        }
    }
}

/// Why a course program has nothing to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// The file does not hold what the course asks for.
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
