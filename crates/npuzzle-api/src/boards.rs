//! `read` and `generate`: boards from text, and random boards with given properties.

use npuzzle::format::{self, Entry, Format};
use npuzzle::teaching::{GenerateSpec, Generated, Generator};
use npuzzle::{Dims, Instance, Random};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::board_field::BoardField;
use crate::error::ApiError;
use crate::fields::{self, check_size, optimal_options, parse_optional, with_goal};
use crate::job::AnswerKind;
use crate::job::Job;
use crate::limits::RequestLimits;
use crate::operation::{ExpectedTime, Operation, Request};

/// The maximum number of boards that are read or generated at once.
pub(crate) const MAX_BOARDS: usize = 100;
/// The maximum number of cells of boards whose lengths come from a table that is built within milliseconds.
const MAX_TABLE_CELLS: usize = 9;

/// A board and its solvability.
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
pub(crate) struct ReadRequest {
    text: String,
    format: Option<String>,
    goal: Option<BoardField>,
}

#[derive(Serialize)]
struct ReadBoard {
    #[serde(flatten)]
    board: BoardRecord,
    /// Whether the text contains a goal for the board.
    own_goal: bool,
    line: usize,
    format: String,
}

impl Request for ReadRequest {
    fn validate(self, limits: &RequestLimits) -> Result<Operation, ApiError> {
        let format: Option<Format> = parse_optional("format", self.format.as_deref())?;
        let mut boards = Vec::new();
        for entry in format::read(&self.text, format) {
            let entry = entry.map_err(|error| ApiError::board("text", &error))?;
            if boards.len() == MAX_BOARDS {
                let message = format!("too many boards: the maximum is {MAX_BOARDS}");
                return Err(ApiError::refused(message).with_field("text"));
            }
            boards.push(read_board(entry, self.goal.as_ref(), limits)?);
        }
        let format = boards.first().map_or_else(String::new, |board| board.format.clone());
        let record = json!({ "format": format, "boards": boards });
        Ok(Operation::new(ExpectedTime::Instant, move |job| job.answer(&record)))
    }
}

fn read_board(
    entry: Entry,
    goal: Option<&BoardField>,
    limits: &RequestLimits,
) -> Result<ReadBoard, ApiError> {
    let Entry { board, goal: own, line, format } = entry;
    check_size("text", &board, limits.max_cells)?;
    let own_goal = own.is_some();
    let instance = with_goal(board, own, goal)?;
    let board = BoardRecord::new(&instance);
    Ok(ReadBoard { board, own_goal, line, format: format.to_string() })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GenerateRequest {
    rows: usize,
    cols: usize,
    goal: Option<BoardField>,
    moves: Option<u32>,
    metric: Option<String>,
    unique: Option<bool>,
    solvable: Option<bool>,
    seed: Option<u64>,
    count: Option<usize>,
    time_ms: Option<u64>,
}

#[derive(Serialize)]
struct GeneratedBoard {
    #[serde(flatten)]
    board: BoardRecord,
    moves: Option<u32>,
}

impl Request for GenerateRequest {
    fn validate(self, limits: &RequestLimits) -> Result<Operation, ApiError> {
        let dims =
            Dims::new(self.rows, self.cols).map_err(|error| ApiError::value("rows", error))?;
        let goal = match &self.goal {
            Some(field) => field.goal()?,
            None => Default::default(),
        };
        let message = || format!("the goal does not have the size {dims}");
        let goal = goal.board(dims).ok_or_else(|| ApiError::value("goal", message()))?;
        check_size("rows", &goal, limits.max_cells)?;
        let time = fields::time(self.time_ms, limits.max_time, limits);
        let spec = GenerateSpec {
            is_solvable: self.solvable.unwrap_or(true),
            moves: self.moves.map(|n| n..=n),
            is_unique: self.unique.unwrap_or(false),
            options: optimal_options(self.metric.as_deref(), time, limits)?,
            ..GenerateSpec::any(goal)
        };
        let count = self.count.unwrap_or(1);
        if !(1..=MAX_BOARDS).contains(&count) {
            let message = format!("expected a number from 1 to {MAX_BOARDS}");
            return Err(ApiError::value("count", message));
        }
        let seed = self.seed.unwrap_or_else(random_seed);
        let is_searched = spec.moves.is_some() || spec.is_unique;
        let expected_time = match dims.cells() {
            _ if !is_searched => ExpectedTime::Instant,
            ..=MAX_TABLE_CELLS => ExpectedTime::Short,
            _ => ExpectedTime::Long,
        };
        Ok(Operation::new(expected_time, move |job| generate(spec, seed, count, job)))
    }
}

fn generate(
    spec: GenerateSpec,
    seed: u64,
    count: usize,
    job: &mut Job<'_>,
) -> Result<AnswerKind, ApiError> {
    let spec = GenerateSpec { options: job.apply_limits(spec.options), ..spec };
    let mut generator = Generator::new(spec)?.with_tables(job.tables.clone());
    let mut random = Random::new(seed);
    let mut boards = Vec::new();
    for _ in 0..count {
        let Generated { instance, report } = generator.generate(&mut random, &mut *job.watch)?;
        let moves = report.and_then(|report| report.upper_bound());
        boards.push(GeneratedBoard { board: BoardRecord::new(&instance), moves });
    }
    job.answer(&json!({ "seed": seed, "boards": boards }))
}

/// Returns a random seed that is short enough to type.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0) % 1_000_000_000
}
