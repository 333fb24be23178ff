//! Slow oracles and fixtures: what the tests of the other crates measure themselves against.
//!
//! Nothing here is clever. An oracle that shares an idea with the code it checks would share its
//! mistakes.

#![forbid(unsafe_code)]

pub mod data;
pub mod naive;
pub mod random;
pub mod space;

use npuzzle_core::{Board, Dims, Goal};

/// The board drawn in slash form: `1 2 3/4 5 6/7 8 0`.
///
/// # Panics
/// If it is no board.
pub fn board(slash: &str) -> Board {
    match slash.parse() {
        Ok(board) => board,
        Err(error) => panic!("{slash:?} is no board: {error}"),
    }
}

/// The size written `3x4`.
///
/// # Panics
/// If it is no size.
pub fn dims(text: &str) -> Dims {
    match text.parse() {
        Ok(dims) => dims,
        Err(error) => panic!("{error}"),
    }
}

/// Whether tests that take long are wanted: `cargo xtask test --long`.
pub fn is_long() -> bool {
    std::env::var_os("NPUZZLE_LONG_TESTS").is_some()
}

/// The goals that have names.
pub const NAMED_GOALS: [Goal; 3] = [Goal::Last, Goal::First, Goal::Snail];
