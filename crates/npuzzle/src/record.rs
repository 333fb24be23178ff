//! The JSON records that all front ends write. Field names are stable.
//!
//! A record implements [`serde::Serialize`]; the caller chooses the serializer. Unknown values are
//! null.
//!
//! ```
//! use npuzzle::record::SolveRecord;
//! let report = npuzzle::solve("8 1 3/4 0 2/7 6 5".parse()?)?;
//! let record = SolveRecord::new(&report, npuzzle::Notation::Tile);
//! assert_eq!((record.status, record.moves, record.optimal), ("solved", Some(14), Some(true)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod compare;
mod judge;
mod saved_report;
mod solve;
mod task;
mod trace;

use std::time::Duration;

pub use check::CheckRecord;
pub use compare::CompareRecord;
pub use judge::JudgmentRecord;
pub use saved_report::SavedReport;
pub use solve::{CountRecord, IterationRecord, SolveRecord};
pub use task::TaskRecord;
pub use trace::{NodeRecord, TraceEndRecord, TraceRecord, TraceSearchRecord, TraceStepRecord};

/// The version of the field names. It changes when a name changes its meaning.
pub const SCHEMA: u32 = 1;

/// Converts a duration to milliseconds, rounded to microseconds.
fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
