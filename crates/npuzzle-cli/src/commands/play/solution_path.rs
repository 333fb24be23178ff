//! A way that hints lead along: who follows them gets to the goal, where a new search for every hint
//! might take back the last one.

use npuzzle::{Board, Slide};

#[derive(Debug)]
pub(crate) struct Way {
    slides: Vec<Slide>,
    /// The board after so many of them, the last that was asked for.
    board: Board,
    at: usize,
}

impl Way {
    pub(crate) fn new(start: &Board, slides: &[Slide]) -> Way {
        Way { slides: slides.to_vec(), board: start.clone(), at: 0 }
    }

    /// What comes next from a board that lies ahead on the way.
    pub(crate) fn next(&mut self, board: &Board) -> Option<Slide> {
        // Where the gap lies tells most boards apart.
        while self.board.blank() != board.blank() || self.board != *board {
            let slide = *self.slides.get(self.at)?;
            self.board.slide(slide);
            self.at += 1;
        }
        self.slides.get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use npuzzle::Moves;

    use super::*;

    #[test]
    fn a_way_is_followed_from_any_board_ahead() {
        let start: Board = "1 2 3/4 0 5/7 8 6".parse().unwrap();
        let moves: Moves = "R L L U".parse().unwrap();
        let boards: Vec<Board> = moves.boards(&start).unwrap().collect();
        let mut way = Way::new(&start, moves.slides());
        assert_eq!(way.next(&boards[0]), Some(Slide::Right));
        assert_eq!(way.next(&boards[0]), Some(Slide::Right));
        assert_eq!(way.next(&boards[3]), Some(Slide::Up));
        assert_eq!(way.next(&boards[4]), None);
        assert_eq!(way.next(&boards[1]), None);
    }
}
