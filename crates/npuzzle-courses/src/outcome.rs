//! The result of a course's search, from which the course writes its answer.

use std::time::Duration;

use npuzzle_core::search::{Cost, Limit, Stats};
use npuzzle_core::{Board, Instance, Slide, Tile};

use crate::search::CourseSearch;

/// The result of a course's search.
#[derive(Clone, Debug)]
pub struct CourseRun {
    /// The text that was read.
    pub text: String,
    /// The board and its goal.
    pub instance: Instance,
    /// The search that was run.
    pub search: CourseSearch,
    /// How the search ended.
    pub ending: Ending,
    /// The statistics of the search.
    pub stats: Stats,
    /// The statistics of the twin's search; `None` without lockstep.
    pub twin_stats: Option<Stats>,
    /// The first five states removed from the queue; empty for a free search.
    pub first_removed: Vec<PathStep>,
    /// The largest number of states in memory at once, open and closed; 0 for a free search.
    pub max_states: u64,
    /// The largest number of moves from the start to a state that entered the queue; 0 for a free
    /// search.
    pub max_depth: Cost,
    /// The time of the search.
    pub time: Duration,
}

/// How a course's search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A solution was found: the states from the start to the goal.
    Solved(Vec<PathStep>),
    /// The board is unsolvable.
    Unsolvable,
    /// A limit was reached. The cost is a lower bound on the length of every solution, if one is
    /// known.
    Stopped(Limit, Option<Cost>),
}

/// A state of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// The board.
    pub board: Board,
    /// The slide that led here and the tile that moved; `None` at the start, and for states
    /// removed from a queue.
    pub slid: Option<(Slide, Tile)>,
    /// Moves from the start.
    pub g: Cost,
    /// The course's heuristic value.
    pub h: Cost,
}
