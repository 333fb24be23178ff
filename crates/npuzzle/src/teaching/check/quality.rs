//! How good a solution is, and which of its moves are wasted.
//!
//! Let `d(i)` be the distance to the goal after `i` moves. Then `i + d(i)` is the length of the
//! shortest solution that starts with these `i` moves. It never decreases; it is the shortest length
//! at `i = 0` and the length of the solution at the end. A move is wasted where it grows. Bisection
//! finds these moves, so that only a few of the boards have to be solved.

use std::ops::ControlFlow;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Board, Instance, Metric, Moves, Slide};

use crate::options::Options;
use crate::solver::SolveError;
use crate::tables::cache::Tables;
use crate::teaching::same_size;

/// The length of a solution compared with the shortest one.
///
/// ```
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let checked = Options::default().check(&puzzle, "L R L U", &mut Tables::new(), &mut ())?;
/// let quality = checked.quality.expect("it is a solution");
/// assert_eq!((quality.length, quality.upper_bound), (4, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SolutionQuality {
    /// The length in the metric of the options.
    pub length: Cost,
    /// A lower bound on the length of all solutions.
    pub lower_bound: Cost,
    /// The length of the shortest solution known.
    pub upper_bound: Cost,
    /// The wasted moves, in order. Empty unless the bounds are equal.
    pub losses: Vec<Loss>,
    /// The limit that stopped the check, if any.
    pub stopped: Option<Limit>,
}

/// A wasted move: after it, no shortest solution can be completed.
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
    /// The number of the move, from 1.
    pub step: usize,
    /// The number of moves by which it lengthens the shortest solution.
    pub lost: Cost,
}

/// Compares a valid solution with the shortest one, and finds its wasted moves.
pub(super) fn assess(
    options: &Options,
    puzzle: &Instance,
    moves: &Moves,
    tables: &mut Tables,
    watch: &mut dyn Watch,
) -> Result<SolutionQuality, SolveError> {
    let length = moves.len(options.metric) as Cost;
    let report = options.solve_with(puzzle, tables, watch)?;
    let lower_bound = report.lower_bound.unwrap_or(0);
    let mut quality = SolutionQuality {
        length,
        lower_bound,
        upper_bound: report.upper_bound().map_or(length, |upper| upper.min(length)),
        losses: Vec::new(),
        stopped: report.stopped_by(),
    };
    if report.is_optimal() && lower_bound < length {
        let slides_after = slides_after_moves(moves, options.metric);
        let mut path = AssessedPath { options, puzzle, moves, slides_after, tables, watch };
        let (first, last) = ((0, lower_bound), (moves.len(options.metric), length));
        match path.losses(puzzle.start(), first, last) {
            Ok(losses) => quality.losses = losses,
            Err(AssessmentEnd::Limit(limit)) => quality.stopped = Some(limit),
            Err(AssessmentEnd::Error(error)) => return Err(error),
        }
    }
    Ok(quality)
}

/// Returns the number of slides before the first move and after each move.
fn slides_after_moves(moves: &Moves, metric: Metric) -> Vec<usize> {
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

struct AssessedPath<'a> {
    options: &'a Options,
    puzzle: &'a Instance,
    moves: &'a Moves,
    slides_after: Vec<usize>,
    tables: &'a mut Tables,
    watch: &'a mut dyn Watch,
}

/// A number of moves, and the length of the shortest solution that starts with them.
type SolvedPrefix = (usize, Cost);

enum AssessmentEnd {
    Limit(Limit),
    Error(SolveError),
}

impl AssessedPath<'_> {
    /// Returns the wasted moves between two prefixes; `board` is the board after the first of them.
    ///
    /// Boards are computed when they are needed, since a long solution has too many to keep.
    fn losses(
        &mut self,
        board: &Board,
        from: SolvedPrefix,
        to: SolvedPrefix,
    ) -> Result<Vec<Loss>, AssessmentEnd> {
        if from.1 == to.1 {
            return Ok(Vec::new());
        }
        if to.0 - from.0 == 1 {
            return Ok(vec![Loss { step: to.0, lost: to.1 - from.1 }]);
        }
        let middle = from.0.midpoint(to.0);
        let middle_board = self.replay(board, from.0, middle);
        let through = (middle, middle as Cost + self.distance(&middle_board)?);
        let mut losses = self.losses(board, from, through)?;
        losses.extend(self.losses(&middle_board, through, to)?);
        Ok(losses)
    }

    fn replay(&self, board: &Board, from: usize, to: usize) -> Board {
        let mut board = board.clone();
        for &slide in &self.moves.slides()[self.slides_after[from]..self.slides_after[to]] {
            board.slide(slide);
        }
        board
    }

    fn distance(&mut self, board: &Board) -> Result<Cost, AssessmentEnd> {
        // A lookup in a full table does not poll the watch.
        if let ControlFlow::Break(limit) = self.watch.poll(&Stats::default()) {
            return Err(AssessmentEnd::Limit(limit));
        }
        let instance = same_size::instance(board.clone(), self.puzzle.goal());
        let report = self
            .options
            .solve_with(&instance, self.tables, self.watch)
            .map_err(AssessmentEnd::Error)?;
        match (report.is_optimal(), report.upper_bound()) {
            (true, Some(distance)) => Ok(distance),
            _ => Err(AssessmentEnd::Limit(report.stopped_by().unwrap_or(Limit::Time))),
        }
    }
}
