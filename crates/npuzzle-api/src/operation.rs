//! A request and the operation that answers it.

use npuzzle::search::plan;
use npuzzle::{Instance, Options};
use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::job::{AnswerKind, Job};
use crate::limits::RequestLimits;

/// The JSON body of a request.
pub(crate) trait Request: DeserializeOwned {
    /// Checks and parses the fields.
    fn validate(self, limits: &RequestLimits) -> Result<Operation, ApiError>;
}

/// How long an operation is expected to take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpectedTime {
    /// Milliseconds at most: a conversion, a drawing, a table lookup.
    Instant,
    /// Usually a tenth of a second at most: a search of an easy board.
    Short,
    /// Seconds or minutes.
    Long,
}

impl ExpectedTime {
    /// The expected time of one search with these options.
    pub(crate) fn of_search(instance: &Instance, options: &Options) -> ExpectedTime {
        // An unsolvable board is not searched.
        let is_short = !instance.is_solvable()
            || plan(instance, options).is_ok_and(|plan| plan.is_usually_short(instance));
        if is_short { ExpectedTime::Short } else { ExpectedTime::Long }
    }
}

/// A valid request, ready to run.
pub struct Operation {
    expected_time: ExpectedTime,
    run: Box<RunOperation>,
}

type RunOperation = dyn FnOnce(&mut Job<'_>) -> Result<AnswerKind, ApiError> + Send;

impl Operation {
    pub(crate) fn new(
        expected_time: ExpectedTime,
        run: impl FnOnce(&mut Job<'_>) -> Result<AnswerKind, ApiError> + Send + 'static,
    ) -> Operation {
        Operation { expected_time, run: Box::new(run) }
    }

    /// How long it is expected to take.
    pub fn expected_time(&self) -> ExpectedTime {
        self.expected_time
    }

    /// Runs it. The body of the answer is written to [`Job::out`].
    pub fn run(self, job: &mut Job<'_>) -> Result<AnswerKind, ApiError> {
        (self.run)(job)
    }
}
