//! Boards as somebody wishes them: random, of an exact length, with one solution, of some effort.
//!
//! Random boards are true random boards, each equally likely. Boards of an exact length are equally
//! likely too where all of them can be known (up to 12 cells); beyond, they are found by a guided
//! search, which is exact in the length but prefers no one can say which of them.

mod exact_length;

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;
use std::ops::{ControlFlow, RangeInclusive};

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Board, Goal, Instance, Random};
use npuzzle_tables::{FullSpace, Level};

use crate::all_optimal::Count;
use crate::limits::Clock;
use crate::options::{Algorithm, HeuristicChoice, Limits, Options};
use crate::plan::PlanError;
use crate::report::{Answer, Report};
use crate::solver::SolveError;
use crate::tables::cache::Tables;
use crate::tables::canonical::CanonicalForm;
use crate::tables::full::FullTable;

/// What boards are to be like.
///
/// ```
/// use npuzzle::teaching::{Generator, GenerateSpec};
/// use npuzzle::{Goal, Random};
/// let goal = Goal::Last.board("3x3".parse()?).expect("a named goal fits every size");
/// let wish = GenerateSpec { moves: Some(31..=31), ..GenerateSpec::any(goal) };
/// let made = Generator::new(wish)?.make(&mut Random::new(1), &mut ())?;
/// assert_eq!(made.report.and_then(|report| report.upper_bound()), Some(31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GenerateSpec {
    /// The goal, which is of the size of the boards.
    pub goal: Board,
    /// Whether they can reach it.
    pub is_solvable: bool,
    /// How many moves a shortest solution takes, in the metric of the options.
    pub moves: Option<RangeInclusive<Cost>>,
    /// Whether there is to be one shortest solution alone.
    pub is_unique: bool,
    /// How many states the algorithm and heuristic of the options are to expand.
    pub expanded: Option<RangeInclusive<u64>>,
    /// The metric, the algorithm that expands, and the limits for each board that is made.
    pub options: Options,
}

impl GenerateSpec {
    /// Any board that can reach a goal.
    pub fn any(goal: Board) -> GenerateSpec {
        GenerateSpec {
            goal,
            is_solvable: true,
            moves: None,
            is_unique: false,
            expanded: None,
            options: Options::default(),
        }
    }

    /// Whether it takes solving to know that a board is as wished.
    fn asks_for_answers(&self) -> bool {
        self.moves.is_some() || self.is_unique || self.expanded.is_some()
    }
}

/// A board as wished.
///
/// ```
/// use npuzzle::teaching::{Generator, GenerateSpec};
/// use npuzzle::Random;
/// let wish = GenerateSpec { moves: Some(6..=6), ..GenerateSpec::any("1 2/3 0".parse()?) };
/// let made = Generator::new(wish)?.make(&mut Random::new(1), &mut ())?;
/// assert_eq!(made.report.and_then(|report| report.upper_bound()), Some(6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generated {
    /// The board.
    pub instance: Instance,
    /// A shortest solution, if it took one to know that the board is as wished.
    pub report: Option<Report>,
}

/// Makes boards as wished, one after the other.
///
/// ```
/// use npuzzle::teaching::{Generator, GenerateSpec};
/// use npuzzle::{Goal, Random};
/// let goal = Goal::Last.board("4x4".parse()?).expect("a named goal fits every size");
/// let mut generator = Generator::new(GenerateSpec::any(goal))?;
/// let mut random = Random::new(1);
/// assert_ne!(generator.make(&mut random, &mut ())?.instance, generator.make(&mut random, &mut ())?.instance);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Generator {
    wish: GenerateSpec,
    tables: Tables,
    /// All boards of a length, by lengths asked for before.
    levels: Vec<(Cost, Level)>,
    /// Which boards of a length have been drawn since the [start](Generator::start_over).
    drawn: HashMap<Cost, HashSet<u64>>,
    /// The longest length there is, once that is known.
    most: Option<Cost>,
}

/// Boards that are tried before it is said that there is none to be found.
const MAX_TRIES: usize = 10_000;

/// No board of a size whose hardest are known takes more moves for each of its cells.
const MOVES_PER_CELL: Cost = 10;

impl Generator {
    /// An error if no board can be like that.
    pub fn new(wish: GenerateSpec) -> Result<Generator, GenerateError> {
        if !wish.is_solvable && wish.asks_for_answers() {
            return Err(GenerateError::NoSolution);
        }
        let is_empty = wish.moves.as_ref().is_some_and(RangeInclusive::is_empty)
            || wish.expanded.as_ref().is_some_and(RangeInclusive::is_empty);
        if is_empty {
            return Err(GenerateError::Empty);
        }
        if wish.expanded.is_some() && wish.options.algorithm == Algorithm::Auto {
            return Err(GenerateError::NoAlgorithm);
        }
        Ok(Generator {
            wish,
            tables: Tables::new(),
            levels: Vec::new(),
            drawn: HashMap::new(),
            most: None,
        })
    }

    /// Uses these tables.
    pub fn with_tables(self, tables: Tables) -> Generator {
        Generator { tables, ..self }
    }

    /// Forgets which boards have been made.
    pub fn start_over(&mut self) {
        self.drawn.clear();
    }

    /// Makes a board. It hangs on the wish, the state of `random` and the boards made since the
    /// [start](Generator::start_over) alone, as long as no limit of time is reached: where all boards
    /// of a length can be known, none is made again before each of them has been.
    pub fn make(
        &mut self,
        random: &mut Random,
        watch: &mut dyn Watch,
    ) -> Result<Generated, GenerateError> {
        let limit = self.wish.options.limits.time;
        let mut clock = Clock::start(limit, watch);
        if !self.wish.asks_for_answers() {
            let instance = random.instance(&self.wish.goal, self.wish.is_solvable);
            return Ok(Generated { instance, report: None });
        }
        let mut n_tries = 0;
        loop {
            if let ControlFlow::Break(limit) = clock.poll(&Stats::default()) {
                return Err(GenerateError::Limit(limit));
            }
            if let Some((length, n_boards)) = self.tried_all(n_tries) {
                return Err(GenerateError::None { length, n_boards });
            }
            if n_tries == MAX_TRIES {
                return Err(GenerateError::NotFound { n_tries });
            }
            n_tries += 1;
            let Some((instance, known)) = self.candidate(random, &mut clock)? else { continue };
            let report = match known.filter(|_| !self.wish.is_unique) {
                Some(report) => report,
                None => self.solve(&instance, self.wish.is_unique, &mut clock)?,
            };
            if self.is_as_wished(&report, &mut clock)? {
                return Ok(Generated { instance, report: Some(report) });
            }
        }
    }

    /// The length asked for and how many boards it has, if each of them has been among so many tries.
    fn tried_all(&self, n_tries: usize) -> Option<(Cost, u64)> {
        let length = self.wish.moves.as_ref().filter(|lengths| lengths.start() == lengths.end())?;
        let (length, level) = self.levels.iter().find(|(known, _)| known == length.start())?;
        // None comes twice before each has come; the first tries may end what an earlier wish began.
        (n_tries as u64 >= 2 * level.len()).then(|| (*length, level.len()))
    }

    /// A board that may be as wished, and its solution if that is known by now.
    fn candidate(
        &mut self,
        random: &mut Random,
        clock: &mut Clock<'_>,
    ) -> Result<Option<(Instance, Option<Report>)>, GenerateError> {
        let Some(lengths) = self.wish.moves.clone() else {
            let instance = match self.wish.expanded.clone() {
                Some(expanded) => self.of_effort(&expanded, random, clock)?,
                None => Some(random.instance(&self.wish.goal, true)),
            };
            return Ok(instance.map(|instance| (instance, None)));
        };
        let n_cells = self.wish.goal.dims().cells();
        // Lengths that there are not are drawn and refused, so that a board does not hang on what is
        // known by now; those far beyond are not even drawn.
        let end = *lengths.end().min(lengths.start().max(&(MOVES_PER_CELL * n_cells as Cost)));
        loop {
            let n_lengths = u64::from(end - lengths.start()) + 1;
            let length = lengths.start() + random.below(n_lengths) as Cost;
            if self.most.is_some_and(|most| *lengths.start() <= most && length > most) {
                continue;
            }
            let made = if n_cells <= FullTable::MAX_CELLS {
                self.of_length(length, random, clock).map(|instance| (instance, None))
            } else {
                exact_length::of_length(self, length, random, clock)
            };
            match made {
                Err(GenerateError::TooLong { most, .. }) if *lengths.start() <= most => {
                    self.most = Some(most);
                }
                made => return made.map(Some),
            }
        }
    }

    /// A board of this length, each equally likely, where all of them can be known.
    fn of_length(
        &mut self,
        length: Cost,
        random: &mut Random,
        clock: &mut Clock<'_>,
    ) -> Result<Instance, GenerateError> {
        let (goal, metric) = (&self.wish.goal, self.wish.options.metric);
        let (Some(space), Some(frame)) = (FullTable::space(goal, metric), CanonicalForm::new(goal))
        else {
            unreachable!("there are tables for boards of up to 12 cells")
        };
        if !self.levels.iter().any(|(known, _)| *known == length) {
            let n_threads = self.wish.options.resources().threads;
            self.make_room(space, n_threads)?;
            let (goal, metric) = (&self.wish.goal, self.wish.options.metric);
            let level = Level::search(space, length as usize, n_threads, clock);
            let Some(level) = level.map_err(GenerateError::Limit)? else {
                let table = self.tables.full_within(goal, metric, &self.wish.options, clock);
                let table = table.map_err(GenerateError::Limit)?;
                let most = table.map_or(0, |table| table.census().len() as Cost - 1);
                return Err(GenerateError::TooLong { length, most });
            };
            self.levels.push((length, level));
        }
        let level = self.levels.iter().find(|(known, _)| *known == length).map(|(_, level)| level);
        let drawn = self.drawn.entry(length).or_default();
        let labels = level.and_then(|level| {
            if drawn.len() as u64 >= level.len() {
                drawn.clear();
            }
            loop {
                let place = random.below(level.len());
                if drawn.insert(place) {
                    return level.labels(place);
                }
            }
        });
        match labels.and_then(|labels| frame.board(&labels)) {
            Some(start) => Ok(self.instance(start)),
            None => unreachable!("a level has boards of its size"),
        }
    }

    /// Forgets levels until there is memory to search for another one.
    fn make_room(&mut self, space: FullSpace, n_threads: usize) -> Result<(), GenerateError> {
        let Some(most) = self.wish.options.limits.memory else { return Ok(()) };
        let n_bytes =
            |n_levels: usize| space.build_bytes(n_threads) + (n_levels + 1) * space.level_bytes();
        while n_bytes(self.levels.len()) as u64 > most {
            self.levels.pop().ok_or(GenerateError::Limit(Limit::Memory))?;
        }
        Ok(())
    }

    /// A board whose search expands so many states; `None` if it is not to be had this time.
    ///
    /// From far to near, boards on the way home take less and less effort, by and large: so the
    /// place is found by halving.
    fn of_effort(
        &mut self,
        expanded: &RangeInclusive<u64>,
        random: &mut Random,
        clock: &mut Clock<'_>,
    ) -> Result<Option<Instance>, GenerateError> {
        let goal = self.wish.goal.clone();
        let way = if goal.dims().cells() <= 16 {
            let report = self.solve(&random.instance(&goal, true), false, clock)?;
            let boards = report.moves().map(|moves| moves.boards(report.instance.start()));
            boards.and_then(Result::ok).map(Iterator::collect).unwrap_or_default()
        } else {
            // Random boards of this size are too hard for a shortest way.
            let mut way = Vec::new();
            random.walk_through(&goal, 100, |board| way.push(board.clone()));
            way.reverse();
            way
        };
        let (mut far, mut near) = (0, way.len());
        while far < near {
            let at = far.midpoint(near);
            let instance = self.instance(way[at].clone());
            match self.effort(&instance, *expanded.end(), clock)? {
                Some(n) if expanded.contains(&n) => return Ok(Some(instance)),
                Some(n) if n < *expanded.start() => near = at,
                _ => far = at + 1,
            }
        }
        Ok(None)
    }

    fn instance(&self, start: Board) -> Instance {
        match Instance::new(start, &Goal::Board(self.wish.goal.clone())) {
            Ok(instance) => instance,
            Err(error) => unreachable!("both are of one size: {error}"),
        }
    }

    /// How many states the algorithm in question expands; `None` if more than `most`.
    fn effort(
        &mut self,
        instance: &Instance,
        most: u64,
        clock: &mut Clock<'_>,
    ) -> Result<Option<u64>, GenerateError> {
        let limits =
            Limits { time: None, nodes: Some(most.saturating_add(1)), ..self.wish.options.limits };
        let options = Options { limits, all: None, ..self.wish.options.clone() };
        let report = options.solve_with(instance, &mut self.tables, clock)?;
        match report.answer {
            Answer::Solved(_) => Ok(Some(report.stats.expanded)),
            Answer::Stopped(Limit::Nodes) => Ok(None),
            Answer::Stopped(limit) => Err(GenerateError::Limit(limit)),
            Answer::Unsolvable => Ok(None),
        }
    }

    /// A shortest solution, proved; with the number of all of them if asked for.
    fn solve(
        &mut self,
        instance: &Instance,
        counts_all: bool,
        clock: &mut Clock<'_>,
    ) -> Result<Report, GenerateError> {
        let options = Options {
            algorithm: Algorithm::Auto,
            heuristic: HeuristicChoice::Auto,
            weight: None,
            all: counts_all.then_some(0),
            optimal: true,
            limits: Limits { time: None, nodes: None, ..self.wish.options.limits },
            ..self.wish.options.clone()
        };
        let report = options.solve_with(instance, &mut self.tables, clock)?;
        match report.answer {
            Answer::Stopped(limit) => Err(GenerateError::Limit(limit)),
            Answer::Solved(_) | Answer::Unsolvable => Ok(report),
        }
    }

    fn is_as_wished(
        &mut self,
        report: &Report,
        clock: &mut Clock<'_>,
    ) -> Result<bool, GenerateError> {
        let length = report.upper_bound().filter(|_| report.is_optimal());
        let has_length =
            |lengths: &RangeInclusive<Cost>| length.is_some_and(|length| lengths.contains(&length));
        let is_one =
            report.optimal_solutions.as_ref().is_some_and(|all| all.count == Count::Exactly(1));
        if !self.wish.moves.as_ref().is_none_or(has_length) || self.wish.is_unique && !is_one {
            return Ok(false);
        }
        let Some(expanded) = self.wish.expanded.clone() else { return Ok(true) };
        let n_expanded = self.effort(&report.instance, *expanded.end(), clock)?;
        Ok(n_expanded.is_some_and(|n| expanded.contains(&n)))
    }
}

/// Why there is no board as wished.
///
/// ```
/// use npuzzle::teaching::{Generator, GenerateSpec, GenerateError};
/// use npuzzle::Random;
/// let wish = GenerateSpec { moves: Some(99..=99), ..GenerateSpec::any("1 2/3 0".parse()?) };
/// let none = Generator::new(wish)?.make(&mut Random::new(1), &mut ());
/// assert_eq!(none.err(), Some(GenerateError::TooLong { length: 99, most: 6 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GenerateError {
    /// A board without a solution has no length, no effort and no number of solutions.
    NoSolution,
    /// A range from more to less.
    Empty,
    /// States are to be counted, but it is not said of which algorithm.
    NoAlgorithm,
    /// No board is so far from the goal.
    TooLong {
        /// The length that was asked for.
        length: Cost,
        /// The longest there is.
        most: Cost,
    },
    /// There is none: all boards of the length were tried.
    None {
        /// The length that was asked for.
        length: Cost,
        /// How many boards there are of that length.
        n_boards: u64,
    },
    /// The guided search has found none.
    NotFound {
        /// How many boards it has tried.
        n_tries: usize,
    },
    /// A limit was reached.
    Limit(Limit),
    /// What was asked of the algorithm cannot be done.
    Plan(PlanError),
    /// A solution did not stand its replay.
    Broken(SolveError),
}

impl From<SolveError> for GenerateError {
    fn from(error: SolveError) -> GenerateError {
        match error {
            SolveError::Plan(error) => GenerateError::Plan(error),
            broken => GenerateError::Broken(broken),
        }
    }
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateError::NoSolution => f.write_str(
                "a board without a solution has no length, no effort and no number of solutions",
            ),
            GenerateError::Empty => f.write_str("a range goes from less to more"),
            GenerateError::NoAlgorithm => {
                f.write_str("states are expanded by an algorithm: say which one")
            }
            GenerateError::TooLong { length, most } => {
                write!(f, "no board of this size takes {length} moves; the hardest take {most}")
            }
            GenerateError::None { length, n_boards } => {
                write!(f, "none of the {n_boards} boards of {length} moves is as wished")
            }
            GenerateError::NotFound { n_tries } => {
                write!(f, "none found among {n_tries} boards: ask for less")
            }
            GenerateError::Limit(limit) => write!(f, "none found before the limit: {limit}"),
            GenerateError::Plan(error) => error.fmt(f),
            GenerateError::Broken(error) => error.fmt(f),
        }
    }
}

impl Error for GenerateError {}
