//! `trace`: the steps of `npuzzle trace --json`, in one object.

use npuzzle::record::TraceRecord;
use npuzzle::search::Duplicates;
use npuzzle::teaching::{NamedHeuristic, TraceAlgorithm, TraceError, Tracer};
use serde::Deserialize;

use crate::board_field::BoardField;
use crate::error::ApiError;
use crate::fields::{self, check_size, parse_choice, parse_optional};
use crate::limits::RequestLimits;
use crate::operation::{ExpectedTime, Operation, Request};
use crate::solve::weight;

/// The maximum number of cells; larger boards are hard to follow on a screen.
pub(crate) const MAX_CELLS: usize = 25;
/// The maximum number of steps. Each step lists the queue before and after it, so a trace of this
/// length has about ten megabytes.
pub(crate) const MAX_STEPS: usize = 1000;

const DUPLICATES: &[(&str, Duplicates)] =
    &[("closed", Duplicates::Closed), ("parent", Duplicates::Parent), ("none", Duplicates::None)];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceRequest {
    board: BoardField,
    goal: Option<BoardField>,
    algorithm: Option<String>,
    heuristic: Option<String>,
    weight: Option<f64>,
    order: Option<String>,
    tie_break: Option<String>,
    duplicates: Option<String>,
    goal_test: Option<String>,
    depth_limit: Option<u32>,
    steps: Option<usize>,
}

impl Request for TraceRequest {
    fn validate(self, limits: &RequestLimits) -> Result<Operation, ApiError> {
        let (instance, _) = fields::instance(&self.board, self.goal.as_ref(), limits)?;
        check_size("board", instance.start(), MAX_CELLS)?;
        let algorithm = parse_optional("algorithm", self.algorithm.as_deref())?;
        let mut tracer = Tracer::new(algorithm.unwrap_or(TraceAlgorithm::Astar));
        tracer.weight = self.weight.map(weight).transpose()?;
        tracer.order = parse_optional("order", self.order.as_deref())?.unwrap_or_default();
        if let Some(heuristic) =
            parse_optional::<NamedHeuristic>("heuristic", self.heuristic.as_deref())?
        {
            tracer.heuristic = heuristic;
        }
        if let Some(tie_break) = parse_optional("tie_break", self.tie_break.as_deref())? {
            tracer.tie_break = tie_break;
        }
        if let Some(name) = self.duplicates {
            tracer.duplicates = parse_choice("duplicates", &name, DUPLICATES)?;
        }
        if let Some(goal_test) = parse_optional("goal_test", self.goal_test.as_deref())? {
            tracer.goal_test = goal_test;
        }
        tracer.depth_limit = self.depth_limit.or(tracer.depth_limit);
        if let Some(steps) = self.steps {
            if steps > MAX_STEPS {
                return Err(ApiError::value("steps", format!("the maximum is {MAX_STEPS}")));
            }
            tracer.max_steps = steps;
        }
        Ok(Operation::new(ExpectedTime::Instant, move |job| {
            let trace = tracer.trace(&instance, &mut *job.tables, &mut *job.watch);
            let trace = trace.map_err(|error| match error {
                TraceError::Limit(_) => ApiError::no_slot(),
                error => ApiError::refused(error),
            })?;
            job.answer(&TraceRecord::new(&tracer, &trace))
        }))
    }
}
