//! The known distances of the boards of a game, and the moves that each run wastes.

use std::collections::HashMap;

use npuzzle::search::Cost;
use npuzzle::teaching::Analysis;
use npuzzle::{Board, Metric, Moves, Slide};

use super::game::Game;

/// Distances to one goal, by board.
#[derive(Debug)]
pub(crate) struct MoveLosses {
    metric: Metric,
    known: HashMap<Board, KnownBoard>,
}

#[derive(Clone, Debug, Default)]
struct KnownBoard {
    /// `None` if it was not found in time.
    distance: Option<Cost>,
    /// All best moves, if the board was analyzed.
    best: Option<Vec<BestMove>>,
}

/// A best move: `count` tiles slide in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BestMove {
    pub(crate) slide: Slide,
    pub(crate) count: usize,
}

/// A straight run of a game, and its loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RunLoss {
    pub(crate) slide: Slide,
    pub(crate) count: usize,
    /// The number of wasted moves, if it is known.
    pub(crate) loss: Option<Cost>,
}

impl MoveLosses {
    /// The largest boards whose distances are found in seconds.
    pub(crate) const MAX_CELLS: usize = 16;
    /// The longest game that is analyzed.
    const MAX_MOVES: usize = 2000;

    pub(crate) fn new(metric: Metric) -> MoveLosses {
        MoveLosses { metric, known: HashMap::new() }
    }

    pub(crate) fn metric(&self) -> Metric {
        self.metric
    }

    /// Whether boards of this size are analyzed.
    pub(crate) fn covers(board: &Board) -> bool {
        board.dims().cells() <= MoveLosses::MAX_CELLS
    }

    pub(crate) fn distance(&self, board: &Board) -> Option<Cost> {
        self.known.get(board)?.distance
    }

    /// The best moves, if the board was analyzed.
    pub(crate) fn best(&self, board: &Board) -> Option<&[BestMove]> {
        self.known.get(board)?.best.as_deref()
    }

    /// Records the analysis of a board, which includes the distances of its neighbors.
    pub(crate) fn add(&mut self, board: &Board, analysis: &Analysis) {
        let is_best = |loss: Option<Cost>| loss == Some(0);
        let best = analysis.moves.iter().filter(|advice| is_best(advice.loss));
        let best =
            best.map(|advice| BestMove { slide: advice.slide, count: advice.count }).collect();
        self.known.entry(board.clone()).or_default().best = Some(best);
        self.add_distance(board.clone(), analysis.distance);
        for advice in &analysis.moves {
            let mut neighbor = board.clone();
            for _ in 0..advice.count {
                neighbor.slide(advice.slide);
            }
            self.add_distance(neighbor, advice.distance);
        }
    }

    /// Records the distances along a shortest solution.
    pub(crate) fn add_solution(&mut self, start: &Board, moves: &Moves) {
        let mut board = start.clone();
        let mut left = moves.len(self.metric) as Cost;
        self.add_distance(board.clone(), Some(left));
        for (slide, count) in moves.runs() {
            for n_made in 1..=count {
                board.slide(slide);
                match self.metric {
                    Metric::Stm => left -= 1,
                    // Inside a run, another move may lead to a shorter solution.
                    Metric::Mtm if n_made < count => continue,
                    Metric::Mtm => left -= 1,
                }
                self.add_distance(board.clone(), Some(left));
            }
        }
    }

    fn add_distance(&mut self, board: Board, distance: Option<Cost>) {
        if distance.is_some() {
            self.known.entry(board).or_default().distance = distance;
        }
    }

    /// The last board between two runs of a game that is unknown.
    pub(crate) fn unknown(&self, game: &Game) -> Option<Board> {
        let boards = game.boards();
        let is_unknown = |position: &usize| !self.known.contains_key(&boards[*position]);
        let unknown = run_ends(game).into_iter().rev().find(is_unknown);
        unknown.map(|position| boards[position].clone())
    }

    /// Whether a game is analyzed: its boards are small enough, and it is short enough.
    pub(crate) fn follows(game: &Game) -> bool {
        MoveLosses::covers(game.board()) && game.position() <= MoveLosses::MAX_MOVES
    }

    /// The moves made, as straight runs with their losses. A game that is too long has only its
    /// last runs, without losses.
    pub(crate) fn runs(&self, game: &Game) -> Vec<RunLoss> {
        let boards = if MoveLosses::follows(game) { game.boards() } else { vec![] };
        let distance = |position: usize| self.distance(boards.get(position)?);
        let run = |ends: &[usize]| {
            let (slide, count) = (game.moves()[ends[0]], ends[1] - ends[0]);
            let cost = if self.metric == Metric::Stm { count as Cost } else { 1 };
            let distances = distance(ends[0]).zip(distance(ends[1]));
            let loss = distances.map(|(before, after)| (cost + after).saturating_sub(before));
            RunLoss { slide, count, loss }
        };
        run_ends(game).windows(2).map(run).collect()
    }

    /// The number of moves that the game has wasted so far.
    pub(crate) fn total(&self, game: &Game) -> Option<Cost> {
        let before = self.distance(game.instance().start())?;
        let after = self.distance(game.board())?;
        Some((game.n_moves(self.metric) as Cost + after).saturating_sub(before))
    }
}

/// The positions at which the runs of the last moves start and end.
fn run_ends(game: &Game) -> Vec<usize> {
    let mut end = game.position().saturating_sub(MoveLosses::MAX_MOVES);
    let mut ends = vec![end];
    for run in game.moves()[end..game.position()].chunk_by(|a, b| a == b) {
        end += run.len();
        ends.push(end);
    }
    ends
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use npuzzle::{Options, Tables};

    use super::*;

    /// A game whose boards are all known.
    fn analyzed(board: &str, moves: &str, metric: Metric) -> (Game, MoveLosses) {
        let mut game = Game::new(board.parse().unwrap());
        let moves: Moves = moves.parse().unwrap();
        assert!(game.play(moves.slides().iter().copied(), Duration::ZERO));
        let mut losses = MoveLosses::new(metric);
        let mut tables = Tables::new();
        let options = Options { metric, ..Options::default() };
        let mut analyze = |board: Board| {
            let goal = npuzzle::Goal::Board(game.instance().goal().clone());
            let instance = npuzzle::Instance::new(board.clone(), &goal).unwrap();
            losses.add(&board, &options.analyze(&instance, &mut tables, &mut ()).unwrap());
            losses.unknown(&game)
        };
        let mut board = analyze(game.board().clone());
        while let Some(next) = board {
            board = analyze(next);
        }
        (game, losses)
    }

    fn check(board: &str, moves: &str, metric: Metric) {
        let (game, losses) = analyzed(board, moves, metric);
        let found: Vec<Cost> = losses.runs(&game).iter().map(|run| run.loss.unwrap()).collect();
        let moves: Moves = moves.parse().unwrap();
        let options = Options { metric, ..Options::default() };
        let expect =
            options.analyze_game(game.instance(), &moves, &mut Tables::new(), &mut ()).unwrap();
        let expect: Vec<Cost> = expect.losses.into_iter().map(Option::unwrap).collect();
        let total: Cost = expect.iter().sum();
        assert_eq!(losses.total(&game), Some(total));
        assert_eq!(found.iter().sum::<Cost>(), total);
        if metric == Metric::Mtm {
            assert_eq!(found, expect);
        }
    }

    #[test]
    fn runs_agree_with_the_library() {
        for metric in Metric::ALL {
            check("1 2 3/4 0 5/7 8 6", "R L L U", metric);
            check("8 1 3/4 0 2/7 6 5", "U L R D2 R U2 L D", metric);
            check("1 2/3 4/5 0", "D2 R U L", metric);
        }
    }

    #[test]
    fn add_records_distance_and_best_moves() {
        let (game, losses) = analyzed("1 2 3/4 0 5/7 8 6", "L", Metric::Stm);
        let best = BestMove { slide: Slide::Up, count: 1 };
        assert_eq!(losses.best(game.board()), Some(&[best][..]));
        assert_eq!(losses.distance(game.board()), Some(1));
        assert_eq!(losses.total(&game), Some(0));
    }

    #[test]
    fn add_solution_records_distances_along_it() {
        let start: Board = "2 3 0/1 5 6/4 7 8".parse().unwrap();
        let moves: Moves = "R2 U2 L2".parse().unwrap();
        let distances = |metric| {
            let mut losses = MoveLosses::new(metric);
            losses.add_solution(&start, &moves);
            let boards = moves.boards(&start).unwrap();
            boards.map(|board| losses.distance(&board)).collect::<Vec<_>>()
        };
        assert_eq!(distances(Metric::Stm), [6, 5, 4, 3, 2, 1, 0].map(Some));
        let known = [Some(3), None, Some(2), None, Some(1), None, Some(0)];
        assert_eq!(distances(Metric::Mtm), known);
    }
}
