//! The distances of all boards of up to 12 cells to a goal.

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
pub use ranks::{Neighbours, Ranks};
pub use space::FullSpace;
pub use table::DistanceTable;
