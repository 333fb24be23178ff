//! Answers for programs: what every front end writes as JSON, defined once. Names are stable.
//!
//! Records know their fields and nothing of how they are written; that is for whoever has a
//! serializer. What is not known is null.
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
mod solve;
mod trace;

use std::time::Duration;

pub use check::CheckRecord;
pub use compare::CompareRecord;
pub use solve::{CountRecord, IterationRecord, SolveRecord};
pub use trace::{
    NodeRecord, TraceEndRecord, TraceRecord, TraceRoundRecord, TraceSearchRecord, TraceStepRecord,
};

/// The number of this set of names; it changes when one of them changes its meaning.
pub const SCHEMA: u32 = 1;

/// Milliseconds, to the microsecond.
fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
