//! Sliding-tile puzzles: boards, heuristics, priority queues and search algorithms.
//!
//! This crate contains the algorithms in a form that is easy to read and to extend. It does no I/O,
//! starts no threads, contains no unsafe code and has no dependencies by default. To solve boards as
//! fast as possible, use the crate [`npuzzle`](https://docs.rs/npuzzle), which builds on this one.
//!
//! # Example
//!
//! Solve a board with IDA* and Manhattan distance:
//!
//! ```
//! use npuzzle_core::heuristic::Manhattan;
//! use npuzzle_core::search::{Budget, Outcome, idastar};
//! use npuzzle_core::{Instance, Moves, Packed, Sliding};
//!
//! let instance: Instance = "1 2 3/4 0 5/7 8 6".parse()?;
//! assert!(instance.is_solvable());
//! let problem = Sliding::<Packed>::new(&instance).expect("a 3x3 board can be packed");
//! let report = idastar(&problem, &Manhattan::new(instance.goal()), Budget::NONE, &mut ());
//! let Outcome::Solved(slides) = report.outcome else { unreachable!("the board is solvable") };
//! assert_eq!(Moves::from(slides).to_string(), "L U");
//! # Ok::<(), npuzzle_core::FormatError>(())
//! ```
//!
//! # Overview
//!
//! - [`Board`] is an arrangement of tiles, [`Goal`] an arrangement to reach, [`Instance`] a board with
//!   its goal, and [`Moves`] a sequence of [`Slide`]s. [`Packed`] is a board of up to 16 cells in one
//!   word, and [`Random`] generates boards from a seed.
//! - [`mod@format`] reads and writes boards as text in seven formats.
//! - [`search`] contains the algorithms: [`search::BestFirst`] (A*, weighted A*, greedy, uniform-cost),
//!   [`search::idastar`] and [`search::bidirectional`]. They work for any [`search::Problem`].
//! - [`Sliding`] is the puzzle as a search problem in single slides, [`RunSliding`] in straight runs, and
//!   [`MultiBlankSliding`] on boards with several blanks. [`TileCosts`] makes slides cost what their tile
//!   costs.
//! - [`heuristic`] contains Manhattan distance, linear conflict, walking distance and others. Implement
//!   [`search::Heuristic`] to add your own.
//! - [`queue`] contains the priority queues of best-first search. [`IndexTable`] and [`ChainedTable`]
//!   are the hash tables of its closed list.
//!
//! # Features
//!
//! `serde` (off by default) serializes boards, goals, moves, sizes, metrics and notations as strings.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod chained_hash;
pub mod format;
pub mod heuristic;
mod index_table;
mod names;
mod problem;
mod puzzle;
pub mod queue;
pub mod search;
#[cfg(feature = "serde")]
mod serde_text;

pub use crate::names::NameError;
pub use crate::problem::multi_blank::{MultiBlankBoard, MultiBlankSliding};
pub use crate::problem::run_moves::{RunMove, RunSliding};
pub use crate::problem::sliding::{
    Arrangement, MovedTile, SlideCost, Sliding, TileCosts, UnitCost,
};
pub use crate::puzzle::board::{Board, BoardError, Tile};
pub use crate::puzzle::dims::{Cell, Dims, DimsError};
pub use crate::puzzle::goal::Goal;
pub use crate::puzzle::instance::{Instance, InstanceError};
pub use crate::puzzle::metric::Metric;
pub use crate::puzzle::move_order::{MoveOrder, MoveOrderError};
pub use crate::puzzle::moves::{Boards, IllegalSlide, Moves, MovesError, NotatedMoves, Notation};
pub use crate::puzzle::packed::Packed;
pub use crate::puzzle::random::Random;
pub use crate::puzzle::slide::{Slide, Slides};
pub use crate::puzzle::solvability::Solvability;
pub use chained_hash::{ChainedTable, WordHasher};
pub use format::FormatError;
pub use index_table::{IndexTable, Probe};
