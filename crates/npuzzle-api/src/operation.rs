//! A request and the operation that answers it.

use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::job::{AnswerKind, Job};
use crate::limits::RequestLimits;

/// The JSON body of a request.
pub(crate) trait Request: DeserializeOwned {
    /// Checks and parses the fields.
    fn validate(self, limits: &RequestLimits) -> Result<Operation, ApiError>;
}

/// A valid request, ready to run.
pub struct Operation {
    is_quick: bool,
    run: Box<RunOperation>,
}

type RunOperation = dyn FnOnce(&mut Job<'_>) -> Result<AnswerKind, ApiError> + Send;

impl Operation {
    pub(crate) fn new(
        is_quick: bool,
        run: impl FnOnce(&mut Job<'_>) -> Result<AnswerKind, ApiError> + Send + 'static,
    ) -> Operation {
        Operation { is_quick, run: Box::new(run) }
    }

    /// Whether it takes only milliseconds.
    pub fn is_quick(&self) -> bool {
        self.is_quick
    }

    /// Runs it. The body of the answer is written to [`Job::out`].
    pub fn run(self, job: &mut Job<'_>) -> Result<AnswerKind, ApiError> {
        (self.run)(job)
    }
}
