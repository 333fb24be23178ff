//! Sliding-tile boards, heuristics, queues and searches.
//!
//! Everything here computes and does nothing else: no files, no clocks, no threads, no printing,
//! no unsafe code, no dependencies of its own accord. The crate [`npuzzle`](https://docs.rs/npuzzle) is the door for
//! those who want a board solved; this one is for those who want to see how, or to search
//! something of their own.
//!
//! The way of the data: text → [`format::read`] → [`Board`], with a [`Goal`] an [`Instance`] →
//! [`Sliding`], a [`search::Problem`] → [`search::BestFirst`] or [`search::idastar`] with a
//! [`heuristic`] and a [`queue`] → [`Moves`].
//!
//! With the feature `serde`, the one dependency there may be, boards, goals, moves, sizes, metrics and
//! notations are texts in the files of others.

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
mod text;

pub use crate::problem::run_moves::{Run, Runs};
pub use crate::problem::sliding::{Arrangement, Sliding};
pub use crate::puzzle::board::{Board, BoardError, Tile};
pub use crate::puzzle::dims::{Cell, Dims, DimsError};
pub use crate::puzzle::goal::Goal;
pub use crate::puzzle::instance::{Instance, InstanceError};
pub use crate::puzzle::metric::{Metric, MetricError};
pub use crate::puzzle::moves::{
    Boards, IllegalSlide, Moves, MovesError, NotatedMoves, Notation, NotationError,
};
pub use crate::puzzle::packed::Packed;
pub use crate::puzzle::random::Random;
pub use crate::puzzle::slide::{Slide, Slides};
pub use crate::puzzle::solvability::Solvability;
pub use chained_hash::{ChainedTable, WordHasher};
pub use format::FormatError;
pub use index_table::{NumberedTable, Probe};
