//! The game: a start, a goal, and a line of moves that is gone along both ways. What was undone, and a
//! solution that was found, are the moves of the line that are still ahead.

use std::cmp::Ordering;
use std::time::Duration;

use npuzzle::{Board, Cell, Goal, Instance, Metric, Slide};

use super::clock::Clock;

#[derive(Debug)]
pub(crate) struct Game {
    instance: Instance,
    board: Board,
    line: Vec<Slide>,
    /// Straight runs in the slides up to each place of the line.
    runs_up_to: Vec<usize>,
    at: usize,
    clock: Clock,
}

impl Game {
    pub(crate) fn new(instance: Instance) -> Game {
        let board = instance.start().clone();
        let (line, runs_up_to, clock) = (vec![], vec![0], Clock::default());
        Game { instance, board, line, runs_up_to, at: 0, clock }
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    /// From the start to the goal.
    pub(crate) fn instance(&self) -> &Instance {
        &self.instance
    }

    /// From here to the goal.
    pub(crate) fn remaining(&self) -> Instance {
        match Instance::new(self.board.clone(), &Goal::Board(self.instance.goal().clone())) {
            Ok(instance) => instance,
            Err(error) => unreachable!("both are of one size: {error}"),
        }
    }

    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    /// The moves made, and those ahead.
    pub(crate) fn line(&self) -> &[Slide] {
        &self.line
    }

    /// How many moves of the line are made.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn stm(&self) -> usize {
        self.at
    }

    pub(crate) fn mtm(&self) -> usize {
        self.runs_up_to[self.at]
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

    /// Somebody's own moves, up to the first that is not legal; whether there were any.
    pub(crate) fn play(&mut self, slides: impl IntoIterator<Item = Slide>, now: Duration) -> bool {
        let before = self.at;
        for slide in slides {
            if !self.board.slide(slide) {
                break;
            }
            if self.line.get(self.at) != Some(&slide) {
                self.cut();
                self.push(slide);
            }
            self.at += 1;
        }
        if self.at == before {
            return false;
        }
        self.clock.start(now);
        if self.is_solved() {
            self.clock.stop(now);
        }
        true
    }

    /// What comes from here on, instead of what came. Who is shown the way does not play against the
    /// clock.
    pub(crate) fn set_ahead(&mut self, slides: &[Slide], now: Duration) {
        self.cut();
        let mut board = self.board.clone();
        for &slide in slides.iter().take_while(|&&slide| board.slide(slide)) {
            self.push(slide);
        }
        self.clock.stop(now);
    }

    /// Goes along the line to a place, or to its end if that is nearer; whether that is elsewhere.
    pub(crate) fn seek(&mut self, to: usize) -> bool {
        let (before, to) = (self.at, to.min(self.line.len()));
        while self.at < to {
            self.board.slide(self.line[self.at]);
            self.at += 1;
        }
        while self.at > to {
            self.at -= 1;
            self.board.slide(self.line[self.at].opposite());
        }
        self.at != before
    }

    /// The slides that bring the gap to a cell of its row or column; none for other cells.
    pub(crate) fn slides_to(&self, cell: Cell) -> Vec<Slide> {
        let dims = self.board.dims();
        let place = |cell| (dims.row(cell), dims.col(cell));
        let ((gap_row, gap_col), (row, col)) = (place(self.board.blank()), place(cell));
        let slide = match (row.cmp(&gap_row), col.cmp(&gap_col)) {
            (Ordering::Greater, Ordering::Equal) => Slide::Up,
            (Ordering::Less, Ordering::Equal) => Slide::Down,
            (Ordering::Equal, Ordering::Greater) => Slide::Left,
            (Ordering::Equal, Ordering::Less) => Slide::Right,
            _ => return vec![],
        };
        vec![slide; row.abs_diff(gap_row) + col.abs_diff(gap_col)]
    }

    /// The boards of the line from the start to the last that is made.
    pub(crate) fn boards(&self) -> Vec<Board> {
        let mut board = self.instance.start().clone();
        let mut boards = vec![board.clone()];
        for &slide in &self.line[..self.at] {
            board.slide(slide);
            boards.push(board.clone());
        }
        boards
    }

    fn cut(&mut self) {
        self.line.truncate(self.at);
        self.runs_up_to.truncate(self.at + 1);
    }

    fn push(&mut self, slide: Slide) {
        let is_new_run = self.line.last() != Some(&slide);
        let n_runs = self.runs_up_to[self.line.len()] + usize::from(is_new_run);
        self.line.push(slide);
        self.runs_up_to.push(n_runs);
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
    fn moves_are_made_taken_back_and_made_again() {
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
    fn another_move_forgets_what_was_ahead_and_the_same_does_not() {
        let mut game = game("1 2 3/4 5 6/7 8 0");
        game.play(slides("R D D"), NOW);
        game.seek(1);
        game.play(slides("D"), NOW);
        assert_eq!(game.line(), slides("R D D"));
        game.seek(1);
        game.play(slides("R"), NOW);
        assert_eq!(game.line(), slides("R R"));
        check(&game, "1 2 3/4 5 6/0 7 8", 2, 1);
    }

    #[test]
    fn moves_end_at_the_border() {
        let mut game = game("1 2 3/4 5 6/7 8 0");
        assert!(!game.play(slides("U"), NOW));
        assert!(game.play(slides("D5"), NOW));
        check(&game, "1 2 0/4 5 3/7 8 6", 2, 1);
    }

    #[test]
    fn a_tile_in_line_with_the_gap_takes_those_between_along() {
        let mut game = game("1 2 3/4 0 5/6 7 8");
        let cell = |row, col| game.board().dims().cell(row, col);
        let ways = [(0, 1, "D"), (2, 1, "U"), (1, 0, "R"), (1, 2, "L"), (0, 0, ""), (1, 1, "")];
        for (row, col, expect) in ways {
            assert_eq!(game.slides_to(cell(row, col)), slides(expect), "{row} {col}");
        }
        game.play(slides("R"), NOW);
        assert_eq!(game.slides_to(game.board().dims().cell(1, 2)), slides("L2"));
    }

    #[test]
    fn the_clock_stops_at_the_goal_and_for_who_is_shown_the_way() {
        let at = Duration::from_secs;
        let mut game = game("1 2 3/4 0 5/7 8 6");
        game.play(slides("L"), at(5));
        assert_eq!(game.clock().reading(at(8)).to_string(), "0:03");
        game.play(slides("U"), at(9));
        assert!(game.is_solved());
        assert_eq!(game.clock().reading(at(80)).to_string(), "0:04");

        let mut game = Game::new(game.instance().clone());
        game.play(slides("R"), at(100));
        game.set_ahead(&slides("L L U"), at(107));
        assert_eq!(game.clock().reading(at(200)).to_string(), "0:07");
        game.seek(99);
        assert!(game.is_solved());
        assert_eq!((game.stm(), game.mtm()), (4, 3));
    }

    #[test]
    fn every_place_of_the_line_has_the_board_and_the_counts_of_its_moves() {
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
                let made: Moves = game.line()[..game.at()].iter().copied().collect();
                assert_eq!(&made.replay(game.instance().start()).unwrap(), game.board());
                assert_eq!((made.stm(), made.mtm()), (game.stm(), game.mtm()));
                assert_eq!(game.boards().last(), Some(game.board()));
            }
        }
    }
}
