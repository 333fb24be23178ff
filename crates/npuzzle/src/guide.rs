//! A guide in five pages, from a first solution to your own puzzle. All programs in it are tests.
//!
//! 1. [`first_solution`]: solve a board and read the report
//! 2. [`limits_and_progress`]: limit, observe and stop a search
//! 3. [`many_boards`]: solve and generate many boards
//! 4. [`own_heuristic`]: search with your own heuristic, and test it
//! 5. [`own_puzzle`]: search other problems, and observe a search node by node
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
