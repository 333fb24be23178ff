//! The long jobs of npuzzle over processes on several machines, on
//! [timely dataflow](https://docs.rs/timely).
//!
//! A run is a number of processes that know each other's addresses, each with its number. All do the
//! same job; the first one gives the answer. What has been done is in folders, so that a run that lost
//! a process is started again with the same words, and goes on.
//!
//! - [`census()`]: boards at each distance; ranks are exchanged by range, levels are kept.
//! - [`table()`]: a table of all distances, from the levels of a census.
//! - [`patterns()`]: large pattern databases; patterns are dealt out.
//! - [`batch()`]: many boards, dealt out one by one, each answered once.
//! - [`solve()`]: one hard board; the slices of every round are dealt out.

#![forbid(unsafe_code)]

mod batch;
mod census;
mod connect;
mod connection;
mod error;
mod exchange;
mod hosts;
mod patterns;
mod solve;
mod table;
mod work_queue;

pub use batch::{Batch, BatchAnswers, BatchBoard, batch};
pub use census::{CensusJob, census};
pub use error::ClusterError;
pub use exchange::{Member, Mesh, Traffic};
pub use hosts::{free_addresses, read_hosts};
pub use patterns::{PdbJob, patterns};
pub use solve::{SolveJob, solve};
pub use table::{TableJob, table};
