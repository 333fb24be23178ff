//! Where a solution leaves all shortest ones.
//!
//! Let `d` be the distance of a board to the goal. After `i` moves, `i + d` is the length of the
//! shortest solution that begins like this one. It never gets less, begins with the shortest length
//! and ends with the length of the solution. Where it grows, moves are lost; those places are found
//! by halving, so that few of the boards have to be solved.

use std::ops::ControlFlow;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Board, Goal, Instance, Metric, Moves, Slide};

use super::{CheckError, Quality};
use crate::options::Options;
use crate::report::Report;
use crate::tables::cache::Tables;

/// A move that led away from all shortest ways.
///
/// ```
/// use npuzzle::teaching::Loss;
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let checked = Options::default().check(&puzzle, "L R L U", &mut Tables::new(), &mut ())?;
/// let losses = checked.quality.map(|quality| quality.losses);
/// assert_eq!(losses, Some(vec![Loss { step: 2, lost: 2 }]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loss {
    /// Which move, from 1.
    pub step: usize,
    /// By how much the shortest solution from there on is longer than it was.
    pub lost: Cost,
}

impl Options {
    /// How good a solution is that has been replayed.
    pub(super) fn judge(
        &self,
        puzzle: &Instance,
        moves: &Moves,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Quality, CheckError> {
        let length = moves.len(self.metric) as Cost;
        let report = self.solve_with(puzzle, tables, watch)?;
        let lower_bound = report.lower_bound.unwrap_or(0);
        let mut quality = Quality {
            length,
            lower_bound,
            upper_bound: report.upper_bound().map_or(length, |upper| upper.min(length)),
            losses: Vec::new(),
            stopped: report.stopped_by(),
        };
        if report.is_optimal() && lower_bound < length {
            let ends = ends_of_moves(moves, self.metric);
            let mut path = Path { options: self, puzzle, moves, ends, tables, watch };
            let (first, last) = ((0, lower_bound), (moves.len(self.metric), length));
            match path.losses(puzzle.start(), first, last) {
                Ok(losses) => quality.losses = losses,
                Err(Stop::Limit(limit)) => quality.stopped = Some(limit),
                Err(Stop::Error(error)) => return Err(error),
            }
        }
        Ok(quality)
    }
}

/// How many slides have been made before the first move, after it, and so on.
fn ends_of_moves(moves: &Moves, metric: Metric) -> Vec<usize> {
    match metric {
        Metric::Stm => (0..=moves.stm()).collect(),
        Metric::Mtm => {
            let end = |n: &mut usize, (_, count): (Slide, usize)| {
                *n += count;
                Some(*n)
            };
            std::iter::once(0).chain(moves.runs().scan(0, end)).collect()
        }
    }
}

struct Path<'a> {
    options: &'a Options,
    puzzle: &'a Instance,
    moves: &'a Moves,
    ends: Vec<usize>,
    tables: &'a mut Tables,
    watch: &'a mut dyn Watch,
}

/// After so many moves, and the length of the shortest solution that begins like this.
type Place = (usize, Cost);

enum Stop {
    Limit(Limit),
    Error(CheckError),
}

impl Path<'_> {
    /// The losses between two places, from the board at the first. Boards are made when they are
    /// asked for: all of them would be too many.
    fn losses(&mut self, board: &Board, from: Place, to: Place) -> Result<Vec<Loss>, Stop> {
        if from.1 == to.1 {
            return Ok(Vec::new());
        }
        if to.0 - from.0 == 1 {
            return Ok(vec![Loss { step: to.0, lost: to.1 - from.1 }]);
        }
        let middle = from.0.midpoint(to.0);
        let there = self.replayed(board, from.0, middle);
        let through = (middle, middle as Cost + self.distance(&there)?);
        let mut losses = self.losses(board, from, through)?;
        losses.extend(self.losses(&there, through, to)?);
        Ok(losses)
    }

    fn replayed(&self, board: &Board, from: usize, to: usize) -> Board {
        let mut board = board.clone();
        for &slide in &self.moves.slides()[self.ends[from]..self.ends[to]] {
            board.slide(slide);
        }
        board
    }

    fn distance(&mut self, board: &Board) -> Result<Cost, Stop> {
        // What is looked up in a table asks nobody.
        if let ControlFlow::Break(limit) = self.watch.poll(&Stats::default()) {
            return Err(Stop::Limit(limit));
        }
        let goal = Goal::Board(self.puzzle.goal().clone());
        let instance = match Instance::new(board.clone(), &goal) {
            Ok(instance) => instance,
            Err(error) => unreachable!("both are of one size: {error}"),
        };
        let report: Report = self
            .options
            .solve_with(&instance, self.tables, self.watch)
            .map_err(|error| Stop::Error(error.into()))?;
        match (report.is_optimal(), report.upper_bound()) {
            (true, Some(distance)) => Ok(distance),
            _ => Err(Stop::Limit(report.stopped_by().unwrap_or(Limit::Time))),
        }
    }
}
