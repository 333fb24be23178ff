//! The long jobs of npuzzle on several machines, on [timely dataflow](https://docs.rs/timely).
//!
//! A run consists of numbered processes that know each other's addresses. All do the same job, and
//! process 0 produces the answer. Completed work is stored in folders. If a process is lost, the run
//! ends; the same command resumes it from the completed work.
//!
//! - [`census()`]: the number of boards at each distance. Processes exchange ranks by range and store
//!   the levels.
//! - [`table()`]: a full table, from the levels of a census.
//! - [`patterns()`]: large pattern databases. A work queue distributes the patterns.
//! - [`batch()`]: many boards. A work queue distributes the boards, and each is answered once.
//! - [`solve()`]: one hard board. A work queue distributes the subtrees of every round.

#![forbid(unsafe_code)]

mod batch;
mod census;
mod connect;
mod connection;
mod error;
mod exchange;
mod hosts;
mod member;
mod patterns;
mod solve;
mod table;
mod work_queue;

pub use batch::{Batch, BatchAnswers, BatchBoard, batch};
pub use census::{CensusJob, census};
pub use error::ClusterError;
pub use exchange::{Exchange, Traffic};
pub use hosts::{free_addresses, read_hosts};
pub use member::Member;
pub use patterns::{PdbJob, PdbTable, patterns};
pub use solve::{SolveJob, solve};
pub use table::{TableJob, table};
