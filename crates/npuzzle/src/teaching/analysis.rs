//! The value of each move: the distance of a board to the goal, and those of its neighbors.

use npuzzle_core::search::{Cost, Limit, Watch};
use npuzzle_core::{Board, Instance, Metric, Moves, Slide, Tile};

use crate::options::Options;
use crate::solver::SolveError;
use crate::tables::cache::Tables;
use crate::teaching::same_size;

/// The distance of a board and the value of each of its moves.
///
/// ```
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 5 6/7 0 8".parse()?;
/// let analysis = Options::default().analyze(&puzzle, &mut Tables::new(), &mut ())?;
/// assert_eq!((analysis.distance, analysis.moves.len()), (Some(1), 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The length of a shortest solution; `None` if the board has no solution or a limit was reached.
    pub distance: Option<Cost>,
    /// Every legal move.
    pub moves: Vec<MoveAnalysis>,
    /// The limit that stopped the analysis, if any.
    pub stopped: Option<Limit>,
}

/// The value of a move.
///
/// ```
/// use npuzzle::{Options, Slide, Tables};
/// let puzzle = "1 2 3/4 5 6/7 0 8".parse()?;
/// let analysis = Options::default().analyze(&puzzle, &mut Tables::new(), &mut ())?;
/// let best = analysis.moves.iter().min_by_key(|found| found.loss).expect("the blank can move");
/// assert_eq!((best.slide, best.tile.number(), best.distance), (Slide::Left, 8, Some(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveAnalysis {
    /// The direction in which the tiles slide.
    pub slide: Slide,
    /// The number of tiles that slide: 1 in the single-tile metric, any number in a straight run in
    /// the multi-tile metric.
    pub count: usize,
    /// The tile next to the blank.
    pub tile: Tile,
    /// The distance of the board after the move; `None` if it is not known.
    pub distance: Option<Cost>,
    /// The number of moves by which the move lengthens the shortest solution; `None` if it is not
    /// known.
    pub loss: Option<Cost>,
}

/// The value of each move of a game.
///
/// ```
/// use npuzzle::{Options, Tables};
/// let (puzzle, moves) = ("1 2 3/4 5 6/7 0 8".parse()?, "R L2".parse()?);
/// let game = Options::default().analyze_game(&puzzle, &moves, &mut Tables::new(), &mut ())?;
/// assert_eq!(game.losses, [Some(2), Some(0), Some(0)]);
/// assert!(game.is_solved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GameAnalysis {
    /// The distance before the first move and after each move.
    pub distances: Vec<Option<Cost>>,
    /// The number of moves by which each move lengthened the shortest solution.
    pub losses: Vec<Option<Cost>>,
    /// Whether the last board is the goal.
    pub is_solved: bool,
    /// The limit that stopped the analysis, if any. The values after it are `None`.
    pub stopped: Option<Limit>,
}

/// A direction and a number of tiles that slide in it; 1 in the single-tile metric.
type StraightRun = (Slide, usize);

impl Options {
    /// Finds the distance of a board and the value of each of its moves, in the metric of the
    /// options.
    ///
    /// The limits of the options hold for each of the searches. `tables` receives the tables that are
    /// built, and `watch` can stop the analysis.
    ///
    /// # Errors
    ///
    /// The options cannot be combined, as in [`Options::solve`].
    ///
    /// ```
    /// use npuzzle::{Options, Slide, Tables};
    /// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
    /// let analysis = Options::default().analyze(&puzzle, &mut Tables::new(), &mut ())?;
    /// assert_eq!(analysis.distance, Some(2));
    /// let best = analysis.moves.iter().filter(|found| found.loss == Some(0));
    /// assert!(best.map(|found| found.slide).eq([Slide::Left]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyze(
        &self,
        instance: &Instance,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Analysis, SolveError> {
        let board = instance.start();
        let mut analyst = Analyst { options: self, instance, tables, watch, stopped: None };
        let solved = analyst.solve(board, None)?;
        let best = solved.as_ref().and_then(|(_, runs)| runs.first().copied());
        let before = solved.map(|(distance, _)| distance);
        let mut moves = Vec::new();
        for (slide, count) in legal_runs(board, self.metric) {
            let distance = match before {
                Some(before) if best == Some((slide, count)) => Some(before - 1),
                Some(before) => analyst.distance_after(board, (slide, count), before)?,
                None => None,
            };
            let loss = loss(before, distance);
            let source = board.dims().source(board.blank(), slide);
            let tile = source.map_or(Tile::BLANK, |cell| board.tile(cell));
            moves.push(MoveAnalysis { slide, count, tile, distance, loss });
        }
        Ok(Analysis { distance: before, moves, stopped: analyst.stopped })
    }

    /// Finds the distances along a game and the value of each of its moves, in the metric of the
    /// options.
    ///
    /// The moves must be legal. They need not reach the goal. Limits, `tables`, `watch` and errors are
    /// those of [`Options::analyze`].
    ///
    /// ```
    /// use npuzzle::{Options, Tables};
    /// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
    /// let moves = "R L L U".parse()?;
    /// let game = Options::default().analyze_game(&puzzle, &moves, &mut Tables::new(), &mut ())?;
    /// assert_eq!(game.distances, [2, 3, 2, 1, 0].map(Some));
    /// assert_eq!(game.losses, [2, 0, 0, 0].map(Some));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyze_game(
        &self,
        instance: &Instance,
        moves: &Moves,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<GameAnalysis, SolveError> {
        let mut analyst = Analyst { options: self, instance, tables, watch, stopped: None };
        let mut board = instance.start().clone();
        let mut solved = analyst.solve(&board, None)?;
        let mut distances = vec![solved.as_ref().map(|(distance, _)| *distance)];
        for run in runs_of(moves, self.metric) {
            slide_run(&mut board, run);
            // A game that follows the known solution needs no new search.
            solved = match solved {
                Some((distance, runs)) if runs.first() == Some(&run) => {
                    Some((distance - 1, runs[1..].to_vec()))
                }
                Some(_) if analyst.stopped.is_none() => analyst.solve(&board, None)?,
                _ => None,
            };
            distances.push(solved.as_ref().map(|(distance, _)| *distance));
        }
        let losses = distances.windows(2).map(|pair| loss(pair[0], pair[1])).collect();
        let is_solved = board == *instance.goal();
        Ok(GameAnalysis { distances, losses, is_solved, stopped: analyst.stopped })
    }
}

/// Returns the number of moves that a move between boards at these distances has wasted.
fn loss(before: Option<Cost>, after: Option<Cost>) -> Option<Cost> {
    Some((1 + after?).saturating_sub(before?))
}

/// Solves boards for the goal of an instance.
struct Analyst<'a> {
    options: &'a Options,
    instance: &'a Instance,
    tables: &'a mut Tables,
    watch: &'a mut dyn Watch,
    stopped: Option<Limit>,
}

impl Analyst<'_> {
    /// Returns the distance after a move from a board at distance `before`.
    fn distance_after(
        &mut self,
        board: &Board,
        run: StraightRun,
        before: Cost,
    ) -> Result<Option<Cost>, SolveError> {
        if self.stopped.is_some() {
            return Ok(None);
        }
        let mut board = board.clone();
        slide_run(&mut board, run);
        // A slide changes the distance by exactly 1, so a lower bound on `before` proves
        // `before + 1`.
        let bound = (self.options.metric == Metric::Stm).then_some(before);
        Ok(self.solve(&board, bound)?.map(|(distance, _)| distance))
    }

    /// Returns the distance of a board and a shortest solution. If a `bound` is given, the distance
    /// must not equal it; the search then stops when it has proved that the distance is larger, and
    /// the result is `bound + 1` with an empty solution.
    fn solve(
        &mut self,
        board: &Board,
        bound: Option<Cost>,
    ) -> Result<Option<(Cost, Vec<StraightRun>)>, SolveError> {
        let instance = same_size::instance(board.clone(), self.instance.goal());
        let options = Options { optimal: true, all: None, bound, ..self.options.clone() };
        let report = options.solve_with(&instance, self.tables, self.watch)?;
        if let Some(distance) = report.upper_bound().filter(|_| report.is_optimal()) {
            let runs = report.moves().map(|moves| runs_of(moves, self.options.metric));
            return Ok(Some((distance, runs.unwrap_or_default())));
        }
        if let (Some(bound), Some(lower_bound)) = (bound, report.lower_bound)
            && lower_bound >= bound
        {
            return Ok(Some((bound + 1, Vec::new())));
        }
        self.stopped = self.stopped.or(report.stopped_by());
        Ok(None)
    }
}

fn slide_run(board: &mut Board, (slide, count): StraightRun) {
    for _ in 0..count {
        board.slide(slide);
    }
}

/// Returns every legal move in a metric.
fn legal_runs(board: &Board, metric: Metric) -> Vec<StraightRun> {
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

/// Splits moves as a metric counts them.
fn runs_of(moves: &Moves, metric: Metric) -> Vec<StraightRun> {
    match metric {
        Metric::Stm => moves.slides().iter().map(|&slide| (slide, 1)).collect(),
        Metric::Mtm => moves.runs().collect(),
    }
}
