//! `check`: the same object as `npuzzle check --json`.

use npuzzle::record::CheckRecord;
use npuzzle::teaching::find_moves;
use serde::Deserialize;

use crate::board_field::BoardField;
use crate::error::ApiError;
use crate::fields::{self, MAX_SLIDES, check_slides, optimal_options};
use crate::limits::RequestLimits;
use crate::operation::{ExpectedTime, Operation, Request};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckRequest {
    board: BoardField,
    solution: String,
    goal: Option<BoardField>,
    metric: Option<String>,
    time_ms: Option<u64>,
}

impl Request for CheckRequest {
    fn validate(self, limits: &RequestLimits) -> Result<Operation, ApiError> {
        let (instance, _) = fields::instance(&self.board, self.goal.as_ref(), limits)?;
        let time = fields::time(self.time_ms, limits.max_time, limits);
        let options = optimal_options(self.metric.as_deref(), time, limits)?;
        let n_slides = find_moves(&self.solution, &instance).map_or(0, |moves| moves.stm());
        check_slides("solution", n_slides, MAX_SLIDES)?;
        let expected_time = ExpectedTime::of_search(&instance, &options);
        Ok(Operation::new(expected_time, move |job| {
            let options = job.apply_limits(options);
            let (tables, watch) = (&mut *job.tables, &mut *job.watch);
            let checked = options.check(&instance, &self.solution, tables, watch)?;
            let record = CheckRecord::new(&instance, options.metric, &checked);
            job.answer(&record)
        }))
    }
}
