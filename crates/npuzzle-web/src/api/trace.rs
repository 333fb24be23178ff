//! `trace`: what `npuzzle trace --json` answers, in one object.

use npuzzle::record::TraceRecord;
use npuzzle::search::Duplicates;
use npuzzle::teaching::{NamedHeuristic, TraceError, Tracer};
use npuzzle::{Algorithm, Instance};
use serde::Deserialize;

use super::solve::weight;
use super::{Answer, Question, Task};
use crate::config::Limits;
use crate::error::ApiError;
use crate::jobs::Job;
use crate::request::{self, maybe_named, small_enough};

/// Boards that people can follow.
pub(crate) const MAX_CELLS: usize = 25;
/// The queue is told before and after every step, so that this many steps are some ten megabytes.
pub(crate) const MAX_STEPS: usize = 1000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceQuestion {
    board: String,
    goal: Option<String>,
    algorithm: Option<String>,
    heuristic: Option<String>,
    weight: Option<f64>,
    ties: Option<String>,
    duplicates: Option<String>,
    steps: Option<usize>,
}

pub(crate) struct TraceTask {
    instance: Instance,
    tracer: Tracer,
}

impl Question for TraceQuestion {
    type Task = TraceTask;

    fn understand(self, limits: &Limits) -> Result<TraceTask, ApiError> {
        let (instance, _) = request::instance(&self.board, self.goal.as_deref(), limits)?;
        small_enough(instance.start(), MAX_CELLS)?;
        let algorithm = maybe_named("algorithm", self.algorithm.as_deref())?;
        let mut tracer = Tracer::new(algorithm.unwrap_or(Algorithm::Astar));
        tracer.weight = self.weight.map(weight).transpose()?;
        if let Some(heuristic) =
            maybe_named::<NamedHeuristic>("heuristic", self.heuristic.as_deref())?
        {
            tracer.heuristic = heuristic;
        }
        if let Some(tie_break) = maybe_named("ties", self.ties.as_deref())? {
            tracer.tie_break = tie_break;
        }
        if let Some(name) = self.duplicates {
            tracer.duplicates = duplicates(&name)?;
        }
        if let Some(steps) = self.steps {
            if steps > MAX_STEPS {
                return Err(ApiError::value("steps", format!("{MAX_STEPS} is the most")));
            }
            tracer.max_steps = steps;
        }
        Ok(TraceTask { instance, tracer })
    }
}

fn duplicates(name: &str) -> Result<Duplicates, ApiError> {
    match name {
        "closed" => Ok(Duplicates::Closed),
        "parent" => Ok(Duplicates::Parent),
        "none" => Ok(Duplicates::None),
        _ => {
            let message = format!("{name:?} is none of closed, parent, none");
            Err(ApiError::value("duplicates", message))
        }
    }
}

impl Task for TraceTask {
    fn is_quick(&self) -> bool {
        true
    }

    fn run(self, job: &mut Job) -> Result<Answer, ApiError> {
        let trace = self.tracer.trace(&self.instance, &mut job.tables, &mut job.watch);
        let trace = trace.map_err(|error| match error {
            TraceError::Limit(_) => ApiError::busy(),
            error => ApiError::refused(error),
        })?;
        Answer::json(&TraceRecord::new(&self.tracer, &trace), job.buffer())
    }
}
