//! What is known of the distances along a game, and so what its moves have lost.

use std::collections::HashMap;

use npuzzle::search::Cost;
use npuzzle::teaching::Analysis;
use npuzzle::{Board, Metric, Moves, Slide};

use super::game::Game;

/// Distances to one goal, by board.
#[derive(Debug)]
pub(crate) struct Ledger {
    metric: Metric,
    known: HashMap<Board, Known>,
}

#[derive(Clone, Debug, Default)]
struct Known {
    /// `None` if it could not be found in time.
    distance: Option<Cost>,
    /// Every best move, if they have been looked at.
    best: Option<Vec<Best>>,
}

/// A best move: so many tiles slide one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Best {
    pub(crate) slide: Slide,
    pub(crate) count: usize,
}

/// A straight run of a line, and what it has cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) slide: Slide,
    pub(crate) count: usize,
    /// How many moves longer the shortest solution became by it, if that is known.
    pub(crate) loss: Option<Cost>,
}

impl Ledger {
    /// Boards of which distances are found soon.
    pub(crate) const MAX_CELLS: usize = 16;
    /// Longer games are not looked at.
    const MAX_MOVES: usize = 2000;

    pub(crate) fn new(metric: Metric) -> Ledger {
        Ledger { metric, known: HashMap::new() }
    }

    pub(crate) fn metric(&self) -> Metric {
        self.metric
    }

    /// Whether distances of such boards are found at all.
    pub(crate) fn covers(board: &Board) -> bool {
        board.dims().cells() <= Ledger::MAX_CELLS
    }

    pub(crate) fn distance(&self, board: &Board) -> Option<Cost> {
        self.known.get(board)?.distance
    }

    /// The best moves, if they have been looked at.
    pub(crate) fn best(&self, board: &Board) -> Option<&[Best]> {
        self.known.get(board)?.best.as_deref()
    }

    /// Notes what was found of a board, and with it of those beside it.
    pub(crate) fn note(&mut self, board: &Board, analysis: &Analysis) {
        let is_best = |loss: Option<Cost>| loss == Some(0);
        let best = analysis.moves.iter().filter(|advice| is_best(advice.loss));
        let best = best.map(|advice| Best { slide: advice.slide, count: advice.count }).collect();
        self.known.entry(board.clone()).or_default().best = Some(best);
        self.note_distance(board.clone(), analysis.distance);
        for advice in &analysis.moves {
            let mut beside = board.clone();
            for _ in 0..advice.count {
                beside.slide(advice.slide);
            }
            self.note_distance(beside, advice.distance);
        }
    }

    /// Notes a shortest solution.
    pub(crate) fn note_solution(&mut self, start: &Board, moves: &Moves) {
        let mut board = start.clone();
        let mut left = moves.len(self.metric) as Cost;
        self.note_distance(board.clone(), Some(left));
        for (slide, count) in moves.runs() {
            for n_made in 1..=count {
                board.slide(slide);
                match self.metric {
                    Metric::Stm => left -= 1,
                    // In the middle of a run there may be a shorter way than to go on.
                    Metric::Mtm if n_made < count => continue,
                    Metric::Mtm => left -= 1,
                }
                self.note_distance(board.clone(), Some(left));
            }
        }
    }

    fn note_distance(&mut self, board: Board, distance: Option<Cost>) {
        if distance.is_some() {
            self.known.entry(board).or_default().distance = distance;
        }
    }

    /// The last board of a game between two runs of which nothing is known.
    pub(crate) fn unknown(&self, game: &Game) -> Option<Board> {
        let boards = game.boards();
        let is_unknown = |at: &usize| !self.known.contains_key(&boards[*at]);
        joints(game).into_iter().rev().find(is_unknown).map(|at| boards[at].clone())
    }

    /// Whether a game is short enough to be looked at.
    pub(crate) fn follows(game: &Game) -> bool {
        Ledger::covers(game.board()) && game.at() <= Ledger::MAX_MOVES
    }

    /// The moves made, as straight runs with their losses; of games that are too long to be looked at
    /// the last ones, without.
    pub(crate) fn entries(&self, game: &Game) -> Vec<Entry> {
        let boards = if Ledger::follows(game) { game.boards() } else { vec![] };
        let distance = |at: usize| self.distance(boards.get(at)?);
        let joints = joints(game);
        let entry = |ends: &[usize]| {
            let count = ends[1] - ends[0];
            let cost = if self.metric == Metric::Stm { count as Cost } else { 1 };
            let ends = distance(ends[0]).zip(distance(ends[1])).map(|ends| (ends, cost));
            ends.map(|((before, after), cost)| (cost + after).saturating_sub(before))
        };
        let loss = joints.windows(2).map(entry);
        let runs = joints.windows(2).map(|ends| (game.line()[ends[0]], ends[1] - ends[0]));
        runs.zip(loss).map(|((slide, count), loss)| Entry { slide, count, loss }).collect()
    }

    /// How many moves the game has lost so far.
    pub(crate) fn lost(&self, game: &Game) -> Option<Cost> {
        let before = self.distance(game.instance().start())?;
        let after = self.distance(game.board())?;
        Some((game.n_moves(self.metric) as Cost + after).saturating_sub(before))
    }
}

/// The places of the last moves made where runs begin and end.
fn joints(game: &Game) -> Vec<usize> {
    let first = game.at().saturating_sub(Ledger::MAX_MOVES);
    let mut joints = vec![first];
    for run in game.line()[first..game.at()].chunk_by(|a, b| a == b) {
        joints.push(joints.last().unwrap_or(&0) + run.len());
    }
    joints
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use npuzzle::{Options, Tables};

    use super::*;

    /// A game whose distances are all found.
    fn known(board: &str, moves: &str, metric: Metric) -> (Game, Ledger) {
        let mut game = Game::new(board.parse().unwrap());
        let moves: Moves = moves.parse().unwrap();
        assert!(game.play(moves.slides().iter().copied(), Duration::ZERO));
        let mut ledger = Ledger::new(metric);
        let mut tables = Tables::new();
        let options = Options { metric, ..Options::default() };
        let mut look = |board: Board| {
            let goal = npuzzle::Goal::Board(game.instance().goal().clone());
            let instance = npuzzle::Instance::new(board.clone(), &goal).unwrap();
            ledger.note(&board, &options.analyse(&instance, &mut tables, &mut ()).unwrap());
            ledger.unknown(&game)
        };
        let mut board = look(game.board().clone());
        while let Some(next) = board {
            board = look(next);
        }
        (game, ledger)
    }

    fn check(board: &str, moves: &str, metric: Metric) {
        let (game, ledger) = known(board, moves, metric);
        let entries = ledger.entries(&game);
        let moves: Moves = moves.parse().unwrap();
        let options = Options { metric, ..Options::default() };
        let losses =
            options.analyse_game(game.instance(), &moves, &mut Tables::new(), &mut ()).unwrap();
        let losses: Vec<Cost> = losses.losses.into_iter().map(Option::unwrap).collect();
        let sum: Cost = losses.iter().sum();
        assert_eq!(ledger.lost(&game), Some(sum));
        assert_eq!(entries.iter().map(|entry| entry.loss.unwrap()).sum::<Cost>(), sum);
        if metric == Metric::Mtm {
            let found: Vec<Cost> = entries.iter().map(|entry| entry.loss.unwrap()).collect();
            assert_eq!(found, losses);
        }
    }

    #[test]
    fn losses_are_those_of_the_library() {
        for metric in Metric::ALL {
            check("1 2 3/4 0 5/7 8 6", "R L L U", metric);
            check("8 1 3/4 0 2/7 6 5", "U L R D2 R U2 L D", metric);
            check("1 2/3 4/5 0", "D2 R U L", metric);
        }
    }

    #[test]
    fn best_moves_are_known_where_they_have_been_looked_at() {
        let (game, ledger) = known("1 2 3/4 0 5/7 8 6", "L", Metric::Stm);
        assert_eq!(ledger.best(game.board()), Some(&[Best { slide: Slide::Up, count: 1 }][..]));
        assert_eq!(ledger.distance(game.board()), Some(1));
        assert_eq!(ledger.lost(&game), Some(0));
    }

    #[test]
    fn a_solution_tells_the_distances_along_it() {
        let start: Board = "2 3 0/1 5 6/4 7 8".parse().unwrap();
        let moves: Moves = "R2 U2 L2".parse().unwrap();
        let distances = |metric| {
            let mut ledger = Ledger::new(metric);
            ledger.note_solution(&start, &moves);
            let boards = moves.boards(&start).unwrap();
            boards.map(|board| ledger.distance(&board)).collect::<Vec<_>>()
        };
        assert_eq!(distances(Metric::Stm), [6, 5, 4, 3, 2, 1, 0].map(Some));
        let known = [Some(3), None, Some(2), None, Some(1), None, Some(0)];
        assert_eq!(distances(Metric::Mtm), known);
    }
}
