//! Generates boards: random ones, and ones with a given length, a unique solution or a given search
//! effort.
//!
//! Random boards are uniformly distributed. Boards of an exact length are uniformly distributed if
//! they can be enumerated, that is with up to 12 cells. Larger ones come from a guided search, which
//! guarantees the length but not the distribution.

mod enumerated;
mod error;
mod exact_length;
mod search_effort;

use std::ops::{ControlFlow, RangeInclusive};

use npuzzle_core::search::{Cost, Stats, Watch};
use npuzzle_core::{Board, Instance, Random};

use crate::all_optimal::Count;
use crate::limits::Clock;
use crate::options::{Algorithm, HeuristicChoice, Limits, Options};
use crate::report::{Answer, Report};
use crate::tables::cache::Tables;
use crate::tables::full::FullTable;
use crate::teaching::same_size;

use enumerated::Levels;

pub use error::GenerateError;

/// The specification of the boards to generate.
///
/// ```
/// use npuzzle::teaching::{Generator, GenerateSpec};
/// use npuzzle::{Goal, Random};
/// let goal = Goal::Last.board("3x3".parse()?).expect("a named goal fits every size");
/// let spec = GenerateSpec { moves: Some(31..=31), ..GenerateSpec::any(goal) };
/// let generated = Generator::new(spec)?.generate(&mut Random::new(1), &mut ())?;
/// assert_eq!(generated.report.and_then(|report| report.upper_bound()), Some(31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GenerateSpec {
    /// The goal. Its size is the size of the boards.
    pub goal: Board,
    /// Whether the boards can reach the goal.
    pub is_solvable: bool,
    /// The length of a shortest solution, in the metric of the options.
    pub moves: Option<RangeInclusive<Cost>>,
    /// Whether there must be only one shortest solution.
    pub is_unique: bool,
    /// The number of states that the algorithm and heuristic of the options expand.
    pub expanded: Option<RangeInclusive<u64>>,
    /// The metric, the algorithm and heuristic of `expanded`, and the limits for each board.
    pub options: Options,
}

impl GenerateSpec {
    /// Returns the specification of any board that can reach a goal.
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

    /// Returns whether a board must be solved to see that it fits.
    fn needs_solution(&self) -> bool {
        self.moves.is_some() || self.is_unique || self.expanded.is_some()
    }
}

/// A generated board.
///
/// ```
/// use npuzzle::teaching::{Generator, GenerateSpec};
/// use npuzzle::Random;
/// let spec = GenerateSpec { moves: Some(6..=6), ..GenerateSpec::any("1 2/3 0".parse()?) };
/// let generated = Generator::new(spec)?.generate(&mut Random::new(1), &mut ())?;
/// assert_eq!(generated.report.and_then(|report| report.upper_bound()), Some(6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generated {
    /// The board with its goal.
    pub instance: Instance,
    /// A shortest solution, if the specification required one.
    pub report: Option<Report>,
}

/// Generates boards that fit a specification.
///
/// ```
/// use npuzzle::teaching::{Generator, GenerateSpec};
/// use npuzzle::{Goal, Random};
/// let goal = Goal::Last.board("4x4".parse()?).expect("a named goal fits every size");
/// let mut generator = Generator::new(GenerateSpec::any(goal))?;
/// let mut random = Random::new(1);
/// let first = generator.generate(&mut random, &mut ())?;
/// let second = generator.generate(&mut random, &mut ())?;
/// assert_ne!(first.instance, second.instance);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Generator {
    spec: GenerateSpec,
    tables: Tables,
    levels: Levels,
    /// The length of the hardest boards, once it is known.
    max_length: Option<Cost>,
}

/// The number of boards tried before the generator gives up.
const MAX_TRIES: usize = 10_000;

/// An upper bound on the moves per cell, over all sizes whose hardest boards are known.
const MOVES_PER_CELL: Cost = 10;

impl Generator {
    /// Returns a generator.
    ///
    /// # Errors
    ///
    /// The specification is contradictory, so that no board can fit it.
    pub fn new(spec: GenerateSpec) -> Result<Generator, GenerateError> {
        if !spec.is_solvable && spec.needs_solution() {
            return Err(GenerateError::NoSolution);
        }
        let is_empty = spec.moves.as_ref().is_some_and(RangeInclusive::is_empty)
            || spec.expanded.as_ref().is_some_and(RangeInclusive::is_empty);
        if is_empty {
            return Err(GenerateError::EmptyRange);
        }
        if spec.expanded.is_some() && spec.options.algorithm == Algorithm::Auto {
            return Err(GenerateError::NoAlgorithm);
        }
        Ok(Generator { spec, tables: Tables::new(), levels: Levels::default(), max_length: None })
    }

    /// Uses these tables.
    pub fn with_tables(self, tables: Tables) -> Generator {
        Generator { tables, ..self }
    }

    /// Forgets which boards have been generated.
    pub fn reset(&mut self) {
        self.levels.reset();
    }

    /// Generates a board.
    ///
    /// The board depends only on the specification, the state of `random`, and the boards generated
    /// since the last [`reset`](Generator::reset), unless the time limit is reached. If the boards of
    /// a length can be enumerated, none repeats until all have been used. `watch` can stop the search.
    ///
    /// # Errors
    ///
    /// No board fits the specification, none was found, or a limit was reached.
    pub fn generate(
        &mut self,
        random: &mut Random,
        watch: &mut dyn Watch,
    ) -> Result<Generated, GenerateError> {
        let mut clock = Clock::start(self.spec.options.limits.time, watch);
        if !self.spec.needs_solution() {
            let instance = random.instance(&self.spec.goal, self.spec.is_solvable);
            return Ok(Generated { instance, report: None });
        }
        let mut n_tries = 0;
        loop {
            if let ControlFlow::Break(limit) = clock.poll(&Stats::default()) {
                return Err(GenerateError::Limit(limit));
            }
            if let Some((length, n_boards)) = self.exhausted_length(n_tries) {
                return Err(GenerateError::NoMatch { length, n_boards });
            }
            if n_tries == MAX_TRIES {
                return Err(GenerateError::NotFound { n_tries });
            }
            n_tries += 1;
            let Some((instance, known)) = self.candidate(random, &mut clock)? else { continue };
            let report = match known.filter(|_| !self.spec.is_unique) {
                Some(report) => report,
                None => self.solve(&instance, self.spec.is_unique, &mut clock)?,
            };
            if self.fits(&report, &mut clock)? {
                return Ok(Generated { instance, report: Some(report) });
            }
        }
    }

    /// Returns the requested length and the number of its boards, if `n_tries` tries have certainly
    /// drawn each of them.
    fn exhausted_length(&self, n_tries: usize) -> Option<(Cost, u64)> {
        let lengths = self.spec.moves.as_ref()?;
        let length = *lengths.start();
        let n_boards = self.levels.n_boards(length).filter(|_| length == *lengths.end())?;
        // The first tries may finish a round of draws that an earlier call has started.
        (n_tries as u64 >= 2 * n_boards).then_some((length, n_boards))
    }

    /// Returns a board that may fit, and its solution if that is already known. `None` if this try
    /// found no board.
    fn candidate(
        &mut self,
        random: &mut Random,
        clock: &mut Clock<'_>,
    ) -> Result<Option<(Instance, Option<Report>)>, GenerateError> {
        if let Some(lengths) = self.spec.moves.clone() {
            return self.candidate_of_length(&lengths, random, clock).map(Some);
        }
        let instance = match self.spec.expanded.clone() {
            Some(expanded) => search_effort::board_of_effort(self, &expanded, random, clock)?,
            None => Some(random.instance(&self.spec.goal, true)),
        };
        Ok(instance.map(|instance| (instance, None)))
    }

    /// Draws a length from the range and returns a board of that length.
    fn candidate_of_length(
        &mut self,
        lengths: &RangeInclusive<Cost>,
        random: &mut Random,
        clock: &mut Clock<'_>,
    ) -> Result<(Instance, Option<Report>), GenerateError> {
        let min_length = *lengths.start();
        let n_cells = self.spec.goal.dims().cells();
        // Lengths beyond the hardest boards are drawn and rejected, so that the result does not
        // depend on what the generator knows already. Lengths far beyond are not drawn at all.
        let end = *lengths.end().min(&min_length.max(MOVES_PER_CELL * n_cells as Cost));
        loop {
            let n_lengths = u64::from(end - min_length) + 1;
            let length = min_length + random.below(n_lengths) as Cost;
            if self.max_length.is_some_and(|max| min_length <= max && length > max) {
                continue;
            }
            let found = if n_cells <= FullTable::MAX_CELLS {
                let board = enumerated::board_of_length(self, length, random, clock);
                board.map(|instance| (instance, None))
            } else {
                exact_length::board_of_length(self, length, random, clock)
            };
            match found {
                Err(GenerateError::TooLong { max_length, .. }) if min_length <= max_length => {
                    self.max_length = Some(max_length);
                }
                // The shortest length of the range, not the one that was drawn.
                Err(GenerateError::TooLong { max_length, .. }) => {
                    return Err(GenerateError::TooLong { length: min_length, max_length });
                }
                found => return found,
            }
        }
    }

    fn instance(&self, start: Board) -> Instance {
        same_size::instance(start, &self.spec.goal)
    }

    /// Finds a proved shortest solution, and counts all of them if `counts_all`.
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
            bound: None,
            limits: Limits { time: None, nodes: None, ..self.spec.options.limits },
            ..self.spec.options.clone()
        };
        let report = options.solve_with(instance, &mut self.tables, clock)?;
        match report.answer {
            Answer::Stopped(limit) => Err(GenerateError::Limit(limit)),
            Answer::Solved(_) | Answer::Unsolvable => Ok(report),
        }
    }

    /// Returns whether a solved board fits the specification.
    fn fits(&mut self, report: &Report, clock: &mut Clock<'_>) -> Result<bool, GenerateError> {
        let length = report.upper_bound().filter(|_| report.is_optimal());
        let has_length =
            |lengths: &RangeInclusive<Cost>| length.is_some_and(|length| lengths.contains(&length));
        let is_unique =
            report.optimal_solutions.as_ref().is_some_and(|all| all.count == Count::Exactly(1));
        if !self.spec.moves.as_ref().is_none_or(has_length) || self.spec.is_unique && !is_unique {
            return Ok(false);
        }
        let Some(expanded) = self.spec.expanded.clone() else { return Ok(true) };
        let n = search_effort::n_expanded(self, &report.instance, *expanded.end(), clock)?;
        Ok(n.is_some_and(|n| expanded.contains(&n)))
    }
}
