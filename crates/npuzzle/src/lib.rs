//! Solves sliding-tile puzzles.
//!
//! ```
//! let report = npuzzle::solve("8 1 3/4 0 2/7 6 5".parse()?)?;
//! let moves = report.moves().expect("this board has a solution");
//! assert_eq!((moves.stm(), report.is_optimal()), (14, true));
//! println!("{moves}"); // letters name the way the tile slides
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Options`] is for everything else: another algorithm or heuristic, the multi-tile metric,
//! limits of time, memory and nodes, cancellation, progress.
//!
//! ```
//! use npuzzle::{Algorithm, Goal, Instance, Limits, Options};
//!
//! let instance = Instance::new("1 2 3/8 4 0/7 6 5".parse()?, &Goal::Snail)?;
//! let options = Options {
//!     algorithm: Algorithm::Astar,
//!     limits: Limits { nodes: Some(1_000), ..Limits::default() },
//!     ..Options::default()
//! };
//! let report = options.solve(&instance)?;
//! assert_eq!(report.moves().map(|moves| moves.to_string()).as_deref(), Some("R"));
//! assert_eq!((report.stats.expanded, report.stats.generated), (1, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A report says `optimal` only of a solution that is proved shortest. A board without a solution
//! is told at once, with the reason; a limit that is reached is named, with what is known so far:
//!
//! ```
//! let report = npuzzle::solve("1 2 3/4 5 6/8 7 0".parse()?)?;
//! assert!(report.moves().is_none());
//! println!("{}", report.instance.solvability());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The [`guide`] leads from here to heuristics and puzzles of your own; the folder `examples` has
//! programs to start from. With the feature `serde` there are `record`s of answers for programs, and
//! boards, goals, moves and names go into structs of yours as texts.
//!
//! # What may change
//!
//! Versions follow semantic versioning. Until 1.0 a change that breaks programs raises the second
//! number, and the changelog says what to do. What may grow says so to the compiler: errors, reports,
//! records and the names of algorithms are `#[non_exhaustive]`. [`Options`], [`Limits`] and [`GenerateSpec`]
//! may gain fields as well, which is no such change for those who fill in the ones they mean and
//! end with `..Options::default()`, `..Limits::default()` or `..GenerateSpec::any(goal)`. Names and meanings of `record`s change with their schema
//! number alone; the boards of a seed never change. It takes Rust 1.89 or later; to ask for more is a
//! change that breaks programs.
//!
//! The types of boards and moves, the searches, heuristics and queues are those of
//! [`npuzzle_core`], exported again here.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod all_optimal;
mod anytime;
mod batch;
mod dispatch;
mod engine;
pub mod guide;
mod limits;
mod options;
mod plan;
#[cfg(feature = "serde")]
pub mod record;
mod report;
mod solver;
pub mod tables;
pub mod teaching;

pub use npuzzle_core::search::{Limit, Stats, Watch};
pub use npuzzle_core::{
    Board, BoardError, Cell, Dims, DimsError, FormatError, Goal, Instance, InstanceError, Metric,
    MetricError, Moves, MovesError, Notation, NotationError, Random, Slide, Solvability, Tile,
    format,
};

pub use crate::limits::{Cancel, Round};
pub use crate::options::{
    Algorithm, Effort, HeuristicChoice, HeuristicKind, Limits, NameError, Options, TableSize,
};
pub use crate::report::{Answer, Report};
pub use crate::solver::{SolveError, Solver, solve};
pub use crate::tables::cache::Tables;

/// Searches, heuristics and queues, the plan of a search, its clock and its journal.
///
/// The generic part is [`npuzzle_core::search`]: bring your own [`Problem`](search::Problem) or
/// [`Heuristic`](search::Heuristic).
pub mod search {
    pub use npuzzle_core::search::*;
    pub use npuzzle_core::{
        Arrangement, Boards, ChainedTable, IllegalSlide, Packed, Run, Runs, Slides, Sliding,
        Written, heuristic, queue,
    };

    pub use crate::all_optimal::{Count, OptimalSolutions};
    pub use crate::engine::ida::journal::{CompletedSlice, Journal, JournalError};
    pub use crate::limits::Clock;
    pub use crate::plan::{Engine, Plan, PlanError, plan, plan_with};
    /// A search whose rounds are distributed over machines; not part of the stable interface.
    #[doc(hidden)]
    pub use crate::solver::distributed::{DistributedSearch, SplitRound, SubtreeResult};
    pub use crate::tables::cache::Availability;
}

/// What makes the weights of beams; no part of the interface.
#[cfg(any(test, feature = "learn"))]
#[doc(hidden)]
pub mod learn {
    pub use crate::anytime::beam::learn::{LESSONS, Learner, Lesson, Round};
}

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
