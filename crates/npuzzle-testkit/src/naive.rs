//! Definitions taken literally: plain twins of what the engine computes with care.
//!
//! Boards are taken apart into plain numbers first; from there on no code of the engine runs.

use std::collections::{HashMap, VecDeque};

use npuzzle_core::{Board, Metric, Slide};

/// The most cells an [`Oracle`] deals with.
const MAX_CELLS: usize = 10;

/// A small board as a plain array; cells that a smaller board does not have hold `u8::MAX`.
type Tiles = [u8; MAX_CELLS];

/// The distances of all boards of up to 10 cells that reach a goal, by breadth-first search.
#[derive(Clone, Debug)]
pub struct Oracle {
    rows: usize,
    cols: usize,
    /// Slides in the longest move.
    longest: usize,
    distances: HashMap<Tiles, u32>,
}

/// The numbers of shortest paths of all boards of an [`Oracle`].
#[derive(Clone, Debug)]
pub struct PathCounts(HashMap<Tiles, u128>);

impl PathCounts {
    /// The number of a board; `None` if it does not reach the goal.
    pub fn get(&self, board: &Board) -> Option<u128> {
        self.0.get(&tiles_of(board)).copied()
    }
}

impl Oracle {
    /// Searches backward from the goal. A move is one slide, or any straight run of slides in the
    /// multi-tile metric.
    pub fn new(goal: &Board, metric: Metric) -> Oracle {
        let (rows, cols) = (goal.dims().rows(), goal.dims().cols());
        let longest = match metric {
            Metric::Stm => 1,
            Metric::Mtm => rows.max(cols),
        };
        let goal = tiles_of(goal);
        let mut distances = HashMap::from([(goal, 0)]);
        let mut queue = VecDeque::from([goal]);
        while let Some(tiles) = queue.pop_front() {
            let next = distances[&tiles] + 1;
            for neighbor in moves(tiles, rows, cols, longest) {
                distances.entry(neighbor).or_insert_with(|| {
                    queue.push_back(neighbor);
                    next
                });
            }
        }
        Oracle { rows, cols, longest, distances }
    }

    /// The distance of a board; `None` if it does not reach the goal.
    pub fn distance(&self, board: &Board) -> Option<u32> {
        assert_eq!((self.rows, self.cols), (board.dims().rows(), board.dims().cols()));
        self.distances.get(&tiles_of(board)).copied()
    }

    /// How many shortest paths lead from every board to the goal: those of its neighbours that are
    /// nearer, together.
    pub fn paths(&self) -> PathCounts {
        let mut by_distance: Vec<(u32, Tiles)> =
            self.distances.iter().map(|(&tiles, &distance)| (distance, tiles)).collect();
        by_distance.sort_unstable();
        let mut counts = HashMap::with_capacity(by_distance.len());
        for (distance, tiles) in by_distance {
            let nearer = moves(tiles, self.rows, self.cols, self.longest);
            let nearer = nearer.into_iter().filter(|near| self.distances[near] + 1 == distance);
            let sum: u128 = nearer.map(|near| counts[&near]).sum();
            counts.insert(tiles, if distance == 0 { 1 } else { sum });
        }
        PathCounts(counts)
    }

    /// How many boards reach the goal.
    pub fn n_boards(&self) -> usize {
        self.distances.len()
    }

    /// The largest distance.
    pub fn deepest(&self) -> u32 {
        self.distances.values().copied().max().unwrap_or(0)
    }
}

fn tiles_of(board: &Board) -> Tiles {
    let mut tiles = [u8::MAX; MAX_CELLS];
    for (cell, tile) in board.tiles().iter().enumerate() {
        tiles[cell] = tile.number() as u8;
    }
    tiles
}

/// What the blank makes of a board by going straight on, in every direction, up to `longest`
/// cells.
fn moves(tiles: Tiles, rows: usize, cols: usize, longest: usize) -> Vec<Tiles> {
    let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or_default();
    let mut found = Vec::new();
    for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
        let mut board = tiles;
        let (mut row, mut col) = ((blank / cols) as isize, (blank % cols) as isize);
        for _ in 0..longest {
            let (next_row, next_col) = (row + down, col + right);
            let inside = (0..rows as isize).contains(&next_row);
            if !inside || !(0..cols as isize).contains(&next_col) {
                break;
            }
            let at = |row, col| (row * cols as isize + col) as usize;
            board.swap(at(row, col), at(next_row, next_col));
            (row, col) = (next_row, next_col);
            found.push(board);
        }
    }
    found
}

/// How many sequences of so many moves lead from a start to a goal, by trying all of them. For a
/// dozen moves at most.
pub fn n_walks(start: &Board, goal: &Board, metric: Metric, length: u32) -> u128 {
    let (rows, cols) = (start.dims().rows(), start.dims().cols());
    let longest = match metric {
        Metric::Stm => 1,
        Metric::Mtm => rows.max(cols),
    };
    let numbers = |board: &Board| board.tiles().iter().map(|tile| tile.number()).collect();
    let (start, goal): (Vec<u16>, Vec<u16>) = (numbers(start), numbers(goal));
    walks(&start, &goal, (rows, cols), longest, length)
}

fn walks(
    tiles: &[u16],
    goal: &[u16],
    (rows, cols): (usize, usize),
    longest: usize,
    left: u32,
) -> u128 {
    if left == 0 {
        return u128::from(tiles == goal);
    }
    let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or_default();
    let (row, col) = (blank / cols, blank % cols);
    // The cells that the blank passes on its way up, down, left and right.
    let ways: [Vec<usize>; 4] = [
        (0..row).rev().map(|row| row * cols + col).collect(),
        (row + 1..rows).map(|row| row * cols + col).collect(),
        (0..col).rev().map(|col| row * cols + col).collect(),
        (col + 1..cols).map(|col| row * cols + col).collect(),
    ];
    let mut sum = 0;
    for way in ways {
        let mut tiles = tiles.to_vec();
        let mut blank = blank;
        for cell in way.into_iter().take(longest) {
            tiles.swap(blank, cell);
            blank = cell;
            sum += walks(&tiles, goal, (rows, cols), longest, left - 1);
        }
    }
    sum
}

/// Row and column of a tile.
fn place(board: &Board, number: u16) -> (usize, usize) {
    let cell = board.tiles().iter().position(|tile| tile.number() == number).unwrap_or_default();
    (cell / board.dims().cols(), cell % board.dims().cols())
}

/// Whether the goal can be reached, by counting every pair of cells that is out of order: the
/// number of inversions and the blank's distance from its place are both even or both odd.
pub fn is_solvable(start: &Board, goal: &Board) -> bool {
    let wanted: HashMap<u16, usize> =
        goal.tiles().iter().enumerate().map(|(cell, tile)| (tile.number(), cell)).collect();
    let order: Vec<usize> = start.tiles().iter().map(|tile| wanted[&tile.number()]).collect();
    let inversions = (0..order.len())
        .map(|i| order[i + 1..].iter().filter(|&&later| later < order[i]).count())
        .sum::<usize>();
    let ((row, col), (goal_row, goal_col)) = (place(start, 0), place(goal, 0));
    (inversions + row.abs_diff(goal_row) + col.abs_diff(goal_col)).is_multiple_of(2)
}

/// Tiles out of place.
pub fn misplaced(start: &Board, goal: &Board) -> u32 {
    let pairs = start.tiles().iter().zip(goal.tiles());
    pairs.filter(|(tile, wanted)| tile.number() != 0 && tile != wanted).count() as u32
}

/// The sum of the tiles' distances from their places.
pub fn manhattan(start: &Board, goal: &Board) -> u32 {
    let distance = |number| {
        let ((row, col), (goal_row, goal_col)) = (place(start, number), place(goal, number));
        row.abs_diff(goal_row) + col.abs_diff(goal_col)
    };
    (1..start.tiles().len() as u16).map(distance).sum::<usize>() as u32
}

/// Manhattan distance and 2 for every tile that must leave its line, by trying every set of tiles
/// that could. For lines of up to a dozen tiles.
pub fn linear_conflict(start: &Board, goal: &Board) -> u32 {
    let (rows, cols) = (start.dims().rows(), start.dims().cols());
    let number = |row: usize, col: usize| start.tiles()[row * cols + col].number();
    let mut n_leaving = 0;
    for row in 0..rows {
        let here = (0..cols).map(|col| number(row, col)).filter(|&n| n != 0);
        let homes = here.map(|n| place(goal, n)).filter(|home| home.0 == row);
        n_leaving += fewest_to_strike_out(&homes.map(|home| home.1).collect::<Vec<_>>());
    }
    for col in 0..cols {
        let here = (0..rows).map(|row| number(row, col)).filter(|&n| n != 0);
        let homes = here.map(|n| place(goal, n)).filter(|home| home.1 == col);
        n_leaving += fewest_to_strike_out(&homes.map(|home| home.0).collect::<Vec<_>>());
    }
    manhattan(start, goal) + 2 * n_leaving
}

/// The size of the smallest set without which the rest increases.
fn fewest_to_strike_out(places: &[usize]) -> u32 {
    let increases = |struck: &u32| {
        let kept = (0..places.len()).filter(|i| struck >> i & 1 == 0).map(|i| places[i]);
        kept.is_sorted()
    };
    (0..1u32 << places.len()).filter(increases).map(u32::count_ones).min().unwrap_or(0)
}

/// The vertical slides and the horizontal ones that it takes at least to bring the inversions to
/// naught, by counting every pair of tiles read by rows and by columns.
pub fn inversion(start: &Board, goal: &Board) -> u32 {
    let (rows, cols) = (start.dims().rows(), start.dims().cols());
    let inversions = |key: fn((usize, usize)) -> (usize, usize)| {
        let places = |board| (1..(rows * cols) as u16).map(move |n| key(place(board, n)));
        let tiles: Vec<_> = places(start).zip(places(goal)).collect();
        let pairs = tiles.iter().flat_map(|a| tiles.iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| a.0 < b.0 && a.1 > b.1).count()
    };
    let vertical = inversions(|(row, col)| (row, col)).div_ceil(cols - 1);
    let horizontal = inversions(|(row, col)| (col, row)).div_ceil(rows - 1);
    (vertical + horizontal) as u32
}

/// The fewest moves of a tile into the row of the blank from the row above or below, and likewise
/// for columns, by breadth-first search over lists of the rows (columns) that tiles belong in.
pub fn walking(start: &Board, goal: &Board) -> u32 {
    let (rows, cols) = (start.dims().rows(), start.dims().cols());
    let lines = |board: &Board, n: usize, line: fn((usize, usize)) -> usize| {
        let mut lines = vec![Vec::new(); n];
        for number in 1..(rows * cols) as u16 {
            lines[line(place(board, number))].push(line(place(goal, number)));
        }
        lines
    };
    let walk = |n: usize, line: fn((usize, usize)) -> usize| {
        let blank = line(place(goal, 0));
        fewest_walks((lines(start, n, line), line(place(start, 0))), &(lines(goal, n, line), blank))
    };
    walk(rows, |(row, _)| row) + walk(cols, |(_, col)| col)
}

/// The homes of the tiles in every line, and the line of the blank.
type Lines = (Vec<Vec<usize>>, usize);

fn fewest_walks(mut start: Lines, goal: &Lines) -> u32 {
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
                let home = next.0[from].remove(at);
                next.0[blank].push(home);
                next.0[blank].sort_unstable();
                next.1 = from;
                if !distances.contains_key(&next) {
                    distances.insert(next.clone(), distance + 1);
                    queue.push_back(next);
                }
            }
        }
    }
    unreachable!("every arrangement can be walked to the goal")
}

/// The number of straight runs, by looking at every slide and the one before it.
pub fn mtm(slides: &[Slide]) -> usize {
    let mut n = 0;
    for (i, slide) in slides.iter().enumerate() {
        if i == 0 || slides[i - 1] != *slide {
            n += 1;
        }
    }
    n
}
