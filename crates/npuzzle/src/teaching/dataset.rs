//! Datasets of tasks for models that reason: boards of exact distances with prompts, shortest solutions and all optimal
//! first moves, in splits that share no board.
//!
//! `split` has the request for one split, `strata` decides how many boards of each distance a split gets, `symmetry`
//! finds boards that are mirror images, and `prompt` writes the text of a task.

mod error;
mod prompt;
mod split;
mod strata;
mod symmetry;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ops::RangeInclusive;

use npuzzle_core::search::{Cost, Watch};
use npuzzle_core::{Board, Instance, Metric, Moves, Notation, Random};

use super::exact_distance::ExactDistances;
use super::generate::{GenerateSpec, Generated, Generator};
use super::same_size;
use crate::limits::Clock;
use crate::options::{Limits, Options};
use crate::tables::cache::Tables;
use crate::tables::full::FullTable;

pub use error::DatasetError;
pub use prompt::{PromptTemplate, TemplateError};
pub use split::SplitSpec;

use strata::Stratum;
use symmetry::Symmetries;

/// The specification of a dataset.
///
/// ```
/// use npuzzle::teaching::{Dataset, DatasetSpec};
/// let spec = DatasetSpec {
///     splits: vec!["test=2".parse()?, "train=4@1..3".parse()?],
///     ..DatasetSpec::new("1 2/3 0".parse()?)
/// };
/// let mut dataset = Dataset::new(spec)?;
/// while let Some(task) = dataset.next_task(&mut ())? {
///     println!("{}: {}, {} moves", task.split, task.puzzle.start().slash(), task.distance);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DatasetSpec {
    /// The goal. Its size is the size of the boards.
    pub goal: Board,
    /// The metric of the distances.
    pub metric: Metric,
    /// The distances of the boards; by default all of them up to 12 cells, and 1 to 30 on larger boards.
    pub distances: Option<RangeInclusive<Cost>>,
    /// The splits, in the order in which they draw their boards. A larger last split leaves the others unchanged.
    pub splits: Vec<SplitSpec>,
    /// The seed. The same specification and seed give the same tasks.
    pub seed: u64,
    /// The notation of moves, which the prompt states.
    pub notation: Notation,
    /// The prompt.
    pub template: PromptTemplate,
    /// Whether no two boards may be mirror images of each other, so that none can be solved by reflecting another.
    pub is_up_to_symmetry: bool,
    /// The limits for each board.
    pub limits: Limits,
}

impl DatasetSpec {
    /// Returns the specification of a dataset without splits.
    pub fn new(goal: Board) -> DatasetSpec {
        DatasetSpec {
            goal,
            metric: Metric::default(),
            distances: None,
            splits: Vec::new(),
            seed: 0,
            notation: Notation::default(),
            template: PromptTemplate::default(),
            is_up_to_symmetry: false,
            limits: Limits::default(),
        }
    }
}

/// A task: a board with its prompt and its answers.
///
/// ```
/// use npuzzle::teaching::{Dataset, DatasetSpec};
/// let splits = vec!["all=1@6..6".parse()?];
/// let spec = DatasetSpec { splits, ..DatasetSpec::new("1 2/3 0".parse()?) };
/// let task = Dataset::new(spec)?.next_task(&mut ())?.expect("there is one task");
/// assert_eq!((task.distance, task.solution.stm(), task.first_moves.len()), (6, 6, 2));
/// assert!(task.prompt.contains("<answer>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DatasetTask {
    /// The size, the split, the distance and a number, which together are unique in the dataset.
    pub id: String,
    /// The name of the split.
    pub split: String,
    /// The board and its goal.
    pub puzzle: Instance,
    /// The metric of the distance.
    pub metric: Metric,
    /// The length of a shortest solution.
    pub distance: Cost,
    /// Every first move of a shortest solution; in the multi-tile metric a move is a straight run.
    pub first_moves: Vec<Moves>,
    /// A shortest solution.
    pub solution: Moves,
    /// The notation that the prompt asks for.
    pub notation: Notation,
    /// The text for the model.
    pub prompt: String,
    /// The seed of the dataset.
    pub seed: u64,
}

/// Makes the tasks of a dataset one by one: by increasing distance and, within a distance, split by split.
///
/// ```
/// use npuzzle::teaching::{Dataset, DatasetSpec};
/// let splits = vec!["all=11".parse()?]; // all boards except the goal
/// let mut dataset = Dataset::new(DatasetSpec { splits, ..DatasetSpec::new("1 2/3 0".parse()?) })?;
/// let tasks = std::iter::from_fn(|| dataset.next_task(&mut ()).transpose());
/// let tasks = tasks.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!((tasks.len(), tasks[10].distance), (11, 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Dataset {
    spec: DatasetSpec,
    distances: ExactDistances,
    symmetries: Option<Symmetries>,
    /// The strata that remain, the next one last. `None` before the first task.
    strata: Option<Vec<Stratum>>,
    current: Option<OpenStratum>,
}

/// The stratum whose boards are being drawn.
#[derive(Debug)]
struct OpenStratum {
    distance: Cost,
    /// The number of boards for each split.
    quotas: Vec<u64>,
    source: BoardSource,
    random: Random,
    /// The tiles of the boards drawn so far or, up to symmetry, of their representatives.
    drawn: HashSet<Vec<u16>>,
    /// The index of the split, and the number of its tasks made.
    split: usize,
    n_made: u64,
}

/// Where the boards of a distance come from.
#[derive(Debug)]
enum BoardSource {
    /// All of them that have not been drawn.
    Listed(Vec<Board>),
    /// A generator.
    Generator(Box<Generator>),
}

/// The node limit of the searches for optimal first moves. The time limit ends them earlier.
const MAX_NODES: u64 = 10_000_000_000;

/// The number of known boards that may be drawn in a row before a distance counts as exhausted. It only matters on boards
/// whose distances cannot be enumerated.
const MAX_REPEATS: usize = 500;

impl Dataset {
    /// Creates a dataset.
    ///
    /// # Errors
    ///
    /// There is no split, or two splits have the same name, or a range of distances is empty.
    pub fn new(spec: DatasetSpec) -> Result<Dataset, DatasetError> {
        if spec.splits.is_empty() {
            return Err(DatasetError::NoSplits);
        }
        for (index, split) in spec.splits.iter().enumerate() {
            if spec.splits[..index].iter().any(|other| other.name() == split.name()) {
                return Err(DatasetError::SameName { name: split.name().to_owned() });
            }
        }
        let ranges = spec.splits.iter().filter_map(SplitSpec::distances).chain(&spec.distances);
        if ranges.into_iter().any(RangeInclusive::is_empty) {
            return Err(DatasetError::EmptyRange);
        }
        let symmetries = spec.is_up_to_symmetry.then(|| Symmetries::new(&spec.goal));
        let distances = ExactDistances::new(Tables::new(), MAX_NODES);
        Ok(Dataset { spec, distances, symmetries, strata: None, current: None })
    }

    /// Uses these tables.
    pub fn with_tables(self, tables: Tables) -> Dataset {
        Dataset { distances: ExactDistances::new(tables, MAX_NODES), ..self }
    }

    /// Returns the number of tasks in all splits.
    pub fn n_tasks(&self) -> u64 {
        self.spec.splits.iter().map(SplitSpec::count).fold(0, u64::saturating_add)
    }

    /// Makes the next task; `None` after the last one. `watch` can stop the search.
    ///
    /// # Errors
    ///
    /// There are fewer boards than requested, or a limit was reached.
    pub fn next_task(
        &mut self,
        watch: &mut dyn Watch,
    ) -> Result<Option<DatasetTask>, DatasetError> {
        if self.strata.is_none() {
            let n_images = self.symmetries.as_ref().map_or(1, Symmetries::len) as u64;
            let mut strata = strata::plan(&self.spec, n_images, &mut self.distances, watch)?;
            strata.reverse();
            self.strata = Some(strata);
        }
        loop {
            let mut open = match self.current.take() {
                Some(open) => open,
                None => match self.strata.as_mut().and_then(Vec::pop) {
                    Some(stratum) => self.open(stratum)?,
                    None => return Ok(None),
                },
            };
            while open.quotas.get(open.split) == Some(&open.n_made) {
                (open.split, open.n_made) = (open.split + 1, 0);
            }
            if open.split == open.quotas.len() {
                continue;
            }
            let task = self.make(&mut open, watch)?;
            open.n_made += 1;
            self.current = Some(open);
            return Ok(Some(task));
        }
    }

    fn open(&self, stratum: Stratum) -> Result<OpenStratum, DatasetError> {
        let Stratum { distance, quotas, boards } = stratum;
        let name = format!("dataset {} {} {distance}", self.spec.goal.slash(), self.spec.metric);
        Ok(OpenStratum {
            distance,
            quotas,
            source: match boards {
                Some(boards) => BoardSource::Listed(boards),
                None => BoardSource::Generator(Box::new(self.generator(distance)?)),
            },
            random: Random::named(self.spec.seed, &name),
            drawn: HashSet::new(),
            split: 0,
            n_made: 0,
        })
    }

    /// Returns a generator of boards of one distance.
    fn generator(&self, distance: Cost) -> Result<Generator, DatasetError> {
        let DatasetSpec { goal, metric, limits, .. } = &self.spec;
        let spec = GenerateSpec {
            moves: Some(distance..=distance),
            options: Options { metric: *metric, limits: *limits, ..Options::default() },
            ..GenerateSpec::any(goal.clone())
        };
        Ok(Generator::new(spec)?.with_tables(self.distances.tables().clone()))
    }

    /// Draws a board and a shortest solution. It may have been drawn before.
    fn draw(
        &mut self,
        open: &mut OpenStratum,
        watch: &mut dyn Watch,
    ) -> Result<(Instance, Moves), DatasetError> {
        let boards = match &mut open.source {
            BoardSource::Listed(boards) => boards,
            BoardSource::Generator(generator) => {
                let Generated { instance, report } = generator.generate(&mut open.random, watch)?;
                let moves = report.as_ref().and_then(|report| report.moves());
                let Some(moves) = moves else { unreachable!("boards of a length are solved") };
                return Ok((instance, moves.clone()));
            }
        };
        let exhausted = DatasetError::Exhausted { distance: open.distance, n_found: open.n_made };
        if boards.is_empty() {
            return Err(exhausted);
        }
        let board = boards.swap_remove(open.random.below(boards.len() as u64) as usize);
        let puzzle = same_size::instance(board, &self.spec.goal);
        let mut clock = Clock::start(self.spec.limits.time, watch);
        match self.distances.solution(&puzzle, self.spec.metric, &mut clock) {
            Some(solution) => Ok((puzzle, solution)),
            None => Err(DatasetError::stopped(&mut clock)),
        }
    }

    /// Draws a board that no split has, and describes it.
    fn make(
        &mut self,
        open: &mut OpenStratum,
        watch: &mut dyn Watch,
    ) -> Result<DatasetTask, DatasetError> {
        let distance = open.distance;
        let mut n_repeats = 0;
        let (puzzle, solution) = loop {
            let (puzzle, solution) = self.draw(open, watch)?;
            let representative = match &self.symmetries {
                Some(symmetries) => symmetries.representative(puzzle.start()),
                None => puzzle.start().tiles().iter().map(|tile| tile.number()).collect(),
            };
            if open.drawn.insert(representative) {
                break (puzzle, solution);
            }
            n_repeats += 1;
            // Boards that can be enumerated do not repeat, and enough of them exist.
            let is_enumerated = self.spec.goal.dims().cells() <= FullTable::MAX_CELLS;
            if n_repeats == MAX_REPEATS && !is_enumerated {
                let n_found = open.drawn.len() as u64;
                return Err(DatasetError::Exhausted { distance, n_found });
            }
        };
        let spec = &self.spec;
        let split = spec.splits[open.split].name().to_owned();
        let id = format!("{}-{split}-{distance}-{}", spec.goal.dims(), open.n_made + 1);
        let prompt = spec.template.write(&puzzle, spec.metric, spec.notation);
        let (metric, notation, seed) = (spec.metric, spec.notation, spec.seed);
        let first_moves = self.first_moves(&puzzle, distance, watch)?;
        Ok(DatasetTask {
            id,
            split,
            puzzle,
            metric,
            distance,
            first_moves,
            solution,
            notation,
            prompt,
            seed,
        })
    }

    /// Returns the moves after which the board is one move nearer to the goal.
    fn first_moves(
        &mut self,
        puzzle: &Instance,
        distance: Cost,
        watch: &mut dyn Watch,
    ) -> Result<Vec<Moves>, DatasetError> {
        let DatasetSpec { metric, limits, .. } = self.spec;
        let mut clock = Clock::start(limits.time, watch);
        let mut first_moves = Vec::new();
        for (moves, board) in strata::moves(puzzle.start(), metric) {
            let Some(max) = distance.checked_sub(1) else { break };
            let goal = puzzle.goal();
            match self.distances.is_within(&board, goal, metric, max, &mut clock) {
                Some(true) => first_moves.push(moves),
                Some(false) => {}
                None => return Err(DatasetError::stopped(&mut clock)),
            }
        }
        Ok(first_moves)
    }
}
