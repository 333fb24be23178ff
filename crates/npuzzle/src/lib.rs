//! Solves sliding-tile puzzles: the 8-puzzle, the 15-puzzle, and boards of any size up to 127×127.
//!
//! ```
//! let report = npuzzle::solve("8 1 3/4 0 2/7 6 5".parse()?)?;
//! let moves = report.moves().expect("this board has a solution");
//! assert_eq!((moves.stm(), report.is_optimal()), (14, true));
//! println!("{moves}"); // letters name the direction in which the tile moves
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Boards of up to 16 cells get a proved shortest solution. Larger ones get the best solution found in about
//! two seconds, with a lower bound. A report says `optimal` only with a proof. An unsolvable board is
//! reported immediately, with the reason:
//!
//! ```
//! let report = npuzzle::solve("1 2 3/4 5 6/8 7 0".parse()?)?;
//! assert!(report.moves().is_none());
//! println!("{}", report.instance.solvability());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Options
//!
//! [`Options`] choose an algorithm, a heuristic, the metric, the goal, and time, node and memory limits:
//!
//! ```
//! use npuzzle::{Algorithm, Goal, Instance, Options};
//!
//! let instance = Instance::new("1 2 3/8 4 0/7 6 5".parse()?, &Goal::Snail)?;
//! let options = Options::default().with_algorithm(Algorithm::Astar).with_nodes(1_000);
//! let report = options.solve(&instance)?;
//! assert_eq!(report.moves().map(|moves| moves.to_string()).as_deref(), Some("R"));
//! assert_eq!((report.stats.expanded, report.stats.generated), (1, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Many boards
//!
//! A [`Solver`] keeps the tables of earlier boards:
//!
//! ```
//! use npuzzle::{Options, Solver};
//! let mut solver = Solver::new(Options::default());
//! for board in ["1 2 3/4 0 5/7 8 6", "8 1 3/4 0 2/7 6 5"] {
//!     println!("{}", solver.solve(&board.parse()?)?);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! - The root has what most programs need: boards, goals, moves, options, the solver and its report.
//! - [`search`] has the generic searches with their traits, heuristics and queues, and plans, clocks and journals.
//! - [`tables`] has full tables, the cache and the store of large tables.
//! - [`teaching`] has tools for courses and research: check, trace, audit, compare, generate.
//! - [`mod@format`] reads and writes boards; `record` (feature `serde`) has the JSON records.
//! - The [`guide`] leads from a first solution to your own heuristic and your own puzzle; the folder `examples` has
//!   programs to start from.
//!
//! # Stability
//!
//! Versions follow semantic versioning. Until 1.0 a breaking change raises the second number, and the changelog says what
//! to do. Errors, reports, records and the names of algorithms are `#[non_exhaustive]`. [`Options`], [`Limits`] and
//! [`GenerateSpec`](teaching::GenerateSpec) may gain fields: end their literals with `..Options::default()` and the like. The
//! fields of `record`s change only with their schema number, and the boards of a seed never change. The minimum Rust
//! version is 1.89; raising it is a breaking change.

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
    MoveOrder, Moves, MovesError, NameError, Notation, Random, Slide, Solvability, Tile, format,
};

pub use crate::limits::{Cancel, Round};
pub use crate::options::{
    Algorithm, Effort, HeuristicChoice, HeuristicKind, Limits, Options, TableSize,
};
pub use crate::report::{Answer, Report};
pub use crate::solver::{SolveError, Solver, solve};
pub use crate::tables::cache::Tables;
pub use npuzzle_tables::clock;

/// Searches, heuristics and queues, the plan of a search, its clock and its journal.
///
/// The generic part is [`npuzzle_core::search`]: bring your own [`Problem`](search::Problem) or
/// [`Heuristic`](search::Heuristic).
pub mod search {
    pub use npuzzle_core::search::*;
    pub use npuzzle_core::{
        Arrangement, Boards, ChainedTable, IllegalSlide, MoveOrderError, MovedTile, NotatedMoves,
        Packed, RunMove, RunSliding, Slides, Sliding, heuristic, queue,
    };

    pub use crate::all_optimal::{Count, OptimalSolutions};
    pub use crate::engine::ida::bounded_dfs::NodeCounts;
    pub use crate::engine::ida::journal::{CompletedRound, Journal, JournalError, JournalOptions};
    pub use crate::limits::Clock;
    pub use crate::plan::{Engine, Plan, PlanError, plan, plan_with};
    pub use crate::tables::cache::Availability;

    // A search whose rounds are distributed over machines; not part of the stable interface.
    #[doc(hidden)]
    pub use crate::engine::ida::journal::CompletedSubtree;
    #[doc(hidden)]
    pub use crate::engine::ida::subtree_split::{RoundSearcher, SplitRound, SubtreeResult};
    #[doc(hidden)]
    pub use crate::engine::upper_bound::KnownSolution;
    #[doc(hidden)]
    pub use crate::solver::distributed::{DistributedError, DistributedSearch};
}

/// Trains and measures the evaluation of the beam search; not part of the stable interface.
#[cfg(any(test, feature = "learn"))]
#[doc(hidden)]
pub mod learn {
    pub use crate::anytime::beam::ablation::{BeamEvaluation, beam_length};
    pub use crate::anytime::beam::learn::{Learner, RoundStats, TRAINING_STAGES, TrainingStage};
    pub use crate::anytime::beam::learn_tuples::{
        TUPLE_STAGES, TupleLearner, TupleRound, TupleStage,
    };
}

/// Runs the Rust examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
