//! The JSON requests of npuzzle and their answers.
//!
//! A front end passes the name of a request and its body to [`read_request`], which checks both and returns an
//! [`Operation`]. The front end runs it with the resources of a [`Job`]: the HTTP server on a thread, the WebAssembly module
//! in a worker of the page. `docs/http.md` describes the requests.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod analyse;
mod board_field;
mod boards;
mod check;
mod compare;
mod error;
mod events;
mod fields;
mod job;
mod limits;
mod limits_record;
mod operation;
mod render;
mod requests;
mod solve;
mod trace;

pub use error::{ApiError, ErrorKind, ErrorRecord};
pub use events::SearchEvents;
pub use job::{AnswerKind, Job, JobWatch};
pub use limits::RequestLimits;
pub use limits_record::limits_record;
pub use operation::{ExpectedTime, Operation};
pub use requests::{REQUESTS, read_request};
