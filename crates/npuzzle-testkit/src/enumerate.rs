//! Whole state spaces, by plain enumeration.

use std::collections::{HashMap, VecDeque};

use npuzzle_core::{Board, Dims};

/// Every arrangement of a size, reachable or not, in lexicographic order. For boards of up to 9
/// cells.
pub fn arrangements(dims: Dims) -> Vec<Board> {
    fn extend(dims: Dims, tiles: &mut Vec<u16>, all: &mut Vec<Board>) {
        if tiles.len() == dims.cells() {
            all.extend(Board::new(dims, tiles));
            return;
        }
        for tile in 0..dims.cells() as u16 {
            if !tiles.contains(&tile) {
                tiles.push(tile);
                extend(dims, tiles, all);
                tiles.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(dims, &mut Vec::new(), &mut all);
    all
}

/// The distance of every board that can reach the goal, by breadth-first search backward.
pub fn distances(goal: &Board) -> HashMap<Board, u32> {
    let mut distances = HashMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([goal.clone()]);
    while let Some(board) = queue.pop_front() {
        let next = distances[&board] + 1;
        for neighbor in board.neighbors() {
            if !distances.contains_key(&neighbor) {
                distances.insert(neighbor.clone(), next);
                queue.push_back(neighbor);
            }
        }
    }
    distances
}

/// How many boards are at each distance.
pub fn census(distances: &HashMap<Board, u32>) -> Vec<u64> {
    let deepest = distances.values().copied().max().unwrap_or(0);
    let mut counts = vec![0; deepest as usize + 1];
    for &distance in distances.values() {
        counts[distance as usize] += 1;
    }
    counts
}
