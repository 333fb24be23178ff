//! Literal implementations of definitions that the library computes by faster algorithms.
//!
//! Boards are converted to plain numbers first; no code of the library runs after that.

use std::collections::{HashMap, VecDeque};

use npuzzle_core::{Board, Metric, Slide};

/// The largest number of cells of an [`Oracle`].
const MAX_CELLS: usize = 10;

/// A small board as an array. Unused cells contain `u16::MAX`.
type Tiles = [u16; MAX_CELLS];

/// The distances of all boards that reach a goal, by breadth-first search, for up to 10 cells.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// Rows and columns.
    size: (usize, usize),
    /// The maximum number of slides in a move.
    max_run: usize,
    distances: HashMap<Tiles, u32>,
}

/// The number of shortest paths of every board of an [`Oracle`].
#[derive(Clone, Debug)]
pub struct PathCounts(HashMap<Tiles, u128>);

impl PathCounts {
    /// Returns the number of shortest paths of a board; `None` if it does not reach the goal.
    pub fn get(&self, board: &Board) -> Option<u128> {
        self.0.get(&tiles_of(board)).copied()
    }
}

impl Oracle {
    /// Searches backward from the goal. A move is one slide, or in the multi-tile metric a straight
    /// run of slides.
    pub fn new(goal: &Board, metric: Metric) -> Oracle {
        let size = (goal.dims().rows(), goal.dims().cols());
        let max_run = max_run(metric, size);
        let goal = tiles_of(goal);
        let mut distances = HashMap::from([(goal, 0)]);
        let mut queue = VecDeque::from([goal]);
        while let Some(tiles) = queue.pop_front() {
            let next = distances[&tiles] + 1;
            for neighbor in moves(&tiles, size, max_run) {
                distances.entry(neighbor).or_insert_with(|| {
                    queue.push_back(neighbor);
                    next
                });
            }
        }
        Oracle { size, max_run, distances }
    }

    /// Returns the distance of a board; `None` if it does not reach the goal.
    pub fn distance(&self, board: &Board) -> Option<u32> {
        assert_eq!(self.size, (board.dims().rows(), board.dims().cols()));
        self.distances.get(&tiles_of(board)).copied()
    }

    /// Returns the number of shortest paths from every board: the sum over its neighbors that are
    /// nearer to the goal.
    pub fn paths(&self) -> PathCounts {
        let mut by_distance: Vec<(u32, Tiles)> =
            self.distances.iter().map(|(&tiles, &distance)| (distance, tiles)).collect();
        by_distance.sort_unstable();
        let mut counts = HashMap::with_capacity(by_distance.len());
        for (distance, tiles) in by_distance {
            let nearer = moves(&tiles, self.size, self.max_run);
            let nearer = nearer.into_iter().filter(|near| self.distances[near] + 1 == distance);
            let sum: u128 = nearer.map(|near| counts[&near]).sum();
            counts.insert(tiles, if distance == 0 { 1 } else { sum });
        }
        PathCounts(counts)
    }

    /// Returns the number of boards that reach the goal.
    pub fn n_boards(&self) -> usize {
        self.distances.len()
    }

    /// Returns the largest distance.
    pub fn deepest(&self) -> u32 {
        self.distances.values().copied().max().unwrap_or(0)
    }
}

fn tiles_of(board: &Board) -> Tiles {
    let mut tiles = [u16::MAX; MAX_CELLS];
    for (cell, tile) in board.tiles().iter().enumerate() {
        tiles[cell] = tile.number();
    }
    tiles
}

/// The maximum number of slides in a move.
fn max_run(metric: Metric, (rows, cols): (usize, usize)) -> usize {
    match metric {
        Metric::Stm => 1,
        Metric::Mtm => rows.max(cols),
    }
}

/// The boards that result when the blank moves straight in any direction, up to `max_run` cells.
fn moves<T: Clone + AsRef<[u16]> + AsMut<[u16]>>(
    tiles: &T,
    (rows, cols): (usize, usize),
    max_run: usize,
) -> Vec<T> {
    let blank = tiles.as_ref().iter().position(|&tile| tile == 0).unwrap_or_default();
    let mut found = Vec::new();
    for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
        let mut board = tiles.clone();
        let (mut row, mut col) = ((blank / cols) as isize, (blank % cols) as isize);
        for _ in 0..max_run {
            let (next_row, next_col) = (row + down, col + right);
            let inside = (0..rows as isize).contains(&next_row);
            if !inside || !(0..cols as isize).contains(&next_col) {
                break;
            }
            let at = |row, col| (row * cols as isize + col) as usize;
            board.as_mut().swap(at(row, col), at(next_row, next_col));
            (row, col) = (next_row, next_col);
            found.push(board.clone());
        }
    }
    found
}

/// Returns the number of sequences of exactly `length` moves from a start to a goal, by trying all
/// sequences. For lengths of at most about a dozen.
pub fn n_walks(start: &Board, goal: &Board, metric: Metric, length: u32) -> u128 {
    let size = (start.dims().rows(), start.dims().cols());
    let numbers = |board: &Board| board.tiles().iter().map(|tile| tile.number()).collect();
    let (start, goal): (Vec<u16>, Vec<u16>) = (numbers(start), numbers(goal));
    walks(&start, &goal, size, max_run(metric, size), length)
}

fn walks(
    tiles: &Vec<u16>,
    goal: &Vec<u16>,
    size: (usize, usize),
    max_run: usize,
    length: u32,
) -> u128 {
    if length == 0 {
        return u128::from(tiles == goal);
    }
    let next = moves(tiles, size, max_run);
    next.iter().map(|tiles| walks(tiles, goal, size, max_run, length - 1)).sum()
}

/// The row and the column of a tile.
fn position(board: &Board, number: u16) -> (usize, usize) {
    let cell = board.tiles().iter().position(|tile| tile.number() == number).unwrap_or_default();
    (cell / board.dims().cols(), cell % board.dims().cols())
}

/// Whether the goal can be reached: the number of inversions and the distance of the blank from its
/// goal cell are both even or both odd.
pub fn is_solvable(start: &Board, goal: &Board) -> bool {
    let wanted: HashMap<u16, usize> =
        goal.tiles().iter().enumerate().map(|(cell, tile)| (tile.number(), cell)).collect();
    let order: Vec<usize> = start.tiles().iter().map(|tile| wanted[&tile.number()]).collect();
    let inversions = (0..order.len())
        .map(|i| order[i + 1..].iter().filter(|&&later| later < order[i]).count())
        .sum::<usize>();
    let ((row, col), (goal_row, goal_col)) = (position(start, 0), position(goal, 0));
    (inversions + row.abs_diff(goal_row) + col.abs_diff(goal_col)).is_multiple_of(2)
}

/// Returns the number of misplaced tiles.
pub fn misplaced(start: &Board, goal: &Board) -> u32 {
    let pairs = start.tiles().iter().zip(goal.tiles());
    pairs.filter(|(tile, wanted)| tile.number() != 0 && tile != wanted).count() as u32
}

/// Returns the sum of the tiles' Manhattan distances to their goal cells.
pub fn manhattan(start: &Board, goal: &Board) -> u32 {
    let distance = |number| {
        let ((row, col), (goal_row, goal_col)) = (position(start, number), position(goal, number));
        row.abs_diff(goal_row) + col.abs_diff(goal_col)
    };
    (1..start.tiles().len() as u16).map(distance).sum::<usize>() as u32
}

/// Returns the Manhattan distance plus 2 for every tile that must leave its line, by trying every
/// subset of the tiles. For lines of at most about a dozen tiles.
pub fn linear_conflict(start: &Board, goal: &Board) -> u32 {
    let (rows, cols) = (start.dims().rows(), start.dims().cols());
    let number = |row: usize, col: usize| start.tiles()[row * cols + col].number();
    let mut n_leaving = 0;
    for row in 0..rows {
        let tiles = (0..cols).map(|col| number(row, col)).filter(|&n| n != 0);
        let goal_cells = tiles.map(|n| position(goal, n)).filter(|cell| cell.0 == row);
        n_leaving += min_to_remove(&goal_cells.map(|cell| cell.1).collect::<Vec<_>>());
    }
    for col in 0..cols {
        let tiles = (0..rows).map(|row| number(row, col)).filter(|&n| n != 0);
        let goal_cells = tiles.map(|n| position(goal, n)).filter(|cell| cell.1 == col);
        n_leaving += min_to_remove(&goal_cells.map(|cell| cell.0).collect::<Vec<_>>());
    }
    manhattan(start, goal) + 2 * n_leaving
}

/// The minimum number of elements to remove so that the rest is sorted.
fn min_to_remove(values: &[usize]) -> u32 {
    let is_rest_sorted = |removed: &u32| {
        let rest = (0..values.len()).filter(|i| removed >> i & 1 == 0).map(|i| values[i]);
        rest.is_sorted()
    };
    (0..1u32 << values.len()).filter(is_rest_sorted).map(u32::count_ones).min().unwrap_or(0)
}

/// Returns the minimum number of vertical and of horizontal slides that remove all inversions, which
/// are counted over all pairs of tiles by rows and by columns.
pub fn inversion(start: &Board, goal: &Board) -> u32 {
    let (rows, cols) = (start.dims().rows(), start.dims().cols());
    let inversions = |key: fn((usize, usize)) -> (usize, usize)| {
        let keys = |board| (1..(rows * cols) as u16).map(move |n| key(position(board, n)));
        let tiles: Vec<_> = keys(start).zip(keys(goal)).collect();
        let pairs = tiles.iter().flat_map(|a| tiles.iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| a.0 < b.0 && a.1 > b.1).count()
    };
    let vertical = inversions(|(row, col)| (row, col)).div_ceil(cols - 1);
    let horizontal = inversions(|(row, col)| (col, row)).div_ceil(rows - 1);
    (vertical + horizontal) as u32
}

/// Returns the walking distance: the minimum number of moves of a tile from an adjacent row into the
/// row of the blank, and likewise for columns, by breadth-first search over lists of goal rows
/// (columns).
pub fn walking(start: &Board, goal: &Board) -> u32 {
    let (rows, cols) = (start.dims().rows(), start.dims().cols());
    let lines = |board: &Board, n: usize, line: fn((usize, usize)) -> usize| {
        let mut lines = vec![Vec::new(); n];
        for number in 1..(rows * cols) as u16 {
            lines[line(position(board, number))].push(line(position(goal, number)));
        }
        lines
    };
    let walk = |n: usize, line: fn((usize, usize)) -> usize| {
        let start = (lines(start, n, line), line(position(start, 0)));
        min_walk(start, &(lines(goal, n, line), line(position(goal, 0))))
    };
    walk(rows, |(row, _)| row) + walk(cols, |(_, col)| col)
}

/// The goal lines of the tiles in every line, and the line of the blank.
type GoalLines = (Vec<Vec<usize>>, usize);

fn min_walk(mut start: GoalLines, goal: &GoalLines) -> u32 {
    start.0.iter_mut().for_each(|line| line.sort_unstable());
    let mut distances = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(lines) = queue.pop_front() {
        let distance = distances[&lines];
        if lines == *goal {
            return distance;
        }
        let blank = lines.1;
        for from in (0..lines.0.len()).filter(|from| from.abs_diff(blank) == 1) {
            for at in 0..lines.0[from].len() {
                let mut next = lines.clone();
                let goal_line = next.0[from].remove(at);
                next.0[blank].push(goal_line);
                next.0[blank].sort_unstable();
                next.1 = from;
                if !distances.contains_key(&next) {
                    distances.insert(next.clone(), distance + 1);
                    queue.push_back(next);
                }
            }
        }
    }
    unreachable!("every arrangement reaches the goal")
}

/// Returns the number of straight runs, by comparing every slide with the one before it.
pub fn mtm(slides: &[Slide]) -> usize {
    (0..slides.len()).filter(|&i| i == 0 || slides[i - 1] != slides[i]).count()
}
