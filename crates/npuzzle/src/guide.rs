//! From a first solution to a puzzle of your own: pages to read in order, whose programs are tests.
//!
//! 1. [`first_solution`]: one board, its solution, what a report says
//! 2. [`limits_and_progress`]: how long it may take, what it is doing, how to stop it
//! 3. [`many_boards`]: batches, and boards to fill them
//! 4. [`own_heuristic`]: an estimate of your own, and whether it is right
//! 5. [`own_puzzle`]: the searches on other problems, a maze and the pancake puzzle; who looks on
//!
//! The folder `examples` has small programs to start from.

#[doc = include_str!("guide/first_solution.md")]
pub mod first_solution {}

#[doc = include_str!("guide/limits_and_progress.md")]
pub mod limits_and_progress {}

#[doc = include_str!("guide/many_boards.md")]
pub mod many_boards {}

#[doc = include_str!("guide/own_heuristic.md")]
pub mod own_heuristic {}

#[doc = include_str!("guide/own_puzzle.md")]
pub mod own_puzzle {}
