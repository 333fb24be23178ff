//! `read` and `generate`: boards as people write them, and as they wish them.

use npuzzle::format::{self, Entry, Format};
use npuzzle::teaching::{GenerateSpec, Generated, Generator};
use npuzzle::{Dims, Instance, Metric, Random};
use serde::{Deserialize, Serialize};

use super::solve::proving;
use super::{Answer, Question, Task};
use crate::config::Limits;
use crate::error::ApiError;
use crate::jobs::Job;
use crate::request::{self, maybe_named, named, small_enough, with_goal};

/// The most boards that are read or made at once.
pub(crate) const MAX_BOARDS: usize = 100;

/// What is said of a board.
#[derive(Serialize)]
struct BoardRecord {
    rows: usize,
    cols: usize,
    tiles: Vec<u16>,
    slash: String,
    goal: String,
    solvable: bool,
    reason: String,
}

impl BoardRecord {
    fn new(instance: &Instance) -> BoardRecord {
        let start = instance.start();
        BoardRecord {
            rows: start.dims().rows(),
            cols: start.dims().cols(),
            tiles: start.tiles().iter().map(|tile| tile.number()).collect(),
            slash: start.slash().to_string(),
            goal: instance.goal().slash().to_string(),
            solvable: instance.is_solvable(),
            reason: instance.solvability().to_string(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadQuestion {
    text: String,
    format: Option<String>,
    goal: Option<String>,
}

pub(crate) struct ReadTask(ReadRecord);

#[derive(Serialize)]
struct ReadRecord {
    format: String,
    boards: Vec<ReadBoard>,
}

#[derive(Serialize)]
struct ReadBoard {
    #[serde(flatten)]
    board: BoardRecord,
    /// Whether the text has a goal of its own.
    own_goal: bool,
    line: usize,
    format: String,
}

impl Question for ReadQuestion {
    type Task = ReadTask;

    fn understand(self, limits: &Limits) -> Result<ReadTask, ApiError> {
        let format: Option<Format> = maybe_named("format", self.format.as_deref())?;
        let mut boards = Vec::new();
        for entry in format::read(&self.text, format) {
            let entry = entry.map_err(|error| ApiError::board("text", &error))?;
            if boards.len() == MAX_BOARDS {
                let message = format!("more than {MAX_BOARDS} boards");
                return Err(ApiError::refused(message).of("text"));
            }
            boards.push(read_board(entry, self.goal.as_deref(), limits)?);
        }
        let format = boards.first().map_or_else(String::new, |board| board.format.clone());
        Ok(ReadTask(ReadRecord { format, boards }))
    }
}

fn read_board(entry: Entry, goal: Option<&str>, limits: &Limits) -> Result<ReadBoard, ApiError> {
    let Entry { board, goal: own, line, format } = entry;
    small_enough(&board, limits.cells).map_err(|error| error.of("text"))?;
    let own_goal = own.is_some();
    let instance = with_goal(board, own, goal)?;
    let board = BoardRecord::new(&instance);
    Ok(ReadBoard { board, own_goal, line, format: format.to_string() })
}

impl Task for ReadTask {
    fn is_quick(&self) -> bool {
        true
    }

    fn run(self, job: &mut Job) -> Result<Answer, ApiError> {
        Answer::json(&self.0, job.buffer())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GenerateQuestion {
    rows: usize,
    cols: usize,
    goal: Option<String>,
    moves: Option<u32>,
    metric: Option<String>,
    unique: Option<bool>,
    solvable: Option<bool>,
    seed: Option<u64>,
    count: Option<usize>,
    time_ms: Option<u64>,
}

pub(crate) struct GenerateTask {
    wish: GenerateSpec,
    seed: u64,
    count: usize,
}

#[derive(Serialize)]
struct GenerateRecord {
    seed: u64,
    boards: Vec<MadeBoard>,
}

#[derive(Serialize)]
struct MadeBoard {
    #[serde(flatten)]
    board: BoardRecord,
    moves: Option<u32>,
}

impl Question for GenerateQuestion {
    type Task = GenerateTask;

    fn understand(self, limits: &Limits) -> Result<GenerateTask, ApiError> {
        let dims =
            Dims::new(self.rows, self.cols).map_err(|error| ApiError::value("rows", error))?;
        let goal = match &self.goal {
            Some(text) => request::read_goal(text)?,
            None => Default::default(),
        };
        let message = || format!("the goal is of another size than {dims}");
        let goal = goal.board(dims).ok_or_else(|| ApiError::value("goal", message()))?;
        small_enough(&goal, limits.cells).map_err(|error| error.of("rows"))?;
        let metric: Metric = named("metric", self.metric.as_deref())?;
        let time = request::time(self.time_ms, limits.time, limits);
        let wish = GenerateSpec {
            is_solvable: self.solvable.unwrap_or(true),
            moves: self.moves.map(|n| n..=n),
            is_unique: self.unique.unwrap_or(false),
            options: proving(metric, time, limits),
            ..GenerateSpec::any(goal)
        };
        let count = self.count.unwrap_or(1);
        if !(1..=MAX_BOARDS).contains(&count) {
            let message = format!("expected a number from 1 to {MAX_BOARDS}");
            return Err(ApiError::value("count", message));
        }
        Ok(GenerateTask { wish, seed: self.seed.unwrap_or_else(chosen_seed), count })
    }
}

/// A new seed, short enough to be typed.
fn chosen_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0) % 1_000_000_000
}

impl Task for GenerateTask {
    fn is_quick(&self) -> bool {
        self.wish.moves.is_none() && !self.wish.is_unique
    }

    fn run(self, job: &mut Job) -> Result<Answer, ApiError> {
        let wish = GenerateSpec { options: job.grant(self.wish.options), ..self.wish };
        let mut generator = Generator::new(wish)?.with_tables(job.tables.clone());
        let mut random = Random::new(self.seed);
        let mut boards = Vec::new();
        for _ in 0..self.count {
            let Generated { instance, report } = generator.generate(&mut random, &mut job.watch)?;
            let moves = report.and_then(|report| report.upper_bound());
            boards.push(MadeBoard { board: BoardRecord::new(&instance), moves });
        }
        Answer::json(&GenerateRecord { seed: self.seed, boards }, job.buffer())
    }
}
