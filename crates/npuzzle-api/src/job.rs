//! The resources that a front end gives to a running operation.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::Duration;

use npuzzle::{Algorithm, Options, Tables, Watch};
use serde::Serialize;
use serde_json::Value;

use crate::error::ApiError;

/// The watch of a running operation.
pub trait JobWatch: Watch {
    /// Limits the running time of the whole operation, counted from its start.
    fn set_time_limit(&mut self, time: Duration);

    /// Whether nobody waits for the answer any more.
    fn is_cancelled(&self) -> bool;

    /// Sends an event to a client that receives the events of the operation, as
    /// [`SearchEvents::send_event`](crate::SearchEvents::send_event) does.
    fn send_event(&mut self, name: &str, record: &Value);
}

/// The kind of the answer that an operation has written to [`Job::out`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnswerKind {
    /// A JSON object.
    Json,
    /// A file.
    File {
        /// Its media type.
        content_type: &'static str,
        /// A name to save it under.
        name: String,
    },
}

/// The resources of a running operation.
pub struct Job<'a> {
    /// Stops the operation, and receives its progress.
    pub watch: &'a mut dyn JobWatch,
    /// The tables of earlier operations.
    pub tables: &'a mut Tables,
    /// The number of threads that a search may use.
    pub n_threads: NonZeroUsize,
    /// Receives the body of the answer.
    pub out: &'a mut dyn Write,
}

impl Job<'_> {
    /// Writes a JSON object as the body of the answer.
    pub(crate) fn answer(&mut self, record: &impl Serialize) -> Result<AnswerKind, ApiError> {
        serde_json::to_writer(&mut *self.out, record).map_err(io::Error::from)?;
        Ok(AnswerKind::Json)
    }

    /// Options with the threads of the job, for several boards in sequence. Their time limit becomes that of the whole
    /// operation.
    pub(crate) fn apply_limits(&mut self, options: Options) -> Options {
        if let Some(time) = options.limits.time {
            self.watch.set_time_limit(time);
        }
        Options { threads: self.threads_for(options.algorithm), ..options }
    }

    /// The threads of an algorithm if the client requests none. A* uses one by default, because its counts
    /// depend on the run with more.
    pub(crate) fn threads_for(&self, algorithm: Algorithm) -> Option<NonZeroUsize> {
        (algorithm != Algorithm::Astar).then_some(self.n_threads)
    }
}
