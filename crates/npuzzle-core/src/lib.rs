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

mod board;
mod chained;
mod dims;
pub mod format;
mod goal;
pub mod heuristic;
mod instance;
mod moves;
mod numbered;
mod packed;
mod parity;
pub mod queue;
mod random;
mod runs;
pub mod search;
mod slide;
mod sliding;
#[cfg(feature = "serde")]
mod text;

pub use board::{Board, BoardError, Tile};
pub use chained::{ChainedTable, WordHasher};
pub use dims::{Cell, Dims, DimsError};
pub use format::FormatError;
pub use goal::Goal;
pub use instance::{Instance, InstanceError};
pub use moves::{
    Boards, IllegalSlide, Metric, MetricError, Moves, MovesError, Notation, NotationError, Written,
};
pub use numbered::{Glance, NumberedTable};
pub use packed::Packed;
pub use parity::Solvability;
pub use random::Random;
pub use runs::{Run, Runs};
pub use slide::{Slide, Slides};
pub use sliding::{Arrangement, Sliding};
