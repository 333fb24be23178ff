//! `check`: what `npuzzle check --json` answers.

use npuzzle::record::CheckRecord;
use npuzzle::teaching::find_moves;
use npuzzle::{Instance, Metric, Options};
use serde::Deserialize;

use super::solve::proving;
use super::{Answer, Question, Task};
use crate::config::Limits;
use crate::error::ApiError;
use crate::jobs::Job;
use crate::request::{self, MAX_SLIDES, named};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckQuestion {
    board: String,
    solution: String,
    goal: Option<String>,
    metric: Option<String>,
    time_ms: Option<u64>,
}

pub(crate) struct CheckTask {
    instance: Instance,
    solution: String,
    options: Options,
}

impl Question for CheckQuestion {
    type Task = CheckTask;

    fn understand(self, limits: &Limits) -> Result<CheckTask, ApiError> {
        let (instance, _) = request::instance(&self.board, self.goal.as_deref(), limits)?;
        let metric: Metric = named("metric", self.metric.as_deref())?;
        if find_moves(&self.solution, &instance).is_some_and(|moves| moves.stm() > MAX_SLIDES) {
            let message = format!("more than {MAX_SLIDES} slides");
            return Err(ApiError::refused(message).of("solution"));
        }
        let time = request::time(self.time_ms, limits.time, limits);
        let options = proving(metric, time, limits);
        Ok(CheckTask { instance, solution: self.solution, options })
    }
}

impl Task for CheckTask {
    fn is_quick(&self) -> bool {
        false
    }

    fn run(self, job: &mut Job) -> Result<Answer, ApiError> {
        let options = job.grant(self.options);
        let (tables, watch) = (&mut job.tables, &mut job.watch);
        let checked = options.check(&self.instance, &self.solution, tables, watch)?;
        Answer::json(&CheckRecord::new(&self.instance, options.metric, &checked), job.buffer())
    }
}
