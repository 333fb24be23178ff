//! What every move is worth: the distance of a board to the goal, and those of the boards next to it.

use std::ops::ControlFlow;

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Board, Goal, Instance, Metric, Moves, Slide, Tile};

use crate::options::Options;
use crate::report::Report;
use crate::solver::SolveError;
use crate::tables::cache::Tables;

/// What is known of a board and its moves.
///
/// ```
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 5 6/7 0 8".parse()?;
/// let analysis = Options::default().analyse(&puzzle, &mut Tables::new(), &mut ())?;
/// assert_eq!((analysis.distance, analysis.moves.len()), (Some(1), 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The length of a shortest solution; `None` if there is none, or a limit was reached.
    pub distance: Option<Cost>,
    /// Every legal move.
    pub moves: Vec<Advice>,
    /// The limit that was reached before all was known.
    pub stopped: Option<Limit>,
}

/// What is known of a move.
///
/// ```
/// use npuzzle::{Options, Slide, Tables};
/// let puzzle = "1 2 3/4 5 6/7 0 8".parse()?;
/// let analysis = Options::default().analyse(&puzzle, &mut Tables::new(), &mut ())?;
/// let best = analysis.moves.iter().min_by_key(|advice| advice.loss).expect("there are moves");
/// assert_eq!((best.slide, best.tile.number(), best.distance), (Slide::Left, 8, Some(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The way of the tiles.
    pub slide: Slide,
    /// How many of them slide: one, or in the multi-tile metric any straight run.
    pub count: usize,
    /// The one beside the blank.
    pub tile: Tile,
    /// The distance of the board that it leads to.
    pub distance: Option<Cost>,
    /// How many moves longer the shortest solution becomes by it.
    pub loss: Option<Cost>,
}

/// What is known of the moves of a game.
///
/// ```
/// use npuzzle::{Options, Tables};
/// let (puzzle, moves) = ("1 2 3/4 5 6/7 0 8".parse()?, "R L2".parse()?);
/// let losses = Options::default().losses(&puzzle, &moves, &mut Tables::new(), &mut ())?;
/// assert_eq!(losses.losses, [Some(2), Some(0), Some(0)]);
/// assert!(losses.is_solved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Losses {
    /// The distances before the first move, after it, and so on.
    pub distances: Vec<Option<Cost>>,
    /// What each move has cost.
    pub losses: Vec<Option<Cost>>,
    /// Whether the last board is the goal.
    pub is_solved: bool,
    /// The limit that was reached before all was known.
    pub stopped: Option<Limit>,
}

/// A straight run; in the single-tile metric of one slide.
type Run = (Slide, usize);

impl Options {
    /// The distance of a board, and what each of its moves costs.
    ///
    /// ```
    /// use npuzzle::{Options, Slide, Tables};
    /// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
    /// let analysis = Options::default().analyse(&puzzle, &mut Tables::new(), &mut ())?;
    /// assert_eq!(analysis.distance, Some(2));
    /// let best = analysis.moves.iter().filter(|advice| advice.loss == Some(0));
    /// assert!(best.map(|advice| advice.slide).eq([Slide::Left]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyse(
        &self,
        instance: &Instance,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Analysis, SolveError> {
        let mut analyst = Analyst { options: self, instance, tables, watch, stopped: None };
        let here = analyst.solve(instance.start(), None)?;
        let best = here.as_ref().and_then(|(_, runs)| runs.first().copied());
        let here = here.map(|(distance, _)| distance);
        let mut moves = Vec::new();
        for (slide, count) in runs_from(instance.start(), self.metric) {
            let distance = match here {
                Some(here) if best == Some((slide, count)) => Some(here - 1),
                Some(here) => analyst.distance_after(instance.start(), (slide, count), here)?,
                None => None,
            };
            let loss = here.zip(distance).map(|(before, after)| (1 + after).saturating_sub(before));
            let board = instance.start();
            let tile =
                board.dims().source(board.blank(), slide).map_or(Tile::BLANK, |c| board.tile(c));
            moves.push(Advice { slide, count, tile, distance, loss });
        }
        Ok(Analysis { distance: here, moves, stopped: analyst.stopped })
    }

    /// The distances along a game, whose moves are legal, and what each of them has cost.
    ///
    /// ```
    /// use npuzzle::{Options, Tables};
    /// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
    /// let moves = "R L L U".parse()?;
    /// let losses = Options::default().losses(&puzzle, &moves, &mut Tables::new(), &mut ())?;
    /// assert_eq!(losses.distances, [2, 3, 2, 1, 0].map(Some));
    /// assert_eq!(losses.losses, [2, 0, 0, 0].map(Some));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn losses(
        &self,
        instance: &Instance,
        moves: &Moves,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Losses, SolveError> {
        let mut analyst = Analyst { options: self, instance, tables, watch, stopped: None };
        let mut board = instance.start().clone();
        let mut known = analyst.solve(&board, None)?;
        let mut distances = vec![known.as_ref().map(|(distance, _)| *distance)];
        for (slide, count) in runs_of(moves, self.metric) {
            slide_run(&mut board, (slide, count));
            // Whoever goes on along the solution that is known needs no other.
            known = match known {
                Some((distance, runs)) if runs.first() == Some(&(slide, count)) => {
                    Some((distance - 1, runs[1..].to_vec()))
                }
                Some(_) if analyst.stopped.is_none() => analyst.solve(&board, None)?,
                _ => None,
            };
            distances.push(known.as_ref().map(|(distance, _)| *distance));
        }
        let loss = |two: &[Option<Cost>]| Some((1 + two[1]?).saturating_sub(two[0]?));
        let losses = distances.windows(2).map(loss).collect();
        let is_solved = board == *instance.goal();
        Ok(Losses { distances, losses, is_solved, stopped: analyst.stopped })
    }
}

/// Solves the boards around one.
struct Analyst<'a> {
    options: &'a Options,
    instance: &'a Instance,
    tables: &'a mut Tables,
    watch: &'a mut dyn Watch,
    stopped: Option<Limit>,
}

impl Analyst<'_> {
    /// The distance after a run, where that before it is known.
    fn distance_after(
        &mut self,
        board: &Board,
        run: Run,
        before: Cost,
    ) -> Result<Option<Cost>, SolveError> {
        if self.stopped.is_some() {
            return Ok(None);
        }
        let mut board = board.clone();
        slide_run(&mut board, run);
        // A slide changes the distance by one, so it is enough to know that it is not less.
        let enough = (self.options.metric == Metric::Stm).then_some(before);
        Ok(self.solve(&board, enough)?.map(|(distance, _)| distance))
    }

    /// The distance of a board and a shortest solution. If a solution has at least `enough` moves,
    /// there are `enough + 1`, and nobody asks which.
    fn solve(
        &mut self,
        board: &Board,
        enough: Option<Cost>,
    ) -> Result<Option<(Cost, Vec<Run>)>, SolveError> {
        let goal = Goal::Board(self.instance.goal().clone());
        let instance = match Instance::new(board.clone(), &goal) {
            Ok(instance) => instance,
            Err(error) => unreachable!("both are of one size: {error}"),
        };
        let options = Options { optimal: true, all: None, ..self.options.clone() };
        let mut until = Until { enough, is_enough: false, inner: self.watch };
        let report = options.solve_with(&instance, self.tables, &mut until)?;
        let is_enough = |report: &Report| Some(report.lower_bound? >= enough?);
        let distance = report.upper_bound().filter(|_| report.is_optimal());
        match (distance, enough) {
            (Some(distance), _) => {
                let runs = report.moves().map(|moves| runs_of(moves, self.options.metric));
                Ok(Some((distance, runs.unwrap_or_default())))
            }
            (None, Some(enough)) if is_enough(&report) == Some(true) => {
                Ok(Some((enough + 1, Vec::new())))
            }
            _ => {
                self.stopped = self.stopped.or(report.stopped_by());
                Ok(None)
            }
        }
    }
}

/// Ends a search when a round has shown that every solution has at least so many moves.
struct Until<'a> {
    enough: Option<Cost>,
    is_enough: bool,
    inner: &'a mut dyn Watch,
}

impl Watch for Until<'_> {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        self.is_enough |= self.enough.is_some_and(|enough| bound + 1 >= enough);
        self.inner.round(bound, stats);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        if self.is_enough {
            return ControlFlow::Break(Limit::Interrupted);
        }
        self.inner.poll(stats)
    }

    fn better(&mut self, length: Cost, lower_bound: Cost) {
        self.inner.better(length, lower_bound);
    }

    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        self.inner.building(share)
    }
}

fn slide_run(board: &mut Board, (slide, count): Run) {
    for _ in 0..count {
        board.slide(slide);
    }
}

/// Every legal move of a metric.
fn runs_from(board: &Board, metric: Metric) -> Vec<Run> {
    let mut runs = Vec::new();
    for slide in board.slides() {
        let mut after = board.clone();
        let mut count = 0;
        while after.slide(slide) && (count == 0 || metric == Metric::Mtm) {
            count += 1;
            runs.push((slide, count));
        }
    }
    runs
}

/// Moves as a metric counts them.
fn runs_of(moves: &Moves, metric: Metric) -> Vec<Run> {
    match metric {
        Metric::Stm => moves.slides().iter().map(|&slide| (slide, 1)).collect(),
        Metric::Mtm => moves.runs().collect(),
    }
}
