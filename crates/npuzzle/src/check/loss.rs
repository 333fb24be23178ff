//! Where a solution leaves all shortest ones.
//!
//! Let `d` be the distance of a board to the goal. After `i` moves, `i + d` is the length of the
//! shortest solution that begins like this one. It never gets less, begins with the shortest length
//! and ends with the length of the solution. Where it grows, moves are lost; those places are found
//! by halving, so that few of the boards have to be solved.

use npuzzle_core::search::{Cost, Limit, Watch};
use npuzzle_core::{Board, Goal, Instance, Metric, Moves};

use super::{CheckError, Quality};
use crate::options::Options;
use crate::report::Report;
use crate::tables::Tables;

/// A move that led away from all shortest ways.
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
            let boards = boards_by_move(puzzle.start(), moves, self.metric);
            let mut path = Path { options: self, puzzle, boards, tables, watch };
            let ends = (0, lower_bound, boards_len(&path.boards) - 1, length);
            match path.losses(ends) {
                Ok(losses) => quality.losses = losses,
                Err(Stop::Limit(limit)) => quality.stopped = Some(limit),
                Err(Stop::Error(error)) => return Err(error),
            }
        }
        Ok(quality)
    }
}

fn boards_len(boards: &[Board]) -> usize {
    boards.len().max(1)
}

/// The boards before the first move, after it, and so on.
fn boards_by_move(start: &Board, moves: &Moves, metric: Metric) -> Vec<Board> {
    let mut board = start.clone();
    let mut boards = vec![board.clone()];
    let counts: Vec<usize> = match metric {
        Metric::Stm => vec![1; moves.stm()],
        Metric::Mtm => moves.runs().map(|(_, n)| n).collect(),
    };
    let mut slides = moves.slides().iter();
    for count in counts {
        for &slide in slides.by_ref().take(count) {
            board.slide(slide);
        }
        boards.push(board.clone());
    }
    boards
}

struct Path<'a> {
    options: &'a Options,
    puzzle: &'a Instance,
    boards: Vec<Board>,
    tables: &'a mut Tables,
    watch: &'a mut dyn Watch,
}

enum Stop {
    Limit(Limit),
    Error(CheckError),
}

impl Path<'_> {
    /// The losses between two places whose lengths are known.
    fn losses(
        &mut self,
        (from, least, to, most): (usize, Cost, usize, Cost),
    ) -> Result<Vec<Loss>, Stop> {
        if least == most {
            return Ok(Vec::new());
        }
        if to - from == 1 {
            return Ok(vec![Loss { step: to, lost: most - least }]);
        }
        let middle = from.midpoint(to);
        let through = middle as Cost + self.distance(middle)?;
        let mut losses = self.losses((from, least, middle, through))?;
        losses.extend(self.losses((middle, through, to, most))?);
        Ok(losses)
    }

    fn distance(&mut self, at: usize) -> Result<Cost, Stop> {
        let goal = Goal::Board(self.puzzle.goal().clone());
        let instance = match Instance::new(self.boards[at].clone(), &goal) {
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
