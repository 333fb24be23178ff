//! The benchmark boards of Korf (1985), on which 15-puzzle searches are usually compared.

use npuzzle_core::{Board, Goal, Instance};

/// Returns the 100 random 15-puzzles of Korf (1985) with their goal `0 1 2 … 15`, in the published
/// order.
///
/// ```
/// let first = &npuzzle::teaching::korf100()[0];
/// assert_eq!(first.start().slash().to_string(), "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3");
/// ```
pub fn korf100() -> Vec<Instance> {
    let lines =
        include_str!("../../data/korf100.txt").lines().filter(|line| !line.starts_with('#'));
    let boards = lines.filter_map(|line| line.parse::<Board>().ok());
    boards.filter_map(|board| Instance::new(board, &Goal::First).ok()).collect()
}
