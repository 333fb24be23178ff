//! Full tables: the distances of all boards of up to 12 cells to a goal.
//!
//! A board is *ranked* by the cell of the blank and the permutation of the tiles ([`ranker`]). 3×4 has
//! 12 · 11!/2 = 239,500,800 ranks, one for each solvable board.
//!
//! A table stores just enough of each distance to tell which neighbors are nearer to the goal:
//!
//! ```text
//!     single-tile metric   A slide changes the distance by exactly one, and the blank's cell determines
//!                          whether the distance is even. One bit, the second one of the distance,
//!                          gives the distance modulo 4.
//!     multi-tile metric    A move may keep the distance. Two bits give the distance modulo 3.
//! ```
//!
//! The distance itself is the length of the path that moves nearer until it reaches the goal. Distances modulo
//! 3 are due to Cooperman and Finkelstein (1992), single bits to Clausecker and Reinefeld (2019).
//!
//! - [`DistanceTable`] is such a table; [`build`] fills it by a breadth-first search over sets of boards.
//! - [`BestMoves`] stores a best move for each 8-puzzle, which is faster to follow.
//! - [`Level`] is the set of boards at one distance.
//! - [`Ranks`] ranks boards of up to 16 cells, which have no table, for the census on disk.

mod best_moves;
mod bit_permute;
mod build;
mod level;
mod perm_rank;
mod ranker;
mod ranks;
mod space;
mod table;

pub use best_moves::BestMoves;
pub use level::Level;
pub use ranks::{Neighbors, Ranks};
pub use space::FullSpace;
pub use table::DistanceTable;
