//! `analyse` and `losses`: what moves are worth, before and after they are made.

use std::time::Duration;

use npuzzle::teaching::MoveAnalysis;
use npuzzle::{Instance, Metric, Moves, Options};
use serde::{Deserialize, Serialize};

use super::solve::proving;
use super::{Answer, Question, Task};
use crate::config::Limits;
use crate::error::ApiError;
use crate::jobs::Job;
use crate::request::{self, named, small_enough};

/// Boards of which shortest solutions are always found soon.
pub(crate) const MAX_CELLS: usize = 16;
/// Boards whose distances are looked up.
const MAX_QUICK_CELLS: usize = 9;
/// The most slides of a game.
pub(crate) const MAX_MOVES: usize = 2000;
/// The time for an answer unless another is asked for.
const TIME: Duration = Duration::from_secs(20);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnalyseQuestion {
    board: String,
    goal: Option<String>,
    metric: Option<String>,
    time_ms: Option<u64>,
}

pub(crate) struct AnalyseTask {
    instance: Instance,
    options: Options,
}

#[derive(Serialize)]
struct AnalyseRecord {
    rows: usize,
    cols: usize,
    start: String,
    goal: String,
    metric: String,
    solvable: bool,
    distance: Option<u32>,
    moves: Vec<MoveRecord>,
    limit_hit: Option<String>,
}

#[derive(Serialize)]
struct MoveRecord {
    slide: char,
    count: usize,
    tile: u16,
    distance: Option<u32>,
    loss: Option<u32>,
    best: Option<bool>,
}

impl MoveRecord {
    fn new(advice: &MoveAnalysis) -> MoveRecord {
        let MoveAnalysis { slide, count, tile, distance, loss } = *advice;
        let (slide, tile) = (slide.letter(), tile.number());
        MoveRecord { slide, count, tile, distance, loss, best: loss.map(|loss| loss == 0) }
    }
}

impl Question for AnalyseQuestion {
    type Task = AnalyseTask;

    fn understand(self, limits: &Limits) -> Result<AnalyseTask, ApiError> {
        let (instance, _) = request::instance(&self.board, self.goal.as_deref(), limits)?;
        small_enough(instance.start(), MAX_CELLS)?;
        let metric: Metric = named("metric", self.metric.as_deref())?;
        let time = request::time(self.time_ms, TIME, limits);
        Ok(AnalyseTask { instance, options: proving(metric, time, limits) })
    }
}

impl Task for AnalyseTask {
    fn is_quick(&self) -> bool {
        self.instance.dims().cells() <= MAX_QUICK_CELLS
    }

    fn run(self, job: &mut Job) -> Result<Answer, ApiError> {
        let AnalyseTask { instance, options } = self;
        let options = job.grant(options);
        let analysis = options.analyse(&instance, &mut job.tables, &mut job.watch)?;
        let record = AnalyseRecord {
            rows: instance.dims().rows(),
            cols: instance.dims().cols(),
            start: instance.start().slash().to_string(),
            goal: instance.goal().slash().to_string(),
            metric: options.metric.to_string(),
            solvable: instance.is_solvable(),
            distance: analysis.distance,
            moves: analysis.moves.iter().map(MoveRecord::new).collect(),
            limit_hit: analysis.stopped.map(|limit| limit.to_string()),
        };
        Answer::json(&record, job.buffer())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LossesQuestion {
    board: String,
    moves: String,
    notation: Option<String>,
    goal: Option<String>,
    metric: Option<String>,
    time_ms: Option<u64>,
}

pub(crate) struct LossesTask {
    instance: Instance,
    moves: Moves,
    options: Options,
}

#[derive(Serialize)]
struct LossesRecord {
    metric: String,
    distances: Vec<Option<u32>>,
    losses: Vec<Option<u32>>,
    solved: bool,
    limit_hit: Option<String>,
}

impl Question for LossesQuestion {
    type Task = LossesTask;

    fn understand(self, limits: &Limits) -> Result<LossesTask, ApiError> {
        let (instance, _) = request::instance(&self.board, self.goal.as_deref(), limits)?;
        small_enough(instance.start(), MAX_CELLS)?;
        let notation = request::named("notation", self.notation.as_deref())?;
        let moves = request::moves(&self.moves, notation, instance.start())?;
        if moves.stm() > MAX_MOVES {
            return Err(ApiError::refused(format!("more than {MAX_MOVES} moves")).of("moves"));
        }
        let metric: Metric = named("metric", self.metric.as_deref())?;
        let time = request::time(self.time_ms, TIME, limits);
        Ok(LossesTask { instance, moves, options: proving(metric, time, limits) })
    }
}

impl Task for LossesTask {
    fn is_quick(&self) -> bool {
        self.instance.dims().cells() <= MAX_QUICK_CELLS
    }

    fn run(self, job: &mut Job) -> Result<Answer, ApiError> {
        let options = job.grant(self.options);
        let (tables, watch) = (&mut job.tables, &mut job.watch);
        let losses = options.analyse_game(&self.instance, &self.moves, tables, watch)?;
        let record = LossesRecord {
            metric: options.metric.to_string(),
            distances: losses.distances,
            losses: losses.losses,
            solved: losses.is_solved,
            limit_hit: losses.stopped.map(|limit| limit.to_string()),
        };
        Answer::json(&record, job.buffer())
    }
}
