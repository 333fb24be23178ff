//! The game: a start, a goal, and a list of moves with a position in it. The moves before the position
//! have been made; undone moves and the moves of a solution follow it.

use std::cmp::Ordering;
use std::time::Duration;

use npuzzle::{Board, Cell, Goal, Instance, Metric, Slide};

use super::clock::GameClock;

#[derive(Debug)]
pub(crate) struct Game {
    instance: Instance,
    board: Board,
    moves: Vec<Slide>,
    /// The number of straight runs before each position.
    runs_before: Vec<usize>,
    position: usize,
    clock: GameClock,
}

impl Game {
    pub(crate) fn new(instance: Instance) -> Game {
        let board = instance.start().clone();
        let (moves, runs_before, clock) = (vec![], vec![0], GameClock::default());
        Game { instance, board, moves, runs_before, position: 0, clock }
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    /// The puzzle from the start to the goal.
    pub(crate) fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The puzzle from the current board to the goal.
    pub(crate) fn remaining(&self) -> Instance {
        match Instance::new(self.board.clone(), &Goal::Board(self.instance.goal().clone())) {
            Ok(instance) => instance,
            Err(error) => unreachable!("board and goal have the same size: {error}"),
        }
    }

    pub(crate) fn clock(&self) -> GameClock {
        self.clock
    }

    /// All moves: those made, and those that follow.
    pub(crate) fn moves(&self) -> &[Slide] {
        &self.moves
    }

    /// The number of moves made.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn stm(&self) -> usize {
        self.position
    }

    pub(crate) fn mtm(&self) -> usize {
        self.runs_before[self.position]
    }

    pub(crate) fn n_moves(&self, metric: Metric) -> usize {
        match metric {
            Metric::Stm => self.stm(),
            Metric::Mtm => self.mtm(),
        }
    }

    pub(crate) fn is_solved(&self) -> bool {
        self.board == *self.instance.goal()
    }

    /// Makes the player's moves up to the first illegal one, and returns whether there were any.
    pub(crate) fn play(&mut self, slides: impl IntoIterator<Item = Slide>, now: Duration) -> bool {
        let before = self.position;
        for slide in slides {
            if !self.board.slide(slide) {
                break;
            }
            if self.moves.get(self.position) != Some(&slide) {
                self.truncate();
                self.push(slide);
            }
            self.position += 1;
        }
        if self.position == before {
            return false;
        }
        self.clock.start(now);
        if self.is_solved() {
            self.clock.stop(now);
        }
        true
    }

    /// Replaces the moves that follow by a solution, and stops the clock.
    pub(crate) fn set_remaining(&mut self, slides: &[Slide], now: Duration) {
        self.truncate();
        let mut board = self.board.clone();
        for &slide in slides.iter().take_while(|&&slide| board.slide(slide)) {
            self.push(slide);
        }
        self.clock.stop(now);
    }

    /// Goes to a position, or to the last one if that is smaller, and returns whether the position
    /// changed.
    pub(crate) fn seek(&mut self, target: usize) -> bool {
        let (before, target) = (self.position, target.min(self.moves.len()));
        while self.position < target {
            self.board.slide(self.moves[self.position]);
            self.position += 1;
        }
        while self.position > target {
            self.position -= 1;
            self.board.slide(self.moves[self.position].opposite());
        }
        self.position != before
    }

    /// The slides that move the blank to a cell of its row or column; empty for other cells.
    pub(crate) fn slides_to(&self, cell: Cell) -> Vec<Slide> {
        let dims = self.board.dims();
        let row_col = |cell| (dims.row(cell), dims.col(cell));
        let ((blank_row, blank_col), (row, col)) = (row_col(self.board.blank()), row_col(cell));
        let slide = match (row.cmp(&blank_row), col.cmp(&blank_col)) {
            (Ordering::Greater, Ordering::Equal) => Slide::Up,
            (Ordering::Less, Ordering::Equal) => Slide::Down,
            (Ordering::Equal, Ordering::Greater) => Slide::Left,
            (Ordering::Equal, Ordering::Less) => Slide::Right,
            _ => return vec![],
        };
        vec![slide; row.abs_diff(blank_row) + col.abs_diff(blank_col)]
    }

    /// The boards from the start to the current one.
    pub(crate) fn boards(&self) -> Vec<Board> {
        let mut board = self.instance.start().clone();
        let mut boards = vec![board.clone()];
        for &slide in &self.moves[..self.position] {
            board.slide(slide);
            boards.push(board.clone());
        }
        boards
    }

    /// Removes the moves that follow.
    fn truncate(&mut self) {
        self.moves.truncate(self.position);
        self.runs_before.truncate(self.position + 1);
    }

    fn push(&mut self, slide: Slide) {
        let is_new_run = self.moves.last() != Some(&slide);
        let n_runs = self.runs_before[self.moves.len()] + usize::from(is_new_run);
        self.moves.push(slide);
        self.runs_before.push(n_runs);
    }
}

#[cfg(test)]
mod tests {
    use npuzzle::{Moves, Random};

    use super::*;

    const NOW: Duration = Duration::from_secs(1);

    fn game(board: &str) -> Game {
        Game::new(board.parse().unwrap())
    }

    fn slides(moves: &str) -> Vec<Slide> {
        moves.parse::<Moves>().unwrap().slides().to_vec()
    }

    fn check(game: &Game, board: &str, stm: usize, mtm: usize) {
        let found = (game.board().slash().to_string(), game.stm(), game.mtm());
        assert_eq!(found, (board.to_owned(), stm, mtm));
    }

    #[test]
    fn seek_undoes_and_redoes_moves() {
        let mut game = game("1 2 3/4 5 6/7 8 0");
        assert!(game.play(slides("R2 D"), NOW));
        check(&game, "1 2 3/0 5 6/4 7 8", 3, 2);
        assert!(game.seek(1));
        check(&game, "1 2 3/4 5 6/7 0 8", 1, 1);
        assert!(game.seek(99));
        check(&game, "1 2 3/0 5 6/4 7 8", 3, 2);
        assert!(!game.seek(3));
        assert!(game.seek(0) && game.is_solved());
    }

    #[test]
    fn play_replaces_following_moves_unless_equal() {
        let mut game = game("1 2 3/4 5 6/7 8 0");
        game.play(slides("R D D"), NOW);
        game.seek(1);
        game.play(slides("D"), NOW);
        assert_eq!(game.moves(), slides("R D D"));
        game.seek(1);
        game.play(slides("R"), NOW);
        assert_eq!(game.moves(), slides("R R"));
        check(&game, "1 2 3/4 5 6/0 7 8", 2, 1);
    }

    #[test]
    fn play_stops_at_the_border() {
        let mut game = game("1 2 3/4 5 6/7 8 0");
        assert!(!game.play(slides("U"), NOW));
        assert!(game.play(slides("D5"), NOW));
        check(&game, "1 2 0/4 5 3/7 8 6", 2, 1);
    }

    #[test]
    fn slides_to_includes_the_tiles_between() {
        let mut game = game("1 2 3/4 0 5/6 7 8");
        let cell = |row, col| game.board().dims().cell(row, col);
        let cases = [(0, 1, "D"), (2, 1, "U"), (1, 0, "R"), (1, 2, "L"), (0, 0, ""), (1, 1, "")];
        for (row, col, expect) in cases {
            assert_eq!(game.slides_to(cell(row, col)), slides(expect), "{row} {col}");
        }
        game.play(slides("R"), NOW);
        assert_eq!(game.slides_to(game.board().dims().cell(1, 2)), slides("L2"));
    }

    #[test]
    fn clock_stops_at_goal_and_with_a_solution() {
        let at = Duration::from_secs;
        let mut game = game("1 2 3/4 0 5/7 8 6");
        game.play(slides("L"), at(5));
        assert_eq!(game.clock().reading(at(8)).to_string(), "0:03");
        game.play(slides("U"), at(9));
        assert!(game.is_solved());
        assert_eq!(game.clock().reading(at(80)).to_string(), "0:04");

        let mut game = Game::new(game.instance().clone());
        game.play(slides("R"), at(100));
        game.set_remaining(&slides("L L U"), at(107));
        assert_eq!(game.clock().reading(at(200)).to_string(), "0:07");
        game.seek(99);
        assert!(game.is_solved());
        assert_eq!((game.stm(), game.mtm()), (4, 3));
    }

    #[test]
    fn every_position_has_the_board_of_its_moves() {
        let mut random = Random::new(1);
        let mut pick = |n: usize| random.below(n as u64) as usize;
        let all = [Slide::Up, Slide::Down, Slide::Left, Slide::Right];
        for _ in 0..100 {
            let mut game = game("1 2 3 4/5 6 7 8/9 10 11 0");
            for _ in 0..60 {
                if pick(3) == 0 {
                    game.seek(pick(60));
                } else {
                    game.play(vec![all[pick(4)]; 1 + pick(3)], NOW);
                }
                let made: Moves = game.moves()[..game.position()].iter().copied().collect();
                assert_eq!(&made.replay(game.instance().start()).unwrap(), game.board());
                assert_eq!((made.stm(), made.mtm()), (game.stm(), game.mtm()));
                assert_eq!(game.boards().last(), Some(game.board()));
            }
        }
    }
}
