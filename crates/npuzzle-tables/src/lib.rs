//! Pattern databases and the duplicate-path automaton.
//!
//! Boards here are *labelled*: a tile's label is the cell where it belongs, so that the goal is the
//! identity whatever the goal was, and the blank's label is the cell where the blank belongs.

#![forbid(unsafe_code)]

mod automaton;
mod build;
mod grid;
mod pack;
mod pattern;
mod placement;
mod set;
mod table;
mod verify;

pub use automaton::Automaton;
pub use build::Progress;
pub use pattern::Pattern;
pub use set::{PatternSet, generate};
pub use table::{Excess, PatternTable, Width};
pub use verify::Flaw;
