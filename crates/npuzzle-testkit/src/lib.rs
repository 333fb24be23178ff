//! Slow oracles and fixtures for the tests of the other crates.
//!
//! The oracles follow the definitions literally: one that shared an idea with the code under test
//! would share its mistakes.

#![forbid(unsafe_code)]

pub mod answers;
pub mod data;
pub mod naive;
pub mod pddl;
pub mod random;
pub mod space;

use npuzzle_core::{Board, Dims, Goal};

/// Parses a board in slash form: `1 2 3/4 5 6/7 8 0`.
///
/// # Panics
/// If the text is not a board.
pub fn board(slash: &str) -> Board {
    slash.parse().unwrap_or_else(|error| panic!("{slash:?}: {error}"))
}

/// Parses a size such as `3x4`.
///
/// # Panics
/// If the text is not a size.
pub fn dims(text: &str) -> Dims {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Whether slow tests are enabled: `cargo xtask test --long`.
pub fn is_long() -> bool {
    std::env::var_os("NPUZZLE_LONG_TESTS").is_some()
}

/// The named goals.
pub const NAMED_GOALS: [Goal; 3] = [Goal::Last, Goal::First, Goal::Snail];
