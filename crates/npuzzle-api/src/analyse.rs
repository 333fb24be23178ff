//! `analyse` and `losses`: the cost of every possible move, and of moves that were made.

use std::time::Duration;

use npuzzle::teaching::MoveAnalysis;
use npuzzle::{Instance, Options};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::board_field::BoardField;
use crate::error::ApiError;
use crate::fields::{self, check_size, check_slides, optimal_options, parse_or_default};
use crate::limits::RequestLimits;
use crate::operation::{ExpectedTime, Operation, Request};

/// The maximum number of cells. Shortest solutions of these boards take at most seconds.
pub(crate) const MAX_CELLS: usize = 16;
/// The maximum number of cells of boards whose distances are looked up in a table.
const MAX_INSTANT_CELLS: usize = 9;
/// The maximum number of slides of a game.
pub(crate) const MAX_MOVES: usize = 2000;
/// The default time limit.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnalyseRequest {
    board: BoardField,
    goal: Option<BoardField>,
    metric: Option<String>,
    time_ms: Option<u64>,
}

/// The expected time of the searches of a board and of its neighbors.
fn expected_time(instance: &Instance, options: &Options) -> ExpectedTime {
    match instance.dims().cells() {
        ..=MAX_INSTANT_CELLS => ExpectedTime::Instant,
        _ => ExpectedTime::of_search(instance, options),
    }
}

impl Request for AnalyseRequest {
    fn validate(self, limits: &RequestLimits) -> Result<Operation, ApiError> {
        let (instance, _) = fields::instance(&self.board, self.goal.as_ref(), limits)?;
        check_size("board", instance.start(), MAX_CELLS)?;
        let time = fields::time(self.time_ms, DEFAULT_TIME, limits);
        let options = optimal_options(self.metric.as_deref(), time, limits)?;
        let expected_time = expected_time(&instance, &options);
        Ok(Operation::new(expected_time, move |job| {
            let options = job.apply_limits(options);
            let analysis = options.analyze(&instance, &mut *job.tables, &mut *job.watch)?;
            let record = json!({
                "rows": instance.dims().rows(),
                "cols": instance.dims().cols(),
                "start": instance.start().slash().to_string(),
                "goal": instance.goal().slash().to_string(),
                "metric": options.metric.to_string(),
                "solvable": instance.is_solvable(),
                "distance": analysis.distance,
                "moves": analysis.moves.iter().map(move_record).collect::<Vec<_>>(),
                "limit_hit": analysis.stopped.map(|limit| limit.to_string()),
            });
            job.answer(&record)
        }))
    }
}

fn move_record(analyzed: &MoveAnalysis) -> Value {
    json!({
        "slide": analyzed.slide.letter(),
        "count": analyzed.count,
        "tile": analyzed.tile.number(),
        "distance": analyzed.distance,
        "loss": analyzed.loss,
        "best": analyzed.loss.map(|loss| loss == 0),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LossesRequest {
    board: BoardField,
    moves: String,
    notation: Option<String>,
    goal: Option<BoardField>,
    metric: Option<String>,
    time_ms: Option<u64>,
}

impl Request for LossesRequest {
    fn validate(self, limits: &RequestLimits) -> Result<Operation, ApiError> {
        let (instance, _) = fields::instance(&self.board, self.goal.as_ref(), limits)?;
        check_size("board", instance.start(), MAX_CELLS)?;
        let notation = parse_or_default("notation", self.notation.as_deref())?;
        let moves = fields::moves(&self.moves, notation, instance.start())?;
        check_slides("moves", moves.stm(), MAX_MOVES)?;
        let time = fields::time(self.time_ms, DEFAULT_TIME, limits);
        let options = optimal_options(self.metric.as_deref(), time, limits)?;
        let expected_time = expected_time(&instance, &options);
        Ok(Operation::new(expected_time, move |job| {
            let options = job.apply_limits(options);
            let (tables, watch) = (&mut *job.tables, &mut *job.watch);
            let losses = options.analyze_game(&instance, &moves, tables, watch)?;
            let record = json!({
                "metric": options.metric.to_string(),
                "distances": losses.distances,
                "losses": losses.losses,
                "solved": losses.is_solved,
                "limit_hit": losses.stopped.map(|limit| limit.to_string()),
            });
            job.answer(&record)
        }))
    }
}
